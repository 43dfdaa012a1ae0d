/* Statements: prepared, prepared again, guarded, pipelined; contexts; errors and their places. */
#include "pg/fixture.h"

#include <stdio.h>
#include <string.h>

static const char schema[] = "CREATE TABLE items (id serial PRIMARY KEY, name text UNIQUE);\n"
                             "DO $$ BEGIN CREATE ROLE reader; "
                             "EXCEPTION WHEN duplicate_object THEN END $$;\n"
                             "GRANT SELECT ON items TO reader;\n"
                             "CREATE FUNCTION boom() RETURNS int LANGUAGE plpgsql AS $$\n"
                             "BEGIN RAISE EXCEPTION 'no' USING ERRCODE = 'P0042', DETAIL = 'd', "
                             "HINT = 'h', CONSTRAINT = 'c', TABLE = 't'; END $$;\n";

static const char yaml[] = "model: |\n"
                           "  x = None\n"
                           "  y = None\n"
                           "contexts:\n"
                           "  reader: {role: reader, settings: {app.tenant: '\"7\"'}}\n"
                           "rules:\n"
                           "  add: {sql: INSERT INTO items (name) VALUES (:x)}\n"
                           "  count: {sql: SELECT count(*) FROM items}\n"
                           "  boom: {sql: SELECT boom()}\n"
                           "  who: {sql: 'SELECT current_user, current_setting(''app.tenant'')', "
                           "as: reader}\n"
                           "  mean: {sql: INSERT INTO items (name) VALUES (:x), as: reader}\n"
                           "  table: {sql: 'CREATE TABLE :\"x\" (label text DEFAULT :''y'')'}\n"
                           "  wide: {sql: \"SELECT :'x' || :y || nosuch\"}\n";

static void open_fixture(struct fixture *fixture) { fixture_open(fixture, schema, yaml); }

static struct value text(struct fixture *fixture, const char *string)
{
    return value_text(&fixture->arena, string);
}

static int64_t count_items(struct fixture *fixture)
{
    struct answer answer = fixture_run(fixture, "count", NULL);
    return fixture_value(&answer).as.integer;
}

static void runs_and_counts(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    open_fixture(&fixture);
    struct value name = text(&fixture, "a");
    struct answer answer = fixture_run(&fixture, "add", &name);
    assert_int_equal(answer.status, ANSWER_OK);
    assert_int_equal(answer.count, 1);
    assert_string_equal(answer.command, "INSERT 0 1");
    assert_int_equal(count_items(&fixture), 1);
    assert_true(fixture.backend->ops->reset(fixture.backend, &fixture.err));
    assert_int_equal(count_items(&fixture), 0);
    fixture_close(&fixture);
}

static void errors_are_answers(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    open_fixture(&fixture);
    backend_ticket first = fixture_queue(&fixture, "boom", NULL, NULL);
    backend_ticket second = fixture_queue(&fixture, "count", NULL, NULL);
    struct answer answer = fixture_take(&fixture, first);
    assert_int_equal(answer.status, ANSWER_ERROR);
    assert_string_equal(answer.error.sqlstate, "P0042");
    assert_string_equal(answer.error.message, "no");
    assert_string_equal(answer.error.detail, "d");
    assert_string_equal(answer.error.hint, "h");
    assert_string_equal(answer.error.constraint, "c");
    assert_string_equal(answer.error.table, "t");
    assert_string_equal(answer.error.severity, "ERROR");
    assert_int_equal(fixture_take(&fixture, second).status, ANSWER_SKIPPED);
    assert_int_equal(fixture_run(&fixture, "count", NULL).status, ANSWER_SKIPPED);
    assert_true(fixture.backend->ops->reset(fixture.backend, &fixture.err));
    assert_int_equal(count_items(&fixture), 0);
    fixture_close(&fixture);
}

/* Answers may be taken in any order, each once. */
static void tickets_in_any_order(void **state)
{
    enum { COUNT = 500 };
    struct fixture fixture = fixture_new();
    backend_ticket tickets[COUNT];
    (void)state;
    open_fixture(&fixture);
    for (int i = 0; i < COUNT; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "n%d", i);
        struct value value = text(&fixture, name);
        tickets[i] = i % 2 ? fixture_queue(&fixture, "count", NULL, NULL)
                           : fixture_queue(&fixture, "add", &value, NULL);
    }
    for (int i = COUNT - 1; i >= 0; i--) {
        struct answer answer = fixture_take(&fixture, tickets[i]);
        assert_int_equal(answer.status, ANSWER_OK);
        if (i % 2) {
            assert_int_equal(fixture_value(&answer).as.integer, i / 2 + 1);
        }
    }
    struct answer answer;
    assert_false(fixture.backend->ops->take(fixture.backend, tickets[3], &fixture.arena, &answer,
                                            &fixture.err));
    fixture_close(&fixture);
}

static void guard(struct fixture *fixture, enum backend_guard kind)
{
    assert_true(fixture->backend->ops->guard_begin(fixture->backend, kind, &fixture->err));
}

