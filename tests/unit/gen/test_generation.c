/* The distribution of fresh draws. Seeds are fixed; the thresholds are far from the expected
 * values. */
#include "base/utf8.h"
#include "gen/draw.h"
#include "support/drawing.h"
#include "value/number/numeric.h"
#include "value/time/calendar.h"
#include "value/time/interval.h"
#include "value/time/zone.h"

#include <math.h>
#include <string.h>

#define I(x) value_int(x)
#define INTEGERS(min, max) strategy("integers", "min_value", I(min), "max_value", I(max), NULL)

/* A drawer that repeats nothing, so that draws are independent. */
static struct drawer *forgetful(uint64_t seed)
{
    struct drawer *drawer = test_drawer(seed);
    drawer->memory = NULL;
    return drawer;
}

static unsigned count_integer(struct drawer *drawer, struct value strategy, int draws,
                              int64_t wanted)
{
    unsigned hits = 0;
    for (int i = 0; i < draws; i++) {
        hits += draw_ok(drawer, strategy).as.integer == wanted;
    }
    return hits;
}

static void ends_and_neighbours_are_hit(void **state)
{
    (void)state;
    static const int64_t wanted[] = {0, 1, 999, 1000, 10, 100, 512, 511};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        assert_true(count_integer(forgetful(i), INTEGERS(0, 1000), 20000, wanted[i]) >= 15);
    }
    /* the ends, far apart, within the draws of a short run */
    static const int64_t ends[] = {STRATEGY_INT_MIN, STRATEGY_INT_MAX, 0, 1, -1};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        assert_true(count_integer(forgetful(i), strategy("integers", NULL), 300, ends[i]) >= 2);
    }
}

static void a_range_of_one_number_at_the_end_of_all(void **state)
{
    (void)state;
    static const int64_t ends[] = {INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(count_integer(forgetful(i), INTEGERS(ends[i], ends[i]), 1000, ends[i]),
                         1000);
    }
}

static void powers_are_hit_in_a_wide_range(void **state)
{
    (void)state;
    struct value wide = INTEGERS(INT64_MIN, INT64_MAX);
    struct drawer *drawer = forgetful(1);
    unsigned powers = 0;
    for (int i = 0; i < 3000; i++) {
        int64_t drawn = draw_ok(drawer, wide).as.integer;
        for (int shift = 5; shift < 63; shift++) {
            int64_t power = (int64_t)(1ULL << shift);
            powers += drawn == power || drawn == power - 1 || drawn == -power - 1;
        }
    }
    assert_true(powers > 30);
}

static void the_middle_is_hit_too(void **state)
{
    (void)state;
    struct drawer *drawer = forgetful(2);
    bool seen[100] = {false};
    unsigned distinct = 0;
    for (int i = 0; i < 5000; i++) {
        int64_t drawn = draw_ok(drawer, INTEGERS(0, 99)).as.integer;
        distinct += !seen[drawn];
        seen[drawn] = true;
    }
    assert_int_equal(distinct, 100);
}

static void small_ranges_are_nearly_even(void **state)
{
    (void)state;
    for (int64_t i = 0; i < 5; i++) { /* 200 expected of each, the ends a little more */
        unsigned hits = count_integer(forgetful(3), INTEGERS(0, 4), 1000, i);
        assert_in_range(hits, 130, 290);
    }
}

