/* What writing a row does: to it, by foreign keys to other rows, and which errors come of it. */
#ifndef TABLES_EFFECTS_H
#define TABLES_EFFECTS_H

#include "tables/rows.h"

/* A row that is written. */
struct row_change {
    size_t table;
    struct value key;  /* in the store; None: it is inserted */
    struct table *old; /* NULL: inserted */
    struct table *row; /* what it becomes; NULL: deleted */
};

/* A foreign key that acts on a row, or refuses that its parent goes. */
struct row_act {
    size_t reference;
    size_t table;
    struct value key;
    struct table *parent; /* what the parent was */
};

/* What a trigger could do so that a constraint is not broken. */
enum mend { MEND_NOTHING, MEND_ADD, MEND_REMOVE };

/* An error that must come, or another of them, and the row that it is about. */
struct must {
    size_t table;
    struct value key; /* None: the inserted one */
    struct value error;
    enum mend mend; /* a row is added to or removed from `in` */
    size_t in;
};

struct effects {
    struct arena *arena;
    const struct row_store *store;
    VEC(struct row_change) changes; /* the first ones are those that were asked for */
    size_t asked;
    struct map places; /* of rows that are in the store: hash -> last change + 1 */
    VEC(size_t) chain; /* by change: the one before it with the same hash + 1 */
    struct map met;    /* place -> how many ways lead to the row: of several, the first decides */
    VEC(struct row_act) acts;
    VEC(struct row_act) blocked;
    VEC(struct must) must;
    struct value perhaps; /* a list: errors that may come besides */
    struct value errors;  /* a list, for `raises` */
};

/* The write of a row: `key` None inserts it, `row` NULL deletes it. `arena` holds everything, and
 * `row` must live as long. False with err if there is no such row, or a key has no hash. */
bool effects_of(struct effects *effects, struct arena *arena, const struct row_store *store,
                const struct row_change *write, struct error *err);

/* The same of rows that one statement inserts. */
void effects_of_rows(struct effects *effects, struct arena *arena, const struct row_store *store,
                     const struct row_change *rows, size_t count);

/* Does it to the store. `*key` becomes that of the row that was asked for; None if it is gone. */
bool effects_apply(const struct effects *effects, struct row_store *store, struct value *key,
                   struct error *err);

#endif
