/* From a column's type and checks to a strategy. */
#include "gen/column.h"

#include "value/calendar.h"
#include "value/numeric.h"

#include <string.h>

/* One value of a check as a number; false: it is none. */
static bool as_number(struct arena *arena, const char *text, struct value *out)
{
    struct error ignored;
    return int_from_text(arena, text, strlen(text), 10, out, &ignored) ||
           numeric_from_text(arena, text, strlen(text), out, &ignored);
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
static struct value whole_bound(struct arena *arena, struct value bound, enum check_kind kind)
{
    bool from_below = kind == CHECK_AT_LEAST || kind == CHECK_ABOVE;
    bool strict = kind == CHECK_ABOVE || kind == CHECK_BELOW;
    struct value whole;
    struct value step = value_int(from_below ? 1 : -1);
    if (!int_from_number(arena, bound, &whole, NULL)) {
        return bound;
    }
    int order = number_compare(whole, bound);
    bool short_of = from_below ? order < 0 : order > 0;
    if (short_of || (strict && order == 0)) {
        (void)number_arith(arena, ARITH_ADD, whole, step, &whole, NULL);
    }
    return whole;
}

static void narrow(struct arena *arena, const struct column_facts *column, bool whole,
                   struct bounds *bounds)
{
    for (size_t i = 0; i < column->checks.count; i++) {
        const struct check_facts *check = &column->checks.items[i];
        bool is_min = check->kind == CHECK_AT_LEAST || check->kind == CHECK_ABOVE;
        bool is_max = check->kind == CHECK_AT_MOST || check->kind == CHECK_BELOW;
        struct value bound;
        if ((!is_min && !is_max) || !as_number(arena, check->values.items[0], &bound)) {
            continue;
        }
        bound = whole ? whole_bound(arena, bound, check->kind) : bound;
        if (is_min) {
            narrow_min(bounds, bound);
        } else {
            narrow_max(bounds, bound);
        }
    }
}

static bool make_integers(struct arena *arena, const struct column_facts *column, int64_t most,
                          struct value *out, struct error *err)
{
    struct bounds bounds = {value_int(-most - 1), value_int(most)};
    narrow(arena, column, true, &bounds);
    struct value args[] = {bounds.min, bounds.max};
    return strategy_of_kind(arena, &kind_integers, args, out, err);
}

static bool make_int2(struct arena *arena, const struct column_facts *column, struct value *out,
                      struct error *err)
{
    return make_integers(arena, column, INT16_MAX, out, err);
}

static bool make_int4(struct arena *arena, const struct column_facts *column, struct value *out,
                      struct error *err)
{
    return make_integers(arena, column, INT32_MAX, out, err);
}

static bool make_int8(struct arena *arena, const struct column_facts *column, struct value *out,
                      struct error *err)
{
    return make_integers(arena, column, INT64_MAX, out, err);
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
    narrow(arena, column, false, &bounds);
    args[0] = bounds.min;
    args[1] = bounds.max;
    return strategy_of_kind(arena, &kind_decimals, args, out, err);
}

static bool make_floats(struct arena *arena, const struct column_facts *column, struct value *out,
                        struct error *err)
{
    struct bounds bounds = {value_none(), value_none()};
    narrow(arena, column, false, &bounds);
    struct value args[5] = {bounds.min, bounds.max};
    args[4] = value_int(strcmp(column->type, "float4") == 0 ? 32 : 64);
    return strategy_of_kind(arena, &kind_floats, args, out, err);
}

static const struct check_facts *find_check(const struct column_facts *column, enum check_kind kind)
{
    for (size_t i = 0; i < column->checks.count; i++) {
        if (column->checks.items[i].kind == kind) {
            return &column->checks.items[i];
        }
    }
    return NULL;
}

static bool make_text(struct arena *arena, const struct column_facts *column, struct value *out,
                      struct error *err)
{
    const struct check_facts *pattern = find_check(column, CHECK_MATCHES);
    if (pattern) {
        struct value args[2] = {value_text(arena, pattern->values.items[0])};
        if (strategy_of_kind(arena, &kind_from_regex, args, out, NULL)) {
            return true;
        } /* a pattern that can't be read: values that break it show what is wrong */
    }
    struct bounds sizes = {value_none(), value_none()};
    if (column->length >= 0) {
        narrow_max(&sizes, value_int(column->length));
    }
    for (size_t i = 0; i < column->checks.count; i++) {
        const struct check_facts *check = &column->checks.items[i];
        struct value size;
        if (check->kind == CHECK_LENGTH_AT_LEAST &&
            as_number(arena, check->values.items[0], &size)) {
            narrow_min(&sizes, whole_bound(arena, size, CHECK_AT_LEAST));
        } else if (check->kind == CHECK_LENGTH_AT_MOST &&
                   as_number(arena, check->values.items[0], &size)) {
            narrow_max(&sizes, whole_bound(arena, size, CHECK_AT_MOST));
        }
    }
    struct value args[3] = {{0}, sizes.min, sizes.max};
    return strategy_of_kind(arena, &kind_text, args, out, err);
}

/* A bound of a time as the strategies read it: without the zone, which is UTC's. */
static struct value time_bound(struct arena *arena, const char *text)
{
    size_t size = strlen(text);
    bool zoned = size > 3 && strcmp(text + size - 3, "+00") == 0;
    return value_string(arena, text, zoned ? size - 3 : size);
}

static bool make_times(struct arena *arena, const struct column_facts *column,
                       const struct strategy_kind *kind, struct value *out, struct error *err)
{
    struct value args[2] = {{0}};
    for (size_t i = 0; i < column->checks.count; i++) {
        const struct check_facts *check = &column->checks.items[i];
        if (check->kind == CHECK_AT_LEAST || check->kind == CHECK_ABOVE) {
            args[0] = time_bound(arena, check->values.items[0]);
        } else if (check->kind == CHECK_AT_MOST || check->kind == CHECK_BELOW) {
            args[1] = time_bound(arena, check->values.items[0]);
        }
    }
    static const struct value open[2];
    return strategy_of_kind(arena, kind, args, out, NULL) || /* a bound such as now() is no text */
           strategy_of_kind(arena, kind, open, out, err);
}

static bool make_dates(struct arena *arena, const struct column_facts *column, struct value *out,
                       struct error *err)
{
    return make_times(arena, column, &kind_dates, out, err);
}

static bool make_clock(struct arena *arena, const struct column_facts *column, struct value *out,
                       struct error *err)
{
    return make_times(arena, column, &kind_times, out, err);
}

static bool make_timestamps(struct arena *arena, const struct column_facts *column,
                            struct value *out, struct error *err)
{
    return make_times(arena, column, &kind_datetimes, out, err);
}

static bool make_intervals(struct arena *arena, const struct column_facts *column,
                           struct value *out, struct error *err)
{
    return make_times(arena, column, &kind_timedeltas, out, err);
}

/* Types whose strategy takes nothing from the column. */
static bool make_plain(struct arena *arena, const struct column_facts *column, struct value *out,
                       struct error *err)
{
    static const struct value nothing[2];
    const struct strategy_kind *kind = strcmp(column->type, "bool") == 0    ? &kind_booleans
                                       : strcmp(column->type, "bytea") == 0 ? &kind_binary
                                       : strcmp(column->type, "uuid") == 0  ? &kind_uuids
                                                                            : &kind_json_values;
    return strategy_of_kind(arena, kind, nothing, out, err);
}

typedef bool make_type(struct arena *arena, const struct column_facts *column, struct value *out,
                       struct error *err);

static const struct {
    const char *type;
    make_type *make;
} types[] = {
    {"int2", make_int2},
    {"int4", make_int4},
    {"int8", make_int8},
    {"numeric", make_numeric},
    {"float4", make_floats},
    {"float8", make_floats},
    {"text", make_text},
    {"varchar", make_text},
    {"bpchar", make_text},
    {"citext", make_text},
    {"date", make_dates},
    {"time", make_clock},
    {"timestamp", make_timestamps},
    {"timestamptz", make_timestamps},
    {"interval", make_intervals},
    {"bool", make_plain},
    {"bytea", make_plain},
    {"uuid", make_plain},
    {"json", make_plain},
    {"jsonb", make_plain},
};

static make_type *find_type(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].type, name) == 0) {
            return types[i].make;
        }
    }
    return NULL;
}

