/* row("table"): a dict of values for an insert. Foreign keys refer to existing rows; all columns of
 * a key come from the same row. */
#include "schema/column.h"

#include "gen/args.h"
#include "gen/invert.h"

#include <assert.h>
#include <string.h>

static bool make_row(struct arena *arena, struct strategy *strategy, struct error *err)
{
    (void)arena;
    struct items without = value_items(strategy->args[1]);
    bool names = strategy->args[1].type == VALUE_NONE || strategy->args[1].type == VALUE_LIST;
    for (size_t i = 0; i < without.count; i++) {
        names = names && without.items[i].type == VALUE_STRING;
    }
    return (strategy->args[0].type == VALUE_STRING ||
            arg_wrong(strategy, 0, "a string, a table's name", err)) &&
           (names || arg_wrong(strategy, 1, "a list of strings, names of columns", err));
}

/* The row being drawn. */
struct drawn_row {
    const struct draw *draw;
    const struct table_facts *table;
    const struct column_facts *columns; /* the table's, or those of one of its partitions */
    struct value *values;               /* by column */
    bool *taken;                        /* by column: the value is settled */
    bool *left_out;                     /* by column: not part of the row */
    struct value *existing; /* by key: the rows that it may refer to, after the first query */
};

static bool wanted_value(const struct drawn_row *row, size_t column, struct value *out)
{
    assert(column < row->table->columns.count);
    const struct draw *draw = row->draw;
    struct table_entry *entry = NULL;
    struct value key = value_text(draw->drawer->caller->arena, row->columns[column].name);
    if (!table_find(draw->wanted->as.table, key, &entry, NULL) || !entry) {
        return false;
    }
    *out = entry->value;
    return true;
}

/* Foreign keys. Several may share columns: in multi-tenant schemas, a row refers to rows of the
 * same tenant. A key keeps the values settled by earlier keys, and takes only rows that leave
 * candidates for the later ones. */

static bool is_of_key(const struct key_facts *key, size_t column)
{
    return key_column(key, column) != SIZE_MAX;
}

/* True if the machine leaves this column out of the row. */
static bool is_unwanted(const struct drawn_row *row, size_t column)
{
    struct items without = value_items(row->draw->strategy->args[1]);
    bool is = false;
    for (size_t i = 0; i < without.count; i++) {
        is = is || value_is_string(without.items[i], row->columns[column].name);
    }
    return is;
}

/* True if the key settles its columns: not if the machine leaves one out. */
static bool key_is_drawn(const struct drawn_row *row, const struct key_facts *key)
{
    bool is = true;
    for (size_t i = 0; i < key->columns.count; i++) {
        is = is && !is_unwanted(row, key->columns.items[i]);
    }
    return is;
}

static bool shares_columns(const struct key_facts *a, const struct key_facts *b)
{
    bool shares = false;
    for (size_t i = 0; i < a->columns.count; i++) {
        shares = shares || is_of_key(b, a->columns.items[i]);
    }
    return shares;
}

static bool existing_rows(struct drawn_row *row, size_t key, const struct list **out)
{
    assert(key < row->table->keys.count);
    if (row->existing[key].type == VALUE_NONE &&
        !key_rows(row->draw, &row->table->keys.items[key], &row->existing[key])) {
        return false;
    }
    *out = row->existing[key].as.list;
    return true;
}

/* True if the key may stay open: an unsettled column can be NULL, or a settled one is. With MATCH
 * FULL, this must hold for all columns. Columns of `other` count as settled. */
static bool key_may_be_null(const struct drawn_row *row, const struct key_facts *key,
                            const struct key_facts *other)
{
    size_t nulls = 0;
    for (size_t i = 0; i < key->columns.count; i++) {
        size_t column = key->columns.items[i];
        bool settled = row->taken[column] || (other && is_of_key(other, column));
        nulls += row->taken[column] ? row->values[column].type == VALUE_NONE
                                    : !settled && !row->columns[column].not_null;
    }
    return key->full ? nulls == key->columns.count : nulls > 0;
}

/* True if a candidate row of the key agrees with the settled values. */
static bool row_agrees(const struct drawn_row *row, const struct key_facts *key,
                       struct value candidate)
{
    for (size_t i = 0; i < key->columns.count; i++) {
        size_t column = key->columns.items[i];
        if (row->taken[column] && !value_equal(candidate.as.tuple->items[i], row->values[column])) {
            return false;
        }
    }
    return true;
}

