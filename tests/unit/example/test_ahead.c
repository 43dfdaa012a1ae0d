/* Running ahead only changes the time: verdicts, sequences and counts are the same as step by step.
 */
#include "support/bank.h"
#include "support/describe.h"
#include "support/literal.h"
#include "support/rig.h"
#include "support/rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct bank bank;

/* How it is run. */
enum how { AHEAD, STEP_BY_STEP, WITH_CHECKPOINTS };

/* The result of a run of twelve examples; `ran` is its number of statements. */
static const char *describe_bank(struct arena *arena, enum bank_bug bug, uint64_t seed,
                                 enum how how, size_t *ran)
{
    struct rig rig;
    struct strbuf text = {0};
    bank = (struct bank){.bug = bug};
    bank_reset_flaky();
    rig_open(&rig, bank_machine, bank_script, &bank, sizeof bank);
    rig.options.settings.examples = 12;
    rig.options.settings.steps = 25;
    rig.options.settings.seed = seed;
    rig.options.settings.shrink_executions = 200;
    rig.options.no_pipeline = how == STEP_BY_STEP;
    if (how == WITH_CHECKPOINTS) {
        fake_with_checkpoints(&rig.fake);
    }
    rig_run_ok(&rig);
    *ran += rig.fake.ran;
    describe_result(rig.machine, &rig.result, &text);
    const char *copy = strbuf_copy(&text, arena);
    strbuf_free(&text);
    rig_close(&rig);
    return copy;
}

static void test_same_as_step_by_step(void **state)
{
    (void)state;
    size_t ran = 0;
    size_t failed = 0;
    const uint64_t seeds = rounds(3, 8);
    for (int bug = BANK_SOUND; bug < BANK_BUGS; bug++) {
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            struct arena arena = {0};
            const char *ahead = describe_bank(&arena, (enum bank_bug)bug, seed, AHEAD, &ran);
            assert_string_equal(
                ahead, describe_bank(&arena, (enum bank_bug)bug, seed, STEP_BY_STEP, &ran));
            failed += strstr(ahead, "failure") != NULL;
            arena_free(&arena);
        }
    }
    assert_true(failed >= 5 * seeds); /* or there was nothing to compare */
}

/* Attempts that begin where the last one began like them find the same, in fewer statements. */
static void test_same_with_checkpoints(void **state)
{
    (void)state;
    const uint64_t seeds = rounds(3, 8);
    for (int bug = BANK_SOUND; bug < BANK_BUGS; bug++) {
        size_t without = 0;
        size_t with = 0;
        bool failed = false;
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            struct arena arena = {0};
            const char *whole = describe_bank(&arena, (enum bank_bug)bug, seed, AHEAD, &without);
            assert_string_equal(
                whole, describe_bank(&arena, (enum bank_bug)bug, seed, WITH_CHECKPOINTS, &with));
            failed = failed || (bug != BANK_FLAKY && strstr(whole, "failure"));
            arena_free(&arena);
        }
        assert_true(failed ? with < without : with == without);
    }
}

/* How many answers are out at the most, in an example of ten steps. */
static size_t most_out(const char *rules, bool no_pipeline)
{
    struct rig rig;
    struct strbuf yaml = {0};
    strbuf_addf(&yaml, "machine: test\nmodel: n = 0\nrules:\n%s", rules);
    rig_open(&rig, strbuf_text(&yaml), literal_script, NULL, 0);
    strbuf_free(&yaml);
    rig.options.settings.check_deferred = CHECK_DEFERRED_NEVER;
    rig.options.no_pipeline = no_pipeline;
    rig_run_ok(&rig);
    assert_int_equal(rig.result.outcome, RUN_PASSED);
    assert_int_equal(rig.result.stats.steps, 10);
    size_t out = rig.fake.max_out;
    rig_close(&rig);
    return out;
}

