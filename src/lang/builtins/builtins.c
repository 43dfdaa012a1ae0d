/* The table of builtins, and those that speak to the outside or look inside. */
#include "lang/builtins/native.h"

#include <stdlib.h>
#include <string.h>

/* Of those that count their arguments themselves. */
static const struct native_param one[] = {{"x", PARAM_REQUIRED, true}, {0}};
static const struct native_param at_most_one[] = {{"x", PARAM_OPTIONAL, true}, {0}};
static const struct native_param two[] = {
    {"x", PARAM_REQUIRED, true}, {"name", PARAM_REQUIRED, true}, {0}};

const struct native_function lang_builtins[] = {
    {"abs", builtin_abs, one},
    {"age", builtin_age, age_params},
    {"all", builtin_all, one},
    {"any", builtin_any, one},
    {"bag", builtin_bag, bag_params},
    {"bool", builtin_bool, at_most_one},
    {"bytes", builtin_bytes, one},
    {"date_add", builtin_date_add, date_add_params},
    {"date_diff", builtin_date_diff, age_params},
    {"date_subtract", builtin_date_subtract, date_add_params},
    {"date_trunc", builtin_date_trunc, extract_params},
    {"dict", builtin_dict, NULL},
    {"dir", builtin_dir, one},
    {"enumerate", builtin_enumerate, enumerate_params},
    {"error", builtin_error, error_params},
    {"extract", builtin_extract, extract_params},
    {"fail", builtin_fail, NULL},
    {"filter", builtin_filter, filter_params},
    {"float", builtin_float, at_most_one},
    {"getattr", builtin_getattr, getattr_params},
    {"hasattr", builtin_hasattr, two},
    {"hash", builtin_hash, one},
    {"int", builtin_int, int_params},
    {"interval", builtin_interval, interval_params},
    {"interval_add", builtin_interval_add, age_params},
    {"interval_cmp", builtin_interval_cmp, age_params},
    {"interval_multiply", builtin_interval_multiply, interval_multiply_params},
    {"len", builtin_len, one},
    {"list", builtin_list, at_most_one},
    {"map", builtin_map, NULL},
    {"max", builtin_max, max_params},
    {"min", builtin_min, min_params},
    {"multiple", builtin_multiple, NULL},
    {"numeric", builtin_numeric, one},
    {"print", builtin_print, NULL},
    {"range", builtin_range, NULL},
    {"repr", builtin_repr, one},
    {"reversed", builtin_reversed, one},
    {"round", builtin_round, round_params},
    {"set", builtin_set, at_most_one},
    {"sorted", builtin_sorted, sorted_params},
    {"str", builtin_str, at_most_one},
    {"sum", builtin_sum, sum_params},
    {"tuple", builtin_tuple, at_most_one},
    {"type", builtin_type, one},
    {"zip", builtin_zip, NULL},
    {0},
};

/* The arguments' texts with `sep` between them. */
static bool join_args(const struct native_call *call, const char *sep, struct strbuf *out,
                      struct error *err)
{
    for (size_t i = 0; i < call->arg_count; i++) {
        strbuf_adds(out, i ? sep : "");
        if (!write_text(native_state(call), call->args[i], out, err)) {
            return false;
        }
    }
    return true;
}

/* sep=… as the only named argument. */
static bool read_sep(const struct native_call *call, const char *name, const char **sep,
                     struct error *err)
{
    static const struct native_param params[] = {
        {"values", PARAM_REST, false},
        {"sep", PARAM_OPTIONAL, false},
        {0},
    };
    struct value args[2] = {[1] = value_text(call->caller->arena, " ")};
    const struct string *text;
    if (!native_bind(name, params, call, args, err) || !native_string(name, args[1], &text, err)) {
        return false;
    }
    *sep = text->data;
    return true;
}

bool builtin_print(const struct native_call *call, struct value *out, struct error *err)
{
    struct lang_state *state = native_state(call);
    struct strbuf line = {0};
    const char *sep;
    if (!read_sep(call, "print", &sep, err)) {
        return false;
    }
    bool ok = join_args(call, sep, &line, err) && charge(state, line.size / 64, err);
    if (ok && state->print) {
        state->print(state->print_host, strbuf_text(&line), line.size);
    }
    strbuf_free(&line);
    *out = value_none();
    return ok;
}

bool builtin_fail(const struct native_call *call, struct value *out, struct error *err)
{
    struct strbuf message = {0};
    const char *sep;
    *out = value_none();
    if (!read_sep(call, "fail", &sep, err)) {
        return false;
    }
    if (join_args(call, sep, &message, err)) {
        (void)error_set(err, ERROR_MACHINE, "fail: %s", strbuf_text(&message));
    }
    strbuf_free(&message);
    return false;
}

const struct native_param error_params[] = {
    {"condition", PARAM_OPTIONAL, false},
    {"constraint", PARAM_OPTIONAL, false},
    {"message", PARAM_OPTIONAL, false},
    {"table", PARAM_OPTIONAL, false},
    {0},
};

bool builtin_error(const struct native_call *call, struct value *out, struct error *err)
{
    struct value args[4] = {value_none(), value_none(), value_none(), value_none()};
    if (!native_bind("error", error_params, call, args, err)) {
        return false;
    }
    for (size_t i = 0; i < 4; i++) {
        if (args[i].type != VALUE_STRING && args[i].type != VALUE_NONE) {
            (void)error_set(err, ERROR_MACHINE, "error() wants a string as its %s, not %s",
                            error_params[i].name, value_type_name(args[i]));
            if (i == 0 && args[i].type == VALUE_INT) {
                error_hint(err, "a SQLSTATE stands in quotes: error(\"23505\")");
            }
            return false;
        }
    }
    struct error_value predicted = {args[0], args[1], args[2], args[3]};
    *out = value_error(call->caller->arena, &predicted);
    return true;
}

const struct native_param getattr_params[] = {
    {"x", PARAM_REQUIRED, true},
    {"name", PARAM_REQUIRED, true},
    {"default", PARAM_OPTIONAL, true},
    {0},
};

bool builtin_getattr(const struct native_call *call, struct value *out, struct error *err)
{
    struct value args[3] = {[2] = unset_value()};
    const struct string *name;
    if (!native_bind("getattr", getattr_params, call, args, err) ||
        !native_string("getattr", args[1], &name, err)) {
        return false;
    }
    bool has_default = !is_unset(args[2]);
    if (attr_get(native_state(call), args[0], name->data, out, has_default ? NULL : err)) {
        return true;
    }
    *out = args[2];
    return has_default;
}

bool builtin_hasattr(const struct native_call *call, struct value *out, struct error *err)
{
    const struct string *name;
    struct value ignored;
    if (!native_positional(call, "hasattr", 2, 2, err) ||
        !native_string("hasattr", call->args[1], &name, err)) {
        return false;
    }
    *out = value_bool(attr_get(native_state(call), call->args[0], name->data, &ignored, NULL));
    return true;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool builtin_dir(const struct native_call *call, struct value *out, struct error *err)
{
    const char **names;
    if (!native_positional(call, "dir", 1, 1, err)) {
        return false;
    }
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
