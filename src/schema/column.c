/* column("table.column"): values that the column accepts, by the catalog. */
#include "schema/column.h"

#include "gen/args.h"

#include <assert.h>
#include <string.h>

bool column_table(const struct draw *draw, const char *name, const struct table_facts **out)
{
    const struct draw_catalog *catalog = draw->drawer->catalog;
    const char *function = draw->strategy->kind->name;
    if (!catalog) {
        return error_set(draw->err, ERROR_MACHINE, "%s() needs a database", function);
    }
    return catalog->find(catalog->host, name, out, draw->err) ||
           error_context(draw->err, "%s()", function);
}

enum draw_result column_draw(const struct draw *draw, const struct column_facts *column,
                             uint64_t site, const struct value *wanted, struct value *out)
{
    struct value strategy;
    return column_strategy(draw->drawer->caller->arena, column, &strategy, draw->err)
               ? draw_child(draw, strategy, site, wanted, out)
               : DRAW_ERROR;
}

/* Foreign keys. */

bool key_rows(const struct draw *draw, const struct key_facts *key, struct value *out)
{
    const struct draw_catalog *catalog = draw->drawer->catalog;
    assert(catalog != NULL);
    return catalog->rows(catalog->host, key, draw->drawer->caller->arena, out, draw->err);
}

enum draw_result key_draw(const struct draw *draw, const struct list *rows, bool nullable,
                          const struct value *wanted, struct value *out)
{
    bool null;
    int64_t place = DRAW_ANY;
    *out = value_none();
    if (!null_draw(draw->drawer, nullable, rows->count > 0, wanted, &null)) {
        return DRAW_REJECTED;
    }
    if (null) {
        return DRAW_OK;
    }
    for (size_t i = 0; wanted && i < rows->count && place == DRAW_ANY; i++) {
        place = value_equal(rows->items[i], *wanted) ? (int64_t)i : DRAW_ANY;
    }
    if (rows->count == 0 || (wanted && place == DRAW_ANY)) {
        return wanted ? DRAW_REJECTED : DRAW_EMPTY;
    }
    *out = rows->items[draw_place(draw->drawer, rows->count, place)];
    return DRAW_OK;
}

/* column(name) */

static bool make_column(struct arena *arena, struct strategy *strategy, struct error *err)
{
    const char *table;
    const char *column;
    if (strategy->args[0].type != VALUE_STRING ||
        !catalog_split(arena, value_cstr(strategy->args[0]), &table, &column)) {
        return arg_wrong(strategy, 0, "a string such as \"users.email\"", err);
    }
    return true;
}

struct found_column {
    const struct table_facts *table;
    const struct column_facts *column;
    const struct key_facts
        *key;     /* the key of this column, preferably of it alone; NULL if there is none */
    size_t place; /* in the key */
};

static void find_key(struct found_column *found)
{
    assert(found->column >= found->table->columns.items);
    assert(found->column < found->table->columns.items + found->table->columns.count);
    size_t column = (size_t)(found->column - found->table->columns.items);
    for (size_t i = 0; i < found->table->keys.count; i++) {
        const struct key_facts *key = &found->table->keys.items[i];
        size_t place = key_column(key, column);
        if (place != SIZE_MAX && (!found->key || key->columns.count < found->key->columns.count)) {
            found->key = key;
            found->place = place;
        }
    }
}

static bool find_column(const struct draw *draw, struct found_column *out)
{
    const char *table = "";
    const char *column = "";
    out->key = NULL;
    out->place = 0;
    /* it has a dot, which was checked when the strategy was made */
    (void)catalog_split(draw->drawer->caller->arena, value_cstr(draw->strategy->args[0]), &table,
                        &column);
    if (!column_table(draw, table, &out->table)) {
        return false;
    }
    out->column = table_column(out->table, column, draw->err);
    if (!out->column) {
        return error_context(draw->err, "column()");
    }
    find_key(out);
    return true;
}

/* Finds the column's values in the rows that its key may refer to. */
static bool found_rows(const struct draw *draw, const struct found_column *found, struct value *out)
{
    struct value rows;
    if (!key_rows(draw, found->key, &rows)) {
        return false;
    }
    *out = value_list(draw->drawer->caller->arena);
    for (size_t i = 0; i < rows.as.list->count; i++) {
        list_append(out->as.list, rows.as.list->items[i].as.tuple->items[found->place]);
    }
    return true;
}

static enum draw_result draw_column(const struct draw *draw)
{
    struct found_column found;
    struct value rows;
    if (!find_column(draw, &found)) {
        return DRAW_ERROR;
    }
    if (!found.key) {
        return column_draw(draw, found.column, draw->site, draw->wanted, draw->out);
    }
    return found_rows(draw, &found, &rows)
               ? key_draw(draw, rows.as.list, !found.column->not_null, draw->wanted, draw->out)
               : DRAW_ERROR;
}

const struct strategy_kind kind_column = {
    .name = "column",
    .params = {{"name", PARAM_REQUIRED, false}},
    .repeats = REPEATS_ALIKE,
    .make = make_column,
    .draw = draw_column,
};
