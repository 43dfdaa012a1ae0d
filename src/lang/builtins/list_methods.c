/* Methods of lists. */
#include "lang/builtins/methods.h"
#include "lang/builtins/native.h"

#include <string.h>

static bool list_append_call(const struct native_call *call, struct value *out, struct error *err)
{
    if (!native_changes(call, out, err)) {
        return false;
    }
    list_append(call->self.as.list, call->args[0]);
    return true;
}

static bool list_clear(const struct native_call *call, struct value *out, struct error *err)
{
    if (!native_changes(call, out, err)) {
        return false;
    }
    call->self.as.list->count = 0;
    return true;
}

static bool list_extend_call(const struct native_call *call, struct value *out, struct error *err)
{
    return native_changes(call, out, err) &&
           list_extend(native_state(call), call->self.as.list, call->args[0], err);
}

/* Finds an equal item in [from, to); `*found` is `to` if there is none. */
static bool find_item(const struct native_call *call, struct value item, size_t from, size_t to,
                      size_t *found, struct error *err)
{
    const struct list *list = call->self.as.list;
    for (*found = from; *found < to; ++*found) {
        bool same;
        if (!charge(native_state(call), 1, err) ||
            !equal(native_state(call), item, list->items[*found], &same, err)) {
            return false;
        }
        if (same) {
            break;
        }
    }
    return true;
}

static bool no_such_item(const struct native_call *call, struct error *err)
{
    (void)error_set(err, ERROR_MACHINE, "%s() does not find the item in the list",
                    call->function->name);
    return error_hint(err, "test first: `if x in xs`");
}

static bool list_index(const struct native_call *call, struct value *out, struct error *err)
{
    size_t length = call->self.as.list->count;
    size_t from = 0;
    size_t to = length;
    size_t found;
    if (!native_place(call, 1, length, &from, err) || !native_place(call, 2, length, &to, err) ||
        !find_item(call, call->args[0], from, to, &found, err)) {
        return false;
    }
    *out = value_int((int64_t)found);
    return found < to || no_such_item(call, err);
}

static bool list_insert(const struct native_call *call, struct value *out, struct error *err)
{
    struct list *list = call->self.as.list;
    size_t at = 0;
    if (!native_changes(call, out, err) || !native_place(call, 0, list->count, &at, err) ||
        !charge(native_state(call), (list->count - at) / 16, err)) {
        return false;
    }
    list_append(list, value_none());
    memmove(&list->items[at + 1], &list->items[at], (list->count - 1 - at) * sizeof *list->items);
    list->items[at] = call->args[1];
    return true;
}

static bool remove_at(const struct native_call *call, size_t at, struct error *err)
{
    struct list *list = call->self.as.list;
    list->count--;
    memmove(&list->items[at], &list->items[at + 1], (list->count - at) * sizeof *list->items);
    return charge(native_state(call), (list->count - at) / 16, err);
}

static bool list_pop(const struct native_call *call, struct value *out, struct error *err)
{
    const struct list *list = call->self.as.list;
    int64_t index = is_unset(call->args[0]) ? -1 : call->args[0].as.integer;
    if (!native_changes(call, out, err)) {
        return false;
    }
    if (list->count == 0) {
        return error_set(err, ERROR_MACHINE, "pop() from an empty list");
    }
    if (index < 0 && index >= -(int64_t)list->count) {
        index += (int64_t)list->count;
    }
    if (index < 0 || (uint64_t)index >= list->count) {
        return error_set(err, ERROR_MACHINE, "pop() of place %lld, the list has %zu item%s",
                         (long long)index, list->count, plural(list->count));
    }
    *out = list->items[index];
    return remove_at(call, (size_t)index, err);
}

static bool list_remove(const struct native_call *call, struct value *out, struct error *err)
{
    size_t count = call->self.as.list->count;
    size_t found;
    if (!native_changes(call, out, err) || !find_item(call, call->args[0], 0, count, &found, err)) {
        return false;
    }
    return found < count ? remove_at(call, found, err) : no_such_item(call, err);
}

static const struct native_param index_params[] = {{"x", PARAM_REQUIRED, PARAM_POSITIONAL},
                                                   {"start", PARAM_OPTIONAL, PARAM_POSITIONAL},
                                                   {"end", PARAM_OPTIONAL, PARAM_POSITIONAL},
                                                   {0}};
static const struct native_param insert_params[] = {
    {"index", PARAM_REQUIRED, PARAM_POSITIONAL}, {"x", PARAM_REQUIRED, PARAM_POSITIONAL}, {0}};
static const struct native_param pop_params[] = {
    {"index", PARAM_OPTIONAL, PARAM_POSITIONAL | PARAM_UNSET | PARAM_INT}, {0}};

const struct native_function list_methods[] = {
    {"append", list_append_call, params_x, 0},     {"clear", list_clear, params_none, 0},
    {"extend", list_extend_call, params_items, 0}, {"index", list_index, index_params, 0},
    {"insert", list_insert, insert_params, 0},     {"pop", list_pop, pop_params, 0},
    {"remove", list_remove, params_x, 0},          {0},
};
