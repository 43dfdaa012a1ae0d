/*
 * Strategies: values of the model language that say how to draw a value.
 *
 * A strategy is an object; it holds no randomness. Drawing needs a drawer: it takes choices from a
 * replay while there are some, then from a random source, and records each. Names and parameters
 * are those of Hypothesis where it has them.
 *
 * A collection of the model (list, set, dict) and a bundle are strategies, too: one of their items
 * is drawn, recorded as a reference. Which step an item came from, and taking a consumed one out,
 * is the host's business (drawer_ops), so this module knows no steps and no engine.
 */
#ifndef GEN_STRATEGY_H
#define GEN_STRATEGY_H

#include "gen/choice.h"
#include "gen/rng.h"
#include "value/object.h"

/* integers, booleans, …, consumes: for lang_module_new. Ends with name NULL. */
extern const struct native_function strategy_functions[];
/* map, filter, flatmap of a bundle object: its type names them as its methods, and strategy_union
 * as its `join`. */
extern const struct native_function strategy_methods[];

bool value_is_strategy(struct value value); /* a strategy object proper */
/* a | b (`join` of the types of strategies and bundles); false with err where one of them can't be
 * a strategy. */
bool strategy_union(struct arena *arena, struct value a, struct value b, struct value *out,
                    struct error *err);

enum draw_result {
    DRAW_OK,
    DRAW_REJECTED, /* a filter gave up, or a replayed reference is gone: the step is given up */
    DRAW_EMPTY, /* there is no value at all: an empty range, nothing to sample, an empty bundle */
    DRAW_ERROR, /* err is set: a mistake in the machine (max < min is DRAW_EMPTY, not this) */
};

struct drawer;

/* How a drawer asks its host about items of bundles and of the model's collections. */
struct drawer_ops {
    /* Where the item came from: fills step and output (REFERENCE_BY_POSITION if no step returned an
     * equal value); position is set by the drawer. */
    void (*locate)(struct drawer *drawer, struct value item, struct reference *out);
    /* The value that a reference by step stands for; false: that step or output is gone. */
    bool (*resolve)(struct drawer *drawer, const struct reference *reference, struct value *out);
    /* An item of a bundle was drawn by consumes(): takes it out. */
    void (*consume)(struct drawer *drawer, struct value bundle, struct value item);
};

/* Values worth trying, found in the schema and the rules' SQL; may be NULL or empty. */
struct draw_pool {
    const struct value *ints; /* VALUE_INT */
    size_t int_count;
    const struct value *strings; /* VALUE_STRING */
    size_t string_count;
};

struct draw_memory; /* what was drawn before in this example, by strategy: for repeated values */

struct drawer {
    struct caller *caller;        /* runs map, filter, flatmap; its arena takes the values */
    struct rng *rng;              /* NULL: what the replay lacks is the simplest */
    const struct choices *replay; /* NULL: none */
    size_t next;                  /* of the replay */
    struct arena *arena;          /* of `record` and of the memory */
    struct choices *record;
    const struct drawer_ops
        *ops; /* NULL: drawing from a bundle is by position, consume is an error */
    void *host;
    const struct draw_pool *pool;
    struct draw_memory *memory; /* NULL: nothing is repeated on purpose */
    bool simplest;              /* draw the simplest value everywhere (the first example) */
    bool local;                 /* prefer recent items of bundles (locality) */
};

struct draw_memory *draw_memory_new(struct arena *arena);

/* Draws a value of `strategy`: a strategy object, a bundle (object with strategy_methods), or a
 * list, set or dict of the model (an item, a key). Any other value is a constant: it is given back
 * as it is and nothing is recorded. `site` tells draws of the same place in the machine apart (for
 * repeated values): any number that is the same in every example. */
enum draw_result strategy_draw(struct drawer *drawer, struct value strategy, uint64_t site,
                               struct value *out, struct error *err);

/* Whether a value can be drawn at all, without drawing: DRAW_OK, DRAW_EMPTY, or DRAW_ERROR. Filters
 * over bundles and collections are tried out in full; other filters are taken to let something
 * pass. */
enum draw_result strategy_possible(struct caller *caller, struct value strategy, struct error *err);

/* Smallest and largest of what PostgreSQL's int4 holds: the range of integers() without bounds. */
#define STRATEGY_INT_MIN (-2147483648LL)
#define STRATEGY_INT_MAX 2147483647LL

#endif
