#include "report/race.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { A = 1, B, C, D };

struct fixture {
    struct arena arena;
    struct race race;
};

static const struct rule pay = {.name = "pay"};

/* A step for each of so many sessions. */
static void begin(struct fixture *fixture, unsigned sessions)
{
    *fixture = (struct fixture){.race = {.sessions = sessions}};
    for (unsigned i = 1; i <= sessions; i++) {
        *VEC_PUSH(&fixture->arena, &fixture->race.steps) =
            (struct race_step){.session = i, .shown = {.rule = &pay}, .answer = ""};
    }
}

static struct race_event *add(struct fixture *fixture, unsigned session, enum race_event_kind kind)
{
    struct race_event *event = VEC_PUSH(&fixture->arena, &fixture->race.events);
    *event = (struct race_event){.kind = kind, .step = session - 1};
    return event;
}

static void waits(struct fixture *fixture, unsigned session, unsigned by)
{
    add(fixture, session, RACE_BLOCKED)->by = by;
}

static void deadlock(struct fixture *fixture, unsigned session)
{
    struct race_event *event = add(fixture, session, RACE_ANSWERED);
    event->failed = event->deadlock = fixture->race.deadlock = true;
}

static void order(struct fixture *fixture, size_t first, size_t at, const char *sqlstate)
{
    size_t *steps = ARENA_ARRAY(&fixture->arena, size_t, 2);
    steps[0] = first;
    steps[1] = 1 - first;
    *VEC_PUSH(&fixture->arena, &fixture->race.orders) = (struct race_order){
        .steps = steps, .count = 2, .at = at, .sqlstate = sqlstate, .who = "rule add"};
}

static void says(struct fixture *fixture, const char *headline)
{
    assert_string_equal(race_headline(&fixture->arena, &fixture->race), headline);
    arena_free(&fixture->arena);
}

static void two_wait_for_each_other(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 2);
    waits(&fixture, B, 1U << A);
    waits(&fixture, A, 1U << B);
    deadlock(&fixture, B);
    add(&fixture, A, RACE_FREED);
    says(&fixture, "2 sessions: A1 pay and B1 pay deadlocked");
}

static void three_wait_in_a_circle(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 3);
    waits(&fixture, C, 1U << B);
    waits(&fixture, B, 1U << A);
    waits(&fixture, A, 1U << C);
    deadlock(&fixture, B);
    says(&fixture, "3 sessions: a deadlock: A1 waits for C1, C1 for B1, B1 for A1");
}

/* C waits for A, and A and B for each other; B had waited for C, which is over. */
static void a_bystander_is_not_named(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 3);
    waits(&fixture, B, 1U << C);
    add(&fixture, B, RACE_FREED);
    waits(&fixture, A, 1U << B);
    waits(&fixture, C, 1U << A);
    waits(&fixture, B, 1U << A);
    deadlock(&fixture, A);
    says(&fixture, "3 sessions: A1 pay and B1 pay deadlocked");
}

/* A waits for B, who waits for D, who goes on; and for C, who waits for A. */
static void a_way_that_ends_is_left(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 4);
    waits(&fixture, C, 1U << A);
    waits(&fixture, B, 1U << D);
    waits(&fixture, A, 1U << B | 1U << C);
    deadlock(&fixture, A);
    says(&fixture, "4 sessions: A1 pay and C1 pay deadlocked");
}

static void four_wait_in_a_circle(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 4);
    waits(&fixture, D, 1U << B);
    waits(&fixture, B, 1U << A);
    waits(&fixture, A, 1U << C);
    waits(&fixture, C, 1U << D);
    deadlock(&fixture, C);
    says(&fixture, "4 sessions: a deadlock: A1 waits for C1, C1 for D1, D1 for B1, B1 for A1");
}

static void of_two_each_waits_for_the_other(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 2);
    (void)add(&fixture, B, RACE_SENT);
    waits(&fixture, A, 1U << B);
    deadlock(&fixture, A);
    says(&fixture, "2 sessions: A1 pay and B1 pay deadlocked");
}

/* The server may end one before it was asked whom that one waits for. */
static void who_waits_may_be_unknown(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 3);
    waits(&fixture, A, 1U << B);
    deadlock(&fixture, B);
    says(&fixture, "3 sessions: a deadlock");
}