static void the_pool_is_drawn_from(void **state)
{
    (void)state;
    struct value ints[] = {I(7341)};
    struct value strings[] = {text("archived"), text("2017-07-14"),
                              text("12345678-9abc-def0-1234-56789abcdef0")};
    struct draw_pool pool = {ints, 1, strings, 3};
    struct drawer *drawer = forgetful(4);
    drawer->pool = &pool;
    assert_true(count_integer(drawer, INTEGERS(0, 1000000), 500, 7341) >= 5);
    assert_true(count_integer(drawer, INTEGERS(0, 1000000), 500, 7342) >= 5);
    assert_int_equal(count_integer(drawer, INTEGERS(0, 1000), 500, 7341), 0);
    static const char *const functions[] = {"text", "dates", "uuids"};
    for (size_t f = 0; f < 3; f++) {
        unsigned hits = 0;
        for (int i = 0; i < 1000; i++) {
            hits += value_equal(draw_ok(drawer, strategy(functions[f], NULL)), strings[f]);
        }
        assert_true(hits >= 5);
    }
    /* where it fits only */
    struct value lettered = strategy("text", "alphabet", text("abcdehirv"), NULL);
    unsigned hits = 0;
    for (int i = 0; i < 1000; i++) {
        const struct string *drawn = draw_ok(drawer, lettered).as.string;
        hits +=
            value_is_string((struct value){.type = VALUE_STRING, .as.string = drawn}, "archived");
        assert_null(strchr(drawn->data, '-'));
    }
    assert_true(hits >= 5);
}

static const struct draw_moments *given_moments;

static const struct draw_moments *give_moments(struct drawer *drawer)
{
    (void)drawer;
    return given_moments;
}

static int64_t moment_us(const char *text)
{
    int64_t us = 0;
    assert_true(calendar_read_timestamp(text, strlen(text), &us));
    return us;
}

static unsigned count_text(struct drawer *drawer, struct value strategy, const char *wanted)
{
    unsigned hits = 0;
    for (int i = 0; i < 20000; i++) {
        struct value drawn = draw_ok(drawer, strategy);
        hits += value_is_string(drawn, wanted);
    }
    return hits;
}

/* The clocks are put forward as in New York. */
static void moments_are_reached(void **state)
{
    (void)state;
    const int64_t us[] = {moment_us("2026-01-05 10:07:13.5"), moment_us("2026-01-01 00:00:00")};
    const struct interval spans[] = {{0, 11, 0}};
    const struct zone_change changes[] = {
        {moment_us("2026-03-08 07:00:00") / CALENDAR_SECOND, -14400}};
    const struct zone zone = {.first = -18000, .count = 1, .changes = changes};
    const struct draw_moments moments = {
        moment_us("2026-01-05 09:00:00"), us, 2, spans, 1, &zone, 1};
    static const char *const waits[] = {
        "01:07:13.5",       "01:07:13.499999",  "01:07:13.500001",         "01:07:12.5",
        "01:07:14.5",       "26 days 15:00:00", "11 days 01:07:13.5",      "14:59:59.999999",
        "25 days 15:00:00", "53 days 15:00:00", "61 days 21:59:59.999999", "20:00:00",
        "00:01:00",         "01:00:00",         "6 days 15:00:00",         "85 days 15:00:00",
    };
    static const char *const times[] = {"2026-01-05 10:07:13.499999", "2026-03-08 07:00:00",
                                        "2025-12-21 00:00:00", "2028-02-29 00:00:00"};
    struct value wait =
        strategy("timedeltas", "min_value", text("00:00:00"), "max_value", text("90 days"), NULL);
    struct drawer *drawer = forgetful(4);
    given_moments = &moments;
    drawer->moments = give_moments;
    drawer->advancing = true;
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        assert_true(count_text(drawer, wait, waits[i]) >= 1);
    }
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        assert_true(count_text(drawer, strategy("datetimes", NULL), times[i]) >= 1);
    }
    assert_true(count_text(drawer, strategy("dates", NULL), "2026-01-04") >= 10);
    drawer->moments = NULL;
    assert_int_equal(count_text(drawer, wait, waits[0]), 0);
}

