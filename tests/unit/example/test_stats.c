#include "example/counts.h"
#include "example/stats.h"
#include "value/json/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct rule rules[2];
static struct invariant invariants[1];
static const struct machine machine = {.rules = {rules, 2, 2}, .invariants = {invariants, 1, 1}};

static struct bundle bundles[1];
static const struct machine measured_machine = {
    .rules = {rules, 2, 2}, .invariants = {invariants, 1, 1}, .bundles = {bundles, 1, 1}};

enum { STEPS = 50 };

/* Pairs are counted within an example, also where one was merged by itself before. */
static void test_pairs(void **state)
{
    static struct rule paired[2] = {{.index = 0}, {.index = 1}};
    static const size_t sequences[][3] = {{0, 1, 1}, {1, 0, 1}};
    (void)state;
    struct arena arena = {0};
    struct run_stats total;
    stats_begin(&total, &machine, STEPS, false, &arena);
    stats_pair(&total, &machine, &arena);
    for (size_t i = 0; i < 2; i++) {
        struct run_stats example;
        struct run_stats finished;
        stats_begin(&example, &machine, STEPS, false, &arena);
        stats_begin(&finished, &machine, STEPS, false, &arena);
        for (size_t j = 0; j < 3; j++) {
            stats_step(&example, &arena, &paired[sequences[i][j]]);
        }
        stats_merge(&finished, &machine, &example, &arena);
        stats_merge(&total, &machine, i ? &finished : &example, &arena);
    }
    const uint64_t wanted[] = {0, 2, 1, 1};
    assert_memory_equal(total.pairs, wanted, sizeof wanted);
    assert_int_equal(total.steps, 6);
    arena_free(&arena);
}

static void test_log_is_counted_when_committed(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct run_stats stats;
    struct stats_log log = {0};
    stats_begin(&stats, &machine, STEPS, false, &arena);
    *VEC_PUSH(&arena, &log.events) =
        (struct stats_event){&stats.rules[1].blocked[BLOCKED_LIMIT], 1};
    *VEC_PUSH(&arena, &log.events) = (struct stats_event){&stats.rules[0].chosen, 1};
    *VEC_PUSH(&arena, &log.events) = (struct stats_event){&stats.rules[0].given_up, 1};
    *VEC_PUSH(&arena, &log.events) = (struct stats_event){&stats.given_up, 1};
    *VEC_PUSH(&arena, &log.events) = (struct stats_event){&stats.invariants[0].skipped, 1};
    assert_int_equal(stats.rules[0].chosen, 0);
    stats_commit(&log);
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
    stats_begin(&total, &machine, STEPS, false, &arena);
    for (int i = 0; i < 3; i++) {
        struct run_stats one;
        stats_begin(&one, &machine, STEPS, false, &shorter);
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
    assert_int_equal(stats_succeeded(&total.rules[1]), 3);
    assert_int_equal(stats_succeeded(&total.rules[0]), 0);
    arena_free(&shorter);
    arena_free(&arena);
}

/* Every kind of a reason, a death and a count of sessions: what a shard reports is read back whole.
 */
static void test_counts_come_back(void **state)
{
    static struct rule named[] = {{.name = "first"}, {.name = "second", .index = 1}};
    static const struct machine described = {.rules = {named, 2, 2}};
    (void)state;
    struct arena arena = {0};
    struct run_stats stats;
    struct run_stats back;
    struct strbuf text = {0};
    struct json json = {.out = &text};
    struct value members;
    struct error err;
    stats_begin(&stats, &described, STEPS, false, &arena);
    uint64_t number = 1;
    stats.examples = 1;
    for (size_t i = DEATH_NONE + 1; i < DEATHS; i++) {
        stats.deaths[i] = number++;
    }
    for (size_t i = 0; i < BLOCKED_COUNT; i++) {
        stats.rules[1].blocked[i] = number++;
    }
    for (size_t i = 0; i < DEAD_END_REASONS; i++) {
        stats.rules[0].dead_ends[i] = number++;
    }
    uint64_t *sessions = (uint64_t *)&stats.sessions;
    for (size_t i = 0; i < sizeof stats.sessions / sizeof *sessions; i++) {
        sessions[i] = number++;
    }
    json_open(&json, NULL, '{');
    counts_write(&json, &stats, &described);
    json_close(&json, '}');
    assert_true(json_decode(&arena, strbuf_text(&text), text.size, &members, &err));
    assert_true(counts_read(members, &described, &arena, &back, &err));
    assert_memory_equal(back.deaths, stats.deaths, sizeof stats.deaths);
    assert_memory_equal(back.rules[1].blocked, stats.rules[1].blocked,
                        sizeof stats.rules[1].blocked);
    assert_memory_equal(back.rules[0].dead_ends, stats.rules[0].dead_ends,
                        sizeof stats.rules[0].dead_ends);
    assert_memory_equal(&back.sessions, &stats.sessions, sizeof stats.sessions);
    strbuf_free(&text);
    arena_free(&arena);
}

/* By name, though an example may make other tables, or in another order. */
static void test_tables_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *names[3];
        uint64_t filled[3];
    } examples[] = {
        {{"a", "b", "c"}, {0, 1, 0}}, {{"b", "a"}, {1, 0}}, {{"d", "b", "c"}, {1, 0, 0}}};
    struct arena arena = {0};
    struct run_stats total;
    stats_begin(&total, &machine, STEPS, false, &arena);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        struct run_stats one;
        stats_begin(&one, &machine, STEPS, false, &arena);
        for (size_t j = 0; j < 3 && examples[i].names[j]; j++) {
            *VEC_PUSH(&arena, &one.tables) =
                (struct table_stats){examples[i].names[j], examples[i].filled[j]};
        }
        stats_merge(&total, &machine, &one, &arena);
    }
    assert_int_equal(total.tables.count, 4);
    static const struct table_stats expected[] = {{"a", 0}, {"b", 2}, {"c", 0}, {"d", 1}};
    for (size_t i = 0; i < total.tables.count; i++) {
        assert_string_equal(total.tables.items[i].name, expected[i].name);
        assert_int_equal(total.tables.items[i].filled, expected[i].filled);
    }
    arena_free(&arena);
}

