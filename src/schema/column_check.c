/* Decides if a column accepts a value: by its checks, as far as they are known, and by rounding to
 * its type. */
#include "schema/column.h"

#include "value/number/numeric.h"
#include "value/time/interval.h"

#include <assert.h>
#include <string.h>

static size_t label_place(const struct column_facts *column, const char *label)
{
    size_t i = 0;
    while (i < column->labels.count && strcmp(column->labels.items[i], label) != 0) {
        i++;
    }
    return i;
}

bool column_order(const struct column_facts *column, struct value a, struct value b, int *order)
{
    struct interval first;
    struct interval second;
    if (value_is_number(a) && value_is_number(b)) {
        *order = number_compare(a, b);
        return true;
    }
    if (a.type == VALUE_BOOL && b.type == VALUE_BOOL) {
        *order = (int)a.as.boolean - (int)b.as.boolean;
        return true;
    }
    if (a.type != VALUE_STRING || b.type != VALUE_STRING) {
        return false;
    }
    const char *left = value_cstr(a);
    const char *right = value_cstr(b);
    if (column->labels.count) {
        *order = (int)label_place(column, left) - (int)label_place(column, right);
    } else if (strcmp(column->type, "interval") == 0 && interval_read(left, strlen(left), &first) &&
               interval_read(right, strlen(right), &second)) {
        *order = interval_compare(first, second);
    } else {
        *order = strcmp(left, right);
    }
    return true;
}

static bool equals_any(struct arena *arena, const struct column_facts *column,
                       const struct check_facts *check, struct value value)
{
    int order;
    for (size_t i = 0; i < check->values.count; i++) {
        struct value constant = check_constant(arena, column, check->values.items[i]);
        if (column_order(column, value, constant, &order) && order == 0) {
            return true;
        }
    }
    return false;
}

static bool check_holds(struct arena *arena, const struct column_facts *column,
                        const struct check_facts *check, struct value value)
{
    int order = 0;
    size_t length = 0;
    struct value size;
    bool ordered =
        column_is_ordered(column) &&
        column_order(column, value, check_constant(arena, column, check->values.items[0]), &order);
    bool sized =
        value_length(value, &length, NULL) && check_number(arena, check->values.items[0], &size);
    switch (check->kind) {
    case CHECK_IN:
        return column->shape != SHAPE_SCALAR || equals_any(arena, column, check, value);
    case CHECK_NOT_IN:
        return !equals_any(arena, column, check, value);
    case CHECK_AT_LEAST:
        return !ordered || order >= 0;
    case CHECK_ABOVE:
        return !ordered || order > 0;
    case CHECK_AT_MOST:
        return !ordered || order <= 0;
    case CHECK_BELOW:
        return !ordered || order < 0;
    case CHECK_MATCHES:
        return true;
    case CHECK_LENGTH_AT_LEAST:
        return !sized || number_compare(value_int((int64_t)length), size) >= 0;
    case CHECK_LENGTH_AT_MOST:
        return !sized || number_compare(value_int((int64_t)length), size) <= 0;
    }
    return true;
}

bool column_holds(struct arena *arena, const struct column_facts *column, struct value value)
{
    bool limited = column->length >= 0 && value.type == VALUE_STRING;
    if (limited && (int64_t)value.as.string->length > column->length) {
        return false;
    }
    /* jsonb_populate_record turns JSON's null into NULL, and nested JSON arrays into dimensions */
    if (value.type == VALUE_JSON_NULL || (column->in_array && value.type == VALUE_LIST)) {
        return false;
    }
    for (size_t i = 0; i < column->checks.count; i++) {
        if (!check_holds(arena, column, &column->checks.items[i], value)) {
            return false;
        }
    }
    return true;
}

/* Cuts the text after this many digits of a second. */
static struct value cut_time(struct arena *arena, struct value value, int64_t digits)
{
    assert(digits >= 0);
    const char *text = value_cstr(value);
    const char *dot = strchr(text, '.');
    size_t size = strlen(text);
    if (!dot) {
        return value;
    }
    size_t whole = (size_t)(dot - text);
    size = size > whole + 1 + (size_t)digits ? whole + 1 + (size_t)digits : size;
    while (size > whole && (text[size - 1] == '0' || text[size - 1] == '.')) {
        size--;
    }
    return value_string(arena, text, size);
}

static struct value cut_interval(struct arena *arena, struct value value, int64_t digits)
{
    assert(digits >= 0);
    struct interval interval;
    char text[INTERVAL_TEXT_MAX];
    int64_t unit = 1;
    if (!interval_read(value_cstr(value), value.as.string->size, &interval)) {
        return value;
    }
    for (int64_t i = digits; i < 6; i++) {
        unit *= 10;
    }
    interval.us -= interval.us % unit;
    return value_string(arena, text, interval_write(interval, text));
}

struct value column_kept(struct arena *arena, const struct column_facts *column, struct value value)
{
    if (value.type == VALUE_STRING && column->fraction >= 0) {
        return strcmp(column->type, "interval") == 0 ? cut_interval(arena, value, column->fraction)
                                                     : cut_time(arena, value, column->fraction);
    }
    struct value rounded;
    if (value.type == VALUE_NUMERIC && column->precision >= 0 && column->scale < 0 &&
        number_round(arena, value, column->scale, &rounded, NULL)) {
        return rounded;
    }
    return value;
}
