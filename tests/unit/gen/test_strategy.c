#include "gen/strategy.h"

#include "base/utf8.h"
#include "gen/draw.h"
#include "support/drawing.h"
#include "value/number/numeric.h"
#include "value/time/calendar.h"
#include "value/time/interval.h"

#include <math.h>
#include <string.h>

enum { DRAWS = 400 };

static struct value numeric(const char *text)
{
    struct value out;
    assert_true(numeric_from_text(&test_arena, text, strlen(text), &out, NULL));
    return out;
}

static struct value big(const char *text)
{
    struct value out;
    assert_true(int_from_text(&test_arena, text, strlen(text), 10, &out, NULL));
    return out;
}

#define I(x) value_int(x)
#define INTEGERS(min, max) strategy("integers", "min_value", I(min), "max_value", I(max), NULL)

static void assert_simplest(struct value strategy, const char *expected)
{
    assert_repr(draw_ok(replay_drawer(NULL), strategy), expected);
}

/* The simplest value of each strategy. */
static void the_simplest_values(void **state)
{
    (void)state;
    assert_simplest(strategy("integers", NULL), "0");
    assert_simplest(INTEGERS(3, 9), "3");
    assert_simplest(INTEGERS(-9, -3), "-3");
    assert_simplest(strategy("integers", "min_value", big("99999999999999999999"), NULL),
                    "99999999999999999999");
    assert_simplest(strategy("booleans", NULL), "False");
    assert_simplest(strategy("decimals", NULL), "0");
    assert_simplest(strategy("decimals", "places", I(2), NULL), "0.00");
    assert_simplest(strategy("decimals", "min_value", numeric("1.5"), "max_value", numeric("2.5"),
                             "places", I(1), NULL),
                    "2.0");
    assert_simplest(
        strategy("decimals", "min_value", numeric("1.23"), "max_value", numeric("1.27"), NULL),
        "1.23");
    assert_simplest(strategy("floats", NULL), "float(\"0\")");
    assert_simplest(strategy("floats", "min_value", numeric("2.5"), NULL), "float(\"3\")");
    assert_simplest(strategy("text", NULL), "\"\"");
    assert_simplest(strategy("text", "min_size", I(2), NULL), "\"00\"");
    assert_simplest(strategy("text", "alphabet", text("xyz"), "min_size", I(2), NULL), "\"xx\"");
    assert_simplest(strategy("binary", "min_size", I(1), NULL), "b\"\\x00\"");
    assert_simplest(strategy("dates", NULL), "\"2000-01-01\"");
    assert_simplest(strategy("dates", "min_value", text("2010-05-05"), NULL), "\"2010-05-05\"");
    assert_simplest(strategy("dates", "max_value", text("1999-05-05"), NULL), "\"1999-05-05\"");
    assert_simplest(strategy("times", NULL), "\"00:00:00\"");
    assert_simplest(strategy("times", "min_value", text("00:00:00.5"), NULL), "\"00:00:01\"");
    assert_simplest(strategy("datetimes", NULL), "\"2000-01-01 00:00:00\"");
    assert_simplest(strategy("timedeltas", NULL), "\"00:00:00\"");
    assert_simplest(strategy("timedeltas", "min_value", text("1 day 12:30:00.5"), NULL),
                    "\"2 days\"");
    assert_simplest(strategy("timedeltas", "max_value", text("-00:00:01"), NULL), "\"-1 days\"");
    assert_simplest(strategy("json_values", NULL), "json_null");
    assert_simplest(strategy("uuids", NULL), "\"00000000-0000-0000-0000-000000000001\"");
    assert_simplest(strategy("uuids", "allow_nil", value_bool(true), NULL),
                    "\"00000000-0000-0000-0000-000000000000\"");
    assert_simplest(strategy("uuids", "version", I(4), NULL),
                    "\"00000000-0000-4000-8000-000000000000\"");
    assert_simplest(strategy("sampled_from", "", int_list(2, (int64_t[]){7, 8}), NULL), "7");
    assert_simplest(strategy("sampled_from", "", text("äbc"), NULL), "\"ä\"");
    assert_simplest(strategy("sampled_from", "", value_range(&test_arena, 5, 50, 5), NULL), "5");
    assert_simplest(strategy("just", "", I(4), NULL), "4");
    assert_simplest(strategy("none", NULL), "None");
    assert_simplest(strategy("one_of", "", strategy("none", NULL), "", INTEGERS(1, 2), NULL),
                    "None");
    assert_simplest(strategy("lists", "", INTEGERS(1, 2), NULL), "[]");
    assert_simplest(strategy("lists", "", INTEGERS(1, 2), "min_size", I(2), NULL), "[1, 1]");
    assert_simplest(strategy("sets", "", INTEGERS(1, 9), "min_size", I(3), NULL), "set([1, 2, 3])");
    assert_simplest(strategy("tuples", "", INTEGERS(1, 2), "", strategy("booleans", NULL), NULL),
                    "(1, False)");
    assert_simplest(strategy("dictionaries", "", INTEGERS(1, 9), "", strategy("booleans", NULL),
                             "min_size", I(2), NULL),
                    "{1: False, 2: False}");
}