/* C had the lock from A, which gave it back. */
static void a_lock_is_kept(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 3);
    waits(&fixture, C, 1U << A);
    struct race_event *event = add(&fixture, C, RACE_ANSWERED);
    waits(&fixture, B, 1U << A | 1U << C);
    event = add(&fixture, B, RACE_ANSWERED);
    event->failed = fixture.race.kept = true;
    event->by = 1U << C;
    says(&fixture, "3 sessions: B1 pay waits for a lock that C keeps after its last step");
}

static void a_lock_that_two_keep(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 3);
    struct race_event *event = add(&fixture, B, RACE_ANSWERED);
    event->failed = fixture.race.kept = true;
    event->by = 1U << A | 1U << C;
    says(&fixture, "3 sessions: B1 pay waits for a lock that A and C keep after their last steps");
}

static void an_error_that_no_order_predicts(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 2);
    order(&fixture, 0, 1, "23505");
    order(&fixture, 1, 0, "23505");
    says(&fixture, "2 sessions: B1 pay raises unique_violation, which no order predicts");
}

/* Some order predicts the error of B1, and is contradicted by what A1 gave. */
static void an_error_that_some_order_predicts(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 2);
    order(&fixture, 0, 1, "23505");
    order(&fixture, 1, 1, NULL);
    says(&fixture, "2 sessions: A1 pay, B1 pay: no order explains the answers");
}

/* The end of an order is no step. */
static void an_invariant_at_the_end(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 2);
    order(&fixture, 0, 2, "22012");
    says(&fixture, "2 sessions: A1 pay, B1 pay: no order explains the answers");
}

static const char *told(struct fixture *fixture, size_t index)
{
    static const struct show_names names;
    const struct race_words words = {&fixture->arena, &names, SHOW_ALL};
    return race_order_text(&words, &fixture->race, &fixture->race.orders.items[index]);
}

static void two_steps_are_told_in_words(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 2);
    order(&fixture, 0, 1, NULL);
    order(&fixture, 1, 0, NULL);
    order(&fixture, 1, 2, NULL);
    struct race_order *orders = fixture.race.orders.items;
    orders[0].raises = orders[1].raises = true;
    orders[0].expected = orders[1].actual = "P0ONE";
    orders[0].actual = orders[1].expected = "no error";
    orders[2].who = "invariant balances";
    assert_string_equal(told(&fixture, 0),
                        "if A1 ran first, B1 should have raised P0ONE; it succeeded");
    assert_string_equal(told(&fixture, 1),
                        "if B1 ran first, it should have succeeded; it raised P0ONE");
    assert_string_equal(told(&fixture, 2), "if B1 ran first, invariant balances would not hold");
    arena_free(&fixture.arena);
}

static void a_check_says_what_the_step_should_give(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 2);
    order(&fixture, 0, 1, NULL);
    struct race_order *checked = &fixture.race.orders.items[0];
    checked->check = "result.value in queued if queued else result.value == None";
    checked->actual = "1 row: 1";
    assert_string_equal(told(&fixture, 0), "if A1 ran first, B1 should have satisfied "
                                           "result.value in queued if queued else result.value == "
                                           "None; it gave 1 row: 1");
    checked->op = "in";
    checked->expected = "set([2, 3])";
    checked->actual = "1";
    assert_string_equal(told(&fixture, 0),
                        "if A1 ran first, B1 should have given one of [2, 3]; it gave 1");
    checked->op = "!=";
    checked->expected = "2";
    assert_string_equal(told(&fixture, 0),
                        "if A1 ran first, B1 should not have given 2; it gave 1");
    arena_free(&fixture.arena);
}

/* `dependency`: NULL if it has none. */
static void an_anomaly_is_told(struct fixture *fixture, struct race_anomaly anomaly,
                               const char *text, const char *dependency)
{
    fixture->race.anomaly = anomaly;
    assert_string_equal(race_anomaly_text(&fixture->arena, &fixture->race), text);
    const char *told = race_dependency_text(&fixture->arena, &fixture->race);
    assert_string_equal(told ? told : "", dependency ? dependency : "");
    assert_non_null(race_remedy_text(&fixture->race));
}

