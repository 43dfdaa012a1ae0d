/* Pinned examples run first and unchanged; a step that can't run is an error at its place. */
#include "support/bank.h"
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct bank bank;

/* The bank with these examples behind it; no fresh ones are run. */
static void open_pinned(struct rig *rig, enum bank_bug bug, const char *examples)
{
    static char yaml[8192];
    (void)snprintf(yaml, sizeof yaml, "%sexamples:\n%s", bank_machine, examples);
    bank = (struct bank){.bug = bug};
    bank_reset_flaky();
    rig_open(rig, yaml, bank_script, &bank, sizeof bank);
    rig->options.settings.examples = 0;
    rig->options.settings.steps = 30;
}

static void they_run_whatever_else_does(void **state)
{
    (void)state;
    struct rig rig;
    open_pinned(&rig, BANK_SOUND,
                "- name: all of it\n"
                "  steps: |\n"
                "    accounts_1 = open()\n"
                "    a = open()\n"
                "    pay(account=a, amount=3)\n"
                "    pay(account=accounts_2, amount=len(balances))\n"
                "    close(account=accounts_1)\n"
                "    pay_closed(account=closed_1, amount=1)\n"
                "    c = open()\n"
                "    d = close(account=c)\n"
                "    pay_closed(account=d, amount=10)\n"
                "- {name: another, steps: open()}\n");
    for (int pipeline = 0; pipeline < 2; pipeline++) {
        rig.options.no_pipeline = !pipeline;
        rig.options.scope = pipeline ? RUN_KEPT : RUN_ALL;
        rig_run_ok(&rig);
        assert_int_equal(rig.result.outcome, RUN_PASSED);
        assert_int_equal(rig.result.stats.examples, 2);
        assert_int_equal(rig.result.stats.steps, 10);
        assert_int_equal(rig.result.stats.rules[rig_rule(&rig, "pay_closed")].ran, 2);
    }
    rig.options.scope = RUN_ALL;
    rig.options.settings.examples = 3;
    rig_run_ok(&rig);
    assert_int_equal(rig.result.stats.examples, 5);
    rig_close(&rig);
}

static void a_failure_keeps_its_steps(void **state)
{
    (void)state;
    struct rig rig;
    open_pinned(&rig, BANK_LOSES_LARGE,
                "- {name: fine, steps: open()}\n"
                "- name: large\n"
                "  steps: |\n"
                "    mine = open()\n"
                "    open()\n"
                "    pay(account=accounts_2, amount=10)\n"
                "    pay(account=mine, amount=1)\n"
                "- name: large, too\n"
                "  steps: |\n"
                "    open()\n"
                "    pay(account=accounts_1, amount=9)\n");
    rig.options.settings.shrink_executions = 500;
    rig_run_ok(&rig);
    assert_int_equal(rig.result.failures.count, 2);
    const struct failure *failure = &rig.result.failures.items[0];
    assert_string_equal(failure->pinned->name, "large");
    assert_false(failure->flaky);
    assert_int_equal(failure->step, 3);
    assert_string_equal(rig_steps(&rig, failure), "accounts_1 = open()\n"
                                                  "accounts_2 = open()\n"
                                                  "pay(account=accounts_2, amount=10)\n");
    assert_non_null(failure->shorter);
    assert_string_equal(rig_steps(&rig, failure->shorter), "accounts_1 = open()\n"
                                                           "pay(account=accounts_1, amount=9)\n");
    /* the same failure, under the name of each; it has no simpler form */
    assert_string_equal(rig.result.failures.items[1].pinned->name, "large, too");
    assert_string_equal(rig.result.failures.items[1].identity, failure->identity);
    assert_null(rig.result.failures.items[1].shorter);
    rig_close(&rig);
}

static void once_is_not_always(void **state)
{
    (void)state;
    struct rig rig;
    open_pinned(&rig, BANK_FLAKY,
                "- name: lost\n"
                "  steps: |\n"
                "    open()\n"
                "    pay(account=accounts_1, amount=1)\n");
    assert_true(rig_failure(&rig)->flaky);
    rig_close(&rig);
}

