/* The methods of strategies: map, filter, flatmap. */
#include "gen/args.h"
#include "gen/invert.h"
#include "gen/map_filter.h"
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

/* map and filter. Where they are behind a pick, they are a pick themselves. */

static void count_filter(const struct drawer *drawer, enum draw_result result)
{
    if (drawer->filters && (result == DRAW_OK || result == DRAW_REJECTED)) {
        drawer->filters->asked++;
        drawer->filters->refused += result == DRAW_REJECTED;
    }
}

static enum draw_result draw_map_filter(struct drawer *drawer, const struct strategy *strategy,
                                        uint64_t site, struct value *out, struct error *err)
{
    bool filtered;
    struct value base;
    if (pick_is(strategy)) {
        return pick_draw(drawer, strategy, value_none(), out, err);
    }
    (void)map_filter_base(strategy, &base, &filtered);
    unsigned tries = filtered ? DRAW_TRIES : 1;
    struct draw_retry retry = draw_retry_begin(drawer);
    struct draw_mark mark = draw_mark(drawer);
    enum draw_result result = DRAW_REJECTED;
    for (unsigned i = 0; i < tries && result == DRAW_REJECTED; i++) {
        struct value item;
        draw_rewind(drawer, mark);
        draw_retry_next(drawer, &retry, i);
        result = draw_child(drawer, base, site, &item, err);
        if (result != DRAW_OK) {
            break; /* a base that gave up already tried again, or its reference is gone */
        }
        result = map_filter_run(drawer->caller, strategy, item, out, err);
        if (filtered) {
            count_filter(drawer, result);
        }
    }
    draw_retry_end(drawer, &retry);
    return result;
}

static enum draw_result invert_filtered(struct drawer *drawer, const struct strategy *strategy,
                                        uint64_t site, struct value wanted, struct value *out,
                                        struct error *err)
{
    if (pick_is(strategy)) {
        return pick_invert(drawer, strategy, value_none(), wanted, out, err);
    }
    struct value passes;
    enum draw_result result = invert_child(drawer, strategy->self, site, wanted, out, err);
    if (result == DRAW_OK) {
        result = draw_call(drawer->caller, strategy->args[0], out, 1, &passes, err);
    }
    return result == DRAW_OK && !value_truth(passes) ? DRAW_REJECTED : result;
}

static enum draw_result invert_mapped(struct drawer *drawer, const struct strategy *strategy,
                                      uint64_t site, struct value wanted, struct value *out,
                                      struct error *err)
{
    return pick_is(strategy) ? pick_invert(drawer, strategy, value_none(), wanted, out, err)
                             : invert_by_search(drawer, strategy, site, wanted, out, err);
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
    .invert = invert_mapped,
    .possible = map_filter_possible,
};

const struct strategy_kind kind_filter = {
    .name = "filter",
    .params = {{"condition", PARAM_REQUIRED, false}},
    .role = ROLE_FILTERS,
    .make = make_method,
    .draw = draw_map_filter,
    .invert = invert_filtered,
    .possible = map_filter_possible,
};

/* s.flatmap(expand) */

static enum draw_result draw_flatmap(struct drawer *drawer, const struct strategy *strategy,
                                     uint64_t site, struct value *out, struct error *err)
{
    struct value inner;
    struct value expanded;
    enum draw_result result = draw_child(drawer, strategy->self, draw_site(site, 0), &inner, err);
    if (result == DRAW_OK) {
        result = draw_call(drawer->caller, strategy->args[0], &inner, 1, &expanded, err);
    }
    if (result != DRAW_OK) {
        return result;
    }
    if (!value_is_drawable(expanded)) {
        error_set(err, ERROR_MACHINE,
                  "the function given to flatmap() must return a strategy, "
                  "not %s",
                  value_type_name(expanded));
        error_hint(err, "map() is for functions that return a value");
        return DRAW_ERROR;
    }
    return draw_child(drawer, expanded, draw_site(site, 1), out, err);
}

const struct strategy_kind kind_flatmap = {
    .name = "flatmap",
    .params = {{"expand", PARAM_REQUIRED, false}},
    .make = make_method,
    .draw = draw_flatmap,
    .invert = invert_by_search,
    .possible = method_possible,
};
