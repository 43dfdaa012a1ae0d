/* Builtins over collections. */
#include "lang/builtins/native.h"

#include "value/number/numeric.h"

static bool builtin_list(const struct native_call *call, struct value *out, struct error *err)
{
    *out = value_list(call->caller->arena);
    return is_unset(call->args[0]) || list_of(native_state(call), call->args[0], out, err);
}

static bool builtin_tuple(const struct native_call *call, struct value *out, struct error *err)
{
    struct items items = {0};
    if ((!is_unset(call->args[0]) && !items_of(native_state(call), call->args[0], &items, err)) ||
        !room_for(native_state(call), items.count, sizeof(struct value), err)) {
        return false;
    }
    *out = value_tuple(call->caller->arena, items.items, items.count);
    return true;
}

static bool builtin_set(const struct native_call *call, struct value *out, struct error *err)
{
    *out = value_set(call->caller->arena);
    return is_unset(call->args[0]) || set_of(native_state(call), call->args[0], out, err);
}

static bool builtin_dict(const struct native_call *call, struct value *out, struct error *err)
{
    *out = value_dict(call->caller->arena);
    return native_dict_update(call, out->as.table, err);
}

/* bag, multiple: the variant is the type. */
static bool builtin_bag(const struct native_call *call, struct value *out, struct error *err)
{
    bool ok = list_of(native_state(call), call->args[0], out, err);
    out->type = (enum value_type)call->function->variant;
    return ok;
}

static bool builtin_range(const struct native_call *call, struct value *out, struct error *err)
{
    int64_t start = is_unset(call->args[0]) ? 0 : call->args[0].as.integer;
    int64_t stop = call->args[1].as.integer;
    int64_t step = is_unset(call->args[2]) ? 1 : call->args[2].as.integer;
    if (step == 0) {
        return error_set(err, ERROR_MACHINE, "range() can't have a step of 0");
    }
    *out = value_range(call->caller->arena, start, stop, step);
    return true;
}

/* any, all: true if one item is true, or if all are. */
static bool truth_of_items(const struct native_call *call, struct value *out, struct error *err)
{
    bool wanted = call->function->variant;
    struct value_iter iter;
    struct value item;
    if (!value_iter_begin(&iter, call->args[0], call->caller->arena, err)) {
        return false;
    }
    bool found = false;
    bool ok = true;
    while (ok && !found && value_iter_next(&iter, &item)) {
        found = value_truth(item) == wanted;
        ok = charge(native_state(call), 1, err);
    }
    value_iter_end(&iter);
    *out = value_bool(found == wanted);
    return ok;
}

static bool builtin_sum(const struct native_call *call, struct value *out, struct error *err)
{
    struct value_iter iter;
    struct value item;
    if (!value_iter_begin(&iter, call->args[0], call->caller->arena, err)) {
        return false;
    }
    struct value sum = is_unset(call->args[1]) ? value_int(0) : call->args[1];
    bool ok = true;
    while (ok && value_iter_next(&iter, &item)) {
        struct value next;
        ok = charge(native_state(call), 1, err) && room(native_state(call), 0, err) &&
             binary_apply(native_state(call), BINARY_ADD, sum, item, &next, err);
        sum = ok ? next : sum;
    }
    value_iter_end(&iter);
    *out = sum;
    return ok;
}

static bool builtin_reversed(const struct native_call *call, struct value *out, struct error *err)
{
    if (!list_of(native_state(call), call->args[0], out, err)) {
        return false;
    }
    list_reverse(out->as.list);
    return true;
}

static bool builtin_enumerate(const struct native_call *call, struct value *out, struct error *err)
{
    struct lang_state *state = native_state(call);
    struct value start = is_unset(call->args[1]) ? value_int(0) : call->args[1];
    struct items items;
    if (!items_of(state, call->args[0], &items, err) ||
        !room_for(state, items.count, 5 * sizeof(struct value), err)) {
        return false;
    }
    *out = value_list(state->caller.arena);
    for (size_t i = 0; i < items.count; i++) {
        struct value pair[2] = {[1] = items.items[i]};
        if (!binary_apply(state, BINARY_ADD, start, value_int((int64_t)i), &pair[0], err)) {
            return false;
        }
        list_append(out->as.list, value_tuple(state->caller.arena, pair, 2));
    }
    return true;
}

enum { ZIP, MAP };

