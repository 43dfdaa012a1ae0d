/* The tables of builtins, and the builtins for output and introspection. */
#include "lang/builtins/native.h"

#include <stdlib.h>
#include <string.h>

/* The arguments' texts with sep=… between them. */
static bool join_args(const struct native_call *call, struct strbuf *out, struct error *err)
{
    const struct tuple *args = call->args[0].as.tuple;
    struct value sep = call->args[1];
    for (size_t i = 0; i < args->count; i++) {
        strbuf_adds(out, i == 0 ? "" : is_unset(sep) ? " " : value_cstr(sep));
        if (!write_text(native_state(call), args->items[i], out, err)) {
            return false;
        }
    }
    return true;
}

static bool builtin_print(const struct native_call *call, struct value *out, struct error *err)
{
    struct lang_state *state = native_state(call);
    struct strbuf line = {0};
    bool ok = join_args(call, &line, err) && charge(state, line.size / 64, err);
    if (ok && state->print) {
        state->print(state->print_host, strbuf_text(&line), line.size);
    }
    strbuf_free(&line);
    *out = value_none();
    return ok;
}

static bool builtin_fail(const struct native_call *call, struct value *out, struct error *err)
{
    struct strbuf message = {0};
    *out = value_none();
    if (join_args(call, &message, err)) {
        (void)error_set(err, ERROR_MACHINE, "fail: %s", strbuf_text(&message));
    }
    strbuf_free(&message);
    return false;
}

static const struct native_param error_params[] = {{"condition", PARAM_OPTIONAL, 0},
                                                   {"constraint", PARAM_OPTIONAL, 0},
                                                   {"message", PARAM_OPTIONAL, 0},
                                                   {"table", PARAM_OPTIONAL, 0},
                                                   {0}};

static bool builtin_error(const struct native_call *call, struct value *out, struct error *err)
{
    const struct value *args = call->args;
    for (size_t i = 0; i < call->arg_count; i++) {
        if (args[i].type != VALUE_STRING && args[i].type != VALUE_NONE) {
            (void)error_set(err, ERROR_MACHINE, "error() expects a string as its %s, not %s",
                            error_params[i].name, value_type_name(args[i]));
            return i == 0 && args[i].type == VALUE_INT &&
                   error_hint(err, "write a SQLSTATE in quotes: error(\"23505\")");
        }
    }
    struct error_value predicted = {args[0], args[1], args[2], args[3]};
    *out = value_error(call->caller->arena, &predicted);
    return true;
}

static bool builtin_getattr(const struct native_call *call, struct value *out, struct error *err)
{
    bool has_default = !is_unset(call->args[2]);
    if (attr_get(native_state(call), call->args[0], value_cstr(call->args[1]), out,
                 has_default ? NULL : err)) {
        return true;
    }
    *out = call->args[2];
    return has_default;
}

static bool builtin_hasattr(const struct native_call *call, struct value *out, struct error *err)
{
    struct value ignored;
    (void)err;
    *out = value_bool(
        attr_get(native_state(call), call->args[0], value_cstr(call->args[1]), &ignored, NULL));
    return true;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool builtin_dir(const struct native_call *call, struct value *out, struct error *err)
{
    const char **names;
    (void)err;
    size_t count = attr_names(native_state(call), call->args[0], &names);
    if (count) {
        qsort(names, count, sizeof *names, compare_names);
    }
    *out = value_list(call->caller->arena);
    for (size_t i = 0; i < count; i++) {
        list_append(out->as.list, value_text(call->caller->arena, names[i]));
    }
    return true;
}

static const struct native_param print_params[] = {
    {"values", PARAM_REST, 0}, {"sep", PARAM_OPTIONAL, PARAM_UNSET | PARAM_STRING}, {0}};
static const struct native_param hasattr_params[] = {
    {"x", PARAM_REQUIRED, PARAM_POSITIONAL},
    {"name", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_STRING},
    {0}};
static const struct native_param getattr_params[] = {
    {"x", PARAM_REQUIRED, PARAM_POSITIONAL},
    {"name", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_STRING},
    {"default", PARAM_OPTIONAL, PARAM_POSITIONAL | PARAM_UNSET},
    {0}};

static const struct native_function builtins_others[] = {
    {"dir", builtin_dir, params_x, 0},
    {"error", builtin_error, error_params, 0},
    {"fail", builtin_fail, print_params, 0},
    {"getattr", builtin_getattr, getattr_params, 0},
    {"hasattr", builtin_hasattr, hasattr_params, 0},
    {"print", builtin_print, print_params, 0},
    {0},
};

const struct native_function *const lang_builtins[] = {
    builtins_convert, builtins_dates, builtins_items, builtins_order, builtins_others, NULL};
