/* From a column's type and checks to a strategy. */
#include "schema/column.h"

#include "value/number/numeric.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static bool is_single(const struct column_facts *column)
{
    return strcmp(column->type, "float4") == 0;
}

/* Bounds that hold together; None: open. */
struct bounds {
    struct value min, max;
};

static void narrow_min(struct bounds *bounds, struct value min)
{
    bool tighter = bounds->min.type == VALUE_NONE || number_compare(min, bounds->min) > 0;
    bounds->min = tighter ? min : bounds->min;
}

static void narrow_max(struct bounds *bounds, struct value max)
{
    bool tighter = bounds->max.type == VALUE_NONE || number_compare(max, bounds->max) < 0;
    bounds->max = tighter ? max : bounds->max;
}

/* A bound that does not count among whole numbers is moved to one that does. */
static struct value whole_bound(struct arena *arena, struct value bound, bool is_min, bool strict)
{
    struct value whole;
    if (!int_from_number(arena, bound, &whole, NULL)) {
        return bound;
    }
    int order = number_compare(whole, bound);
    bool short_of = is_min ? order < 0 : order > 0;
    if (short_of || (strict && order == 0)) {
        (void)number_arith(arena, ARITH_ADD, whole, value_int(is_min ? 1 : -1), &whole, NULL);
    }
    return whole;
}

static bool is_finite(struct value number)
{
    return number.type != VALUE_NUMERIC || number.as.numeric->kind == NUMERIC_FINITE;
}

/* The next float, which the simplest draw then is. */
static struct value next_float(struct value bound, bool up, bool single)
{
    double number = number_to_double(bound);
    double end = up ? HUGE_VAL : -HUGE_VAL;
    return value_float(single ? (double)nextafterf((float)number, (float)end)
                              : nextafter(number, end));
}

/* By what the checks say; a strict bound of floats and whole numbers is moved. */
static void narrow(struct arena *arena, const struct column_facts *column, enum type_form form,
                   struct bounds *bounds)
{
    for (size_t i = 0; i < column->checks.count; i++) {
        const struct check_facts *check = &column->checks.items[i];
        bool is_min = check->kind == CHECK_AT_LEAST || check->kind == CHECK_ABOVE;
        bool is_max = check->kind == CHECK_AT_MOST || check->kind == CHECK_BELOW;
        bool strict = check->kind == CHECK_ABOVE || check->kind == CHECK_BELOW;
        struct value bound;
        if ((!is_min && !is_max) || !check_number(arena, check->values.items[0], &bound) ||
            !is_finite(bound)) {
            continue;
        }
        if (form < TYPE_NUMERIC) {
            bound = whole_bound(arena, bound, is_min, strict);
        } else if (form == TYPE_FLOAT && strict) {
            bound = next_float(bound, is_min, is_single(column));
        }
        if (is_min) {
            narrow_min(bounds, bound);
        } else {
            narrow_max(bounds, bound);
        }
    }
}

static bool make_integers(struct arena *arena, const struct column_facts *column,
                          enum type_form form, struct value *out, struct error *err)
{
    static const int64_t ranges[][2] = {[TYPE_INT2] = {INT16_MIN, INT16_MAX},
                                        [TYPE_INT4] = {INT32_MIN, INT32_MAX},
                                        [TYPE_INT8] = {INT64_MIN, INT64_MAX},
                                        [TYPE_OID] = {0, UINT32_MAX}};
    struct bounds bounds = {value_int(ranges[form][0]), value_int(ranges[form][1])};
    narrow(arena, column, form, &bounds);
    struct value args[] = {bounds.min, bounds.max};
    return strategy_of_kind(arena, &kind_integers, args, out, err);
}

static bool make_money(struct arena *arena, struct value *out, struct error *err)
{
    static const char most[] = "92233720368547758.07";
    struct value args[5] = {[2] = value_int(2)};
    return numeric_from_text(arena, most, strlen(most), &args[1], err) &&
           number_negate(arena, args[1], &args[0], err) &&
           strategy_of_kind(arena, &kind_decimals, args, out, err);
}

/* The largest number of numeric(p, s): 99.99 for (4, 2); of a negative scale 9900 for (2, -2). */
static bool largest(struct arena *arena, const struct column_facts *column, struct value *out)
{
    struct strbuf text = {0};
    strbuf_fill(&text, '9', (size_t)column->precision);
    strbuf_addf(&text, "e%lld", (long long)-column->scale);
    bool ok = numeric_from_text(arena, strbuf_text(&text), text.size, out, NULL);
    strbuf_free(&text);
    return ok;
}

