/* Methods of lists. */
#include "lang/builtins/methods.h"
#include "lang/builtins/native.h"

#include <string.h>

static native_fn list_append_call, list_clear, list_extend_call, list_index, list_insert, list_pop,
    list_remove;

const struct native_function list_methods[] = {
    {"append", list_append_call, NULL}, {"clear", list_clear, NULL},
    {"extend", list_extend_call, NULL}, {"index", list_index, NULL},
    {"insert", list_insert, NULL},      {"pop", list_pop, NULL},
    {"remove", list_remove, NULL},      {0},
};

/* For methods that change the list: checks that it may be. */
static bool changing(const struct native_call *call, const char *name, size_t min, size_t max,
                     struct error *err)
{
    return native_positional(call, name, min, max, err) &&
           caller_check_mutable(call->caller, call->self, err);
}

static bool list_append_call(const struct native_call *call, struct value *out, struct error *err)
{
    *out = value_none();
    if (!changing(call, "append", 1, 1, err)) {
        return false;
    }
    list_append(call->self.as.list, call->args[0]);
    return true;
}

static bool list_clear(const struct native_call *call, struct value *out, struct error *err)
{
    *out = value_none();
    if (!changing(call, "clear", 0, 0, err)) {
        return false;
    }
    call->self.as.list->count = 0;
    return true;
}

static bool list_extend_call(const struct native_call *call, struct value *out, struct error *err)
{
    *out = value_none();
    return changing(call, "extend", 1, 1, err) &&
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

static bool no_such_item(const char *name, struct error *err)
{
    (void)error_set(err, ERROR_MACHINE, "%s() does not find the item in the list", name);
    return error_hint(err, "test first: `if x in xs`");
}

static bool list_index(const struct native_call *call, struct value *out, struct error *err)
{
    size_t length = call->self.as.list->count;
    size_t from = 0;
    size_t to = length;
    size_t found;
    if (!native_positional(call, "index", 1, 3, err) ||
        !native_place("index", native_arg(call, 1), length, &from, err) ||
        !native_place("index", native_arg(call, 2), length, &to, err) ||
        !find_item(call, call->args[0], from, to, &found, err)) {
        return false;
    }
    *out = value_int((int64_t)found);
    return found < to || no_such_item("index", err);
}

static bool list_insert(const struct native_call *call, struct value *out, struct error *err)
{
    struct list *list = call->self.as.list;
    size_t at = 0;
    *out = value_none();
    if (!changing(call, "insert", 2, 2, err) ||
        !native_place("insert", call->args[0], list->count, &at, err) ||
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
    int64_t index = -1;
    if (!changing(call, "pop", 0, 1, err) ||
        (call->arg_count && !native_int("pop", call->args[0], &index, err))) {
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
    *out = value_none();
    if (!changing(call, "remove", 1, 1, err) ||
        !find_item(call, call->args[0], 0, count, &found, err)) {
        return false;
    }
    return found < count ? remove_at(call, found, err) : no_such_item("remove", err);
}
