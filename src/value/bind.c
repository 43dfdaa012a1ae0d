/* Calls of native functions: each argument is put in the place of its parameter, and checked. */
#include "value/object.h"

#include "value/number/numeric.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { PARAMS_MAX = 16 }; /* of one native function */

struct binding {
    const char *function;
    const struct native_param *params;
    size_t count;
    size_t rest; /* index of the REST parameter, or count */
    bool bound[PARAMS_MAX];
    struct value *out;
};

static bool can_be_named(const struct native_param *param)
{
    return param->kind != PARAM_REST && !(param->flags & PARAM_POSITIONAL);
}

/* "written integers(min_value=…, max_value=…)". Always false. */
static bool list_parameters(const struct binding *binding, struct error *err)
{
    struct strbuf list = {0};
    for (size_t i = 0; i < binding->count; i++) {
        const struct native_param *param = &binding->params[i];
        bool named = can_be_named(param) && param->kind == PARAM_OPTIONAL;
        strbuf_addf(&list, "%s%s%s%s", i ? ", " : "", param->kind == PARAM_REST ? "*" : "",
                    param->name, named ? "=…" : "");
    }
    if (binding->count) {
        error_hint(err, "written %s(%s)", binding->function, strbuf_text(&list));
    }
    strbuf_free(&list);
    return false;
}

static bool too_many(const struct binding *binding, size_t given, struct error *err)
{
    char most[32] = "no";
    if (binding->rest) {
        (void)snprintf(most, sizeof most, "at most %zu", binding->rest);
    }
    (void)error_set(err, ERROR_MACHINE, "%s() accepts %s positional argument%s, but %zu %s",
                    binding->function, most, plural(binding->rest), given,
                    given == 1 ? "was given" : "were given");
    return list_parameters(binding, err);
}

static bool bind_positional(struct binding *binding, const struct native_call *call,
                            struct error *err)
{
    bool has_rest = binding->rest < binding->count;
    size_t plain = call->arg_count < binding->rest ? call->arg_count : binding->rest;
    if (call->arg_count > plain && !has_rest) {
        return too_many(binding, call->arg_count, err);
    }
    for (size_t i = 0; i < plain; i++) {
        binding->out[i] = call->args[i];
        binding->bound[i] = true;
    }
    if (has_rest) {
        binding->out[binding->rest] =
            value_tuple(call->caller->arena, call->args + plain, call->arg_count - plain);
        binding->bound[binding->rest] = true;
    }
    return true;
}

static bool unexpected(const struct binding *binding, const char *name, struct error *err)
{
    const char *names[PARAMS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < binding->count; i++) {
        if (can_be_named(&binding->params[i])) {
            names[count++] = binding->params[i].name;
        }
    }
    const char *close = closest_name(name, names, count);
    (void)error_set(err, ERROR_MACHINE, "%s() got an unexpected argument '%s'%s%s%s",
                    binding->function, name, close ? ", did you mean '" : "", close ? close : "",
                    close ? "'?" : "");
    return list_parameters(binding, err);
}

static bool bind_named(struct binding *binding, const struct named_value *named, struct error *err)
{
    for (size_t i = 0; i < binding->count; i++) {
        const struct native_param *param = &binding->params[i];
        if (!can_be_named(param) || strcmp(param->name, named->name) != 0) {
            continue;
        }
        if (binding->bound[i]) {
            return error_set(err, ERROR_MACHINE, "%s() got two values for the argument '%s'",
                             binding->function, named->name);
        }
        binding->out[i] = named->value;
        binding->bound[i] = true;
        return true;
    }
    return unexpected(binding, named->name, err);
}

static bool check_required(const struct binding *binding, struct error *err)
{
    for (size_t i = 0; i < binding->count; i++) {
        if (!binding->bound[i] && binding->params[i].kind == PARAM_REQUIRED) {
            (void)error_set(err, ERROR_MACHINE, "%s() is missing its argument '%s'",
                            binding->function, binding->params[i].name);
            return list_parameters(binding, err);
        }
    }
    return true;
}

bool native_bind(const char *function, const struct native_param *params,
                 const struct native_call *call, struct value *out, struct error *err)
{
    struct binding binding = {.function = function, .params = params, .out = out};
    while (params[binding.count].name && binding.count < PARAMS_MAX) {
        binding.count++;
    }
    assert(!params[binding.count].name);
    while (binding.rest < binding.count && params[binding.rest].kind != PARAM_REST) {
        binding.rest++;
    }
    if (!bind_positional(&binding, call, err)) {
        return false;
    }
    for (size_t i = 0; i < call->named_count; i++) {
        if (!bind_named(&binding, &call->named[i], err)) {
            return false;
        }
    }
    return check_required(&binding, err);
}

/* "a number or a string": what the parameter accepts. */
static void list_types(unsigned flags, struct strbuf *out)
{
    static const struct {
        unsigned flag;
        const char *text;
    } types[] = {{PARAM_NUMBER, "a number"},
                 {PARAM_INT, "an int"},
                 {PARAM_STRING, "a string"},
                 {PARAM_BYTES, "bytes"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (flags & types[i].flag) {
            strbuf_addf(out, "%s%s", out->size ? " or " : "", types[i].text);
        }
    }
}

static bool check_type(const char *function, unsigned flags, struct value arg, struct error *err)
{
    int64_t number;
    if (flags < PARAM_NUMBER || (flags & PARAM_NUMBER && value_is_number(arg)) ||
        (flags & PARAM_INT && arg.type == VALUE_INT && int_fits(arg, &number)) ||
        (flags & PARAM_STRING && arg.type == VALUE_STRING) ||
        (flags & PARAM_BYTES && arg.type == VALUE_BYTES)) {
        return true;
    }
    if (flags & PARAM_INT && arg.type == VALUE_INT) {
        return error_set(err, ERROR_MACHINE, "%s() wants an int of at most 64 bits", function);
    }
    struct strbuf types = {0};
    list_types(flags, &types);
    (void)error_set(err, ERROR_MACHINE, "%s() wants %s, not %s", function, strbuf_text(&types),
                    value_type_name(arg));
    strbuf_free(&types);
    return false;
}

bool native_run(const struct native_function *function, const struct native_call *call,
                struct value *out, struct error *err)
{
    struct value args[PARAMS_MAX];
    struct native_call bound = *call;
    const struct native_param *params = function->params;
    bound.function = function;
    if (!params) {
        return function->fn(&bound, out, err);
    }
    for (bound.arg_count = 0; params[bound.arg_count].name; bound.arg_count++) {
        bool unset = params[bound.arg_count].flags & PARAM_UNSET;
        args[bound.arg_count] = unset ? unset_value() : value_none();
    }
    if (!native_bind(function->name, params, call, args, err)) {
        return false;
    }
    for (size_t i = 0; i < bound.arg_count; i++) {
        bool missing = params[i].kind == PARAM_OPTIONAL &&
                       args[i].type == (params[i].flags & PARAM_UNSET ? VALUE_TYPES : VALUE_NONE);
        if (!missing && !check_type(function->name, params[i].flags, args[i], err)) {
            return false;
        }
    }
    bound.args = args;
    bound.named_count = 0;
    return function->fn(&bound, out, err);
}