static bool make_numeric(struct arena *arena, const struct column_facts *column, struct value *out,
                         struct error *err)
{
    struct bounds bounds = {value_none(), value_none()};
    struct value args[5] = {0};
    if (column->precision >= 0) {
        if (!largest(arena, column, &bounds.max) ||
            !number_negate(arena, bounds.max, &bounds.min, err)) {
            return false;
        }
        args[2] = value_int(column->scale > 0 ? column->scale : 0);
    }
    narrow(arena, column, TYPE_NUMERIC, &bounds);
    args[0] = bounds.min;
    args[1] = bounds.max;
    return strategy_of_kind(arena, &kind_decimals, args, out, err);
}

static bool make_floats(struct arena *arena, const struct column_facts *column, struct value *out,
                        struct error *err)
{
    struct bounds bounds = {value_none(), value_none()};
    narrow(arena, column, TYPE_FLOAT, &bounds);
    struct value args[5] = {bounds.min, bounds.max};
    args[4] = value_int(is_single(column) ? 32 : 64);
    return strategy_of_kind(arena, &kind_floats, args, out, err);
}

/* What is said of a length. */
static struct bounds length_bounds(struct arena *arena, const struct column_facts *column)
{
    struct bounds sizes = {value_none(), value_none()};
    if (column->length >= 0) {
        narrow_max(&sizes, value_int(column->length));
    }
    for (size_t i = 0; i < column->checks.count; i++) {
        const struct check_facts *check = &column->checks.items[i];
        bool least = check->kind == CHECK_LENGTH_AT_LEAST;
        struct value size;
        if ((!least && check->kind != CHECK_LENGTH_AT_MOST) ||
            !check_number(arena, check->values.items[0], &size)) {
            continue;
        }
        size = whole_bound(arena, size, least, false);
        if (least) {
            narrow_min(&sizes, size);
        } else {
            narrow_max(&sizes, size);
        }
    }
    return sizes;
}

static bool make_pattern(struct arena *arena, const char *pattern, bool full, struct value *out,
                         struct error *err)
{
    struct value args[2] = {value_text(arena, pattern), value_bool(full)};
    return strategy_of_kind(arena, &kind_from_regex, args, out, err);
}

static bool make_text(struct arena *arena, const struct column_facts *column, struct value *out,
                      struct error *err)
{
    const struct check_facts *pattern = check_of_kind(column, CHECK_MATCHES);
    if (pattern && make_pattern(arena, pattern->values.items[0], false, out, NULL)) {
        return true;
    } /* a pattern that can't be read: values that break it show what is wrong */
    struct bounds sizes = length_bounds(arena, column);
    struct value args[3] = {{0}, sizes.min, sizes.max};
    return strategy_of_kind(arena, &kind_text, args, out, err);
}

/* name: 63 bytes, and a character has up to four. */
static bool make_name(struct arena *arena, const struct column_facts *column, struct value *out,
                      struct error *err)
{
    struct column_facts short_one = *column;
    short_one.length = 15;
    return make_text(arena, &short_one, out, err);
}

static bool make_bytes(struct arena *arena, const struct column_facts *column, struct value *out,
                       struct error *err)
{
    struct bounds sizes = length_bounds(arena, column);
    struct value args[2] = {sizes.min, sizes.max};
    return strategy_of_kind(arena, &kind_binary, args, out, err);
}

/* bit(n) and varbit(n) */
static bool make_bits(struct arena *arena, const struct column_facts *column, struct value *out,
                      struct error *err)
{
    enum { USUAL = 64, MOST = 250 }; /* what a regular expression may repeat */
    int64_t most = column->length < 0 ? USUAL : column->length < MOST ? column->length : MOST;
    bool fixed = strcmp(column->type, "bit") == 0;
    if (fixed && column->length > MOST) {
        return error_set(err, ERROR_MACHINE, "bit(%lld) of column %s is too long to be drawn",
                         (long long)column->length, column->name);
    }
    const char *pattern =
        arena_printf(arena, "[01]{%lld,%lld}", fixed ? (long long)most : 0LL, (long long)most);
    return make_pattern(arena, pattern, true, out, err);
}

/* The constants of the check or the labels, in the type of the column. */
static bool make_sampled(struct arena *arena, const struct column_facts *column,
                         const char *const *texts, size_t count, struct value *out,
                         struct error *err)
{
    struct value list = value_list(arena);
    for (size_t i = 0; i < count; i++) {
        struct value value = check_constant(arena, column, texts[i]);
        if (value.type != VALUE_NONE) {
            list_append(list.as.list, value);
        }
    }
    return strategy_of_kind(arena, &kind_sampled_from, &list, out, err);
}

/* Of a strategy that takes nothing from the column. */
static bool make_plain(struct arena *arena, const struct strategy_kind *kind, struct value *out,
                       struct error *err)
{
    static const struct value nothing[KIND_PARAMS_MAX];
    return strategy_of_kind(arena, kind, nothing, out, err);
}

