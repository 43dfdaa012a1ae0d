/* Calls native functions: puts each argument in the place of its parameter, and checks it. */
#include "value/object.h"

#include "value/number/numeric.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { PARAMS_MAX = 16 }; /* of one native function */

struct binding {
    const char *function;
    const struct native_call *call;
    const struct native_param *params;
    size_t count;
    size_t positional; /* parameters that can be given by position come first */
    struct value *out; /* unset for parameters without an argument so far */
};

const char *native_name(const char *function, struct value self, char buffer[NATIVE_NAME_SIZE])
{
    const char *module = self.type == VALUE_OBJECT ? self.as.object->type->module : NULL;
    if (!module) {
        return function;
    }
    (void)snprintf(buffer, NATIVE_NAME_SIZE, "%s.%s", module, function);
    return buffer;
}

static const char *function_name(const struct binding *binding, char buffer[NATIVE_NAME_SIZE])
{
    return native_name(binding->function, binding->call->self, buffer);
}

static bool is_plain_param(const struct native_param *param)
{
    return param->kind == PARAM_REQUIRED || param->kind == PARAM_OPTIONAL;
}

static bool can_be_named(const struct native_param *param)
{
    return is_plain_param(param) && !(param->flags & PARAM_POSITIONAL);
}

/* Appends a parameter to the list: "x", "[, digits]", ", min_value=…", ", *rest". */
static void list_parameter(const struct native_param *param, bool first, struct strbuf *out)
{
    const char *comma = first ? "" : ", ";
    bool named = can_be_named(param);
    if (param->flags & PARAM_LEADING) {
        strbuf_addf(out, "[%s, ]", param->name);
    } else if (param->kind == PARAM_OPTIONAL && !named) {
        strbuf_addf(out, "[%s%s]", comma, param->name);
    } else if (is_plain_param(param)) {
        named = named && (param->kind == PARAM_OPTIONAL || param->flags & PARAM_NAMED);
        strbuf_addf(out, "%s%s%s", comma, param->name, named ? "=…" : "");
    } else {
        strbuf_addf(out, "%s%s%s", comma, param->kind == PARAM_REST ? "*" : "**", param->name);
    }
}

/* "written integers(min_value=…, max_value=…)". Always false. */
static bool list_parameters(const struct binding *binding, struct error *err)
{
    char buffer[NATIVE_NAME_SIZE];
    struct strbuf list = {0};
    for (size_t i = 0; i < binding->count; i++) {
        bool first = i == 0 || binding->params[i - 1].flags & PARAM_LEADING;
        list_parameter(&binding->params[i], first, &list);
    }
    error_hint(err, "written %s(%s)", function_name(binding, buffer), strbuf_text(&list));
    strbuf_free(&list);
    return false;
}

static bool bind_positional(struct binding *binding, struct error *err)
{
    const struct native_call *call = binding->call;
    size_t given = call->arg_count;
    size_t plain = given < binding->positional ? given : binding->positional;
    size_t first = given == 1 && binding->params[0].flags & PARAM_LEADING;
    for (size_t i = 0; i < plain; i++) {
        binding->out[first + i] = call->args[i];
    }
    if (binding->params[binding->positional].kind == PARAM_REST) {
        binding->out[binding->positional] =
            value_tuple(call->caller->arena, call->args + plain, given - plain);
    } else if (given > plain) {
        char buffer[NATIVE_NAME_SIZE];
        char most[32] = "no";
        if (plain) {
            (void)snprintf(most, sizeof most, "at most %zu", plain);
        }
        (void)error_set(err, ERROR_MACHINE, "%s() accepts %s positional argument%s, but %zu %s",
                        function_name(binding, buffer), most, plural(plain), given,
                        given == 1 ? "was given" : "were given");
        return list_parameters(binding, err);
    }
    return true;
}

static bool unexpected(const struct binding *binding, const char *name, struct arena *arena,
                       struct error *err)
{
    char buffer[NATIVE_NAME_SIZE];
    VEC(const char *) names = {0};
    for (size_t i = 0; i < binding->count; i++) {
        if (can_be_named(&binding->params[i])) {
            *VEC_PUSH(arena, &names) = binding->params[i].name;
        }
    }
    const char *close = closest_name(name, names.items, names.count);
    (void)error_set(err, ERROR_MACHINE, "%s() got an unexpected argument '%s'%s%s%s",
                    function_name(binding, buffer), name, close ? ", did you mean '" : "",
                    close ? close : "", close ? "'?" : "");
    return list_parameters(binding, err);
}

static bool bind_named(struct binding *binding, const struct named_value *named,
                       struct arena *arena, struct error *err)
{
    for (size_t i = 0; i < binding->count; i++) {
        const struct native_param *param = &binding->params[i];
        if (!can_be_named(param) || strcmp(param->name, named->name) != 0) {
            continue;
        }
        if (!is_unset(binding->out[i])) {
            char buffer[NATIVE_NAME_SIZE];
            return error_set(err, ERROR_MACHINE, "%s() got two values for the argument '%s'",
                             function_name(binding, buffer), named->name);
        }
        binding->out[i] = named->value;
        return true;
    }
    if (binding->count && binding->params[binding->count - 1].kind == PARAM_KEYWORDS) {
        struct table *rest = binding->out[binding->count - 1].as.table;
        return table_set(rest, value_text(arena, named->name), named->value, err);
    }
    return unexpected(binding, named->name, arena, err);
}