/* The clocks change after more than three of the longest waits. */
static void far_moments_are_reached_step_by_step(void **state)
{
    (void)state;
    enum { FAVOURITES = 100, WAITS = 8 };
    const struct zone_change changes[] = {
        {moment_us("2026-03-08 07:00:00") / CALENDAR_SECOND, -14400}};
    const struct zone zone = {.first = -18000, .count = 1, .changes = changes};
    struct draw_moments moments = {.zones = &zone, .zone_count = 1};
    struct value wait =
        strategy("timedeltas", "min_value", text("00:00:00"), "max_value", text("20 days"), NULL);
    struct drawer *drawer = forgetful(4);
    unsigned hits = 0;
    given_moments = &moments;
    drawer->moments = give_moments;
    drawer->advancing = true;
    for (uint64_t favourite = 1; favourite <= FAVOURITES; favourite++) {
        drawer->favourite = favourite;
        moments.now_us = moment_us("2026-01-05 09:00:00");
        for (int i = 0; i < WAITS; i++) {
            struct value drawn = draw_ok(drawer, wait);
            struct interval interval;
            assert_true(interval_read(drawn.as.string->data, drawn.as.string->size, &interval));
            moments.now_us += interval.days * CALENDAR_DAY + interval.us;
            hits += moments.now_us == moment_us("2026-03-08 06:59:59.999999");
        }
    }
    assert_true(hits >= FAVOURITES / 10);
}

static void texts_hold_what_breaks_code(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "'",
        "\"",
        "\\",
        "%",
        "_",
        "\n",
        ";",
        "\xcc\x81" /* combining accent */,
        "\xe2\x80\xae" /* right-to-left */,
        "\xc3\x9f" /* sharp s */,
        "\xc4\xb0" /* dotted I */,
        "\xf0\x9f" /* outside the basic plane */,
        "\xef\xbb\xbf" /* byte order mark */,
    };
    enum { PARTS = sizeof parts / sizeof *parts };
    unsigned hits[PARTS] = {0};
    unsigned empty = 0;
    unsigned full = 0;
    unsigned plain = 0;
    struct drawer *drawer = forgetful(5);
    struct value names = strategy("text", "max_size", I(12), NULL);
    for (int i = 0; i < 4000; i++) {
        const struct string *drawn = draw_ok(drawer, names).as.string;
        empty += drawn->length == 0;
        full += drawn->length == 12;
        plain += drawn->length > 0 &&
                 strspn(drawn->data, "abcdefghijklmnopqrstuvwxyz0123456789") == drawn->size;
        for (size_t p = 0; p < PARTS; p++) {
            hits[p] += strstr(drawn->data, parts[p]) != NULL;
        }
    }
    for (size_t p = 0; p < PARTS; p++) {
        assert_true(hits[p] >= 20);
    }
    assert_true(empty >= 100 && full >= 100);
    assert_true(plain > 1000 && plain < 3000); /* and most are nothing special */
}

static void sizes_reach_both_ends(void **state)
{
    (void)state;
    struct value lists = strategy("lists", "", strategy("booleans", NULL), "min_size", I(1),
                                  "max_size", I(30), NULL);
    struct drawer *drawer = forgetful(6);
    unsigned smallest = 0;
    unsigned largest = 0;
    for (int i = 0; i < 500; i++) {
        size_t count = draw_ok(drawer, lists).as.list->count;
        smallest += count == 1;
        largest += count == 30;
    }
    assert_true(smallest >= 10 && largest >= 5);
    unsigned longest = 0;
    for (int i = 0; i < 2000; i++) {
        longest +=
            draw_ok(drawer, strategy("text", "max_size", I(255), NULL)).as.string->length == 255;
    }
    assert_true(longest >= 5);
}

static void lists_of_lists_end(void **state)
{
    (void)state;
    struct value nested = strategy("integers", NULL);
    for (int i = 0; i < 12; i++) {
        nested = strategy("lists", "", nested, "min_size", I(1), NULL);
    }
    struct drawer *drawer = forgetful(7);
    for (int i = 0; i < 50; i++) {
        draw_ok(drawer, nested);
        assert_true(drawer->record->items.count < 20000);
    }
}