static void test_waits_only_where_it_must(void **state)
{
    (void)state;
    static const struct {
        const char *rules;
        size_t out;
    } cases[] = {
        {"  r: {sql: 'ROWS a int4 = [(:n,)]', expect: n, model: n += 1}\n", 10},
        {"  r: {sql: 'COUNT 3', affects: 3, model: n += 1}\n", 10},
        {"  r: {sql: 'FAIL P0001 - -', raises: '\"P0001\"'}\n", 10},
        {"  r: {sql: 'COUNT 3', target: things, returns: n, model: n += 1}\n", 10},
        /* these need the answer */
        {"  r: {sql: 'COUNT 3', check: result.count == 3}\n", 1},
        {"  r: {sql: 'ROWS a int4 = [(1,)]', model: n += result.value}\n", 1},
        {"  r: {sql: 'ROWS a int4 = [(1,)]', target: things}\n", 1},
        {"  r: {sql: 'COUNT 1', raises: '[None, \"P0001\"]'}\n", 1},
        {"  r: {sql: 'FAIL P0001 - -', raises: '[None, \"P0001\"]'}\n", 1},
        /* a statement waits for the answer that it uses, and not for one that nothing uses */
        {"  r: {sql: [{sql: 'ROWS a int4 = [(:n,)]', expect: n, result: read}], model: n += 1}\n",
         10},
        {"  r: {sql: [{sql: 'ROWS a int4 = [(1,)]', result: read}, 'COUNT :read.a']}\n", 1},
        {"  r: {sql: [{sql: 'COUNT 1', result: read}, {let: {k: read.count}, sql: 'COUNT :k'}]}\n",
         1},
        /* a step waits for itself and what is before it; invariants are queued behind it */
        {"  r: {sql: 'ROWS a int4 = [(1,)]', target: things}\n"
         "invariants:\n"
         "  i: {sql: 'ROWS a int4 = [(:n,)]', expect: n}\n"
         "  j: {sql: 'ROWS a int4 = []', check: result.count == 0}\n",
         3},
        /* an invariant that looks at the answer and the model at once waits */
        {"  r: {sql: 'COUNT 1', model: n += 1}\n"
         "invariants:\n"
         "  i: {sql: 'ROWS a int4 = [(:n,)]', check: result.value == n}\n",
         2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t ahead = most_out(cases[i].rules, false);
        if (ahead != cases[i].out) {
            fail_msg("%s: %zu", cases[i].rules, ahead);
        }
        assert_int_equal(most_out(cases[i].rules, true), 1);
    }
}

/* A mistake in the model that is met while answers are out comes after what they show. */
static void test_mistakes_wait_for_answers(void **state)
{
    (void)state;
    static const struct {
        const char *steps; /* of `a`, which is run first */
        const char *identity;
    } cases[] = {
        {"sql: 'ROWS a int4 = [(1,)]'\n    expect: 2", "rule a: expect"},
        {"sql: FAIL 23505 - -", "rule a: 23505"},
        {"sql: COUNT 1\n    raises: '\"23505\"'", "rule a: 23505 did not come"},
        {"sql: 'ROWS a int4 = [(1,)]'\n    expect: 1", NULL},
    };
    static const char *const mistakes[] = {
        "model: n = [][1]",                     /* the model itself */
        "args: {x: '[][1]'}\n    model: n = x", /* before anything is queued */
        "check: \"False\"",                     /* no mistake, but a failure of a later step */
        "precondition: \"[][1]\"\n    model: n = 1",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t j = 0; j < 2 * sizeof mistakes / sizeof mistakes[0]; j++) {
            struct rig rig;
            struct strbuf yaml = {0};
            strbuf_addf(&yaml, "machine: test\nmodel: n = 0\nrules:\n  a:\n    %s\n  b:\n    %s\n",
                        cases[i].steps, mistakes[j / 2]);
            rig_open(&rig, strbuf_text(&yaml), literal_script, NULL, 0);
            strbuf_free(&yaml);
            rig.options.no_pipeline = j % 2;
            bool ok = rig_run(&rig);
            if (cases[i].identity) {
                if (!ok) {
                    fail_msg("%s, %s: %s", cases[i].steps, mistakes[j / 2], rig.err.message);
                }
                assert_string_equal(rig.result.failures.items[0].identity, cases[i].identity);
                assert_int_equal(rig.result.stats.steps, 1);
            } else if (j / 2 == 2) {
                if (!ok) {
                    fail_msg("%s, %s: %s", cases[i].steps, mistakes[j / 2], rig.err.message);
                }
                assert_string_equal(rig.result.failures.items[0].identity, "rule b: check");
                assert_int_equal(rig.result.stats.steps, 2);
            } else {
                if (ok) {
                    fail_msg("%s, %s: no mistake", cases[i].steps, mistakes[j / 2]);
                }
                assert_int_equal(rig.err.code, ERROR_MACHINE);
                assert_int_equal(rig.result.failures.count, 0);
                assert_int_equal(rig.result.outcome, RUN_NOTHING);
            }
            rig_close(&rig);
        }
    }
}

/* A mistake that shows when an answer is compared ends the run at once. */
static void test_mistakes_in_settling(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct rig rig;
        rig_open(&rig,
                 "machine: test\n"
                 "rules:\n"
                 "  a: {sql: 'ROWS a int4 = [(1,)]', expect: '(1, 2)'}\n"
                 "  b: {sql: FAIL P0001 - -}\n",
                 literal_script, NULL, 0);
        rig.options.no_pipeline = i;
        assert_false(rig_run(&rig));
        assert_int_equal(rig.err.code, ERROR_MACHINE);
        assert_int_equal(source_place(rig.err.pos).line, 3);
        assert_int_equal(rig.result.failures.count, 0);
        rig_close(&rig);
    }
}

