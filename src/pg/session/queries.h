/* Queries of the catalog: each is a file of sql/, which psql can run, compiled in. */
#ifndef PG_QUERIES_H
#define PG_QUERIES_H

extern const char query_align[];
extern const char query_belongings[];
extern const char query_bodies[];
extern const char query_calm[];
extern const char query_changes[];
extern const char query_changed_rows[];
extern const char query_changed_tables[];
extern const char query_class[];
extern const char query_connected[];
extern const char query_coverage[];
extern const char query_deferral[];
extern const char query_definitions[];
extern const char query_free[];
extern const char query_gates[];
extern const char query_init[];
extern const char query_keys[];
extern const char query_lasting[];
extern const char query_recursion[];
extern const char query_literals[];
extern const char query_locked[];
extern const char query_makers[];
extern const char query_marked[];
extern const char query_mutate_columns[];
extern const char query_mutate_constraints[];
extern const char query_mutate_functions[];
extern const char query_mutate_indexes[];
extern const char query_mutate_privileges[];
extern const char query_mutate_security[];
extern const char query_mutate_triggers[];
extern const char query_origins[];
extern const char query_owner[];
extern const char query_parts[];
extern const char query_policies[];
extern const char query_readable[];
extern const char query_rearrange[];
extern const char query_reads_any[];
extern const char query_reads_body[];
extern const char query_reads_definition[];
extern const char query_reads_types[];
extern const char query_relations[];
extern const char query_relations_back[];
extern const char query_rows[];
extern const char query_sequences[];
extern const char query_shared[];
extern const char query_state[];
extern const char query_stops[];
extern const char query_stops_names[];
extern const char query_table[];
extern const char query_times[];
extern const char query_type[];
extern const char query_types[];
extern const char query_ungated[];
extern const char query_unseen[];
extern const char query_write_all[];

#endif
