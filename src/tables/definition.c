#include "tables/definition.h"

#include <string.h>

/* A definition being read. */
struct reading {
    struct arena *arena;
    struct definition *definition;
    struct table_definition *table; /* the one being read */
    struct error *err;
};

/* A key of a dict, and the function that reads its value. */
struct field {
    const char *name;
    bool (*read)(struct reading *reading, void *into, struct value value);
};

static bool wrong_field(struct reading *reading, const char *what, const char *wanted,
                        struct value value)
{
    return error_set(reading->err, ERROR_MACHINE, "%s must be %s, not %s", what, wanted,
                     value_repr_text(reading->arena, value));
}

static bool unknown_field(struct reading *reading, const struct field *fields, struct value key)
{
    size_t count = 0;
    while (fields[count].name) {
        count++;
    }
    if (key.type != VALUE_STRING) {
        return wrong_field(reading, "a key", "a string", key);
    }
    const char *meant = closest_of(value_cstr(key), fields, count, sizeof *fields);
    return error_set(reading->err, ERROR_MACHINE, "unknown key %s%s",
                     value_repr_text(reading->arena, key),
                     meant ? arena_printf(reading->arena, ", did you mean '%s'?", meant) : "");
}

static bool read_fields(struct reading *reading, const struct field *fields, void *into,
                        struct value dict)
{
    const struct table_entry *entry;
    for (size_t at = 0; (entry = table_next(dict.as.table, &at));) {
        const struct field *field = fields;
        while (field->name && !value_is_string(entry->key, field->name)) {
            field++;
        }
        if (!field->name) {
            return unknown_field(reading, fields, entry->key);
        }
        if (!field->read(reading, into, entry->value)) {
            return error_context(reading->err, "%s", field->name);
        }
    }
    return true;
}

/* A list of strings; one string stands for a list of one. */
static bool read_columns(struct reading *reading, void *into, struct value value)
{
    struct column_list *columns = into;
    struct items items = value_items(value);
    if (value.type == VALUE_STRING) {
        items = (struct items){arena_memdup(reading->arena, &value, sizeof value), 1};
    } else if (value.type != VALUE_LIST && value.type != VALUE_TUPLE) {
        return wrong_field(reading, "columns", "a list of names", value);
    }
    for (size_t i = 0; i < items.count; i++) {
        if (items.items[i].type != VALUE_STRING) {
            return wrong_field(reading, "a column", "a name", items.items[i]);
        }
    }
    *columns = (struct column_list){items.items, items.count};
    return true;
}

static bool same_columns(const struct column_list *a, const struct column_list *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        same = value_equal(a->names[i], b->names[i]);
    }
    return same;
}

/* Finds or adds the table's index over the columns, in their order. */
static size_t index_over(struct reading *reading, struct table_definition *table,
                         const struct column_list *columns)
{
    for (size_t i = 0; i < table->indexes.count; i++) {
        if (same_columns(&table->indexes.items[i], columns)) {
            return i;
        }
    }
    *VEC_PUSH(reading->arena, &table->indexes) = *columns;
    return table->indexes.count - 1;
}

static bool read_list(struct reading *reading, void *into, struct value value)
{
    struct items *items = into;
    *items = value_items(value);
    return value.type == VALUE_LIST || value.type == VALUE_TUPLE ||
           wrong_field(reading, "errors", "a list", value);
}

static bool read_key(struct reading *reading, void *into, struct value value)
{
    struct table_definition *table = into;
    return read_columns(reading, &table->key, value);
}

static bool read_domains(struct reading *reading, void *into, struct value value)
{
    struct table_definition *table = into;
    return read_columns(reading, &table->domains, value);
}

static bool read_required(struct reading *reading, void *into, struct value value)
{
    struct table_definition *table = into;
    return read_columns(reading, &table->required, value);
}

static bool read_relation(struct reading *reading, void *into, struct value value)
{
    struct table_definition *table = into;
    table->relation = value;
    return value.type == VALUE_STRING || value.type == VALUE_NONE ||
           wrong_field(reading, "the table that errors name", "a name or None", value);
}