/* The model moves on while what was expected is still to be compared. */
static void test_what_was_expected_stays(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct rig rig;
        rig_open(
            &rig,
            "machine: test\n"
            "model: |\n"
            "  seen = []\n"
            "  by = {}\n"
            "rules:\n"
            "  list: {sql: 'ROWS a int4 = [(x,) for x in :seen]', expect: seen, model: "
            "seen.append(len(seen))}\n"
            "  dict: {sql: 'ROWS a int4, b int4 = [(1, x) for x in :by.values()]', expect: by, "
            "model: 'by[1] = by.get(1, 0) + 1'}\n"
            "invariants:\n"
            "  i: {sql: 'ROWS a int4 = [(x,) for x in :seen]', expect: seen}\n",
            literal_script, NULL, 0);
        rig.options.no_pipeline = i;
        rig_run_ok(&rig);
        assert_int_equal(rig.result.outcome, RUN_PASSED);
        assert_int_equal(rig.fake.max_out > 5, i == 0);
        rig_close(&rig);
    }
}

/* A bundle that is expected, by itself or inside of something: later steps fill and empty it. */
static void test_expected_bundle_stays(void **state)
{
    (void)state;
    static const char *const invariants[] = {
        "i: {sql: 'ROWS a int4 = [(x,) for x in :ids]', expect: ids}",
        "i: {sql: 'ROWS a int4 = [(x,) for x in :ids]', expect: 'ids if ids else []'}",
        "i: {sql: 'ROWS a int4 = [(x,) for x in :ids]', expect: bag(ids)}",
        "i: {sql: 'ROWS a int4 = [(x,) for x in :ids]', expect: held()}",
        "i: {sql: 'ROWS a jsonb = [(list(:ids),)]', expect: '(ids,)'}",
        "i: {sql: 'ROWS a text, b jsonb = [(\"k\", [:ids])]', expect: '{\"k\": ([ids],)}'}",
        "i: {for: {x: '[ids]'}, sql: 'ROWS a int4 = [(y,) for y in :x]', expect: x}",
        "i: {for: {x: kept}, sql: 'ROWS a int4 = [(y,) for y in :x]', expect: x}",
        "i: {for: {x: '[ids]'}, sql: 'ROWS a jsonb = [(:x,)]', check: 'result.value == x'}",
        "i: {sql: 'ROWS a jsonb = [(:ids,)]', check: result.value == ids}",
    };
    static const char rules[] = "machine: test\n"
                                "model: |\n"
                                "  n = 0\n"
                                "  kept = []\n"
                                "  def held():\n"
                                "    return ids\n"
                                "initialize:\n"
                                "  - {sql: COUNT 1, model: 'kept = [ids]'}\n"
                                "rules:\n"
                                "  add: {sql: COUNT 1, returns: n, target: ids, model: n += 1}\n"
                                "  take: {args: {x: consumes(ids)}, sql: COUNT 1}\n"
                                "  rule: {sql: 'ROWS a int4 = [(x,) for x in :ids]', expect: ids}\n"
                                "  let: {let: {y: ids}, sql: 'ROWS a jsonb = [(:y,)]', "
                                "expect: '(y,)'}\n"
                                "  given: {args: {y: just(ids)}, sql: 'ROWS a jsonb = [(:y,)]', "
                                "expect: '(y,)'}\n"
                                "invariants:\n  ";
    for (size_t i = 0; i < 2 * sizeof invariants / sizeof invariants[0]; i++) {
        struct rig rig;
        struct strbuf yaml = {0};
        strbuf_addf(&yaml, "%s%s\n", rules, invariants[i / 2]);
        rig_open(&rig, strbuf_text(&yaml), literal_script, NULL, 0);
        strbuf_free(&yaml);
        rig.options.no_pipeline = i % 2;
        rig.options.settings.examples = 20;
        if (!rig_run(&rig)) {
            fail_msg("%s: %s", invariants[i / 2], rig.err.message);
        }
        if (rig.result.outcome != RUN_PASSED) {
            const struct failure *failure = &rig.result.failures.items[0];
            fail_msg("%s: %s, %s instead of %s", invariants[i / 2], failure->identity,
                     failure->actual, failure->expected);
        }
        rig_close(&rig);
    }
}

/* A failure shows the state at that time: values have the names that they had, and the failing step
 * has put no value into a bundle. */
