/* Methods of dicts. */
#include "lang/builtins/methods.h"
#include "lang/builtins/native.h"

static native_fn dict_clear, dict_get, dict_items, dict_keys, dict_pop, dict_popitem,
    dict_setdefault, dict_update, dict_values;

const struct native_function dict_methods[] = {
    {"clear", dict_clear, NULL},
    {"get", dict_get, NULL},
    {"items", dict_items, NULL},
    {"keys", dict_keys, NULL},
    {"pop", dict_pop, NULL},
    {"popitem", dict_popitem, NULL},
    {"setdefault", dict_setdefault, NULL},
    {"update", dict_update, NULL},
    {"values", dict_values, NULL},
    {0},
};

/* key[, default], by position or as default=. */
static const struct native_param get_params[] = {
    {"key", PARAM_REQUIRED, true},
    {"default", PARAM_OPTIONAL, false},
    {0},
};

static bool dict_clear(const struct native_call *call, struct value *out, struct error *err)
{
    *out = value_none();
    if (!native_positional(call, "clear", 0, 0, err) ||
        !caller_check_mutable(call->caller, call->self, err)) {
        return false;
    }
    table_clear(call->self.as.table);
    return true;
}

static bool dict_get(const struct native_call *call, struct value *out, struct error *err)
{
    struct value args[2] = {value_none(), value_none()};
    struct table_entry *entry;
    if (!native_bind("get", get_params, call, args, err) ||
        !entry_find(native_state(call), call->self.as.table, args[0], &entry, err)) {
        return false;
    }
    *out = entry ? entry->value : args[1];
    return true;
}

enum part { PART_KEY, PART_VALUE, PART_PAIR };

static bool list_parts(const struct native_call *call, const char *name, enum part part,
                       struct value *out, struct error *err)
{
    const struct table *table = call->self.as.table;
    struct arena *arena = call->caller->arena;
    size_t size = (part == PART_PAIR ? 6 : 2) * sizeof(struct value);
    if (!native_positional(call, name, 0, 0, err) ||
        !charge(native_state(call), table->count, err) ||
        !room_for(native_state(call), table->count, size, err)) {
        return false;
    }
    *out = value_list(arena);
    for (size_t i = 0; i < table->used; i++) {
        const struct table_entry *entry = &table->entries[i];
        if (entry->live) {
            struct value pair[2] = {entry->key, entry->value};
            list_append(out->as.list, part == PART_KEY     ? entry->key
                                      : part == PART_VALUE ? entry->value
                                                           : value_tuple(arena, pair, 2));
        }
    }
    return true;
}

static bool dict_items(const struct native_call *call, struct value *out, struct error *err)
{
    return list_parts(call, "items", PART_PAIR, out, err);
}

static bool dict_keys(const struct native_call *call, struct value *out, struct error *err)
{
    return list_parts(call, "keys", PART_KEY, out, err);
}

static bool dict_values(const struct native_call *call, struct value *out, struct error *err)
{
    return list_parts(call, "values", PART_VALUE, out, err);
}

static bool dict_pop(const struct native_call *call, struct value *out, struct error *err)
{
    struct value args[2] = {value_none(), unset_value()};
    struct table_entry *entry;
    if (!native_bind("pop", get_params, call, args, err) ||
        !caller_check_mutable(call->caller, call->self, err) ||
        !entry_find(native_state(call), call->self.as.table, args[0], &entry, err)) {
        return false;
    }
    if (entry) {
        *out = entry->value;
        table_remove(call->self.as.table, entry);
        return true;
    }
    *out = args[1];
    if (is_unset(args[1])) {
        struct strbuf key = {0};
        value_repr(args[0], &key);
        (void)error_set(err, ERROR_MACHINE, "the dict has no key %.200s", strbuf_text(&key));
        error_hint(err, "d.pop(key, None) does nothing where there is none");
        strbuf_free(&key);
        return false;
    }
    return true;
}

static bool dict_popitem(const struct native_call *call, struct value *out, struct error *err)
{
    if (!native_positional(call, "popitem", 0, 0, err) ||
        !caller_check_mutable(call->caller, call->self, err)) {
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
    struct value args[2] = {value_none(), value_none()};
    struct table_entry *entry;
    if (!native_bind("setdefault", get_params, call, args, err) ||
        !caller_check_mutable(call->caller, call->self, err) ||
        !entry_find(native_state(call), call->self.as.table, args[0], &entry, err)) {
        return false;
    }
    *out = entry ? entry->value : args[1];
    return entry || table_set(call->self.as.table, args[0], args[1], err);
}

static bool add_pair(struct lang_state *state, const char *name, struct table *table,
                     struct value pair, struct error *err)
{
    size_t count = 0;
    struct items items;
    if (pair.type == VALUE_STRING || !value_length(pair, &count, NULL) || count != 2) {
        return error_set(err, ERROR_MACHINE, "%s() wants pairs of key and value, not %s", name,
                         value_type_name(pair));
    }
    return items_of(state, pair, &items, err) &&
           entry_set(state, table, items.items[0], items.items[1], err);
}

static bool add_pairs(const struct native_call *call, const char *name, struct table *table,
                      struct error *err)
{
    struct lang_state *state = native_state(call);
    struct value from = call->args[0];
    struct items items;
    if (from.type == VALUE_DICT) {
        struct value to = {.type = VALUE_DICT, .as.table = table};
        return tables_update(state, BINARY_OR, to, from, err);
    }
    if (!items_of(state, from, &items, err) ||
        !room_for(state, items.count, sizeof(struct table_entry), err)) {
        return false;
    }
    for (size_t i = 0; i < items.count; i++) {
        if (!add_pair(state, name, table, items.items[i], err)) {
            return false;
        }
    }
    return true;
}

bool native_dict_update(const struct native_call *call, const char *name, struct table *table,
                        struct error *err)
{
    if (call->arg_count > 1) {
        return error_set(err, ERROR_MACHINE,
                         "%s() takes at most 1 positional argument, but %zu were given", name,
                         call->arg_count);
    }
    if (call->arg_count && !add_pairs(call, name, table, err)) {
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
    *out = value_none();
    return caller_check_mutable(call->caller, call->self, err) &&
           native_dict_update(call, "update", call->self.as.table, err);
}
