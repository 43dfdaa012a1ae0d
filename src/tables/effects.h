/* The effects of writing a row: on the row, through foreign keys on other rows, and the errors. */
#ifndef TABLES_EFFECTS_H
#define TABLES_EFFECTS_H

#include "tables/rows.h"

/* A written row. */
struct row_change {
    size_t table;
    struct value key;  /* in the store; None for an insert */
    struct table *old; /* NULL for an insert */
    struct table *row; /* its new state; NULL if it is deleted */
};

/* A foreign key that acts on a row, or that prevents its parent from being deleted. */
struct row_act {
    size_t reference;
    size_t table;
    struct value key;
    struct table *parent; /* the parent's old row */
};

/* The action by which a trigger could prevent a violation. */
enum repair { REPAIR_NONE, REPAIR_ADD, REPAIR_REMOVE };

/* An error of which this or another must occur, and the row that causes it. */
struct must {
    size_t table;
    struct value key; /* None for an inserted row */
    struct value error;
    enum repair repair; /* adds a row to `in`, or removes one */
    size_t in;
};

struct effects {
    struct arena *arena;
    const struct row_store *store;
    VEC(struct row_change) changes; /* the requested writes come first */
    size_t asked;
    struct map places; /* for rows in the store: hash -> last change + 1 */
    VEC(size_t) chain; /* by change: the previous one with the same hash, + 1 */
    struct map met;    /* place -> number of ways to the row; the first one decides */
    VEC(struct row_act) acts;
    VEC(struct row_act) blocked;
    VEC(struct must) must;
    struct value possible; /* a list: further errors that may occur */
    struct value errors;   /* a list, for `raises` */
};

/* Finds the effects of writing a row: `key` None inserts it, `row` NULL deletes it. `arena` holds
 * the result, and `row` must live as long. False with err if there is no such row, or a key has no
 * hash. */
bool effects_of(struct effects *effects, struct arena *arena, const struct row_store *store,
                const struct row_change *write, struct error *err);

/* The same for rows that one statement inserts. */
void effects_of_rows(struct effects *effects, struct arena *arena, const struct row_store *store,
                     const struct row_change *rows, size_t count);

/* Applies the effects to the store. `*key` becomes the key of the requested row; None if it is
 * deleted. */
bool effects_apply(const struct effects *effects, struct row_store *store, struct value *key,
                   struct error *err);

#endif