static bool is_numeric(const struct column_facts *column)
{
    make_type *make = find_type(column->type);
    return make == make_int2 || make == make_int4 || make == make_int8 || make == make_numeric ||
           make == make_floats;
}

/* The constants of the check or the labels, in the type of the column. */
static bool make_sampled(struct arena *arena, const struct column_facts *column,
                         const char *const *texts, size_t count, struct value *out,
                         struct error *err)
{
    struct value list = value_list(arena);
    bool floats = find_type(column->type) == make_floats;
    bool numeric = is_numeric(column);
    bool boolean = strcmp(column->type, "bool") == 0;
    for (size_t i = 0; i < count; i++) {
        struct value value = value_text(arena, texts[i]);
        if (numeric && !as_number(arena, texts[i], &value)) {
            continue;
        }
        value = floats ? value_float(number_to_double(value)) : value;
        value = boolean ? value_bool(texts[i][0] == 't') : value;
        list_append(list.as.list, value);
    }
    return strategy_of_kind(arena, &kind_sampled_from, &list, out, err);
}

static bool make_one(struct arena *arena, const struct column_facts *column, struct value *out,
                     struct error *err)
{
    const struct check_facts *in = find_check(column, CHECK_IN);
    if (in && !column->array) {
        return make_sampled(arena, column, in->values.items, in->values.count, out, err);
    }
    if (column->labels.count) {
        return make_sampled(arena, column, column->labels.items, column->labels.count, out, err);
    }
    make_type *make = find_type(column->type);
    if (!make) {
        error_set(err, ERROR_MACHINE, "there is no strategy for the type %s of column %s",
                  column->type_name, column->name);
        error_hint(err, "write one yourself, such as sampled_from([\"…\", \"…\"])");
        return false;
    }
    return make(arena, column, out, err);
}

