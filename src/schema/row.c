/* row("table"): a dict of values for an insert. Foreign keys come from rows that exist, all columns
 * of one from the same row. */
#include "schema/column.h"

#include "gen/args.h"
#include "gen/invert.h"

#include <assert.h>
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
    const struct column_facts *columns; /* the table's, or those of the partition it is for */
    uint64_t site;
    struct value *values;       /* by column */
    bool *taken;                /* by column: the value is settled */
    bool *left_out;             /* by column: the row says nothing of it */
    struct value *existing;     /* by key: the rows that it may refer to, once asked */
    const struct table *wanted; /* what is to be given; NULL: it is drawn */
};

static bool wanted_value(const struct drawn_row *row, size_t column, struct value *out)
{
    assert(column < row->table->columns.count);
    struct table_entry *entry = NULL;
    struct value key = value_text(row->drawer->caller->arena, row->columns[column].name);
    if (!table_find(row->wanted, key, &entry, NULL) || !entry) {
        return false;
    }
    *out = entry->value;
    return true;
}

/* Foreign keys. Several may share columns, as where each row of a tenant refers to others of its
 * own: what one key has settled the next one keeps to, and a key takes only rows that leave the
 * later ones some. */

static bool shares_columns(const struct key_facts *a, const struct key_facts *b)
{
    for (size_t i = 0; i < a->columns.count; i++) {
        for (size_t j = 0; j < b->columns.count; j++) {
            if (a->columns.items[i] == b->columns.items[j]) {
                return true;
            }
        }
    }
    return false;
}

static bool is_of_key(const struct key_facts *key, size_t column)
{
    for (size_t i = 0; i < key->columns.count; i++) {
        if (key->columns.items[i] == column) {
            return true;
        }
    }
    return false;
}

static bool existing_rows(struct drawn_row *row, size_t key, const struct list **out,
                          struct error *err)
{
    assert(key < row->table->keys.count);
    if (row->existing[key].type == VALUE_NONE &&
        !key_rows(row->drawer, &row->table->keys.items[key], &row->existing[key], err)) {
        return false;
    }
    *out = row->existing[key].as.list;
    return true;
}

/* Whether the key may stay open: a column can be NULL that is not settled, or already is; of MATCH
 * FULL all. Columns of `other` count as settled. */
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

/* Whether a row that the key may refer to has the values that are settled. */
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

