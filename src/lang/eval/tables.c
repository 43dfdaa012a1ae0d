/* Dicts and sets: entries, and the operators of sets. */
#include "lang/eval/interp.h"

#include <assert.h>

bool entry_set(struct lang_state *state, struct table *table, struct value key, struct value value,
               struct error *err)
{
    return charge_value(state, key, err) && table_set(table, key, value, err);
}

bool entry_find(struct lang_state *state, const struct table *table, struct value key,
                struct table_entry **out, struct error *err)
{
    return charge_value(state, key, err) && table_find(table, key, out, err);
}

bool no_such_key(struct value key, const char *hint, struct error *err)
{
    struct strbuf text = {0};
    value_repr(key, &text);
    (void)error_set(err, ERROR_MACHINE, "the dict has no key %.200s", strbuf_text(&text));
    strbuf_free(&text);
    return error_hint(err, "%s", hint);
}

bool set_of(struct lang_state *state, struct value value, struct value *out, struct error *err)
{
    struct items items;
    struct value set = value_set(state->caller.arena);
    if (!items_of(state, value, &items, err) ||
        !room_for(state, items.count, sizeof(struct table_entry), err)) {
        return false;
    }
    for (size_t i = 0; i < items.count; i++) {
        if (!entry_set(state, set.as.table, items.items[i], value_none(), err)) {
            return false;
        }
    }
    *out = set;
    return true;
}

static bool copy_entries(struct table *to, const struct table *from, struct error *err)
{
    const struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(from, &i));) {
        if (!table_set(to, entry->key, entry->value, err)) {
            return false;
        }
    }
    return true;
}

/* Keeps only the entries that `other` holds, or only those that it does not. */
static void keep_entries(struct table *table, const struct table *other, bool held)
{
    struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(table, &i));) {
        if ((table_find_hashed(other, entry->hash, entry->key) != NULL) != held) {
            table_remove(table, entry);
        }
    }
}

/* Adds the entries that only `b` has to `a`, and removes those that both have. */
static bool exchange_entries(struct lang_state *state, struct table *a, const struct table *b,
                             struct error *err)
{
    struct value extra = value_set(state->caller.arena);
    if (!copy_entries(extra.as.table, b, err)) {
        return false;
    }
    keep_entries(extra.as.table, a, false);
    keep_entries(a, b, false);
    return copy_entries(a, extra.as.table, err);
}

bool tables_update(struct lang_state *state, enum binary_op op, struct value a, struct value b,
                   struct error *err)
{
    assert(a.type == b.type && (a.type == VALUE_SET || a.type == VALUE_DICT));
    assert(a.type == VALUE_SET || op == BINARY_OR);
    struct table *left = a.as.table;
    const struct table *right = b.as.table;
    if (!charge(state, left->count + right->count, err) ||
        !room_for(state, right->count, 2 * sizeof(struct table_entry), err)) {
        return false;
    }
    if (left == right) { /* the loop reads what it changes */
        if (op == BINARY_SUB || op == BINARY_XOR) {
            table_clear(left);
        }
        return true;
    }
    if (op == BINARY_OR) {
        return copy_entries(left, right, err);
    }
    if (op == BINARY_XOR) {
        return exchange_entries(state, left, right, err);
    }
    keep_entries(left, right, op == BINARY_AND);
    return true;
}

bool tables_apply(struct lang_state *state, enum binary_op op, struct value a, struct value b,
                  struct value *out, struct error *err)
{
    struct arena *arena = state->caller.arena;
    struct value result = a.type == VALUE_DICT ? value_dict(arena) : value_set(arena);
    if (!charge(state, a.as.table->count, err) ||
        !room_for(state, a.as.table->count, 2 * sizeof(struct table_entry), err) ||
        !copy_entries(result.as.table, a.as.table, err)) {
        return false;
    }
    *out = result;
    return tables_update(state, op, result, b, err);
}
