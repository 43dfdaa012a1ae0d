#include "tables/tables.h"

#include "tables/effects.h"
#include "tables/form.h"
#include "tables/linked.h"

#include <string.h>

/* The result of tables(). */
struct tables {
    struct object object;
    const struct definition *definition;
    bool kept; /* the definition is kept for the next example */
    struct row_store store;
};

/* A call of a method. */
struct method_call {
    const struct native_call *native;
    struct tables *tables;
    size_t table; /* the first argument */
    const struct table_definition *definition;
    struct arena *arena;
    struct error *err;
};

/* A call without a table. */
static struct method_call call_of_all(const struct native_call *native, struct error *err)
{
    struct tables *tables = (struct tables *)(void *)native->self.as.object;
    return (struct method_call){.native = native,
                                .tables = tables,
                                .definition = tables->definition->tables.items,
                                .arena = native->caller->arena,
                                .err = err};
}

/* Reads the first argument, the table's name. */
static bool begin_call(struct method_call *call, const struct native_call *native,
                       struct error *err)
{
    struct tables *tables = (struct tables *)(void *)native->self.as.object;
    *call = (struct method_call){
        .native = native, .tables = tables, .arena = native->caller->arena, .err = err};
    if (!definition_find(tables->definition, native->args[0], &call->table, err)) {
        return error_context(err, "%s()", native->function->name);
    }
    call->definition = &tables->definition->tables.items[call->table];
    return true;
}

static bool failed(const struct method_call *call)
{
    return error_context(call->err, "%s() of %s", call->native->function->name,
                         value_cstr(call->definition->name));
}

/* Checks that rows may change: not while an expression only looks at the model, nor while a loop
 * runs over rows. */
static bool may_change(const struct method_call *call)
{
    const struct row_store *store = &call->tables->store;
    if (call->native->caller->looking && store->arena != call->arena) {
        (void)error_set(call->err, ERROR_MACHINE,
                        "it changes the model, which only `model` may do");
        return failed(call);
    }
    for (size_t i = 0; i < call->tables->definition->tables.count; i++) {
        if (store->tables[i].rows->base.iterating) {
            (void)error_set(call->err, ERROR_MACHINE,
                            "cannot change rows while a loop runs over them");
            (void)error_hint(call->err, "loop over a copy: list(x)");
            return failed(call);
        }
    }
    return true;
}

/* Finds the row under the key, which must exist. */
static bool find_row(const struct method_call *call, struct value key, struct table **out)
{
    if (!rows_find(&call->tables->store, call->table, key, out, call->err)) {
        return failed(call);
    }
    if (!*out) {
        (void)error_set(call->err, ERROR_MACHINE, "there is no row %s",
                        value_repr_text(call->arena, key));
        return failed(call);
    }
    return true;
}

/* Reads a dict of columns. */
static bool read_row(const struct method_call *call, struct value value, struct table **out)
{
    if (value.type != VALUE_DICT) {
        (void)error_set(call->err, ERROR_MACHINE, "a row must be a dict, not %s",
                        value_repr_text(call->arena, value));
        return failed(call);
    }
    *out = value.as.table;
    return true;
}

/* The row with the columns of `change`. */
static bool changed_row(const struct method_call *call, const struct table *old,
                        struct value change, struct table **out)
{
    struct table *columns = NULL;
    return read_row(call, change, &columns) &&
           (row_with(call->arena, old, columns, out, call->err) || failed(call));
}

enum { WRITE_INSERT, WRITE_UPDATE, WRITE_DELETE };

/* Reads the arguments after the table's name: (row), (key, change) or (key). */
static bool read_write(const struct method_call *call, int kind, struct row_change *out)
{
    const struct value *args = call->native->args;
    *out = (struct row_change){.table = call->table};
    if (kind == WRITE_INSERT) {
        return read_row(call, args[1], &out->row);
    }
    out->key = args[1];
    return find_row(call, args[1], &out->old) &&
           (kind == WRITE_DELETE || changed_row(call, out->old, args[2], &out->row));
}

