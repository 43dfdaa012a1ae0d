/* Converts the expected value to rows of the query's columns. */
#include "example/compare/compare.h"

#include "value/object.h"

#include <string.h>

struct shaping {
    struct arena *arena;
    struct expected_rows *rows;
    size_t columns;
    struct error *err;
};

static bool is_container(struct value value)
{
    return value.type == VALUE_LIST || value.type == VALUE_DICT || value.type == VALUE_SET ||
           value.type == VALUE_BAG;
}

static bool no_columns(struct error *err)
{
    (void)error_set(err, ERROR_MACHINE, "expect needs rows, but the statement returns none");
    return error_hint(
        err, "add RETURNING to the statement, or use `affects` for how many rows it changes");
}

/* The role of columns. */
enum part { PART_ROW, PART_KEY, PART_VALUE };
static const char *const part_words[] = {
    [PART_ROW] = "a row in expect",
    [PART_KEY] = "a key in the expected dict",
    [PART_VALUE] = "a value in the expected dict",
};

/* "a row in expect is a list, but the query returns 1 column" */
static bool no_fit(const struct shaping *shaping, enum part part, const char *is, size_t columns)
{
    static const char *const before[] = {
        [PART_ROW] = "the query returns ", [PART_KEY] = "the first key has ", [PART_VALUE] = ""};
    const char *after = part != PART_VALUE ? ""
                        : columns == 1     ? " is left for it"
                                           : " are left for it";
    return error_set(shaping->err, ERROR_MACHINE, "%s %s, but %s%zu column%s%s", part_words[part],
                     is, before[part], columns, plural(columns), after);
}

/* Puts a single value into the only column. */
static bool put_single(const struct shaping *shaping, enum part part, struct value item,
                       struct value *cell)
{
    if (is_container(item)) {
        const char *kind = value_type_name(item);
        (void)no_fit(shaping, part, arena_printf(shaping->arena, "is a %s", kind), 1);
        return error_hint(
            shaping->err, "write %s for a row whose %s column holds the %s x, an array or jsonb",
            part == PART_VALUE ? "{key: (x,)}" : "(x,)", part == PART_VALUE ? "last" : "one", kind);
    }
    if ((item.type == VALUE_OBJECT && !value_is_wildcard(item)) || item.type == VALUE_ERROR ||
        item.type == VALUE_MULTIPLE) {
        return error_set(shaping->err, ERROR_MACHINE,
                         "expect contains a %s, which no query can return", value_type_name(item));
    }
    *cell = item;
    return true;
}

static bool put_tuple(const struct shaping *shaping, enum part part, const struct tuple *tuple,
                      struct value *cells, size_t columns)
{
    if (tuple->count != columns) {
        (void)no_fit(
            shaping, part,
            arena_printf(shaping->arena, "has %zu column%s", tuple->count, plural(tuple->count)),
            columns);
        if (columns == 1) {
            error_hint(shaping->err, "write (x,) where x is a row that one column holds");
        }
        return false;
    }
    if (columns) {
        memcpy(cells, tuple->items, columns * sizeof *cells);
    }
    return true;
}

/* Puts an item into a row or a part of one: a tuple has a value for each column, and any other
 * value is that of the only column. */
static bool put_row(const struct shaping *shaping, enum part part, struct value item,
                    struct value *cells, size_t columns)
{
    if (item.type == VALUE_TUPLE) {
        return put_tuple(shaping, part, item.as.tuple, cells, columns);
    }
    if (columns == 1) {
        return put_single(shaping, part, item, cells);
    }
    (void)no_fit(
        shaping, part,
        arena_printf(shaping->arena, "is a single value of type %s", value_type_name(item)),
        columns);
    return error_hint(shaping->err, "write a tuple with a value for each column");
}

static void allocate(const struct shaping *shaping, size_t count)
{
    struct expected_rows *rows = shaping->rows;
    rows->count = count;
    rows->columns = shaping->columns;
    rows->cells = ARENA_ARRAY(shaping->arena, struct value, count * shaping->columns);
    rows->items = ARENA_ARRAY(shaping->arena, struct value, count);
}

static bool put_rows(const struct shaping *shaping, struct value items)
{
    struct value_iter iter;
    size_t count;
    if (!value_length(items, &count, shaping->err) ||
        !value_iter_begin(&iter, items, shaping->arena, shaping->err)) {
        return false;
    }
    allocate(shaping, count);
    struct expected_rows *rows = shaping->rows;
    bool ok = true;
    for (size_t i = 0; ok && i < count && value_iter_next(&iter, &rows->items[i]); i++) {
        ok = put_row(shaping, PART_ROW, rows->items[i], rows->cells + i * rows->columns,
                     rows->columns);
    }
    value_iter_end(&iter);
    return ok;
}

