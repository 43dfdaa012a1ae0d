/* Invariants: when they are checked, for which values, and their failures. */
#include "support/literal.h"
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A machine that counts its steps in `n`, with users 1 and 2 in a bundle, and an invariant `i`
 * (YAML, its lines indented by four). */
static struct rig *open_invariant(struct rig *rig, const char *invariant)
{
    struct strbuf yaml = {0};
    strbuf_addf(&yaml,
                "machine: test\n"
                "model: |\n"
                "  n = 0\n"
                "  names = {\"a\": 1}\n"
                "initialize:\n"
                "  - sql: ROWS id int4 = [(1,), (2,)]\n"
                "    target: users\n"
                "rules:\n"
                "  step:\n"
                "    model: n += 1\n"
                "invariants:\n"
                "  i:\n%s\n",
                invariant);
    rig_open(rig, strbuf_text(&yaml), literal_script, NULL, 0);
    strbuf_free(&yaml);
    rig->options.settings.steps = 5;
    return rig;
}

struct verdict {
    const char *invariant;
    const char *identity; /* NULL: it holds */
    enum failure_kind kind;
    size_t step;
    const char *expected;
    const char *actual;
};

static const struct verdict verdicts[] = {
    {"    sql: ROWS a int4 = []", NULL, 0, 0, NULL, NULL},
    {"    sql: ROWS a int4 = [(1,)]", "invariant i", FAILURE_INVARIANT, 0, "no rows", "1 row"},
    {"    sql: ROWS a int4 = [(1,)]\n    expect: 1", NULL, 0, 0, NULL, NULL},
    {"    sql: ROWS a int4 = [(2,)]\n    expect: n", "invariant i", FAILURE_INVARIANT, 0, "0", "2"},
    {"    sql: ROWS a int4 = [(:n,)]\n    expect: n", NULL, 0, 0, NULL, NULL},
    {"    sql: ROWS a int4 = [(min(:n, 3),)]\n    expect: n", "invariant i", FAILURE_INVARIANT, 4,
     "4", "3"},
    {"    sql: FAIL 42501 - -", "invariant i: 42501", FAILURE_UNEXPECTED_ERROR, 0, "no error",
     "insufficient_privilege (42501)"},
    {"    sql: FAIL 57014 - -", "invariant i: timeout", FAILURE_TIMEOUT, 0, "no error",
     "query_canceled (57014)"},
    /* checks: of the answer, of the model, of both */
    {"    sql: ROWS a int4 = [(1,)]\n    check: result.value == 1", NULL, 0, 0, NULL, NULL},
    {"    sql: ROWS a int4 = [(1,)]\n    check: result.value == 2", "invariant i",
     FAILURE_INVARIANT, 0, "result.value == 2", "False"},
    {"    sql: ROWS a int4 = [(:n,)]\n    check: result.value == n", NULL, 0, 0, NULL, NULL},
    {"    sql: ROWS a int4 = [(:n,)]\n    check: [result.value == n, n < 2]", "invariant i",
     FAILURE_INVARIANT, 2, "n < 2", "False"},
    {"    check: n < 3", "invariant i", FAILURE_INVARIANT, 3, "n < 3", "False"},
    {"    check: n < 6", NULL, 0, 0, NULL, NULL},
    /* precondition */
    {"    precondition: n > 1\n    check: n < 2", "invariant i", FAILURE_INVARIANT, 2, "n < 2",
     "False"},
    {"    precondition: n > 9\n    check: n < 2", NULL, 0, 0, NULL, NULL},
    /* when and every */
    {"    when: end\n    check: n != 3", NULL, 0, 0, NULL, NULL},
    {"    when: end\n    check: n < 3", "invariant i", FAILURE_INVARIANT, 5, "n < 3", "False"},
    {"    every: 2\n    check: n != 3", NULL, 0, 0, NULL, NULL},
    {"    every: 2\n    check: n < 3", "invariant i", FAILURE_INVARIANT, 4, "n < 3", "False"},
    {"    every: 2\n    check: n != 5", "invariant i", FAILURE_INVARIANT, 5, "n != 5", "False"},
    {"    every: 9\n    check: n < 1", "invariant i", FAILURE_INVARIANT, 5, "n < 1", "False"},
    /* for */
    {"    for: {u: users}\n    sql: ROWS a int4 = [(:u,)]\n    expect: u", NULL, 0, 0, NULL, NULL},
    {"    for: {u: users}\n    sql: ROWS a int4 = [(:u,)]\n    expect: 1", "invariant i",
     FAILURE_INVARIANT, 0, "1", "2"},
    {"    for: {u: users, v: 'range(u)'}\n    sql: ROWS a int4 = [(:u + :v,)]\n    check: "
     "result.value < 3",
     "invariant i", FAILURE_INVARIANT, 0, "result.value < 3", "False"},
    {"    for: {k: names}\n    check: names[k] == 1", NULL, 0, 0, NULL, NULL},
    {"    for: {k: '[]'}\n    check: \"False\"", NULL, 0, 0, NULL, NULL},
    /* several statements: the last answers */
    {"    sql:\n      - sql: ROWS a int4 = [(1,)]\n      - sql: ROWS a int4 = []", NULL, 0, 0, NULL,
     NULL},
};

