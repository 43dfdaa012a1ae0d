/* A single step: what is compared, in which order, and how the model changes. */
#include "support/literal.h"
#include "support/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A machine whose one rule is `rule` (YAML, its lines indented by four), run for one step. */
static struct rig *open_rule(struct rig *rig, const char *rule)
{
    struct strbuf yaml = {0};
    strbuf_addf(&yaml, "machine: test\nmodel: |\n  n = 1\n  seen = []\nrules:\n  r:\n%s\n", rule);
    rig_open(rig, strbuf_text(&yaml), literal_script, NULL, 0);
    strbuf_free(&yaml);
    rig->options.settings.steps = 1;
    return rig;
}

/* The verdict of a rule's single step. */
struct verdict {
    const char *rule;
    const char *identity; /* NULL: it holds */
    enum failure_kind kind;
    const char *expected;
    const char *actual;
};

static const struct verdict verdicts[] = {
    /* errors */
    {"    sql: COUNT 1", NULL, 0, NULL, NULL},
    {"    sql: FAIL 23505 users_email_key users", "rule r: 23505 users_email_key users",
     FAILURE_UNEXPECTED_ERROR, "no error", "unique_violation (23505)"},
    {"    sql: FAIL P0001 - -", "rule r: P0001", FAILURE_UNEXPECTED_ERROR, "no error",
     "raise_exception (P0001)"},
    {"    sql: FAIL 57014 - -", "rule r: timeout", FAILURE_TIMEOUT, "no error",
     "query_canceled (57014)"},
    {"    sql: FAIL 23505 - -\n    raises: unique_violation", NULL, 0, NULL, NULL},
    {"    sql: FAIL 23505 - -\n    raises: '\"23505\"'", NULL, 0, NULL, NULL},
    {"    sql: FAIL 23505 - -\n    raises: None", "rule r: 23505", FAILURE_UNEXPECTED_ERROR,
     "no error", "unique_violation (23505)"},
    {"    sql: FAIL 23505 - -\n    raises: unique_violation if n == 1 else None", NULL, 0, NULL,
     NULL},
    {"    sql: COUNT 1\n    raises: unique_violation if n == 2 else None", NULL, 0, NULL, NULL},
    {"    sql: COUNT 1\n    raises: unique_violation", "rule r: unique_violation did not come",
     FAILURE_MISSING_ERROR, "unique_violation (23505)", "no error"},
    {"    sql: FAIL 23503 - -\n    raises: unique_violation", "rule r: 23503",
     FAILURE_DIFFERENT_ERROR, "unique_violation (23505)", "foreign_key_violation (23503)"},
    {"    sql: FAIL 23505 a -\n    raises: error(unique_violation, constraint=\"b\")",
     "rule r: 23505 a", FAILURE_DIFFERENT_ERROR, "unique_violation (23505) of constraint b",
     "unique_violation (23505)"},
    {"    sql: FAIL P0001 - - closed\n    raises: error(\"P0001\", message=\"close\")", NULL, 0,
     NULL, NULL},
    {"    sql: FAIL 23505 - -\n    raises: '[None, unique_violation]'", NULL, 0, NULL, NULL},
    {"    sql: COUNT 1\n    raises: '[None, unique_violation]'", NULL, 0, NULL, NULL},
    {"    sql: FAIL 23503 - -\n    raises: '[None, unique_violation]'", "rule r: 23503",
     FAILURE_DIFFERENT_ERROR, "no error or unique_violation (23505)",
     "foreign_key_violation (23503)"},
    /* several statements: the first error is the one that counts, the last answer too */
    {"    sql:\n      - sql: FAIL 23505 - -\n      - sql: FAIL 23503 - -", "rule r: 23505",
     FAILURE_UNEXPECTED_ERROR, "no error", "unique_violation (23505)"},
    {"    sql:\n      - sql: ROWS a int4 = [(1,)]\n      - sql: ROWS a int4 = [(2,)]\n    expect: "
     "2",
     NULL, 0, NULL, NULL},
    {"    sql:\n      - sql: COUNT 1\n      - sql: FAIL 23505 - -\n    raises: unique_violation",
     NULL, 0, NULL, NULL},
    /* expect: computed before `model` runs */
    {"    sql: ROWS a int4 = [(1,)]\n    expect: n", NULL, 0, NULL, NULL},
    {"    sql: ROWS a int4 = [(1,)]\n    expect: n\n    model: n = 2", NULL, 0, NULL, NULL},
    {"    sql: ROWS a int4 = [(1,)]\n    expect: seen\n    model: seen.append(1)", "rule r: expect",
     FAILURE_EXPECT, "no rows", "1 row"},
    {"    sql: ROWS a int4 = []\n    expect: seen\n    model: seen.append(1)", NULL, 0, NULL, NULL},
    {"    sql: ROWS a int4 = [(2,)]\n    expect: n", "rule r: expect", FAILURE_EXPECT, "1", "2"},
    /* a predicted error leaves the rest alone */
    {"    sql: FAIL P0001 - -\n    raises: raise_exception\n    expect: 1\n    check: \"False\"",
     NULL, 0, NULL, NULL},
    /* affects */
    {"    sql: COUNT 3\n    affects: 2 + 1", NULL, 0, NULL, NULL},
    {"    sql: COUNT 3\n    affects: n", "rule r: affects", FAILURE_EXPECT, "1 row", "3 rows"},
    {"    sql: ROWS a int4 = [(1,)]\n    affects: 1", NULL, 0, NULL, NULL},
    {"    sql: ROWS a int4 = []\n    affects: 1", "rule r: affects", FAILURE_EXPECT, "1 row",
     "no rows"},
    /* check */
    {"    sql: COUNT 3\n    check: result.count == 3", NULL, 0, NULL, NULL},
    {"    sql: COUNT 3\n    check: [result.count == 3, result.count > 3]", "rule r: check",
     FAILURE_CHECK, "result.count > 3", "False"},
    {"    check: n == 1", NULL, 0, NULL, NULL},
    {"    check: n == 2", "rule r: check", FAILURE_CHECK, "n == 2", "False"},
    {"    sql: ROWS a int4 = [(1,)]\n    check: result.rows", NULL, 0, NULL, NULL},
    {"    sql: ROWS a int4 = []\n    check: result.rows", "rule r: check", FAILURE_CHECK,
     "result.rows", "[]"},
};

