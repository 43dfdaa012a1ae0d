#include "engine/stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct rule rules[2];
static struct invariant invariants[1];
static const struct machine machine = {.rules = {rules, 2, 2}, .invariants = {invariants, 1, 1}};

static void test_log_is_counted_when_committed(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct run_stats stats;
    struct stats_log log = {0};
    stats_begin(&stats, &machine, &arena);
    *VEC_PUSH(&arena, &log.events) =
        (struct stats_event){.kind = STATS_BLOCKED, .index = 1, .why = BLOCKED_LIMIT};
    *VEC_PUSH(&arena, &log.events) = (struct stats_event){.kind = STATS_CHOSEN, .index = 0};
    *VEC_PUSH(&arena, &log.events) = (struct stats_event){.kind = STATS_GIVEN_UP, .index = 0};
    *VEC_PUSH(&arena, &log.events) = (struct stats_event){.kind = STATS_SKIPPED, .index = 0};
    assert_int_equal(stats.rules[0].chosen, 0);
    stats_commit(&stats, &log);
    assert_int_equal(stats.rules[0].chosen, 1);
    assert_int_equal(stats.rules[0].given_up, 1);
    assert_int_equal(stats.given_up, 1);
    assert_int_equal(stats.rules[1].blocked[BLOCKED_LIMIT], 1);
    assert_int_equal(stats.rules[1].chosen, 0);
    assert_int_equal(stats.invariants[0].skipped, 1);
    arena_free(&arena);
}

static void test_merge_adds(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct arena shorter = {0};
    struct run_stats total;
    stats_begin(&total, &machine, &arena);
    for (int i = 0; i < 3; i++) {
        struct run_stats one;
        stats_begin(&one, &machine, &shorter);
        one.examples = 1;
        one.steps = 5;
        one.statements = 15;
        one.rules[1].ran = 5;
        one.rules[1].blocked[BLOCKED_EMPTY] = 2;
        one.invariants[0].checked = 6;
        stats_raised(&one.rules[1], &shorter, "23505", 2);
        stats_raised(&one.rules[1], &shorter, "P0001", 1);
        stats_raised(&one.rules[1], &shorter, "23505", 1);
        stats_merge(&total, &machine, &one, &arena);
        arena_reset(&shorter);
    }
    assert_int_equal(total.examples, 3);
    assert_int_equal(total.steps, 15);
    assert_int_equal(total.statements, 45);
    assert_int_equal(total.rules[1].ran, 15);
    assert_int_equal(total.rules[1].blocked[BLOCKED_EMPTY], 6);
    assert_int_equal(total.invariants[0].checked, 18);
    assert_int_equal(total.rules[0].raised.count, 0);
    assert_int_equal(total.rules[1].raised.count, 2);
    assert_string_equal(total.rules[1].raised.items[0].sqlstate, "23505");
    assert_int_equal(total.rules[1].raised.items[0].count, 9);
    assert_int_equal(total.rules[1].raised.items[1].count, 3);
    arena_free(&shorter);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log_is_counted_when_committed),
        cmocka_unit_test(test_merge_adds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