static bool effects(const struct method_call *call, const struct row_change *write,
                    struct effects *out)
{
    return effects_of(out, call->arena, &call->tables->store, write, call->err) || failed(call);
}

/* inserting, updating, deleting */
static bool method_errors(const struct native_call *native, struct value *out, struct error *err)
{
    struct method_call call;
    struct row_change write;
    struct effects found;
    if (!begin_call(&call, native, err) || !read_write(&call, native->function->variant, &write) ||
        !effects(&call, &write, &found)) {
        return false;
    }
    *out = found.errors;
    return true;
}

/* insert, update, delete */
static bool method_write(const struct native_call *native, struct value *out, struct error *err)
{
    struct method_call call;
    struct row_change write;
    struct effects found;
    if (!begin_call(&call, native, err) || !may_change(&call) ||
        !read_write(&call, native->function->variant, &write) || !effects(&call, &write, &found)) {
        return false;
    }
    return effects_apply(&found, &call.tables->store, out, err) || failed(&call);
}

static bool method_table(const struct native_call *native, struct value *out, struct error *err)
{
    struct method_call call;
    if (!begin_call(&call, native, err)) {
        return false;
    }
    *out =
        (struct value){.type = VALUE_DICT, .as.table = call.tables->store.tables[call.table].rows};
    return true;
}

static bool method_may(const struct native_call *native, struct value *out, struct error *err)
{
    struct method_call call;
    if (!begin_call(&call, native, err)) {
        return false;
    }
    *out = value_list(call.arena);
    list_append_all(out->as.list, call.definition->may);
    list_append_all(out->as.list, call.definition->may_early);
    list_append_all(out->as.list, call.definition->raised);
    return true;
}

static bool method_stored(const struct native_call *native, struct value *out, struct error *err)
{
    struct method_call call;
    struct table *row = NULL;
    const struct table_entry *entry;
    if (!begin_call(&call, native, err) || !read_row(&call, native->args[1], &row)) {
        return false;
    }
    *out = value_dict(call.arena);
    for (size_t at = 0; (entry = table_next(row, &at));) {
        struct value form = call.definition->forms.type == VALUE_DICT
                                ? row_get(call.definition->forms.as.table, entry->key)
                                : value_none();
        struct value value =
            form.type == VALUE_NONE ? entry->value : form_stored(call.arena, form, entry->value);
        if (!table_set(out->as.table, entry->key, value, err)) {
            return failed(&call);
        }
    }
    return true;
}

/* linked(rows, few, all) */
static bool method_linked(const struct native_call *native, struct value *out, struct error *err)
{
    const struct tables *tables = (const struct tables *)(const void *)native->self.as.object;
    const struct linking linking = {.arena = native->caller->arena,
                                    .definition = tables->definition,
                                    .few = value_truth(native->args[1]),
                                    .all = value_truth(native->args[2])};
    return linked_rows(&linking, native->args[0], out, err) || error_context(err, "linked()");
}

/* inserting_all(rows): a dict from tables to rows */
static bool method_errors_of_all(const struct native_call *native, struct value *out,
                                 struct error *err)
{
    const struct tables *tables = (const struct tables *)(const void *)native->self.as.object;
    struct arena *arena = native->caller->arena;
    struct effects found;
    VEC(struct row_change) writes = {0};
    const struct table_entry *entry;
    if (native->args[0].type != VALUE_DICT) {
        (void)error_set(err, ERROR_MACHINE, "rows must be a dict from tables to rows");
        return error_context(err, "inserting_all()");
    }
    for (size_t at = 0; (entry = table_next(native->args[0].as.table, &at));) {
        struct row_change *write = VEC_PUSH(arena, &writes);
        if (!definition_find(tables->definition, entry->key, &write->table, err)) {
            return error_context(err, "inserting_all()");
        }
        if (entry->value.type != VALUE_DICT) {
            (void)error_set(err, ERROR_MACHINE, "a row must be a dict, not %s",
                            value_repr_text(arena, entry->value));
            return error_context(err, "inserting_all()");
        }
        write->row = entry->value.as.table;
    }
    effects_of_rows(&found, arena, &tables->store, writes.items, writes.count);
    *out = found.errors;
    return true;
}