static void guard_end(struct fixture *fixture)
{
    assert_true(fixture->backend->ops->guard_end(fixture->backend, &fixture->err));
}

/* Two guards with statements between them in one flight; a guard that must fail is rolled back. */
static void guards_that_must_fail(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    open_fixture(&fixture);
    struct value a = text(&fixture, "a");
    struct value b = text(&fixture, "b");
    backend_ticket before = fixture_queue(&fixture, "add", &a, NULL);
    guard(&fixture, GUARD_MUST_FAIL);
    backend_ticket added = fixture_queue(&fixture, "add", &b, NULL);
    backend_ticket twice = fixture_queue(&fixture, "add", &a, NULL);
    backend_ticket after = fixture_queue(&fixture, "count", NULL, NULL);
    guard_end(&fixture);
    backend_ticket count = fixture_queue(&fixture, "count", NULL, NULL);
    guard(&fixture, GUARD_MUST_FAIL);
    backend_ticket succeeded = fixture_queue(&fixture, "add", &b, NULL);
    guard_end(&fixture);
    backend_ticket last = fixture_queue(&fixture, "count", NULL, NULL);
    assert_int_equal(fixture_take(&fixture, before).status, ANSWER_OK);
    assert_int_equal(fixture_take(&fixture, added).status, ANSWER_OK);
    struct answer failed = fixture_take(&fixture, twice);
    assert_int_equal(failed.status, ANSWER_ERROR);
    assert_string_equal(failed.error.sqlstate, "23505");
    assert_string_equal(failed.error.constraint, "items_name_key");
    assert_int_equal(fixture_take(&fixture, after).status, ANSWER_SKIPPED);
    struct answer answer = fixture_take(&fixture, count);
    assert_int_equal(fixture_value(&answer).as.integer, 1);
    assert_int_equal(fixture_take(&fixture, succeeded).status, ANSWER_OK);
    answer = fixture_take(&fixture, last);
    assert_int_equal(fixture_value(&answer).as.integer, 1);
    fixture_close(&fixture);
}

static void guards_that_may_fail(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    open_fixture(&fixture);
    struct value a = text(&fixture, "a");
    /* An earlier guard's failure that is still pending does not count for this one. */
    guard(&fixture, GUARD_MUST_FAIL);
    backend_ticket boom = fixture_queue(&fixture, "boom", NULL, NULL);
    guard_end(&fixture);
    guard(&fixture, GUARD_MAY_FAIL);
    backend_ticket added = fixture_queue(&fixture, "add", &a, NULL);
    guard_end(&fixture);
    assert_int_equal(fixture_take(&fixture, boom).status, ANSWER_ERROR);
    assert_int_equal(fixture_take(&fixture, added).status, ANSWER_OK);
    assert_int_equal(count_items(&fixture), 1);
    guard(&fixture, GUARD_MAY_FAIL);
    added = fixture_queue(&fixture, "add", &a, NULL);
    guard_end(&fixture);
    assert_int_equal(fixture_take(&fixture, added).status, ANSWER_ERROR);
    assert_int_equal(count_items(&fixture), 1);
    fixture_close(&fixture);
}

static const struct backend_setting seven[] = {{"app.tenant", "7"}};
static const struct backend_context reader = {
    .role = "reader",
    .settings = seven,
    .setting_count = 1,
};

static const char *who(struct fixture *fixture, const struct backend_context *context)
{
    struct answer answer = fixture_take(fixture, fixture_queue(fixture, "who", NULL, context));
    assert_int_equal(answer.status, ANSWER_OK);
    return fixture_repr(fixture, answer.rows[0]);
}

/* A context applies to its statement only. */
static void contexts_change(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    open_fixture(&fixture);
    const struct backend_setting eight = {"app.tenant", "8 'quoted\\"};
    const struct backend_context tenant = {.settings = &eight, .setting_count = 1};
    assert_string_equal(who(&fixture, NULL), "(\"postgres\", \"\")");
    assert_string_equal(who(&fixture, &reader), "(\"reader\", \"7\")");
    assert_string_equal(who(&fixture, &tenant), "(\"postgres\", \"8 'quoted\\\\\")");
    assert_string_equal(who(&fixture, NULL), "(\"postgres\", \"\")");
    assert_string_equal(who(&fixture, &reader), "(\"reader\", \"7\")");
    assert_true(fixture.backend->ops->reset(fixture.backend, &fixture.err));
    assert_string_equal(who(&fixture, NULL), "(\"postgres\", \"\")");
    guard(&fixture, GUARD_MUST_FAIL);
    backend_ticket failed = fixture_queue(
        &fixture, "mean",
        fixture_repr(&fixture, value_none()) ? (struct value[]){value_none()} : NULL, &reader);
    guard_end(&fixture);
    backend_ticket plain = fixture_queue(&fixture, "who", NULL, NULL);
    struct answer answer = fixture_take(&fixture, failed);
    assert_string_equal(answer.error.sqlstate, "42501");
    answer = fixture_take(&fixture, plain);
    assert_string_equal(fixture_repr(&fixture, answer.rows[0]), "(\"postgres\", \"\")");
    fixture_close(&fixture);
}

