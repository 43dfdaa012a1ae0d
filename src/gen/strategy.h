/*
 * Strategies: values of the model language from which other values are drawn.
 *
 * A strategy is an object without randomness. Drawing needs a drawer, which takes choices from a
 * replay, then from a random source, and records them. Names and parameters follow Hypothesis;
 * docs/STRATEGIES.md lists them.
 *
 * Collections of the model (list, set, dict) and bundles are strategies, too: a draw gives one of
 * their items, and records a reference. The host finds the step that an item came from and removes
 * consumed items (drawer_ops), so this module knows neither steps nor the engine.
 */
#ifndef GEN_STRATEGY_H
#define GEN_STRATEGY_H

#include "gen/choice.h"
#include "gen/rng.h"
#include "value/object.h"

bool value_is_strategy(struct value value); /* a strategy object proper */
/* Returns true for a strategy, a bundle, or a list, set or dict of the model. In place of a
 * strategy, any other value is a constant. */
bool value_is_drawable(struct value value);

enum draw_result {
    DRAW_OK,
    DRAW_REJECTED, /* a filter gave up, or a replayed reference is gone: the step is abandoned */
    DRAW_EMPTY,    /* there is no value: an empty range, an empty collection, an empty bundle */
    DRAW_ERROR,    /* err is set: a mistake in the machine (max < min is DRAW_EMPTY, not this) */
};

struct drawer;

/* The kind of collection that sampled_from draws from. */
enum collection_kind {
    COLLECTION_FIXED,    /* always the same */
    COLLECTION_COMPUTED, /* its items may depend on the state of the model */
    COLLECTION_FILLED,   /* a target: steps add their results to it */
};

/* The host's answers about items of bundles and of the model's collections. */
struct drawer_ops {
    /* Finds the step that returned an item of `from`: sets step and output (REFERENCE_BY_POSITION
     * if no step returned an equal value). The drawer sets position. */
    void (*locate)(struct drawer *drawer, struct value from, struct value item,
                   struct reference *out);
    /* Returns true if a step returned this item of a computed collection. A computed item may be
     * equal by chance. */
    bool (*is_returned)(struct drawer *drawer, struct value item);
    /* Finds the value of a reference by step, which should be an item of `from`; false if that step
     * or output is gone. */
    bool (*resolve)(struct drawer *drawer, struct value from, const struct reference *reference,
                    struct value *out);
    enum collection_kind (*kind_of)(struct drawer *drawer, struct value from);
    /* A number for a collection of the model, the same in every step; 0 for other values. */
    uint32_t (*source)(struct drawer *drawer, struct value from);
    /* Removes an item that consumes() drew from a bundle. Called after the whole argument was
     * drawn, so never for a value that a filter refused. */
    void (*consume)(struct drawer *drawer, struct value bundle, struct value item);
};

/* Values worth trying, found in the schema and the rules' SQL; may be NULL or empty. */
struct draw_pool {
    const struct value *ints; /* VALUE_INT */
    size_t int_count;
    const struct value *strings; /* VALUE_STRING */
    size_t string_count;
};

/* Moments worth trying, if the machine has a clock. Numbers are microseconds since 2000-01-01. */
struct zone;
struct interval;
struct draw_moments {
    int64_t now_us;
    const int64_t *us; /* moments that the model holds, in any order; `now` is one of them */
    size_t count;
    const struct interval *spans; /* intervals that follow or precede a moment */
    size_t span_count;
    const struct zone *zones; /* whose clocks are changed */
    size_t zone_count;
};

/* This example's earlier draws, by strategy, for repeated values. It points into the arena it was
 * made in, which must not be rewound while it is used. */
struct draw_memory;
struct draw_memory *draw_memory_new(struct arena *arena);

/* An item that consumes() drew, and its place in the bundle. */
struct drawn_item {
    struct value bundle;
    size_t place;
    struct value item;
};

/* How often filters were called, and how often they refused a value. Filters over a bundle or a
 * collection do not count: they cost no draws, because every item is tried once. */
struct filter_counts {
    uint64_t asked;
    uint64_t refused;
};

/* The catalog of tables (schema/catalog.h). */
struct draw_catalog;