/* True if the foreign key decides the write: it acts, or it alone refuses the write. */
static bool reference_decides(const struct effects *found, const struct row_act *act)
{
    bool alone = true;
    for (size_t i = 0; i < found->must.count; i++) {
        alone = alone && found->must.items[i].table == act->table &&
                value_equal(found->must.items[i].key, act->key);
    }
    return alone && found->must.count <= 1;
}

/* Adds the row's key to the lists of the foreign keys that decide. */
static bool add_deciding(const struct method_call *call, const struct effects *found,
                         struct value key, struct table *lists)
{
    for (size_t i = 0; i < found->acts.count; i++) {
        const struct row_act *act = &found->acts.items[i];
        struct value names[2] = {call->tables->definition->tables.items[act->table].name,
                                 call->tables->definition->references.items[act->reference].name};
        struct value name = value_tuple(call->arena, names, 2);
        struct table_entry *entry = NULL;
        if (!reference_decides(found, act)) {
            continue;
        }
        if (!table_find(lists, name, &entry, call->err)) {
            return failed(call);
        }
        if (!entry) {
            if (!table_set(lists, name, value_list(call->arena), call->err) ||
                !table_find(lists, name, &entry, call->err)) {
                return failed(call);
            }
        }
        list_append(entry->value.as.list, key);
    }
    return true;
}

/* A search for rows that refer to a row by one foreign key. */
static struct index_search search_referring(const struct method_call *call, size_t number,
                                            const struct table *row)
{
    const struct reference *reference = &call->tables->definition->references.items[number];
    return (struct index_search){.store = &call->tables->store,
                                 .table = reference->child,
                                 .index = reference->child_index,
                                 .like = row,
                                 .others =
                                     &call->definition->indexes.items[reference->parent_index]};
}

enum {
    NEWEST = 100,        /* the default of newest() */
    DECIDING_MAX = 300,  /* rows to examine, including those that refer to them */
    REFERRING_MAX = 100, /* rows that refer to one row; it is skipped if there are more */
};

/* The number of rows that refer to the row; counts only up to REFERRING_MAX. */
static size_t count_referring(const struct method_call *call, const struct table *row)
{
    size_t count = 0;
    for (size_t i = 0; i < call->definition->referred.count; i++) {
        struct index_search search =
            search_referring(call, call->definition->referred.items[i], row);
        while (count <= REFERRING_MAX && index_next(&search)) {
            count++;
        }
    }
    return count;
}

/* The place of the first row to examine: only the newest rows are. */
static size_t first_deciding(const struct method_call *call, const struct table *rows)
{
    size_t place = table_places(rows);
    for (size_t cost = 0; place > 0 && cost < DECIDING_MAX; place--) {
        const struct table_entry *entry = table_at(rows, place - 1);
        cost += entry ? 1 + count_referring(call, entry->value.as.table) : 0;
    }
    return place;
}

static bool method_deciding(const struct native_call *native, struct value *out, struct error *err)
{
    struct method_call call;
    if (!begin_call(&call, native, err)) {
        return false;
    }
    const struct table *rows = call.tables->store.tables[call.table].rows;
    const struct table_entry *entry;
    size_t at = first_deciding(&call, rows);
    *out = value_dict(call.arena);
    while ((entry = table_next(rows, &at))) {
        struct row_change write = {call.table, entry->key, entry->value.as.table, NULL};
        struct effects found;
        if (count_referring(&call, write.old) > REFERRING_MAX) {
            continue;
        }
        if ((native->args[1].type != VALUE_NONE &&
             !changed_row(&call, write.old, native->args[1], &write.row)) ||
            !effects(&call, &write, &found) ||
            !add_deciding(&call, &found, entry->key, out->as.table)) {
            return false;
        }
    }
    return true;
}