static void integers_stay_in_bounds(void **state)
{
    (void)state;
    static const int64_t bounds[][2] = {
        {0, 0},
        {-1, 1},
        {0, 1000},
        {-1000, -10},
        {INT64_MIN, INT64_MAX},
        {INT64_MAX - 5, INT64_MAX},
        {INT64_MIN, INT64_MIN + 1},
        {5, 1LL << 40},
    };
    struct drawer *drawer = test_drawer(1);
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
        struct value integers = INTEGERS(bounds[b][0], bounds[b][1]);
        for (int i = 0; i < DRAWS; i++) {
            struct value drawn = draw_ok(drawer, integers);
            assert_int_equal(drawn.type, VALUE_INT);
            assert_true(drawn.as.integer >= bounds[b][0] && drawn.as.integer <= bounds[b][1]);
        }
    }
}

static void integers_without_bounds_stay_within_int4(void **state)
{
    (void)state;
    struct drawer *drawer = test_drawer(2);
    struct value from = strategy("integers", "min_value", I(3000000000), NULL);
    struct value up_to = strategy("integers", "max_value", I(-3000000000), NULL);
    for (int i = 0; i < DRAWS; i++) {
        int64_t free = draw_ok(drawer, strategy("integers", NULL)).as.integer;
        assert_true(free >= INT32_MIN && free <= INT32_MAX);
        /* a bound beyond int4 opens the range up to int8's */
        assert_true(draw_ok(drawer, from).as.integer >= 3000000000);
        assert_true(draw_ok(drawer, up_to).as.integer <= -3000000000);
    }
}

static void big_integers_stay_in_bounds(void **state)
{
    (void)state;
    struct value min = big("-5000000000000000000000");
    struct value max = big("123456789012345678901234567890");
    struct value integers = strategy("integers", "min_value", min, "max_value", max, NULL);
    struct value high = strategy("integers", "min_value", big("9223372036854775808"), NULL);
    struct drawer *drawer = test_drawer(3);
    bool beyond_64_bits = false;
    bool negative = false;
    for (int i = 0; i < DRAWS; i++) {
        struct value drawn = draw_ok(drawer, integers);
        assert_true(number_compare(drawn, min) >= 0 && number_compare(drawn, max) <= 0);
        beyond_64_bits |= (drawn.flags & VALUE_BIG) != 0;
        negative |= number_compare(drawn, I(0)) < 0;
        assert_true(number_compare(draw_ok(drawer, high), big("9223372036854775808")) >= 0);
    }
    assert_true(beyond_64_bits && negative);
}

static void decimals_are_exact(void **state)
{
    (void)state;
    struct drawer *drawer = test_drawer(4);
    struct value min = numeric("-3.75");
    struct value max = numeric("1000.004");
    struct value cents =
        strategy("decimals", "min_value", min, "max_value", max, "places", I(2), NULL);
    struct value any = strategy("decimals", "min_value", min, "max_value", max, NULL);
    struct value wide = strategy("decimals", "min_value", I(0), "max_value",
                                 big("100000000000000000000000000"), "places", I(25), NULL);
    struct value all_64_bits =
        strategy("decimals", "min_value", numeric("-92233720368547758.07"), "max_value",
                 numeric("92233720368547758.07"), "places", I(2), NULL);
    for (int i = 0; i < DRAWS; i++) {
        (void)draw_ok(drawer, all_64_bits);
        struct value drawn = draw_ok(drawer, cents);
        assert_int_equal(drawn.type, VALUE_NUMERIC);
        assert_int_equal(drawn.as.numeric->scale, 2);
        assert_true(number_compare(drawn, min) >= 0 && number_compare(drawn, max) <= 0);
        drawn = draw_ok(drawer, any);
        assert_in_range(drawn.as.numeric->scale, 0, 6);
        assert_true(number_compare(drawn, min) >= 0 && number_compare(drawn, max) <= 0);
        drawn = draw_ok(drawer, wide);
        assert_int_equal(drawn.as.numeric->scale, 25);
        assert_true(number_compare(drawn, I(0)) >= 0);
        assert_true(number_compare(drawn, big("100000000000000000000000000")) <= 0);
    }
}

static void decimals_print_and_read_back(void **state)
{
    (void)state;
    struct drawer *drawer = test_drawer(5);
    struct value decimals = strategy("decimals", "places", I(3), NULL);
    for (int i = 0; i < DRAWS; i++) {
        struct value drawn = draw_ok(drawer, decimals);
        assert_true(number_compare(numeric(repr(drawn)), drawn) == 0);
    }
}

static void decimals_may_be_special_where_that_is_allowed(void **state)
{
    (void)state;
    struct drawer *drawer = test_drawer(6);
    struct value special = strategy("decimals", "min_value", I(0), "allow_nan", value_bool(true),
                                    "allow_infinity", value_bool(true), NULL);
    unsigned seen[4] = {0};
    for (int i = 0; i < DRAWS; i++) {
        seen[draw_ok(drawer, special).as.numeric->kind]++;
        assert_int_equal(draw_ok(drawer, strategy("decimals", NULL)).as.numeric->kind,
                         NUMERIC_FINITE);
    }
    assert_true(seen[NUMERIC_FINITE] > DRAWS / 2);
    assert_true(seen[NUMERIC_NAN] > 0 && seen[NUMERIC_INFINITY] > 0);
    assert_int_equal(seen[NUMERIC_MINUS_INFINITY], 0); /* there is a lower bound */
}

