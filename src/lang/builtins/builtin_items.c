/* Builtins over collections. */
#include "lang/builtins/native.h"

#include "value/number/numeric.h"

bool builtin_list(const struct native_call *call, struct value *out, struct error *err)
{
    *out = value_list(call->caller->arena);
    return native_positional(call, "list", 0, 1, err) &&
           (call->arg_count == 0 || list_of(native_state(call), call->args[0], out, err));
}

bool builtin_tuple(const struct native_call *call, struct value *out, struct error *err)
{
    struct items items = {0};
    if (!native_positional(call, "tuple", 0, 1, err) ||
        (call->arg_count && !items_of(native_state(call), call->args[0], &items, err)) ||
        !room_for(native_state(call), items.count, sizeof(struct value), err)) {
        return false;
    }
    *out = value_tuple(call->caller->arena, items.items, items.count);
    return true;
}

bool builtin_set(const struct native_call *call, struct value *out, struct error *err)
{
    *out = value_set(call->caller->arena);
    return native_positional(call, "set", 0, 1, err) &&
           (call->arg_count == 0 || set_of(native_state(call), call->args[0], out, err));
}

bool builtin_dict(const struct native_call *call, struct value *out, struct error *err)
{
    *out = value_dict(call->caller->arena);
    return native_dict_update(call, "dict", out->as.table, err);
}

const struct native_param bag_params[] = {{"items", PARAM_REQUIRED, true}, {0}};

bool builtin_bag(const struct native_call *call, struct value *out, struct error *err)
{
    struct value items;
    struct value list;
    if (!native_bind("bag", bag_params, call, &items, err) ||
        !list_of(native_state(call), items, &list, err)) {
        return false;
    }
    *out = value_bag(list.as.list);
    return true;
}

bool builtin_multiple(const struct native_call *call, struct value *out, struct error *err)
{
    struct value list = value_list(call->caller->arena);
    if (!native_positional(call, "multiple", 0, SIZE_MAX, err)) {
        return false;
    }
    for (size_t i = 0; i < call->arg_count; i++) {
        list_append(list.as.list, call->args[i]);
    }
    *out = value_multiple(list.as.list);
    return true;
}

bool builtin_range(const struct native_call *call, struct value *out, struct error *err)
{
    int64_t numbers[3] = {0, 0, 1};
    if (!native_positional(call, "range", 1, 3, err)) {
        return false;
    }
    for (size_t i = 0; i < call->arg_count; i++) {
        size_t place = call->arg_count == 1 ? 1 : i;
        if (!native_int("range", call->args[i], &numbers[place], err)) {
            return false;
        }
    }
    if (numbers[2] == 0) {
        return error_set(err, ERROR_MACHINE, "range() can't have a step of 0");
    }
    *out = value_range(call->caller->arena, numbers[0], numbers[1], numbers[2]);
    return true;
}