static bool add_unique(struct reading *reading, struct value name, struct value value)
{
    struct column_list columns;
    if (name.type != VALUE_STRING && name.type != VALUE_NONE) {
        return wrong_field(reading, "a constraint", "a name or None", name);
    }
    if (!read_columns(reading, &columns, value)) {
        return false;
    }
    *VEC_PUSH(reading->arena, &reading->table->uniques) =
        (struct unique){name, index_over(reading, reading->table, &columns)};
    return true;
}

/* Constraints are a dict by name, or a list if their names are unknown. */
static bool each_constraint(struct reading *reading, struct value value,
                            bool (*add)(struct reading *reading, struct value name,
                                        struct value value))
{
    struct items items = value_items(value);
    if (value.type == VALUE_DICT) {
        const struct table_entry *entry;
        for (size_t at = 0; (entry = table_next(value.as.table, &at));) {
            if (!add(reading, entry->key, entry->value)) {
                return error_context(reading->err, "%s",
                                     value_repr_text(reading->arena, entry->key));
            }
        }
        return true;
    }
    for (size_t i = 0; i < items.count; i++) {
        if (!add(reading, value_none(), items.items[i])) {
            return false;
        }
    }
    return value.type == VALUE_LIST || value.type == VALUE_TUPLE ||
           wrong_field(reading, "constraints", "a dict or a list", value);
}

static bool read_unique(struct reading *reading, void *into, struct value value)
{
    (void)into;
    return each_constraint(reading, value, add_unique);
}

static bool read_may(struct reading *reading, void *into, struct value value)
{
    struct table_definition *table = into;
    return read_list(reading, &table->may, value);
}

static bool read_may_early(struct reading *reading, void *into, struct value value)
{
    struct table_definition *table = into;
    return read_list(reading, &table->may_early, value);
}

static bool read_raised(struct reading *reading, void *into, struct value value)
{
    struct table_definition *table = into;
    return read_list(reading, &table->raised, value);
}

static bool read_events(struct reading *reading, unsigned *out, struct value value)
{
    static const struct {
        const char *name;
        unsigned event;
    } events[] = {{"insert", EVENT_INSERT}, {"update", EVENT_UPDATE}, {"delete", EVENT_DELETE}};
    struct items items = value_items(value);
    for (size_t i = 0; i < items.count; i++) {
        unsigned found = 0;
        for (size_t j = 0; j < sizeof events / sizeof *events; j++) {
            found |= value_is_string(items.items[i], events[j].name) ? events[j].event : 0;
        }
        if (!found) {
            return wrong_field(reading, "an event", "insert, update or delete", items.items[i]);
        }
        *out |= found;
    }
    return value.type == VALUE_LIST || value.type == VALUE_TUPLE ||
           wrong_field(reading, "events", "a list", value);
}

static bool read_before(struct reading *reading, void *into, struct value value)
{
    struct table_definition *table = into;
    return read_events(reading, &table->before, value);
}

static bool read_after(struct reading *reading, void *into, struct value value)
{
    struct table_definition *table = into;
    return read_events(reading, &table->after, value);
}

static bool read_adds(struct reading *reading, void *into, struct value value)
{
    struct table_definition *table = into;
    return read_columns(reading, &table->adds, value);
}

static bool read_removes(struct reading *reading, void *into, struct value value)
{
    struct table_definition *table = into;
    return read_columns(reading, &table->removes, value);
}

static bool read_forms(struct reading *reading, void *into, struct value value)
{
    struct table_definition *table = into;
    table->forms = value;
    return value.type == VALUE_DICT || wrong_field(reading, "forms", "a dict", value);
}

/* A foreign key without its indexes, which need both tables. */
struct reference_draft {
    struct column_list columns, key;
    struct value parent;
    struct reference reference;
    bool exact;
};

static bool read_parent(struct reading *reading, void *into, struct value value)
{
    struct reference_draft *draft = into;
    draft->parent = value;
    return value.type == VALUE_STRING || wrong_field(reading, "a table", "a name", value);
}

static bool read_child_columns(struct reading *reading, void *into, struct value value)
{
    struct reference_draft *draft = into;
    return read_columns(reading, &draft->columns, value);
}

