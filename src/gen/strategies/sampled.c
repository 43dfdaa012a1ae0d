/* sampled_from(elements), consumes(bundle): picks. */
#include "gen/args.h"
#include "gen/pick.h"
#include "gen/strategies/strategies.h"

static bool can_be_sampled(struct value value)
{
    bool object =
        value.type == VALUE_OBJECT && value.as.object->type->length && value.as.object->type->item;
    return object || value.type == VALUE_LIST || value.type == VALUE_TUPLE ||
           value.type == VALUE_SET || value.type == VALUE_DICT || value.type == VALUE_STRING;
}

static bool make_sampled_from(struct arena *arena, struct strategy *strategy, struct error *err)
{
    (void)arena;
    if (can_be_sampled(strategy->args[0])) {
        return true;
    }
    arg_wrong(strategy, 0, "a list or another collection", err);
    if (value_is_strategy(strategy->args[0])) {
        error_hint(err, "s.flatmap(sampled_from) samples from what the strategy s gives");
    }
    return false;
}

static bool make_consumes(struct arena *arena, struct strategy *strategy, struct error *err)
{
    (void)arena;
    return value_is_bundle(strategy->args[0]) || arg_wrong(strategy, 0, "a bundle", err);
}

static enum draw_result draw_pick(const struct draw *draw) { return pick_draw(draw, value_none()); }

static enum draw_result pick_is_possible(struct caller *caller, const struct strategy *strategy,
                                         struct error *err)
{
    return pick_possible(caller, strategy, value_none(), err);
}

const struct strategy_kind kind_sampled_from = {
    .name = "sampled_from",
    .params = {{"elements", PARAM_REQUIRED, false}},
    .role = ROLE_SAMPLES,
    .make = make_sampled_from,
    .draw = draw_pick,
    .possible = pick_is_possible,
};

const struct strategy_kind kind_consumes = {
    .name = "consumes",
    .params = {{"bundle", PARAM_REQUIRED, false}},
    .role = ROLE_CONSUMES,
    .make = make_consumes,
    .draw = draw_pick,
    .possible = pick_is_possible,
};
