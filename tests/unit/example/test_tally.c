#include "example/stats.h"
#include "value/number/numeric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

static void draw(struct tally *tally, struct value value)
{
    struct tally_note note = tally_note(&arena, value);
    tally_add(tally, &note, &arena);
}

static void test_values(void **state)
{
    (void)state;
    struct tally tally = {0};
    draw(&tally, value_text(&arena, "ann"));
    draw(&tally, value_none());
    draw(&tally, value_bool(true));
    draw(&tally, value_text(&arena, "ann"));
    draw(&tally, value_list(&arena)); /* a collection counts by its length alone */
    assert_int_equal(tally.drawn, 5);
    assert_int_equal(tally.values.count, 3);
    assert_string_equal(tally.values.items[0].text, "\"ann\"");
    assert_int_equal(tally.values.items[0].count, 2);
    assert_string_equal(tally.values.items[1].text, "None");
    assert_string_equal(tally.values.items[2].text, "True");
    assert_int_equal(tally.others, 1);
    assert_int_equal(tally.scales[TALLY_LENGTH]->count, 3);
    assert_true(tally.scales[TALLY_LENGTH]->least == 0 && tally.scales[TALLY_LENGTH]->most == 3);
    assert_null(tally.scales[TALLY_NUMBER]);
    arena_free(&arena);
}

static void test_length_counts_characters(void **state)
{
    (void)state;
    struct tally tally = {0};
    draw(&tally, value_text(&arena, "äöü"));
    assert_true(tally.scales[TALLY_LENGTH]->most == 3);
    arena_free(&arena);
}

/* However many different values there are, and however long. */
static void test_bounded(void **state)
{
    (void)state;
    struct tally tally = {0};
    char text[1000];
    memset(text, 'x', sizeof text);
    for (int64_t i = 0; i < 1000; i++) {
        draw(&tally, value_int(i));
        draw(&tally, value_string(&arena, text, sizeof text));
    }
    assert_int_equal(tally.values.count, TALLY_VALUES_MAX);
    assert_int_equal(tally.others, 2000 - TALLY_VALUES_MAX);
    assert_int_equal(tally.drawn, 2000);
    arena_free(&arena);
}

static struct scale_range range_of(double number)
{
    struct tally tally = {0};
    struct tally_note note = {.kind = TALLY_NUMBER, .number = number};
    tally_add(&tally, &note, &arena);
    return scale_range(scale_median(tally.scales[TALLY_NUMBER]));
}

static void test_ranges(void **state)
{
    (void)state;
    static const struct {
        double number, least, most;
    } cases[] = {
        {0, 0, 0},          {0.99, 0, 0},
        {-0.5, 0, 0},       {1, 1, 1},
        {1.5, 1, 1},        {2, 2, 3},
        {3, 2, 3},          {4, 4, 7},
        {-1, -1, -1},       {-2.5, -3, -2},
        {-8, -15, -8},      {1023, 512, 1023},
        {1024, 1024, 2047}, {2147483647, 1073741824, 2147483647},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scale_range range = range_of(cases[i].number);
        if (range.least != cases[i].least || range.most != cases[i].most) {
            fail_msg("%g: %g to %g", cases[i].number, range.least, range.most);
        }
    }
    assert_true(range_of(1e300).least == 9223372036854775808.0);
    assert_true(range_of(-1e300).most == -9223372036854775808.0);
    arena_free(&arena);
}

/* 3 of 5 are at most 7. */
static void test_median(void **state)
{
    (void)state;
    struct tally tally = {0};
    static const int64_t numbers[] = {100, 0, 5, 6, 100};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        draw(&tally, value_int(numbers[i]));
    }
    assert_true(scale_range(scale_median(tally.scales[TALLY_NUMBER])).most == 7);
    arena_free(&arena);
}

static void test_not_a_number(void **state)
{
    (void)state;
    struct tally tally = {0};
    draw(&tally, value_float(0.0 / 0.0));
    draw(&tally, value_float(1.0 / 0.0));
    assert_null(tally.scales[TALLY_NUMBER]);
    assert_int_equal(tally.values.count, 2);
    arena_free(&arena);
}

/* Each of the first 16 examples, then eight to a doubling; powers of two are among them. */
static void test_curve(void **state)
{
    (void)state;
    struct discovery discovery;
    discovery_begin(&discovery, &arena);
    uint64_t seen[DISCOVERED_KINDS] = {0};
    for (uint64_t i = 1; i <= 1000000; i++) {
        seen[DISCOVERED_PAIRS] = i / 100;
        discovery_add(&discovery, i, seen);
    }
    assert_int_equal(discovery.last[DISCOVERED_PAIRS], 1000000);
    assert_int_equal(discovery.last[DISCOVERED_RULES], 0);
    assert_in_range(discovery.points.count, 120, 150);
    uint64_t power = 1;
    for (size_t i = 0; i < discovery.points.count; i++) {
        const struct discovery_point *point = &discovery.points.items[i];
        assert_int_equal(point->seen[DISCOVERED_PAIRS], point->example / 100);
        power *= point->example == power ? 2 : 1;
    }
    assert_int_equal(power, 1048576);
    arena_free(&arena);
}

/* Examples that are merged by themselves first count as others do. */
static void test_merged(void **state)
{
    (void)state;
    static struct rule_arg args[] = {{.name = "who"}};
    static struct rule rules[2] = {{.index = 0}, {.index = 1, .args = {args, 1, 1}}};
    static const struct machine machine = {.rules = {rules, 2, 2}};
    struct run_stats total;
    stats_begin(&total, &machine, 10, false, &arena);
    stats_pair(&total, &machine, &arena);
    stats_tally(&total, &machine, &arena);
    for (size_t i = 0; i < 3; i++) {
        struct run_stats example;
        struct run_stats finished;
        stats_begin(&example, &machine, 10, false, &arena);
        stats_begin(&finished, &machine, 10, false, &arena);
        struct tally_note note = tally_note(&arena, value_text(&arena, i ? "bob" : "ann"));
        note.rule = 1;
        stats_note(&example, &arena, note);
        stats_step(&example, &arena, &rules[0]);
        stats_step(&example, &arena, &rules[i > 0]);
        example.rules[0].ran = i ? 1 : 2;
        example.rules[1].ran = i > 0;
        example.examples = 1;
        stats_merge(&finished, &machine, &example, &arena);
        stats_merge(&total, &machine, i == 1 ? &finished : &example, &arena);
    }
    const struct tally *who = &total.rules[1].args[0];
    assert_int_equal(who->drawn, 3);
    assert_string_equal(who->values.items[0].text, "\"ann\"");
    assert_int_equal(who->values.items[1].count, 2);
    const struct discovery *discovery = &total.discovery;
    assert_int_equal(discovery->seen[DISCOVERED_RULES], 2);
    assert_int_equal(discovery->last[DISCOVERED_RULES], 2);
    assert_int_equal(discovery->seen[DISCOVERED_PAIRS], 2);
    assert_int_equal(discovery->points.items[0].seen[DISCOVERED_PAIRS], 1);
    assert_int_equal(discovery->points.count, 3);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),  cmocka_unit_test(test_length_counts_characters),
        cmocka_unit_test(test_bounded), cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_median),  cmocka_unit_test(test_not_a_number),
        cmocka_unit_test(test_curve),   cmocka_unit_test(test_merged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