static void floats_stay_in_bounds(void **state)
{
    (void)state;
    struct drawer *drawer = test_drawer(7);
    struct value unit = strategy("floats", "min_value", I(0), "max_value", I(1), NULL);
    struct value any = strategy("floats", NULL);
    struct value single = strategy("floats", "width", I(32), "min_value", numeric("0.1"),
                                   "max_value", numeric("1e30"), NULL);
    struct value finite = strategy("floats", "allow_nan", value_bool(false), "allow_infinity",
                                   value_bool(false), NULL);
    bool nan = false;
    bool infinite = false;
    for (int i = 0; i < DRAWS; i++) {
        double drawn = draw_ok(drawer, unit).as.real;
        assert_true(drawn >= 0 && drawn <= 1);
        drawn = draw_ok(drawer, any).as.real;
        nan |= isnan(drawn);
        infinite |= isinf(drawn);
        drawn = draw_ok(drawer, single).as.real;
        assert_true(drawn >= 0.1 && drawn <= 1e30 && drawn == (double)(float)drawn);
        assert_true(isfinite(draw_ok(drawer, finite).as.real));
    }
    assert_true(nan && infinite);
}

static void texts_are_valid_and_of_their_size(void **state)
{
    (void)state;
    struct drawer *drawer = test_drawer(8);
    struct value sized = strategy("text", "min_size", I(3), "max_size", I(12), NULL);
    struct value lettered = strategy("text", "alphabet", text("aäz"), "max_size", I(5), NULL);
    for (int i = 0; i < 4 * DRAWS; i++) {
        const struct string *drawn = draw_ok(drawer, sized).as.string;
        assert_in_range(drawn->length, 3, 12);
        assert_int_equal(utf8_invalid_at(drawn->data, drawn->size), drawn->size);
        assert_int_equal(utf8_length(drawn->data, drawn->size), drawn->length);
        assert_null(memchr(drawn->data, '\0', drawn->size));
        drawn = draw_ok(drawer, lettered).as.string;
        assert_true(drawn->length <= 5);
        for (size_t at = 0; at < drawn->size;) {
            uint32_t code;
            at += utf8_decode(drawn->data + at, drawn->size - at, &code);
            assert_true(code == 'a' || code == 0xE4 || code == 'z');
        }
    }
    struct value letters = int_list(0, NULL);
    list_append(letters.as.list, text("q"));
    assert_simplest(strategy("text", "alphabet", letters, "min_size", I(1), NULL), "\"q\"");
}

static void binaries_are_of_their_size(void **state)
{
    (void)state;
    struct drawer *drawer = test_drawer(9);
    struct value sized = strategy("binary", "min_size", I(2), "max_size", I(4), NULL);
    for (int i = 0; i < DRAWS; i++) {
        assert_in_range(draw_ok(drawer, sized).as.bytes->size, 2, 4);
    }
}

static void dates_and_times_are_the_servers_text(void **state)
{
    (void)state;
    struct drawer *drawer = test_drawer(10);
    struct value dates =
        strategy("dates", "min_value", text("1999-12-30"), "max_value", text("2004-03-01"), NULL);
    struct value times =
        strategy("times", "min_value", text("08:00:00"), "max_value", text("17:30"), NULL);
    struct value stamps = strategy("datetimes", "min_value", text("2020-02-28 23:59:59.5"),
                                   "max_value", text("2020-03-01"), NULL);
    for (int i = 0; i < DRAWS; i++) {
        const struct string *drawn = draw_ok(drawer, dates).as.string;
        int64_t number;
        char back[CALENDAR_TEXT_MAX];
        assert_true(strcmp(drawn->data, "1999-12-30") >= 0);
        assert_true(strcmp(drawn->data, "2004-03-01") <= 0);
        assert_true(calendar_read_date(drawn->data, drawn->size, &number));
        drawn = draw_ok(drawer, times).as.string;
        assert_true(strcmp(drawn->data, "08:00:00") >= 0);
        assert_true(strcmp(drawn->data, "17:30:00") <= 0);
        assert_true(calendar_read_time(drawn->data, drawn->size, &number));
        calendar_write_time(number, back);
        assert_string_equal(back, drawn->data);
        drawn = draw_ok(drawer, stamps).as.string;
        assert_true(strcmp(drawn->data, "2020-02-28 23:59:59.5") >= 0);
        assert_true(strcmp(drawn->data, "2020-03-01 00:00:00") <= 0);
        assert_true(calendar_read_timestamp(drawn->data, drawn->size, &number));
    }
}

