/* Warnings about probable mistakes, and code that looks like one but is right. */
#include "machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;
static struct diagnostics diagnostics;

static int clear(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static const struct machine *read_text(const char *text)
{
    const struct machine *machine;
    diagnostics = (struct diagnostics){.arena = &arena};
    if (!machine_read("m.yaml", text, strlen(text), NULL, &arena, &machine, &diagnostics)) {
        fail_msg("%s: %s", text, diagnostics.errors.items[0].message);
    }
    return machine;
}

/* Expects one warning with this text at this place; NULL for no warning. */
static void expect_warning(const char *text, const char *message, const char *at)
{
    const struct machine *machine = read_text(text);
    size_t count = machine->warnings.count;
    const struct error *warning = machine->warnings.items;
    if (count != (message != NULL)) {
        fail_msg("%zu warnings, the first: %s\n%s", count, count ? warning->message : "none", text);
    }
    if (message && (!strstr(warning->message, message) ||
                    strncmp(text + warning->pos.offset, at, strlen(at)) != 0)) {
        fail_msg("'%s' at '%.20s', not '%s' at '%s'", warning->message, text + warning->pos.offset,
                 message, at);
    }
    assert_true(!message || warning->hint[0]);
}

static void expect_order(const char *sql, const char *expect, bool warned)
{
    char text[1024];
    (void)snprintf(
        text, sizeof text,
        "machine: m\nmodel: |\n  xs = [1, 2]\n  ys = set()\n  n = 1\nrules: {r: {sql: SELECT 1}}\n"
        "invariants:\n  i:\n    sql: |\n      %s\n    expect: |\n      %s\n",
        sql, expect);
    expect_warning(text, warned ? "nothing orders the rows" : NULL, sql);
}

static void a_list_wants_an_order(void **state)
{
    static const char *const unordered[] = {
        "SELECT id FROM t",
        "SELECT DISTINCT t.id FROM app.t WHERE owner = :n",
        "select a, count(*) from t group by a",
        "SELECT id FROM t LIMIT 10",
        "SELECT a FROM t WHERE id = ANY(:xs)",
        "SELECT a FROM t WHERE id >= :n",
        "SELECT id FROM \"order\" -- ORDER BY id",
        "SELECT 'ORDER BY', id FROM t",
        "SELECT a FROM t UNION SELECT b FROM u",
        "WITH c AS (SELECT id FROM t) SELECT id FROM c",
        "SELECT extract(day FROM at) FROM t",
        "SELECT a FROM t JOIN u ON u.id = t.u_id WHERE t.deleted IS NULL",
        "UPDATE t SET a = 1 WHERE b > 3 RETURNING id",
        "DELETE FROM t RETURNING id",
    };
    static const char *const fine[] = {
        "SELECT id FROM t ORDER BY id",
        "SELECT id FROM (SELECT id FROM t ORDER BY at) AS s",
        "SELECT id FROM (SELECT id FROM t) AS s", /* in doubt */
        "SELECT count(*), max(id) FROM t",
        "SELECT array_agg(id ORDER BY id) FROM t",
        "SELECT id FROM t LIMIT 1",
        "SELECT id FROM t LIMIT :n",
        "SELECT id FROM t FETCH FIRST ROW ONLY",
        "SELECT a FROM t WHERE id = :n",
        "SELECT a FROM t WHERE :n = t.id",
        "SELECT a FROM t WHERE id = auth.uid()",
        "SELECT a FROM t WHERE x = :n AND y = 3",
        "SELECT * FROM top(3)",
        "SELECT * FROM app.top(3) AS t",
        "SELECT * FROM unnest(ARRAY[1, 2])",
        "SELECT * FROM ROWS FROM (f(1), g(2))",
        "SELECT generate_series(1, 3)",
        "SELECT 1 IS DISTINCT FROM 2",
        "VALUES (1), (2)",
        "INSERT INTO t VALUES (1), (2) RETURNING id",
    };
    (void)state;
    for (size_t i = 0; i < sizeof unordered / sizeof unordered[0]; i++) {
        expect_order(unordered[i], "[1, 2]", true);
    }
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        expect_order(fine[i], "[1, 2]", false);
    }
}

static void a_list_has_an_order(void **state)
{
    static const char *const lists[] = {
        "xs",
        "reversed(xs)",
        "[1, 2]",
        "[x for x in xs]",
        "sorted(xs)",
        "list(xs)",
        "[0] + [x for x in xs]",
        "[] if n else [1, 2]",
    };
    static const char *const others[] = {
        "{x for x in xs}",
        "bag([1, 2])",
        "ys",
        "bag(xs)",
        "[]",
        "[n]",
        "(1, 2)",
        "1 in [1, 2]",
        "{x: 1 for x in xs}",
        "len([1, 2])",
        "[n] if n else []",
        "set([1, 2])",
    };
    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        expect_order("SELECT id FROM t", lists[i], true);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        expect_order("SELECT id FROM t", others[i], false);
    }
}

/* The list is compared with the answer of the last statement. */
static void the_last_statement_counts(void **state)
{
    (void)state;
    expect_warning("machine: m\nrules:\n  r:\n    sql:\n      - SELECT 1 FROM t\n"
                   "      - SELECT id FROM t ORDER BY 1\n    expect: '[1, 2]'\n",
                   NULL, NULL);
    expect_warning("machine: m\nrules:\n  r:\n    sql:\n      - SELECT 1 FROM t ORDER BY 1\n"
                   "      - SELECT id FROM u\n    expect: '[1, 2]'\n",
                   "nothing orders the rows", "SELECT id FROM u");
    expect_warning("machine: m\ninitialize:\n  - {sql: SELECT id FROM u, expect: '[1, 2]'}\n"
                   "rules: {r: {sql: SELECT 1}}\n",
                   "nothing orders the rows", "SELECT id FROM u");
}