static bool make_type(struct arena *arena, const struct column_facts *column,
                      const struct type_row *type, struct value *out, struct error *err)
{
    switch (type->form) {
    case TYPE_INT2:
    case TYPE_INT4:
    case TYPE_INT8:
    case TYPE_OID:
        return make_integers(arena, column, type->form, out, err);
    case TYPE_NUMERIC:
        return make_numeric(arena, column, out, err);
    case TYPE_FLOAT:
        return make_floats(arena, column, out, err);
    case TYPE_DATE:
        return times_strategy(arena, column, &kind_dates, out, err);
    case TYPE_TIME:
        return times_strategy(arena, column, &kind_times, out, err);
    case TYPE_TIMESTAMP:
        return times_strategy(arena, column, &kind_datetimes, out, err);
    case TYPE_INTERVAL:
        return times_strategy(arena, column, &kind_timedeltas, out, err);
    case TYPE_BOOL:
        return make_plain(arena, &kind_booleans, out, err);
    case TYPE_BYTES:
        return make_bytes(arena, column, out, err);
    case TYPE_UUID:
        return make_plain(arena, &kind_uuids, out, err);
    case TYPE_TEXT:
        return make_text(arena, column, out, err);
    case TYPE_NAME:
        return make_name(arena, column, out, err);
    case TYPE_MONEY:
        return make_money(arena, out, err);
    case TYPE_BITS:
        return make_bits(arena, column, out, err);
    case TYPE_JSON:
        return make_plain(arena, &kind_json_values, out, err);
    case TYPE_PATTERN:
        break;
    }
    return make_pattern(arena, type->pattern, true, out, err);
}

static bool make_scalar(struct arena *arena, const struct column_facts *column, struct value *out,
                        struct error *err)
{
    const struct check_facts *in = check_of_kind(column, CHECK_IN);
    if (in) {
        return make_sampled(arena, column, in->values.items, in->values.count, out, err);
    }
    if (column->labels.count) {
        return make_sampled(arena, column, column->labels.items, column->labels.count, out, err);
    }
    const struct type_row *type = type_row(column);
    return type ? make_type(arena, column, type, out, err) : column_unknown_type(column, err);
}

/* A strategy for a part that is never NULL: an array's elements, a range's bounds. */
static bool make_item(struct arena *arena, const struct column_facts *column, struct value *out,
                      struct error *err)
{
    assert(column->parts.count == 1);
    struct column_facts *item = arena_memdup(arena, column->parts.items, sizeof *item);
    item->not_null = true;
    item->in_array = column->shape == SHAPE_ARRAY;
    item->name = column->name;
    return column_strategy(arena, item, out, err);
}

/* Short lists without NULLs. */
static bool make_array(struct arena *arena, const struct column_facts *column, struct value *out,
                       struct error *err)
{
    enum { ARRAY_SIZE_MAX = 5 };
    struct bounds sizes = length_bounds(arena, column);
    struct value args[5] = {{0}, sizes.min, sizes.max};
    int64_t least = 0;
    if (args[2].type == VALUE_NONE && (args[1].type == VALUE_NONE || int_fits(args[1], &least))) {
        args[2] = value_int(least + ARRAY_SIZE_MAX);
    }
    return make_item(arena, column, &args[0], err) &&
           strategy_of_kind(arena, &kind_lists, args, out, err);
}

static bool make_composite(struct arena *arena, const struct column_facts *column,
                           struct value *out, struct error *err)
{
    struct value *parts = ARENA_ARRAY(arena, struct value, column->parts.count);
    for (size_t i = 0; i < column->parts.count; i++) {
        if (!column_strategy(arena, &column->parts.items[i], &parts[i], err)) {
            return false;
        }
    }
    return parts_strategy(arena, column, parts, out, err);
}

/* For the values that are not NULL; checks that it can't keep by itself are asked later. */
static bool make_values(struct arena *arena, const struct column_facts *column, struct value *out,
                        struct error *err)
{
    struct value *item;
    switch (column->shape) {
    case SHAPE_SCALAR:
        return make_scalar(arena, column, out, err);
    case SHAPE_ARRAY:
        return make_array(arena, column, out, err);
    case SHAPE_COMPOSITE:
        return make_composite(arena, column, out, err);
    case SHAPE_RANGE:
    case SHAPE_MULTIRANGE:
        break;
    }
    item = ARENA_NEW(arena, struct value);
    return make_item(arena, column, item, err) && parts_strategy(arena, column, item, out, err);
}

bool column_strategy(struct arena *arena, const struct column_facts *column, struct value *out,
                     struct error *err)
{
    struct value values;
    return make_values(arena, column, &values, err) &&
           part_strategy(arena, column, values, out, err);
}