static void test_verdicts(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * sizeof verdicts / sizeof verdicts[0]; i++) {
        const struct verdict *verdict = &verdicts[i / 2];
        struct rig rig;
        open_invariant(&rig, verdict->invariant)->options.no_pipeline = i % 2;
        if (!rig_run(&rig)) {
            fail_msg("%s: %s", verdict->invariant, rig.err.message);
        }
        if (rig.result.failures.count != (verdict->identity != NULL)) {
            fail_msg("%s: %zu failures", verdict->invariant, rig.result.failures.count);
        }
        if (verdict->identity) {
            const struct failure *failure = &rig.result.failures.items[0];
            assert_string_equal(failure->identity, verdict->identity);
            assert_int_equal(failure->kind, verdict->kind);
            assert_int_equal(failure->step, verdict->step);
            assert_int_equal(failure->steps.count, verdict->step);
            assert_string_equal(failure->expected, verdict->expected);
            assert_string_equal(failure->actual, verdict->actual);
            assert_string_equal(failure->invariant->name, "i");
            assert_false(failure->flaky);
        }
        rig_close(&rig);
    }
}

static void test_for_values_are_shown(void **state)
{
    (void)state;
    struct rig rig;
    open_invariant(&rig, "    for: {u: users, v: '[\"x\"]'}\n    check: u < 2");
    const struct failure *failure = rig_failure(&rig);
    assert_int_equal(failure->fors.count, 2);
    assert_string_equal(failure->fors.items[0].name, "u");
    assert_int_equal(failure->fors.items[0].value.as.integer, 2);
    assert_string_equal(failure->fors.items[0].reference, "users_2");
    assert_true(value_is_string(failure->fors.items[1].value, "x"));
    assert_null(failure->fors.items[1].reference);
    rig_close(&rig);
}

struct counted {
    const char *invariant;
    uint64_t checked;
    uint64_t skipped;
    uint64_t statements; /* the one of initialize is not counted: it ran before the examples */
};

static void test_counts(void **state)
{
    (void)state;
    static const struct counted counts[] = {
        {"    sql: ROWS a int4 = []", 6, 0, 6},
        {"    for: {u: users}\n    sql: ROWS a int4 = []", 12, 0, 12},
        {"    every: 2\n    sql: ROWS a int4 = []", 4, 0, 4}, /* 0, 2, 4, and the last, 5 */
        {"    when: end\n    sql: ROWS a int4 = []", 1, 0, 1},
        {"    precondition: n > 2\n    sql: ROWS a int4 = []", 3, 3, 3},
        {"    for: {u: '[]'}\n    sql: ROWS a int4 = []", 0, 6, 0},
        {"    check: \"True\"", 6, 0, 0},
    };
    for (size_t i = 0; i < 2 * sizeof counts / sizeof counts[0]; i++) {
        struct rig rig;
        open_invariant(&rig, counts[i / 2].invariant)->options.no_pipeline = i % 2;
        rig_run_ok(&rig);
        assert_int_equal(rig.result.stats.invariants[0].checked, counts[i / 2].checked);
        assert_int_equal(rig.result.stats.invariants[0].skipped, counts[i / 2].skipped);
        assert_int_equal(rig.result.stats.statements, counts[i / 2].statements);
        assert_int_equal(rig.result.stats.steps, 5);
        rig_close(&rig);
    }
}

