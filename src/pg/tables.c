/* Tables for column() and row(): asked of the catalog when first named, kept for the run. */
#include "pg/check_facts.h"
#include "pg/decode.h"
#include "pg/queries.h"
#include "pg/session.h"

#include "value/json.h"

#include <string.h>

/* A member of a JSON object; None where there is none. */
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

/* Type modifiers, as varchar's and numeric's input functions make them. */
static void read_modifier(struct column_facts *column, int64_t modifier)
{
    enum { HEADER = 4 };
    bool text = strcmp(column->type, "varchar") == 0 || strcmp(column->type, "bpchar") == 0;
    bool numeric = strcmp(column->type, "numeric") == 0;
    column->length = text && modifier >= HEADER ? modifier - HEADER : -1;
    column->precision = numeric && modifier >= HEADER ? (modifier - HEADER) >> 16 & 0xffff : -1;
    column->scale = numeric ? (((modifier - HEADER) & 0x7ff) ^ 1024) - 1024 : 0;
}

static void read_column(struct arena *arena, struct value from, struct column_facts *out)
{
    out->name = text_member(from, "name");
    out->type = text_member(from, "type");
    out->type_name = text_member(from, "type_name");
    out->array = bool_member(from, "array");
    out->not_null = bool_member(from, "not_null");
    out->left_out = bool_member(from, "left_out");
    struct value modifier = member(from, "modifier");
    read_modifier(out, modifier.type == VALUE_INT ? modifier.as.integer : -1);
    const struct list *labels = items_of(from, "labels");
    for (size_t i = 0; i < labels->count; i++) {
        *VEC_PUSH(arena, &out->labels) = value_cstr(labels->items[i]);
    }
    const struct list *checks = items_of(from, "checks");
    for (size_t i = 0; i < checks->count; i++) {
        check_facts_read(arena, value_cstr(checks->items[i]), out);
    }
}

static void read_key(struct arena *arena, struct value from, struct key_facts *out)
{
    const struct list *columns = items_of(from, "columns");
    for (size_t i = 0; i < columns->count; i++) {
        *VEC_PUSH(arena, &out->columns) = (size_t)columns->items[i].as.integer;
    }
    out->query = text_member(from, "query");
}

static const struct table_facts *read_table(struct arena *arena, const char *name,
                                            struct value from, struct value keys)
{
    struct table_facts *table = ARENA_NEW(arena, struct table_facts);
    table->name = arena_strdup(arena, name);
    const struct list *columns = items_of(from, "columns");
    for (size_t i = 0; i < columns->count; i++) {
        struct column_facts *column = VEC_PUSH(arena, &table->columns);
        *column = (struct column_facts){0};
        read_column(arena, columns->items[i], column);
    }
    for (size_t i = 0; keys.type == VALUE_LIST && i < keys.as.list->count; i++) {
        struct key_facts *key = VEC_PUSH(arena, &table->keys);
        *key = (struct key_facts){0};
        read_key(arena, keys.as.list->items[i], key);
    }
    return table;
}

static bool no_table(struct session *session, const char *name, struct value from,
                     struct error *err)
{
    const struct list *tables = items_of(from, "tables");
    const char **names = ARENA_ARRAY(&session->arena, const char *, tables->count);
    for (size_t i = 0; i < tables->count; i++) {
        names[i] = value_cstr(tables->items[i]);
    }
    const char *close = closest_name(name, names, tables->count);
    error_set(err, ERROR_MACHINE, "there is no table '%s'", name);
    if (close) {
        error_hint(err, "did you mean '%s'?", close);
    }
    return false;
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

bool session_table(struct session *session, const char *name, const struct table_facts **out,
                   struct error *err)
{
    for (size_t i = 0; i < session->tables.count; i++) {
        if (strcmp(session->tables.items[i]->name, name) == 0) {
            *out = session->tables.items[i];
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
        return no_table(session, name, facts, err);
    }
    if (!ask_json(session, query_keys, oid, &keys, err)) {
        return false;
    }
    *out = read_table(&session->arena, name, facts, keys);
    *VEC_PUSH(&session->arena, &session->tables) = *out;
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
    return session_table(session, table_name, &table, err) &&
           (!column || table_column(table, column, err));
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

static bool decode_row(struct session *session, const PGresult *result, int row,
                       struct arena *arena, struct value *out, struct error *err)
{
    const struct decoder decoder = {&session->types, arena};
    int columns = PQnfields(result);
    struct value *items = ARENA_ARRAY(arena, struct value, (size_t)columns);
    for (int i = 0; i < columns; i++) {
        if (!decode_value(&decoder, types_get(&session->types, PQftype(result, i)),
                          PQgetvalue(result, row, i), (size_t)PQgetlength(result, row, i),
                          &items[i], err)) {
            return false;
        }
    }
    *out = value_tuple(arena, items, (size_t)columns);
    return true;
}

bool session_rows(struct session *session, const struct key_facts *key, struct arena *arena,
                  struct value *out, struct error *err)
{
    *out = value_list(arena);
    if (session->failed) {
        return true; /* the example is over */
    }
    /* as the connecting user, who sees all rows */
    PGresult *result =
        session_context(session, NULL, err) ? session_ask(session, key->query, NULL, err) : NULL;
    bool ok = result != NULL;
    uint32_t types[32];
    size_t count = 0;
    for (int i = 0; ok && i < PQnfields(result); i++) {
        types[count++] = PQftype(result, i);
    }
    ok = ok && session_learn_types(session, types, count, err);
    for (int i = 0; ok && i < PQntuples(result); i++) {
        struct value row;
        ok = decode_row(session, result, i, arena, &row, err);
        if (ok) {
            list_append(out->as.list, row);
        }
    }
    PQclear(result);
    return ok;
}