static bool truth_of_items(const struct native_call *call, const char *name, bool wanted,
                           struct value *out, struct error *err)
{
    struct value_iter iter;
    struct value item;
    if (!native_positional(call, name, 1, 1, err) ||
        !value_iter_begin(&iter, call->args[0], call->caller->arena, err)) {
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

bool builtin_any(const struct native_call *call, struct value *out, struct error *err)
{
    return truth_of_items(call, "any", true, out, err);
}

bool builtin_all(const struct native_call *call, struct value *out, struct error *err)
{
    return truth_of_items(call, "all", false, out, err);
}

const struct native_param sum_params[] = {
    {"items", PARAM_REQUIRED, true},
    {"start", PARAM_OPTIONAL, false},
    {0},
};

bool builtin_sum(const struct native_call *call, struct value *out, struct error *err)
{
    struct value args[2] = {value_none(), value_int(0)};
    struct value_iter iter;
    struct value item;
    if (!native_bind("sum", sum_params, call, args, err) ||
        !value_iter_begin(&iter, args[0], call->caller->arena, err)) {
        return false;
    }
    struct value sum = args[1];
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

bool builtin_reversed(const struct native_call *call, struct value *out, struct error *err)
{
    struct value list;
    if (!native_positional(call, "reversed", 1, 1, err) ||
        !list_of(native_state(call), call->args[0], &list, err)) {
        return false;
    }
    struct value *items = list.as.list->items;
    size_t count = list.as.list->count;
    for (size_t i = 0; i < count / 2; i++) {
        struct value swapped = items[i];
        items[i] = items[count - 1 - i];
        items[count - 1 - i] = swapped;
    }
    *out = list;
    return true;
}

const struct native_param enumerate_params[] = {
    {"items", PARAM_REQUIRED, true},
    {"start", PARAM_OPTIONAL, false},
    {0},
};

bool builtin_enumerate(const struct native_call *call, struct value *out, struct error *err)
{
    struct value args[2] = {value_none(), value_int(0)};
    struct lang_state *state = native_state(call);
    struct items items;
    if (!native_bind("enumerate", enumerate_params, call, args, err) ||
        !items_of(state, args[0], &items, err) ||
        !room_for(state, items.count, 5 * sizeof(struct value), err)) {
        return false;
    }
    struct value list = value_list(state->caller.arena);
    for (size_t i = 0; i < items.count; i++) {
        struct value pair[2] = {[1] = items.items[i]};
        if (!binary_apply(state, BINARY_ADD, args[1], value_int((int64_t)i), &pair[0], err)) {
            return false;
        }
        list_append(list.as.list, value_tuple(state->caller.arena, pair, 2));
    }
    *out = list;
    return true;
}

/* The items of several collections side by side; as many rows as the shortest has. */
static bool side_by_side(struct lang_state *state, const struct value *collections, size_t count,
                         struct items *columns, size_t *rows, struct error *err)
{
    *rows = count ? SIZE_MAX : 0;
    for (size_t i = 0; i < count; i++) {
        if (!items_of(state, collections[i], &columns[i], err)) {
            return false;
        }
        *rows = columns[i].count < *rows ? columns[i].count : *rows;
    }
    return charge(state, *rows, err);
}

static void read_row(const struct items *columns, size_t count, size_t row, struct value *out)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = columns[i].items[row];
    }
}

bool builtin_zip(const struct native_call *call, struct value *out, struct error *err)
{
    struct lang_state *state = native_state(call);
    size_t count = call->arg_count;
    size_t rows;
    struct items *columns = stack_push(state, count * sizeof *columns);
    struct value *row = stack_push(state, count * sizeof *row);
    if (!native_positional(call, "zip", 0, SIZE_MAX, err) ||
        !side_by_side(state, call->args, count, columns, &rows, err) ||
        !room_for(state, rows, (count + 4) * sizeof *row, err)) {
        return false;
    }
    struct value list = value_list(state->caller.arena);
    for (size_t i = 0; i < rows; i++) {
        read_row(columns, count, i, row);
        list_append(list.as.list, value_tuple(state->caller.arena, row, count));
    }
    *out = list;
    return true;
}

static bool map_rows(const struct native_call *call, const struct items *columns, size_t rows,
                     struct list *list, struct error *err)
{
    struct lang_state *state = native_state(call);
    size_t count = call->arg_count - 1;
    struct value *row = stack_push(state, count * sizeof *row);
    for (size_t i = 0; i < rows; i++) {
        struct value result;
        read_row(columns, count, i, row);
        if (!charge(state, 1, err) || !room(state, 0, err) ||
            !call->caller->call(call->caller, call->args[0], row, count, &result, err)) {
            return false;
        }
        list_append(list, result);
    }
    return true;
}

bool builtin_map(const struct native_call *call, struct value *out, struct error *err)
{
    struct lang_state *state = native_state(call);
    size_t rows = SIZE_MAX;
    if (!native_positional(call, "map", 2, SIZE_MAX, err)) {
        return false;
    }
    size_t count = call->arg_count - 1;
    struct locked_items *locked = stack_push(state, count * sizeof *locked);
    struct items *columns = stack_push(state, count * sizeof *columns);
    size_t locks = 0;
    while (locks < count && lock_items(state, call->args[locks + 1], &locked[locks], err)) {
        columns[locks] = locked[locks].items;
        rows = columns[locks].count < rows ? columns[locks].count : rows;
        locks++;
    }
    struct value list = value_list(state->caller.arena);
    bool ok = locks == count && map_rows(call, columns, rows, list.as.list, err);
    while (locks > 0) {
        unlock_items(&locked[--locks]);
    }
    *out = list;
    return ok;
}

const struct native_param filter_params[] = {
    {"function", PARAM_REQUIRED, true},
    {"items", PARAM_REQUIRED, true},
    {0},
};

static bool passes(const struct native_call *call, struct value function, struct value item,
                   bool *out, struct error *err)
{
    struct value result = item;
    if (function.type != VALUE_NONE &&
        !call->caller->call(call->caller, function, &item, 1, &result, err)) {
        return false;
    }
    *out = value_truth(result);
    return charge(native_state(call), 1, err) && room(native_state(call), 0, err);
}

bool builtin_filter(const struct native_call *call, struct value *out, struct error *err)
{
    struct value args[2];
    struct locked_items locked;
    if (!native_bind("filter", filter_params, call, args, err) ||
        !lock_items(native_state(call), args[1], &locked, err)) {
        return false;
    }
    struct value list = value_list(call->caller->arena);
    bool ok = true;
    for (size_t i = 0; ok && i < locked.items.count; i++) {
        bool pass = false;
        ok = passes(call, args[0], locked.items.items[i], &pass, err);
        if (ok && pass) {
            list_append(list.as.list, locked.items.items[i]);
        }
    }
    unlock_items(&locked);
    *out = list;
    return ok;
}