static void check_verdicts(const struct verdict *all, size_t count)
{
    for (size_t i = 0; i < 2 * count; i++) {
        const struct verdict *verdict = &all[i / 2];
        struct rig rig;
        open_rule(&rig, verdict->rule)->options.no_pipeline = i % 2;
        if (!rig_run(&rig)) {
            fail_msg("%s: %s", verdict->rule, rig.err.message);
        }
        if (rig.result.failures.count != (verdict->identity != NULL)) {
            fail_msg("%s: %zu failures", verdict->rule, rig.result.failures.count);
        }
        if (verdict->identity) {
            const struct failure *failure = &rig.result.failures.items[0];
            assert_string_equal(failure->identity, verdict->identity);
            assert_int_equal(failure->kind, verdict->kind);
            assert_string_equal(failure->expected, verdict->expected);
            assert_string_equal(failure->actual, verdict->actual);
            assert_int_equal(failure->step, 1);
            assert_false(failure->flaky);
            assert_string_equal(failure->rule->name, "r");
        }
        rig_close(&rig);
    }
}

static void test_verdicts(void **state)
{
    (void)state;
    check_verdicts(verdicts, sizeof verdicts / sizeof *verdicts);
}

/* With `errors: any`: what nothing predicts is no failure; all other failures stay. */
static const struct verdict any_error_verdicts[] = {
    {"    sql: COUNT 1", NULL, 0, NULL, NULL},
    {"    sql: FAIL P0001 - -", NULL, 0, NULL, NULL},
    {"    sql: FAIL 57014 - -", NULL, 0, NULL, NULL},
    {"    sql: FAIL 23503 - -\n    raises: unique_violation", NULL, 0, NULL, NULL},
    {"    sql: FAIL 23505 - -\n    raises: None", NULL, 0, NULL, NULL},
    {"    sql: COUNT 1\n    raises: unique_violation",
     "rule r: unique_violation error did not come", FAILURE_MISSING_ERROR,
     "unique_violation (23505) or an error", "no error"},
    {"    sql: COUNT 3\n    affects: n", "rule r: affects", FAILURE_EXPECT, "1 row", "3 rows"},
    {"    sql: COUNT 3\n    check: \"False\"", "rule r: check", FAILURE_CHECK, "False", "False"},
    {"    sql: FAIL P0001 - -\n    expect: 1\n    check: \"False\"", NULL, 0, NULL, NULL},
};

static void test_any_error(void **state)
{
    (void)state;
    struct rig rig;
    for (size_t i = 0; i < sizeof any_error_verdicts / sizeof *any_error_verdicts; i++) {
        const struct verdict *verdict = &any_error_verdicts[i];
        open_rule(&rig, verdict->rule)->options.settings.errors = ERRORS_ANY;
        rig_run_ok(&rig);
        if (rig.result.failures.count != (verdict->identity != NULL)) {
            fail_msg("%s: %zu failures", verdict->rule, rig.result.failures.count);
        }
        if (verdict->identity) {
            const struct failure *failure = &rig.result.failures.items[0];
            assert_string_equal(failure->identity, verdict->identity);
            assert_int_equal(failure->kind, verdict->kind);
            assert_string_equal(failure->expected, verdict->expected);
            assert_string_equal(failure->actual, verdict->actual);
        }
        rig_close(&rig);
    }
    open_rule(&rig, "    sql: FAIL P0001 - -\ninvariants:\n  i: {sql: FAIL P0001 - -}");
    rig.options.settings.errors = ERRORS_ANY;
    assert_string_equal(rig_failure(&rig)->identity, "invariant i: P0001");
    rig_close(&rig);
}

/* What the rule's model prints, in one step (or what an error says). */
struct effect {
    const char *rule;
    const char *printed;
};

static void check_effects(const struct effect *effects, size_t count, int64_t steps)
{
    for (size_t i = 0; i < 2 * count; i++) {
        struct rig rig;
        open_rule(&rig, effects[i / 2].rule)->options.no_pipeline = i % 2;
        rig.options.settings.steps = steps;
        if (!rig_run(&rig)) {
            strbuf_adds(&rig.printed, rig.err.message);
        }
        if (rig.result.failures.count) {
            fail_msg("%s: %s", effects[i / 2].rule, rig.result.failures.items[0].identity);
        }
        if (strcmp(strbuf_text(&rig.printed), effects[i / 2].printed) != 0) {
            fail_msg("%s: %s", effects[i / 2].rule, strbuf_text(&rig.printed));
        }
        rig_close(&rig);
    }
}

#define CHECK_EFFECTS(effects, steps)                                                              \
    check_effects(effects, sizeof(effects) / sizeof *(effects), steps)

static void test_result(void **state)
{
    (void)state;
    static const struct effect effects[] = {
        {"    sql: ROWS a int4, b text = [(1, 'x'), (2, 'y')]\n    model: print(result.rows, "
         "result.count, result.columns)",
         "[(1, \"x\"), (2, \"y\")] 2 [\"a\", \"b\"]\n"},
        {"    sql: ROWS a int4, b text = [(1, 'x')]\n    model: print(result.row.b, result.row[0])",
         "x 1\n"},
        {"    sql: ROWS a int4 = [(7,)]\n    model: print(result.value)", "7\n"},
        {"    sql: COUNT 4\n    model: print(result.count, result.rows)", "4 []\n"},
        {"    sql: ROWS a int4 = []\n    model: print(result.value)",
         "result.value needs exactly one row, but there are 0"},
        {"    sql: ROWS a int4 = [(1,), (2,)]\n    model: print(result.row)",
         "result.row needs exactly one row, but there are 2"},
        {"    sql: ROWS a int4, b int4 = [(1, 2)]\n    model: print(result.value)",
         "result.value needs exactly one column, but there are 2 columns"},
        {"    sql: COUNT 1\n    model: print(result.value)",
         "result.value needs a row, but FAKE returns none"},
    };
    CHECK_EFFECTS(effects, 1);
}

