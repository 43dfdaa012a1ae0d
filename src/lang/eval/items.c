/* The items of any value that a loop can run over. */
#include "lang/eval/interp.h"

static bool collect_items(struct lang_state *state, struct value value, struct list *list,
                          struct error *err)
{
    struct value_iter iter;
    struct value item;
    if (!value_iter_begin(&iter, value, state->caller.arena, err)) {
        return false;
    }
    bool ok = charge(state, iter.count, err) && room_for(state, iter.count, 2 * sizeof item, err);
    while (ok && value_iter_next(&iter, &item)) {
        list_append(list, item);
    }
    value_iter_end(&iter);
    return ok;
}

bool items_of(struct lang_state *state, struct value value, struct items *out, struct error *err)
{
    if (value.type == VALUE_TUPLE || value.type == VALUE_LIST || value.type == VALUE_BAG) {
        *out = value_items(value);
        return charge(state, out->count, err);
    }
    struct value list = value_list(state->caller.arena);
    bool ok = collect_items(state, value, list.as.list, err);
    *out = value_items(list);
    return ok;
}

bool list_of(struct lang_state *state, struct value value, struct value *out, struct error *err)
{
    struct value list = value_list(state->caller.arena);
    *out = list;
    return collect_items(state, value, list.as.list, err);
}

bool list_extend(struct lang_state *state, struct list *list, struct value value, struct error *err)
{
    struct items items;
    if (!items_of(state, value, &items, err) ||
        !room_for(state, items.count, 2 * sizeof(struct value), err)) {
        return false;
    }
    for (size_t i = 0; i < items.count; i++) {
        list_append(
            list,
            items.items[i]); /* the items may be the list's own: they stay in place when it grows */
    }
    return true;
}