static void decimals_favour_whole_numbers_and_ends(void **state)
{
    (void)state;
    struct value prices =
        strategy("decimals", "min_value", I(0), "max_value", I(10000), "places", I(2), NULL);
    struct drawer *drawer = forgetful(8);
    unsigned whole = 0;
    unsigned cents = 0;
    unsigned zero = 0;
    unsigned top = 0;
    struct value fraction;
    for (int i = 0; i < 1000; i++) {
        struct value drawn = draw_ok(drawer, prices);
        assert_true(number_arith(&test_arena, ARITH_MOD, drawn, I(1), &fraction, NULL));
        whole += number_compare(fraction, I(0)) == 0;
        cents += number_compare(fraction, I(0)) != 0;
        zero += number_compare(drawn, I(0)) == 0;
        top += number_compare(drawn, I(10000)) == 0;
    }
    assert_true(whole > 200 && cents > 200);
    assert_true(zero >= 10 && top >= 10);
}

static void floats_are_of_all_kinds(void **state)
{
    (void)state;
    struct drawer *drawer = forgetful(9);
    unsigned whole = 0;
    unsigned tiny = 0;
    unsigned huge = 0;
    unsigned nan = 0;
    unsigned minus_zero = 0;
    for (int i = 0; i < 2000; i++) {
        double drawn = draw_ok(drawer, strategy("floats", NULL)).as.real;
        whole += fabs(drawn) < 100 && floor(drawn) == drawn;
        tiny += drawn != 0 && fabs(drawn) < 1e-10;
        huge += fabs(drawn) > 1e20;
        nan += isnan(drawn) != 0;
        minus_zero += drawn == 0 && signbit(drawn) != 0;
    }
    assert_true(whole > 100 && tiny > 50 && huge > 50 && nan >= 5 && minus_zero >= 3);
}

static void dates_favour_calendar_traps(void **state)
{
    (void)state;
    struct drawer *drawer = forgetful(10);
    unsigned leap_days = 0;
    unsigned new_years = 0;
    unsigned this_century = 0;
    for (int i = 0; i < 2000; i++) {
        const char *drawn = draw_ok(drawer, strategy("dates", NULL)).as.string->data;
        leap_days += strcmp(drawn + 5, "02-29") == 0;
        new_years += strcmp(drawn + 5, "12-31") == 0 || strcmp(drawn + 5, "01-01") == 0;
        this_century += strncmp(drawn, "20", 2) == 0;
    }
    assert_true(leap_days >= 20 && new_years >= 30 && this_century > 500);
}

static void earlier_values_come_again(void **state)
{
    (void)state;
    static const char *const functions[] = {"integers", "text", "decimals", "uuids", "datetimes"};
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        unsigned repeats[2] = {0};
        for (int remembers = 0; remembers < 2; remembers++) {
            struct drawer *drawer = remembers ? test_drawer(f) : forgetful(f);
            struct value earlier[50];
            for (int i = 0; i < 50; i++) {
                earlier[i] = draw_ok(drawer, strategy(functions[f], NULL));
                for (int j = 0; j < i; j++) {
                    if (value_equal(earlier[i], earlier[j])) {
                        repeats[remembers]++;
                        break;
                    }
                }
            }
        }
        assert_true(repeats[1] >= 5);
        assert_true(repeats[1] > repeats[0]);
    }
}

/* A withdrawal of exactly what was deposited, one more, one less: of another strategy's values. */
static void values_of_other_bounds_come_again(void **state)
{
    (void)state;
    unsigned equal = 0;
    unsigned next_to_it = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct drawer *drawer = test_drawer(seed);
        int64_t paid = draw_ok(drawer, INTEGERS(100000, 900000)).as.integer;
        for (int i = 0; i < 5; i++) {
            int64_t drawn = draw_ok(drawer, INTEGERS(1, 1000000)).as.integer;
            equal += drawn == paid;
            next_to_it += drawn == paid - 1 || drawn == paid + 1;
        }
    }
    assert_true(equal >= 30);
    assert_true(next_to_it >= 15);
}

