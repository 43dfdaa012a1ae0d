/*
 * Kinds of strategies: what `integers`, `lists`, `map` and so on have in common and where they
 * differ, one row (struct strategy_kind) each, in the table of strategy.c. For the files of this
 * module that define them.
 */
#ifndef GEN_KIND_H
#define GEN_KIND_H

#include "gen/draw.h"

struct strategy_kind;

struct strategy {
    struct object object;
    const struct strategy_kind *kind;
    struct value self;        /* of a method (map): the strategy it is one of; else VALUE_NONE */
    const struct value *args; /* one per parameter of the kind; None where none was given */
    const void *spec;         /* what the kind's `make` made of them, a struct of its own */
    uint64_t signature;       /* equal for strategies written alike; 0: can't be told */
    unsigned depth;           /* of strategies within it, 1 for none; at most DRAW_DEPTH_MAX */
};

/* What a draw may repeat of earlier ones. */
enum repeats {
    REPEATS_NOTHING,
    REPEATS_ALIKE, /* of a strategy written alike */
    REPEATS_KIND,  /* also of one of its kind with other bounds */
};

struct strategy_kind {
    const char *name;
    const struct native_param *params;
    enum repeats repeats;
    /* Checks the arguments, sets `spec`. NULL: there is nothing to do. */
    bool (*make)(struct arena *arena, struct strategy *strategy, struct error *err);
    /* NULL: it is a pick (pick.h). */
    enum draw_result (*draw)(struct drawer *drawer, const struct strategy *strategy, uint64_t site,
                             struct value *out, struct error *err);
    /* Finds the choices that draw `wanted`, as strategy_invert; DRAW_REJECTED where none do. NULL:
     * it is a pick. */
    enum draw_result (*invert)(struct drawer *drawer, const struct strategy *strategy,
                               uint64_t site, struct value wanted, struct value *out,
                               struct error *err);
    /* As strategy_possible. NULL: always. */
    enum draw_result (*possible)(struct caller *caller, const struct strategy *strategy,
                                 struct error *err);
};

/* numbers.c */
extern const struct strategy_kind kind_integers, kind_booleans, kind_floats;
/* decimals.c */
extern const struct strategy_kind kind_decimals;
/* texts.c */
extern const struct strategy_kind kind_text, kind_binary, kind_uuids;
/* times.c */
extern const struct strategy_kind kind_dates, kind_times, kind_datetimes, kind_timedeltas;
/* collections.c */
extern const struct strategy_kind kind_lists, kind_sets, kind_dictionaries;
/* combine.c */
extern const struct strategy_kind kind_just, kind_none, kind_one_of, kind_tuples, kind_builds,
    kind_flatmap;
/* map_filter.c */
extern const struct strategy_kind kind_map, kind_filter;
/* from_regex.c */
extern const struct strategy_kind kind_from_regex;
/* column.c, row.c */
extern const struct strategy_kind kind_column, kind_row;
/* json_values.c */
extern const struct strategy_kind kind_json_values;
/* pick.c */
extern const struct strategy_kind kind_sampled_from, kind_consumes;

/* Their parameters, beside them, for the table of their names. All that is between two points in
 * time has those of dates. */
extern const struct native_param params_integers[], params_booleans[], params_decimals[],
    params_floats[], params_text[], params_from_regex[], params_binary[], params_uuids[],
    params_dates[], params_just[], params_none[], params_sampled_from[], params_one_of[],
    params_lists[], params_sets[], params_tuples[], params_dictionaries[], params_json_values[],
    params_column[], params_row[], params_builds[], params_consumes[], params_map[],
    params_filter[], params_flatmap[];

/* The strategy object, or NULL. */
const struct strategy *strategy_of(struct value value);
/* A bundle: an object with the methods of strategies that is none itself. */
bool value_is_bundle(struct value value);

/* A new strategy object of the kind; `args` as in struct strategy, not copied. */
bool strategy_new(struct arena *arena, const struct strategy *template, struct value *out,
                  struct error *err);

/* The same with the kind and as many arguments as it has parameters, copied. */
bool strategy_of_kind(struct arena *arena, const struct strategy_kind *kind,
                      const struct value *args, struct value *out, struct error *err);
/* one_of() of the items. */
bool strategy_any_of(struct arena *arena, const struct value *items, size_t count,
                     struct value *out, struct error *err);

/* Arguments. The getters leave *out as it is where the argument is None (not given) and give false
 * with a message that names function and parameter where it is of a wrong kind. */
bool arg_int64(const struct strategy *strategy, size_t index, int64_t *out, struct error *err);
bool arg_bool(const struct strategy *strategy, size_t index, bool *out, struct error *err);
/* Two parameters, the smallest size and the largest. `*max_size` holds the usual largest size,
 * which moves up with the smallest; nothing is larger than `limit`. */
struct sizes {
    size_t min, max; /* max < min: nothing fits */
};
bool arg_sizes(const struct strategy *strategy, size_t index, size_t limit, struct sizes *out,
               struct error *err);
bool arg_strategy(const struct strategy *strategy, size_t index, struct error *err);
bool arg_function(const struct strategy *strategy, size_t index, struct error *err);
/* Every item of the tuple of further arguments must be a strategy. */
bool arg_strategies(const struct strategy *strategy, size_t index, struct error *err);
/* "integers() min_value must be an int, not string"; `wanted` is "an int". Always false. */
bool arg_wrong(const struct strategy *strategy, size_t index, const char *wanted,
               struct error *err);

/* The key under which the memory keeps draws of all strategies of the kind. */
uint64_t kind_memory_key(const struct strategy_kind *kind);

/* Calls a function of the model. */
enum draw_result draw_call(struct caller *caller, struct value callee, const struct value *args,
                           size_t count, struct value *out, struct error *err);

#endif
