/*
 * Strategies: values of the model language that say how to draw a value.
 *
 * A strategy is an object; it holds no randomness. Drawing needs a drawer: it takes choices from a
 * replay while there are some, then from a random source, and records each. Names and parameters
 * are those of Hypothesis where it has them; docs/STRATEGIES.md lists them.
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

bool value_is_strategy(struct value value); /* a strategy object proper */
/* A strategy, a bundle, or a list, set or dict of the model: anything else is a constant where a
 * strategy may stand. */
bool value_is_drawable(struct value value);

enum draw_result {
    DRAW_OK,
    DRAW_REJECTED, /* a filter gave up, or a replayed reference is gone: the step is given up */
    DRAW_EMPTY, /* there is no value at all: an empty range, nothing to sample, an empty bundle */
    DRAW_ERROR, /* err is set: a mistake in the machine (max < min is DRAW_EMPTY, not this) */
};

struct drawer;

/* What sampled_from draws from. */
enum collection_kind {
    COLLECTION_FIXED,    /* the same whenever it is drawn from */
    COLLECTION_COMPUTED, /* it may have other items in another state of the model */
    COLLECTION_FILLED,   /* steps put what they return into it: it is that of a target */
};

/* How a drawer asks its host about items of bundles and of the model's collections. */
struct drawer_ops {
    /* Where an item of `from` came from: fills step and output (REFERENCE_BY_POSITION if no step
     * returned an equal value); position is set by the drawer. */
    void (*locate)(struct drawer *drawer, struct value from, struct value item,
                   struct reference *out);
    /* Whether a step returned this item of a computed collection: what is worked out for the draw
     * may be equal by chance. */
    bool (*is_returned)(struct drawer *drawer, struct value item);
    /* The value that a reference by step stands for, which is to be an item of `from`; false: that
     * step or output is gone. */
    bool (*resolve)(struct drawer *drawer, struct value from, const struct reference *reference,
                    struct value *out);
    enum collection_kind (*kind_of)(struct drawer *drawer, struct value from);
    /* A number for a collection of the model, the same in every step; 0: it is none. */
    uint32_t (*source)(struct drawer *drawer, struct value from);
    /* An item of a bundle was drawn by consumes(): takes it out. Called when the whole argument has
     * been drawn, so never for a value that a filter refused. */
    void (*consume)(struct drawer *drawer, struct value bundle, struct value item);
};

/* Values worth trying, found in the schema and the rules' SQL; may be NULL or empty. */
struct draw_pool {
    const struct value *ints; /* VALUE_INT */
    size_t int_count;
    const struct value *strings; /* VALUE_STRING */
    size_t string_count;
};

/* What was drawn before in this example, by strategy, for repeated values. It points into the arena
 * it was made in, which must not be rewound while it is used. */
struct draw_memory;
struct draw_memory *draw_memory_new(struct arena *arena);

/* An item that consumes() drew, and its place in the bundle. */
struct drawn_item {
    struct value bundle;
    size_t place;
    struct value item;
};

/* How often filters were asked whether a value passes, and how often it did not. Those over a
 * bundle or a collection are left out: they cost no draws, as every item is tried once. */
struct filter_counts {
    uint64_t asked;
    uint64_t refused;
};

/* Where tables are looked up (schema/catalog.h). */
struct draw_catalog;

struct drawer {
    struct caller *caller;        /* runs map, filter, flatmap; its arena takes the values */
    struct rng *rng;              /* NULL: what the replay lacks is the simplest */
    const struct choices *replay; /* NULL: none */
    struct arena *arena;          /* of `record` */
    struct choices *record;
    const struct drawer_ops
        *ops; /* NULL: drawing from a bundle is by position, consume is an error */
    void *host;
    const struct draw_pool *pool;
    const struct draw_catalog *catalog; /* NULL: there is none, column() and row() are errors */
    struct draw_memory *memory;         /* NULL: nothing is repeated on purpose; not added to where
                                           the caller only looks */
    struct filter_counts *filters;      /* counted here; NULL: nowhere */
    bool simplest;                      /* draw the simplest value everywhere (the first example) */
    bool local;                         /* prefer items used before (locality) */
    uint64_t salt;                      /* of hot values (gen/hot.h); 0: none are left out */

    /* The drawer's own, set by drawer_begin. */
    struct {
        size_t next;      /* in the replay */
        size_t end;       /* of what the replay has for this argument */
        size_t arguments; /* drawn so far in this step */
        unsigned depth;   /* of strategies within strategies */
        bool detached;    /* the replay is left alone: a value is drawn again */
        uint64_t nudge;   /* how many simplest values to pass over */
        size_t spent;     /* how much this argument drew, against a limit */
        bool inverting;   /* a wanted value is drawn: proposals are taken as they are */
        bool on_trust;    /* part of it was taken as it is */
        VEC(struct drawn_item) consumed; /* by this argument, in `record`'s arena */
    } own;
};

/* Begins a step: empties `record` and goes to the start of the replay. */
void drawer_begin(struct drawer *drawer);
/* Begins it again because `where` refused the arguments, for the `attempt`th time, from 1: empties
 * `record`, and makes all values anew instead of replaying; without a random source the next
 * simplest ones. */
void drawer_begin_again(struct drawer *drawer, unsigned attempt);

/* Draws a value of `strategy`, one argument of the step: a strategy object, a bundle, or a list,
 * set or dict of the model (an item, a key). Any other value is a constant: it is given back as it
 * is with no choices. The choices drawn are in a SPAN_ARGUMENT; a replay that has spans gives each
 * argument the choices of its own span, so that an edit to one leaves the others as they were.
 *
 * `site` tells places in the machine apart (for repeated values): any number that is the same in
 * every example. The value may share what a collection of the model holds.
 *
 * Unless it is DRAW_OK, what the record holds of this argument is of no use. */
enum draw_result strategy_draw(struct drawer *drawer, struct value strategy, uint64_t site,
                               struct value *out, struct error *err);

/* What strategy_invert drew. */
struct inverted {
    struct value value; /* equal to the wanted one, as the strategy makes it: 5.00 for 5 */
    /* The strategy runs functions of the model (map, builds, flatmap) whose arguments could not be
     * found: the value is taken as it is, and no choices are recorded for it. */
    bool on_trust;
};

/* Draws `wanted` on purpose: finds the choices that make the strategy give it, and records them as
 * strategy_draw would have. DRAW_REJECTED where the strategy never gives it. The drawer has neither
 * replay nor random source nor memory; the strategy must be drawable. */
enum draw_result strategy_invert(struct drawer *drawer, struct value strategy, uint64_t site,
                                 struct value wanted, struct inverted *out, struct error *err);

/* Whether nothing that it draws from, or gives, can change: it may be evaluated once and kept. */
bool strategy_is_frozen(struct value strategy);

/* Whether a value can be drawn at all, without drawing: DRAW_OK, DRAW_EMPTY, or DRAW_ERROR. Filters
 * over bundles, collections and sampled_from are tried out in full; other filters are taken to let
 * something pass. */
enum draw_result strategy_possible(struct caller *caller, struct value strategy, struct error *err);

/* Smallest and largest of what PostgreSQL's int4 holds: the range of integers() without bounds. */
#define STRATEGY_INT_MIN (-2147483648LL)
#define STRATEGY_INT_MAX 2147483647LL

#endif