static bool read_parent_key(struct reading *reading, void *into, struct value value)
{
    struct reference_draft *draft = into;
    return read_columns(reading, &draft->key, value);
}

static bool read_action(struct reading *reading, struct action *out, struct value value)
{
    static const struct {
        const char *name;
        enum action_kind kind;
    } actions[] = {{"no action", ACTION_NOTHING},
                   {"restrict", ACTION_RESTRICT},
                   {"cascade", ACTION_CASCADE},
                   {"set null", ACTION_SET}};
    if (value.type == VALUE_DICT) {
        *out = (struct action){ACTION_SET, value};
        return true;
    }
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (value_is_string(value, actions[i].name)) {
            *out = (struct action){.kind = actions[i].kind};
            return true;
        }
    }
    return wrong_field(reading, "an action",
                       "\"no action\", \"restrict\", \"cascade\", \"set null\" or a dict of values",
                       value);
}

static bool read_on_delete(struct reading *reading, void *into, struct value value)
{
    struct reference_draft *draft = into;
    return read_action(reading, &draft->reference.on_delete, value);
}

static bool read_on_update(struct reading *reading, void *into, struct value value)
{
    struct reference_draft *draft = into;
    return read_action(reading, &draft->reference.on_update, value);
}

static bool read_full(struct reading *reading, void *into, struct value value)
{
    struct reference_draft *draft = into;
    (void)reading;
    draft->reference.full = value_truth(value);
    return true;
}

static bool read_exact(struct reading *reading, void *into, struct value value)
{
    struct reference_draft *draft = into;
    (void)reading;
    draft->reference.inexact = !value_truth(value);
    return true;
}

static bool read_name(struct reading *reading, void *into, struct value value)
{
    struct reference_draft *draft = into;
    draft->reference.name = value;
    return value.type == VALUE_STRING || value.type == VALUE_NONE ||
           wrong_field(reading, "a constraint", "a name or None", value);
}

static const struct field reference_fields[] = {
    {"name", read_name},      {"columns", read_child_columns}, {"table", read_parent},
    {"key", read_parent_key}, {"on_delete", read_on_delete},   {"on_update", read_on_update},
    {"full", read_full},      {"exact", read_exact},           {0}};

/* "set null" without a list of columns sets all of them. */
static bool fill_set(struct reading *reading, const struct column_list *columns,
                     struct action *action)
{
    bool filled = true;
    if (action->kind == ACTION_SET && action->set.type == VALUE_NONE) {
        action->set = value_dict(reading->arena);
        for (size_t i = 0; filled && i < columns->count; i++) {
            filled = table_set(action->set.as.table, columns->names[i], value_none(), reading->err);
        }
    }
    return filled;
}

static bool add_reference(struct reading *reading, struct value name, struct value value)
{
    struct reference_draft draft = {0};
    struct definition *definition = reading->definition;
    struct reference *reference = &draft.reference;
    reference->name = name;
    reference->child = (size_t)(reading->table - definition->tables.items);
    if (value.type != VALUE_DICT) {
        return wrong_field(reading, "a foreign key", "a dict", value);
    }
    if (!read_fields(reading, reference_fields, &draft, value)) {
        return false;
    }
    if (draft.parent.type == VALUE_NONE || draft.columns.count == 0) {
        return error_set(reading->err, ERROR_MACHINE, "a foreign key needs columns and a table");
    }
    if (!definition_find(definition, draft.parent, &reference->parent, reading->err)) {
        return false;
    }
    struct table_definition *parent = &definition->tables.items[reference->parent];
    if (draft.key.count == 0) {
        draft.key = parent->key;
    }
    if (draft.key.count != draft.columns.count) {
        return error_set(reading->err, ERROR_MACHINE,
                         "%zu columns can't refer to the %zu of the key", draft.columns.count,
                         draft.key.count);
    }
    if (!fill_set(reading, &draft.columns, &reference->on_delete) ||
        !fill_set(reading, &draft.columns, &reference->on_update)) {
        return false;
    }
    reference->child_index = index_over(reading, reading->table, &draft.columns);
    reference->parent_index = index_over(reading, parent, &draft.key);
    *VEC_PUSH(reading->arena, &reading->table->refers) = definition->references.count;
    *VEC_PUSH(reading->arena, &parent->referred) = definition->references.count;
    *VEC_PUSH(reading->arena, &definition->references) = *reference;
    return true;
}

