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

/* A lower and an upper bound; None if open. */
struct bounds {
    struct value min, max;
};

static void tighten(struct bounds *bounds, bool is_min, struct value bound)
{
    struct value *old = is_min ? &bounds->min : &bounds->max;
    int order = old->type == VALUE_NONE ? 0 : number_compare(bound, *old);
    bool tighter = old->type == VALUE_NONE || (is_min ? order > 0 : order < 0);
    *old = tighter ? bound : *old;
}

/* Moves a bound to the next whole number inside. */
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

/* The next float, which the simplest draw then is. */
static struct value next_float(struct value bound, bool up, bool single)
{
    double number = number_to_double(bound);
    double end = up ? HUGE_VAL : -HUGE_VAL;
    return value_float(single ? (double)nextafterf((float)number, (float)end)
                              : nextafter(number, end));
}

/* Narrows the bounds by the checks; strict bounds of floats and whole numbers become inclusive. */
static void narrow_bounds(struct arena *arena, const struct column_facts *column,
                          enum type_form form, struct bounds *bounds)
{
    for (size_t i = 0; i < column->checks.count; i++) {
        const struct check_facts *check = &column->checks.items[i];
        bool is_min = check->kind == CHECK_AT_LEAST || check->kind == CHECK_ABOVE;
        bool is_max = check->kind == CHECK_AT_MOST || check->kind == CHECK_BELOW;
        bool strict = check->kind == CHECK_ABOVE || check->kind == CHECK_BELOW;
        struct value bound;
        if ((!is_min && !is_max) || !check_number(arena, check->values.items[0], &bound) ||
            numeric_kind_of(bound) != NUMERIC_FINITE) {
            continue;
        }
        if (form < FORM_NUMERIC) {
            bound = whole_bound(arena, bound, is_min, strict);
        } else if (form == FORM_FLOAT && strict) {
            bound = next_float(bound, is_min, is_single(column));
        }
        tighten(bounds, is_min, bound);
    }
}

/* The strategy being made. */
struct making {
    struct arena *arena;
    const struct column_facts *column;
    struct value *out;
    struct error *err;
};

static bool make_part(const struct making *making, const struct strategy_kind *kind,
                      const struct value *args)
{
    return strategy_of_kind(making->arena, kind, args, making->out, making->err);
}

static bool make_integers(const struct making *making, enum type_form form)
{
    static const int64_t ranges[][2] = {[FORM_INT2] = {INT16_MIN, INT16_MAX},
                                        [FORM_INT4] = {INT32_MIN, INT32_MAX},
                                        [FORM_INT8] = {INT64_MIN, INT64_MAX},
                                        [FORM_OID] = {0, UINT32_MAX}};
    struct bounds bounds = {value_int(ranges[form][0]), value_int(ranges[form][1])};
    narrow_bounds(making->arena, making->column, form, &bounds);
    struct value args[] = {bounds.min, bounds.max};
    return make_part(making, &kind_integers, args);
}

static bool make_money(const struct making *making)
{
    static const char most[] = "92233720368547758.07";
    struct value args[5] = {[2] = value_int(2)};
    return numeric_from_text(making->arena, most, strlen(most), &args[1], making->err) &&
           number_negate(making->arena, args[1], &args[0], making->err) &&
           make_part(making, &kind_decimals, args);
}

/* The largest number of numeric(p, s): 99.99 for (4, 2), and 9900 for (2, -2). */
static bool largest_numeric(struct arena *arena, const struct column_facts *column,
                            struct value *out)
{
    struct strbuf text = {0};
    strbuf_fill(&text, '9', (size_t)column->precision);
    strbuf_addf(&text, "e%lld", (long long)-column->scale);
    bool ok = numeric_from_text(arena, strbuf_text(&text), text.size, out, NULL);
    strbuf_free(&text);
    return ok;
}

