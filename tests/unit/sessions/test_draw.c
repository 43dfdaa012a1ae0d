/* Schedules: which ones there are for so many points, and that each is drawn once. */
#include "sessions/draw.h"
#include "sessions/written.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

/* A session of one step (its number is the step's id) of two statements, each with so many gates.
 */
static struct record session_of(uint32_t id, unsigned crossings)
{
    struct record record = {0};
    struct recorded_step *step = record_step(&record, &arena, id);
    for (unsigned i = 0; i < 2; i++) {
        record_call(step, &arena, NULL, NULL)->crossings = crossings;
    }
    return record;
}

static struct points points_for(const unsigned *crossings, size_t count)
{
    struct record records[LANES_MAX];
    struct points points;
    for (size_t i = 0; i < count; i++) {
        records[i] = session_of((uint32_t)i + 1, crossings[i]);
    }
    points_of(records, count, &arena, &points);
    return points;
}

static bool is_first_point(const struct trace_switch *at)
{
    return at->call == 0 && at->crossing == 0;
}

/* All schedules of one depth that are drawn before none is left. */
static struct schedules all_of(uint64_t seed, unsigned sessions, const struct points *points,
                               unsigned depth)
{
    struct schedules all = {0};
    struct trace_schedule schedule;
    struct rng rng;
    rng_seed(&rng, seed, 1);
    while (draw_schedule(&rng, sessions, points, depth, &all, &arena, &schedule)) {
        assert_in_range(schedule.switches.count, 1, 2);
        const struct trace_switch *last = &schedule.switches.items[schedule.switches.count - 1];
        assert_int_equal(last->step, schedule.order[0]); /* who goes first stops first */
        for (size_t i = 0; i < schedule.switches.count; i++) {
            assert_false(is_first_point(&schedule.switches.items[i]));
        }
        for (size_t i = 0; i < all.items.count; i++) {
            assert_false(trace_schedule_equal(&all.items.items[i], &schedule));
        }
        *VEC_PUSH(&arena, &all.items) = schedule;
    }
    return all;
}

/* Two statements with g gates are 2 (1 + g) points, of which the first is where it begins. */
static void each_schedule_once(void **state)
{
    static const unsigned few[] = {1, 0};
    static const unsigned three[] = {0, 1, 0};
    const struct points points = points_for(few, 2);
    const struct points of_three = points_for(three, 3);
    size_t twice = 0;
    (void)state;
    assert_int_equal(points.items.count, 4 + 2);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        size_t deep = all_of(seed, 2, &points, 3).items.count;
        /* 3 points of one, 1 of the other */
        assert_int_equal(all_of(seed, 2, &points, 2).items.count, 4);
        /* 1 + 3 + 1, and two orders of the others */
        assert_int_equal(all_of(seed, 3, &of_three, 2).items.count, 10);
        assert_true(deep <= 6);
        twice = deep > twice ? deep : twice;
    }
    assert_int_equal(twice, 6); /* each with each, and either first */
}

/* Between the end of a write and the next statement of its function, nothing happens. */
static void idle_points_are_left_out(void **state)
{
    static const unsigned ends[] = {2, 4};
    struct record record = session_of(1, 4);
    struct recorded_call *call = &record.steps.items[0]->calls.items[0];
    const struct trace_switch between = {
        .step = 1, .crossing = 2, .nth = 1, .gate = TRACE_GATE_BODY};
    struct points points;
    (void)state;
    call->ends = ends;
    call->end_count = 2;
    *VEC_PUSH(&arena, &call->between) = between;
    points_of(&record, 1, &arena, &points);
    assert_int_equal(points.items.count, 5 + 5);
    assert_true(trace_point_equal(&points.items.items[2], &between));
    assert_int_equal(points.items.items[4].crossing, 4); /* none follows */
}

/* Few steps that depend on each other get more. */
static void count_by_steps(void **state)
{
    struct trace trace = {0};
    (void)state;
    for (unsigned char i = 0; i < 5; i++) {
        *VEC_PUSH(&arena, &trace.steps) = (struct trace_step){.id = i,
                                                              .session = i < 1   ? 0
                                                                         : i < 3 ? 1
                                                                                 : 2};
        if (i >= 3) {
            assert_int_equal(draw_count(&trace, false), SCHEDULES);
            assert_int_equal(draw_count(&trace, true), i == 3 ? SCHEDULES_MEETING : SCHEDULES);
        }
    }
}