/* True if two rows, of two keys, agree in the columns that the keys share. */
static bool rows_agree(const struct key_facts *a, struct value of_a, const struct key_facts *b,
                       struct value of_b)
{
    for (size_t i = 0; i < a->columns.count; i++) {
        size_t place = key_column(b, a->columns.items[i]);
        if (place != SIZE_MAX &&
            !value_equal(of_a.as.tuple->items[i], of_b.as.tuple->items[place])) {
            return false;
        }
    }
    return true;
}

static bool key_is_settled(const struct drawn_row *row, const struct key_facts *key)
{
    for (size_t i = 0; i < key->columns.count; i++) {
        if (!row->taken[key->columns.items[i]]) {
            return false;
        }
    }
    return true;
}

/* True if every open key that shares columns has a row that agrees with the candidate. */
static bool leaves_others(struct drawn_row *row, const struct key_facts *key,
                          struct value candidate, bool *out)
{
    *out = true;
    for (size_t i = 0; i < row->table->keys.count && *out; i++) {
        const struct key_facts *other = &row->table->keys.items[i];
        const struct list *rows;
        if (other == key || !shares_columns(key, other) || key_is_settled(row, other) ||
            !key_is_drawn(row, other) || key_may_be_null(row, other, key)) {
            continue;
        }
        if (!existing_rows(row, i, &rows)) {
            return false;
        }
        *out = false;
        for (size_t j = 0; j < rows->count && !*out; j++) {
            *out = row_agrees(row, other, rows->items[j]) &&
                   rows_agree(key, candidate, other, rows->items[j]);
        }
    }
    return true;
}

/* Finds the rows that the key may refer to, given the settled values. */
static bool find_candidates(struct drawn_row *row, size_t index, struct value *out)
{
    const struct key_facts *key = &row->table->keys.items[index];
    const struct list *rows;
    *out = value_list(row->draw->drawer->caller->arena);
    if (!existing_rows(row, index, &rows)) {
        return false;
    }
    for (size_t i = 0; i < rows->count; i++) {
        bool fits = row_agrees(row, key, rows->items[i]);
        if (fits && !leaves_others(row, key, rows->items[i], &fits)) {
            return false;
        }
        if (fits) {
            list_append(out->as.list, rows->items[i]);
        }
    }
    return true;
}

/* Leaves the key open: sets a column to NULL, unless one is NULL already. */
static void settle_null(struct drawn_row *row, const struct key_facts *key)
{
    for (size_t i = 0; i < key->columns.count; i++) {
        size_t column = key->columns.items[i];
        if (!row->taken[column] && !row->columns[column].not_null) {
            row->taken[column] = true;
            row->values[column] = value_none();
        }
    }
}

/* The wanted values of the key's columns, or None if the key is open; false if no values are
 * wanted. */