static size_t key_width(const struct table *table)
{
    const struct table_entry *first = table_first(table);
    return first && first->key.type == VALUE_TUPLE ? first->key.as.tuple->count : 1;
}

static bool too_few_columns(const struct shaping *shaping, size_t keys)
{
    (void)error_set(shaping->err, ERROR_MACHINE,
                    "expect is a dict with %zu key column%s, but the query returns %zu column%s",
                    keys, plural(keys), shaping->columns, plural(shaping->columns));
    if (shaping->columns == 1) {
        error_hint(shaping->err, "write (x,) for a row whose one column holds the dict x as json");
    } else {
        error_hint(shaping->err, "a dict stands for rows of a key and at least one more column");
    }
    return false;
}

static bool put_dict(const struct shaping *shaping, const struct table *table)
{
    struct expected_rows *rows = shaping->rows;
    size_t keys = key_width(table);
    if (shaping->columns <= keys) {
        return too_few_columns(shaping, keys);
    }
    allocate(shaping, table->count);
    rows->key_columns = keys;
    size_t at = 0;
    const struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(table, &i));) {
        struct value *cells = rows->cells + at * rows->columns;
        if (!put_row(shaping, PART_KEY, entry->key, cells, keys) ||
            !put_row(shaping, PART_VALUE, entry->value, cells + keys, rows->columns - keys)) {
            return false;
        }
        rows->items[at++] =
            value_tuple(shaping->arena, (struct value[]){entry->key, entry->value}, 2);
    }
    return true;
}

static bool put_one(const struct shaping *shaping, struct value expected)
{
    allocate(shaping, 1);
    shaping->rows->items[0] = expected;
    return put_row(shaping, PART_ROW, expected, shaping->rows->cells, shaping->columns);
}

static enum shape shape_of(struct value expected)
{
    if (expected.type == VALUE_SET || expected.type == VALUE_BAG) {
        return SHAPE_UNORDERED;
    }
    if (expected.type == VALUE_DICT) {
        return SHAPE_DICT;
    }
    bool listed = expected.type == VALUE_LIST ||
                  (expected.type == VALUE_OBJECT && expected.as.object->type->item);
    return listed ? SHAPE_LIST : SHAPE_ONE;
}

static bool put_expected(const struct shaping *shaping, struct value expected)
{
    switch (shaping->rows->shape) {
    case SHAPE_DICT:
        return put_dict(shaping, expected.as.table);
    case SHAPE_LIST:
    case SHAPE_UNORDERED:
        return put_rows(shaping, expected);
    case SHAPE_ONE:
    default:
        return put_one(shaping, expected);
    }
}

static bool all_left_out(const struct shaping *shaping)
{
    (void)error_set(shaping->err, ERROR_MACHINE, "expect leaves out every column");
    return error_hint(shaping->err, "`affects` compares the number of rows");
}

/* A column must be ignored in all rows or in none, so that the script can ignore it, too. */
static bool leave_out_column(const struct shaping *shaping, const struct answer *answer)
{
    struct expected_rows *rows = shaping->rows;
    size_t all = 0;
    rows->left_out = ARENA_ARRAY(shaping->arena, bool, rows->columns);
    for (size_t i = 0; i < rows->columns; i++) {
        size_t count = 0;
        for (size_t j = 0; j < rows->count; j++) {
            count += value_is_wildcard(rows->cells[j * rows->columns + i]);
        }
        rows->left_out[i] = count > 0;
        all += count > 0;
        if (count > 0 && count < rows->count) {
            (void)error_set(shaping->err, ERROR_MACHINE,
                            "expect leaves out the column %s in some rows only",
                            answer->columns[i].name);
            return error_hint(shaping->err, "write _ for it in each row, or in none");
        }
    }
    return all == 0 || all < rows->columns || all_left_out(shaping);
}

bool expected_rows_of(struct arena *arena, struct value expected, const struct answer *answer,
                      struct expected_rows *out, struct error *err)
{
    *out = (struct expected_rows){.shape = shape_of(expected), .set = expected.type == VALUE_SET};
    struct shaping shaping = {arena, out, answer->column_count, err};
    size_t count = 1;
    if (out->shape != SHAPE_ONE && !value_length(expected, &count, err)) {
        return false;
    }
    if (answer->column_count == 0 && answer->row_count == 0) {
        return count == 0 || no_columns(err);
    }
    return put_expected(&shaping, expected) && leave_out_column(&shaping, answer);
}