/* Without a beginning, each may be the only chance of its race. */
static void all_from_the_start(void **state)
{
    struct trace trace = {0};
    (void)state;
    for (unsigned char i = 0; i < 3; i++) {
        *VEC_PUSH(&arena, &trace.steps) =
            (struct trace_step){.id = i, .initialize = i == 0, .session = i};
    }
    assert_int_equal(draw_count(&trace, false), SCHEDULES_ALL);
    trace.steps.items[0].initialize = false;
    assert_int_equal(draw_count(&trace, false), SCHEDULES);
}

/* A step without a model usually reads: it stops where a function goes on to its next read. */
static void readers_stop_between_reads(void **state)
{
    struct rule rules[2] = {{0}, {.model = (struct lang_code *)(void *)&arena}};
    const struct machine machine = {.rules = {.items = rules, .count = 2}};
    struct trace trace = {0};
    struct rng rng;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        *VEC_PUSH(&arena, &rules[i].statements) = (struct machine_statement){0};
        *VEC_PUSH(&arena, &trace.steps) =
            (struct trace_step){.id = (uint32_t)i, .session = (unsigned char)(i + 1), .rule = i};
    }
    rng_seed(&rng, 1, 1);
    for (unsigned i = 0; i < 20; i++) {
        struct trace_schedule schedule;
        unsigned first = i < 10 ? 0 : 1 + i % 2;
        draw_first_schedule(&rng, &machine, &trace, first, &arena, &schedule);
        assert_true(first == 0 || schedule.order[0] == first);
        assert_int_equal(schedule.switches.count, 1);
        const struct trace_switch *at = &schedule.switches.items[0];
        bool reads = schedule.order[0] == 1;
        assert_int_equal(at->gate, reads ? TRACE_GATE_BODY : TRACE_GATE_WRITE);
        assert_int_equal(at->nth, reads);
        assert_int_equal(at->crossing, !reads);
    }
}

static void nowhere_to_stop(void **state)
{
    struct points points = {0};
    struct schedules tried = {0};
    struct trace_schedule schedule;
    struct rng rng;
    (void)state;
    rng_seed(&rng, 1, 1);
    assert_false(draw_schedule(&rng, 2, &points, 2, &tried, &arena, &schedule));
}

/* What was not sent can't be stopped. */
static void skipped_calls_are_no_points(void **state)
{
    struct record records[] = {session_of(1, 1), session_of(2, 0)};
    struct points points;
    (void)state;
    records[0].steps.items[0]->calls.items[1].answer.status = ANSWER_SKIPPED;
    points_of(records, 2, &arena, &points);
    assert_int_equal(points.ends[0], 2);
    assert_int_equal(points.ends[1], 2 + 2);
}

static int teardown(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* --- stops between rows --- */

/* "BEFORE UPDATE 0": a gate of table t when so many rows are written; `;` ends one. */
static void cross_all(struct written *written, const char *gates)
{
    char when[32];
    unsigned crossing = 0;
    for (const char *at = gates; *at; at = strchr(at, ';') + 1) {
        size_t size = strcspn(at, "0123456789") - 1;
        memcpy(when, at, size);
        when[size] = '\0';
        const struct lane_gate gate = {.when = when,
                                       .schema = "public",
                                       .table = "t",
                                       .number = (uint64_t)(at[size + 1] - '0')};
        written_crossed(written, &gate, ++crossing);
    }
}

/* Behind which crossing, and which row gates there: up to two times. */
static void stops_are(const char *gates, size_t count, const unsigned *wanted)
{
    struct written written = {.arena = &arena};
    cross_all(&written, gates);
    assert_int_equal(written.rows.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(written.rows.items[i].crossing, wanted[3 * i]);
        assert_int_equal(written.rows.items[i].first, wanted[3 * i + 1]);
        assert_int_equal(written.rows.items[i].last, wanted[3 * i + 2]);
    }
}

static void between_which_rows(void **state)
{
    (void)state;
    stops_are("BEFORE UPDATE 0;AFTER UPDATE 1;", 0, NULL);
    /* some rows are locked, and others are not yet */
    stops_are("BEFORE UPDATE 0;AFTER UPDATE 3;", 1, (const unsigned[]){1, 1, 2});
    stops_are("BEFORE UPDATE 3;AFTER UPDATE 4;BEFORE DELETE 0;AFTER DELETE 2;", 1,
              (const unsigned[]){3, 1, 1});
    /* nothing is there before the first one */
    stops_are("BEFORE INSERT 0;AFTER INSERT 3;", 1, (const unsigned[]){1, 2, 3});
    /* of ON CONFLICT DO UPDATE, a row may come to the gates of both */
    stops_are("BEFORE INSERT 0;BEFORE UPDATE 0;AFTER UPDATE 2;AFTER INSERT 0;", 1,
              (const unsigned[]){2, 1, 3});
    /* the first one raised an error that was caught */
    stops_are("BEFORE UPDATE 0;BEFORE UPDATE 0;AFTER UPDATE 2;", 1, (const unsigned[]){2, 1, 1});
    stops_are("AFTER UPDATE 2;", 0, NULL);
}

/* Three rows that are updated have two points between them. */
static void each_point_between_rows(void **state)
{
    struct record records[2] = {session_of(1, 2), session_of(2, 2)};
    const struct written_rows rows = {.crossing = 1, .first = 1, .last = 2};
    struct points points;
    bool found[3] = {false};
    (void)state;
    records[1].steps.items[0]->session = 2;
    records[1].steps.items[0]->calls.items[1].rows = &rows;
    records[1].steps.items[0]->calls.items[1].row_count = 1;
    points_of(records, 2, &arena, &points);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct schedules tried = {0};
        struct trace_schedule schedule;
        struct rng rng;
        rng_seed(&rng, seed, 1);
        assert_true(draw_between_rows(&rng, 2, &points, &tried, &arena, &schedule));
        assert_int_equal(schedule.order[0], 2); /* who stops goes first */
        assert_int_equal(schedule.switches.count, 1);
        const struct trace_switch *point = &schedule.switches.items[0];
        assert_int_equal(point->step, 2);
        assert_int_equal(point->call, 1);
        assert_int_equal(point->crossing, 1);
        assert_int_equal(point->gate, TRACE_GATE_ROW);
        assert_in_range(point->nth, 1, 2);
        found[point->nth] = true;
        *VEC_PUSH(&arena, &tried.items) = schedule;
        while (draw_between_rows(&rng, 2, &points, &tried, &arena, &schedule)) {
            *VEC_PUSH(&arena, &tried.items) = schedule;
        }
        assert_true(tried.items.count <= 2);
    }
    assert_true(found[1] && found[2]);
    points.rows.count = 0;
    struct schedules none = {0};
    struct trace_schedule schedule;
    struct rng rng;
    rng_seed(&rng, 1, 1);
    assert_false(draw_between_rows(&rng, 2, &points, &none, &arena, &schedule));
}

