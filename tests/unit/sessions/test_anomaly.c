/* Names of races: each needs all of its evidence. */
#include "sessions/anomaly.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { A = 0, B = 1 };

struct fixture {
    struct arena arena;
    struct race race;
    struct anomaly_evidence evidence;
};

/* A row in each run, in the order of enum anomaly_run; NULL: it is not there. */
static void add_row(struct fixture *fixture, const char *key, const char *const texts[ANOMALY_RUNS])
{
    for (size_t run = 0; run < ANOMALY_RUNS; run++) {
        if (texts[run]) {
            *VEC_PUSH(&fixture->arena, &fixture->evidence.rows[run].items) =
                (struct lane_row){"accounts", key, texts[run]};
        }
    }
}

#define ROW(fixture, key, ...) add_row(fixture, key, (const char *const[ANOMALY_RUNS]){__VA_ARGS__})

static struct race_event *add_event(struct fixture *fixture, size_t step, enum race_event_kind kind,
                                    uint32_t call, uint32_t crossing)
{
    struct race_event *event = VEC_PUSH(&fixture->arena, &fixture->race.events);
    *event = (struct race_event){.kind = kind, .step = step, .call = call, .crossing = crossing};
    return event;
}

static void begin(struct fixture *fixture)
{
    *fixture = (struct fixture){.race = {.sessions = 2}};
    for (unsigned i = 0; i < 2; i++) {
        *VEC_PUSH(&fixture->arena, &fixture->race.steps) =
            (struct race_step){.session = i + 1, .answer = "1 row: 99"};
        fixture->evidence.answers[i] = fixture->evidence.after[i] = "1 row: 99";
    }
}

/* B's statement waits for A, which commits. */
static void wait_for_commit(struct fixture *fixture)
{
    (void)add_event(fixture, A, RACE_SENT, 0, 0);
    (void)add_event(fixture, A, RACE_ANSWERED, 0, 2);
    (void)add_event(fixture, B, RACE_SENT, 0, 0);
    add_event(fixture, B, RACE_BLOCKED, 0, 1)->by = 1U << 1;
    (void)add_event(fixture, A, RACE_SENT, 1, 0);
    (void)add_event(fixture, A, RACE_ANSWERED, 1, 0);
    (void)add_event(fixture, B, RACE_FREED, 0, 1);
    (void)add_event(fixture, B, RACE_ANSWERED, 0, 2);
    (void)add_event(fixture, B, RACE_SENT, 1, 0);
    (void)add_event(fixture, B, RACE_ANSWERED, 1, 0);
}

/* B's statement has come to so many gates when A runs and commits. */
static void run_between(struct fixture *fixture, uint32_t gates)
{
    (void)add_event(fixture, B, RACE_SENT, 0, 0);
    (void)add_event(fixture, B, RACE_STOPPED, 0, gates);
    (void)add_event(fixture, A, RACE_SENT, 0, 0);
    (void)add_event(fixture, A, RACE_ANSWERED, 0, 2);
    (void)add_event(fixture, A, RACE_SENT, 1, 0);
    (void)add_event(fixture, A, RACE_ANSWERED, 1, 0);
    (void)add_event(fixture, B, RACE_RELEASED, 0, gates);
    (void)add_event(fixture, B, RACE_ANSWERED, 0, 2);
    (void)add_event(fixture, B, RACE_SENT, 1, 0);
    (void)add_event(fixture, B, RACE_ANSWERED, 1, 0);
}

static void deadlock(struct fixture *fixture, uint32_t gates)
{
    (void)add_event(fixture, A, RACE_SENT, 0, 0);
    add_event(fixture, A, RACE_BLOCKED, 0, gates)->by = 1U << 2;
    (void)add_event(fixture, B, RACE_SENT, 0, 0);
    add_event(fixture, B, RACE_BLOCKED, 0, 3)->by = 1U << 1;
    add_event(fixture, B, RACE_ANSWERED, 0, 3)->failed = fixture->race.deadlock = true;
}

static struct race_anomaly named(struct fixture *fixture, enum race_anomaly_kind kind)
{
    const struct race_anomaly anomaly =
        anomaly_of(&fixture->arena, &fixture->race, &fixture->evidence);
    assert_int_equal(anomaly.kind, kind);
    arena_free(&fixture->arena);
    return anomaly;
}