static void roles_that_may_not_be_assumed(void **state)
{
    struct fixture fixture = fixture_new();
    const struct backend_context nobody = {.role = "nobody_at_all"};
    struct answer answer;
    (void)state;
    open_fixture(&fixture);
    backend_ticket before = fixture_queue(&fixture, "count", NULL, NULL);
    backend_ticket ticket = fixture_queue(&fixture, "count", NULL, &nobody);
    assert_int_equal(fixture_take(&fixture, before).status, ANSWER_OK);
    assert_false(
        fixture.backend->ops->take(fixture.backend, ticket, &fixture.arena, &answer, &fixture.err));
    assert_int_equal(fixture.err.code, ERROR_MACHINE);
    assert_non_null(strstr(fixture.err.message, "role \"nobody_at_all\" does not exist"));
    fixture_close(&fixture);
}

static void pasted_values(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    open_fixture(&fixture);
    struct value values[] = {text(&fixture, "we\"ird; DROP"), text(&fixture, "it's \\ 100% é")};
    assert_int_equal(fixture_run(&fixture, "table", values).status, ANSWER_OK);
    values[0] = text(&fixture, "it's");
    values[1] = text(&fixture, "second");
    struct answer answer = fixture_run(&fixture, "wide", values);
    assert_int_equal(answer.status, ANSWER_ERROR);
    assert_string_equal(answer.error.sqlstate, "42703");
    /* "SELECT :'x' || :y || nosuch" */
    assert_int_equal(answer.error.position, 22);
    fixture_close(&fixture);
}

static void time_out(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture.options.statement_timeout_ms = 50;
    fixture_open(&fixture, NULL,
                 "rules:\n  slow: {sql: SELECT pg_sleep(60)}\n  one: {sql: SELECT 1}\n");
    struct answer answer = fixture_run(&fixture, "slow", NULL);
    assert_int_equal(answer.status, ANSWER_ERROR);
    assert_string_equal(answer.error.sqlstate, "57014");
    assert_true(answer.time_us >= 40000);
    assert_true(fixture.backend->ops->reset(fixture.backend, &fixture.err));
    assert_int_equal(fixture_run(&fixture, "one", NULL).status, ANSWER_OK);
    fixture_close(&fixture);
}

static uint64_t origin_of(struct fixture *fixture, const char *rule, size_t column)
{
    struct answer answer = fixture_run(fixture, rule, NULL);
    assert_int_equal(answer.status, ANSWER_OK);
    assert_true(column < answer.column_count);
    return answer.columns[column].origin;
}

/* A column is identified by its table and place, a foreign key by the column that it finally refers
 * to. */
static void origins_of_columns(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture,
                 "CREATE TABLE trees (n int, id int PRIMARY KEY);\n"
                 "CREATE TABLE leaves (tree int PRIMARY KEY REFERENCES trees, n int);\n"
                 "CREATE TABLE spots (leaf int REFERENCES leaves (tree), a int);\n"
                 "CREATE TABLE ring (id int PRIMARY KEY REFERENCES ring);\n"
                 "CREATE VIEW forest AS SELECT * FROM trees;\n",
                 "rules:\n"
                 "  trees: {sql: 'SELECT id, n FROM trees'}\n"
                 "  made: {sql: 'INSERT INTO trees (id) VALUES (1) RETURNING id'}\n"
                 "  spots: {sql: 'SELECT s.leaf AS x, 1, l.n, t.id FROM trees t LEFT JOIN leaves l "
                 "ON tree = id LEFT JOIN spots s ON leaf = tree'}\n"
                 "  ring: {sql: SELECT id FROM ring}\n"
                 "  forest: {sql: SELECT id FROM forest}\n"
                 "  count: {sql: SELECT count(*) FROM trees}\n");
    uint64_t id = origin_of(&fixture, "trees", 0);
    assert_true(id);
    assert_true(origin_of(&fixture, "trees", 1) && origin_of(&fixture, "trees", 1) != id);
    assert_true(origin_of(&fixture, "made", 0) == id);
    assert_true(origin_of(&fixture, "spots", 0) == id);
    assert_true(origin_of(&fixture, "spots", 1) == 0);
    assert_true(origin_of(&fixture, "spots", 2) && origin_of(&fixture, "spots", 2) != id);
    assert_true(origin_of(&fixture, "spots", 3) == id);
    assert_true(origin_of(&fixture, "ring", 0));
    assert_true(origin_of(&fixture, "forest", 0) == 0);
    assert_true(origin_of(&fixture, "count", 0) == 0);
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_and_counts),
        cmocka_unit_test(errors_are_answers),
        cmocka_unit_test(tickets_in_any_order),
        cmocka_unit_test(guards_that_must_fail),
        cmocka_unit_test(guards_that_may_fail),
        cmocka_unit_test(contexts_change),
        cmocka_unit_test(roles_that_may_not_be_assumed),
        cmocka_unit_test(pasted_values),
        cmocka_unit_test(time_out),
        cmocka_unit_test(origins_of_columns),
    };
    return cmocka_run_group_tests(tests, fixture_start, fixture_stop);
}
