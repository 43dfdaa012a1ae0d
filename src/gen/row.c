/* row("table"): a dict of values for an insert. Foreign keys come from rows that exist, all columns
 * of one from the same row. */
#include "gen/column.h"

#include "gen/give.h"

#include <string.h>

static bool make_row(struct arena *arena, struct strategy *strategy, struct error *err)
{
    (void)arena;
    return strategy->args[0].type == VALUE_STRING ||
           arg_wrong(strategy, 0, "a string, a table's name", err);
}

/* A row under way. */
struct drawn_row {
    struct drawer *drawer;
    const struct table_facts *table;
    uint64_t site;
    struct value *values;       /* by column */
    const struct table *wanted; /* what is to be given; NULL: it is drawn */
};

static bool wanted_value(const struct drawn_row *row, size_t column, struct value *out)
{
    struct table_entry *entry = NULL;
    const char *name = row->table->columns.items[column].name;
    struct value key = value_text(row->drawer->caller->arena, name);
    if (!table_find(row->wanted, key, &entry, NULL) || !entry) {
        return false;
    }
    *out = entry->value;
    return true;
}

/* The values of the key's columns, None where one of them is. */
static bool wanted_key(const struct drawn_row *row, const struct key_facts *key, struct value *out)
{
    struct arena *arena = row->drawer->caller->arena;
    struct value *items = ARENA_ARRAY(arena, struct value, key->columns.count);
    bool null = false;
    for (size_t i = 0; i < key->columns.count; i++) {
        if (!wanted_value(row, key->columns.items[i], &items[i])) {
            return false;
        }
        null = null || items[i].type == VALUE_NONE;
    }
    *out = null ? value_none() : value_tuple(arena, items, key->columns.count);
    return true;
}

static enum draw_result take_key(struct drawn_row *row, const struct key_facts *key,
                                 struct error *err)
{
    struct value wanted;
    struct value found = value_none();
    enum draw_result result;
    if (row->wanted) {
        result = wanted_key(row, key, &wanted)
                     ? key_give(row->drawer, row->table, key, wanted, &found, err)
                     : DRAW_REJECTED;
    } else {
        result = key_draw(row->drawer, row->table, key, &found, err);
    }
    for (size_t i = 0; i < key->columns.count && result == DRAW_OK; i++) {
        row->values[key->columns.items[i]] =
            found.type == VALUE_TUPLE ? found.as.tuple->items[i] : value_none();
    }
    return result;
}

static enum draw_result take_column(struct drawn_row *row, size_t index, struct error *err)
{
    const struct column_facts *column = &row->table->columns.items[index];
    const struct key_facts *key = column_key(row->table, index);
    uint64_t site = draw_site(row->site, index);
    struct value wanted;
    if (key) {
        return key->columns.items[0] == index ? take_key(row, key, err) : DRAW_OK;
    }
    if (!row->wanted) {
        return column_draw(row->drawer, column, site, &row->values[index], err);
    }
    return wanted_value(row, index, &wanted)
               ? column_give(row->drawer, column, site, wanted, &row->values[index], err)
               : DRAW_REJECTED;
}

static enum draw_result take_row(struct drawn_row *row, struct value *out, struct error *err)
{
    struct arena *arena = row->drawer->caller->arena;
    size_t count = row->table->columns.count;
    row->values = ARENA_ARRAY(arena, struct value, count);
    for (size_t i = 0; i < count; i++) {
        if (row->table->columns.items[i].left_out) {
            continue;
        }
        size_t span = draw_span_begin(row->drawer, SPAN_OTHER);
        enum draw_result result = take_column(row, i, err);
        draw_span_end(row->drawer, span);
        if (result != DRAW_OK) {
            return result;
        }
    }
    *out = value_dict(arena);
    for (size_t i = 0; i < count; i++) {
        const struct column_facts *column = &row->table->columns.items[i];
        if (!column->left_out &&
            !table_set(out->as.table, value_text(arena, column->name), row->values[i], err)) {
            return DRAW_ERROR;
        }
    }
    return DRAW_OK;
}

static enum draw_result draw_row(struct drawer *drawer, const struct strategy *strategy,
                                 uint64_t site, struct value *out, struct error *err)
{
    struct drawn_row row = {.drawer = drawer, .site = site};
    return column_table(drawer, strategy, value_cstr(strategy->args[0]), &row.table, err)
               ? take_row(&row, out, err)
               : DRAW_ERROR;
}

static enum draw_result give_row(struct drawer *drawer, const struct strategy *strategy,
                                 uint64_t site, struct value wanted, struct value *out,
                                 struct error *err)
{
    struct drawn_row row = {.drawer = drawer, .site = site};
    if (wanted.type != VALUE_DICT) {
        return DRAW_REJECTED;
    }
    row.wanted = wanted.as.table;
    if (!column_table(drawer, strategy, value_cstr(strategy->args[0]), &row.table, err)) {
        return DRAW_ERROR;
    }
    enum draw_result result = take_row(&row, out, err);
    return result == DRAW_OK && !give_matches(*out, wanted) ? DRAW_REJECTED : result;
}

const struct strategy_kind kind_row = {
    .name = "row",
    .params = (const struct native_param[]){{"table", PARAM_REQUIRED, false}, {0}},
    .repeats = REPEATS_ALIKE,
    .make = make_row,
    .draw = draw_row,
    .give = give_row,
};
