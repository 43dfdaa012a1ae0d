#include "report/cases.h"

#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct rig {
    struct fixture fixture;
    struct report report;
    struct report_cases cases;
};

static void rig_begin(struct rig *rig)
{
    *rig = (struct rig){0};
    fixture_begin(&rig->fixture);
    rig->fixture.run.path = rig->fixture.machine.path;
}

/* Collects the cases, and looks at one of them. */
static const struct report_case *check(struct rig *rig, const char *title,
                                       enum case_outcome outcome, const char *message)
{
    rig->cases = report_cases(&rig->report, &rig->fixture.run, &rig->fixture.arena);
    for (size_t i = 0; i < rig->cases.items.count; i++) {
        const struct report_case *item = &rig->cases.items.items[i];
        if (strcmp(item->title, title) == 0) {
            assert_string_equal(item->message ? item->message : "", message);
            assert_int_equal(item->outcome, outcome);
            return item;
        }
    }
    fail_msg("there is no case '%s'", title);
    return NULL;
}

static void what_held_and_what_failed(void **state)
{
    (void)state;
    struct rig rig;
    rig_begin(&rig);
    rig.fixture.result.outcome = RUN_FAILED;
    struct failure *failure = fixture_fail(&rig.fixture, FAILURE_INVARIANT);
    failure->expected = "no rows";
    failure->actual = "1 row";
    failure->step = 2;
    check(&rig, "invariant editors", CASE_FAILED,
          "invariant editors after upsert_member (step 2) gave 1 row, expected no rows");
    check(&rig, "invariant members", CASE_PASSED, "");
    check(&rig, "rule upsert_member", CASE_PASSED, "");
    assert_int_equal(rig.cases.items.count, 4);
    assert_int_equal(rig.cases.counts[CASE_FAILED], 1);
    assert_int_equal(rig.report.cases[CASE_FAILED], 3); /* collected three times */
    fixture_end(&rig.fixture);
}

static void what_was_never_tried(void **state)
{
    (void)state;
    struct rig rig;
    rig_begin(&rig);
    struct run_stats *stats = &rig.fixture.result.stats;
    stats->rules[1] = (struct rule_stats){.blocked = {[BLOCKED_PRECONDITION] = 12}};
    stats->invariants[0] = (struct invariant_stats){.skipped = 3};
    check(&rig, "rule remove_member", CASE_SKIPPED, "never ran: precondition false (12)");
    check(&rig, "invariant members", CASE_SKIPPED,
          "never checked: its precondition was never true");
    rig.fixture.run.strict = true;
    check(&rig, "rule remove_member", CASE_FAILED, "never ran: precondition false (12)");
    bool off[] = {false, true};
    rig.fixture.run.rules_off = off;
    check(&rig, "rule remove_member", CASE_SKIPPED, "not chosen: --rule leaves it out");
    fixture_end(&rig.fixture);
}

/* `initialize` runs in each example, and counts as they do. */
static void initialize_counts(void **state)
{
    (void)state;
    struct rig rig;
    rig_begin(&rig);
    VEC_PUSH(&rig.fixture.arena, &rig.fixture.machine.initialize)->initialize = true;
    assert_int_equal(check(&rig, "initialize", CASE_PASSED, "")->count, 100);
    rig.fixture.result.stats.examples = 0;
    assert_int_equal(check(&rig, "initialize", CASE_SKIPPED, "it did not run")->count, 0);
    fixture_end(&rig.fixture);
}

/* Cases without times of their own share what is left of the machine's, by how often they were
 * tried. */
static void times(void **state)
{
    (void)state;
    struct rig rig;
    rig_begin(&rig);
    struct run_stats *stats = &rig.fixture.result.stats;
    struct durations measured = {.count = 10, .total_us = 12345};
    stats->time_us = 612345;
    stats->rules[0].times = &measured;
    stats->rules[0].ran = 10;
    stats->rules[1].ran = 100;
    stats->invariants[0].checked = 300;
    stats->invariants[1].checked = 200;
    rig.report.ended_ms = 5000;
    const struct report_case *item = check(&rig, "rule upsert_member", CASE_PASSED, "");
    assert_true(item->timed);
    assert_int_equal(item->time_us, 12345);
    item = check(&rig, "rule remove_member", CASE_PASSED, "");
    assert_false(item->timed);
    assert_int_equal(item->time_us, 100000);
    assert_int_equal(check(&rig, "invariant members", CASE_PASSED, "")->time_us, 300000);
    assert_int_equal(rig.cases.began_ms, 5000 - 612);
    fixture_end(&rig.fixture);
}

static void known_failures(void **state)
{
    (void)state;
    static const struct known_failure mark = {.reason = "ticket 7"};
    static const struct {
        enum known_verdict verdict;
        enum case_outcome outcome;
        const char *message;
    } cases[] = {
        {KNOWN_FAILED, CASE_KNOWN, "known failure: ticket 7"},
        {KNOWN_UNSEEN, CASE_SKIPPED, "known failure, not seen in this run: ticket 7"},
        {KNOWN_PASSES, CASE_FAILED, "it holds, but is marked xfail: ticket 7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rig rig;
        rig_begin(&rig);
        rig.fixture.machine.rules.items[0].xfail = &mark;
        *VEC_PUSH(&rig.fixture.arena, &rig.fixture.result.known) =
            (struct known_result){.mark = &mark, .verdict = cases[i].verdict};
        check(&rig, "rule upsert_member", cases[i].outcome, cases[i].message);
        fixture_end(&rig.fixture);
    }
}

/* A machine that could not be read has a path and nothing else. */
static void what_stopped(void **state)
{
    (void)state;
    struct rig rig;
    rig_begin(&rig);
    rig.fixture.run.stopped = ERROR_CONNECTION;
    check(&rig, "machine", CASE_ERROR, "the run could not continue");
    check(&rig, "rule upsert_member", CASE_PASSED, "");
    static const struct report_problem problems[] = {
        {"a.yaml", 3, 4, "unknown name 'x'", "a.yaml:3:4: error: unknown name 'x'\n"},
        {"", 0, 0, "another", "error: another\n"},
    };
    rig.fixture.run =
        (struct report_run){.path = "a.yaml", .problems = problems, .problem_count = 2};
    check(&rig, "machine", CASE_ERROR, "unknown name 'x'");
    assert_string_equal(rig.cases.machine, "a.yaml");
    assert_int_equal(rig.cases.items.count, 1);
    assert_int_equal(rig.cases.items.items->place.line, 3);
    assert_string_equal(rig.cases.items.items->text,
                        "a.yaml:3:4: error: unknown name 'x'\nerror: another\n");
    fixture_end(&rig.fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_held_and_what_failed),
                                       cmocka_unit_test(what_was_never_tried),
                                       cmocka_unit_test(initialize_counts),
                                       cmocka_unit_test(times),
                                       cmocka_unit_test(known_failures),
                                       cmocka_unit_test(what_stopped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