/* B copies row 2 to row 1, and A writes both: B read row 2 as it was before. */
static void a_stale_row_is_no_lost_update(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture);
    ROW(&fixture, "2", "7", "8", "7", "8", "8", "8");
    ROW(&fixture, "1", "100", "99", "7", "8", "99", "7");
    wait_for_commit(&fixture);
    (void)named(&fixture, ANOMALY_NONE);
}

static void an_update_is_lost(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture);
    ROW(&fixture, "2", "7", "7", "7", "7", "7", "7");
    ROW(&fixture, "1", "100", "99", "98", "97", "97", "98");
    wait_for_commit(&fixture);
    const struct race_anomaly anomaly = named(&fixture, ANOMALY_LOST_UPDATE);
    assert_int_equal(anomaly.step, A);
    assert_int_equal(anomaly.by, B);
    assert_string_equal(anomaly.table, "accounts");
}

static void an_update_is_lost_at_a_gate(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture);
    ROW(&fixture, "1", "100", "99", "98", "97", "97", "98");
    run_between(&fixture, 1);
    named(&fixture, ANOMALY_LOST_UPDATE);
}

/* B had written already, so that A may have left out the row that B had locked. */
static void nobody_waited(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture);
    ROW(&fixture, "1", "100", "99", "98", "97", "97", "98");
    run_between(&fixture, 2);
    named(&fixture, ANOMALY_NONE);
}

static void the_other_order_leaves_it_so(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture);
    ROW(&fixture, "1", "100", "99", "98", "97", "98", "98");
    wait_for_commit(&fixture);
    named(&fixture, ANOMALY_NONE);
}

/* A did something else than it does alone. */
static void the_answer_is_another(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture);
    ROW(&fixture, "1", "100", "99", "98", "97", "97", "98");
    fixture.race.steps.items[A].answer = "1 row: None";
    wait_for_commit(&fixture);
    named(&fixture, ANOMALY_NONE);
}

/* The later one is the one that is not there, as after an UPDATE that found nothing any more. */
static void the_later_one_is_missing(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture);
    ROW(&fixture, "1", "100", "99", "98", "97", "97", "99");
    wait_for_commit(&fixture);
    named(&fixture, ANOMALY_NONE);
}

static void an_error_has_no_name(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture);
    ROW(&fixture, "1", "100", "99", "98", "97", "97", "98");
    wait_for_commit(&fixture);
    fixture.race.events.items[fixture.race.events.count - 1].failed = true;
    named(&fixture, ANOMALY_NONE);
}

static void writes_are_skewed(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture);
    ROW(&fixture, "ann", "on", "off", "on", "off", "on", "off");
    ROW(&fixture, "bob", "on", "on", "off", "on", "off", "off");
    run_between(&fixture, 1);
    named(&fixture, ANOMALY_WRITE_SKEW);
}

static void deleted_rows_are_skewed(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture);
    ROW(&fixture, "ann", "on", NULL, "on", NULL, "on", NULL);
    ROW(&fixture, "bob", "on", "on", NULL, "on", NULL, NULL);
    run_between(&fixture, 1);
    named(&fixture, ANOMALY_WRITE_SKEW);
}

static void inserted_rows_are_phantoms(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture);
    ROW(&fixture, "ann", NULL, "x", NULL, "x", NULL, "x");
    ROW(&fixture, "bob", NULL, NULL, "x", NULL, "x", "x");
    run_between(&fixture, 1);
    const struct race_anomaly anomaly = named(&fixture, ANOMALY_PHANTOM);
    assert_string_equal(anomaly.wrote[0], "accounts");
    assert_string_equal(anomaly.wrote[1], "accounts");
}

/* One key, from a sequence: which of the two rows it is, can't be said. */
static void rows_of_one_key_have_no_name(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture);
    ROW(&fixture, "1", NULL, "ann", "bob", "ann", "bob", "ann");
    ROW(&fixture, "2", NULL, NULL, NULL, NULL, NULL, "bob");
    run_between(&fixture, 1);
    named(&fixture, ANOMALY_NONE);
}

/* A moves 10 from one row to the other, and B adds them up. */
static void transfer(struct fixture *fixture, const char *sum)
{
    begin(fixture);
    ROW(fixture, "1", "50", "40", "50", "40", "40", "40");
    ROW(fixture, "2", "50", "60", "50", "60", "60", "60");
    fixture->evidence.answers[B] = fixture->evidence.after[B] = "1 row: 100";
    fixture->race.steps.items[B].answer = sum;
    run_between(fixture, 1);
}

