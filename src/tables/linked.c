#include "tables/linked.h"

#include "tables/rows.h"

/* A row being linked. */
struct linked {
    size_t table;
    struct table *row;
    bool *filled; /* by foreign key of the table: true if it is filled */
};

struct links {
    const struct linking *linking;
    VEC(struct linked) rows;
};

static bool has_column(const struct column_list *list, struct value name)
{
    bool has = false;
    for (size_t i = 0; i < list->count; i++) {
        has = has || value_equal(list->names[i], name);
    }
    return has;
}

/* Copies the row as it is at the beginning. */
static bool begin_row(const struct linking *linking, const struct table_definition *table,
                      const struct table *from, struct table **out, struct error *err)
{
    const struct table_entry *entry;
    *out = value_dict(linking->arena).as.table;
    for (size_t at = 0; (entry = table_next(from, &at));) {
        bool kept = !linking->few || has_column(&table->required, entry->key) ||
                    has_column(&table->domains, entry->key) || has_column(&table->key, entry->key);
        if (!table_set(*out, entry->key, kept ? entry->value : value_none(), err)) {
            return false;
        }
    }
    return true;
}

static bool lacks(const struct table *row, const struct column_list *columns)
{
    bool is = false;
    for (size_t i = 0; i < columns->count; i++) {
        struct table_entry *entry = NULL;
        (void)table_find(row, columns->names[i], &entry, NULL);
        is = is || !entry;
    }
    return is;
}

static bool add_linked_row(struct links *links, const struct table_entry *entry, struct error *err)
{
    const struct linking *linking = links->linking;
    struct linked linked;
    if (!definition_find(linking->definition, entry->key, &linked.table, err)) {
        return false;
    }
    const struct table_definition *table = &linking->definition->tables.items[linked.table];
    if (entry->value.type != VALUE_DICT) {
        return error_set(err, ERROR_MACHINE, "a row must be a dict, not %s",
                         value_repr_text(linking->arena, entry->value));
    }
    if (!begin_row(linking, table, entry->value.as.table, &linked.row, err)) {
        return false;
    }
    linked.filled = ARENA_ARRAY(linking->arena, bool, table->refers.count + 1);
    for (size_t i = 0; i < table->refers.count; i++) {
        const struct reference *reference =
            &linking->definition->references.items[table->refers.items[i]];
        linked.filled[i] =
            linking->all || lacks(linked.row, &table->indexes.items[reference->child_index]);
    }
    *VEC_PUSH(linking->arena, &links->rows) = linked;
    return true;
}

static const struct linked *row_of(const struct links *links, size_t table)
{
    for (size_t i = 0; i < links->rows.count; i++) {
        if (links->rows.items[i].table == table) {
            return &links->rows.items[i];
        }
    }
    return NULL;
}

/* Sets a foreign key of the row to the key of another row. */
static bool fill_reference(const struct links *links, const struct linked *linked,
                           const struct reference *reference, struct error *err)
{
    const struct definition *definition = links->linking->definition;
    const struct linked *parent = row_of(links, reference->parent);
    const struct column_list *columns =
        &definition->tables.items[linked->table].indexes.items[reference->child_index];
    const struct column_list *key =
        &definition->tables.items[reference->parent].indexes.items[reference->parent_index];
    if (!parent || lacks(parent->row, key)) {
        return true;
    }
    for (size_t i = 0; i < columns->count; i++) {
        if (!table_set(linked->row, columns->names[i], row_get(parent->row, key->names[i]), err)) {
            return false;
        }
    }
    return true;
}

static bool fill_row(const struct links *links, const struct linked *linked, struct error *err)
{
    const struct definition *definition = links->linking->definition;
    const struct table_definition *table = &definition->tables.items[linked->table];
    bool done = true;
    for (size_t i = 0; done && i < table->refers.count; i++) {
        done = !linked->filled[i] ||
               fill_reference(links, linked, &definition->references.items[table->refers.items[i]],
                              err);
    }
    return done;
}

bool linked_rows(const struct linking *linking, struct value rows, struct value *out,
                 struct error *err)
{
    struct links links = {.linking = linking};
    const struct table_entry *entry;
    if (rows.type != VALUE_DICT) {
        return error_set(err, ERROR_MACHINE, "rows must be a dict from tables to rows");
    }
    for (size_t at = 0; (entry = table_next(rows.as.table, &at));) {
        if (!add_linked_row(&links, entry, err)) {
            return false;
        }
    }
    /* A key may itself contain a foreign key, which another round fills. */
    for (size_t i = 0; i < links.rows.count * links.rows.count; i++) {
        if (!fill_row(&links, &links.rows.items[i % links.rows.count], err)) {
            return false;
        }
    }
    *out = value_dict(linking->arena);
    for (size_t at = 0, i = 0; (entry = table_next(rows.as.table, &at)); i++) {
        const struct value row = {.type = VALUE_DICT, .as.table = links.rows.items[i].row};
        if (!table_set(out->as.table, entry->key, row, err)) {
            return false;
        }
    }
    return true;
}