/* What statements expect of themselves. */
static const struct verdict statement_verdicts[] = {
    {"    sql:\n      - {sql: 'ROWS a int4 = [(1,)]', expect: n}\n      - COUNT 2", NULL, 0, NULL,
     NULL},
    {"    sql:\n      - {sql: 'ROWS a int4 = [(2,)]', expect: n}\n      - COUNT 2\n    affects: 3",
     "rule r: expect", FAILURE_EXPECT, "1", "2"},
    {"    sql:\n      - {sql: 'ROWS a int4 = [(1,)]', expect: n}\n      - COUNT 2\n    affects: 3",
     "rule r: affects", FAILURE_EXPECT, "3 rows", "2 rows"},
    {"    sql:\n      - {sql: COUNT 2, affects: 1}\n      - COUNT 2", "rule r: affects",
     FAILURE_EXPECT, "1 row", "2 rows"},
    /* before the model changes */
    {"    sql:\n      - {sql: 'ROWS a int4 = [(1,)]', expect: n}\n      - COUNT 2\n    model: n = "
     "2",
     NULL, 0, NULL, NULL},
    {"    sql:\n      - {sql: 'ROWS a int4 = []', expect: seen}\n      - COUNT 2\n    model: "
     "seen.append(1)",
     NULL, 0, NULL, NULL},
    /* a later statement expects what an earlier one returned */
    {"    sql:\n      - {sql: 'ROWS a int4 = [(5,)]', result: read}\n      - {sql: 'ROWS a int4 = "
     "[(4,)]', expect: read.a - 1}",
     NULL, 0, NULL, NULL},
    {"    sql:\n      - {sql: 'ROWS a int4 = [(5,)]', result: read}\n      - {sql: 'ROWS a int4 = "
     "[(5,)]', expect: read.a - 1}",
     "rule r: expect", FAILURE_EXPECT, "4", "5"},
    /* an error comes first, and none is expected of a step that fails */
    {"    sql:\n      - {sql: 'ROWS a int4 = [(2,)]', expect: n}\n      - FAIL 23505 - -",
     "rule r: 23505", FAILURE_UNEXPECTED_ERROR, "no error", "unique_violation (23505)"},
    {"    raises: unique_violation\n    sql:\n      - {sql: 'ROWS a int4 = [(2,)]', expect: n}\n   "
     " "
     "  - FAIL 23505 - -",
     NULL, 0, NULL, NULL},
    {"    raises: unique_violation\n    sql:\n      - {sql: FAIL 23505 - -, result: read}\n      - "
     "'ROWS a int4 = [(:read.a,)]'",
     NULL, 0, NULL, NULL},
};

static void test_statement_verdicts(void **state)
{
    (void)state;
    check_verdicts(statement_verdicts, sizeof statement_verdicts / sizeof *statement_verdicts);
}

/* A later statement uses the answer of an earlier one. */
static void test_named_answers(void **state)
{
    (void)state;
    static const struct effect effects[] = {
        {"    sql:\n      - {sql: 'ROWS a int4, b int4 = [(5, 6)]', result: read}\n      - 'ROWS a "
         "int4 = [(:read.a + :read.b,)]'\n    model: print(result.value, read.b, read.row.a)",
         "11 6 5\n"},
        /* computed in between, by the client alone */
        {"    args: {k: 3}\n    sql:\n      - {sql: 'ROWS a int4 = [(5,)]', result: read}\n      - "
         "let: {rest: read.value - k, twice: 2 * rest}\n        sql: 'ROWS a int4 = [(:twice,)]'\n "
         "  "
         " model: print(result.value, rest)",
         "4 2\n"},
        /* what waits for nothing */
        {"    sql:\n      - {let: {k: n + 1}, sql: 'ROWS a int4 = [(:k,)]'}\n    model: print(k)",
         "2\n"},
        {"    sql:\n      - {sql: COUNT 4, result: changed}\n      - COUNT 1\n    check: "
         "changed.count "
         "== 4\n    model: print(changed.count)",
         "4\n"},
        {"    sql:\n      - {sql: 'ROWS a int4 = []', result: read}\n      - 'ROWS a int4 = "
         "[(:read.a,)]'",
         "result.a needs exactly one row, but there are 0"},
        {"    sql:\n      - {sql: 'ROWS a int4 = [(1,)]', result: read}\n      - 'ROWS a int4 = "
         "[(:read.b,)]'",
         "the answer has no 'b', and no column of that name"},
        /* outside of a transaction the model describes what an error left */
        {"    transaction: none\n    raises: '[None, raise_exception]'\n    sql:\n      - {sql: "
         "FAIL "
         "P0001 - -, result: read}\n      - let: {rest: read.a}\n        sql: 'ROWS a int4 = "
         "[(:rest,)]'\n    model: print(read, rest)",
         "None None\n"},
    };
    CHECK_EFFECTS(effects, 1);
}

static void test_arguments(void **state)
{
    (void)state;
    static const struct effect effects[] = {
        /* in the order written; a later one may use an earlier one */
        {"    args: {a: 'integers(3, 9)', b: 'integers(a, 2 * a)'}\n    model: print(a, b)",
         "3 3\n"},
        {"    args: {a: 5, b: a + 1}\n    model: print(a, b)", "5 6\n"},
        /* let: derived, for sql and everything after */
        {"    args: {a: 'integers(3, 9)'}\n    let: {b: a * 2, c: b + n}\n    sql: ROWS x int4 = "
         "[(:c,)]\n    expect: c\n    model: print(a, b, c)",
         "3 6 7\n"},
        /* where: drawn again until it is true */
        {"    args: {a: 'integers(0, 9)'}\n    where: a > 2\n    model: print(a)", "3\n"},
        {"    args: {a: 'integers(0, 9)'}\n    where: a > 9\n    model: print(a)", ""},
        {"    args: {a: 'integers(n, n - 1)'}\n    model: print(a)", ""},
        {"    args: {a: 'sampled_from(seen)'}\n    model: print(a)", ""},
        {"    args: {a: 'integers(0, 9)', b: 'integers(1, a)'}\n    model: print(a, b)", "1 1\n"},
    };
    CHECK_EFFECTS(effects, 1);
}