bool column_strategy(struct arena *arena, const struct column_facts *column, struct value *out,
                     struct error *err)
{
    enum { ARRAY_SIZE_MAX = 5 };
    if (!column->array) {
        return make_one(arena, column, out, err);
    }
    struct column_facts item = *column;
    struct value args[5] = {[2] = value_int(ARRAY_SIZE_MAX)};
    item.checks.count = 0;
    return make_one(arena, &item, &args[0], err) &&
           strategy_of_kind(arena, &kind_lists, args, out, err);
}

/* < 0, 0, > 0; false: they can't be compared here. */
static bool compare(struct arena *arena, struct value value, const char *constant, int *order)
{
    struct value number;
    if (value_is_number(value)) {
        if (!as_number(arena, constant, &number)) {
            return false;
        }
        *order = number_compare(value, number);
        return true;
    }
    if (value.type == VALUE_BOOL) {
        *order = (int)value.as.boolean - (constant[0] == 't');
        return true;
    }
    if (value.type != VALUE_STRING) {
        return false;
    }
    struct value bound = time_bound(arena, constant);
    *order = strcmp(value.as.string->data, bound.as.string->data);
    return true;
}

/* Texts are ordered by a collation that is not known here. */
static bool is_ordered(const struct column_facts *column)
{
    make_type *make = find_type(column->type);
    return make != make_text && make != make_intervals && make != NULL;
}

static bool equals_any(struct arena *arena, const struct check_facts *check, struct value value)
{
    int order;
    for (size_t i = 0; i < check->values.count; i++) {
        if (compare(arena, value, check->values.items[i], &order) && order == 0) {
            return true;
        }
    }
    return false;
}

static bool holds(struct arena *arena, const struct column_facts *column,
                  const struct check_facts *check, struct value value)
{
    int order = 0;
    bool ordered = is_ordered(column) && compare(arena, value, check->values.items[0], &order);
    bool sized = value.type == VALUE_STRING;
    struct value length = value_int(sized ? (int64_t)value.as.string->length : 0);
    struct value size;
    switch (check->kind) {
    case CHECK_IN:
        return equals_any(arena, check, value);
    case CHECK_NOT_IN:
        return !equals_any(arena, check, value);
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
        return !sized || !as_number(arena, check->values.items[0], &size) ||
               number_compare(length, size) >= 0;
    case CHECK_LENGTH_AT_MOST:
        return !sized || !as_number(arena, check->values.items[0], &size) ||
               number_compare(length, size) <= 0;
    }
    return true;
}

bool column_holds(struct arena *arena, const struct column_facts *column, struct value value)
{
    bool limited = column->length >= 0 && value.type == VALUE_STRING;
    if (limited && (int64_t)value.as.string->length > column->length) {
        return false;
    }
    if (value.type == VALUE_JSON_NULL) { /* jsonb_populate_record makes NULL of it */
        return false;
    }
    for (size_t i = 0; i < column->checks.count && !column->array; i++) {
        if (!holds(arena, column, &column->checks.items[i], value)) {
            return false;
        }
    }
    return true;
}
