/* Mutated examples: that they are made of earlier ones, and follow from seed and number alone. */
#include "run/fresh.h"

#include "support/bank.h"
#include "support/describe.h"
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { EXAMPLES = 120, STEPS = 25 };

static struct bank bank;
static struct ancestry *ancestry; /* of the engine that runs */

static void open_bank(struct rig *rig, enum bank_bug bug)
{
    bank = (struct bank){.bug = bug};
    bank_reset_flaky();
    rig_open(rig, bank_machine, bank_script, &bank, sizeof bank);
    rig->options.settings.examples = EXAMPLES;
    rig->options.settings.steps = STEPS;
}

static void start(struct rig *rig)
{
    rig_start(rig);
    ancestry = ancestry_new(&rig->engine.arena);
}

static void stop(struct rig *rig)
{
    ancestry_free(ancestry);
    rig_stop(rig);
}

/* Example `number` as it is made on this engine; a copy. */
static struct trace run_number(struct rig *rig, uint64_t number)
{
    struct example_result result;
    struct error err = {0};
    assert_true(fresh_run(ancestry, &rig->engine, number, &result, &err));
    assert_int_equal(rig->engine.example.plan.trace != NULL,
                     is_mutated(rig->options.settings.seed, number));
    return trace_copy(&rig->results, &result.trace);
}

static void run_in_order(struct rig *rig, struct trace *traces)
{
    start(rig);
    for (uint64_t i = 1; i <= EXAMPLES; i++) {
        traces[i - 1] = run_number(rig, i);
    }
    stop(rig);
}

static void assert_same_alone(enum bank_bug bug)
{
    struct rig rig;
    struct trace traces[EXAMPLES];
    size_t mutated = 0;
    open_bank(&rig, bug);
    run_in_order(&rig, traces);
    for (uint64_t i = EXAMPLES; i > 0; i--) {
        if (is_mutated(rig.options.settings.seed, i)) {
            start(&rig); /* an engine that knows no other example */
            struct trace alone = run_number(&rig, i);
            assert_true(trace_equal(&alone, &traces[i - 1]));
            stop(&rig);
            mutated++;
        }
    }
    assert_true(mutated > EXAMPLES / 10);
    rig_close(&rig);
}

static void test_an_example_is_the_same_by_itself(void **state)
{
    (void)state;
    assert_same_alone(BANK_SOUND);
}

/* A parent that failed is known up to there, here and there. */
static void test_also_where_parents_fail(void **state)
{
    (void)state;
    assert_same_alone(BANK_LOSES_LARGE);
}

/* Each of two workers runs every other example. */
static void test_the_same_whoever_runs_it(void **state)
{
    (void)state;
    struct rig rig;
    struct trace traces[EXAMPLES];
    open_bank(&rig, BANK_SOUND);
    run_in_order(&rig, traces);
    for (uint64_t worker = 1; worker <= 2; worker++) {
        start(&rig);
        for (uint64_t i = worker; i <= EXAMPLES; i += 2) {
            struct trace trace = run_number(&rig, i);
            assert_true(trace_equal(&trace, &traces[i - 1]));
        }
        stop(&rig);
    }
    rig_close(&rig);
}

static void test_step_by_step_makes_the_same(void **state)
{
    (void)state;
    struct rig rig;
    struct trace ahead[EXAMPLES];
    struct trace waiting[EXAMPLES];
    open_bank(&rig, BANK_LOSES_LARGE);
    run_in_order(&rig, ahead);
    rig.options.no_pipeline = true;
    run_in_order(&rig, waiting);
    for (size_t i = 0; i < EXAMPLES; i++) {
        assert_true(trace_equal(&ahead[i], &waiting[i]));
    }
    rig_close(&rig);
}

static size_t equal_steps(const struct trace *a, const struct trace *b)
{
    size_t i = 0;
    while (i < a->steps.count && i < b->steps.count &&
           a->steps.items[i].rule == b->steps.items[i].rule &&
           choices_equal(&a->steps.items[i].choices, &b->steps.items[i].choices)) {
        i++;
    }
    return i;
}

/* Most begin as an earlier example that is not mutated does; they are no shorter than others. */
static void test_they_come_from_earlier_examples(void **state)
{
    (void)state;
    struct rig rig;
    struct trace traces[EXAMPLES];
    size_t mutated = 0;
    size_t akin = 0;
    open_bank(&rig, BANK_SOUND);
    run_in_order(&rig, traces);
    for (uint64_t i = 1; i <= EXAMPLES; i++) {
        assert_int_equal(traces[i - 1].steps.count, STEPS);
        if (!is_mutated(rig.options.settings.seed, i)) {
            continue;
        }
        size_t most = 0;
        for (uint64_t j = 1; j < i; j++) {
            size_t equal = is_mutated(rig.options.settings.seed, j)
                               ? 0
                               : equal_steps(&traces[i - 1], &traces[j - 1]);
            most = equal > most ? equal : most;
        }
        mutated++;
        akin += most >= 4;
    }
    assert_true(mutated > 0 && akin * 2 > mutated);
    rig_close(&rig);
}

static void test_none_at_first_and_some_later(void **state)
{
    (void)state;
    size_t mutated = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        for (uint64_t i = 1; i < 20; i++) {
            assert_false(is_mutated(seed, i));
        }
        for (uint64_t i = 20; i < 120; i++) {
            mutated += is_mutated(seed, i);
        }
    }
    assert_in_range(mutated, 20 * 100 / 10, 20 * 100 / 3);
}

static void test_a_run_counts_what_it_ran(void **state)
{
    (void)state;
    struct rig rig;
    open_bank(&rig, BANK_SOUND);
    rig_run_ok(&rig);
    assert_int_equal(rig.result.stats.examples, EXAMPLES);
    assert_int_equal(rig.result.stats.steps, EXAMPLES * STEPS);
    assert_int_equal(rig.fake.resets, EXAMPLES); /* no parent was run again */
    uint64_t ran = 0;
    for (size_t i = 0; i < rig.machine->rules.count; i++) {
        const struct rule_stats *rule = &rig.result.stats.rules[i];
        assert_int_equal(rule->chosen, rule->ran + rule->given_up);
        ran += rule->ran;
    }
    assert_int_equal(ran, EXAMPLES * STEPS);
    rig_close(&rig);
}

/* A weight of 0 keeps a rule out of what is replayed, too. */
static void test_no_weight_no_step(void **state)
{
    (void)state;
    static const char yaml[] = "machine: test\n"
                               "model: n = 0\n"
                               "rules:\n"
                               "  up: {model: n += 1}\n"
                               "  down: {model: n -= 1, weight: n}\n"
                               "  odd:\n"
                               "    weight: n % 2\n"
                               "    check: n % 2 == 1\n";
    struct rig rig;
    rig_open(&rig, yaml, bank_script, NULL, 0);
    rig.options.settings.examples = EXAMPLES;
    rig.options.settings.steps = STEPS;
    rig_run_ok(&rig);
    assert_int_equal(rig.result.outcome, RUN_PASSED);
    assert_true(rig.result.stats.rules[rig_rule(&rig, "odd")].ran > 0);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_example_is_the_same_by_itself),
        cmocka_unit_test(test_also_where_parents_fail),
        cmocka_unit_test(test_the_same_whoever_runs_it),
        cmocka_unit_test(test_step_by_step_makes_the_same),
        cmocka_unit_test(test_they_come_from_earlier_examples),
        cmocka_unit_test(test_none_at_first_and_some_later),
        cmocka_unit_test(test_a_run_counts_what_it_ran),
        cmocka_unit_test(test_no_weight_no_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
