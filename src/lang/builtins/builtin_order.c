/* sorted, min, max. */
#include "lang/builtins/native.h"

#include <string.h>

struct keyed {
    struct value key;
    struct value item;
};

struct sorter {
    const struct native_call *call;
    struct value key; /* a function, or None */
    bool reverse;
    bool nulls_last;
    struct error *err;
};

static bool key_of(const struct sorter *sorter, struct value item, struct value *out)
{
    if (sorter->key.type == VALUE_NONE) {
        *out = item;
        return true;
    }
    return sorter->call->caller->call(sorter->call->caller, sorter->key, &item, 1, out,
                                      sorter->err);
}

/* True if `b` must move before `a`, which is now before it. */
static bool is_before(const struct sorter *sorter, const struct keyed *b, const struct keyed *a,
                      bool *out)
{
    struct lang_state *state = native_state(sorter->call);
    int sign;
    bool null = a->key.type == VALUE_NONE || b->key.type == VALUE_NONE;
    if (null && sorter->nulls_last) {
        *out = a->key.type == VALUE_NONE && b->key.type != VALUE_NONE;
        return true;
    }
    if (!charge(state, 1, sorter->err) || !order(state, b->key, a->key, &sign, sorter->err)) {
        return null && error_hint(sorter->err, "sorted(xs, nulls_last=True) puts None at the end");
    }
    *out = sorter->reverse ? sign > 0 : sign < 0;
    return true;
}

/* Stable merge sort; `spare` has the same size. */
static bool merge_sort(const struct sorter *sorter, struct keyed *items, struct keyed *spare,
                       size_t count)
{
    size_t half = (count + 1) / 2;
    if (count < 2) {
        return true;
    }
    if (!merge_sort(sorter, items, spare, half) ||
        !merge_sort(sorter, items + half, spare, count - half)) {
        return false;
    }
    memcpy(spare, items, half * sizeof *items);
    size_t left = 0;
    size_t right = half;
    for (size_t i = 0; left < half; i++) {
        bool take_right = false;
        if (right < count && !is_before(sorter, &items[right], &spare[left], &take_right)) {
            return false;
        }
        items[i] = take_right ? items[right++] : spare[left++];
    }
    return true;
}

static bool sort_items(const struct sorter *sorter, const struct items *items, struct list *out)
{
    struct lang_state *state = native_state(sorter->call);
    if (!room_for(state, items->count, 2 * sizeof(struct keyed), sorter->err)) {
        return false;
    }
    struct keyed *keyed = ARENA_ARRAY(state->caller.arena, struct keyed, items->count);
    struct keyed *spare = ARENA_ARRAY(state->caller.arena, struct keyed, items->count);
    for (size_t i = 0; i < items->count; i++) {
        keyed[i].item = items->items[i];
        if (!key_of(sorter, items->items[i], &keyed[i].key)) {
            return false;
        }
    }
    if (!merge_sort(sorter, keyed, spare, items->count)) {
        return false;
    }
    for (size_t i = 0; i < items->count; i++) {
        list_append(out, keyed[i].item);
    }
    return true;
}

static bool builtin_sorted(const struct native_call *call, struct value *out, struct error *err)
{
    struct locked_items locked;
    if (!lock_items(native_state(call), call->args[0], &locked, err)) {
        return false;
    }
    struct sorter sorter = {.call = call,
                            .key = call->args[1],
                            .reverse = value_truth(call->args[2]),
                            .nulls_last = value_truth(call->args[3]),
                            .err = err};
    *out = value_list(call->caller->arena);
    bool ok = sort_items(&sorter, &locked.items, out->as.list);
    unlock_items(&locked);
    return ok;
}

static bool find_extreme(const struct sorter *sorter, const struct items *items, struct value *out)
{
    struct keyed best = {0};
    for (size_t i = 0; i < items->count; i++) {
        struct keyed next = {.item = items->items[i]};
        bool better = i == 0;
        if (!key_of(sorter, next.item, &next.key) ||
            (i > 0 && !is_before(sorter, &next, &best, &better))) {
            return false;
        }
        best = better ? next : best;
    }
    *out = best.item;
    return true;
}

enum { MIN, MAX };

static bool builtin_extreme(const struct native_call *call, struct value *out, struct error *err)
{
    struct locked_items locked;
    const char *name = call->function->name;
    const struct tuple *given = call->args[0].as.tuple;
    bool one = given->count == 1;
    if (given->count == 0 || (one && !value_has_items(given->items[0]))) {
        (void)error_set(err, ERROR_MACHINE, "%s() expects a collection or several values%s%s", name,
                        one ? ", not " : "", one ? value_type_name(given->items[0]) : "");
        return one && value_hint_items(given->items[0], err);
    }
    if (!lock_items(native_state(call), one ? given->items[0] : call->args[0], &locked, err)) {
        return false;
    }
    bool ok = true;
    if (locked.items.count > 0) {
        struct sorter sorter = {.call = call,
                                .key = call->args[1],
                                .reverse = call->function->variant == MAX,
                                .err = err};
        ok = find_extreme(&sorter, &locked.items, out);
    } else if (is_unset(call->args[2])) {
        (void)error_set(err, ERROR_MACHINE, "%s() of nothing has no value", name);
        ok = error_hint(err, "%s(xs, default=0) gives 0 there", name);
    } else {
        *out = call->args[2];
    }
    unlock_items(&locked);
    return ok;
}

static const struct native_param sorted_params[] = {
    {"items", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_ITEMS},
    {"key", PARAM_OPTIONAL, PARAM_FUNCTION},
    {"reverse", PARAM_OPTIONAL, 0},
    {"nulls_last", PARAM_OPTIONAL, 0},
    {0}};
static const struct native_param extreme_params[] = {{"items", PARAM_REST, 0},
                                                     {"key", PARAM_OPTIONAL, PARAM_FUNCTION},
                                                     {"default", PARAM_OPTIONAL, PARAM_UNSET},
                                                     {0}};

const struct native_function builtins_order[] = {
    {"max", builtin_extreme, extreme_params, MAX},
    {"min", builtin_extreme, extreme_params, MIN},
    {"sorted", builtin_sorted, sorted_params, 0},
    {0},
};
