#include "example/compare/compare.h"

#include "value/number/numeric.h"
#include "value/object.h"

#include <math.h>
#include <string.h>

/* Oids are fixed for built-in types (pg_type.dat). */
enum { TYPE_FLOAT4 = 700, TYPE_RECORD = 2249 };

static enum cell_verdict verdict(bool equal) { return equal ? CELL_EQUAL : CELL_DIFFERENT; }

/* Numbers from here on, half a unit above the largest float4, are rounded to infinity. The text of
 * the largest float4, 3.4028235e+38, is slightly above that float4, too. */
static const double float4_end = 0x1.ffffffp127;

/* Converts the expected number to the column's type first, because 0.1 is not a float4's 0.1. */
static bool float_equal(const struct answer_column *column, struct value expected,
                        struct value actual)
{
    if (!value_is_number(expected) || !value_is_number(actual)) {
        return false;
    }
    double a = number_to_double(expected);
    double b = number_to_double(actual);
    if (isnan(a) || isnan(b)) {
        return isnan(a) && isnan(b);
    }
    if (column->type == TYPE_FLOAT4 && fabs(a) < float4_end && fabs(b) < float4_end) {
        return (float)a == (float)b;
    }
    return a == b;
}

bool compare_is_sequence(struct value value)
{
    return value.type == VALUE_LIST || value.type == VALUE_TUPLE;
}

static bool json_equal(struct value expected, struct value actual);

static bool json_items_equal(struct value expected, struct value actual)
{
    struct items items = value_items(expected);
    struct items actual_items = value_items(actual);
    if (items.count != actual_items.count) {
        return false;
    }
    for (size_t i = 0; i < items.count; i++) {
        if (!json_equal(items.items[i], actual_items.items[i])) {
            return false;
        }
    }
    return true;
}

static bool json_members_equal(const struct table *expected, const struct table *actual)
{
    if (expected->count != actual->count) {
        return false;
    }
    const struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(expected, &i));) {
        const struct table_entry *found = table_find_hashed(actual, entry->hash, entry->key);
        if (!found || !json_equal(entry->value, found->value)) {
            return false;
        }
    }
    return true;
}

static bool is_null(struct value value)
{
    return value.type == VALUE_NONE || value.type == VALUE_JSON_NULL;
}

/* Inside a document, None and json_null both stand for null, and a tuple stands for an array. The
 * decoder bounds the depth of the answer. */
static bool json_equal(struct value expected, struct value actual)
{
    if (is_null(expected) || is_null(actual)) {
        return is_null(expected) && is_null(actual);
    }
    if (compare_is_sequence(expected) && compare_is_sequence(actual)) {
        return json_items_equal(expected, actual);
    }
    if (expected.type == VALUE_DICT && actual.type == VALUE_DICT) {
        return json_members_equal(expected.as.table, actual.as.table);
    }
    return value_equal(expected, actual);
}

/* Fields of an anonymous record are text, whatever their type. */
static bool record_field_equal(struct value expected, struct value actual)
{
    if (actual.type != VALUE_STRING || expected.type == VALUE_STRING) {
        return value_equal(expected, actual);
    }
    if (expected.type == VALUE_BOOL) {
        return value_is_string(actual, expected.as.boolean ? "t" : "f");
    }
    if (!value_is_number(expected)) {
        return false;
    }
    struct arena arena = {0};
    struct value number;
    bool equal =
        numeric_from_text(&arena, actual.as.string->data, actual.as.string->size, &number, NULL) &&
        number_compare(expected, number) == 0;
    arena_free(&arena);
    return equal;
}

static enum cell_verdict container_verdict(const struct answer_column *column,
                                           struct value expected, struct value actual);

static enum cell_verdict items_verdict(const struct answer_column *column, struct value expected,
                                       struct value actual)
{
    struct items items = value_items(expected);
    struct items actual_items = value_items(actual);
    if (items.count != actual_items.count) {
        return CELL_DIFFERENT;
    }
    enum cell_verdict all = CELL_EQUAL;
    for (size_t i = 0; i < items.count && all != CELL_DIFFERENT; i++) {
        enum cell_verdict one = container_verdict(column, items.items[i], actual_items.items[i]);
        all = one == CELL_EQUAL ? all : one;
    }
    return all;
}

static enum cell_verdict container_verdict(const struct answer_column *column,
                                           struct value expected, struct value actual)
{
    if (expected.type == VALUE_NONE || actual.type == VALUE_NONE) {
        return verdict(expected.type == actual.type);
    }
    if (compare_is_sequence(actual)) {
        return compare_is_sequence(expected) ? items_verdict(column, expected, actual)
                                             : CELL_DIFFERENT;
    }
    if (column->type == TYPE_RECORD) {
        return verdict(record_field_equal(expected, actual));
    }
    if (value_equal(expected, actual)) {
        return CELL_EQUAL;
    }
    return column->plain ? CELL_DIFFERENT : CELL_ASK;
}

enum cell_verdict compare_cell(const struct answer_column *column, struct value expected,
                               struct value actual)
{
    if (value_is_wildcard(expected) || value_is_wildcard(actual)) {
        return verdict(value_equal(expected, actual));
    }
    if (expected.type == VALUE_NONE || actual.type == VALUE_NONE) {
        return verdict(expected.type == actual.type); /* NULL equals only NULL */
    }
    switch (column->class) {
    case COLUMN_FLOAT:
        return verdict(float_equal(column, expected, actual));
    case COLUMN_JSON: /* at the top, JSON's null differs from NULL */
        return verdict(json_equal(expected, actual));
    case COLUMN_CONTAINER:
        return container_verdict(column, expected, actual);
    case COLUMN_OTHER:
        return value_equal(expected, actual) ? CELL_EQUAL : CELL_ASK;
    case COLUMN_NUMBER:
    case COLUMN_TEXT:
    case COLUMN_BYTES:
    default:
        return verdict(value_equal(expected, actual));
    }
}