/* Gives the missing arguments their values. */
static bool bind_missing(const struct binding *binding, const struct value *standards,
                         struct error *err)
{
    for (size_t i = 0; i < binding->count; i++) {
        const struct native_param *param = &binding->params[i];
        if (!is_unset(binding->out[i])) {
            continue;
        }
        if (param->kind == PARAM_REQUIRED) {
            char buffer[NATIVE_NAME_SIZE];
            (void)error_set(err, ERROR_MACHINE, "%s() is missing its argument '%s'",
                            function_name(binding, buffer), param->name);
            return list_parameters(binding, err);
        }
        if (standards) {
            binding->out[i] = standards[i];
        } else if (!(param->flags & PARAM_UNSET)) {
            binding->out[i] = value_none();
        }
    }
    return true;
}

bool native_bind(const char *function, const struct native_param *params,
                 const struct native_call *call, const struct value *standards, struct value *out,
                 struct error *err)
{
    struct binding binding = {.function = function, .call = call, .params = params, .out = out};
    struct arena *arena = call->caller->arena;
    while (is_plain_param(&params[binding.positional]) && params[binding.positional].name &&
           !(params[binding.positional].flags & PARAM_NAMED)) {
        binding.positional++;
    }
    for (; params[binding.count].name; binding.count++) {
        bool keywords = params[binding.count].kind == PARAM_KEYWORDS;
        out[binding.count] = keywords ? value_dict(arena) : unset_value();
    }
    if (!bind_positional(&binding, err)) {
        return false;
    }
    for (size_t i = 0; i < call->named_count; i++) {
        if (!bind_named(&binding, &call->named[i], arena, err)) {
            return false;
        }
    }
    return bind_missing(&binding, standards, err);
}

/* "a number or a string": what the parameter accepts. */
static void list_types(unsigned flags, struct strbuf *out)
{
    static const struct {
        unsigned flag;
        const char *text;
    } types[] = {{PARAM_NUMBER, "a number"},    {PARAM_INT, "an int"},
                 {PARAM_STRING, "a string"},    {PARAM_BYTES, "bytes"},
                 {PARAM_ITEMS, "a collection"}, {PARAM_FUNCTION, "a function"},
                 {PARAM_NONE, "None"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (flags & types[i].flag) {
            strbuf_addf(out, "%s%s", out->size ? " or " : "", types[i].text);
        }
    }
}

static bool type_fits(unsigned flags, struct value arg)
{
    int64_t number;
    return !(flags & PARAM_TYPES) || (flags & PARAM_NUMBER && value_is_number(arg)) ||
           (flags & PARAM_INT && arg.type == VALUE_INT && int_fits(arg, &number)) ||
           (flags & PARAM_STRING && arg.type == VALUE_STRING) ||
           (flags & PARAM_BYTES && arg.type == VALUE_BYTES) ||
           (flags & PARAM_ITEMS && value_has_items(arg)) ||
           (flags & PARAM_FUNCTION && arg.type == VALUE_OBJECT && arg.as.object->type->call) ||
           (flags & PARAM_NONE && arg.type == VALUE_NONE);
}

/* Names the parameter if there are several. Always false. */
static bool refuse_type(const struct native_call *call, const struct native_param *param,
                        struct value arg, struct error *err)
{
    char buffer[NATIVE_NAME_SIZE];
    const char *function = native_name(call->function->name, call->self, buffer);
    char which[64] = "";
    if (call->arg_count > 1) {
        (void)snprintf(which, sizeof which, " as its argument '%s'", param->name);
    }
    if (param->flags & PARAM_INT && arg.type == VALUE_INT) {
        return error_set(err, ERROR_MACHINE, "%s() expects an int of at most 64 bits%s", function,
                         which);
    }
    struct strbuf types = {0};
    list_types(param->flags, &types);
    (void)error_set(err, ERROR_MACHINE, "%s() expects %s%s, not %s", function, strbuf_text(&types),
                    which, value_type_name(arg));
    strbuf_free(&types);
    return param->flags & PARAM_ITEMS && value_hint_items(arg, err);
}

static bool check_type(const struct native_call *call, const struct native_param *param,
                       struct value arg, struct error *err)
{
    if (param->kind != PARAM_REST || !(param->flags & PARAM_TYPES)) {
        return type_fits(param->flags, arg) || refuse_type(call, param, arg, err);
    }
    for (size_t i = 0; i < arg.as.tuple->count; i++) {
        if (!type_fits(param->flags, arg.as.tuple->items[i])) {
            return refuse_type(call, param, arg.as.tuple->items[i], err);
        }
    }
    return true;
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
        assert(bound.arg_count < PARAMS_MAX);
    }
    if (!native_bind(function->name, params, call, NULL, args, err)) {
        return false;
    }
    for (size_t i = 0; i < bound.arg_count; i++) {
        bool unset = params[i].flags & PARAM_UNSET;
        bool missing = unset ? is_unset(args[i]) : args[i].type == VALUE_NONE;
        if ((params[i].kind != PARAM_OPTIONAL || !missing) &&
            !check_type(&bound, &params[i], args[i], err)) {
            return false;
        }
    }
    bound.args = args;
    bound.named_count = 0;
    return function->fn(&bound, out, err);
}
