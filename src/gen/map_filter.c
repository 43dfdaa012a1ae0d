#include "gen/map_filter.h"

static bool is_link(const struct strategy *strategy)
{
    return strategy && (strategy->kind->role == ROLE_MAPS || strategy->kind->role == ROLE_FILTERS);
}

const struct strategy *map_filter_base(const struct strategy *strategy, struct value *base,
                                       bool *filtered)
{
    *filtered = false;
    while (is_link(strategy)) {
        *filtered = *filtered || strategy->kind->role == ROLE_FILTERS;
        *base = strategy->self;
        strategy = strategy_of(*base);
    }
    return strategy;
}

enum draw_result map_filter_run(struct caller *caller, const struct strategy *links,
                                struct value item, struct value *out, struct error *err)
{
    if (!is_link(links)) {
        *out = item;
        return DRAW_OK;
    }
    struct value inner;
    enum draw_result result = map_filter_run(caller, strategy_of(links->self), item, &inner, err);
    if (result != DRAW_OK) {
        return result;
    }
    struct value answer;
    result = draw_call(caller, links->args[0], &inner, 1, &answer, err);
    if (result != DRAW_OK) {
        return result;
    }
    bool filters = links->kind->role == ROLE_FILTERS;
    *out = filters ? inner : answer;
    return filters && !value_truth(answer) ? DRAW_REJECTED : DRAW_OK;
}