/* Near collisions: the same but for case, a space, an accent. */
static void texts_come_nearly_again(void **state)
{
    (void)state;
    unsigned cases = 0;
    unsigned spaces = 0;
    for (uint64_t seed = 0; seed < 600; seed++) {
        struct drawer *drawer = test_drawer(seed);
        struct value names = strategy("text", "min_size", I(4), "max_size", I(9), NULL);
        const struct string *first = draw_ok(drawer, names).as.string;
        for (int i = 0; i < 5; i++) {
            const struct string *drawn = draw_ok(drawer, names).as.string;
            cases +=
                strcasecmp(first->data, drawn->data) == 0 && strcmp(first->data, drawn->data) != 0;
            spaces += drawn->size == first->size + 1 &&
                      (memcmp(drawn->data, first->data, first->size) == 0 ||
                       memcmp(drawn->data + 1, first->data, first->size) == 0);
        }
    }
    assert_true(cases >= 10);
    assert_true(spaces >= 10);
}

static void whole_tuples_come_again(void **state)
{
    (void)state;
    unsigned repeats = 0;
    struct drawer *drawer = test_drawer(12);
    struct value points =
        strategy("tuples", "", strategy("integers", NULL), "", strategy("uuids", NULL), NULL);
    struct value last = value_none();
    for (int i = 0; i < 200; i++) {
        struct value drawn = draw_ok(drawer, points);
        repeats += value_equal(drawn, last);
        last = drawn;
    }
    assert_true(repeats >= 10);
}

/* Strategies with functions can't be told apart by how they are written: the site tells. */
static bool same(const struct native_call *call, struct value *out, struct error *err)
{
    (void)err;
    *out = call->args[0];
    return true;
}

static void sites_keep_their_values_apart(void **state)
{
    (void)state;
    unsigned repeats[2] = {0};
    for (uint64_t other_site = 0; other_site < 2; other_site++) {
        for (uint64_t seed = 0; seed < 300; seed++) {
            struct drawer *drawer = test_drawer(seed);
            struct value out[2];
            struct error err = {0};
            for (uint64_t i = 0; i < 2; i++) {
                struct value made =
                    strategy("builds", "", function(same), "", strategy("uuids", NULL), NULL);
                drawer_begin(drawer);
                assert_int_equal(strategy_draw(drawer, made, 5 + i * other_site, &out[i], &err),
                                 DRAW_OK);
            }
            repeats[other_site] += value_equal(out[0], out[1]);
        }
    }
    assert_true(repeats[0] > repeats[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(ends_and_neighbours_are_hit, drawing_clear),
        cmocka_unit_test_teardown(a_range_of_one_number_at_the_end_of_all, drawing_clear),
        cmocka_unit_test_teardown(powers_are_hit_in_a_wide_range, drawing_clear),
        cmocka_unit_test_teardown(the_middle_is_hit_too, drawing_clear),
        cmocka_unit_test_teardown(small_ranges_are_nearly_even, drawing_clear),
        cmocka_unit_test_teardown(the_pool_is_drawn_from, drawing_clear),
        cmocka_unit_test_teardown(moments_are_reached, drawing_clear),
        cmocka_unit_test_teardown(far_moments_are_reached_step_by_step, drawing_clear),
        cmocka_unit_test_teardown(texts_hold_what_breaks_code, drawing_clear),
        cmocka_unit_test_teardown(sizes_reach_both_ends, drawing_clear),
        cmocka_unit_test_teardown(lists_of_lists_end, drawing_clear),
        cmocka_unit_test_teardown(decimals_favour_whole_numbers_and_ends, drawing_clear),
        cmocka_unit_test_teardown(floats_are_of_all_kinds, drawing_clear),
        cmocka_unit_test_teardown(dates_favour_calendar_traps, drawing_clear),
        cmocka_unit_test_teardown(earlier_values_come_again, drawing_clear),
        cmocka_unit_test_teardown(values_of_other_bounds_come_again, drawing_clear),
        cmocka_unit_test_teardown(texts_come_nearly_again, drawing_clear),
        cmocka_unit_test_teardown(whole_tuples_come_again, drawing_clear),
        cmocka_unit_test_teardown(sites_keep_their_values_apart, drawing_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
