/* From a column's type and checks to a strategy. */
#include "gen/column.h"

#include "value/number/numeric.h"

#include <math.h>
#include <string.h>

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

static bool is_finite(struct value number)
{
    return number.type != VALUE_NUMERIC || number.as.numeric->kind == NUMERIC_FINITE;
}

static void narrow(struct arena *arena, const struct column_facts *column, bool whole,
                   struct bounds *bounds)
{
    for (size_t i = 0; i < column->checks.count; i++) {
        const struct check_facts *check = &column->checks.items[i];
        bool is_min = check->kind == CHECK_AT_LEAST || check->kind == CHECK_ABOVE;
        bool is_max = check->kind == CHECK_AT_MOST || check->kind == CHECK_BELOW;
        struct value bound;
        if ((!is_min && !is_max) || !check_number(arena, check->values.items[0], &bound) ||
            !is_finite(bound)) {
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

static bool make_oid(struct arena *arena, const struct column_facts *column, struct value *out,
                     struct error *err)
{
    struct bounds bounds = {value_int(0), value_int(UINT32_MAX)};
    narrow(arena, column, true, &bounds);
    struct value args[] = {bounds.min, bounds.max};
    return strategy_of_kind(arena, &kind_integers, args, out, err);
}

static bool make_money(struct arena *arena, const struct column_facts *column, struct value *out,
                       struct error *err)
{
    static const char most[] = "92233720368547758.07";
    (void)column;
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
    narrow(arena, column, false, &bounds);
    args[0] = bounds.min;
    args[1] = bounds.max;
    return strategy_of_kind(arena, &kind_decimals, args, out, err);
}

/* Strict bounds are moved to the next float, which the simplest draw then is. */
static void narrow_floats(struct arena *arena, const struct column_facts *column, bool single,
                          struct bounds *bounds)
{
    narrow(arena, column, false, bounds);
    for (size_t i = 0; i < column->checks.count; i++) {
        const struct check_facts *check = &column->checks.items[i];
        struct value bound;
        if ((check->kind != CHECK_ABOVE && check->kind != CHECK_BELOW) ||
            !check_number(arena, check->values.items[0], &bound) || !is_finite(bound)) {
            continue;
        }
        bool above = check->kind == CHECK_ABOVE;
        double number = number_to_double(bound);
        double end = above ? HUGE_VAL : -HUGE_VAL;
        number = single ? (double)nextafterf((float)number, (float)end) : nextafter(number, end);
        if (above) {
            narrow_min(bounds, value_float(number));
        } else {
            narrow_max(bounds, value_float(number));
        }
    }
}

static bool make_floats(struct arena *arena, const struct column_facts *column, struct value *out,
                        struct error *err)
{
    struct bounds bounds = {value_none(), value_none()};
    bool single = strcmp(column->type, "float4") == 0;
    narrow_floats(arena, column, single, &bounds);
    struct value args[5] = {bounds.min, bounds.max};
    args[4] = value_int(single ? 32 : 64);
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

/* What is said of a length. */
static struct bounds length_bounds(struct arena *arena, const struct column_facts *column)
{
    struct bounds sizes = {value_none(), value_none()};
    if (column->length >= 0) {
        narrow_max(&sizes, value_int(column->length));
    }
    for (size_t i = 0; i < column->checks.count; i++) {
        const struct check_facts *check = &column->checks.items[i];
        struct value size;
        if (check->kind == CHECK_LENGTH_AT_LEAST &&
            check_number(arena, check->values.items[0], &size)) {
            narrow_min(&sizes, whole_bound(arena, size, CHECK_AT_LEAST));
        } else if (check->kind == CHECK_LENGTH_AT_MOST &&
                   check_number(arena, check->values.items[0], &size)) {
            narrow_max(&sizes, whole_bound(arena, size, CHECK_AT_MOST));
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
    const struct check_facts *pattern = find_check(column, CHECK_MATCHES);
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

static bool make_dates(struct arena *arena, const struct column_facts *column, struct value *out,
                       struct error *err)
{
    return times_strategy(arena, column, &kind_dates, out, err);
}

static bool make_clock(struct arena *arena, const struct column_facts *column, struct value *out,
                       struct error *err)
{
    return times_strategy(arena, column, &kind_times, out, err);
}

static bool make_timestamps(struct arena *arena, const struct column_facts *column,
                            struct value *out, struct error *err)
{
    return times_strategy(arena, column, &kind_datetimes, out, err);
}

static bool make_intervals(struct arena *arena, const struct column_facts *column,
                           struct value *out, struct error *err)
{
    return times_strategy(arena, column, &kind_timedeltas, out, err);
}

static bool make_json(struct arena *arena, const struct column_facts *column, struct value *out,
                      struct error *err)
{
    static const struct value usual;
    (void)column;
    return strategy_of_kind(arena, &kind_json_values, &usual, out, err);
}

/* Types whose strategy takes nothing from the column. */
static bool make_plain(struct arena *arena, const struct column_facts *column, struct value *out,
                       struct error *err)
{
    static const struct value nothing[2];
    const struct strategy_kind *kind =
        strcmp(column->type, "bool") == 0 ? &kind_booleans : &kind_uuids;
    return strategy_of_kind(arena, kind, nothing, out, err);
}

typedef bool make_type(struct arena *arena, const struct column_facts *column, struct value *out,
                       struct error *err);

#define OCTET "(\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])"
#define OCTETS OCTET "\\." OCTET "\\." OCTET "\\."
#define WORD16 "[1-9a-f][0-9a-f]{0,3}"
#define PLUS "[1-9]\\d{0,3}(\\.[1-9])?"
#define NUMBER "(0|-?" PLUS ")"
#define POINT "\\(" NUMBER "," NUMBER "\\)"

/* A strategy, or a pattern of what the type's output function writes. */
static const struct type_row {
    const char *type;
    make_type *make;
    const char *pattern;
} types[] = {
    {"int2", make_int2, NULL},
    {"int4", make_int4, NULL},
    {"int8", make_int8, NULL},
    {"oid", make_oid, NULL},
    {"numeric", make_numeric, NULL},
    {"money", make_money, NULL},
    {"float4", make_floats, NULL},
    {"float8", make_floats, NULL},
    {"text", make_text, NULL},
    {"varchar", make_text, NULL},
    {"bpchar", make_text, NULL},
    {"citext", make_text, NULL},
    {"name", make_name, NULL},
    {"char", NULL, "[0-9A-Za-z !-/]"},
    {"date", make_dates, NULL},
    {"time", make_clock, NULL},
    {"timetz", make_clock, NULL},
    {"timestamp", make_timestamps, NULL},
    {"timestamptz", make_timestamps, NULL},
    {"interval", make_intervals, NULL},
    {"bool", make_plain, NULL},
    {"bytea", make_bytes, NULL},
    {"bit", make_bits, NULL},
    {"varbit", make_bits, NULL},
    {"uuid", make_plain, NULL},
    {"json", make_json, NULL},
    {"jsonb", make_json, NULL},
    {"xml", NULL, "<a>[a-z ]{0,9}</a>|<b/>|[a-z]{1,9}"},
    {"inet", NULL, OCTETS OCTET "(/(\\d|[12]\\d|3[01]))?|" WORD16 "(:" WORD16 "){7}"},
    {"cidr", NULL, OCTETS "(0/24|" OCTET "/32)"},
    {"macaddr", NULL, "[0-9a-f]{2}(:[0-9a-f]{2}){5}"},
    {"macaddr8", NULL, "[0-9a-f]{2}(:[0-9a-f]{2}){7}"},
    {"tsvector", NULL, "('[a-m]{1,5}'( '[n-z]{1,5}')?)?"},
    {"tsquery", NULL, "'[a-z]{1,5}'( [&|] '[a-z]{1,5}')?"},
    {"pg_lsn", NULL, "[1-9A-F][0-9A-F]{0,7}/[1-9A-F][0-9A-F]{0,7}"},
    {"point", NULL, POINT},
    {"lseg", NULL, "\\[" POINT "," POINT "\\]"},
    {"box", NULL, "\\(" PLUS "," PLUS "\\),\\(-" PLUS ",-" PLUS "\\)"},
    {"line", NULL, "\\{" PLUS "," NUMBER "," NUMBER "\\}"},
    {"path", NULL, "\\(" POINT "," POINT "\\)|\\[" POINT "," POINT "\\]"},
    {"polygon", NULL, "\\(" POINT "," POINT "," POINT "\\)"},
    {"circle", NULL, "<" POINT "," PLUS ">"},
    {"hstore", NULL, "(\"[a-z]{1,3}\"=>(\"[a-z]{0,5}\"|NULL))?"},
    {"ltree", NULL, "[a-z]{1,5}(\\.[a-z]{1,5}){0,3}"},
};

static const struct type_row *find_row(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].type, name) == 0) {
            return &types[i];
        }
    }
    return NULL;
}

static make_type *find_type(const char *name)
{
    const struct type_row *row = find_row(name);
    return row ? row->make : NULL;
}

struct value check_constant(struct arena *arena, const struct column_facts *column,
                            const char *text)
{
    make_type *make = find_type(column->type);
    size_t size = strlen(text);
    struct value value = value_text(arena, text);
    bool numeric = make == make_int2 || make == make_int4 || make == make_int8 ||
                   make == make_oid || make == make_numeric || make == make_floats;
    if (numeric) {
        value = check_number(arena, text, &value) ? value : value_none();
        bool real = make == make_floats && value.type != VALUE_NONE;
        return real ? value_float(number_to_double(value)) : value;
    }
    if (strcmp(column->type, "bool") == 0) {
        return value_bool(text[0] == 't');
    }
    bool zoned = (make == make_clock || make == make_timestamps) && size > 3 &&
                 strcmp(text + size - 3, "+00") == 0; /* the zone is UTC's */
    return zoned ? value_string(arena, text, size - 3) : value;
}

/* Texts are ordered by a collation that is not known here. */
bool column_is_ordered(const struct column_facts *column)
{
    make_type *make = find_type(column->type);
    bool unknown = make == make_text || make == make_name || make == make_money ||
                   make == make_bits || make == make_json || make == NULL;
    return column->shape == SHAPE_SCALAR && (column->labels.count > 0 || !unknown);
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

bool column_is_known(const struct column_facts *column)
{
    bool known = column->labels.count > 0 || find_row(column->type) != NULL ||
                 find_check(column, CHECK_IN) != NULL;
    if (column->shape != SHAPE_SCALAR) {
        known = true;
    }
    for (size_t i = 0; i < column->parts.count; i++) {
        known = known && column_is_known(&column->parts.items[i]);
    }
    return known;
}

static bool no_strategy(const struct column_facts *column, struct error *err)
{
    error_set(err, ERROR_MACHINE, "there is no strategy for the type %s of column %s",
              column->type_name, column->name);
    error_hint(err, "write one yourself, such as sampled_from([\"…\", \"…\"])");
    return false;
}

bool column_check_type(const struct table_facts *table, const struct column_facts *column,
                       bool alone, struct error *err)
{
    size_t place = (size_t)(column - table->columns.items);
    bool passed = !alone && (column->left_out || column->has_default || !column->not_null);
    for (size_t i = 0; i < table->keys.count && !passed; i++) {
        for (size_t j = 0; j < table->keys.items[i].columns.count; j++) {
            passed = passed || table->keys.items[i].columns.items[j] == place;
        }
    }
    return passed || column_is_known(column) || no_strategy(column, err);
}

static bool make_scalar(struct arena *arena, const struct column_facts *column, struct value *out,
                        struct error *err)
{
    const struct check_facts *in = find_check(column, CHECK_IN);
    if (in) {
        return make_sampled(arena, column, in->values.items, in->values.count, out, err);
    }
    if (column->labels.count) {
        return make_sampled(arena, column, column->labels.items, column->labels.count, out, err);
    }
    const struct type_row *row = find_row(column->type);
    if (!row) {
        return no_strategy(column, err);
    }
    return row->make ? row->make(arena, column, out, err)
                     : make_pattern(arena, row->pattern, true, out, err);
}

/* Short lists without NULLs. */
static bool make_array(struct arena *arena, const struct column_facts *column, struct value *out,
                       struct error *err)
{
    enum { ARRAY_SIZE_MAX = 5 };
    struct column_facts *item = arena_memdup(arena, column->parts.items, sizeof *item);
    struct bounds sizes = length_bounds(arena, column);
    struct value args[5] = {{0}, sizes.min, sizes.max};
    int64_t least = 0;
    if (args[2].type == VALUE_NONE && (args[1].type == VALUE_NONE || int_fits(args[1], &least))) {
        args[2] = value_int(least + ARRAY_SIZE_MAX);
    }
    item->not_null = true;
    item->in_array = true;
    item->name = column->name;
    return part_strategy(arena, item, &args[0], err) &&
           strategy_of_kind(arena, &kind_lists, args, out, err);
}

bool column_strategy(struct arena *arena, const struct column_facts *column, struct value *out,
                     struct error *err)
{
    switch (column->shape) {
    case SHAPE_SCALAR:
        return make_scalar(arena, column, out, err);
    case SHAPE_ARRAY:
        return make_array(arena, column, out, err);
    case SHAPE_RANGE:
    case SHAPE_MULTIRANGE:
    case SHAPE_COMPOSITE:
        break;
    }
    return parts_strategy(arena, column, out, err);
}