static void test_shown_as_it_was(void **state)
{
    (void)state;
    static const char yaml[] =
        "machine: test\n"
        "model: |\n"
        "  n = 0\n"
        "  names = []\n"
        "rules:\n"
        "  add:\n"
        "    sql: ROWS a int4 = [(0 if :n < 3 else 7,)]\n"
        "    expect: 0\n"
        "    returns: 'multiple(n, n + 4)'\n"
        "    target: [ids, names]\n"
        "    model: n += 1\n"
        "invariants:\n"
        "  i: {for: {x: '[0, 7]'}, sql: 'ROWS a int4 = [(0,)]', expect: 0 if n < 2 else x}\n";
    for (int which = 0; which < 2; which++) {
        const char *texts[2];
        struct arena arena = {0};
        for (int i = 0; i < 2; i++) {
            struct rig rig;
            struct strbuf text = {0};
            rig_open(&rig, yaml, literal_script, NULL, 0);
            rig.options.no_pipeline = i;
            rig_start(&rig);
            rig.engine.options.ahead = !i;
            const struct example_result *result =
                rig_example(&rig, &(struct example_plan){.way = &example_ways[WAY_UNIFORM],
                                                         .number = 1,
                                                         .scope = which ? SCOPE_NONE : SCOPE_ALL});
            assert_int_equal(result->outcome, OUTCOME_FAIL);
            assert_int_equal(result->failure->step, which ? 4 : 2);
            describe_failure(result->failure, &text);
            for (size_t j = 0; j < result->failure->fors.count; j++) {
                const char *name = result->failure->fors.items[j].reference;
                strbuf_addf(&text, "for: %s\n", name ? name : "no name");
            }
            for (size_t j = 0; j < result->failure->steps.count; j++) {
                strbuf_addf(&text, "outputs: %zu\n", result->failure->steps.items[j].outputs.count);
            }
            strbuf_addf(&text, "bundled: %zu\n", result->failure->bundled.count);
            texts[i] = strbuf_copy(&text, &arena);
            strbuf_free(&text);
            rig_stop(&rig);
            rig_close(&rig);
        }
        assert_string_equal(texts[0], texts[1]);
        arena_free(&arena);
    }
}

static void test_connection_is_lost(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct rig rig;
        rig_open(&rig,
                 "machine: test\n"
                 "rules:\n"
                 "  a: {sql: COUNT 1}\n"
                 "  b: {sql: COUNT 2}\n",
                 literal_script, NULL, 0);
        rig.options.settings.examples = 5;
        rig.options.no_pipeline = i;
        rig.fake.lost_after = 4;
        assert_false(rig_run(&rig));
        assert_int_equal(rig.err.code, ERROR_CONNECTION);
        assert_int_equal(rig.result.outcome, RUN_FAILED);
        const struct failure *failure = &rig.result.failures.items[0];
        assert_int_equal(failure->kind, FAILURE_CONNECTION);
        /* step by step it is known that the fourth was the last; ahead that nothing came back */
        assert_int_equal(failure->step, i ? 4 : 1);
        assert_string_equal(failure->sql, i ? "COUNT 2" : "COUNT 1");
        rig_close(&rig);
    }
}

/* DDL in an example may make the server's plan of a later statement stale: the example is run again
 * from its start, and counts once. */
static int stale_left;

static void answer_stale(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)fake;
    (void)call;
    if (stale_left > 0) {
        stale_left--;
        reply->answer.status = ANSWER_STALE;
        fake->failed = true;
    }
}

static void test_stale_plans(void **state)
{
    (void)state;
    static const struct fake_script script[] = {{"SELECT 1", answer_stale}, {NULL, NULL}};
    for (int i = 0; i < 2; i++) {
        struct rig rig;
        stale_left = 3;
        rig_open(&rig, "machine: test\nrules:\n  a: {sql: SELECT 1}\n", script, NULL, 0);
        rig.options.no_pipeline = i;
        rig.options.settings.examples = 2;
        rig_run_ok(&rig);
        assert_int_equal(rig.result.outcome, RUN_PASSED);
        assert_int_equal(rig.result.stats.examples, 2);
        assert_int_equal(rig.result.stats.steps, 20);
        assert_int_equal(rig.result.stats.rules[0].chosen, 20);
        assert_int_equal(rig.fake.resets, 5);
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_step_by_step),
        cmocka_unit_test(test_same_with_checkpoints),
        cmocka_unit_test(test_waits_only_where_it_must),
        cmocka_unit_test(test_mistakes_wait_for_answers),
        cmocka_unit_test(test_mistakes_in_settling),
        cmocka_unit_test(test_what_was_expected_stays),
        cmocka_unit_test(test_expected_bundle_stays),
        cmocka_unit_test(test_shown_as_it_was),
        cmocka_unit_test(test_connection_is_lost),
        cmocka_unit_test(test_stale_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
