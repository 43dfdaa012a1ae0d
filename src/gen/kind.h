/*
 * Kinds of strategies: what `integers`, `lists`, `map` and so on have in common, and where they
 * differ, a struct strategy_kind each. For the files that define them and for those that draw.
 */
#ifndef GEN_KIND_H
#define GEN_KIND_H

#include "gen/draw.h"

enum { KIND_PARAMS_MAX = 6 };

struct strategy_kind;

struct strategy {
    struct object object;
    const struct strategy_kind *kind;
    struct value self;        /* of a method (map): the strategy it is one of; else VALUE_NONE */
    const struct value *args; /* one per parameter of the kind; None where none was given */
    const void *spec;         /* what the kind's `make` made of them, a struct of its own */
    uint64_t signature;       /* equal for strategies written alike; 0: can't be told */
    unsigned depth;           /* of strategies within it, 1 for none; at most DRAW_DEPTH_MAX */
    bool empty;               /* `make` saw that no value is possible: it is not drawn from */
};

/* What a draw may repeat of earlier ones. */
enum repeats {
    REPEATS_NOTHING,
    REPEATS_ALIKE, /* of a strategy written alike */
    REPEATS_KIND,  /* also of one of its kind with other bounds */
};

/* What it is in a pick (pick.h). */
enum pick_role {
    ROLE_NONE,
    ROLE_SAMPLES,  /* picks from its first argument */
    ROLE_CONSUMES, /* picks from a bundle, and takes the item out */
    ROLE_MAPS,     /* a method whose argument makes a value of what `self` draws */
    ROLE_FILTERS,  /* … says whether it passes */
};

/* One draw from a strategy. */
struct draw {
    struct drawer *drawer;
    const struct strategy *strategy; /* NULL: what is drawn from is a bundle or a collection */
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
    /* Checks the arguments, sets `spec` and `empty`. NULL: there is nothing to do. */
    bool (*make)(struct arena *arena, struct strategy *strategy, struct error *err);
    /* DRAW_REJECTED if the strategy never gives the wanted value. */
    enum draw_result (*draw)(const struct draw *draw);
    /* As strategy_possible. NULL: `empty` says it. */
    enum draw_result (*possible)(struct caller *caller, const struct strategy *strategy,
                                 struct error *err);
};

/* The strategy object, or NULL. */
const struct strategy *strategy_of(struct value value);
/* A bundle: a list with the methods of strategies, which is no strategy object itself. */
bool value_is_bundle(struct value value);
/* Of all object types of strategies: prints the call. */
void strategy_repr(const struct object *object, struct strbuf *out);

/* A new strategy object; `args` as in struct strategy, not copied. Without a type in
 * template->object it is part of another one, and the language never sees it: no methods. */
bool strategy_new(struct arena *arena, const struct strategy *template, struct value *out,
                  struct error *err);
/* Such a part: as many arguments as the kind has parameters, copied. */
bool strategy_of_kind(struct arena *arena, const struct strategy_kind *kind,
                      const struct value *args, struct value *out, struct error *err);
/* A copy of as many arguments as the kind has parameters. */
const struct value *kind_args(struct arena *arena, const struct strategy_kind *kind,
                              const struct value *args);

/* The key under which the memory keeps draws of all strategies of the kind. */
uint64_t kind_memory_key(const struct strategy_kind *kind);

/* strategy.c: draws from anything that can be a strategy, as part of a draw. `wanted` as above. */
enum draw_result draw_child(const struct draw *draw, struct value strategy, uint64_t site,
                            const struct value *wanted, struct value *out);
/* The same for part `index`, in a span of its own. */
enum draw_result draw_part(const struct draw *draw, struct value strategy, size_t index,
                           const struct value *wanted, struct value *out);

#endif