static bool method_referring(const struct native_call *native, struct value *out, struct error *err)
{
    struct method_call call;
    struct table *row = NULL;
    if (!begin_call(&call, native, err) || !find_row(&call, native->args[1], &row)) {
        return false;
    }
    *out = value_list(call.arena);
    for (size_t i = 0; i < call.definition->referred.count; i++) {
        const struct reference *reference =
            &call.tables->definition->references.items[call.definition->referred.items[i]];
        const struct table_definition *child =
            &call.tables->definition->tables.items[reference->child];
        struct index_search search =
            search_referring(&call, call.definition->referred.items[i], row);
        const struct index_node *node;
        while ((node = index_next(&search))) {
            struct value pair[2] = {child->name, node->key};
            list_append(out->as.list, value_tuple(call.arena, pair, 2));
        }
    }
    return true;
}

/* Adds a row of read() or seed(): (table, key, row), where the key is a list of columns. Existing
 * rows stay. */
static bool read_new_row(struct method_call *call, struct row_store *store, struct value value)
{
    struct items parts = value_items(value);
    enum { TABLE, KEY, ROW, PARTS };
    struct table *row = NULL;
    if (parts.count != PARTS || parts.items[ROW].type != VALUE_DICT) {
        return error_set(call->err, ERROR_MACHINE,
                         "a row must be (table, key columns, row), not %s",
                         value_repr_text(call->arena, value));
    }
    if (!definition_find(call->tables->definition, parts.items[TABLE], &call->table, call->err)) {
        return false;
    }
    struct items columns = value_items(parts.items[KEY]);
    struct value key = columns.count == 1 ? columns.items[0]
                       : columns.count > 1
                           ? value_tuple(store->arena, columns.items, columns.count)
                           : rows_key_of(store, call->table, parts.items[ROW].as.table);
    return rows_find(store, call->table, key, &row, call->err) &&
           (row || rows_put(store, call->table, key, parts.items[ROW], call->err));
}

/* read(rows, replacing): adds new rows, and replaces whole tables by their current rows. */
static bool method_read(const struct native_call *native, struct value *out, struct error *err)
{
    struct method_call call = call_of_all(native, err);
    struct tables *tables = call.tables;
    struct items rows = value_items(native->args[0]);
    struct items replaced = value_items(native->args[1]);
    if (tables->definition->tables.count > 0 && !may_change(&call)) {
        return false;
    }
    for (size_t i = 0; i < replaced.count; i++) {
        size_t table;
        if (!definition_find(tables->definition, replaced.items[i], &table, err)) {
            return error_context(err, "read()");
        }
        rows_clear(&tables->store, table);
    }
    for (size_t i = 0; i < rows.count; i++) {
        if (!read_new_row(&call, &tables->store, rows.items[i])) {
            return error_context(err, "read()");
        }
    }
    *out = value_none();
    return true;
}

/* True if it is the result of a statement. */
static bool is_result(struct value value)
{
    const char *const *names =
        value.type == VALUE_OBJECT ? value.as.object->type->attr_names : NULL;
    while (names && *names && strcmp(*names, "rows") != 0) {
        names++;
    }
    return names && *names;
}

/* Gets the rows of a list or of a result. */
static bool rows_of(const struct native_call *native, struct items *out, struct error *err)
{
    struct value rows = native->args[0];
    if (is_result(rows) &&
        !rows.as.object->type->attr(rows.as.object, "rows", native->caller, &rows, err)) {
        return false;
    }
    *out = value_items(rows);
    return rows.type == VALUE_LIST || rows.type == VALUE_TUPLE ||
           error_set(err, ERROR_MACHINE, "seed() needs a result or a list of rows, not %s",
                     value_type_name(rows));
}

