/* What two databases share: tables and views that both have, with the columns that both have; how
 * their state is read and compared. */
#ifndef DIFF_SHARED_H
#define DIFF_SHARED_H

#include "diff/compare.h"

/* What both have of a relation. */
struct shared_relation {
    const char *place; /* "table public.orders" */
    const char *sql;   /* reads the columns that both have */
    size_t numbers[2]; /* which one it is of each database's relations */
};
struct shared {
    VEC(struct shared_relation) items;
    VEC(const char *) only_before; /* "table public.orders": nothing can be compared with it */
    VEC(const char *) only_after;
    /* By relation: an accepted difference was seen in this example; it is not compared any more. */
    bool *left_out;
    struct backend_filled *filled; /* by relation, in this example */
};

/* An example begins. */
void shared_begin(const struct shared *shared);

void shared_find(struct arena *arena, const struct backend_relations *before,
                 const struct backend_relations *after, struct shared *out);

/* Who reads: the context as this database knows it; NULL: the connecting user. */
struct reader {
    struct backend *backend;
    const struct backend_context *context;
    bool failed; /* shared_compare has failed there */
};

/* Compares what the readers see, one on each side, of the relations that are `wanted` (by number;
 * NULL: of all); tells the first that differs. The arena of `sides` holds what is read, too. */
bool shared_compare(const struct shared *shared, const bool *wanted,
                    const struct comparing_sides *sides, struct reader readers[2],
                    struct backend_compared *out, struct error *err);

#endif
