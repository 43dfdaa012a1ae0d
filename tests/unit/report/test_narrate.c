/* The output of -v and -vv, through the engine and the fake database. */
#include "report/narrate.h"

#include "support/literal.h"
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void on_tell(void *host, const char *text, size_t size)
{
    struct rig *rig = host;
    strbuf_add(&rig->printed, text, size);
}

static const char yaml[] = "machine: test\n"
                           "initialize:\n"
                           "  - {args: {z: 'integers(1, 2)'}, sql: 'ROWS a int4 = [(:z,)]'}\n"
                           "rules:\n"
                           "  put:\n"
                           "    as: {role: ann}\n"
                           "    limit: 1\n"
                           "    args: {a: 'sampled_from([\"x\\x1b\", \"\\x1b\"])'}\n"
                           "    sql: 'ROWS a int4 = [(7,)]'\n"
                           "    target: things\n"
                           "  refused:\n"
                           "    limit: 1\n"
                           "    sql: FAIL 23505 - -\n"
                           "    raises: unique_violation\n"
                           "invariants:\n"
                           "  small: {sql: 'ROWS a int4 = []'}\n";

static void run(struct rig *rig, const char *machine, bool statements)
{
    rig_open(rig, machine, literal_script, NULL, 0);
    rig->options.narrator = narrator_new;
    rig->options.tell_statements = statements;
    rig->options.callbacks.tell = on_tell;
    rig_run_ok(rig);
}

static void steps_are_told(void **state)
{
    (void)state;
    struct rig rig;
    run(&rig, yaml, false);
    assert_string_equal(strbuf_text(&rig.printed), "example 1\n"
                                                   "   1  things_1 = put(a=\"x\\x1b\")\n"
                                                   "   2  refused()   raises unique_violation\n"
                                                   "      no rule can run\n");
    rig_close(&rig);
}

static void statements_are_told(void **state)
{
    (void)state;
    struct rig rig;
    run(&rig, yaml, true);
    assert_string_equal(strbuf_text(&rig.printed), "example 1\n"
                                                   "      initialize 1(z=1)\n"
                                                   "        ROWS a int4 = [(:z,)]\n"
                                                   "          z = 1\n"
                                                   "          → 1 row\n"
                                                   "            1\n"
                                                   "      invariant small\n"
                                                   "        ROWS a int4 = []\n"
                                                   "          → 0 rows\n"
                                                   "   1  things_1 = put(a=\"x\\x1b\")\n"
                                                   "        ROWS a int4 = [(7,)]\n"
                                                   "          as ann\n"
                                                   "          → 1 row\n"
                                                   "            7\n"
                                                   "      invariant small\n"
                                                   "        ROWS a int4 = []\n"
                                                   "          → 0 rows\n"
                                                   "   2  refused()   raises unique_violation\n"
                                                   "        FAIL 23505 - -\n"
                                                   "          → 23505: an error\n"
                                                   "      invariant small\n"
                                                   "        ROWS a int4 = []\n"
                                                   "          → 0 rows\n"
                                                   "      no rule can run\n");
    rig_close(&rig);
}

/* A UUID appears as it is where it is made, by its name from there on, as in a report. */
static void values_are_told_by_name(void **state)
{
    (void)state;
    static const char id[] = "6183f24b-5fea-45f6-b41e-7871fedbf4f6";
    struct rig rig;
    struct strbuf machine = {0};
    strbuf_addf(&machine,
                "machine: test\n"
                "rules:\n"
                "  put: {limit: 1, sql: 'ROWS a text = [(\"%s\",)]', target: things}\n"
                "  get:\n"
                "    limit: 1\n"
                "    args: {thing: things}\n"
                "    as: {settings: {app.thing: thing}}\n"
                "    sql: 'ROWS a text = [(:thing,)]'\n",
                id);
    run(&rig, strbuf_text(&machine), true);
    assert_string_equal(strbuf_text(&rig.printed),
                        "example 1\n"
                        "   1  things_1 = put()\n"
                        "        ROWS a text = [(\"6183f24b-5fea-45f6-b41e-7871fedbf4f6\",)]\n"
                        "          → 1 row\n"
                        "            \"6183f24b-5fea-45f6-b41e-7871fedbf4f6\"\n"
                        "   2  get(thing=things_1)\n"
                        "        ROWS a text = [(:thing,)]\n"
                        "          app.thing = things_1\n"
                        "          thing = things_1\n"
                        "          → 1 row\n"
                        "            things_1\n"
                        "      no rule can run\n");
    strbuf_free(&machine);
    rig_close(&rig);
}

/* The output ends at the failure; repeated and shrunk runs are not shown. */
static void a_failure_is_told_once(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig,
             "machine: test\n"
             "rules:\n"
             "  ask:\n"
             "    args: {a: 'integers(0, 1000)'}\n"
             "    sql: 'ROWS a int4 = [(:a,)]'\n"
             "    expect: '[(min(a, 100),)]'\n",
             literal_script, NULL, 0);
    rig.options.narrator = narrator_new;
    rig.options.callbacks.tell = on_tell;
    rig.options.settings.examples = 12;
    rig.options.settings.steps = 1;
    rig.options.settings.shrink_executions = 1000;
    (void)rig_failure(&rig);
    const char *told = strbuf_text(&rig.printed);
    size_t examples = 0;
    size_t fails = 0;
    for (const char *at = told; (at = strstr(at, "example ")); at++) {
        examples++;
    }
    for (const char *at = told; (at = strstr(at, "\n      fails: rule ask: expect\n")); at++) {
        fails++;
    }
    assert_int_equal(examples, 12);
    assert_in_range(fails, 1, 11); /* the first has the simplest choices */
    rig_close(&rig);
}

static void nothing_is_built_unasked(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, yaml, literal_script, NULL, 0);
    rig.options.callbacks.tell = on_tell;
    rig_run_ok(&rig);
    assert_int_equal(rig.printed.size, 0);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_told),           cmocka_unit_test(statements_are_told),
        cmocka_unit_test(values_are_told_by_name),  cmocka_unit_test(a_failure_is_told_once),
        cmocka_unit_test(nothing_is_built_unasked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
