#include "base/utf8.h"
#include "value/number/numeric.h"
#include "value/walk.h"

#include <string.h>

static int sign_of(size_t a, size_t b) { return (a > b) - (a < b); }

/* UTF-8 orders as its code points do. */
static int compare_data(const void *a, size_t a_size, const void *b, size_t b_size)
{
    int order = memcmp(a, b, a_size < b_size ? a_size : b_size);
    return order ? order : sign_of(a_size, b_size);
}

static bool compare_values(struct walk *walk, struct value a, struct value b, int *out,
                           struct error *err);

/* Compares the first items that differ. Earlier items need no order (None), only equality. */
static bool compare_items(struct walk *walk, struct items a, struct items b, int *out,
                          struct error *err)
{
    for (size_t i = 0; i < a.count && i < b.count; i++) {
        bool same;
        if (!value_equal_checked(a.items[i], b.items[i], &same, err)) {
            return false;
        }
        if (!same) {
            return compare_values(walk, a.items[i], b.items[i], out, err);
        }
    }
    *out = sign_of(a.count, b.count);
    return true;
}

static bool compare_sequences(struct walk *walk, struct value a, struct value b, int *out,
                              struct error *err)
{
    if (!walk_enter(walk, a)) {
        return walk_error(walk, "compare", err);
    }
    bool done = compare_items(walk, value_items(a), value_items(b), out, err);
    walk_leave(walk);
    return done;
}

static bool no_order(struct value a, struct value b, struct error *err)
{
    if (a.type == b.type && a.type != VALUE_OBJECT) {
        return error_set(err, ERROR_MACHINE, "values of type %s have no order", value_type_name(a));
    }
    return error_set(err, ERROR_MACHINE, "cannot order %s and %s", value_type_name(a),
                     value_type_name(b));
}

static bool compare_values(struct walk *walk, struct value a, struct value b, int *out,
                           struct error *err)
{
    if (value_is_number(a) && value_is_number(b)) {
        *out = number_compare(a, b);
        return true;
    }
    if (a.type != b.type) {
        return no_order(a, b, err);
    }
    switch (a.type) {
    case VALUE_BOOL:
        *out = a.as.boolean - b.as.boolean;
        return true;
    case VALUE_STRING:
        *out = compare_data(a.as.string->data, a.as.string->size, b.as.string->data,
                            b.as.string->size);
        return true;
    case VALUE_BYTES:
        *out = compare_data(a.as.bytes->data, a.as.bytes->size, b.as.bytes->data, b.as.bytes->size);
        return true;
    case VALUE_LIST:
    case VALUE_TUPLE:
        return compare_sequences(walk, a, b, out, err);
    case VALUE_NONE:
    case VALUE_INT:
    case VALUE_NUMERIC:
    case VALUE_FLOAT:
    case VALUE_JSON_NULL:
    case VALUE_DICT:
    case VALUE_SET:
    case VALUE_BAG:
    case VALUE_MULTIPLE:
    case VALUE_ERROR:
    case VALUE_OBJECT:
    default:
        return no_order(a, b, err);
    }
}

bool value_compare(struct value a, struct value b, int *out, struct error *err)
{
    return compare_values(&(struct walk){0}, a, b, out, err);
}