/* Without a transaction, the effects before an error stay. */
static void test_outside(void **state)
{
    (void)state;
    static const struct effect effects[] = {
        {"    transaction: none\n    sql: FAIL P0001 - -\n    raises: raise_exception\n    model: "
         "print(n)",
         "1\n"},
        {"    transaction: none\n    sql: FAIL P0001 - -\n    raises: '[None, "
         "raise_exception]'\n    check: result.count == 2\n    model: print(result)",
         "None\n"},
        {"    transaction: none\n    sql: COUNT 2\n    raises: '[None, raise_exception]'\n    "
         "check: result.count == 2\n    model: print(result.count)",
         "2\n"},
        {"    sql: FAIL P0001 - -\n    raises: raise_exception\n    model: print(n)", ""},
    };
    CHECK_EFFECTS(effects, 1);
}

/* A name first assigned in a rule's model is local to that step. */
static void test_locals_are_of_the_step(void **state)
{
    (void)state;
    static const struct effect effects[] = {
        {"    model: |\n      if n == 1:\n        x = 5\n      n += 1\n      print(x)\n",
         "5\nlocal variable 'x' is read before it is assigned"},
    };
    struct rig rig;
    open_rule(&rig, effects[0].rule)->options.settings.steps = 2;
    assert_false(rig_run(&rig));
    assert_int_equal(rig.err.code, ERROR_MACHINE);
    assert_non_null(strstr(rig.err.message, "'x'"));
    assert_string_equal(strbuf_text(&rig.printed), "5\n");
    assert_int_equal(source_place(rig.err.pos).line, 11);
    rig_close(&rig);
}

static void test_targets(void **state)
{
    (void)state;
    static const struct effect effects[] = {
        {"    sql: ROWS a int4 = [(:n,), (:n + 10,)]\n    target: things\n    model: |\n      "
         "print(list(things))\n      n += 1\n",
         "[]\n[1, 11]\n[1, 11, 2, 12]\n"},
        {"    sql: ROWS a int4, b int4 = [(1, 2)]\n    target: things\n    returns: result.row.b\n "
         "   "
         "model: print(list(things))",
         "[]\n[2]\n[2, 2]\n"},
        {"    target: things\n    returns: multiple(n, n)\n    model: print(list(things))",
         "[]\n[1, 1]\n[1, 1, 1, 1]\n"},
        {"    target: things\n    returns: multiple()\n    model: print(list(things))",
         "[]\n[]\n[]\n"},
        {"    target: things\n    returns: '[n, n]'\n    model: print(list(things))",
         "[]\n[[1, 1]]\n[[1, 1], [1, 1]]\n"},
        {"    target: [things, others]\n    returns: n\n    model: print(len(things), len(others))",
         "0 0\n1 1\n2 2\n"},
        /* collections of the model */
        {"    target: seen\n    returns: n\n    model: print(seen)", "[]\n[1]\n[1, 1]\n"},
    };
    CHECK_EFFECTS(effects, 3);
}

/* A list or set takes the value, a dict has it as key. */
static void test_collection_targets(void **state)
{
    (void)state;
    static const char *const yaml = "machine: test\n"
                                    "model: |\n"
                                    "  numbers = set()\n"
                                    "  names = {}\n"
                                    "  order = []\n"
                                    "rules:\n"
                                    "  add:\n"
                                    "    let: {k: 2 * len(numbers)}\n"
                                    "    sql: ROWS a int4 = [(:k,), (:k + 1,)]\n"
                                    "    target: [numbers, names, order]\n"
                                    "    value: '[k]'\n"
                                    "  show:\n"
                                    "    args: {number: numbers, name: names, place: order}\n"
                                    "    model: print(numbers, names, order)\n";
    struct rig rig;
    rig_open(&rig, yaml, literal_script, NULL, 0);
    rig.options.settings.steps = 2;
    struct example_plan plan = {.way = &example_ways[WAY_SIMPLEST], .number = 1};
    rig_start(&rig);
    rig_example(&rig, &plan);
    assert_string_equal(strbuf_text(&rig.printed), "set([0, 1]) {0: [0], 1: [0]} [0, 1]\n");
    const struct choices *choices = &rig.engine.example.steps.items[1]->choices;
    for (size_t i = 0; i < 3; i++) { /* each was drawn as what the first step returned first */
        assert_int_equal(choices->items.items[i].kind, CHOICE_REFERENCE);
        assert_int_equal(choices->items.items[i].as.reference.step, 0);
        assert_int_equal(choices->items.items[i].as.reference.output, 0);
    }
    assert_string_equal(rig.engine.example.steps.items[1]->drawn[0].reference, "numbers_1");
    assert_string_equal(rig.engine.example.steps.items[1]->drawn[1].reference, "names_1");
    rig_stop(&rig);
    rig_close(&rig);
}

/* A check that is one comparison, also in a branch, tells its sides. Two collections tell what they
 * differ in. */