struct drawer {
    struct caller *caller;        /* runs map, filter, flatmap; its arena takes the values */
    struct rng *rng;              /* NULL: missing choices are the simplest */
    const struct choices *replay; /* NULL: none */
    struct arena *arena;          /* of `record` */
    struct choices *record;
    const struct drawer_ops
        *ops; /* NULL: references to bundles are by position, and consumes() is an error */
    void *host;
    const struct draw_pool *pool;
    const struct draw_catalog *catalog; /* NULL: column() and row() are errors */
    /* Finds the moments; called only for a proposal that needs them. NULL: there is no clock. */
    const struct draw_moments *(*moments)(struct drawer *drawer);
    bool advancing;                /* the step moves the clock: propose moments often */
    uint64_t favourite;            /* the kind of boundary that the example's waits go to; 0: any */
    struct draw_memory *memory;    /* NULL: no deliberate repetition. While the caller only looks,
                                      draws are not added */
    struct filter_counts *filters; /* counts filters; NULL: not counted */
    bool simplest;                 /* draw the simplest value everywhere (the first example) */
    bool local;                    /* prefer items used before (locality) */
    uint64_t salt;                 /* of hot values (gen/hot.h); 0: all values are hot */

    /* The drawer's own, set by drawer_begin. */
    struct {
        size_t next;      /* in the replay */
        size_t end;       /* of the replay's choices for this argument */
        size_t arguments; /* drawn so far in this step */
        unsigned depth;   /* of nested strategies */
        bool detached;    /* the replay is not used, because a value is drawn again */
        uint64_t nudge;   /* how many simplest values to skip */
        size_t spent;     /* choices drawn for this argument, against the limit */
        bool inverting;   /* a wanted value is drawn; proposals are taken unchanged */
        bool on_trust;    /* part of the value was taken on trust */
        VEC(struct drawn_item) consumed; /* by this argument, in `record`'s arena */
    } own;
};

/* Begins a step: empties `record` and goes to the start of the replay. */
void drawer_begin(struct drawer *drawer);
/* Begins the step again because `where` refused the arguments. `attempt` counts from 1. Empties
 * `record`, and draws fresh values instead of replaying, or the next simplest ones without a random
 * source. */
void drawer_begin_again(struct drawer *drawer, unsigned attempt);

/* Draws a value of `strategy`, one argument of the step: a strategy object, a bundle, or a list,
 * set or dict of the model (an item, a key). Any other value is a constant, and is returned without
 * choices. The choices are recorded in a SPAN_ARGUMENT. In a replay with spans, each argument gets
 * the choices of its own span, so that editing one argument leaves the others unchanged.
 *
 * `site` is a number for the place in the machine (for repeated values), the same in every example.
 * The value may share parts with a collection of the model.
 *
 * If the result is not DRAW_OK, the record of this argument must not be used. */
enum draw_result strategy_draw(struct drawer *drawer, struct value strategy, uint64_t site,
                               struct value *out, struct error *err);

/* The result of strategy_invert. */
struct inverted {
    struct value value; /* equal to the wanted value, in the strategy's form: 5.00 for 5 */
    /* The strategy runs functions of the model (map, builds, flatmap) whose arguments were not
     * found. The wanted value is taken as it is, without choices. */
    bool on_trust;
};

/* Finds the choices that make the strategy draw `wanted`, and records them like strategy_draw.
 * DRAW_REJECTED if the strategy never gives it. The drawer has neither replay nor random source nor
 * memory; the strategy must be drawable. */
enum draw_result strategy_invert(struct drawer *drawer, struct value strategy, uint64_t site,
                                 struct value wanted, struct inverted *out, struct error *err);

/* Returns true if its sources and results can't change, so that it may be evaluated once and kept.
 */
bool strategy_is_frozen(struct value strategy);

/* Decides, without drawing, if a value can be drawn: DRAW_OK, DRAW_EMPTY or DRAW_ERROR. Filters
 * over bundles, collections and sampled_from are tried on all items; other filters are assumed to
 * let some value pass. */
enum draw_result strategy_possible(struct caller *caller, struct value strategy, struct error *err);

/* The range of PostgreSQL's int4, and of integers() without bounds. */
#define STRATEGY_INT_MIN (-2147483648LL)
#define STRATEGY_INT_MAX 2147483647LL

#endif
