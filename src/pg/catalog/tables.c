/* Tables for column() and row(): asked of the catalog when first named, kept for the run. */
#include "pg/catalog/catalog.h"
#include "pg/catalog/check_facts.h"
#include "pg/session/queries.h"
#include "pg/types/decode.h"

#include "pgtypes/pgtypes.h"
#include "value/json/json.h"

#include <string.h>

/* A member of a JSON object; None if it lacks the member. */
static struct value member(struct value object, const char *name)
{
    struct arena arena = {0};
    struct table_entry *entry = NULL;
    struct value key = value_text(&arena, name);
    bool found =
        object.type == VALUE_DICT && table_find(object.as.table, key, &entry, NULL) && entry;
    struct value out = found ? entry->value : value_none();
    arena_free(&arena);
    return out;
}

static const char *text_member(struct value object, const char *name)
{
    struct value value = member(object, name);
    return value.type == VALUE_STRING ? value_cstr(value) : "";
}

static bool bool_member(struct value object, const char *name)
{
    struct value value = member(object, name);
    return value.type == VALUE_BOOL && value.as.boolean;
}

/* The items of a JSON array; none of a null. */
static const struct list *items_of(struct value object, const char *name)
{
    static const struct list none;
    struct value value = member(object, name);
    return value.type == VALUE_LIST ? value.as.list : &none;
}

/* The one value of a query with one parameter. */
static bool ask_json(struct session *session, const char *sql, const char *param, struct value *out,
                     struct error *err)
{
    const struct wire_params params = {.count = 1, .values = &param};
    PGresult *result = session_ask(session, sql, &params, err);
    bool ok = result && json_decode(&session->arena, PQgetvalue(result, 0, 0),
                                    (size_t)PQgetlength(result, 0, 0), out, err);
    PQclear(result);
    return ok;
}

/* Type modifiers, as the types' input functions make them. */
static void read_modifier(struct column_facts *column, int64_t modifier)
{
    enum { HEADER = 4, FRACTION_MAX = 6, SCALE_BITS = 0x7ff, SCALE_SIGN = 0x400 };
    enum type_modifier kind = modifier >= 0 ? pgtype_named(column->type)->modifier : MODIFIER_NONE;
    column->length = column->precision = column->fraction = -1;
    if (kind == MODIFIER_TEXT) {
        column->length = modifier - HEADER;
    } else if (kind == MODIFIER_BITS) {
        column->length = modifier;
    } else if (kind == MODIFIER_NUMERIC) {
        column->precision = (modifier - HEADER) >> 16 & 0xffff;
        column->scale = (((modifier - HEADER) & SCALE_BITS) ^ SCALE_SIGN) - SCALE_SIGN;
    } else if (kind == MODIFIER_TIME) { /* an interval's has its fields in front */
        column->fraction = (modifier & 0xffff) <= FRACTION_MAX ? modifier & 0xffff : -1;
    }
}

static void read_checks(struct arena *arena, struct value from, struct column_facts *out)
{
    const struct list *checks = items_of(from, "checks");
    for (size_t i = 0; i < checks->count; i++) {
        if (checks->items[i].type == VALUE_STRING) {
            check_facts_read(arena, value_cstr(checks->items[i]), out);
        }
    }
}

static enum type_shape read_shape(struct value from)
{
    static const char *const shapes[] = {[SHAPE_SCALAR] = "",
                                         [SHAPE_ARRAY] = "array",
                                         [SHAPE_RANGE] = "range",
                                         [SHAPE_MULTIRANGE] = "multirange",
                                         [SHAPE_COMPOSITE] = "composite"};
    const char *shape = text_member(from, "shape");
    size_t i = 0;
    while (i < SHAPE_COMPOSITE && strcmp(shapes[i], shape) != 0) {
        i++;
    }
    return (enum type_shape)i;
}

/* Asks the catalog about a type, once. */
static bool find_type(struct session *session, struct value oid, struct value *out,
                      struct error *err)
{
    struct table_entry *entry = NULL;
    if (session->catalog.types.type != VALUE_DICT) {
        session->catalog.types = value_dict(&session->arena);
    }
    if (!table_find(session->catalog.types.as.table, oid, &entry, err)) {
        return false;
    }
    if (entry) {
        *out = entry->value;
        return true;
    }
    return ask_json(session, query_type, value_cstr(oid), out, err) &&
           table_set(session->catalog.types.as.table, oid, *out, err);
}

/* A column or a part of one: its type, and what that is made of. `modifier` is that of what it is a
 * part of, -1 for none. A composite can't be a part of itself, so this ends. */
static bool read_column(struct session *session, struct value from, int64_t modifier,
                        struct column_facts *out, struct error *err)
{
    struct value type;
    struct value own = member(from, "modifier");
    if (!find_type(session, member(from, "type"), &type, err)) {
        return false;
    }
    struct value domain = member(type, "modifier");
    modifier = own.type == VALUE_INT ? own.as.integer : modifier;
    modifier = domain.type == VALUE_INT && domain.as.integer >= 0 ? domain.as.integer : modifier;
    *out = (struct column_facts){
        .name = text_member(from, "name"),
        .type = text_member(type, "type"),
        .type_name = text_member(from, "type_name"),
        .shape = read_shape(type),
        .not_null = bool_member(from, "not_null") || bool_member(type, "not_null"),
        .left_out = bool_member(from, "left_out"),
        .has_default = bool_member(from, "has_default"),
    };
    read_modifier(out, modifier);
    const struct list *labels = items_of(type, "labels");
    for (size_t i = 0; i < labels->count; i++) {
        *VEC_PUSH(&session->arena, &out->labels) = value_cstr(labels->items[i]);
    }
    read_checks(&session->arena, type, out);
    read_checks(&session->arena, from, out);
    const struct list *parts = items_of(type, "parts");
    for (size_t i = 0; i < parts->count; i++) {
        struct column_facts *part = VEC_PUSH(&session->arena, &out->parts);
        if (!read_column(session, parts->items[i], modifier, part, err)) {
            return false;
        }
    }
    return true;
}