static void timedeltas_stay_in_bounds(void **state)
{
    (void)state;
    struct drawer *drawer = test_drawer(14);
    struct interval low = {0, -3, -3600000000};
    struct interval high = {0, 0, 90000000};
    struct value deltas = strategy("timedeltas", "min_value", text("-3 days -01:00:00"),
                                   "max_value", text("90 s"), NULL);
    for (int i = 0; i < DRAWS; i++) {
        const struct string *drawn = draw_ok(drawer, deltas).as.string;
        struct interval interval;
        char back[INTERVAL_TEXT_MAX];
        assert_true(interval_read(drawn->data, drawn->size, &interval));
        assert_true(interval_compare(interval, low) >= 0 && interval_compare(interval, high) <= 0);
        interval_write(interval, back);
        assert_string_equal(back, drawn->data);
        assert_true((int64_t)interval.days * interval.us >= 0); /* of one sign */
    }
}

static unsigned depth_of(struct value value)
{
    unsigned most = 0;
    for (size_t i = 0; value.type == VALUE_LIST && i < value.as.list->count; i++) {
        unsigned depth = depth_of(value.as.list->items[i]);
        most = depth > most ? depth : most;
    }
    for (size_t i = 0; value.type == VALUE_DICT && i < value.as.table->used; i++) {
        unsigned depth = depth_of(value.as.table->entries[i].value);
        most = depth > most ? depth : most;
    }
    return value.type == VALUE_LIST || value.type == VALUE_DICT ? most + 1 : 0;
}

static void json_values_are_of_every_type(void **state)
{
    (void)state;
    struct drawer *drawer = test_drawer(15);
    unsigned of_type[32] = {0};
    unsigned of_depth[4] = {0};
    for (int i = 0; i < DRAWS; i++) {
        struct value drawn = draw_ok(drawer, strategy("json_values", NULL));
        of_type[drawn.type]++;
        assert_true(depth_of(drawn) <= 3);
        of_depth[depth_of(drawn)]++;
        assert_int_equal(
            depth_of(draw_ok(drawer, strategy("json_values", "max_depth", I(0), NULL))), 0);
    }
    static const enum value_type types[] = {VALUE_JSON_NULL, VALUE_BOOL, VALUE_INT, VALUE_NUMERIC,
                                            VALUE_STRING,    VALUE_LIST, VALUE_DICT};
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        assert_true(of_type[types[i]] > DRAWS / 30);
        sum += of_type[types[i]];
    }
    assert_int_equal(sum, DRAWS); /* None alone would be SQL's NULL */
    assert_true(of_depth[1] > 10 && of_depth[2] > 10 && of_depth[3] > 2);
}

static void uuids_have_their_form(void **state)
{
    (void)state;
    struct drawer *drawer = test_drawer(11);
    for (int i = 0; i < DRAWS; i++) {
        struct value any = draw_ok(drawer, strategy("uuids", NULL));
        struct value seventh = draw_ok(drawer, strategy("uuids", "version", I(7), NULL));
        assert_int_equal(any.as.string->size, 36);
        assert_int_equal(strspn(any.as.string->data, "0123456789abcdef-"), 36);
        assert_int_equal(any.as.string->data[23], '-');
        assert_string_not_equal(any.as.string->data, "00000000-0000-0000-0000-000000000000");
        assert_int_equal(seventh.as.string->data[14], '7');
        assert_non_null(strchr("89ab", seventh.as.string->data[19]));
    }
}

static void collections_are_of_their_size(void **state)
{
    (void)state;
    struct drawer *drawer = test_drawer(12);
    struct value digits = INTEGERS(0, 9);
    struct value lists = strategy("lists", "", digits, "min_size", I(1), "max_size", I(4), NULL);
    struct value unique = strategy("lists", "", digits, "min_size", I(8), "max_size", I(10),
                                   "unique", value_bool(true), NULL);
    struct value sets = strategy("sets", "", digits, "min_size", I(10), "max_size", I(10), NULL);
    struct value dicts =
        strategy("dictionaries", "", digits, "", strategy("text", NULL), "max_size", I(3), NULL);
    for (int i = 0; i < DRAWS; i++) {
        assert_in_range(draw_ok(drawer, lists).as.list->count, 1, 4);
        struct list *list = draw_ok(drawer, unique).as.list;
        assert_in_range(list->count, 8, 10);
        for (size_t a = 0; a < list->count; a++) {
            for (size_t b = 0; b < a; b++) {
                assert_false(value_equal(list->items[a], list->items[b]));
            }
        }
        /* all there are: found although the last ones are hard to hit */
        assert_int_equal(draw_ok(drawer, sets).as.table->count, 10);
        assert_true(draw_ok(drawer, dicts).as.table->count <= 3);
    }
}

static bool half(const struct native_call *call, struct value *out, struct error *err)
{
    (void)err;
    *out = value_int(call->args[0].as.integer / 2);
    return true;
}

static bool is_even(const struct native_call *call, struct value *out, struct error *err)
{
    (void)err;
    *out = value_bool(call->args[0].as.integer % 2 == 0);
    return true;
}

static bool never(const struct native_call *call, struct value *out, struct error *err)
{
    (void)call, (void)err;
    *out = value_none();
    return true;
}

static bool add(const struct native_call *call, struct value *out, struct error *err)
{
    (void)err;
    *out = value_int(call->args[0].as.integer + call->args[1].as.integer);
    return true;
}

