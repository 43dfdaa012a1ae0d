/*
 * Where two databases answer the same requests (src/diff): what the second answers otherwise, as
 * data. "Before" is the first database, with which the engine works; "after" is the second.
 */
#ifndef EXAMPLE_DIVERGENCE_H
#define EXAMPLE_DIVERGENCE_H

#include "example/failure/failure.h"

enum divergence_kind {
    DIVERGES_ERROR,   /* one raises an error, or another one */
    DIVERGES_ROWS,    /* other rows, or rows with other values */
    DIVERGES_ORDER,   /* the same rows in another order */
    DIVERGES_COUNT,   /* another number of rows affected */
    DIVERGES_COLUMN,  /* other columns: their names or types */
    DIVERGES_NOTIFY,  /* other notifications */
    DIVERGES_MISSING, /* an object of the request is not there after */
    DIVERGES_MIGRATE, /* the migration fails on these rows */
    DIVERGENCE_KINDS
};

struct divergence {
    enum divergence_kind kind;
    /* What was asked: "rule list_orders", "invariant totals", "table public.orders", "view
     * public.open"; and of a table or a view, as whom ("as ann"), or NULL: the owner. */
    const char *place;
    const char *context;
    VEC(struct shown_setting) settings; /* and with which settings */
    const char *sql;                    /* what reads it; NULL: of a rule or an invariant */
    const struct backend_context *as;   /* as whom, without `given`; NULL: the connecting user */
    /* Short texts: "1 row", "no error", "23505 orders_pkey", "UPDATE 1". */
    const char *before;
    const char *after;
    const char *column;                      /* DIVERGES_COLUMN: which; otherwise NULL */
    const struct server_error *error_before; /* NULL: none */
    const struct server_error *error_after;
    const char *const *columns; /* of the rows: their names */
    size_t column_count;
    /* As in struct failure: `expected` is the row before, `actual` the one after. */
    VEC(struct difference) differences; /* at most 20 */
    size_t difference_count;            /* all */
};

/* A copy in the arena. */
const struct divergence *divergence_copy(struct arena *arena, const struct divergence *divergence);
/* Whether every use of something shows it: a column, a table or a function that is gone, or has
 * another name or type. */
bool divergence_shows_always(const struct divergence *divergence);
/* Whether they have one cause, as far as both tell: the same column or object that is not there
 * after, or is of another type; the same constraint; or the same errors, of the same table and
 * column where these are named, else with the same message but for numbers. */
bool divergence_same_cause(const struct divergence *a, const struct divergence *b);
/* "error", "rows", …, as users write them in `differences`. */
const char *divergence_kind_name(enum divergence_kind kind);

#endif
