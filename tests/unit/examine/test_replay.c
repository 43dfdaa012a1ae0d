/* Traces: a replay repeats the run, and edited traces run as far as possible. */
#include "examine/rerun.h"
#include "support/bank.h"
#include "support/describe.h"
#include "support/literal.h"
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct bank bank;

static void open_bank(struct rig *rig, enum bank_bug bug)
{
    bank = (struct bank){.bug = bug};
    bank_reset_flaky();
    rig_open(rig, bank_machine, bank_script, &bank, sizeof bank);
    rig->options.settings.examples = 100;
    rig->options.settings.steps = 30;
}

/* Runs examples until one fails; its failure is in rig->results. */
static struct failure *find(struct rig *rig)
{
    for (uint64_t i = 1; i <= 100; i++) {
        struct example_plan plan = {.way = way_of(i), .number = i};
        const struct example_result *result = rig_example(rig, &plan);
        if (result->outcome == OUTCOME_FAIL) {
            return failure_copy(&rig->results, result->failure);
        }
    }
    fail_msg("nothing found");
    abort(); /* fail_msg does not come back, but does not say so */
}

static void test_replay_is_the_same(void **state)
{
    (void)state;
    struct rig rig;
    open_bank(&rig, BANK_SOUND);
    rig_start(&rig);
    for (uint64_t i = 1; i <= 50; i++) {
        struct example_plan plan = {.way = way_of(i), .number = i};
        strbuf_clear(&rig.fake.log);
        struct trace trace = trace_copy(&rig.results, &rig_example(&rig, &plan)->trace);
        const char *log = strbuf_copy(&rig.fake.log, &rig.results);
        assert_int_equal(trace.steps.count, 30);
        struct example_plan replay = {.trace = &trace};
        strbuf_clear(&rig.fake.log);
        assert_true(trace_equal(&trace, &rig_example(&rig, &replay)->trace));
        assert_string_equal(fake_log(&rig.fake), log);
    }
    rig_stop(&rig);
    rig_close(&rig);
}

/* The trace of the simplest example, with its steps numbered from 0:
 * open; pay #0.0 1; close #0.0; pay_closed #2.0 1; open; pay #4.0 1; close #4.0; pay_closed … */
static struct trace simple_trace(struct rig *rig)
{
    struct example_plan plan = {.way = &example_ways[WAY_SIMPLEST], .number = 1};
    rig->options.settings.steps = 8;
    return trace_copy(&rig->results, &rig_example(rig, &plan)->trace);
}

static struct trace without(struct rig *rig, const struct trace *trace, size_t step)
{
    struct trace out = {0};
    for (size_t i = 0; i < trace->steps.count; i++) {
        if (i != step) {
            *VEC_PUSH(&rig->results, &out.steps) = trace->steps.items[i];
        }
    }
    return out;
}

static void check_replay(struct rig *rig, const struct trace *trace, const char *expected)
{
    struct strbuf text = {0};
    struct example_plan plan = {.trace = trace};
    const struct example_result *result = rig_example(rig, &plan);
    describe_trace(rig->machine, &result->trace, &text);
    assert_string_equal(strbuf_text(&text), expected);
    struct trace canonical = trace_copy(&rig->results, &result->trace);
    plan.trace = &canonical;
    assert_true(trace_equal(&canonical, &rig_example(rig, &plan)->trace));
    strbuf_free(&text);
}

/* Steps that need removed steps are dropped; the others keep their numbers. */
static void test_edited_traces(void **state)
{
    (void)state;
    struct rig rig;
    open_bank(&rig, BANK_SOUND);
    rig_start(&rig);
    struct trace trace = simple_trace(&rig);
    struct trace edited = without(&rig, &trace, 0);
    check_replay(&rig, &edited, "open; pay #4.0 1; close #4.0");
    edited = without(&rig, &trace, 2);
    check_replay(&rig, &edited, "open; pay #0.0 1; open; pay #4.0 1; close #4.0");
    edited = without(&rig, &trace, 1);
    check_replay(&rig, &edited,
                 "open; close #0.0; pay_closed #2.0 1; open; pay #4.0 1; close #4.0; pay_closed "
                 "#2.0 1");
    edited = trace_copy(&rig.results, &trace);
    edited.steps.items[1].rule = 99; /* no such rule */
    check_replay(&rig, &edited,
                 "open; close #0.0; pay_closed #2.0 1; open; pay #4.0 1; close #4.0; pay_closed "
                 "#2.0 1");
    edited = trace_copy(&rig.results, &trace);
    edited.steps.count = 2;
    edited.steps.items[1].choices.items.items[1].as.integer.value = 500; /* clamped */
    check_replay(&rig, &edited, "open; pay #0.0 10");
    edited.steps.items[1].choices.items.count = 1; /* missing: the simplest */
    edited.steps.items[1].choices.spans.count = 0;
    check_replay(&rig, &edited, "open; pay #0.0 1");
    rig_stop(&rig);
    rig_close(&rig);
}