static void a_part_is_read(void **state)
{
    struct fixture fixture;
    (void)state;
    transfer(&fixture, "1 row: 110");
    const struct race_anomaly anomaly = named(&fixture, ANOMALY_READ_SKEW);
    assert_int_equal(anomaly.step, A);
    assert_int_equal(anomaly.by, B);
}

static void a_right_sum_is_no_skew(void **state)
{
    struct fixture fixture;
    (void)state;
    transfer(&fixture, "1 row: 100");
    named(&fixture, ANOMALY_NONE);
    transfer(&fixture, "1 row: 110");
    fixture.evidence.after[B] = "1 row: 110"; /* as one order gives it */
    named(&fixture, ANOMALY_NONE);
}

/* It writes what it read. */
static void a_reader_writes_nothing(void **state)
{
    struct fixture fixture;
    (void)state;
    transfer(&fixture, "1 row: 110");
    ROW(&fixture, "3", NULL, NULL, "100", "100", "100", "110");
    named(&fixture, ANOMALY_NONE);
}

/* One row with a column for each. */
static void columns_have_no_name(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture);
    ROW(&fixture, "1", "on on", "off on", "on off", "off on", "on off", "off off");
    wait_for_commit(&fixture);
    named(&fixture, ANOMALY_NONE);
}

static void a_serial_order_is_no_skew(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture);
    ROW(&fixture, "ann", "on", "off", "on", "off", "off", "off");
    ROW(&fixture, "bob", "on", "on", "off", "on", "off", "off");
    run_between(&fixture, 1);
    named(&fixture, ANOMALY_NONE);
}

static void locks_are_in_other_orders(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture);
    ROW(&fixture, "1", "0", "1", "2", "3", "3", "1");
    ROW(&fixture, "2", "0", "1", "2", "3", "3", "1");
    deadlock(&fixture, 3);
    assert_int_equal(named(&fixture, ANOMALY_LOCK_ORDER).rows, 2);
}

/* A has not written yet: it may hold a weaker lock on the row that it waits for. */
static void a_lock_is_made_stronger(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture);
    ROW(&fixture, "1", "0", "1", "2", "3", "3", "1");
    ROW(&fixture, "2", "0", "1", "2", "3", "3", "1");
    deadlock(&fixture, 1);
    named(&fixture, ANOMALY_NONE);
}

static void one_row_has_no_order(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture);
    ROW(&fixture, "1", "0", "1", "2", "3", "3", "1");
    deadlock(&fixture, 3);
    named(&fixture, ANOMALY_NONE);
}

static void only_two_steps_that_ran_once_may_have_a_name(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture);
    assert_true(anomaly_possible(&fixture.race));
    fixture.race.steps.items[B].retries = 1;
    assert_false(anomaly_possible(&fixture.race));
    fixture.race.steps.items[B].retries = 0;
    fixture.race.steps.items[B].undone = true;
    assert_false(anomaly_possible(&fixture.race));
    fixture.race.steps.items[B].undone = false;
    *VEC_PUSH(&fixture.arena, &fixture.race.steps) = (struct race_step){.session = 2};
    assert_false(anomaly_possible(&fixture.race));
    arena_free(&fixture.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_update_is_lost),
        cmocka_unit_test(a_stale_row_is_no_lost_update),
        cmocka_unit_test(an_update_is_lost_at_a_gate),
        cmocka_unit_test(nobody_waited),
        cmocka_unit_test(the_other_order_leaves_it_so),
        cmocka_unit_test(the_answer_is_another),
        cmocka_unit_test(the_later_one_is_missing),
        cmocka_unit_test(an_error_has_no_name),
        cmocka_unit_test(writes_are_skewed),
        cmocka_unit_test(deleted_rows_are_skewed),
        cmocka_unit_test(inserted_rows_are_phantoms),
        cmocka_unit_test(rows_of_one_key_have_no_name),
        cmocka_unit_test(a_part_is_read),
        cmocka_unit_test(a_right_sum_is_no_skew),
        cmocka_unit_test(a_reader_writes_nothing),
        cmocka_unit_test(columns_have_no_name),
        cmocka_unit_test(a_serial_order_is_no_skew),
        cmocka_unit_test(locks_are_in_other_orders),
        cmocka_unit_test(a_lock_is_made_stronger),
        cmocka_unit_test(one_row_has_no_order),
        cmocka_unit_test(only_two_steps_that_ran_once_may_have_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
