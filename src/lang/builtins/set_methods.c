/* Methods of sets. */
#include "lang/builtins/methods.h"
#include "lang/builtins/native.h"

static native_fn set_add, set_clear, set_difference, set_difference_update, set_discard,
    set_intersection, set_intersection_update, set_isdisjoint, set_issubset, set_issuperset,
    set_pop, set_remove, set_symmetric_difference, set_symmetric_difference_update, set_union,
    set_update;

const struct native_function set_methods[] = {
    {"add", set_add, NULL},
    {"clear", set_clear, NULL},
    {"difference", set_difference, NULL},
    {"difference_update", set_difference_update, NULL},
    {"discard", set_discard, NULL},
    {"intersection", set_intersection, NULL},
    {"intersection_update", set_intersection_update, NULL},
    {"isdisjoint", set_isdisjoint, NULL},
    {"issubset", set_issubset, NULL},
    {"issuperset", set_issuperset, NULL},
    {"pop", set_pop, NULL},
    {"remove", set_remove, NULL},
    {"symmetric_difference", set_symmetric_difference, NULL},
    {"symmetric_difference_update", set_symmetric_difference_update, NULL},
    {"union", set_union, NULL},
    {"update", set_update, NULL},
    {0},
};

static bool changing(const struct native_call *call, const char *name, size_t min, size_t max,
                     struct error *err)
{
    return native_positional(call, name, min, max, err) &&
           caller_check_mutable(call->caller, call->self, err);
}

static bool set_add(const struct native_call *call, struct value *out, struct error *err)
{
    *out = value_none();
    return changing(call, "add", 1, 1, err) &&
           entry_set(native_state(call), call->self.as.table, call->args[0], value_none(), err);
}

static bool set_clear(const struct native_call *call, struct value *out, struct error *err)
{
    *out = value_none();
    if (!changing(call, "clear", 0, 0, err)) {
        return false;
    }
    table_clear(call->self.as.table);
    return true;
}

static bool remove_item(const struct native_call *call, const char *name, bool *found,
                        struct error *err)
{
    struct table_entry *entry;
    if (!changing(call, name, 1, 1, err) ||
        !entry_find(native_state(call), call->self.as.table, call->args[0], &entry, err)) {
        return false;
    }
    *found = entry != NULL;
    if (entry) {
        table_remove(call->self.as.table, entry);
    }
    return true;
}

static bool set_discard(const struct native_call *call, struct value *out, struct error *err)
{
    bool found;
    *out = value_none();
    return remove_item(call, "discard", &found, err);
}

static bool set_remove(const struct native_call *call, struct value *out, struct error *err)
{
    bool found;
    *out = value_none();
    if (!remove_item(call, "remove", &found, err)) {
        return false;
    }
    if (!found) {
        (void)error_set(err, ERROR_MACHINE, "remove() does not find the item in the set");
        error_hint(err, "s.discard(x) does nothing where there is none");
    }
    return found;
}

static bool set_pop(const struct native_call *call, struct value *out, struct error *err)
{
    if (!changing(call, "pop", 0, 0, err)) {
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

/* Any collection as a set: itself if it is one. */
static bool as_set(struct lang_state *state, struct value value, struct value *out,
                   struct error *err)
{
    *out = value;
    return value.type == VALUE_SET || set_of(state, value, out, err);
}

/* Changes `set` by each of the arguments in turn. */
static bool apply_all(const struct native_call *call, enum binary_op op, struct value set,
                      struct error *err)
{
    for (size_t i = 0; i < call->arg_count; i++) {
        struct value other;
        if (!as_set(native_state(call), call->args[i], &other, err) ||
            !tables_update(native_state(call), op, set, other, err)) {
            return false;
        }
    }
    return true;
}

static bool combine(const struct native_call *call, const char *name, enum binary_op op,
                    struct value *out, struct error *err)
{
    struct value empty = value_set(call->caller->arena);
    bool one = op == BINARY_XOR;
    return native_positional(call, name, one ? 1 : 0, one ? 1 : SIZE_MAX, err) &&
           tables_apply(native_state(call), BINARY_OR, call->self, empty, out, err) &&
           apply_all(call, op, *out, err);
}

static bool combine_in_place(const struct native_call *call, const char *name, enum binary_op op,
                             struct value *out, struct error *err)
{
    bool one = op == BINARY_XOR;
    *out = value_none();
    return changing(call, name, one ? 1 : 0, one ? 1 : SIZE_MAX, err) &&
           apply_all(call, op, call->self, err);
}

static bool set_union(const struct native_call *call, struct value *out, struct error *err)
{
    return combine(call, "union", BINARY_OR, out, err);
}

static bool set_intersection(const struct native_call *call, struct value *out, struct error *err)
{
    return combine(call, "intersection", BINARY_AND, out, err);
}

static bool set_difference(const struct native_call *call, struct value *out, struct error *err)
{
    return combine(call, "difference", BINARY_SUB, out, err);
}

static bool set_symmetric_difference(const struct native_call *call, struct value *out,
                                     struct error *err)
{
    return combine(call, "symmetric_difference", BINARY_XOR, out, err);
}

static bool set_update(const struct native_call *call, struct value *out, struct error *err)
{
    return combine_in_place(call, "update", BINARY_OR, out, err);
}

static bool set_intersection_update(const struct native_call *call, struct value *out,
                                    struct error *err)
{
    return combine_in_place(call, "intersection_update", BINARY_AND, out, err);
}

static bool set_difference_update(const struct native_call *call, struct value *out,
                                  struct error *err)
{
    return combine_in_place(call, "difference_update", BINARY_SUB, out, err);
}

static bool set_symmetric_difference_update(const struct native_call *call, struct value *out,
                                            struct error *err)
{
    return combine_in_place(call, "symmetric_difference_update", BINARY_XOR, out, err);
}

/* Whether each item of `a` is in `b`, or none is. */
static bool compare_items(struct lang_state *state, struct value a, struct value b, bool held,
                          struct value *out, struct error *err)
{
    const struct table *table = a.as.table;
    bool all = true;
    for (size_t i = 0; all && i < table->used; i++) {
        const struct table_entry *entry = &table->entries[i];
        all = !entry->live ||
              (table_find_hashed(b.as.table, entry->hash, entry->key) != NULL) == held;
    }
    *out = value_bool(all);
    return charge(state, table->count, err);
}

static bool one_set(const struct native_call *call, const char *name, struct value *other,
                    struct error *err)
{
    return native_positional(call, name, 1, 1, err) &&
           as_set(native_state(call), call->args[0], other, err);
}

static bool set_isdisjoint(const struct native_call *call, struct value *out, struct error *err)
{
    struct value other;
    return one_set(call, "isdisjoint", &other, err) &&
           compare_items(native_state(call), call->self, other, false, out, err);
}

static bool set_issubset(const struct native_call *call, struct value *out, struct error *err)
{
    struct value other;
    return one_set(call, "issubset", &other, err) &&
           compare_items(native_state(call), call->self, other, true, out, err);
}

static bool set_issuperset(const struct native_call *call, struct value *out, struct error *err)
{
    struct value other;
    return one_set(call, "issuperset", &other, err) &&
           compare_items(native_state(call), other, call->self, true, out, err);
}