static bool up_to_it(const struct native_call *call, struct value *out, struct error *err)
{
    (void)err;
    *out = INTEGERS(0, call->args[0].as.integer);
    return true;
}

static bool fails(const struct native_call *call, struct value *out, struct error *err)
{
    (void)call, (void)out;
    return error_set(err, ERROR_MACHINE, "out of order");
}

static void lists_can_be_unique_by_a_function(void **state)
{
    (void)state;
    struct drawer *drawer = test_drawer(13);
    struct value lists =
        strategy("lists", "", INTEGERS(0, 9), "min_size", I(5), "unique_by", function(half), NULL);
    for (int i = 0; i < DRAWS; i++) {
        struct list *list = draw_ok(drawer, lists).as.list;
        assert_int_equal(list->count, 5);
        unsigned halves = 0;
        for (size_t a = 0; a < list->count; a++) {
            halves |= 1U << (list->items[a].as.integer / 2);
        }
        assert_int_equal(halves, 0x1f);
    }
}

/* Ten tries all miss once in a thousand draws. */
static struct value draw_filtered(struct drawer *drawer, struct value strategy)
{
    struct value out;
    for (int i = 0; i < 3; i++) {
        if (draw_result(drawer, strategy, &out) == DRAW_OK) {
            return out;
        }
    }
    fail();
    return out;
}

static void functions_are_applied(void **state)
{
    (void)state;
    struct drawer *drawer = test_drawer(14);
    struct value tens = INTEGERS(0, 10);
    struct value even = method(tens, "filter", function(is_even));
    struct value even_half = method(even, "map", function(half));
    struct value pairs =
        strategy("builds", "", function(add), "", tens, "", INTEGERS(100, 100), NULL);
    struct value below = method(tens, "flatmap", function(up_to_it));
    for (int i = 0; i < DRAWS; i++) {
        assert_true(draw_filtered(drawer, even).as.integer % 2 == 0);
        assert_in_range(draw_filtered(drawer, even_half).as.integer, 0, 5);
        assert_in_range(draw_ok(drawer, pairs).as.integer, 100, 110);
        assert_in_range(draw_ok(drawer, below).as.integer, 0, 10);
    }
}

static void a_filter_that_nothing_passes_gives_the_step_up(void **state)
{
    (void)state;
    struct value out;
    struct value hopeless = method(INTEGERS(0, 10), "filter", function(never));
    assert_int_equal(draw_result(test_drawer(15), hopeless, &out), DRAW_REJECTED);
    assert_int_equal(draw_result(replay_drawer(NULL), hopeless, &out), DRAW_REJECTED);
    struct error err;
    assert_int_equal(strategy_possible(test_caller(), hopeless, &err), DRAW_OK);
}

/* Without randomness a filter, `unique` and a set find the next simplest values. */
static void the_next_simplest_value_passes(void **state)
{
    (void)state;
    assert_simplest(method(INTEGERS(1, 10), "filter", function(is_even)), "2");
    struct value odd_pairs =
        strategy("builds", "", function(add), "", INTEGERS(0, 0), "", INTEGERS(3, 9), NULL);
    assert_simplest(method(odd_pairs, "filter", function(is_even)), "4");
    assert_simplest(strategy("sets", "", method(INTEGERS(1, 10), "filter", function(is_even)),
                             "min_size", I(3), NULL),
                    "set([2, 4, 6])");
    assert_simplest(strategy("lists", "", strategy("text", NULL), "min_size", I(3), "unique",
                             value_bool(true), NULL),
                    "[\"\", \"0\", \"1\"]");
}

static void an_error_of_a_function_comes_through(void **state)
{
    (void)state;
    struct value strategies[] = {
        method(INTEGERS(0, 9), "map", function(fails)),
        method(INTEGERS(0, 9), "filter", function(fails)),
        method(INTEGERS(0, 9), "flatmap", function(fails)),
        strategy("builds", "", function(fails), NULL),
        strategy("lists", "", INTEGERS(0, 9), "min_size", I(1), "unique_by", function(fails), NULL),
        method(strategy("sampled_from", "", text("ab"), NULL), "filter", function(fails)),
    };
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        struct drawer *drawer = test_drawer(16);
        struct error err = {0};
        struct value out;
        assert_int_equal(strategy_draw(drawer, strategies[i], 1, &out, &err), DRAW_ERROR);
        assert_string_equal(err.message, "out of order");
    }
}

static const char *draw_error(struct value strategy)
{
    struct error *err = ARENA_NEW(&test_arena, struct error);
    struct value out;
    assert_int_equal(strategy_draw(test_drawer(17), strategy, 1, &out, err), DRAW_ERROR);
    return err->message;
}

static void what_is_wrong_with_a_draw_is_said(void **state)
{
    (void)state;
    assert_string_equal(draw_error(method(INTEGERS(0, 9), "flatmap", function(half))),
                        "the function given to flatmap() must return a strategy, not int");
    struct value strategies = value_list(&test_arena);
    list_append(strategies.as.list, INTEGERS(0, 1));
    assert_string_equal(draw_error(strategy("sampled_from", "", strategies, NULL)),
                        "sampled_from() drew a strategy, not a value");
    struct value of_lists = strategy("lists", "", INTEGERS(0, 1), NULL);
    assert_non_null(
        strstr(draw_error(strategy("sets", "", of_lists, "min_size", I(1), NULL)), "sets(): "));
}