/* Only the invariant of the plan is checked, after every step. */
static void test_scope(void **state)
{
    (void)state;
    static const struct {
        enum invariant_scope scope;
        uint64_t checked;
    } scopes[] = {{SCOPE_ALL, 4}, {SCOPE_ONE, 6}, {SCOPE_NONE, 0}};
    for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; i++) {
        struct rig rig;
        open_invariant(&rig, "    every: 2\n    check: n < 9");
        struct example_plan plan = {.way = &example_ways[WAY_UNIFORM],
                                    .number = 1,
                                    .scope = scopes[i].scope,
                                    .only = &rig.machine->invariants.items[0]};
        rig_start(&rig);
        assert_int_equal(rig_example(&rig, &plan)->stats->invariants[0].checked, scopes[i].checked);
        rig_stop(&rig);
        rig_close(&rig);
    }
}

/* A failed invariant ends its example; later ones are not checked. */
static void test_first_failure_in_order(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct rig rig;
        open_invariant(&rig, "    check: n < 3\n  j:\n    sql: ROWS a int4 = [(:n,)]\n    check: "
                             "result.value < 2\n  k:\n    sql: ROWS a int4 = [(:n,)]\n    check: "
                             "result.value < 2");
        rig.options.no_pipeline = i;
        const struct failure *failure = rig_failure(&rig);
        assert_string_equal(failure->identity, "invariant j");
        assert_int_equal(failure->step, 2);
        assert_int_equal(rig.result.stats.steps, 2);
        assert_int_equal(rig.result.stats.invariants[0].checked, 3);
        assert_int_equal(rig.result.stats.invariants[1].checked, 3);
        assert_int_equal(rig.result.stats.invariants[2].checked, 2);
        rig_close(&rig);
    }
}

/* Those of one `for` and one context go together, so that the context changes with the value; those
 * that are not due, or not alike, do not. */
static void test_asked_value_by_value(void **state)
{
    (void)state;
    static const char yaml[] = "machine: test\n"
                               "model: n = 0\n"
                               "initialize:\n"
                               "  - sql: ROWS id int4 = [(1,), (2,)]\n"
                               "    target: users\n"
                               "contexts:\n"
                               "  one: {role: one}\n"
                               "  two: {role: two}\n"
                               "rules:\n"
                               "  step: {model: n += 1}\n"
                               "invariants:\n"
                               "  a: {for: {u: users}, as: one, sql: 'ROWS a int4 = [(:u,)]', "
                               "expect: u}\n"
                               "  b: {for: {u: users}, as: one, sql: 'ROWS b int4 = [(:u,)]', "
                               "expect: u, every: 2}\n"
                               "  c: {for: {u: users}, as: one, sql: 'ROWS c int4 = [(:u,)]', "
                               "expect: u, precondition: u == 1}\n"
                               "  d: {for: {u: users}, as: two, sql: 'ROWS d int4 = [(:u,)]', "
                               "expect: u}\n"
                               "  e: {for: {v: users}, as: two, sql: 'ROWS e int4 = [(:v,)]', "
                               "expect: v}\n";
    for (int i = 0; i < 2; i++) {
        struct rig rig;
        rig_open(&rig, yaml, literal_script, NULL, 0);
        rig.options.settings.steps = 1;
        rig.options.no_pipeline = i;
        rig_run_ok(&rig);
        const struct run_stats *stats = &rig.result.stats;
        assert_int_equal(stats->invariants[0].checked, 4);
        assert_int_equal(stats->invariants[1].checked,
                         4); /* the last step is checked in any case */
        assert_int_equal(stats->invariants[2].checked, 2);
        assert_int_equal(stats->invariants[2].skipped, 2);
        char order[64] = "";
        for (const char *at = fake_log(&rig.fake); (at = strstr(at, "int4 = [(:")); at++) {
            size_t size = strlen(order);
            order[size] = at[-2];
            order[size + 1] = '\0';
        }
        /* After initialize; after the step, and b at the end. */
        assert_string_equal(order, "abcabddeeacaddeebb");
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_for_values_are_shown),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_scope),
        cmocka_unit_test(test_first_failure_in_order),
        cmocka_unit_test(test_asked_value_by_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