/* Whether both rows, of two keys, have the same values in the columns that the keys share. */
static bool rows_agree(const struct key_facts *a, struct value of_a, const struct key_facts *b,
                       struct value of_b)
{
    for (size_t i = 0; i < a->columns.count; i++) {
        for (size_t j = 0; j < b->columns.count; j++) {
            if (a->columns.items[i] == b->columns.items[j] &&
                !value_equal(of_a.as.tuple->items[i], of_b.as.tuple->items[j])) {
                return false;
            }
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

/* Whether every key that is still open, and shares columns, has a row that goes with the candidate.
 */
static bool leaves_others(struct drawn_row *row, const struct key_facts *key,
                          struct value candidate, bool *out, struct error *err)
{
    *out = true;
    for (size_t i = 0; i < row->table->keys.count && *out; i++) {
        const struct key_facts *other = &row->table->keys.items[i];
        const struct list *rows;
        if (other == key || !shares_columns(key, other) || key_is_settled(row, other) ||
            key_may_be_null(row, other, key)) {
            continue;
        }
        if (!existing_rows(row, i, &rows, err)) {
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

/* The rows that the key may refer to, given what is settled. */
static bool find_candidates(struct drawn_row *row, size_t index, struct value *out,
                            struct error *err)
{
    const struct key_facts *key = &row->table->keys.items[index];
    const struct list *rows;
    *out = value_list(row->drawer->caller->arena);
    if (!existing_rows(row, index, &rows, err)) {
        return false;
    }
    for (size_t i = 0; i < rows->count; i++) {
        bool fits = row_agrees(row, key, rows->items[i]);
        if (fits && !leaves_others(row, key, rows->items[i], &fits, err)) {
            return false;
        }
        if (fits) {
            list_append(out->as.list, rows->items[i]);
        }
    }
    return true;
}

/* A column of the key that is NULL, or can be: without one it refers to a row. */
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

/* The wanted values of the key's columns, None where it is open; false: there are none. */
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

static enum draw_result take_key(struct drawn_row *row, size_t index, struct error *err)
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
    if (!find_candidates(row, index, &rows, err)) {
        return DRAW_ERROR;
    }
    if (row->wanted && !wanted_key(row, key, &wanted)) {
        return DRAW_REJECTED;
    }
    enum draw_result result =
        key_take(row->drawer, rows.as.list, nullable, row->wanted ? &wanted : NULL, &found);
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

/* What another type would be drawn for can't be: NULL, or the column's default. */
static bool take_unknown(struct drawn_row *row, size_t index)
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

static enum draw_result take_column(struct drawn_row *row, size_t index, struct error *err)
{
    assert(index < row->table->columns.count && !row->left_out[index]);
    const struct column_facts *column = &row->columns[index];
    uint64_t site = draw_site(row->site, index);
    struct value wanted;
    for (size_t i = 0; i < row->table->keys.count && !row->taken[index]; i++) {
        enum draw_result result =
            is_of_key(&row->table->keys.items[i], index) ? take_key(row, i, err) : DRAW_OK;
        if (result != DRAW_OK) {
            return result;
        }
    }
    if (row->taken[index] || take_unknown(row, index)) {
        return DRAW_OK;
    }
    row->taken[index] = true;
    if (row->wanted && !wanted_value(row, index, &wanted)) {
        return DRAW_REJECTED;
    }
    return column_take(row->drawer, column, site, row->wanted ? &wanted : NULL, &row->values[index],
                       err);
}

static enum draw_result take_columns(struct drawn_row *row, struct error *err)
{
    for (size_t i = 0; i < row->table->columns.count; i++) {
        if (row->left_out[i]) {
            continue;
        }
        size_t span = draw_span_begin(row->drawer, SPAN_OTHER);
        enum draw_result result = take_column(row, i, err);
        draw_span_end(row->drawer, span);
        if (result != DRAW_OK) {
            return result;
        }
    }
    return DRAW_OK;
}

static void row_begin(struct drawn_row *row)
{
    struct arena *arena = row->drawer->caller->arena;
    size_t count = row->table->columns.count;
    row->values = ARENA_ARRAY(arena, struct value, count);
    row->taken = ARENA_ARRAY(arena, bool, count);
    row->left_out = ARENA_ARRAY(arena, bool, count);
    row->existing = ARENA_ARRAY(arena, struct value, row->table->keys.count);
    for (size_t i = 0; i < count; i++) {
        row->values[i] = value_none();
        row->left_out[i] = row->columns[i].left_out;
        row->taken[i] = row->left_out[i];
    }
    for (size_t i = 0; i < row->table->keys.count; i++) {
        row->existing[i] = value_none();
    }
}

/* With the columns of one partition, or of the table where it has none. */
static enum draw_result take_row_of(struct drawn_row *row, struct value *out, struct error *err)
{
    struct arena *arena = row->drawer->caller->arena;
    row_begin(row);
    enum draw_result result = take_columns(row, err);
    *out = value_dict(arena);
    for (size_t i = 0; i < row->table->columns.count && result == DRAW_OK; i++) {
        const struct column_facts *column = &row->columns[i];
        if (!row->left_out[i] &&
            !table_set(out->as.table, value_text(arena, column->name), row->values[i], err)) {
            return DRAW_ERROR;
        }
    }
    return result;
}

/* A row goes into one of the partitions; what is wanted into the first that takes it. */
static enum draw_result take_row(struct drawn_row *row, struct value *out, struct error *err)
{
    const struct table_facts *table = row->table;
    struct drawer *drawer = row->drawer;
    struct draw_mark mark = draw_mark(drawer);
    int64_t last = (int64_t)table->partitions.count - 1;
    row->columns = table->columns.items;
    if (last < 0) {
        return take_row_of(row, out, err);
    }
    enum draw_result result = DRAW_REJECTED;
    for (int64_t i = 0; i <= last && result == DRAW_REJECTED; i++) {
        bool fresh = !row->wanted && draw_is_fresh(drawer);
        int64_t proposal = fresh ? (int64_t)rng_below(drawer->rng, (uint64_t)last + 1) : i;
        draw_rewind(drawer, mark);
        int64_t chosen = draw_integer(drawer, (struct int_range){0, last, 0}, proposal);
        row->columns = table->partitions.items[chosen];
        result = take_row_of(row, out, err);
        if (!row->wanted) {
            break;
        }
    }
    return result;
}

static enum draw_result draw_row(struct drawer *drawer, const struct strategy *strategy,
                                 uint64_t site, struct value *out, struct error *err)
{
    struct drawn_row row = {.drawer = drawer, .site = site};
    return column_table(drawer, strategy, value_cstr(strategy->args[0]), &row.table, err)
               ? take_row(&row, out, err)
               : DRAW_ERROR;
}

static enum draw_result invert_row(struct drawer *drawer, const struct strategy *strategy,
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
    return result == DRAW_OK && !value_matches(*out, wanted) ? DRAW_REJECTED : result;
}

const struct strategy_kind kind_row = {
    .name = "row",
    .params = {{"table", PARAM_REQUIRED, false}},
    .repeats = REPEATS_ALIKE,
    .make = make_row,
    .draw = draw_row,
    .invert = invert_row,
};
