/* Methods of dicts. */
#include "lang/builtins/methods.h"
#include "lang/builtins/native.h"

static bool dict_clear(const struct native_call *call, struct value *out, struct error *err)
{
    if (!native_changes(call, out, err)) {
        return false;
    }
    table_clear(call->self.as.table);
    return true;
}

static bool dict_get(const struct native_call *call, struct value *out, struct error *err)
{
    struct table_entry *entry;
    if (!entry_find(native_state(call), call->self.as.table, call->args[0], &entry, err)) {
        return false;
    }
    *out = entry ? entry->value : call->args[1];
    return true;
}

enum { PART_KEY, PART_VALUE, PART_PAIR };

/* keys, values, items */
static bool dict_list(const struct native_call *call, struct value *out, struct error *err)
{
    int part = call->function->variant;
    const struct table *table = call->self.as.table;
    struct arena *arena = call->caller->arena;
    size_t size = (part == PART_PAIR ? 6 : 2) * sizeof(struct value);
    if (!charge(native_state(call), table->count, err) ||
        !room_for(native_state(call), table->count, size, err)) {
        return false;
    }
    *out = value_list(arena);
    const struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(table, &i));) {
        struct value pair[2] = {entry->key, entry->value};
        list_append(out->as.list, part == PART_PAIR ? value_tuple(arena, pair, 2) : pair[part]);
    }
    return true;
}

static bool dict_pop(const struct native_call *call, struct value *out, struct error *err)
{
    struct table_entry *entry;
    if (!native_changes(call, out, err) ||
        !entry_find(native_state(call), call->self.as.table, call->args[0], &entry, err)) {
        return false;
    }
    if (!entry && is_unset(call->args[1])) {
        return no_such_key(call->args[0], "d.pop(key, None) does nothing where there is none", err);
    }
    *out = entry ? entry->value : call->args[1];
    if (entry) {
        table_remove(call->self.as.table, entry);
    }
    return true;
}

static bool dict_popitem(const struct native_call *call, struct value *out, struct error *err)
{
    if (!native_changes(call, out, err)) {
        return false;
    }
    struct table_entry *entry = table_first(call->self.as.table);
    if (!entry) {
        return error_set(err, ERROR_MACHINE, "popitem() from an empty dict");
    }
    struct value pair[2] = {entry->key, entry->value};
    *out = value_tuple(call->caller->arena, pair, 2);
    table_remove(call->self.as.table, entry);
    return true;
}

static bool dict_setdefault(const struct native_call *call, struct value *out, struct error *err)
{
    struct table_entry *entry;
    if (!native_changes(call, out, err) ||
        !entry_find(native_state(call), call->self.as.table, call->args[0], &entry, err)) {
        return false;
    }
    *out = entry ? entry->value : call->args[1];
    return entry || table_set(call->self.as.table, call->args[0], *out, err);
}

static bool no_pair(const struct native_call *call, struct value value, struct error *err)
{
    return error_set(err, ERROR_MACHINE, "%s() expects pairs of key and value, not %s",
                     call->function->name, value_type_name(value));
}

static bool add_pair(const struct native_call *call, struct table *table, struct value pair,
                     struct error *err)
{
    size_t count = 0;
    struct items items;
    if (pair.type == VALUE_STRING || !value_length(pair, &count, NULL) || count != 2) {
        return no_pair(call, pair, err);
    }
    return items_of(native_state(call), pair, &items, err) &&
           entry_set(native_state(call), table, items.items[0], items.items[1], err);
}

static bool add_pairs(const struct native_call *call, struct table *table, struct error *err)
{
    struct lang_state *state = native_state(call);
    struct value from = call->args[0];
    struct items items;
    if (from.type == VALUE_DICT) {
        struct value to = {.type = VALUE_DICT, .as.table = table};
        return tables_update(state, BINARY_OR, to, from, err);
    }
    if (!value_has_items(from)) {
        return no_pair(call, from, err);
    }
    if (!items_of(state, from, &items, err) ||
        !room_for(state, items.count, sizeof(struct table_entry), err)) {
        return false;
    }
    for (size_t i = 0; i < items.count; i++) {
        if (!add_pair(call, table, items.items[i], err)) {
            return false;
        }
    }
    return true;
}

bool native_dict_update(const struct native_call *call, struct table *table, struct error *err)
{
    if (call->arg_count > 1) {
        return error_set(err, ERROR_MACHINE,
                         "%s() accepts at most 1 positional argument, but %zu were given",
                         call->function->name, call->arg_count);
    }
    if (call->arg_count && !add_pairs(call, table, err)) {
        return false;
    }
    for (size_t i = 0; i < call->named_count; i++) {
        struct value key = value_text(call->caller->arena, call->named[i].name);
        if (!table_set(table, key, call->named[i].value, err)) {
            return false;
        }
    }
    return true;
}

static bool dict_update(const struct native_call *call, struct value *out, struct error *err)
{
    return native_changes(call, out, err) && native_dict_update(call, call->self.as.table, err);
}

/* key[, default], by position or as default=. */
static const struct native_param get_params[] = {
    {"key", PARAM_REQUIRED, PARAM_POSITIONAL}, {"default", PARAM_OPTIONAL, 0}, {0}};
static const struct native_param pop_params[] = {
    {"key", PARAM_REQUIRED, PARAM_POSITIONAL}, {"default", PARAM_OPTIONAL, PARAM_UNSET}, {0}};

const struct native_function dict_methods[] = {
    {"clear", dict_clear, params_none, 0},
    {"get", dict_get, get_params, 0},
    {"items", dict_list, params_none, PART_PAIR},
    {"keys", dict_list, params_none, PART_KEY},
    {"pop", dict_pop, pop_params, 0},
    {"popitem", dict_popitem, params_none, 0},
    {"setdefault", dict_setdefault, get_params, 0},
    {"update", dict_update, NULL, 0},
    {"values", dict_list, params_none, PART_VALUE},
    {0},
};
