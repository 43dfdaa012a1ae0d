#include "gen/strategies/map_filter.h"

#include "gen/invert.h"

static bool is_link(const struct strategy *strategy)
{
    return strategy && (strategy->kind == &kind_map || strategy->kind == &kind_filter);
}

struct value map_filter_base(struct value strategy, bool *filtered)
{
    *filtered = false;
    const struct strategy *link;
    while (is_link(link = strategy_of(strategy))) {
        *filtered = *filtered || link->kind == &kind_filter;
        strategy = link->self;
    }
    return strategy;
}

enum draw_result map_filter_run(struct caller *caller, const struct strategy *chain,
                                struct value item, struct value *out, struct error *err)
{
    if (!is_link(chain)) {
        *out = item;
        return DRAW_OK;
    }
    struct value inner;
    enum draw_result result = map_filter_run(caller, strategy_of(chain->self), item, &inner, err);
    if (result != DRAW_OK) {
        return result;
    }
    struct value answer;
    result = draw_call(caller, chain->args[0], &inner, 1, &answer, err);
    if (result != DRAW_OK) {
        return result;
    }
    bool filters = chain->kind == &kind_filter;
    *out = filters ? inner : answer;
    return filters && !value_truth(answer) ? DRAW_REJECTED : DRAW_OK;
}

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
    struct value base = map_filter_base(strategy->self, &filtered);
    filtered = filtered || strategy->kind == &kind_filter;
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
    struct value passes;
    enum draw_result result = invert_child(drawer, strategy->self, site, wanted, out, err);
    if (result == DRAW_OK) {
        result = draw_call(drawer->caller, strategy->args[0], out, 1, &passes, err);
    }
    return result == DRAW_OK && !value_truth(passes) ? DRAW_REJECTED : result;
}

static bool make_link(struct arena *arena, struct strategy *strategy, struct error *err)
{
    (void)arena;
    return arg_function(strategy, 0, err);
}

static enum draw_result map_filter_possible(struct caller *caller, const struct strategy *strategy,
                                            struct error *err)
{
    return strategy_possible(caller, strategy->self, err);
}

const struct native_param params_map[] = {{"pack", PARAM_REQUIRED, false}, {0}};
const struct strategy_kind kind_map = {
    .name = "map",
    .params = params_map,
    .make = make_link,
    .draw = draw_map_filter,
    .invert = invert_by_search,
    .possible = map_filter_possible,
};

const struct native_param params_filter[] = {{"condition", PARAM_REQUIRED, false}, {0}};
const struct strategy_kind kind_filter = {
    .name = "filter",
    .params = params_filter,
    .make = make_link,
    .draw = draw_map_filter,
    .invert = invert_filtered,
    .possible = map_filter_possible,
};