static void test_sides(void **state)
{
    (void)state;
    static const struct {
        const char *rule; /* of one value, 2, or several rows, 1 and 2 */
        const char *source, *op, *left, *right;
        size_t missing, unexpected, changed;
    } checks[] = {
        {"    sql: ROWS a int4 = [(2,)]\n    check: result.value == n", "result.value", "==", "2",
         "1", 0, 0, 0},
        {"    sql: ROWS a int4 = [(2,)]\n    check: ( result.value )!=2", "( result.value )",
         "!=", "2", "2", 0, 0, 0},
        {"    sql: ROWS a int4 = [(2,)]\n    check: (result.value < n)", "result.value", "<", "2",
         "1", 0, 0, 0},
        {"    sql: ROWS a int4 = [(2,)]\n    check: result.value not in [n, 2]", "result.value",
         "not in", "2", "[1, 2]", 0, 0, 0},
        {"    sql: ROWS a int4 = [(1,), (2,)]\n    check: bag([r.a for r in result.rows]) == "
         "bag([2, 3, 4])",
         "bag([r.a for r in result.rows])", "==", "bag([1, 2])", "bag([2, 3, 4])", 2, 1, 0},
        /* what the answer has no part in is what was expected */
        {"    sql: ROWS a int4 = [(1,), (2,)]\n    check: '{2, 3, 4} == set([r.a for r in "
         "result.rows])'",
         "{2, 3, 4}", "==", "set([2, 3, 4])", "set([1, 2])", 2, 1, 0},
        {"    sql: ROWS a int4 = [(1,), (2,)]\n    check: '{r.a: r.a for r in result.rows} == {1: "
         "1, "
         "2: 1}'",
         "{r.a: r.a for r in result.rows}", "==", "{1: 1, 2: 2}", "{1: 1, 2: 1}", 0, 0, 1},
        {"    check: n == 2", "n", "==", "1", "2", 0, 0, 0},
        /* the branch that counts */
        {"    sql: ROWS a int4 = [(2,)]\n    check: result.value in [n] if n else n == 5",
         "result.value", "in", "2", "[1]", 0, 0, 0},
        {"    sql: ROWS a int4 = [(2,)]\n    check: n == 5 if n > 1 else (result.value + n) == 2",
         "(result.value + n)", "==", "3", "2", 0, 0, 0},
        {"    check: n == 2 and n == 3", NULL, NULL, NULL, NULL, 0, 0, 0},
        {"    check: not n", NULL, NULL, NULL, NULL, 0, 0, 0},
        {"    check: n - 1", NULL, NULL, NULL, NULL, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        struct rig rig;
        const struct failure *failure = rig_failure(open_rule(&rig, checks[i].rule));
        const struct shown_sides *sides = &failure->sides;
        const char *const told[] = {sides->source, sides->op, sides->left, sides->right};
        const char *const wanted[] = {checks[i].source, checks[i].op, checks[i].left,
                                      checks[i].right};
        for (size_t j = 0; j < 4; j++) {
            if (wanted[j]) {
                assert_string_equal(told[j], wanted[j]);
            } else {
                assert_null(told[j]);
            }
        }
        size_t kinds[3] = {0};
        for (size_t j = 0; j < failure->differences.count; j++) {
            kinds[failure->differences.items[j].kind]++;
        }
        assert_int_equal(kinds[DIFFERENCE_MISSING], checks[i].missing);
        assert_int_equal(kinds[DIFFERENCE_UNEXPECTED], checks[i].unexpected);
        assert_int_equal(kinds[DIFFERENCE_CHANGED], checks[i].changed);
        rig_close(&rig);
    }
}

/* Keys of two tables are equal: what an argument is drawn from says whose it is, when a step is run
 * again, too. */
static void test_equal_keys(void **state)
{
    (void)state;
    static const char *const yaml =
        "machine: test\n"
        "model: bookings = {}\n"
        "initialize:\n"
        "  - {sql: 'ROWS id int4 = [(1,), (2,)]', target: rooms}\n"
        "rules:\n"
        "  book: {args: {room: rooms}, sql: 'ROWS id int4 = [(1,)]', target: bookings}\n"
        "  move:\n"
        "    args:\n"
        "      room: rooms\n"
        "      booking: bookings\n"
        "      all: lists(bookings, min_size=1)\n"
        "      some: 'sampled_from(bookings).filter(lambda b: b < 2)'\n"
        "      both: tuples(rooms, bookings)\n"
        "      flat: 'sampled_from(bookings).flatmap(lambda b: sampled_from([b]))'\n"
        "    sql: COUNT 1\n"
        "invariants:\n"
        "  each: {for: {booking: bookings}, check: booking < 1, when: end}\n";
    struct rig rig;
    rig_open(&rig, yaml, literal_script, NULL, 0);
    rig.options.settings.steps = 2;
    struct example_plan plan = {.way = &example_ways[WAY_SIMPLEST], .number = 1};
    struct trace trace;
    rig_start(&rig);
    for (int again = 0; again < 2; again++) {
        rig_example(&rig, &plan);
        const struct step *step = rig.engine.example.steps.items[2];
        const struct choices *choices = &step->choices;
        assert_string_equal(step->drawn[0].reference, "rooms_1");
        assert_int_equal(choices->items.items[0].as.reference.step, 0);
        assert_string_equal(step->drawn[1].reference, "bookings_1");
        assert_int_equal(choices->items.items[1].as.reference.step, 1);
        assert_string_equal(step->drawn[2].reference, "[bookings_1]");
        assert_string_equal(step->drawn[3].reference, "bookings_1");
        assert_string_equal(step->drawn[4].reference, "(rooms_1, bookings_1)");
        assert_string_equal(step->drawn[5].reference, "bookings_1");
        assert_string_equal(rig.engine.example.failure->fors.items[0].reference, "bookings_1");
        trace = trace_copy(&rig.results, &rig.engine.example.trace);
        plan = (struct example_plan){.trace = &trace};
    }
    rig_stop(&rig);
    rig_close(&rig);
}

/* Consumed values are put back if the step is abandoned or raises a predicted error. */
static void test_consumes(void **state)
{
    (void)state;
    static const char *const yaml = "machine: test\n"
                                    "initialize:\n"
                                    "  - sql: ROWS a int4 = [(1,), (2,), (3,)]\n"
                                    "    target: things\n"
                                    "rules:\n"
                                    "  refused:\n"
                                    "    args: {a: consumes(things), b: consumes(things)}\n"
                                    "    where: a == b\n"
                                    "    model: pass\n"
                                    "  fails:\n"
                                    "    args: {a: consumes(things)}\n"
                                    "    sql: FAIL P0001 - -\n"
                                    "    raises: raise_exception\n"
                                    "  perhaps:\n"
                                    "    args: {a: consumes(things)}\n"
                                    "    sql: FAIL P0001 - -\n"
                                    "    raises: '[None, raise_exception]'\n"
                                    "  takes:\n"
                                    "    args: {a: consumes(things), b: consumes(things)}\n"
                                    "    model: print(a, b, list(things))\n";
    for (int i = 0; i < 2; i++) {
        struct rig rig;
        rig_open(&rig, yaml, literal_script, NULL, 0);
        rig.options.no_pipeline = i;
        rig.options.settings.steps = 3;
        rig_run_ok(&rig);
        assert_string_equal(strbuf_text(&rig.printed), "1 2 [3]\n");
        const struct run_stats *stats = &rig.result.stats;
        assert_int_equal(stats->rules[0].given_up, 1);
        assert_int_equal(stats->rules[1].ran, 1);
        assert_int_equal(stats->rules[2].ran, 1);
        assert_int_equal(stats->rules[3].ran, 1);
        assert_int_equal(stats->steps, 3);
        assert_int_equal(stats->given_up, 1);
        rig_close(&rig);
    }
}

static const char contexts[] = "machine: test\n"
                               "model: |\n"
                               "  boss = \"ann\"\n"
                               "contexts:\n"
                               "  boss: {role: authenticated, claims: '{\"sub\": boss}'}\n"
                               "  actor: {role: ':who'}\n"
                               "as: boss\n"
                               "rules:\n"
                               "  by_default:\n"
                               "    sql: COUNT 1\n"
                               "  drawn:\n"
                               "    args: {who: 'sampled_from([\"bob\", \"cid\"])'}\n"
                               "    as: actor\n"
                               "    sql: COUNT 2\n"
                               "  several:\n"
                               "    sql:\n"
                               "      - sql: COUNT 3\n"
                               "      - {as: {role: other}, sql: COUNT 4}\n";

static void test_contexts(void **state)
{
    (void)state;
    struct rig rig;
    rig_open(&rig, contexts, literal_script, NULL, 0);
    rig.options.settings.check_deferred = CHECK_DEFERRED_NEVER;
    rig.options.settings.steps = 3;
    rig_run_ok(&rig);
    assert_string_equal(fake_log(&rig.fake), "mark\n"
                                             "authenticated: COUNT 1\n"
                                             "bob: COUNT 2\n"
                                             "authenticated: COUNT 3\n"
                                             "other: COUNT 4\n"
                                             "reset\n");
    rig_close(&rig);
}

/* Expressions of a context, as the text that a setting takes. */
static void test_settings(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        const char *text;
    } settings[] = {
        {"None", ""},
        {"'\"it is\"'", "it is"},
        {"True", "true"},
        {"7", "7"},
        {"1.50", "1.50"},
        {"'[1, None]'", "[1,null]"},
        {"'{\"a\": who}'", "{\"a\":3}"},
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        struct rig rig;
        struct strbuf rule = {0};
        struct strbuf log = {0};
        strbuf_addf(&rule,
                    "    args: {who: 'integers(3, 5)', name: 'sampled_from([\"u\"])'}\n"
                    "    as:\n"
                    "      session_user: ':name'\n"
                    "      settings: {app.x: %s}\n"
                    "      claims: '{\"sub\": who}'\n"
                    "    sql: COUNT 1\n",
                    settings[i].value);
        strbuf_addf(&log, "u/ app.x=%s request.jwt.claims={\"sub\":3}: COUNT 1\n",
                    settings[i].text);
        open_rule(&rig, strbuf_text(&rule))->fake.log_contexts = true;
        rig_run_ok(&rig);
        if (!strstr(fake_log(&rig.fake), strbuf_text(&log))) {
            fail_msg("%s", fake_log(&rig.fake));
        }
        strbuf_free(&rule);
        strbuf_free(&log);
        rig_close(&rig);
    }
}

