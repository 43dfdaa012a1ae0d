/* Strategies made of values, functions and other strategies: just, none, one_of, tuples, builds. */
#include "gen/args.h"
#include "gen/invert.h"
#include "gen/strategies/strategies.h"

/* just(value), none() */

static enum draw_result draw_just(struct drawer *drawer, const struct strategy *strategy,
                                  uint64_t site, struct value *out, struct error *err)
{
    (void)drawer, (void)site, (void)err;
    *out = strategy->args[0];
    return DRAW_OK;
}

static enum draw_result draw_none(struct drawer *drawer, const struct strategy *strategy,
                                  uint64_t site, struct value *out, struct error *err)
{
    (void)drawer, (void)strategy, (void)site, (void)err;
    *out = value_none();
    return DRAW_OK;
}

static enum draw_result invert_just(struct drawer *drawer, const struct strategy *strategy,
                                    uint64_t site, struct value wanted, struct value *out,
                                    struct error *err)
{
    (void)drawer, (void)site, (void)err;
    *out = strategy->args[0];
    return value_matches(*out, wanted) ? DRAW_OK : DRAW_REJECTED;
}

static enum draw_result invert_none(struct drawer *drawer, const struct strategy *strategy,
                                    uint64_t site, struct value wanted, struct value *out,
                                    struct error *err)
{
    (void)drawer, (void)strategy, (void)site, (void)err;
    *out = value_none();
    return wanted.type == VALUE_NONE ? DRAW_OK : DRAW_REJECTED;
}

const struct strategy_kind kind_just = {
    .name = "just",
    .params = {{"value", PARAM_REQUIRED, false}},
    .draw = draw_just,
    .invert = invert_just,
};

const struct strategy_kind kind_none = {
    .name = "none",

    .draw = draw_none,
    .invert = invert_none,
};

/* one_of(a, b, …), a | b; also one_of([a, b]). Alternatives that are one_of themselves are taken
 * apart, so that each strategy is as likely as another. */

struct alternatives {
    VEC(struct value) items;
};

/* Whether the sole argument is a list of strategies, not a collection of the model. */
static bool is_strategy_list(struct value value)
{
    if (value.type != VALUE_LIST || value.as.list->count == 0) {
        return false;
    }
    for (size_t i = 0; i < value.as.list->count; i++) {
        struct value item = value.as.list->items[i];
        if (!value_is_strategy(item) && !value_is_bundle(item)) {
            return false;
        }
    }
    return true;
}

static void add_alternative(struct arena *arena, struct alternatives *spec, struct value value)
{
    const struct strategy *strategy = strategy_of(value);
    if (!strategy || strategy->kind != &kind_one_of) {
        *VEC_PUSH(arena, &spec->items) = value;
        return;
    }
    const struct alternatives *inner = strategy->spec;
    for (size_t i = 0; i < inner->items.count; i++) {
        *VEC_PUSH(arena, &spec->items) = inner->items.items[i];
    }
}

static bool make_one_of(struct arena *arena, struct strategy *strategy, struct error *err)
{
    enum { ALTERNATIVES_MAX = 10000 };
    struct alternatives *spec = ARENA_NEW(arena, struct alternatives);
    strategy->spec = spec;
    if (!arg_strategies(strategy, 0, err)) {
        return false;
    }
    const struct value *items = strategy->args[0].as.tuple->items;
    size_t count = strategy->args[0].as.tuple->count;
    if (count == 1 && is_strategy_list(items[0])) {
        count = items[0].as.list->count;
        items = items[0].as.list->items;
    }
    for (size_t i = 0; i < count; i++) {
        add_alternative(arena, spec, items[i]);
    }
    return spec->items.count <= ALTERNATIVES_MAX ||
           error_set(err, ERROR_LIMIT, "one_of() takes at most %d strategies", ALTERNATIVES_MAX);
}