static bool make_numeric(const struct making *making)
{
    const struct column_facts *column = making->column;
    struct bounds bounds = {value_none(), value_none()};
    struct value args[5] = {0};
    if (column->precision >= 0) {
        if (!largest_numeric(making->arena, column, &bounds.max) ||
            !number_negate(making->arena, bounds.max, &bounds.min, making->err)) {
            return false;
        }
        args[2] = value_int(column->scale > 0 ? column->scale : 0);
    }
    narrow_bounds(making->arena, column, FORM_NUMERIC, &bounds);
    args[0] = bounds.min;
    args[1] = bounds.max;
    return make_part(making, &kind_decimals, args);
}

static bool make_floats(const struct making *making)
{
    struct bounds bounds = {value_none(), value_none()};
    narrow_bounds(making->arena, making->column, FORM_FLOAT, &bounds);
    struct value args[5] = {bounds.min, bounds.max};
    args[4] = value_int(is_single(making->column) ? 32 : 64);
    return make_part(making, &kind_floats, args);
}

/* The bounds of a length. */
static struct bounds length_bounds(struct arena *arena, const struct column_facts *column,
                                   int64_t length)
{
    struct bounds sizes = {value_none(), value_none()};
    if (length >= 0) {
        tighten(&sizes, false, value_int(length));
    }
    for (size_t i = 0; i < column->checks.count; i++) {
        const struct check_facts *check = &column->checks.items[i];
        bool least = check->kind == CHECK_LENGTH_AT_LEAST;
        struct value size;
        if ((!least && check->kind != CHECK_LENGTH_AT_MOST) ||
            !check_number(arena, check->values.items[0], &size)) {
            continue;
        }
        tighten(&sizes, least, whole_bound(arena, size, least, false));
    }
    return sizes;
}

static bool make_pattern(const struct making *making, const char *pattern, bool full)
{
    struct value args[2] = {value_text(making->arena, pattern), value_bool(full)};
    return make_part(making, &kind_from_regex, args);
}

/* `length` is at most that of the column. */
static bool make_text(const struct making *making, int64_t length)
{
    const struct check_facts *pattern = check_of_kind(making->column, CHECK_MATCHES);
    struct making readable = *making;
    readable.err = NULL;
    if (pattern && make_pattern(&readable, pattern->values.items[0], false)) {
        return true;
    } /* if the pattern can't be read, values that violate it show the mistake */
    struct bounds sizes = length_bounds(making->arena, making->column, length);
    struct value args[3] = {{0}, sizes.min, sizes.max};
    return make_part(making, &kind_text, args);
}

static bool make_bytes(const struct making *making)
{
    struct bounds sizes = length_bounds(making->arena, making->column, making->column->length);
    struct value args[2] = {sizes.min, sizes.max};
    return make_part(making, &kind_binary, args);
}

/* bit(n) and varbit(n) */
static bool make_bits(const struct making *making)
{
    enum { USUAL = 64, MOST = 250 }; /* the repetitions that a regular expression allows */
    const struct column_facts *column = making->column;
    int64_t most = column->length < 0 ? USUAL : column->length < MOST ? column->length : MOST;
    bool fixed = strcmp(column->type, "bit") == 0;
    if (fixed && column->length > MOST) {
        return error_set(making->err, ERROR_MACHINE,
                         "bit(%lld) of column %s is too long to be drawn",
                         (long long)column->length, column->name);
    }
    const char *pattern = arena_printf(making->arena, "[01]{%lld,%lld}",
                                       fixed ? (long long)most : 0LL, (long long)most);
    return make_pattern(making, pattern, true);
}

/* The constants of the check or the labels, in the type of the column. */
static bool make_sampled(const struct making *making, const char *const *texts, size_t count)
{
    struct value list = value_list(making->arena);
    for (size_t i = 0; i < count; i++) {
        struct value value = check_constant(making->arena, making->column, texts[i]);
        if (value.type != VALUE_NONE) {
            list_append(list.as.list, value);
        }
    }
    return make_part(making, &kind_sampled_from, &list);
}

static bool make_times(const struct making *making, const struct strategy_kind *kind)
{
    return times_strategy(making->arena, making->column, kind, making->out, making->err);
}