static bool read_references(struct reading *reading, void *into, struct value value)
{
    (void)into;
    return each_constraint(reading, value, add_reference);
}

/* Foreign keys are read later, when all keys are known. */
static bool skip_field(struct reading *reading, void *into, struct value value)
{
    (void)reading, (void)into, (void)value;
    return true;
}

static const struct field table_fields[] = {{"key", read_key},
                                            {"required", read_required},
                                            {"domains", read_domains},
                                            {"unique", read_unique},
                                            {"references", skip_field},
                                            {"relation", read_relation},
                                            {"may", read_may},
                                            {"may_early", read_may_early},
                                            {"raised", read_raised},
                                            {"fires_before", read_before},
                                            {"fires_after", read_after},
                                            {"adds", read_adds},
                                            {"removes", read_removes},
                                            {"forms", read_forms},
                                            {0}};

static bool each_table(struct reading *reading, struct value dict,
                       bool (*read)(struct reading *reading, struct value value))
{
    const struct table_entry *entry;
    size_t index = 0;
    for (size_t at = 0; (entry = table_next(dict.as.table, &at));) {
        reading->table = &reading->definition->tables.items[index++];
        if (!read(reading, entry->value)) {
            return error_context(reading->err, "tables(): %s",
                                 value_repr_text(reading->arena, entry->key));
        }
    }
    return true;
}

static bool read_table(struct reading *reading, struct value value)
{
    if (value.type != VALUE_DICT) {
        return wrong_field(reading, "a table", "a dict", value);
    }
    return read_fields(reading, table_fields, reading->table, value);
}

static bool read_table_references(struct reading *reading, struct value value)
{
    struct table_entry *entry = NULL;
    struct value key = value_text(reading->arena, "references");
    return table_find(value.as.table, key, &entry, reading->err) &&
           (!entry || read_references(reading, reading->table, entry->value) ||
            error_context(reading->err, "references"));
}

static bool add_tables(struct reading *reading, struct value dict)
{
    const struct table_entry *entry;
    for (size_t at = 0; (entry = table_next(dict.as.table, &at));) {
        if (entry->key.type != VALUE_STRING) {
            return wrong_field(reading, "tables(): a table", "a name", entry->key);
        }
        const char *dot = strrchr(value_cstr(entry->key), '.');
        (void)map_set_text(&reading->definition->names, value_cstr(entry->key),
                           entry->key.as.string->size, reading->definition->tables.count, NULL);
        struct table_definition *table = VEC_PUSH(reading->arena, &reading->definition->tables);
        table->name = entry->key;
        table->relation = dot ? value_text(reading->arena, dot + 1) : entry->key;
    }
    return true;
}

bool definition_read(struct arena *arena, struct value dict, struct definition *out,
                     struct error *err)
{
    struct reading reading = {.arena = arena, .definition = out, .err = err};
    *out = (struct definition){.names = {.arena = arena}};
    if (dict.type != VALUE_DICT) {
        return wrong_field(&reading, "tables(): the argument", "a dict of tables", dict);
    }
    return add_tables(&reading, dict) && each_table(&reading, dict, read_table) &&
           each_table(&reading, dict, read_table_references);
}

bool definition_find(const struct definition *definition, struct value name, size_t *out,
                     struct error *err)
{
    struct arena arena = {0};
    VEC(const char *) names = {0};
    if (name.type == VALUE_STRING &&
        map_get_text(&definition->names, value_cstr(name), name.as.string->size, out)) {
        return true;
    }
    for (size_t i = 0; i < definition->tables.count; i++) {
        *VEC_PUSH(&arena, &names) = value_cstr(definition->tables.items[i].name);
    }
    const char *meant =
        name.type == VALUE_STRING ? closest_name(value_cstr(name), names.items, names.count) : NULL;
    (void)error_set(err, ERROR_MACHINE, "there is no table %s%s", value_repr_text(&arena, name),
                    meant ? arena_printf(&arena, ", did you mean '%s'?", meant) : "");
    arena_free(&arena);
    return false;
}