static void impossible_strategies_are_empty(void **state)
{
    (void)state;
    struct value no_list = value_list(&test_arena);
    struct value empty = INTEGERS(2, 1);
    struct value strategies[] = {
        empty,
        no_list,
        value_set(&test_arena),
        value_dict(&test_arena),
        bundle_of(no_list.as.list),
        strategy("consumes", "", bundle_of(no_list.as.list), NULL),
        strategy("sampled_from", "", no_list, NULL),
        strategy("sampled_from", "", text(""), NULL),
        strategy("integers", "min_value", big("99999999999999999999"), "max_value", I(0), NULL),
        strategy("decimals", "min_value", I(2), "max_value", I(1), NULL),
        strategy("decimals", "min_value", numeric("0.5"), "max_value", numeric("0.7"), "places",
                 I(0), NULL),
        strategy("floats", "min_value", I(2), "max_value", I(1), NULL),
        strategy("text", "min_size", I(2), "max_size", I(1), NULL),
        strategy("text", "min_size", I(2), "alphabet", text(""), NULL),
        strategy("binary", "min_size", I(2), "max_size", I(1), NULL),
        strategy("dates", "min_value", text("2020-01-02"), "max_value", text("2020-01-01"), NULL),
        strategy("times", "min_value", text("12:00"), "max_value", text("11:59:59"), NULL),
        strategy("one_of", NULL),
        strategy("one_of", "", empty, "", no_list, NULL),
        strategy("tuples", "", INTEGERS(0, 1), "", empty, NULL),
        strategy("builds", "", function(half), "", empty, NULL),
        strategy("lists", "", empty, "min_size", I(1), NULL),
        strategy("lists", "", INTEGERS(0, 1), "min_size", I(2), "max_size", I(1), NULL),
        strategy("sets", "", empty, "min_size", I(1), NULL),
        strategy("dictionaries", "", INTEGERS(0, 1), "", empty, "min_size", I(1), NULL),
        method(empty, "map", function(half)),
        method(empty, "filter", function(is_even)),
        method(empty, "flatmap", function(up_to_it)),
        method(strategy("sampled_from", "", int_list(2, (int64_t[]){1, 3}), NULL), "filter",
               function(is_even)),
    };
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        struct error err = {0};
        struct value out;
        assert_int_equal(strategy_possible(test_caller(), strategies[i], &err), DRAW_EMPTY);
        assert_int_equal(draw_result(test_drawer(i), strategies[i], &out), DRAW_EMPTY);
        assert_int_equal(draw_result(replay_drawer(NULL), strategies[i], &out), DRAW_EMPTY);
    }
    /* what can be empty needs no item, and an alternative that can't be is never taken */
    struct drawer *drawer = test_drawer(18);
    assert_repr(draw_ok(drawer, strategy("lists", "", no_list, NULL)), "[]");
    struct value either = strategy("one_of", "", empty, "", INTEGERS(5, 5), "", no_list, NULL);
    for (int i = 0; i < DRAWS; i++) {
        assert_repr(draw_ok(drawer, either), "5");
        assert_int_equal(drawer->record->items.items[0].as.integer.value, 1);
    }
}

static void what_is_no_strategy_is_a_constant(void **state)
{
    (void)state;
    struct drawer *drawer = test_drawer(19);
    assert_repr(draw_ok(drawer, I(5)), "5");
    assert_repr(draw_ok(drawer, text("a")), "\"a\"");
    assert_repr(draw_ok(drawer, value_none()), "None");
    assert_int_equal(drawer->record->items.count, 0);
    assert_int_equal(drawer->record->spans.count, 1);
}

static void strategies_are_united(void **state)
{
    (void)state;
    struct value out;
    struct error err = {0};
    assert_true(strategy_union(&test_arena, INTEGERS(1, 1), INTEGERS(2, 2), &out, &err));
    assert_true(strategy_union(&test_arena, out, strategy("none", NULL), &out, &err));
    struct drawer *drawer = test_drawer(20);
    unsigned seen[3] = {0};
    for (int i = 0; i < 900; i++) {
        struct value drawn = draw_ok(drawer, out);
        seen[drawn.type == VALUE_NONE ? 0 : drawn.as.integer]++;
    }
    for (size_t i = 0; i < 3; i++) { /* 300 expected: nested alternatives weigh alike */
        assert_in_range(seen[i], 230, 370);
    }
    assert_false(strategy_union(&test_arena, INTEGERS(1, 1), I(5), &out, &err));
    assert_string_equal(err.message, "| needs a strategy on both sides, not int");
    assert_string_equal(err.hint, "just(x) is a strategy that always gives x");
    struct value alternatives = value_list(&test_arena);
    list_append(alternatives.as.list, INTEGERS(1, 1));
    list_append(alternatives.as.list, INTEGERS(2, 2));
    for (int i = 0; i < DRAWS; i++) {
        assert_in_range(draw_ok(drawer, strategy("one_of", "", alternatives, NULL)).as.integer, 1,
                        2);
    }
}

