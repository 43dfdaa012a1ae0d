/* Methods of sets. */
#include "lang/builtins/methods.h"
#include "lang/builtins/native.h"

static bool set_add(const struct native_call *call, struct value *out, struct error *err)
{
    return native_changes(call, out, err) &&
           entry_set(native_state(call), call->self.as.table, call->args[0], value_none(), err);
}

static bool set_clear(const struct native_call *call, struct value *out, struct error *err)
{
    if (!native_changes(call, out, err)) {
        return false;
    }
    table_clear(call->self.as.table);
    return true;
}

enum { SET_REMOVE, SET_DISCARD };

static bool set_remove(const struct native_call *call, struct value *out, struct error *err)
{
    struct table_entry *entry;
    if (!native_changes(call, out, err) ||
        !entry_find(native_state(call), call->self.as.table, call->args[0], &entry, err)) {
        return false;
    }
    if (entry) {
        table_remove(call->self.as.table, entry);
    } else if (call->function->variant == SET_REMOVE) {
        (void)error_set(err, ERROR_MACHINE, "remove() does not find the item in the set");
        return error_hint(err, "s.discard(x) does nothing where there is none");
    }
    return true;
}

static bool set_pop(const struct native_call *call, struct value *out, struct error *err)
{
    if (!native_changes(call, out, err)) {
        return false;
    }
    struct table_entry *entry = table_first(call->self.as.table);
    if (!entry) {
        return error_set(err, ERROR_MACHINE, "pop() from an empty set");
    }
    *out = entry->key;
    table_remove(call->self.as.table, entry);
    return true;
}

/* Any collection as a set; a set itself is not copied. */
static bool as_set(struct lang_state *state, struct value value, struct value *out,
                   struct error *err)
{
    *out = value;
    return value.type == VALUE_SET || set_of(state, value, out, err);
}

/* Changes `set` by each of the arguments in turn. */
static bool apply_all(const struct native_call *call, struct value set, struct error *err)
{
    enum binary_op op = (enum binary_op)call->function->variant;
    struct items others = {call->args, 1};
    if (op != BINARY_XOR) {
        others = (struct items){call->args[0].as.tuple->items, call->args[0].as.tuple->count};
    }
    for (size_t i = 0; i < others.count; i++) {
        struct value other;
        if (!as_set(native_state(call), others.items[i], &other, err) ||
            !tables_update(native_state(call), op, set, other, err)) {
            return false;
        }
    }
    return true;
}

static bool set_combine(const struct native_call *call, struct value *out, struct error *err)
{
    struct value empty = value_set(call->caller->arena);
    return tables_apply(native_state(call), BINARY_OR, call->self, empty, out, err) &&
           apply_all(call, *out, err);
}

static bool set_update(const struct native_call *call, struct value *out, struct error *err)
{
    return native_changes(call, out, err) && apply_all(call, call->self, err);
}

enum { SET_DISJOINT, SET_SUBSET, SET_SUPERSET };

/* True if one set contains the other, or if they have no common item. */
static bool set_compare(const struct native_call *call, struct value *out, struct error *err)
{
    struct value other;
    if (!as_set(native_state(call), call->args[0], &other, err)) {
        return false;
    }
    bool super = call->function->variant == SET_SUPERSET;
    bool held = call->function->variant != SET_DISJOINT;
    const struct table *part = super ? other.as.table : call->self.as.table;
    const struct table *whole = super ? call->self.as.table : other.as.table;
    const struct table_entry *entry;
    bool all = true;
    for (size_t i = 0; all && (entry = table_next(part, &i));) {
        all = (table_find_hashed(whole, entry->hash, entry->key) != NULL) == held;
    }
    *out = value_bool(all);
    return charge(native_state(call), part->count, err);
}

const struct native_function set_methods[] = {
    {"add", set_add, params_x, 0},
    {"clear", set_clear, params_none, 0},
    {"difference", set_combine, params_rest_items, BINARY_SUB},
    {"difference_update", set_update, params_rest_items, BINARY_SUB},
    {"discard", set_remove, params_x, SET_DISCARD},
    {"intersection", set_combine, params_rest_items, BINARY_AND},
    {"intersection_update", set_update, params_rest_items, BINARY_AND},
    {"isdisjoint", set_compare, params_items, SET_DISJOINT},
    {"issubset", set_compare, params_items, SET_SUBSET},
    {"issuperset", set_compare, params_items, SET_SUPERSET},
    {"pop", set_pop, params_none, 0},
    {"remove", set_remove, params_x, SET_REMOVE},
    {"symmetric_difference", set_combine, params_items, BINARY_XOR},
    {"symmetric_difference_update", set_update, params_items, BINARY_XOR},
    {"union", set_combine, params_rest_items, BINARY_OR},
    {"update", set_update, params_rest_items, BINARY_OR},
    {0},
};