static bool wanted_key(const struct drawn_row *row, const struct key_facts *key, struct value *out)
{
    struct arena *arena = row->draw->drawer->caller->arena;
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

static enum draw_result draw_key(struct drawn_row *row, size_t index)
{
    assert(index < row->table->keys.count);
    const struct key_facts *key = &row->table->keys.items[index];
    struct value rows;
    struct value wanted;
    struct value found = value_none();
    bool nullable = key_may_be_null(row, key, NULL);
    bool settled = key_is_settled(row, key);
    if (settled && nullable) {
        return DRAW_OK;
    }
    if (!find_candidates(row, index, &rows)) {
        return DRAW_ERROR;
    }
    bool given = row->draw->wanted != NULL;
    if (given && !wanted_key(row, key, &wanted)) {
        return DRAW_REJECTED;
    }
    enum draw_result result =
        key_draw(row->draw, rows.as.list, nullable, given ? &wanted : NULL, &found);
    if (result != DRAW_OK) {
        return result;
    }
    if (found.type == VALUE_NONE) {
        settle_null(row, key);
        return DRAW_OK;
    }
    for (size_t i = 0; i < key->columns.count; i++) {
        row->values[key->columns.items[i]] = found.as.tuple->items[i];
        row->taken[key->columns.items[i]] = true;
    }
    return DRAW_OK;
}

/* Settles a column of an unknown type: NULL, or the column's default. */
static bool settle_unknown(struct drawn_row *row, size_t index)
{
    assert(index < row->table->columns.count);
    const struct column_facts *column = &row->columns[index];
    if (column_is_known(column) || (column->not_null && !column->has_default)) {
        return false;
    }
    row->left_out[index] = column->not_null;
    row->values[index] = value_none();
    return true;
}

static enum draw_result draw_column(struct drawn_row *row, size_t index)
{
    assert(index < row->table->columns.count && !row->left_out[index]);
    const struct draw *draw = row->draw;
    struct value wanted;
    for (size_t i = 0; i < row->table->keys.count && !row->taken[index]; i++) {
        const struct key_facts *key = &row->table->keys.items[i];
        enum draw_result result =
            is_of_key(key, index) && key_is_drawn(row, key) ? draw_key(row, i) : DRAW_OK;
        if (result != DRAW_OK) {
            return result;
        }
    }
    if (row->taken[index] || settle_unknown(row, index)) {
        return DRAW_OK;
    }
    row->taken[index] = true;
    if (draw->wanted && !wanted_value(row, index, &wanted)) {
        return DRAW_REJECTED;
    }
    return column_draw(draw, &row->columns[index], draw_site(draw->site, index),
                       draw->wanted ? &wanted : NULL, &row->values[index]);
}

static enum draw_result draw_columns(struct drawn_row *row)
{
    enum draw_result result = DRAW_OK;
    for (size_t i = 0; i < row->table->columns.count && result == DRAW_OK; i++) {
        if (!row->left_out[i]) {
            size_t span = draw_span_begin(row->draw->drawer, SPAN_OTHER);
            result = draw_column(row, i);
            draw_span_end(row->draw->drawer, span);
        }
    }
    return result;
}

static void row_begin(struct drawn_row *row)
{
    struct arena *arena = row->draw->drawer->caller->arena;
    size_t count = row->table->columns.count;
    row->values = ARENA_ARRAY(arena, struct value, count);
    row->taken = ARENA_ARRAY(arena, bool, count);
    row->left_out = ARENA_ARRAY(arena, bool, count);
    row->existing = ARENA_ARRAY(arena, struct value, row->table->keys.count);
    for (size_t i = 0; i < count; i++) {
        row->values[i] = value_none();
        row->left_out[i] = row->columns[i].left_out || is_unwanted(row, i);
        row->taken[i] = row->left_out[i];
    }
    for (size_t i = 0; i < row->table->keys.count; i++) {
        row->existing[i] = value_none();
    }
}

/* Draws a row with the columns of one partition, or of a table without partitions. */
static enum draw_result draw_row_of(struct drawn_row *row)
{
    const struct draw *draw = row->draw;
    struct arena *arena = draw->drawer->caller->arena;
    row_begin(row);
    enum draw_result result = draw_columns(row);
    *draw->out = value_dict(arena);
    for (size_t i = 0; i < row->table->columns.count && result == DRAW_OK; i++) {
        const struct column_facts *column = &row->columns[i];
        if (!row->left_out[i] && !table_set(draw->out->as.table, value_text(arena, column->name),
                                            row->values[i], draw->err)) {
            return DRAW_ERROR;
        }
    }
    return result;
}

/* Draws a row for one of the partitions; a wanted row for the first that accepts it. */
static enum draw_result draw_partition(struct drawn_row *row)
{
    const struct draw *draw = row->draw;
    struct draw_mark mark = draw_mark(draw->drawer);
    size_t count = row->table->partitions.count;
    enum draw_result result = DRAW_REJECTED;
    for (size_t i = 0; i < (draw->wanted ? count : 1) && result == DRAW_REJECTED; i++) {
        draw_rewind(draw->drawer, mark);
        int64_t chosen = draw_place(draw->drawer, count, draw->wanted ? (int64_t)i : DRAW_ANY);
        row->columns = row->table->partitions.items[chosen];
        result = draw_row_of(row);
    }
    return result;
}

static bool check_without(const struct draw *draw, const struct table_facts *table)
{
    struct items without = value_items(draw->strategy->args[1]);
    bool right = true;
    for (size_t i = 0; right && i < without.count; i++) {
        right = table_column(table, value_cstr(without.items[i]), draw->err) != NULL;
    }
    return right;
}

static enum draw_result draw_row(const struct draw *draw)
{
    struct drawn_row row = {.draw = draw};
    if (draw->wanted && draw->wanted->type != VALUE_DICT) {
        return DRAW_REJECTED;
    }
    if (!column_table(draw, value_cstr(draw->strategy->args[0]), &row.table) ||
        !check_without(draw, row.table)) {
        return DRAW_ERROR;
    }
    row.columns = row.table->columns.items;
    enum draw_result result =
        row.table->partitions.count ? draw_partition(&row) : draw_row_of(&row);
    return result == DRAW_OK ? draw_matched(draw) : result;
}

const struct strategy_kind kind_row = {
    .name = "row",
    .params = {{"table", PARAM_REQUIRED, false}, {"without", PARAM_OPTIONAL, false}},
    .repeats = REPEATS_ALIKE,
    .make = make_row,
    .draw = draw_row,
};
