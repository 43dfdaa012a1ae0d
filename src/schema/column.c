/* column("table.column"): what a column can hold, as the catalog says. */
#include "schema/column.h"

#include "gen/args.h"
#include "gen/invert.h"

#include <assert.h>
#include <string.h>

bool column_table(const struct drawer *drawer, const struct strategy *strategy, const char *name,
                  const struct table_facts **out, struct error *err)
{
    const struct draw_catalog *catalog = drawer->catalog;
    if (!catalog) {
        error_set(err, ERROR_MACHINE, "%s() needs a database", strategy->kind->name);
        return false;
    }
    return catalog->find(catalog->host, name, out, err) ||
           error_context(err, "%s()", strategy->kind->name);
}

enum draw_result column_take(struct drawer *drawer, const struct column_facts *column,
                             uint64_t site, const struct value *wanted, struct value *out,
                             struct error *err)
{
    struct value strategy;
    return column_strategy(drawer->caller->arena, column, &strategy, err)
               ? take_child(drawer, strategy, site, wanted, out, err)
               : DRAW_ERROR;
}

/* Foreign keys. */

bool key_rows(struct drawer *drawer, const struct key_facts *key, struct value *out,
              struct error *err)
{
    assert(drawer->catalog != NULL);
    const struct draw_catalog *catalog = drawer->catalog;
    return catalog->rows(catalog->host, key, drawer->caller->arena, out, err);
}

static enum draw_result invert_key(struct drawer *drawer, const struct list *rows, bool nullable,
                                   struct value wanted, struct value *out)
{
    bool null = wanted.type == VALUE_NONE;
    if (!null_invert(drawer, nullable, null)) {
        return DRAW_REJECTED;
    }
    for (size_t i = 0; i < rows->count && !null; i++) {
        if (value_equal(rows->items[i], wanted)) {
            struct int_range range = {0, (int64_t)rows->count - 1, 0};
            *out = rows->items[draw_integer(drawer, range, (int64_t)i)];
            return DRAW_OK;
        }
    }
    return null ? DRAW_OK : DRAW_REJECTED;
}

enum draw_result key_take(struct drawer *drawer, const struct list *rows, bool nullable,
                          const struct value *wanted, struct value *out)
{
    *out = value_none();
    if (wanted) {
        return invert_key(drawer, rows, nullable, *wanted, out);
    }
    if (null_draw(drawer, nullable, rows->count > 0)) {
        return DRAW_OK;
    }
    if (rows->count == 0) {
        return DRAW_EMPTY;
    }
    int64_t proposal = draw_is_fresh(drawer) ? (int64_t)rng_below(drawer->rng, rows->count) : 0;
    struct int_range range = {0, (int64_t)rows->count - 1, 0};
    *out = rows->items[draw_integer(drawer, range, proposal)];
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
    const struct key_facts *key; /* that it belongs to, one of this column alone if there is one;
                                    NULL: none */
    size_t place;                /* in the key */
};

static void find_key(struct found_column *found)
{
    assert(found->column >= found->table->columns.items);
    assert(found->column < found->table->columns.items + found->table->columns.count);
    size_t column = (size_t)(found->column - found->table->columns.items);
    for (size_t i = 0; i < found->table->keys.count; i++) {
        const struct key_facts *key = &found->table->keys.items[i];
        for (size_t j = 0; j < key->columns.count; j++) {
            if (key->columns.items[j] == column &&
                (!found->key || key->columns.count < found->key->columns.count)) {
                found->key = key;
                found->place = j;
            }
        }
    }
}

static bool find_column(struct drawer *drawer, const struct strategy *strategy,
                        struct found_column *out, struct error *err)
{
    const char *table = "";
    const char *column = "";
    out->key = NULL;
    out->place = 0;
    /* it has a dot: that was seen when the strategy was made */
    (void)catalog_split(drawer->caller->arena, value_cstr(strategy->args[0]), &table, &column);
    if (!column_table(drawer, strategy, table, &out->table, err)) {
        return false;
    }
    out->column = table_column(out->table, column, err);
    if (!out->column) {
        return error_context(err, "column()");
    }
    find_key(out);
    return true;
}

/* The column's values in the rows that its key may refer to. */
static bool found_rows(struct drawer *drawer, const struct found_column *found, struct value *out,
                       struct error *err)
{
    struct value rows;
    if (!key_rows(drawer, found->key, &rows, err)) {
        return false;
    }
    *out = value_list(drawer->caller->arena);
    for (size_t i = 0; i < rows.as.list->count; i++) {
        list_append(out->as.list, rows.as.list->items[i].as.tuple->items[found->place]);
    }
    return true;
}

static enum draw_result take_column(struct drawer *drawer, const struct strategy *strategy,
                                    uint64_t site, const struct value *wanted, struct value *out,
                                    struct error *err)
{
    struct found_column found;
    struct value rows;
    if (!find_column(drawer, strategy, &found, err)) {
        return DRAW_ERROR;
    }
    if (!found.key) {
        return column_take(drawer, found.column, site, wanted, out, err);
    }
    return found_rows(drawer, &found, &rows, err)
               ? key_take(drawer, rows.as.list, !found.column->not_null, wanted, out)
               : DRAW_ERROR;
}

static enum draw_result draw_column(struct drawer *drawer, const struct strategy *strategy,
                                    uint64_t site, struct value *out, struct error *err)
{
    return take_column(drawer, strategy, site, NULL, out, err);
}

static enum draw_result invert_column(struct drawer *drawer, const struct strategy *strategy,
                                      uint64_t site, struct value wanted, struct value *out,
                                      struct error *err)
{
    return take_column(drawer, strategy, site, &wanted, out, err);
}

const struct strategy_kind kind_column = {
    .name = "column",
    .params = {{"name", PARAM_REQUIRED, false}},
    .repeats = REPEATS_ALIKE,
    .make = make_column,
    .draw = draw_column,
    .invert = invert_column,
};