static void strategies_print_as_their_call(void **state)
{
    (void)state;
    struct value out;
    struct value users = bundle_of(value_list(&test_arena).as.list);
    assert_repr(strategy("integers", NULL), "integers()");
    assert_repr(INTEGERS(0, 9), "integers(min_value=0, max_value=9)");
    assert_repr(strategy("integers", "max_value", I(9), NULL), "integers(max_value=9)");
    assert_repr(strategy("text", "min_size", I(1), "alphabet", text("ab"), NULL),
                "text(alphabet=\"ab\", min_size=1)");
    assert_repr(strategy("decimals", "", numeric("0.50"), "", I(9), "", I(2), NULL),
                "decimals(min_value=0.50, max_value=9, places=2)");
    assert_repr(strategy("sampled_from", "", int_list(2, (int64_t[]){1, 2}), NULL),
                "sampled_from([1, 2])");
    assert_repr(strategy("lists", "", strategy("booleans", NULL), "max_size", I(3), NULL),
                "lists(booleans(), max_size=3)");
    assert_repr(
        strategy("tuples", "", strategy("none", NULL), "", strategy("just", "", I(1), NULL), NULL),
        "tuples(none(), just(1))");
    assert_repr(strategy("consumes", "", users, NULL), "consumes([])");
    assert_repr(method(users, "filter", function(half)), "[].filter(<built-in function test>)");
    assert_repr(strategy("builds", "", function(add), "", users, NULL),
                "builds(<built-in function test>, [])");
    assert_true(strategy_union(&test_arena, INTEGERS(1, 2), users, &out, NULL));
    assert_repr(out, "one_of(integers(min_value=1, max_value=2), [])");
    assert_string_equal(value_type_name(out), "strategy");
}

#define ASSERT_ERROR(expected, ...)                                                                \
    assert_string_equal(strategy_error(__VA_ARGS__, NULL)->message, expected)

/* A number of so many digits. */
static struct value long_number(size_t digits)
{
    struct strbuf text = {0};
    strbuf_fill(&text, '9', digits);
    struct value number = big(strbuf_text(&text));
    strbuf_free(&text);
    return number;
}

static void wrong_arguments_are_explained(void **state)
{
    (void)state;
    ASSERT_ERROR("integers() min_value must be an int, not string", "integers", "min_value",
                 text("1"));
    ASSERT_ERROR("integers() max_value must be an int, not numeric", "integers", "max_value",
                 numeric("1.0"));
    ASSERT_ERROR("integers() min_value must be an int, not bool", "integers", "min_value",
                 value_bool(true));
    ASSERT_ERROR("integers() max_value is too large: it has at most 32768 bits", "integers",
                 "max_value", long_number(10000));
    ASSERT_ERROR("integers() min_value is too large: it has at most 32768 bits", "integers",
                 "min_value", long_number(10000));
    ASSERT_ERROR("integers() got an unexpected argument 'min_valeu', did you mean 'min_value'?",
                 "integers", "min_valeu", I(1));
    ASSERT_ERROR("sampled_from() is missing its argument 'elements'", "sampled_from");
    ASSERT_ERROR("sampled_from() elements must be a list or another collection, not int",
                 "sampled_from", "", I(3));
    ASSERT_ERROR("lists() elements must be a strategy, not int", "lists", "", I(3));
    ASSERT_ERROR("lists() min_size must not be negative, but is -1", "lists", "", INTEGERS(0, 1),
                 "min_size", I(-1));
    ASSERT_ERROR("lists() min_size must be at most 10000, but is 10001", "lists", "",
                 INTEGERS(0, 1), "min_size", I(10001));
    ASSERT_ERROR("lists() unique must be True or False, not int", "lists", "", INTEGERS(0, 1),
                 "unique", I(1));
    ASSERT_ERROR("lists() unique_by must be a function, not int", "lists", "", INTEGERS(0, 1),
                 "unique_by", I(1));
    ASSERT_ERROR("text() min_size is too large", "text", "min_size", big("99999999999999999999"));
    ASSERT_ERROR("text() alphabet must be a string or a list of characters, not int", "text",
                 "alphabet", I(1));
    ASSERT_ERROR("tuples() argument 2 must be a strategy, not int", "tuples", "", INTEGERS(0, 1),
                 "", I(1));
    ASSERT_ERROR("builds() target must be a function, not strategy", "builds", "", INTEGERS(0, 1));
    ASSERT_ERROR("one_of() argument 1 must be a strategy, not NoneType", "one_of", "",
                 value_none());
    ASSERT_ERROR("consumes() bundle must be a bundle, not list", "consumes", "",
                 value_list(&test_arena));
    ASSERT_ERROR("uuids() version must be 1 to 8, not 9", "uuids", "version", I(9));
    ASSERT_ERROR("floats() width must be 64 or 32, not 16", "floats", "width", I(16));
    ASSERT_ERROR("floats() min_value must be a number, not string", "floats", "min_value",
                 text("1"));
    ASSERT_ERROR("decimals() min_value must be a number, not string", "decimals", "min_value",
                 text("1"));
    ASSERT_ERROR("decimals() places must be 0 to 1000, not -1", "decimals", "places", I(-1));
    ASSERT_ERROR("decimals() max_value must be finite, not numeric", "decimals", "max_value",
                 numeric("NaN"));
    ASSERT_ERROR("dates() min_value must be a date such as \"2020-01-31\", not \"2020-02-30\"",
                 "dates", "min_value", text("2020-02-30"));
    ASSERT_ERROR("dates() min_value must be a date such as \"2020-01-31\", not int", "dates",
                 "min_value", I(2020));
}

