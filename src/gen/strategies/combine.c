/* Strategies that combine values, functions and other strategies: just, none, one_of, tuples,
 * builds. */
#include "gen/args.h"
#include "gen/invert.h"
#include "gen/strategies/strategies.h"

/* just(value), none() */

static enum draw_result draw_just(const struct draw *draw)
{
    *draw->out = draw->strategy->args[0];
    return draw_matched(draw);
}

static enum draw_result draw_none(const struct draw *draw)
{
    *draw->out = value_none();
    return draw_matched(draw);
}

const struct strategy_kind kind_just = {
    .name = "just",
    .params = {{"value", PARAM_REQUIRED, false}},
    .draw = draw_just,
};

const struct strategy_kind kind_none = {
    .name = "none",
    .draw = draw_none,
};

/* one_of(a, b, …), a | b; also one_of([a, b]). Nested one_of are flattened, so that all strategies
 * are equally likely. */

struct alternatives {
    VEC(struct value) items;
};

/* True if the only argument is a list of strategies and not a collection of the model. */
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
    strategy->empty = spec->items.count == 0;
    return spec->items.count <= ALTERNATIVES_MAX ||
           error_set(err, ERROR_LIMIT, "one_of() takes at most %d strategies", ALTERNATIVES_MAX);
}

/* The first alternative, cyclically from `start` on, that can give a value. */
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

/* The first alternative that gives the value, preferably without trust. */
static enum draw_result invert_one_of(const struct draw *draw)
{
    const struct alternatives *spec = draw->strategy->spec;
    struct drawer *drawer = draw->drawer;
    struct draw_mark mark = draw_mark(drawer);
    bool outer_trust = drawer->own.on_trust;
    bool trusted = false;
    for (size_t i = 0; i < spec->items.count; i++) {
        drawer->own.on_trust = false;
        (void)draw_place(drawer, spec->items.count, (int64_t)i);
        enum draw_result result = draw_part(draw, spec->items.items[i], i, draw->wanted, draw->out);
        if (result == DRAW_ERROR || (result == DRAW_OK && !drawer->own.on_trust)) {
            drawer->own.on_trust = outer_trust;
            return result;
        }
        trusted = trusted || result == DRAW_OK;
        draw_rewind(drawer, mark);
    }
    drawer->own.on_trust = outer_trust || trusted;
    *draw->out = *draw->wanted;
    return trusted ? DRAW_OK : DRAW_REJECTED;
}

static enum draw_result draw_one_of(const struct draw *draw)
{
    const struct alternatives *spec = draw->strategy->spec;
    struct drawer *drawer = draw->drawer;
    if (draw->wanted) {
        return invert_one_of(draw);
    }
    size_t at = drawer->record->items.count;
    size_t found = (size_t)draw_place(drawer, spec->items.count, DRAW_ANY);
    enum draw_result result = find_possible(drawer->caller, spec, found, &found, draw->err);
    if (result != DRAW_OK) {
        return result;
    }
    drawer->record->items.items[at].as.integer.value = (int64_t)found;
    return draw_part(draw, spec->items.items[found], found, NULL, draw->out);
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
    .possible = one_of_possible,
};

bool strategy_any_of(struct arena *arena, const struct value *items, size_t count,
                     struct value *out, struct error *err)
{
    struct value alternatives = value_tuple(arena, items, count);
    return strategy_of_kind(arena, &kind_one_of, &alternatives, out, err);
}

/* tuples(a, b, …), builds(function, a, b, …) */

/* The strategies are the last argument. */
static size_t strategies_at(const struct strategy *strategy)
{
    return strategy->kind == &kind_builds ? 1 : 0;
}

static const struct tuple *strategies_of(const struct strategy *strategy)
{
    return strategy->args[strategies_at(strategy)].as.tuple;
}

static bool make_tuples(struct arena *arena, struct strategy *strategy, struct error *err)
{
    (void)arena;
    return arg_strategies(strategy, strategies_at(strategy), err);
}

static bool make_builds(struct arena *arena, struct strategy *strategy, struct error *err)
{
    return arg_function(strategy, 0, err) && make_tuples(arena, strategy, err);
}

/* Draws from each strategy of a tuple. `wanted` has the value to draw for each, or is NULL. */
static enum draw_result draw_each(const struct draw *draw, const struct tuple *strategies,
                                  const struct value *wanted, struct value **out)
{
    enum draw_result result = DRAW_OK;
    *out = ARENA_ARRAY(draw->drawer->caller->arena, struct value, strategies->count);
    for (size_t i = 0; i < strategies->count && result == DRAW_OK; i++) {
        result = draw_part(draw, strategies->items[i], i, wanted ? &wanted[i] : NULL, &(*out)[i]);
    }
    return result;
}

static enum draw_result tuples_possible(struct caller *caller, const struct strategy *strategy,
                                        struct error *err)
{
    const struct tuple *strategies = strategies_of(strategy);
    enum draw_result result = DRAW_OK;
    for (size_t i = 0; i < strategies->count && result == DRAW_OK; i++) {
        result = strategy_possible(caller, strategies->items[i], err);
    }
    return result;
}

static enum draw_result draw_tuples(const struct draw *draw)
{
    const struct tuple *strategies = strategies_of(draw->strategy);
    const struct value *wanted = NULL;
    struct value *items;
    if (draw->wanted) {
        if (draw->wanted->type != VALUE_TUPLE ||
            draw->wanted->as.tuple->count != strategies->count) {
            return DRAW_REJECTED;
        }
        wanted = draw->wanted->as.tuple->items;
    }
    enum draw_result result = draw_each(draw, strategies, wanted, &items);
    if (result == DRAW_OK) {
        *draw->out = value_tuple(draw->drawer->caller->arena, items, strategies->count);
    }
    return result;
}

static enum draw_result draw_builds(const struct draw *draw)
{
    const struct tuple *strategies = strategies_of(draw->strategy);
    struct value *items;
    if (draw->wanted) {
        return invert_by_search(draw);
    }
    enum draw_result result = draw_each(draw, strategies, NULL, &items);
    return result == DRAW_OK ? draw_call(draw->drawer->caller, draw->strategy->args[0], items,
                                         strategies->count, draw->out, draw->err)
                             : result;
}

const struct strategy_kind kind_tuples = {
    .name = "tuples",
    .params = {{"strategies", PARAM_REST, false}},
    .repeats = REPEATS_ALIKE,
    .make = make_tuples,
    .draw = draw_tuples,
    .possible = tuples_possible,
};

const struct strategy_kind kind_builds = {
    .name = "builds",
    .params = {{"target", PARAM_REQUIRED, true}, {"strategies", PARAM_REST, false}},
    .repeats = REPEATS_ALIKE,
    .make = make_builds,
    .draw = draw_builds,
    .possible = tuples_possible,
};