/* Adds a tuple for each row, or the function's result for it. */
static bool add_zipped_rows(const struct native_call *call, const struct locked_items *columns,
                            size_t count, size_t rows, struct list *list, struct error *err)
{
    struct lang_state *state = native_state(call);
    struct value *row = stack_push(state, count * sizeof *row);
    for (size_t i = 0; i < rows; i++) {
        struct value result;
        for (size_t j = 0; j < count; j++) {
            row[j] = columns[j].items.items[i];
        }
        if (!charge(state, 1, err) || !room(state, 0, err)) {
            return false;
        }
        if (call->function->variant == ZIP) {
            result = value_tuple(state->caller.arena, row, count);
        } else if (!call->caller->call(call->caller, call->args[0], row, count, &result, err)) {
            return false;
        }
        list_append(list, result);
    }
    return true;
}

/* zip(*items), map(function, *items): as many rows as the shortest has. */
static bool builtin_zip(const struct native_call *call, struct value *out, struct error *err)
{
    struct lang_state *state = native_state(call);
    const struct tuple *given = call->args[call->function->variant == ZIP ? 0 : 1].as.tuple;
    size_t rows = given->count ? SIZE_MAX : 0;
    if (call->function->variant == MAP && given->count == 0) {
        (void)error_set(err, ERROR_MACHINE, "map() is missing its argument 'items'");
        return error_hint(err, "written map(function, *items)");
    }
    struct locked_items *columns = stack_push(state, given->count * sizeof *columns);
    size_t locked = 0;
    while (locked < given->count &&
           lock_items(state, given->items[locked], &columns[locked], err)) {
        size_t length = columns[locked++].items.count;
        rows = length < rows ? length : rows;
    }
    *out = value_list(state->caller.arena);
    bool ok =
        locked == given->count && add_zipped_rows(call, columns, locked, rows, out->as.list, err);
    while (locked > 0) {
        unlock_items(&columns[--locked]);
    }
    return ok;
}

static bool builtin_filter(const struct native_call *call, struct value *out, struct error *err)
{
    struct value function = call->args[0];
    struct locked_items locked;
    if (!lock_items(native_state(call), call->args[1], &locked, err)) {
        return false;
    }
    *out = value_list(call->caller->arena);
    bool ok = true;
    for (size_t i = 0; ok && i < locked.items.count; i++) {
        struct value item = locked.items.items[i];
        struct value result = item;
        ok = charge(native_state(call), 1, err) && room(native_state(call), 0, err) &&
             (function.type == VALUE_NONE ||
              call->caller->call(call->caller, function, &item, 1, &result, err));
        if (ok && value_truth(result)) {
            list_append(out->as.list, item);
        }
    }
    unlock_items(&locked);
    return ok;
}

static const struct native_param range_params[] = {
    {"start", PARAM_OPTIONAL, PARAM_POSITIONAL | PARAM_UNSET | PARAM_INT | PARAM_LEADING},
    {"stop", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_INT},
    {"step", PARAM_OPTIONAL, PARAM_POSITIONAL | PARAM_UNSET | PARAM_INT},
    {0}};
static const struct native_param sum_params[] = {
    {"items", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_ITEMS},
    {"start", PARAM_OPTIONAL, PARAM_UNSET},
    {0}};
static const struct native_param enumerate_params[] = {
    {"items", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_ITEMS},
    {"start", PARAM_OPTIONAL, PARAM_UNSET | PARAM_NUMBER},
    {0}};
static const struct native_param map_params[] = {
    {"function", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_FUNCTION},
    {"items", PARAM_REST, PARAM_ITEMS},
    {0}};
static const struct native_param filter_params[] = {
    {"function", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_FUNCTION | PARAM_NONE},
    {"items", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_ITEMS},
    {0}};

const struct native_function builtins_items[] = {
    {"all", truth_of_items, params_items, false},
    {"any", truth_of_items, params_items, true},
    {"bag", builtin_bag, params_items, VALUE_BAG},
    {"dict", builtin_dict, NULL, 0},
    {"enumerate", builtin_enumerate, enumerate_params, 0},
    {"filter", builtin_filter, filter_params, 0},
    {"list", builtin_list, params_any_items, 0},
    {"map", builtin_zip, map_params, MAP},
    {"multiple", builtin_bag, params_rest, VALUE_MULTIPLE},
    {"range", builtin_range, range_params, 0},
    {"reversed", builtin_reversed, params_items, 0},
    {"set", builtin_set, params_any_items, 0},
    {"sum", builtin_sum, sum_params, 0},
    {"tuple", builtin_tuple, params_any_items, 0},
    {"zip", builtin_zip, params_rest_items, ZIP},
    {0},
};
