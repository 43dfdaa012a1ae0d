/* What the model expects, laid out as rows of the query's columns. */
#include "engine/compare.h"

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
    error_hint(err,
               "add RETURNING to the statement, or use `affects` for how many rows it changes");
    return false;
}

/* A value that stands alone for a row of one column. */
static bool put_single(const struct shaping *shaping, struct value item, struct value *cell)
{
    if (is_container(item)) {
        const char *kind = value_type_name(item);
        (void)error_set(shaping->err, ERROR_MACHINE,
                        "expect has a %s where the query returns one column", kind);
        error_hint(shaping->err,
                   "write (x,) for a row whose one column holds the %s x, an array or jsonb", kind);
        return false;
    }
    if (item.type == VALUE_OBJECT || item.type == VALUE_ERROR || item.type == VALUE_MULTIPLE) {
        return error_set(shaping->err, ERROR_MACHINE, "expect has a %s, which no query can return",
                         value_type_name(item));
    }
    *cell = item;
    return true;
}

static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

/* One item as a row: a tuple has a value per column, anything else is the one column's. */
static bool put_row(const struct shaping *shaping, struct value item, struct value *cells,
                    size_t columns)
{
    if (item.type == VALUE_TUPLE) {
        const struct tuple *tuple = item.as.tuple;
        if (tuple->count != columns) {
            (void)error_set(shaping->err, ERROR_MACHINE,
                            "expect has a row of %zu column%s, but the query returns %zu",
                            tuple->count, plural(tuple->count), columns);
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
    if (columns == 1) {
        return put_single(shaping, item, cells);
    }
    (void)error_set(shaping->err, ERROR_MACHINE,
                    "expect has a single value of type %s where the query returns %zu columns",
                    value_type_name(item), columns);
    error_hint(shaping->err, "write a tuple with a value for each column");
    return false;
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
        ok = put_row(shaping, rows->items[i], rows->cells + i * rows->columns, rows->columns);
    }
    value_iter_end(&iter);
    return ok;
}

static size_t key_width(const struct table *table)
{
    for (size_t i = 0; i < table->used; i++) {
        if (table->entries[i].live) {
            struct value key = table->entries[i].key;
            return key.type == VALUE_TUPLE ? key.as.tuple->count : 1;
        }
    }
    return 1;
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
    for (size_t i = 0; i < table->used; i++) {
        const struct table_entry *entry = &table->entries[i];
        if (!entry->live) {
            continue;
        }
        struct value *cells = rows->cells + at * rows->columns;
        if (!put_row(shaping, entry->key, cells, keys) ||
            !put_row(shaping, entry->value, cells + keys, rows->columns - keys)) {
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
    return put_row(shaping, expected, shaping->rows->cells, shaping->columns);
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
    switch (out->shape) {
    case SHAPE_DICT:
        return put_dict(&shaping, expected.as.table);
    case SHAPE_LIST:
    case SHAPE_UNORDERED:
        return put_rows(&shaping, expected);
    case SHAPE_ONE:
    default:
        return put_one(&shaping, expected);
    }
}