static bool read_columns(struct session *session, struct value from, struct table_facts *table,
                         struct error *err)
{
    const struct list *columns = items_of(from, "columns");
    for (size_t i = 0; i < columns->count; i++) {
        struct column_facts *column = VEC_PUSH(&session->arena, &table->columns);
        if (!read_column(session, columns->items[i], -1, column, err)) {
            return false;
        }
    }
    return true;
}

/* The columns once more, each with what the partition asks of it. */
static bool read_partitions(struct session *session, struct value from, struct table_facts *table,
                            struct error *err)
{
    const struct list *partitions = items_of(from, "partitions");
    for (size_t i = 0; i < partitions->count; i++) {
        struct table_facts partition = {0};
        if (!read_columns(session, from, &partition, err)) {
            return false;
        }
        for (size_t j = 0; j < partition.columns.count; j++) {
            if (partitions->items[i].type == VALUE_STRING) {
                check_facts_read(&session->arena, value_cstr(partitions->items[i]),
                                 &partition.columns.items[j]);
            }
        }
        *VEC_PUSH(&session->arena, &table->partitions) = partition.columns.items;
    }
    return true;
}

static void read_key(struct arena *arena, struct value from, struct key_facts *out)
{
    const struct list *columns = items_of(from, "columns");
    for (size_t i = 0; i < columns->count; i++) {
        *VEC_PUSH(arena, &out->columns) = (size_t)columns->items[i].as.integer;
    }
    out->full = bool_member(from, "full");
    out->query = text_member(from, "query");
}

static bool read_table(struct session *session, const char *name, struct value from,
                       struct value keys, struct table_facts *out, struct error *err)
{
    struct arena *arena = &session->arena;
    out->name = arena_strdup(arena, name);
    for (size_t i = 0; keys.type == VALUE_LIST && i < keys.as.list->count; i++) {
        read_key(arena, keys.as.list->items[i], VEC_PUSH(arena, &out->keys));
    }
    return read_columns(session, from, out, err) && read_partitions(session, from, out, err);
}

static void no_table(struct session *session, const char *name, struct value from,
                     struct error *err)
{
    const struct list *tables = items_of(from, "tables");
    const char **names = ARENA_ARRAY(&session->arena, const char *, tables->count);
    for (size_t i = 0; i < tables->count; i++) {
        names[i] = value_cstr(tables->items[i]);
    }
    const char *close = closest_name(name, names, tables->count);
    error_set(err, ERROR_MACHINE, "there is no table '%s'", name);
    err->missing = true;
    if (close) {
        error_hint(err, "did you mean '%s'?", close);
    }
}

bool session_table(struct backend *backend, const char *name, const struct table_facts **out,
                   struct error *err)
{
    struct session *session = session_of(backend);
    for (size_t i = 0; i < session->catalog.tables.count; i++) {
        if (strcmp(session->catalog.tables.items[i]->name, name) == 0) {
            *out = session->catalog.tables.items[i];
            return true;
        }
    }
    struct value facts;
    struct value keys;
    if (!ask_json(session, query_table, name, &facts, err)) {
        return false;
    }
    const char *oid = text_member(facts, "table");
    if (*oid == '\0') {
        no_table(session, name, facts, err);
        return false;
    }
    if (!ask_json(session, query_keys, oid, &keys, err)) {
        return false;
    }
    struct table_facts *table = ARENA_NEW(&session->arena, struct table_facts);
    if (!read_table(session, name, facts, keys, table, err)) {
        return false;
    }
    *VEC_PUSH(&session->arena, &session->catalog.tables) = *out = table;
    return true;
}

static bool check_name(struct session *session, const struct catalog_name *name, struct error *err)
{
    const struct table_facts *table;
    const char *table_name = name->name;
    const char *column = NULL;
    if (name->column && !catalog_split(&session->arena, name->name, &table_name, &column)) {
        return true; /* said where it is drawn */
    }
    if (!session_table(&session->backend, table_name, &table, err)) {
        return false;
    }
    if (column) {
        const struct column_facts *found = table_column(table, column, err);
        return found && column_check_type(table, found, true, err);
    }
    for (size_t i = 0; i < table->columns.count; i++) {
        if (!column_check_type(table, &table->columns.items[i], false, err)) {
            return false;
        }
    }
    return true;
}

bool session_check_names(struct session *session, struct diagnostics *diagnostics,
                         struct error *err)
{
    for (size_t i = 0; i < session->machine->catalog_names.count; i++) {
        const struct catalog_name *name = &session->machine->catalog_names.items[i];
        if (check_name(session, name, err)) {
            continue;
        }
        if (err->code != ERROR_MACHINE) {
            return false;
        }
        err->pos = name->pos;
        diagnostics_add(diagnostics, err);
        *err = (struct error){0};
    }
    return true;
}