static void what_cannot_run_is_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *steps;
        size_t line; /* of the steps, from 1 */
        size_t column;
        const char *message;
        const char *hint; /* a part of it */
    } cases[] = {
        {"    open()\n    pay(account=accounts_1, amount=11)\n", 2, 29,
         "the argument 'amount' can't be 11 here", "integers(1, 10) does not give it"},
        {"    open()\n    pay(account=accounts_1, amount=\"1\")\n", 2, 29,
         "the argument 'amount' can't be \"1\" here", "integers(1, 10) does not give it"},
        {"    open()\n    pay(account=accounts_2, amount=1)\n", 2, 9,
         "no value has the name 'accounts_2' here", "<bundle>_<number>"},
        {"    open()\n    pay(account=7, amount=1)\n", 2, 9,
         "the argument 'account' can't be 7 here",
         "the bundle accounts does not hold it; it holds 1 value"},
        {"    open()\n    close(account=accounts_1)\n    open()\n"
         "    pay(account=accounts_1, amount=1)\n",
         4, 9, "the argument 'account' can't be 1 here", "it holds 1 value"},
        {"    open()\n    close(account=accounts_1)\n    pay(account=accounts_1, amount=1)\n", 3, 5,
         "step 3 of the pinned example 'kept' can't run: a bundle that it draws from has too few "
         "values here",
         "runs exactly as written"},
        {"    open()\n    close(account=accounts_1)\n    pay_closed(account=closed_1, amount=5)\n",
         3, 5,
         "step 3 of the pinned example 'kept' can't run: `where` is false for these arguments",
         "runs exactly as written"},
        {"    open()\n    open()\n    open()\n    open()\n    open()\n    open()\n", 6, 5,
         "step 6 of the pinned example 'kept' can't run: its precondition is false here",
         "runs exactly as written"},
        {"    open()\n    close(account=accounts_1)\n    open()\n    close(account=accounts_2)\n"
         "    open()\n    close(account=accounts_3)\n    open()\n    close(account=accounts_4)\n"
         "    open()\n    close(account=accounts_5)\n",
         10, 5, "step 10 of the pinned example 'kept' can't run: its limit of 4 has been reached",
         "runs exactly as written"},
    };
    size_t before = 2; /* lines of `examples:` before the steps */
    for (const char *at = bank_machine; (at = strchr(at, '\n')); at++) {
        before++;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rig rig;
        char examples[1024];
        (void)snprintf(examples, sizeof examples, "- name: kept\n  steps: |\n%s", cases[i].steps);
        open_pinned(&rig, BANK_SOUND, examples);
        assert_false(rig_run(&rig));
        assert_int_equal(rig.err.code, ERROR_MACHINE);
        assert_string_equal(rig.err.message, cases[i].message);
        assert_non_null(strstr(rig.err.hint, cases[i].hint));
        assert_int_equal(source_place(rig.err.pos).line, before + 1 + cases[i].line);
        assert_int_equal(source_place(rig.err.pos).column, cases[i].column);
        assert_int_equal(rig.result.failures.count, 0);
        rig_close(&rig);
    }
}

static void nothing(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)fake, (void)call, (void)reply;
}

/* Answers how many of its parameters are not NULL. */
static void take(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    (void)fake;
    fake_columns(reply, "n int4");
    FAKE_ROW(reply, value_int(call->values[0].type == VALUE_INT ? call->values[0].as.integer : 0));
}

static const struct fake_script script[] = {{"SELECT take*", take}, {"*", nothing}, {0}};

static void run_text(struct rig *rig, const char *yaml)
{
    rig_open(rig, yaml, script, NULL, 0);
    rig->options.settings.examples = 0;
    rig->options.settings.shrink_executions = 500;
}

#define TAKES(arg, step)                                                                           \
    "machine: takes\n"                                                                             \
    "model: 'factor = 3'\n"                                                                        \
    "rules:\n"                                                                                     \
    "  take:\n"                                                                                    \
    "    args: {n: '" arg "'}\n"                                                                   \
    "    sql: 'SELECT take(:n)'\n"                                                                 \
    "    expect: 0\n"                                                                              \
    "examples: [{name: kept, steps: '" step "'}]\n"

static void what_is_drawn_is_seen_when_it_runs(void **state)
{
    (void)state;
    struct rig rig;
    run_text(&rig, TAKES("factor", "take(n=3)"));
    assert_false(rig_run(&rig));
    assert_string_equal(rig.err.message, "the argument 'n' is a constant here and can't be given");
    rig_close(&rig);
    run_text(&rig, TAKES("[factor]", "take()"));
    assert_false(rig_run(&rig));
    assert_string_equal(rig.err.message, "rule 'take' needs the argument 'n'");
    rig_close(&rig);
    run_text(&rig, TAKES("just(factor - 3)", "take()"));
    rig_run_ok(&rig);
    assert_int_equal(rig.result.outcome, RUN_PASSED);
    rig_close(&rig);
}

static void what_functions_made_is_taken_on_trust(void **state)
{
    (void)state;
    struct rig rig;
    run_text(&rig, TAKES("integers().map(lambda i: i * 100003)", "take(n=999 * 100003)"));
    const struct failure *failure = rig_failure(&rig);
    assert_false(failure->flaky);
    assert_true(failure->on_trust);
    assert_null(failure->shorter);
    assert_string_equal(rig_steps(&rig, failure), "take(n=99902997)\n");
    rig_close(&rig);
    /* and what can be traced back has a simpler form */
    run_text(&rig, TAKES("integers().map(lambda i: i * 100003)", "take(n=20 * 100003)"));
    failure = rig_failure(&rig);
    assert_false(failure->on_trust);
    assert_non_null(failure->shorter);
    assert_string_equal(rig_steps(&rig, failure->shorter), "take(n=100003)\n");
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_run_whatever_else_does),
        cmocka_unit_test(a_failure_keeps_its_steps),
        cmocka_unit_test(once_is_not_always),
        cmocka_unit_test(what_cannot_run_is_an_error),
        cmocka_unit_test(what_is_drawn_is_seen_when_it_runs),
        cmocka_unit_test(what_functions_made_is_taken_on_trust),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