/* Makes a store of the rows that never changes. */
static bool new_store(struct method_call *call, struct arena *arena, struct items rows,
                      struct row_store **out)
{
    *out = ARENA_NEW(arena, struct row_store);
    rows_begin(*out, arena, call->tables->definition);
    for (size_t i = 0; i < rows.count; i++) {
        value_freeze(rows.items[i]);
        if (!read_new_row(call, *out, rows.items[i])) {
            return error_context(call->err, "seed()");
        }
    }
    return true;
}

static bool is_empty(const struct tables *tables)
{
    size_t rows = 0;
    for (size_t i = 0; i < tables->definition->tables.count; i++) {
        rows += tables->store.tables[i].written->count + tables->store.tables[i].rows->count;
    }
    return rows == 0;
}

/* seed(result): loads the rows that every example starts with; they are read once in a run. */
static bool method_seed(const struct native_call *native, struct value *out, struct error *err)
{
    struct method_call call = call_of_all(native, err);
    struct tables *tables = call.tables;
    bool same = tables->kept && is_result(native->args[0]);
    void **slot = same ? caller_keep(native->caller) : NULL;
    struct row_store *store = slot ? *slot : NULL;
    struct items rows;
    if (tables->definition->tables.count > 0 && !may_change(&call)) {
        return false;
    }
    if (!is_empty(tables)) {
        (void)error_set(err, ERROR_MACHINE, "seed() takes rows over into an empty model only");
        return error_hint(err, "read() adds rows to others");
    }
    if (slot && !store) {
        const struct keeping *keeping = native->caller->keeping;
        if (!new_store(&call, keeping->arena, keeping->rows, &store)) {
            return false;
        }
        *slot = store;
    } else if (!store && (!rows_of(native, &rows, err) ||
                          !new_store(&call, tables->store.arena, rows, &store))) {
        return false;
    }
    rows_lay_over(&tables->store, store);
    *out = value_none();
    return true;
}

enum { NEWEST_ROWS, NEWEST_WRITTEN };

/* newest(table, count): the rows inserted or changed last. written(table, count): the keys of the
 * rows written last since seed(), even if they are deleted. */
static bool method_newest(const struct native_call *native, struct value *out, struct error *err)
{
    static const size_t standard[] = {[NEWEST_ROWS] = 100, [NEWEST_WRITTEN] = 1000};
    int kind = native->function->variant;
    struct method_call call;
    if (!begin_call(&call, native, err)) {
        return false;
    }
    const struct table_store *store = &call.tables->store.tables[call.table];
    const struct table *from = kind == NEWEST_ROWS ? store->rows : store->written;
    size_t count = standard[kind];
    if (native->args[1].type != VALUE_NONE) {
        int64_t given = native->args[1].as.integer;
        count = given < 0 ? 0 : (size_t)given;
    }
    size_t at = count > 0 && count < from->count ? table_select(from, from->count - count) : 0;
    const struct table_entry *entry;
    *out = value_list(call.arena);
    while (out->as.list->count < count && (entry = table_next(from, &at))) {
        list_append(out->as.list, kind == NEWEST_ROWS ? entry->value : entry->key);
    }
    return true;
}

#define TABLE                                                                                      \
    {                                                                                              \
        "table", PARAM_REQUIRED, PARAM_STRING                                                      \
    }
static const struct native_param params_table[] = {TABLE, {0}};
static const struct native_param params_row[] = {TABLE, {"row", PARAM_REQUIRED, 0}, {0}};
static const struct native_param params_key[] = {TABLE, {"key", PARAM_REQUIRED, 0}, {0}};
static const struct native_param params_change[] = {
    TABLE, {"key", PARAM_REQUIRED, 0}, {"change", PARAM_REQUIRED, 0}, {0}};
static const struct native_param params_any_change[] = {TABLE, {"change", PARAM_OPTIONAL, 0}, {0}};
static const struct native_param params_rows[] = {{"rows", PARAM_REQUIRED, 0}, {0}};
static const struct native_param params_linked[] = {
    {"rows", PARAM_REQUIRED, 0}, {"few", PARAM_OPTIONAL, 0}, {"all", PARAM_OPTIONAL, 0}, {0}};