/* The first alternative from `start` on, going round, that can give a value. */
static enum draw_result find_possible(struct caller *caller, const struct alternatives *spec,
                                      size_t start, size_t *found, struct error *err)
{
    for (size_t i = 0; i < spec->items.count; i++) {
        *found = (start + i) % spec->items.count;
        enum draw_result result = strategy_possible(caller, spec->items.items[*found], err);
        if (result != DRAW_EMPTY) {
            return result;
        }
    }
    return DRAW_EMPTY;
}

static enum draw_result draw_one_of(struct drawer *drawer, const struct strategy *strategy,
                                    uint64_t site, struct value *out, struct error *err)
{
    const struct alternatives *spec = strategy->spec;
    size_t count = spec->items.count;
    if (count == 0) {
        return DRAW_EMPTY;
    }
    int64_t proposal = draw_is_fresh(drawer) ? (int64_t)rng_below(drawer->rng, count) : 0;
    size_t at = drawer->record->items.count;
    size_t chosen =
        (size_t)draw_integer(drawer, (struct int_range){0, (int64_t)count - 1, 0}, proposal);
    size_t found = chosen;
    enum draw_result result = find_possible(drawer->caller, spec, chosen, &found, err);
    if (result != DRAW_OK) {
        return result;
    }
    drawer->record->items.items[at].as.integer.value = (int64_t)found;
    size_t span = draw_span_begin(drawer, SPAN_OTHER);
    result = draw_child(drawer, spec->items.items[found], draw_site(site, found), out, err);
    draw_span_end(drawer, span);
    return result;
}

/* The first alternative that gives the value; one that can be told is better than one on trust. */
static enum draw_result invert_one_of(struct drawer *drawer, const struct strategy *strategy,
                                      uint64_t site, struct value wanted, struct value *out,
                                      struct error *err)
{
    const struct alternatives *spec = strategy->spec;
    struct draw_mark mark = draw_mark(drawer);
    bool outer_trust = drawer->own.on_trust;
    bool trusted = false;
    for (size_t i = 0; i < spec->items.count; i++) {
        drawer->own.on_trust = false;
        (void)draw_integer(drawer, (struct int_range){0, (int64_t)spec->items.count - 1, 0},
                           (int64_t)i);
        size_t span = draw_span_begin(drawer, SPAN_OTHER);
        enum draw_result result =
            invert_child(drawer, spec->items.items[i], draw_site(site, i), wanted, out, err);
        draw_span_end(drawer, span);
        if (result == DRAW_ERROR || (result == DRAW_OK && !drawer->own.on_trust)) {
            drawer->own.on_trust = outer_trust;
            return result;
        }
        trusted = trusted || result == DRAW_OK;
        draw_rewind(drawer, mark);
    }
    drawer->own.on_trust = outer_trust || trusted;
    *out = wanted;
    return trusted ? DRAW_OK : DRAW_REJECTED;
}

static enum draw_result one_of_possible(struct caller *caller, const struct strategy *strategy,
                                        struct error *err)
{
    size_t found;
    return find_possible(caller, strategy->spec, 0, &found, err);
}

const struct strategy_kind kind_one_of = {
    .name = "one_of",
    .params = {{"strategies", PARAM_REST, false}},
    .make = make_one_of,
    .draw = draw_one_of,
    .invert = invert_one_of,
    .possible = one_of_possible,
};

bool strategy_any_of(struct arena *arena, const struct value *items, size_t count,
                     struct value *out, struct error *err)
{
    struct value alternatives = value_tuple(arena, items, count);
    return strategy_of_kind(arena, &kind_one_of, &alternatives, out, err);
}

/* tuples(a, b, …), builds(function, a, b, …) */

enum { BUILDS_ARGUMENTS = 1 };

static bool make_tuples(struct arena *arena, struct strategy *strategy, struct error *err)
{
    (void)arena;
    return arg_strategies(strategy, 0, err);
}

static bool make_builds(struct arena *arena, struct strategy *strategy, struct error *err)
{
    (void)arena;
    return arg_function(strategy, 0, err) && arg_strategies(strategy, BUILDS_ARGUMENTS, err);
}