static void nesting_has_a_limit(void **state)
{
    (void)state;
    struct value nested = INTEGERS(0, 1);
    for (int i = 1; i < DRAW_DEPTH_MAX; i++) {
        nested = strategy("tuples", "", nested, NULL);
    }
    struct value out;
    assert_int_equal(draw_result(test_drawer(21), nested, &out), DRAW_OK);
    assert_non_null(repr(nested));
    ASSERT_ERROR("strategies are nested deeper than 200", "tuples", "", nested);
}

static bool itself_again(const struct native_call *call, struct value *out, struct error *err)
{
    (void)err;
    *out = method(INTEGERS(0, 9), "flatmap", function(itself_again));
    (void)call;
    return true;
}

static void drawing_without_end_is_an_error(void **state)
{
    (void)state;
    assert_string_equal(draw_error(method(INTEGERS(0, 9), "flatmap", function(itself_again))),
                        "a strategy draws from strategies nested deeper than 200");
    struct value many = strategy("lists", "", INTEGERS(0, 9), "min_size", I(10000), NULL);
    struct value too_many = strategy("lists", "", many, "min_size", I(10000), NULL);
    assert_string_equal(draw_error(too_many), "one argument draws more than 262144 values");
    struct value long_text = strategy("text", "min_size", I(1000000), NULL);
    assert_string_equal(draw_error(strategy("lists", "", long_text, "min_size", I(10000), NULL)),
                        "one argument draws more than 262144 values");
}

/* Strategies hidden in values must not make printing go deeper and deeper. */
static void printing_ends(void **state)
{
    (void)state;
    struct value nested = INTEGERS(0, 1);
    for (int i = 0; i < 100000; i++) {
        struct value list = value_list(&test_arena);
        list_append(list.as.list, nested);
        nested = strategy("just", "", list, NULL);
    }
    assert_repr(nested, "just(<list>)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_simplest_values, drawing_clear),
        cmocka_unit_test_teardown(integers_stay_in_bounds, drawing_clear),
        cmocka_unit_test_teardown(integers_without_bounds_stay_within_int4, drawing_clear),
        cmocka_unit_test_teardown(big_integers_stay_in_bounds, drawing_clear),
        cmocka_unit_test_teardown(decimals_are_exact, drawing_clear),
        cmocka_unit_test_teardown(decimals_print_and_read_back, drawing_clear),
        cmocka_unit_test_teardown(decimals_may_be_special_where_that_is_allowed, drawing_clear),
        cmocka_unit_test_teardown(floats_stay_in_bounds, drawing_clear),
        cmocka_unit_test_teardown(texts_are_valid_and_of_their_size, drawing_clear),
        cmocka_unit_test_teardown(binaries_are_of_their_size, drawing_clear),
        cmocka_unit_test_teardown(dates_and_times_are_the_servers_text, drawing_clear),
        cmocka_unit_test_teardown(timedeltas_stay_in_bounds, drawing_clear),
        cmocka_unit_test_teardown(json_values_are_of_every_type, drawing_clear),
        cmocka_unit_test_teardown(uuids_have_their_form, drawing_clear),
        cmocka_unit_test_teardown(collections_are_of_their_size, drawing_clear),
        cmocka_unit_test_teardown(lists_can_be_unique_by_a_function, drawing_clear),
        cmocka_unit_test_teardown(functions_are_applied, drawing_clear),
        cmocka_unit_test_teardown(a_filter_that_nothing_passes_gives_the_step_up, drawing_clear),
        cmocka_unit_test_teardown(the_next_simplest_value_passes, drawing_clear),
        cmocka_unit_test_teardown(an_error_of_a_function_comes_through, drawing_clear),
        cmocka_unit_test_teardown(what_is_wrong_with_a_draw_is_said, drawing_clear),
        cmocka_unit_test_teardown(impossible_strategies_are_empty, drawing_clear),
        cmocka_unit_test_teardown(what_is_no_strategy_is_a_constant, drawing_clear),
        cmocka_unit_test_teardown(strategies_are_united, drawing_clear),
        cmocka_unit_test_teardown(strategies_print_as_their_call, drawing_clear),
        cmocka_unit_test_teardown(wrong_arguments_are_explained, drawing_clear),
        cmocka_unit_test_teardown(nesting_has_a_limit, drawing_clear),
        cmocka_unit_test_teardown(drawing_without_end_is_an_error, drawing_clear),
        cmocka_unit_test_teardown(printing_ends, drawing_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