static void expect_volatile(const char *sql, const char *name)
{
    char text[512];
    char message[64];
    (void)snprintf(text, sizeof text,
                   "machine: m\nrules: {r: {sql: SELECT 1}}\n"
                   "invariants:\n  i: >\n    %s\n",
                   sql);
    (void)snprintf(message, sizeof message, "invariant 'i' calls %s(), which", name ? name : "");
    expect_warning(text, name ? message : NULL, name);
}

static void volatile_functions(void **state)
{
    (void)state;
    expect_volatile("SELECT id FROM t WHERE random() < 0.1", "random");
    expect_volatile("SELECT pg_catalog.gen_random_uuid ( )", "gen_random_uuid");
    expect_volatile("SELECT NEXTVAL('s')", "NEXTVAL");
    expect_volatile("SELECT 1 WHERE clock_timestamp() = now()", "clock_timestamp");
    expect_volatile("SELECT id FROM t WHERE at > clock_timestamp()", NULL);
    expect_volatile("SELECT now(), current_timestamp, statement_timestamp()", NULL);
    expect_volatile("SELECT app.random()", NULL);
    expect_volatile("SELECT random, 'random()', \"random\"(1) FROM t -- random()", NULL);
    expect_warning("machine: m\nrules: {r: {sql: SELECT random()}}\n", NULL, NULL);
}

static void expect_unread(const char *rule, bool warned)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   "machine: m\nmodel: n = 1\nrules:\n  other: {sql: DELETE FROM t}\n  r: %s\n",
                   rule);
    expect_warning(text, warned ? "rule 'r' changes nothing and compares nothing" : NULL, "r: ");
}

static void rules_that_test_nothing(void **state)
{
    (void)state;
    expect_unread("{sql: SELECT 1}", true);
    expect_unread("{sql: 'SELECT count(*) FROM t WHERE id IN (1, 2)', label: n}", true);
    expect_unread("{sql: SELECT 1, raises: None}", false);
    expect_unread("{sql: SELECT 1, expect: 1}", false);
    expect_unread("{sql: SELECT 1, affects: 1}", false);
    expect_unread("{sql: SELECT 1, check: result.count}", false);
    expect_unread("{sql: SELECT 1, model: n = 2}", false);
    expect_unread("{sql: SELECT 1, target: ones}", false);
    expect_unread("{sql: SELECT app.touch(1)}", false);
    expect_unread("{sql: SELECT touch(1) FROM t}", false);
    expect_unread("{sql: 'WITH d AS (DELETE FROM t RETURNING 1) SELECT * FROM d'}", false);
    expect_unread("{sql: [SELECT 1, UPDATE t SET n = 1]}", false);
    /* A machine needs a rule. */
    expect_warning("machine: m\nrules: {r: {sql: SELECT 1}}\n", NULL, NULL);
}

static void checks_that_read_nothing(void **state)
{
    (void)state;
    expect_warning("machine: m\nrules:\n  r: {sql: SELECT 1, check: 1 < 2}\n",
                   "this check reads neither the result nor the model", "1 < 2");
    expect_warning("machine: m\nmodel: n = 1\nrules:\n  r: {sql: SELECT 1}\n"
                   "invariants:\n  i: {check: [n == 1, True]}\n",
                   "this check reads neither the result nor the model", "True]");
    expect_warning("machine: m\nmodel: |\n  n = 1\n  def ok(): return n == 1\nrules:\n"
                   "  r: {args: {a: 'integers(1, 3)'}, sql: SELECT 1, check: [ok(), a > 0]}\n",
                   NULL, NULL);
}

static void expect_empty(const char *model, const char *rule, bool warned)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   "machine: m\nmodel: |\n  %s\nrules:\n  other: {sql: DELETE FROM t}\n"
                   "  r: {args: {x: xs}, sql: 'SELECT f(:x)'}\n  s: %s\n",
                   model, rule);
    expect_warning(text, warned ? "'r' can never run: 'xs' is empty" : NULL, "x: xs");
}

static void collections_that_stay_empty(void **state)
{
    (void)state;
    expect_empty("xs = {}", "{sql: DELETE FROM t}", true);
    expect_empty("xs = []", "{sql: SELECT f(), precondition: len(xs) == 0}", true);
    expect_empty("xs = [1]", "{sql: DELETE FROM t}", false);
    expect_empty("xs = {}", "{sql: SELECT f(), model: 'xs[1] = 2'}", false);
    expect_empty("xs = []", "{sql: SELECT f(), model: 'xs = [1]'}", false);
    expect_empty("xs = set()", "{sql: SELECT f(), target: xs}", false);
    expect_empty("xs = []\n  d = [xs]", "{sql: SELECT f(), model: 'd[0].append(1)'}", false);
    expect_empty("xs = []\n  ys = xs", "{sql: SELECT f(), model: ys.append(1)}", false);
    expect_empty("xs = []\n  def fill(): xs.append(1)", "{sql: SELECT f(), model: fill()}", false);
    expect_empty("db = tables({\"t\": {\"key\": \"id\"}})\n  xs = db.table(\"t\")",
                 "{sql: SELECT f(), model: 'db.insert(\"t\", {\"id\": 1})'}", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_list_wants_an_order, clear),
        cmocka_unit_test_teardown(a_list_has_an_order, clear),
        cmocka_unit_test_teardown(the_last_statement_counts, clear),
        cmocka_unit_test_teardown(volatile_functions, clear),
        cmocka_unit_test_teardown(rules_that_test_nothing, clear),
        cmocka_unit_test_teardown(checks_that_read_nothing, clear),
        cmocka_unit_test_teardown(collections_that_stay_empty, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
