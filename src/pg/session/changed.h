/* What a session has seen of the tables' rows, to tell what changed: see example/tables.h. */
#ifndef PG_CHANGED_H
#define PG_CHANGED_H

#include "base/map.h"
#include "example/tables.h"
#include "pg/session/session.h"

/* Columns of sql/changed/rows.sql's queries: two for each of the table's stand behind these. */
enum { HASH_ROW, HASH_KEY, FIRST_VALUE };

/* The rows of a table as they were read: {0} is none. */
struct seen_rows {
    PGresult *result;    /* of sql/changed/rows.sql: owned; NULL: there are none */
    const char *numbers; /* its columns, by number in the catalog, as "1 2 4" */
    size_t column_count;
    const struct answer_column *columns;
    const char *key; /* the primary key, of those: "0 2"; "": there is none */
    size_t *since;   /* for each row: the call at which it became like that; owned */
};

struct seen_table {
    const char *oid;
    const char *name;
    const char *state; /* of sql/changed/tables.sql */
    const char *files; /* at first: with another one since, a TRUNCATE need not show */
    bool there;        /* at this call */
    bool hidden;       /* its rows could not be read */
    struct seen_rows rows;
};

/* Of an example. */
struct seen {
    struct arena arena; /* until it ends */
    VEC(struct seen_table) tables;
    struct map by_oid;
    size_t calls;        /* before this one */
    const char *altered; /* of sql/changed/tables.sql */
};

/* Adds to `out`, in `arena`, the rows that differ, if there are any. Rows after that were like that
 * before get their `since`. The types of both are known. */
void seen_compare(const struct session *session, const struct seen_table *before,
                  const struct seen_rows *after, struct arena *arena, struct table_changes *out);
void seen_rows_free(struct seen_rows *rows);

#endif