static void anomalies_have_names(void **state)
{
    struct fixture fixture;
    (void)state;
    begin(&fixture, 2);
    assert_null(race_anomaly_text(&fixture.arena, &fixture.race));
    assert_null(race_dependency_text(&fixture.arena, &fixture.race));
    assert_null(race_remedy_text(&fixture.race));
    an_anomaly_is_told(
        &fixture, (struct race_anomaly){.kind = ANOMALY_LOST_UPDATE, .step = 1, .table = "posts"},
        "lost update: A1 overwrote what B1 had written to posts",
        "A1 read posts before the COMMIT of B1, and wrote after it");
    an_anomaly_is_told(
        &fixture,
        (struct race_anomaly){.kind = ANOMALY_WRITE_SKEW, .by = 1, .wrote = {"posts", "tags"}},
        "looks like write skew: A1 and B1 wrote different rows, each as if the "
        "other did not run",
        "A1 read tags before the COMMIT of B1, and B1 read posts before the COMMIT of A1");
    an_anomaly_is_told(
        &fixture, (struct race_anomaly){.kind = ANOMALY_PHANTOM, .by = 1},
        "looks like a phantom: A1 and B1 wrote different rows, some of them new, "
        "each as if the other did not run",
        "A1 read rows of B1 before the COMMIT of B1, and B1 read rows of A1 before the "
        "COMMIT of A1");
    an_anomaly_is_told(
        &fixture,
        (struct race_anomaly){.kind = ANOMALY_READ_SKEW, .step = 1, .wrote = {"posts", NULL}},
        "read skew: A1 saw a part of what B1 wrote",
        "A1 read posts before the COMMIT of B1, and again after it");
    an_anomaly_is_told(&fixture,
                       (struct race_anomaly){.kind = ANOMALY_LOCK_ORDER, .by = 1, .rows = 3},
                       "lock order: A1 and B1 update the same 3 rows in different orders", NULL);
    an_anomaly_is_told(
        &fixture,
        (struct race_anomaly){.kind = ANOMALY_LOCK_ORDER, .by = 1, .table = "posts", .rows = 2},
        "lock order: A1 and B1 update the same 2 rows of posts in different orders", NULL);
    arena_free(&fixture.arena);
}

static void lines_say_whom_they_wait_for(void **state)
{
    struct fixture fixture;
    struct show_names names = {0};
    (void)state;
    begin(&fixture, 3);
    add(&fixture, A, RACE_SENT)->text = "SELECT\n  1";
    add(&fixture, A, RACE_ANSWERED)->text = "1 row: 1";
    add(&fixture, B, RACE_SENT)->text = "SELECT 2";
    waits(&fixture, B, 1U << A | 1U << C);
    add(&fixture, A, RACE_SENT)->text = "COMMIT";
    add(&fixture, A, RACE_ANSWERED)->text = "COMMIT";
    const struct race_words words = {&fixture.arena, &names, SHOW_ALL};
    const struct race_lines lines = race_lines(&words, &fixture.race);
    assert_int_equal(lines.items.count, 4);
    assert_string_equal(lines.items.items[0].text, "SELECT 1");
    assert_string_equal(lines.items.items[0].answer, "1 row: 1");
    assert_null(lines.items.items[1].answer);
    assert_string_equal(lines.items.items[2].text, "waits for a lock of A and C");
    assert_int_equal(lines.items.items[2].session, B);
    assert_string_equal(lines.items.items[3].text, "COMMIT");
    assert_null(lines.items.items[3].answer);
    arena_free(&fixture.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_wait_for_each_other),
        cmocka_unit_test(three_wait_in_a_circle),
        cmocka_unit_test(a_bystander_is_not_named),
        cmocka_unit_test(a_way_that_ends_is_left),
        cmocka_unit_test(four_wait_in_a_circle),
        cmocka_unit_test(of_two_each_waits_for_the_other),
        cmocka_unit_test(who_waits_may_be_unknown),
        cmocka_unit_test(a_lock_is_kept),
        cmocka_unit_test(a_lock_that_two_keep),
        cmocka_unit_test(an_error_that_no_order_predicts),
        cmocka_unit_test(an_error_that_some_order_predicts),
        cmocka_unit_test(an_invariant_at_the_end),
        cmocka_unit_test(two_steps_are_told_in_words),
        cmocka_unit_test(a_check_says_what_the_step_should_give),
        cmocka_unit_test(anomalies_have_names),
        cmocka_unit_test(lines_say_whom_they_wait_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
