/*
 * What changed in the tables: what a step wrote, whoever wrote it (triggers, cascades), for telling
 * what happened. It is found by looking at the rows before and after, and has no say in anything.
 */
#ifndef EXAMPLE_TABLES_H
#define EXAMPLE_TABLES_H

#include "base/error.h"
#include "base/vec.h"

struct answer_column;
struct example;
struct value;

enum { TABLE_ROWS_MAX = 200 }; /* told of one table at once */

/* A row as it was and as it is: a value for each column. One of them may be NULL: there was no such
 * row, or there is none any more. */
struct table_row {
    const struct value *before;
    const struct value *after;
    size_t since; /* where there is `before`: how many steps had run when it became like that */
};

/* The rows of one table that differ, rows that are gone first. A value is decoded as in an answer;
 * of one whose text is long, the beginning of that stands for it. Where a column was added, its
 * values before are None. */
struct table_change {
    const char *name; /* "public.jobs", "pg_temp.x"; partitions are parts of their root */
    size_t column_count;
    const struct answer_column *columns;
    size_t key_count;  /* 0: there is no primary key, and a row that was updated is a new one */
    const size_t *key; /* of the columns, by number */
    size_t row_count;
    const struct table_row *rows;
    size_t more;         /* rows that differ beyond those */
    const char *why_not; /* it was written, but can't be shown: "too large"; NULL: it can */
};

struct table_changes {
    VEC(struct table_change) tables;
    const char *why_not; /* none can be shown; NULL: they can */
};

/* Tells the plan's observer what changed since the last call in this example; at first, what is
 * there. Nothing must be in flight. It does nothing where the plan does not ask for that. */
bool tables_tell(struct example *example, struct error *err);

#endif