/* One example of six, or fewer: some begin at the beginning. */
static void test_some_meet_crosswise(void **state)
{
    const struct machine machine = {0};
    size_t crosswise = 0;
    struct rng rng;
    (void)state;
    rng_seed(&rng, 1, 1);
    for (size_t i = 0; i < 600; i++) {
        const struct branching drawn = draw_branching(&rng, 3, 50, &machine);
        if (drawn.meets == MEET_CROSSWISE) {
            assert_true(drawn.before > 0);
            assert_int_equal(drawn.each[0], 1);
            assert_int_equal(drawn.each[1], 1);
            assert_int_equal(drawn.each[2], 2);
            crosswise++;
        }
    }
    assert_in_range(crosswise, 40, 100);
}

/* Sessions begin where some rule can run beside the next transaction, and only so many run. */
static void test_a_migration_has_company(void **state)
{
    (void)state;
    struct machine_migration migration = {.pieces = 3};
    struct rule rules[] = {{.from = -1, .until = 1},
                           {.from = 2, .until = -1},
                           {.from = -1, .until = -1, .migrates = true}};
    struct machine machine = {.migration = &migration};
    machine.rules.items = rules;
    machine.rules.count = sizeof rules / sizeof *rules;
    size_t began[4] = {0};
    struct rng rng;
    rng_seed(&rng, 1, 1);
    for (size_t i = 0; i < 800; i++) {
        const struct branching drawn = draw_branching(&rng, 2, 50, &machine);
        assert_in_range(drawn.migrated, 0, 3);
        assert_true(drawn.before >= drawn.migrated);
        assert_true(drawn.migrated == 3 || drawn.each[0] == 1);
        began[drawn.migrated]++;
    }
    assert_int_equal(began[1], 0);
    assert_in_range(began[0], 250, 450);
    assert_in_range(began[2], 250, 450);
    assert_in_range(began[3], 50, 150); /* one in 8 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(each_schedule_once, teardown),
        cmocka_unit_test_teardown(idle_points_are_left_out, teardown),
        cmocka_unit_test_teardown(count_by_steps, teardown),
        cmocka_unit_test_teardown(all_from_the_start, teardown),
        cmocka_unit_test_teardown(readers_stop_between_reads, teardown),
        cmocka_unit_test_teardown(nowhere_to_stop, teardown),
        cmocka_unit_test_teardown(skipped_calls_are_no_points, teardown),
        cmocka_unit_test_teardown(between_which_rows, teardown),
        cmocka_unit_test_teardown(each_point_between_rows, teardown),
        cmocka_unit_test(test_some_meet_crosswise),
        cmocka_unit_test(test_a_migration_has_company),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