static bool make_type(const struct making *making, const struct pgtype *type)
{
    static const struct value nothing[KIND_PARAMS_MAX];
    enum { NAME_CHARACTERS = 15 }; /* 63 bytes, of up to four a character */
    switch (type->form) {
    case FORM_INT2:
    case FORM_INT4:
    case FORM_INT8:
    case FORM_OID:
        return make_integers(making, type->form);
    case FORM_NUMERIC:
        return make_numeric(making);
    case FORM_FLOAT:
        return make_floats(making);
    case FORM_DATE:
        return make_times(making, &kind_dates);
    case FORM_TIME:
        return make_times(making, &kind_times);
    case FORM_TIMESTAMP:
        return make_times(making, &kind_datetimes);
    case FORM_INTERVAL:
        return make_times(making, &kind_timedeltas);
    case FORM_BOOL:
        return make_part(making, &kind_booleans, nothing);
    case FORM_BYTES:
        return make_bytes(making);
    case FORM_UUID:
        return make_part(making, &kind_uuids, nothing);
    case FORM_TEXT:
        return make_text(making, making->column->length);
    case FORM_NAME:
        return make_text(making, NAME_CHARACTERS);
    case FORM_MONEY:
        return make_money(making);
    case FORM_BITS:
        return make_bits(making);
    case FORM_JSON:
        return make_part(making, &kind_json_values, nothing);
    case FORM_NONE:
    case FORM_PATTERN:
        break;
    }
    return make_pattern(making, type->pattern, true);
}

static bool make_scalar(const struct making *making)
{
    const struct column_facts *column = making->column;
    const struct check_facts *in = check_of_kind(column, CHECK_IN);
    const struct pgtype *type = column_type(column);
    if (in) {
        return make_sampled(making, in->values.items, in->values.count);
    }
    if (column->labels.count) {
        return make_sampled(making, column->labels.items, column->labels.count);
    }
    return type ? make_type(making, type) : column_unknown_type(column, making->err);
}

/* A strategy for a part that is never NULL: an array's elements, a range's bounds. */
static bool make_item(const struct making *making, struct value *out)
{
    const struct column_facts *column = making->column;
    assert(column->parts.count == 1);
    struct column_facts *item = arena_memdup(making->arena, column->parts.items, sizeof *item);
    item->not_null = true;
    item->in_array = column->shape == SHAPE_ARRAY;
    item->name = column->name;
    return column_strategy(making->arena, item, out, making->err);
}

/* Short lists without NULLs. */
static bool make_array(const struct making *making)
{
    enum { ARRAY_SIZE_MAX = 5 };
    struct bounds sizes = length_bounds(making->arena, making->column, making->column->length);
    struct value args[5] = {{0}, sizes.min, sizes.max};
    int64_t least = 0;
    if (args[2].type == VALUE_NONE && (args[1].type == VALUE_NONE || int_fits(args[1], &least))) {
        args[2] = value_int(least + ARRAY_SIZE_MAX);
    }
    return make_item(making, &args[0]) && make_part(making, &kind_lists, args);
}

/* Makes ranges, multiranges and composites. The remaining checks are tested after drawing. */
static bool make_parts(const struct making *making)
{
    const struct column_facts *column = making->column;
    struct value *parts = ARENA_ARRAY(making->arena, struct value, column->parts.count);
    bool composite = column->shape == SHAPE_COMPOSITE;
    for (size_t i = 0; i < column->parts.count; i++) {
        if (composite
                ? !column_strategy(making->arena, &column->parts.items[i], &parts[i], making->err)
                : !make_item(making, &parts[i])) {
            return false;
        }
    }
    return parts_strategy(making->arena, column, parts, making->out, making->err);
}

bool column_strategy(struct arena *arena, const struct column_facts *column, struct value *out,
                     struct error *err)
{
    struct value values;
    const struct making making = {arena, column, &values, err};
    bool ok = column->shape == SHAPE_SCALAR  ? make_scalar(&making)
              : column->shape == SHAPE_ARRAY ? make_array(&making)
                                             : make_parts(&making);
    return ok && part_strategy(arena, column, values, out, err);
}