/* What is told of a percentile is not below it, and at most a quarter above, for any duration. */
static void test_durations_are_told_by_size(void **state)
{
    (void)state;
    struct arena arena = {0};
    static const uint64_t times[] = {1,    2,     3,      4,       7,         11,
                                     1000, 99999, 250000, 5000000, 123456789, UINT64_C(1) << 39};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        struct durations *one = ARENA_NEW(&arena, struct durations);
        durations_add(one, times[i]);
        uint64_t told = durations_percentile(one, 95);
        assert_in_range(told, times[i], times[i] + (times[i] + 3) / 4);
    }
    struct durations *all = ARENA_NEW(&arena, struct durations);
    assert_int_equal(durations_percentile(all, 95), 0);
    for (int i = 0; i < 95; i++) {
        durations_add(all, 100);
    }
    for (int i = 0; i < 5; i++) {
        durations_add(all, 10000);
    }
    assert_in_range(durations_percentile(all, 95), 100, 125);
    assert_in_range(durations_percentile(all, 96), 10000, 12500);
    assert_int_equal(all->total_us, 95 * 100 + 5 * 10000);
    durations_add(all, 0);
    durations_add(all, UINT64_MAX / 2);
    durations_add(NULL, 1);
    arena_free(&arena);
}

static void test_lengths_bundles_and_times_merge(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct run_stats total;
    static const uint64_t steps[] = {0, 1, 5, 6, 50, 51};
    stats_begin(&total, &measured_machine, STEPS, true, &arena);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct run_stats one;
        stats_begin(&one, &measured_machine, STEPS, true, &arena);
        one.examples = 1;
        one.steps = steps[i];
        if (i > 0) { /* the first failed */
            one.bundles[0] = (struct bundle_stats){1, i, i};
        }
        durations_add(one.rules[0].times, 100 * i);
        durations_add(one.invariants[0].times, 7);
        stats_merge(&total, &measured_machine, &one, &arena);
    }
    static const uint64_t lengths[LENGTHS] = {[0] = 1, [1] = 2, [2] = 1, [10] = 1, [11] = 1};
    assert_memory_equal(total.lengths, lengths, sizeof lengths);
    assert_int_equal(total.length_width, 5);
    assert_int_equal(total.bundles[0].examples, 5);
    assert_int_equal(total.bundles[0].values, 1 + 2 + 3 + 4 + 5);
    assert_int_equal(total.bundles[0].most, 5);
    assert_int_equal(total.rules[0].times->count, 6);
    assert_int_equal(total.rules[0].times->total_us, 1500);
    assert_int_equal(total.rules[1].times->count, 0);
    assert_in_range(durations_percentile(total.invariants[0].times, 95), 7, 8);
    stats_begin(&total, &measured_machine, STEPS, false, &arena);
    assert_null(total.rules[0].times);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_durations_are_told_by_size),
        cmocka_unit_test(test_lengths_bundles_and_times_merge),
        cmocka_unit_test(test_log_is_counted_when_committed),
        cmocka_unit_test(test_merge_adds),
        cmocka_unit_test(test_counts_come_back),
        cmocka_unit_test(test_tables_are_counted),
        cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