/* Draws from each of a tuple of strategies; `wanted` is NULL, or what is to be drawn of each. */
static enum draw_result take_each(struct drawer *drawer, const struct tuple *strategies,
                                  uint64_t site, const struct value *wanted, struct value **out,
                                  struct error *err)
{
    *out = ARENA_ARRAY(drawer->caller->arena, struct value, strategies->count);
    for (size_t i = 0; i < strategies->count; i++) {
        size_t span = draw_span_begin(drawer, SPAN_OTHER);
        enum draw_result result = take_child(drawer, strategies->items[i], draw_site(site, i),
                                             wanted ? &wanted[i] : NULL, &(*out)[i], err);
        if (result != DRAW_OK) {
            return result;
        }
        draw_span_end(drawer, span);
    }
    return DRAW_OK;
}

static enum draw_result each_possible(struct caller *caller, const struct tuple *strategies,
                                      struct error *err)
{
    enum draw_result result = DRAW_OK;
    for (size_t i = 0; i < strategies->count && result == DRAW_OK; i++) {
        result = strategy_possible(caller, strategies->items[i], err);
    }
    return result;
}

static enum draw_result take_tuple(struct drawer *drawer, const struct strategy *strategy,
                                   uint64_t site, const struct value *wanted, struct value *out,
                                   struct error *err)
{
    const struct tuple *strategies = strategy->args[0].as.tuple;
    struct value *items;
    enum draw_result result = take_each(drawer, strategies, site, wanted, &items, err);
    if (result == DRAW_OK) {
        *out = value_tuple(drawer->caller->arena, items, strategies->count);
    }
    return result;
}

static enum draw_result draw_tuples(struct drawer *drawer, const struct strategy *strategy,
                                    uint64_t site, struct value *out, struct error *err)
{
    return take_tuple(drawer, strategy, site, NULL, out, err);
}

static enum draw_result invert_tuples(struct drawer *drawer, const struct strategy *strategy,
                                      uint64_t site, struct value wanted, struct value *out,
                                      struct error *err)
{
    bool fits =
        wanted.type == VALUE_TUPLE && wanted.as.tuple->count == strategy->args[0].as.tuple->count;
    return fits ? take_tuple(drawer, strategy, site, wanted.as.tuple->items, out, err)
                : DRAW_REJECTED;
}

static enum draw_result tuples_possible(struct caller *caller, const struct strategy *strategy,
                                        struct error *err)
{
    return each_possible(caller, strategy->args[0].as.tuple, err);
}

static enum draw_result draw_builds(struct drawer *drawer, const struct strategy *strategy,
                                    uint64_t site, struct value *out, struct error *err)
{
    const struct tuple *strategies = strategy->args[BUILDS_ARGUMENTS].as.tuple;
    struct value *items;
    enum draw_result result = take_each(drawer, strategies, site, NULL, &items, err);
    if (result != DRAW_OK) {
        return result;
    }
    return draw_call(drawer->caller, strategy->args[0], items, strategies->count, out, err);
}

static enum draw_result builds_possible(struct caller *caller, const struct strategy *strategy,
                                        struct error *err)
{
    return each_possible(caller, strategy->args[BUILDS_ARGUMENTS].as.tuple, err);
}

const struct strategy_kind kind_tuples = {
    .name = "tuples",
    .params = {{"strategies", PARAM_REST, false}},
    .repeats = REPEATS_ALIKE,
    .make = make_tuples,
    .draw = draw_tuples,
    .invert = invert_tuples,
    .possible = tuples_possible,
};

const struct strategy_kind kind_builds = {
    .name = "builds",
    .params = {{"target", PARAM_REQUIRED, true}, {"strategies", PARAM_REST, false}},
    .repeats = REPEATS_ALIKE,
    .make = make_builds,
    .draw = draw_builds,
    .invert = invert_by_search,
    .possible = builds_possible,
};
