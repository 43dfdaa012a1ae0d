/* The parts of a machine without a model: rules that may fail, as every user that the schema knows.
 */
#ifndef INIT_FREE_H
#define INIT_FREE_H

#include "init/facts.h"

struct free_plan {
    const struct plan *plan;
    struct arena *arena;
    struct items roles;     /* names, the most important first */
    struct items settings;  /* and claims, that say who the user is */
    struct items relations; /* dicts: what pg_describe_free knows about tables and views */
    struct items functions;
    struct value channels; /* a list of those to listen to; or None */
    struct strbuf *out;
};

/* The row that a user may have to do with. */
enum free_row {
    FREE_ROW_NONE,
    FREE_ROW_NEW,    /* the argument `new` */
    FREE_ROW_OF_KEY, /* that of the argument `key`, if it is known */
    FREE_ROW_OF,     /* that of the argument `of` */
};

/* Who runs a rule's statement. */
struct free_user {
    struct items may; /* the roles that have the privilege */
    bool looks;       /* the outcome may depend on the settings */
    enum free_row row;
    const struct table_plan *of; /* the row's table */
    struct value args;           /* by table, the argument that is a key of it; or None */
    struct value columns; /* by setting, lists of the row's columns that may hold it; or None */
};

/* free_users: contexts, and the arguments that their expressions need, one per line; NULL if there
 * are none. The context of a user is NULL if the schema knows no other user. */
void free_add_contexts(const struct free_plan *plan);
const char *free_user_args(const struct free_plan *plan, const struct free_user *user);
const char *free_user_context(const struct free_plan *plan, const struct free_user *user);

/* free_values: strategies. */
/* For an argument of a function, or a field. */
const char *free_arg(const struct free_plan *plan, struct value function, struct value arg);
/* For a key of the table: mostly one that exists; NULL if it has no key. */
const char *free_key(const struct free_plan *plan, const struct table_plan *table);
/* The expression for a known row's column: its place in `t.*`. */
size_t free_place(const struct table_plan *table, const char *column);
/* The key in the row `r`: "r[0]", "(r[0], r[1])". */
const char *free_key_of_row(const struct free_plan *plan, const struct table_plan *table);
/* The argument for a value of the row `of` of a table, or the strategy. */
const char *free_of_row(const struct free_plan *plan, const struct table_plan *table,
                        const char *column, const char *strategy);

/* What pg_describe_free says of what a value of the column may have wrong: a dict. */
struct value free_limits(struct value relation, struct value column);
/* Adds a function of the model to `out`, unless that is NULL: what a value of a column may have
 * wrong. Returns the names of these columns, as literals with commas; or NULL. `relation`: what
 * pg_describe_free knows. */
const char *free_add_wrong(const struct free_plan *plan, const struct table_plan *table,
                           struct value relation, struct strbuf *out);

/* free_calls */
void free_add_calls(const struct free_plan *plan);

/* What a rule does with the rows of a table that it returns: a block that keeps them in the model,
 * and their keys. `condition`: on `r`, " if r[0] != None"; or "". */
const char *free_keep(const struct free_plan *plan, const struct table_plan *table,
                      const char *condition);
/* The same for all rows of the table, which forgets keys that are gone. `condition`: of the latter;
 * " if as_role == …", or "". */
const char *free_refresh(const struct free_plan *plan, const struct table_plan *table,
                         const char *condition);
/* The condition that the key is not known yet. */
const char *free_unknown(const struct free_plan *plan, const struct table_plan *table);
const char *free_returns(const struct free_plan *plan, const struct table_plan *table,
                         const char *condition);

#endif
