/*
 * The rows that a table with many of them has at the mark, and where each stands (ctid), so that
 * the few that an example changed or deleted can be found and written again. A row that it left
 * alone stays where it is: only a rewrite of the whole table (VACUUM FULL, CLUSTER) moves it, which
 * gives the table another file.
 *
 * The table is looked at in ranges of blocks: the server counts the rows of each, and lists those
 * of the ranges where some are missing. Rows that came after the mark are deleted before.
 */
#ifndef PG_LARGE_H
#define PG_LARGE_H

#include "pg/session/wire.h"
#include "pg/types/text_array.h"

struct large;

/* The text of the row `pgfsm_row`, by its type's output function: a cast may be the schema's own.
 */
#define ROW_TEXT "pg_catalog.textin(pg_catalog.record_out(pgfsm_row.*))"

/* Reads the rows of the table, whose name is SQL; `file`: its file (pg_relation_filenode). */
bool large_read(struct wire *wire, const char *table, const char *file, struct large **out,
                struct error *err);
/* Ignores NULL. */
void large_free(struct large *large);

/* SQL that looks at the table with this OID. Its parameters are large_counts and large_file. */
void large_look_sql(const char *table, const char *oid, struct strbuf *out);
/* Borrowed until the next call. */
const char *large_counts(struct large *large);
const char *large_file(const struct large *large);
/* Finds what is missing by the answer. False if rows have moved, or the server gave none. */
bool large_compare(struct large *large, const PGresult *looked);

/* How many rows are missing. */
size_t large_missing(const struct large *large);
/* Adds their texts, in their order at the mark. */
void large_texts(const struct large *large, struct text_array *out);
/* They were inserted in that order: `inserted` says where (RETURNING ctid). False if it does not.
 */
bool large_back(struct large *large, const PGresult *inserted);

#endif
