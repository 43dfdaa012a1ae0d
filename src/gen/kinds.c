/* Strategies in the language: functions, methods, the operator |, bundles. */
#include "gen/kinds.h"

#include "gen/strategies/strategies.h"

static const struct object_type strategy_type = {
    .name = "strategy",
    .repr = strategy_repr,
    .methods = strategy_methods,
    .join = strategy_union,
};

const struct list_kind bundle_kind = {
    .fixed = "a bundle can't be changed by the model",
    .hint = "a rule's `target` puts values into it, consumes() takes them out",
    .methods = strategy_methods,
    .join = strategy_union,
};

static bool make_strategy(struct arena *arena, const struct strategy_kind *kind, struct value self,
                          const struct value *args, struct value *out, struct error *err)
{
    const struct strategy template = {.object.type = &strategy_type,
                                      .kind = kind,
                                      .self = self,
                                      .args = kind_args(arena, kind, args)};
    return strategy_new(arena, &template, out, err);
}

bool kind_call(const struct strategy_kind *kind, const struct native_call *call, struct value *out,
               struct error *err)
{
    return make_strategy(call->caller->arena, kind, call->self, call->args, out, err);
}

STRATEGY_FUNCTIONS(KIND_FUNCTION)
STRATEGY_METHODS(KIND_FUNCTION)
const struct native_function strategy_functions[] = {STRATEGY_FUNCTIONS(KIND_ROW){0}};
const struct native_function strategy_methods[] = {STRATEGY_METHODS(KIND_ROW){0}};

bool strategy_union(struct arena *arena, struct value a, struct value b, struct value *out,
                    struct error *err)
{
    if (!value_is_drawable(a) || !value_is_drawable(b)) {
        struct value other = value_is_drawable(a) ? b : a;
        error_set(err, ERROR_MACHINE, "| needs a strategy on both sides, not %s",
                  value_type_name(other));
        return error_hint(err, "just(x) is a strategy that always gives x");
    }
    const struct value both[] = {a, b};
    const struct value args[] = {value_tuple(arena, both, 2)};
    return make_strategy(arena, &kind_one_of, value_none(), args, out, err);
}