/* A context is evaluated again where something that it reads has changed: assigned anew, or within
 * a list that stays the same list; and in each example. */
static void test_changing_contexts(void **state)
{
    (void)state;
    static const struct {
        const char *setting;
        const char *moves;
        const char *texts[4]; /* in the steps of one example */
    } cases[] = {
        {"n", "n += 1", {"0", "1", "2", "3"}},
        {"n // 2", "n += 1", {"0", "0", "1", "1"}},
        {"n", "n = None if n == 0 else 0", {"0", "", "0", ""}},
        {"n", "n = not n", {"0", "true", "false", "true"}},
        {"n",
         "n = 36893488147419103232 + n",
         {"0", "36893488147419103232", "73786976294838206464", "110680464442257309696"}},
        {"n", "n = str(n) + \"x\"", {"0", "0x", "0xx", "0xxx"}},
        {"len(seen)", "seen.append(n)", {"0", "1", "2", "3"}},
        {"'[seen, n]'", "seen.append(n)", {"[[],0]", "[[0],0]", "[[0,0],0]", "[[0,0,0],0]"}},
        {"twice()", "n += 1", {"0", "2", "4", "6"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig rig;
        struct strbuf yaml = {0};
        struct strbuf log = {0};
        strbuf_addf(&yaml,
                    "machine: test\n"
                    "model: |\n"
                    "  n = 0\n"
                    "  seen = []\n"
                    "  def twice():\n"
                    "    return 2 * n\n"
                    "rules:\n"
                    "  r:\n"
                    "    as: {settings: {app.x: %s}}\n"
                    "    sql: COUNT 1\n"
                    "    model: '%s'\n",
                    cases[i].setting, cases[i].moves);
        strbuf_adds(&log, "mark\n");
        for (size_t j = 0; j < 8; j++) {
            const char *text = cases[i].texts[j % 4];
            strbuf_addf(&log, " app.x=%s: COUNT 1\n%s", text, j % 4 == 3 ? "reset\n" : "");
        }
        rig_open(&rig, strbuf_text(&yaml), literal_script, NULL, 0);
        rig.options.settings.check_deferred = CHECK_DEFERRED_NEVER;
        rig.options.settings.steps = 4;
        rig.options.settings.examples = 2;
        rig.fake.log_contexts = true;
        rig_run_ok(&rig);
        assert_string_equal(fake_log(&rig.fake), strbuf_text(&log));
        strbuf_free(&yaml);
        strbuf_free(&log);
        rig_close(&rig);
    }
}

static void test_deferred(void **state)
{
    (void)state;
    static const struct {
        enum check_deferred when;
        const char *log;
    } cases[] = {
        {CHECK_DEFERRED_STEP, "mark\n"
                              "authenticated: COUNT 1\n"
                              "authenticated: deferred\n"
                              "bob: COUNT 2\n"
                              "bob: deferred\n"
                              "reset\n"},
        {CHECK_DEFERRED_END, "mark\n"
                             "authenticated: COUNT 1\n"
                             "bob: COUNT 2\n"
                             "bob: deferred\n"
                             "reset\n"},
        {CHECK_DEFERRED_NEVER, "mark\n"
                               "authenticated: COUNT 1\n"
                               "bob: COUNT 2\n"
                               "reset\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig rig;
        rig_open(&rig, contexts, literal_script, NULL, 0);
        rig.options.settings.check_deferred = cases[i].when;
        rig.options.settings.steps = 2;
        rig_run_ok(&rig);
        assert_string_equal(fake_log(&rig.fake), cases[i].log);
        rig_close(&rig);
    }
}

/* Every step and every check begins a request; deferred constraints belong to the step's, unless
 * they are checked at the end alone. */
static void test_requests(void **state)
{
    (void)state;
    static const char yaml[] =
        "machine: test\n"
        "initialize: [{sql: COUNT 1}]\n"
        "rules:\n"
        "  two: {as: {role: a}, sql: [COUNT 2, COUNT 3, {as: {}, sql: COUNT 4}]}\n"
        "invariants:\n"
        "  x: {as: {role: a}, sql: COUNT 5; COUNT 6, check: True}\n"
        "  y: {as: {role: a}, for: {i: '[7, 7]'}, sql: COUNT 7, check: True}\n";
    static const struct {
        enum check_deferred when;
        const char *log;
    } cases[] = {
        {CHECK_DEFERRED_STEP, "+ COUNT 1\ndeferred\nmark\n"
                              "+ a: COUNT 5\na: COUNT 6\n+ a: COUNT 7\n+ a: COUNT 7\n"
                              "+ a: COUNT 2\na: COUNT 3\nCOUNT 4\ndeferred\n"
                              "+ a: COUNT 5\na: COUNT 6\n+ a: COUNT 7\n+ a: COUNT 7\nreset\n"},
        {CHECK_DEFERRED_END, "+ COUNT 1\nmark\n"
                             "+ a: COUNT 5\na: COUNT 6\n+ a: COUNT 7\n+ a: COUNT 7\n"
                             "+ a: COUNT 2\na: COUNT 3\nCOUNT 4\n"
                             "+ a: COUNT 5\na: COUNT 6\n+ a: COUNT 7\n+ a: COUNT 7\n"
                             "+ deferred\nreset\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig rig;
        rig_open(&rig, yaml, literal_script, NULL, 0);
        rig.options.settings.check_deferred = cases[i].when;
        rig.options.settings.steps = 1;
        rig.fake.log_begins = true;
        rig_run_ok(&rig);
        assert_string_equal(fake_log(&rig.fake), cases[i].log);
        rig_close(&rig);
    }
}

static void test_deferred_errors(void **state)
{
    (void)state;
    struct rig rig;
    open_rule(&rig, "    sql: COUNT 1\n    raises: foreign_key_violation");
    rig.fake.deferred_error = "23503"; /* as predicted */
    rig_run_ok(&rig);
    assert_int_equal(rig.result.outcome, RUN_PASSED);
    rig_close(&rig);
    open_rule(&rig, "    sql: COUNT 1");
    rig.fake.deferred_error = "23503"; /* once only: so it is flaky */
    const struct failure *failure = rig_failure(&rig);
    assert_string_equal(failure->identity, "rule r: 23503");
    assert_null(failure->sql);
    assert_true(failure->flaky);
    rig_close(&rig);
    open_rule(&rig, "    sql: COUNT 1");
    rig.options.settings.check_deferred = CHECK_DEFERRED_END;
    rig.fake.deferred_error = "23503";
    failure = rig_failure(&rig);
    assert_string_equal(failure->identity, "end: 23503");
    rig_close(&rig);
}

static void test_deadline(void **state)
{
    (void)state;
    struct rig rig;
    open_rule(&rig, "    sql: COUNT 1")->options.settings.deadline_ms = 20;
    rig.fake.time_us = 20000;
    rig_run_ok(&rig);
    assert_int_equal(rig.result.outcome, RUN_PASSED);
    rig.fake.time_us = 25999;
    const struct failure *failure = rig_failure(&rig);
    assert_int_equal(failure->kind, FAILURE_TIMEOUT);
    assert_string_equal(failure->expected, "at most 20 ms");
    assert_string_equal(failure->actual, "25 ms");
    rig_close(&rig);
}

/* The description of a failure. */
static void test_failure_is_described(void **state)
{
    (void)state;
    static const char *const yaml =
        "machine: test\n"
        "contexts:\n"
        "  app: {role: app}\n"
        "initialize:\n"
        "  - sql: ROWS a text = [('x',), ('y',)]\n"
        "    target: things\n"
        "rules:\n"
        "  touch:\n"
        "    args: {thing: things, pair: 'tuples(things, integers(0, 3))', fixed: 7}\n"
        "    sql: COUNT 1\n"
        "    target: made\n"
        "    returns: thing + \"!\"\n"
        "  look:\n"
        "    args: {thing: things}\n"
        "    as: app\n"
        "    sql: ROWS a text = [(:thing,), ('z',)]\n"
        "    expect: set([\"y\"])\n";
    struct rig rig;
    rig_open(&rig, yaml, literal_script, NULL, 0);
    const struct failure *failure = rig_failure(&rig);
    assert_string_equal(failure->identity, "rule look: expect");
    assert_int_equal(failure->step, 2);
    assert_int_equal(failure->example, 1);
    assert_string_equal(failure->sql, "ROWS a text = [(:thing,), ('z',)]");
    assert_string_equal(failure->context, "as app");
    assert_int_equal(source_place(failure->pos).line, 17);
    assert_int_equal(source_place(failure->pos).column, 13);
    assert_string_equal(rig_steps(&rig, failure),
                        "made_1 = touch(thing=things_1, pair=(things_1, 0))\n"
                        "look(thing=things_1)\n");
    assert_int_equal(failure->differences.count, 3);
    assert_string_equal(failure->differences.items[0].expected[0].name, "things_2");
    assert_string_equal(failure->differences.items[1].actual[0].name, "things_1");
    assert_null(failure->differences.items[2].actual[0].name);
    assert_int_equal(failure->bundled.count, 3);
    assert_string_equal(failure->bundled.items[2].reference, "made_1");
    assert_int_equal(failure->trace.steps.count, 3);
    assert_true(failure->trace.steps.items[0].initialize);
    rig_close(&rig);
}

/* An error's place is in the statement. */
static void test_error_position(void **state)
{
    (void)state;
    struct rig rig;
    open_rule(&rig, "    sql: |\n      FAIL 42703@26 - -\n      ä no column");
    const struct failure *failure = rig_failure(&rig);
    assert_int_equal(source_place(failure->pos).line, 9);
    assert_int_equal(source_place(failure->pos).column, 14);
    rig_close(&rig);
}

static void test_mistakes_have_a_place(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        const char *message;
        size_t line;
        size_t column;
    } mistakes[] = {
        {"    model: seen[5] = n", "index 5", 7, 16},
        {"    sql: COUNT 1\n    raises: n", "raises gives a value of type int", 8, 13},
        {"    sql: COUNT 1\n    affects: seen", "affects must give a number of rows", 8, 14},
        {"    sql: COUNT 1\n    affects: n - 9", "affects must give a number of rows", 8, 14},
        {"    sql: COUNT -1\n    affects: 1", "affects has nothing to count", 8, 14},
        {"    sql: ROWS a int4[] = [([1],)]\n    expect: '[[1]]'", "a row in expect is a list", 8,
         14},
        {"    weight: n - 2\n    model: pass", "the weight of r must be a number from 0 up", 7, 13},
        {"    sql: COUNT 1\n    as: {role: app, settings: {a.b: seen.pop}}", "", 8, 0},
        {"    sql: ROWS a int4 = []\n    expect: seen.pop()", "can't be changed here", 8, 18},
        {"    sql: COUNT 1\n    precondition: seen.append(1)", "can't be changed here", 8, 24},
        {"    sql: COUNT 1\n    check: seen.append(1)", "can't be changed here", 8, 17},
        {"    sql: COUNT 1\n    as: {role: app, claims: seen}", "claims must be a dict", 8, 29},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        struct rig rig;
        open_rule(&rig, mistakes[i].rule);
        if (rig_run(&rig)) {
            fail_msg("%s: no mistake", mistakes[i].rule);
        }
        assert_int_equal(rig.err.code, ERROR_MACHINE);
        assert_non_null(rig.err.pos.source);
        struct source_place place = source_place(rig.err.pos);
        bool here = place.line == mistakes[i].line &&
                    (mistakes[i].column == 0 || place.column == mistakes[i].column);
        if (!here || !strstr(rig.err.message, mistakes[i].message)) {
            fail_msg("%s: %zu:%zu %s", mistakes[i].rule, place.line, place.column, rig.err.message);
        }
        assert_int_equal(rig.result.outcome, RUN_NOTHING);
        rig_close(&rig);
    }
}

/* A mistake in a step's code is reported with the step's arguments, wherever it occurs. */
static void test_mistakes_name_the_step(void **state)
{
    (void)state;
    static const char *const rules[] = {
        "    model: m.append([0][n])", /* when its answer is in */
        "    raises: '[None][n]'",     /* before it is sent */
        "    where: '[True][n]'",      /* when all is drawn */
        "    expect: '[[0][n]]'",      "    check: '[result.count][n]'",
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        char yaml[400];
        struct rig rig;
        (void)snprintf(yaml, sizeof yaml,
                       "machine: test\nmodel: m = []\nrules:\n  r:\n"
                       "    args: {n: 'integers(3, 4)'}\n    sql: ROWS a int4 = [(0,)]\n%s\n",
                       rules[i]);
        rig_open(&rig, yaml, literal_script, NULL, 0);
        assert_false(rig_run(&rig));
        if (!strstr(rig.err.detail, "r(n=3)   <- here") &&
            !strstr(rig.err.detail, "r(n=4)   <- here")) {
            fail_msg("%s: %s", rules[i], rig.err.detail);
        }
        rig_close(&rig);
    }
}

/* What the context set for the statement, and a constant that a later step is given by its name. */
static void test_what_is_not_drawn(void **state)
{
    (void)state;
    static const char *const yaml =
        "machine: test\n"
        "model: user = 'user_0001'\n"
        "contexts:\n"
        "  app: {role: app, settings: {app.user: user}, claims: '{\"sub\": user}'}\n"
        "rules:\n"
        "  make:\n"
        "    args: {name: \"'nut'\", other: \"'bolt'\"}\n"
        "    sql: COUNT 1\n"
        "    target: things\n"
        "    returns: name\n"
        "  look:\n"
        "    args: {thing: things}\n"
        "    as: app\n"
        "    sql: ROWS a text = [(:thing,)]\n"
        "    expect: set([\"y\"])\n";
    struct rig rig;
    rig_open(&rig, yaml, literal_script, NULL, 0);
    const struct failure *failure = rig_failure(&rig);
    assert_int_equal(failure->settings.count, 2);
    assert_string_equal(failure->settings.items[0].name, "app.user");
    assert_string_equal(failure->settings.items[0].value, "user_0001");
    assert_string_equal(failure->settings.items[1].name, "request.jwt.claims");
    const struct shown_arg *last = &failure->bundled.items[failure->bundled.count - 1];
    assert_string_equal(last->reference, "user");
    assert_string_equal(rig_steps(&rig, failure),
                        "things_1 = make()   # name=\"nut\"\nlook(thing=things_1)\n");
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_statement_verdicts),
        cmocka_unit_test(test_named_answers),
        cmocka_unit_test(test_any_error),
        cmocka_unit_test(test_result),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_outside),
        cmocka_unit_test(test_locals_are_of_the_step),
        cmocka_unit_test(test_mistakes_name_the_step),
        cmocka_unit_test(test_what_is_not_drawn),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_collection_targets),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_equal_keys),
        cmocka_unit_test(test_consumes),
        cmocka_unit_test(test_contexts),
        cmocka_unit_test(test_changing_contexts),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_deferred),
        cmocka_unit_test(test_deferred_errors),
        cmocka_unit_test(test_deadline),
        cmocka_unit_test(test_failure_is_described),
        cmocka_unit_test(test_error_position),
        cmocka_unit_test(test_mistakes_have_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
