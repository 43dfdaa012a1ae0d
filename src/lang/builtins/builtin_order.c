/* sorted, min, max. */
#include "lang/builtins/native.h"

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

/* Whether `b` must come before `a`, which stands before it. */
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
        if (null && sorter->err) {
            error_hint(sorter->err, "sorted(xs, nulls_last=True) puts None at the end");
        }
        return false;
    }
    *out = sorter->reverse ? sign > 0 : sign < 0;
    return true;
}

/* Merges from[low, middle) and from[middle, high) into `to`; stable. */
static bool merge(const struct sorter *sorter, const struct keyed *from, struct keyed *to,
                  const size_t bounds[3])
{
    size_t left = bounds[0];
    size_t right = bounds[1];
    for (size_t i = bounds[0]; i < bounds[2]; i++) {
        bool take_right = left == bounds[1];
        if (left < bounds[1] && right < bounds[2] &&
            !is_before(sorter, &from[right], &from[left], &take_right)) {
            return false;
        }
        to[i] = take_right ? from[right++] : from[left++];
    }
    return true;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Merge sort, bottom up; the result is in *items, `spare` is as large. */
static bool sort(const struct sorter *sorter, struct keyed **items, struct keyed *spare,
                 size_t count)
{
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t low = 0; low < count; low += 2 * width) {
            size_t bounds[3] = {low, least(low + width, count), least(low + 2 * width, count)};
            if (!merge(sorter, *items, spare, bounds)) {
                return false;
            }
        }
        struct keyed *sorted = spare;
        spare = *items;
        *items = sorted;
    }
    return true;
}

static bool sort_items(const struct sorter *sorter, const struct items *items, struct list *out)
{
    struct lang_state *state = native_state(sorter->call);
    struct arena *arena = state->caller.arena;
    if (!room_for(state, items->count, 2 * sizeof(struct keyed), sorter->err)) {
        return false;
    }
    struct keyed *keyed = ARENA_ARRAY(arena, struct keyed, items->count);
    struct keyed *spare = ARENA_ARRAY(arena, struct keyed, items->count);
    for (size_t i = 0; i < items->count; i++) {
        keyed[i].item = items->items[i];
        if (!key_of(sorter, items->items[i], &keyed[i].key)) {
            return false;
        }
    }
    if (!sort(sorter, &keyed, spare, items->count)) {
        return false;
    }
    for (size_t i = 0; i < items->count; i++) {
        list_append(out, keyed[i].item);
    }
    return true;
}

const struct native_param sorted_params[] = {
    {"items", PARAM_REQUIRED, true},
    {"key", PARAM_OPTIONAL, false},
    {"reverse", PARAM_OPTIONAL, false},
    {"nulls_last", PARAM_OPTIONAL, false},
    {0},
};

bool builtin_sorted(const struct native_call *call, struct value *out, struct error *err)
{
    struct value args[4] = {value_none(), value_none(), value_bool(false), value_bool(false)};
    struct locked_items locked;
    if (!native_bind("sorted", sorted_params, call, args, err) ||
        !lock_items(native_state(call), args[0], &locked, err)) {
        return false;
    }
    struct sorter sorter = {.call = call,
                            .key = args[1],
                            .reverse = value_truth(args[2]),
                            .nulls_last = value_truth(args[3]),
                            .err = err};
    struct value list = value_list(call->caller->arena);
    bool ok = sort_items(&sorter, &locked.items, list.as.list);
    unlock_items(&locked);
    *out = list;
    return ok;
}

enum extreme { EXTREME_MIN, EXTREME_MAX };

static const char *const extreme_names[] = {[EXTREME_MIN] = "min", [EXTREME_MAX] = "max"};

const struct native_param min_params[] = {
    {"items", PARAM_REST, false},
    {"key", PARAM_OPTIONAL, false},
    {"default", PARAM_OPTIONAL, false},
    {0},
};
const struct native_param max_params[] = {
    {"items", PARAM_REST, false},
    {"key", PARAM_OPTIONAL, false},
    {"default", PARAM_OPTIONAL, false},
    {0},
};

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

static bool extreme(const struct native_call *call, enum extreme which, struct value *out,
                    struct error *err)
{
    struct value args[3] = {value_none(), value_none(), unset_value()};
    struct locked_items locked;
    const char *name = extreme_names[which];
    if (!native_bind(name, which == EXTREME_MIN ? min_params : max_params, call, args, err)) {
        return false;
    }
    const struct tuple *given = args[0].as.tuple;
    if (given->count == 0) {
        return error_set(err, ERROR_MACHINE, "%s() wants a collection or several values", name);
    }
    if (!lock_items(native_state(call), given->count == 1 ? given->items[0] : args[0], &locked,
                    err)) {
        return false;
    }
    bool ok = true;
    if (locked.items.count == 0) {
        *out = args[2];
        ok = !is_unset(args[2]) ||
             error_set(err, ERROR_MACHINE, "%s() of nothing has no value", name);
        if (!ok && err) {
            error_hint(err, "%s(xs, default=0) gives 0 there", name);
        }
    } else {
        struct sorter sorter = {
            .call = call, .key = args[1], .reverse = which == EXTREME_MAX, .err = err};
        ok = find_extreme(&sorter, &locked.items, out);
    }
    unlock_items(&locked);
    return ok;
}

bool builtin_min(const struct native_call *call, struct value *out, struct error *err)
{
    return extreme(call, EXTREME_MIN, out, err);
}

bool builtin_max(const struct native_call *call, struct value *out, struct error *err)
{
    return extreme(call, EXTREME_MAX, out, err);
}