static void test_replay_goes_on_with_fresh_steps(void **state)
{
    (void)state;
    struct rig rig;
    open_bank(&rig, BANK_SOUND);
    rig_start(&rig);
    struct trace trace = simple_trace(&rig);
    rig.options.settings.steps = 20;
    struct example_plan plan = {.trace = &trace, .way = way_of(5), .number = 5};
    const struct example_result *result = rig_example(&rig, &plan);
    assert_int_equal(result->trace.steps.count, 20);
    for (size_t i = 0; i < 20; i++) {
        assert_int_equal(result->trace.steps.items[i].id, i);
    }
    struct trace head = {.steps = {result->trace.steps.items, 8, 8}};
    assert_true(trace_equal(&head, &trace));
    rig_stop(&rig);
    rig_close(&rig);
}

static void test_attempts(void **state)
{
    static const struct rerun_way all = {0};
    static const struct rerun_way only = {.only = true};
    (void)state;
    struct rig rig;
    struct rerun attempt;
    open_bank(&rig, BANK_FORGETS_CLOSED);
    rig_start(&rig);
    struct failure *failure = find(&rig);
    assert_string_equal(failure->identity, "invariant listed");
    assert_true(rerun_trace(&rig.examiner, &failure->trace, failure, all, &attempt, &rig.err));
    assert_int_equal(attempt.outcome, OUTCOME_FAIL);
    assert_true(trace_equal(&attempt.trace, &failure->trace));
    assert_true(rerun_trace(&rig.examiner, &failure->trace, failure, only, &attempt, &rig.err));
    assert_int_equal(attempt.outcome, OUTCOME_FAIL);
    assert_int_equal(rig.engine.example.stats.invariants[1].checked, 0);
    struct trace shorter = {.steps = {failure->trace.steps.items, failure->trace.steps.count - 1,
                                      failure->trace.steps.count - 1}};
    assert_true(rerun_trace(&rig.examiner, &shorter, failure, all, &attempt, &rig.err));
    assert_int_equal(attempt.outcome, OUTCOME_PASS);
    assert_null(attempt.failure);
    struct trace empty = {0};
    assert_true(rerun_trace(&rig.examiner, &empty, failure, all, &attempt, &rig.err));
    assert_int_equal(attempt.outcome, OUTCOME_PASS);
    struct trace last = {.steps = {failure->trace.steps.items + failure->trace.steps.count - 1, 1,
                                   1}}; /* it consumes what is not there */
    assert_true(rerun_trace(&rig.examiner, &last, failure, all, &attempt, &rig.err));
    assert_int_equal(attempt.outcome, OUTCOME_DISCARD);
    failure->id.who = "another one";
    assert_true(rerun_trace(&rig.examiner, &failure->trace, failure, all, &attempt, &rig.err));
    assert_int_equal(attempt.outcome, OUTCOME_FLAKY);
    rig_stop(&rig);
    rig_close(&rig);
}

static void test_flaky(void **state)
{
    (void)state;
    struct rig rig;
    open_bank(&rig, BANK_FLAKY);
    const struct failure *failure = rig_failure(&rig);
    assert_true(failure->flaky);
    assert_string_equal(failure->flaky_difference,
                        "after step 2, what had failed held when run again");
    assert_int_equal(rig.result.outcome, RUN_FAILED);
    rig_close(&rig);
}

/* The report names the step that behaves differently the second time. */
static int answers;

static void count_up(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)fake;
    (void)call;
    fake_count(reply, ++answers < 5 ? 1 : 2);
}

static void fails_once(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)fake;
    (void)call;
    if (answers < 5) {
        fake_error(reply, "P0001", "not now", NULL, NULL);
    }
}

static void test_flaky_names_the_first_difference(void **state)
{
    (void)state;
    static const struct fake_script script[] = {
        {"SELECT count_up()", count_up}, {"SELECT fails_once()", fails_once}, {NULL, NULL}};
    struct rig rig;
    answers = 0;
    rig_open(&rig,
             "machine: test\n"
             "model: n = 0\n"
             "rules:\n"
             "  up: {sql: SELECT count_up(), model: n += 1, precondition: n < 4}\n"
             "  fails: {sql: SELECT fails_once()}\n",
             script, NULL, 0);
    rig.options.settings.steps = 2;
    const struct failure *failure = rig_failure(&rig);
    assert_string_equal(failure->identity, "rule fails: P0001");
    assert_false(failure->flaky);
    rig_close(&rig);
    answers = 3;
    rig_open(&rig,
             "machine: test\n"
             "model: n = 0\n"
             "rules:\n"
             "  up: {sql: SELECT count_up(), model: n += 1, precondition: n < 4}\n"
             "  fails: {sql: SELECT fails_once()}\n",
             script, NULL, 0);
    rig.options.settings.steps = 2;
    failure = rig_failure(&rig);
    assert_true(failure->flaky);
    assert_string_equal(failure->flaky_difference,
                        "step 1, up, gave 1 row, and when run again 2 rows");
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replay_is_the_same),
        cmocka_unit_test(test_edited_traces),
        cmocka_unit_test(test_replay_goes_on_with_fresh_steps),
        cmocka_unit_test(test_attempts),
        cmocka_unit_test(test_flaky),
        cmocka_unit_test(test_flaky_names_the_first_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
