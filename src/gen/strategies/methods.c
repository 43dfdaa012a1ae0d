/* The methods of strategies: map, filter, flatmap. */
#include "gen/args.h"
#include "gen/invert.h"
#include "gen/pick.h"
#include "gen/strategies/strategies.h"

static bool make_method(struct arena *arena, struct strategy *strategy, struct error *err)
{
    (void)arena;
    return arg_function(strategy, 0, err);
}

static enum draw_result method_possible(struct caller *caller, const struct strategy *strategy,
                                        struct error *err)
{
    return strategy_possible(caller, strategy->self, err);
}

/* map and filter. After a pick, they are a pick themselves. */

static void count_filter(const struct drawer *drawer, enum draw_result result)
{
    if (drawer->filters && (result == DRAW_OK || result == DRAW_REJECTED)) {
        drawer->filters->asked++;
        drawer->filters->refused += result == DRAW_REJECTED;
    }
}

static enum draw_result draw_chain(const struct draw *draw)
{
    bool filtered;
    struct value base;
    struct drawer *drawer = draw->drawer;
    (void)map_filter_base(draw->strategy, &base, &filtered);
    unsigned tries = filtered ? DRAW_TRIES : 1;
    struct draw_retry retry = draw_retry_begin(drawer);
    struct draw_mark mark = draw_mark(drawer);
    enum draw_result result = DRAW_REJECTED;
    for (unsigned i = 0; i < tries && result == DRAW_REJECTED; i++) {
        struct value item;
        draw_rewind(drawer, mark);
        draw_retry_next(drawer, &retry, i);
        result = draw_child(draw, base, draw->site, NULL, &item);
        if (result != DRAW_OK) {
            break; /* the base has already tried again, or its reference is gone */
        }
        result = map_filter_run(drawer->caller, draw->strategy, item, draw->out, draw->err);
        if (filtered) {
            count_filter(drawer, result);
        }
    }
    draw_retry_end(drawer, &retry);
    return result;
}

static enum draw_result invert_filtered(const struct draw *draw)
{
    const struct strategy *strategy = draw->strategy;
    struct value passes;
    enum draw_result result = draw_child(draw, strategy->self, draw->site, draw->wanted, draw->out);
    if (result == DRAW_OK) {
        result =
            draw_call(draw->drawer->caller, strategy->args[0], draw->out, 1, &passes, draw->err);
    }
    return result == DRAW_OK && !value_truth(passes) ? DRAW_REJECTED : result;
}

static enum draw_result draw_map_filter(const struct draw *draw)
{
    return pick_is(draw->strategy)                      ? pick_draw(draw, value_none())
           : !draw->wanted                              ? draw_chain(draw)
           : draw->strategy->kind->role == ROLE_FILTERS ? invert_filtered(draw)
                                                        : invert_by_search(draw);
}

static enum draw_result map_filter_possible(struct caller *caller, const struct strategy *strategy,
                                            struct error *err)
{
    return pick_is(strategy) ? pick_possible(caller, strategy, value_none(), err)
                             : method_possible(caller, strategy, err);
}

const struct strategy_kind kind_map = {
    .name = "map",
    .params = {{"pack", PARAM_REQUIRED, false}},
    .role = ROLE_MAPS,
    .make = make_method,
    .draw = draw_map_filter,
    .possible = map_filter_possible,
};

const struct strategy_kind kind_filter = {
    .name = "filter",
    .params = {{"condition", PARAM_REQUIRED, false}},
    .role = ROLE_FILTERS,
    .make = make_method,
    .draw = draw_map_filter,
    .possible = map_filter_possible,
};

/* s.flatmap(expand) */

static enum draw_result draw_flatmap(const struct draw *draw)
{
    const struct strategy *strategy = draw->strategy;
    struct value inner;
    struct value expanded;
    if (draw->wanted) {
        return invert_by_search(draw);
    }
    enum draw_result result =
        draw_child(draw, strategy->self, draw_site(draw->site, 0), NULL, &inner);
    if (result == DRAW_OK) {
        result =
            draw_call(draw->drawer->caller, strategy->args[0], &inner, 1, &expanded, draw->err);
    }
    if (result != DRAW_OK) {
        return result;
    }
    if (!value_is_drawable(expanded)) {
        error_set(draw->err, ERROR_MACHINE,
                  "the function given to flatmap() must return a strategy, not %s",
                  value_type_name(expanded));
        error_hint(draw->err, "map() is for functions that return a value");
        return DRAW_ERROR;
    }
    return draw_child(draw, expanded, draw_site(draw->site, 1), NULL, draw->out);
}

const struct strategy_kind kind_flatmap = {
    .name = "flatmap",
    .params = {{"expand", PARAM_REQUIRED, false}},
    .make = make_method,
    .draw = draw_flatmap,
    .possible = method_possible,
};
