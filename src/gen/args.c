#include "gen/args.h"

#include <assert.h>
#include <stdio.h>

static const char *param_name(const struct strategy *strategy, size_t index)
{
    assert(index < KIND_PARAMS_MAX);
    return strategy->kind->params[index].name;
}

bool arg_wrong(const struct strategy *strategy, size_t index, const char *wanted, struct error *err)
{
    return error_set(err, ERROR_MACHINE, "%s() %s must be %s, not %s", strategy->kind->name,
                     param_name(strategy, index), wanted, value_type_name(strategy->args[index]));
}

bool arg_int64(const struct strategy *strategy, size_t index, int64_t *out, struct error *err)
{
    struct value value = strategy->args[index];
    if (value.type == VALUE_NONE) {
        return true;
    }
    if (value.type != VALUE_INT) {
        return arg_wrong(strategy, index, "an int", err);
    }
    if (value.flags & VALUE_BIG) {
        return error_set(err, ERROR_MACHINE, "%s() %s is too large", strategy->kind->name,
                         param_name(strategy, index));
    }
    *out = value.as.integer;
    return true;
}

bool arg_bool(const struct strategy *strategy, size_t index, bool *out, struct error *err)
{
    struct value value = strategy->args[index];
    if (value.type == VALUE_NONE) {
        return true;
    }
    if (value.type != VALUE_BOOL) {
        return arg_wrong(strategy, index, "True or False", err);
    }
    *out = value.as.boolean;
    return true;
}

bool arg_number(const struct strategy *strategy, size_t index, const char *hint, struct error *err)
{
    struct value value = strategy->args[index];
    if (value.type == VALUE_NONE || value_is_number(value)) {
        return true;
    }
    arg_wrong(strategy, index, "a number", err);
    return value.type == VALUE_STRING && error_hint(err, "%s", hint);
}

static bool arg_size(const struct strategy *strategy, size_t index, int64_t *out, struct error *err)
{
    if (!arg_int64(strategy, index, out, err)) {
        return false;
    }
    if (*out < 0) {
        return error_set(err, ERROR_MACHINE, "%s() %s must not be negative, but is %lld",
                         strategy->kind->name, param_name(strategy, index), (long long)*out);
    }
    return true;
}

bool arg_sizes(const struct strategy *strategy, size_t index, size_t limit, struct sizes *out,
               struct error *err)
{
    int64_t min = 0;
    int64_t max = -1;
    if (!arg_size(strategy, index, &min, err)) {
        return false;
    }
    if (min > (int64_t)limit) {
        return error_set(err, ERROR_MACHINE, "%s() %s must be at most %zu, but is %lld",
                         strategy->kind->name, param_name(strategy, index), limit, (long long)min);
    }
    if (strategy->args[index + 1].type == VALUE_NONE) {
        max = min + (int64_t)out->max;
    } else if (!arg_size(strategy, index + 1, &max, err)) {
        return false;
    }
    out->min = (size_t)min;
    out->max = (size_t)max < limit ? (size_t)max : limit;
    return true;
}

static bool wants_strategy(const struct strategy *strategy, const char *param, struct value value,
                           struct error *err)
{
    if (value_is_drawable(value)) {
        return true;
    }
    error_set(err, ERROR_MACHINE, "%s() %s must be a strategy, not %s", strategy->kind->name, param,
              value_type_name(value));
    bool can_sample = value.type == VALUE_TUPLE || value.type == VALUE_STRING;
    return error_hint(err, can_sample
                               ? "sampled_from(x) draws one of its items, just(x) always gives x"
                               : "just(x) is a strategy that always gives x");
}

bool arg_strategy(const struct strategy *strategy, size_t index, struct error *err)
{
    return wants_strategy(strategy, param_name(strategy, index), strategy->args[index], err);
}

bool arg_strategies(const struct strategy *strategy, size_t index, struct error *err)
{
    assert(strategy->args[index].type == VALUE_TUPLE);
    const struct tuple *items = strategy->args[index].as.tuple;
    for (size_t i = 0; i < items->count; i++) {
        char param[40];
        snprintf(param, sizeof param, "argument %zu", index + i + 1);
        if (!wants_strategy(strategy, param, items->items[i], err)) {
            return false;
        }
    }
    return true;
}

bool arg_function(const struct strategy *strategy, size_t index, struct error *err)
{
    struct value value = strategy->args[index];
    if (value.type != VALUE_OBJECT || value_is_drawable(value)) {
        return arg_wrong(strategy, index, "a function", err);
    }
    return true;
}
