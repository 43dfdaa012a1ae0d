/*
 * Kinds of strategies: `integers`, `lists`, `map` and so on, with a struct strategy_kind for each.
 * For the files that define them and for those that draw.
 */
#ifndef GEN_KIND_H
#define GEN_KIND_H

#include "gen/draw.h"

enum { KIND_PARAMS_MAX = 6 };

struct strategy_kind;

struct strategy {
    struct object object;
    const struct strategy_kind *kind;
    struct value self;        /* the strategy of a method (map); otherwise VALUE_NONE */
    const struct value *args; /* one per parameter of the kind; None where none was given */
    const void *spec;         /* a struct that the kind's `make` made from them */
    uint64_t signature;       /* equal for strategies written alike; 0 if unknown */
    unsigned depth; /* of nested strategies, 1 if there are none; at most DRAW_DEPTH_MAX */
    bool empty;     /* `make` found that no value is possible; it is never drawn from */
};

/* The earlier draws that a draw may repeat. */
enum repeats {
    REPEATS_NOTHING,
    REPEATS_ALIKE, /* of a strategy written alike */
    REPEATS_KIND,  /* also of one of its kind with other bounds */
};

/* The role of a kind in a pick (pick.h). */
enum pick_role {
    ROLE_NONE,
    ROLE_SAMPLES,  /* picks from its first argument */
    ROLE_CONSUMES, /* picks from a bundle, and removes the item */
    ROLE_MAPS,     /* a method whose argument maps the values of `self` */
    ROLE_FILTERS,  /* … decides if they pass */
};

/* One draw from a strategy. */
struct draw {
    struct drawer *drawer;
    const struct strategy *strategy; /* NULL for a draw from a bundle or a collection */
    uint64_t site;
    const struct value *wanted; /* the value that the draw must give; NULL: any */
    struct value *out;
    struct error *err;
};

struct strategy_kind {
    const char *name;
    struct native_param params[KIND_PARAMS_MAX + 1]; /* ends with name NULL */
    enum repeats repeats;
    enum pick_role role;
    /* Checks the arguments, and sets `spec` and `empty`. NULL if there is nothing to do. */
    bool (*make)(struct arena *arena, struct strategy *strategy, struct error *err);
    /* DRAW_REJECTED if the strategy never gives the wanted value. */
    enum draw_result (*draw)(const struct draw *draw);
    /* Like strategy_possible. NULL if `empty` decides. */
    enum draw_result (*possible)(struct caller *caller, const struct strategy *strategy,
                                 struct error *err);
};

/* The strategy object, or NULL. */
const struct strategy *strategy_of(struct value value);
/* Returns true for a bundle: a list with the methods of strategies, but not a strategy object. */
bool value_is_bundle(struct value value);
/* For all object types of strategies: prints the call. */
void strategy_repr(const struct object *object, struct strbuf *out);

/* A new strategy object; `args` as in struct strategy, not copied. Without a type in
 * template->object it is part of another strategy, invisible to the language and without methods.
 */
bool strategy_new(struct arena *arena, const struct strategy *template, struct value *out,
                  struct error *err);
/* Makes such a part. There is one argument for each parameter of the kind; they are copied. */
bool strategy_of_kind(struct arena *arena, const struct strategy_kind *kind,
                      const struct value *args, struct value *out, struct error *err);
/* A copy of the arguments, one for each parameter of the kind. */
const struct value *kind_args(struct arena *arena, const struct strategy_kind *kind,
                              const struct value *args);

/* The key under which the memory keeps draws of all strategies of the kind. */
uint64_t kind_memory_key(const struct strategy_kind *kind);

/* strategy.c: draws from anything that can be a strategy, as part of a draw. `wanted` is as above.
 */
enum draw_result draw_child(const struct draw *draw, struct value strategy, uint64_t site,
                            const struct value *wanted, struct value *out);
/* The same for part `index`, in a span of its own. */
enum draw_result draw_part(const struct draw *draw, struct value strategy, size_t index,
                           const struct value *wanted, struct value *out);

#endif