static const struct native_param params_newest[] = {
    TABLE, {"count", PARAM_OPTIONAL, PARAM_INT}, {0}};
static const struct native_param params_read[] = {
    {"rows", PARAM_REQUIRED, PARAM_ITEMS}, {"replacing", PARAM_OPTIONAL, PARAM_ITEMS}, {0}};

const struct native_function tables_methods[] = {
    {"inserting", method_errors, params_row, WRITE_INSERT},
    {"updating", method_errors, params_change, WRITE_UPDATE},
    {"deleting", method_errors, params_key, WRITE_DELETE},
    {"inserting_all", method_errors_of_all, params_rows, 0},
    {"linked", method_linked, params_linked, 0},
    {"insert", method_write, params_row, WRITE_INSERT},
    {"update", method_write, params_change, WRITE_UPDATE},
    {"delete", method_write, params_key, WRITE_DELETE},
    {"table", method_table, params_table, 0},
    {"seed", method_seed, params_rows, 0},
    {"read", method_read, params_read, 0},
    {"written", method_newest, params_newest, NEWEST_WRITTEN},
    {"newest", method_newest, params_newest, NEWEST_ROWS},
    {"referring", method_referring, params_key, 0},
    {"deciding", method_deciding, params_any_change, 0},
    {"may", method_may, params_table, 0},
    {"stored", method_stored, params_row, 0},
    {0}};

static void tables_repr(const struct object *object, struct strbuf *out)
{
    const struct tables *tables = (const struct tables *)(const void *)object;
    strbuf_addf(out, "<tables, %zu>", tables->definition->tables.count);
}

static bool tables_table(const struct object *object, size_t index, const char **name, bool *filled)
{
    const struct tables *tables = (const struct tables *)(const void *)object;
    if (index >= tables->definition->tables.count) {
        return false;
    }
    *name = value_cstr(tables->definition->tables.items[index].name);
    *filled = tables->store.tables[index].filled;
    return true;
}

static const struct object_type tables_type = {
    .name = "tables", .repr = tables_repr, .table = tables_table, .methods = tables_methods};

/* A kept definition. */
struct kept_definition {
    struct value dict;
    struct definition definition;
};

/* The definition made from an equal dict in an earlier example; made in the first one. NULL if this
 * caller keeps no values. */
static bool kept_definition(const struct native_call *native, const struct definition **out,
                            struct error *err)
{
    void **slot = caller_keep(native->caller);
    struct kept_definition *kept = slot ? *slot : NULL;
    *out = NULL;
    if (slot && !kept) {
        struct arena *arena = native->caller->keeping->arena;
        kept = ARENA_NEW(arena, struct kept_definition);
        kept->dict = value_copy(arena, native->args[0]);
        value_freeze(kept->dict);
        if (!definition_read(arena, kept->dict, &kept->definition, err)) {
            return false;
        }
        *slot = kept;
    }
    if (kept && value_equal(kept->dict, native->args[0])) {
        *out = &kept->definition;
    }
    return true;
}

static bool construct_tables(const struct native_call *native, struct value *out, struct error *err)
{
    struct arena *arena = native->caller->arena;
    struct tables *tables = ARENA_NEW(arena, struct tables);
    tables->object.type = &tables_type;
    if (!kept_definition(native, &tables->definition, err)) {
        return false;
    }
    tables->kept = tables->definition != NULL;
    if (!tables->kept) {
        struct definition *own = ARENA_NEW(arena, struct definition);
        if (!definition_read(arena, native->args[0], own, err)) {
            return false;
        }
        tables->definition = own;
    }
    rows_begin(&tables->store, arena, tables->definition);
    *out = value_object(&tables->object);
    return true;
}

static const struct native_param params_tables[] = {{"tables", PARAM_REQUIRED, 0}, {0}};

const struct native_function tables_functions[] = {{"tables", construct_tables, params_tables, 0},
                                                   {0}};
