/* The outer transaction: mark, reset, restart; deferred constraints; what is equal. */
#include "pg/fixture.h"
#include "pg/session/session.h"

#include <stdio.h>
#include <string.h>

static const char schema[] =
    "CREATE TABLE parents (id int PRIMARY KEY);\n"
    "CREATE TABLE children (id int PRIMARY KEY, parent int,\n"
    "  CONSTRAINT late FOREIGN KEY (parent) REFERENCES parents DEFERRABLE INITIALLY DEFERRED,\n"
    "  CONSTRAINT early UNIQUE (parent) DEFERRABLE INITIALLY IMMEDIATE);\n"
    "CREATE TABLE log (what text);\n"
    "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$\n"
    "BEGIN INSERT INTO log VALUES (current_user); RETURN NULL; END $$;\n"
    "CREATE CONSTRAINT TRIGGER noted AFTER INSERT ON parents DEFERRABLE INITIALLY DEFERRED\n"
    "  FOR EACH ROW EXECUTE FUNCTION note();\n"
    "DO $$ BEGIN CREATE ROLE reader; EXCEPTION WHEN duplicate_object THEN END $$;\n"
    "GRANT ALL ON parents, children, log TO reader;\n";

static const char yaml[] =
    "model: x = None\n"
    "rules:\n"
    "  parent: {sql: 'INSERT INTO parents VALUES (:x)'}\n"
    "  child: {sql: 'INSERT INTO children SELECT n + 100, n FROM (VALUES (:x::int)) v (n)'}\n"
    "  twice: {sql: 'UPDATE children SET parent = 1'}\n"
    "  orphans: {sql: 'SELECT count(*) FROM children'}\n"
    "  log: {sql: 'SELECT coalesce(string_agg(what, '',''), ''-'') FROM log'}\n";

static struct answer force(struct fixture *fixture, const struct backend_context *context)
{
    backend_ticket ticket = 0;
    assert_true(fixture->backend->ops->queue_deferred(fixture->backend, context, false, &ticket,
                                                      &fixture->err));
    return fixture_take(fixture, ticket);
}

static void reset(struct fixture *fixture)
{
    assert_true(fixture->backend->ops->reset(fixture->backend, &fixture->err));
}

static const char *log_text(struct fixture *fixture)
{
    struct answer answer = fixture_run(fixture, "log", NULL);
    return fixture_repr(fixture, fixture_value(&answer));
}

static void deferred_constraints(void **state)
{
    struct fixture fixture = fixture_new();
    const struct backend_context reader = {.role = "reader"};
    struct value one = value_int(1);
    (void)state;
    fixture_open(&fixture, schema, yaml);
    /* The child may come first; the check then finds nothing wrong, and defers again. */
    assert_int_equal(fixture_run(&fixture, "child", &one).status, ANSWER_OK);
    /* Up to PostgreSQL 17 a deferred trigger runs as the role at its end, then as that which queued
     * it. */
    struct answer parent = fixture_take(&fixture, fixture_queue(&fixture, "parent", &one, &reader));
    assert_int_equal(parent.status, ANSWER_OK);
    assert_string_equal(log_text(&fixture), "\"-\"");
    assert_int_equal(force(&fixture, &reader).status, ANSWER_OK);
    /* The trigger ran once, as the role of the step, and its writes stay. */
    assert_string_equal(log_text(&fixture), "\"reader\"");
    assert_int_equal(force(&fixture, NULL).status, ANSWER_OK);
    assert_string_equal(log_text(&fixture), "\"reader\"");
    struct value two = value_int(2);
    assert_int_equal(fixture_run(&fixture, "child", &two).status, ANSWER_OK);
    struct answer answer = force(&fixture, NULL);
    assert_int_equal(answer.status, ANSWER_ERROR);
    assert_string_equal(answer.error.sqlstate, "23503");
    assert_string_equal(answer.error.constraint, "late");
    reset(&fixture);
    /* What the schema checks at once is still checked at once. */
    assert_int_equal(fixture_run(&fixture, "child", &one).status, ANSWER_OK);
    assert_int_equal(fixture_run(&fixture, "child", &two).status, ANSWER_OK);
    answer = fixture_run(&fixture, "twice", NULL);
    assert_string_equal(answer.error.constraint, "early");
    fixture_close(&fixture);
}

/* A failing check in a guard leaves the example as it was before the guard. */
static void deferred_in_guard(void **state)
{
    struct fixture fixture = fixture_new();
    struct value one = value_int(1);
    backend_ticket ticket = 0;
    (void)state;
    fixture_open(&fixture, schema, yaml);
    const struct backend_ops *ops = fixture.backend->ops;
    assert_true(ops->guard_begin(fixture.backend, GUARD_MUST_FAIL, &fixture.err));
    backend_ticket child = fixture_queue(&fixture, "child", &one, NULL);
    assert_true(ops->queue_deferred(fixture.backend, NULL, false, &ticket, &fixture.err));
    assert_true(ops->guard_end(fixture.backend, &fixture.err));
    assert_int_equal(fixture_take(&fixture, child).status, ANSWER_OK);
    assert_int_equal(fixture_take(&fixture, ticket).status, ANSWER_ERROR);
    struct answer answer = fixture_run(&fixture, "orphans", NULL);
    assert_int_equal(fixture_value(&answer).as.integer, 0);
    assert_int_equal(force(&fixture, NULL).status, ANSWER_OK);
    /* Deferred still, after the guard was rolled back. */
    assert_int_equal(fixture_run(&fixture, "child", &one).status, ANSWER_OK);
    fixture_close(&fixture);
}

/* Two constraints with one name, one of them not deferrable, so the name can't be used. */
static void constraints_of_one_name(void **state)
{
    struct fixture fixture = fixture_new();
    struct value one = value_int(1);
    (void)state;
    fixture_open(&fixture,
                 "CREATE TABLE parents (id int PRIMARY KEY);\n"
                 "CREATE TABLE other (id int, CONSTRAINT late CHECK (id > 0));\n"
                 "CREATE TABLE children (id int, parent int, CONSTRAINT late FOREIGN KEY (parent)\n"
                 "  REFERENCES parents DEFERRABLE INITIALLY DEFERRED);\n"
                 "CREATE TABLE log (what text);\n",
                 yaml);
    assert_true(fixture_session(&fixture)->deferral.by_savepoint);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fixture_run(&fixture, "child", &one).status, ANSWER_OK);
        assert_int_equal(force(&fixture, NULL).status, ANSWER_ERROR);
        reset(&fixture);
        assert_int_equal(fixture_run(&fixture, "child", &one).status, ANSWER_OK);
        assert_int_equal(fixture_run(&fixture, "parent", &one).status, ANSWER_OK);
        assert_int_equal(force(&fixture, NULL).status, ANSWER_OK);
        reset(&fixture);
    }
    fixture_close(&fixture);
}

/* A constraint that a step makes is forced from then on, and forgotten with its example. */
static void deferred_by_ddl(void **state)
{
    struct fixture fixture = fixture_new();
    struct value one = value_int(1);
    (void)state;
    fixture_open(
        &fixture,
        "CREATE TABLE parents (id int PRIMARY KEY);\n"
        "CREATE TABLE children (id int, parent int);\n",
        "model: x = None\n"
        "rules:\n"
        "  child: {sql: 'INSERT INTO children SELECT n + 100, n FROM (VALUES (:x::int)) v (n)'}\n"
        "  add: {sql: ALTER TABLE children ADD FOREIGN KEY (parent) REFERENCES parents "
        "DEFERRABLE INITIALLY DEFERRED}\n");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fixture_run(&fixture, "child", &one).status, ANSWER_OK);
        assert_int_equal(force(&fixture, NULL).status, ANSWER_OK);
        reset(&fixture);
        assert_int_equal(fixture_run(&fixture, "add", NULL).status, ANSWER_OK);
        assert_int_equal(force(&fixture, NULL).status, ANSWER_OK);
        assert_int_equal(fixture_run(&fixture, "child", &one).status, ANSWER_OK);
        assert_int_equal(force(&fixture, NULL).status, ANSWER_ERROR);
        reset(&fixture);
    }
    fixture_close(&fixture);
}

static void restart(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture, schema, yaml);
    const struct backend_ops *ops = fixture.backend->ops;
    int resets = 0;
    for (int64_t i = 0; i < 900; i++) {
        struct value number = value_int(i);
        fixture_run(&fixture, "parent", &number);
        reset(&fixture);
        resets++;
        if (ops->wants_restart(fixture.backend)) {
            assert_true(ops->restart(fixture.backend, &fixture.err));
            assert_false(ops->wants_restart(fixture.backend));
            assert_true(ops->mark(fixture.backend, &fixture.err));
            resets = 0;
        }
        assert_true(resets < 200);
    }
    assert_true(resets < 900);
    struct answer answer = fixture_run(&fixture, "orphans", NULL);
    assert_int_equal(fixture_value(&answer).as.integer, 0);
    /* The dead rows of nine hundred examples are gone, except those of the last ones. */
    const char *pages = fixture_sql(&fixture, fixture_session(&fixture)->scratch.name,
                                    "SELECT pg_relation_size('parents') / 8192");
    assert_true(strcmp(pages, "0") == 0 || strcmp(pages, "1") == 0);
    fixture_close(&fixture);
}

/* Answers after a failure are never taken, and their number depends on the load. */
static void restart_counts_answers(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture, schema, yaml);
    for (int i = 0; i < 60; i++) {
        backend_ticket first = fixture_queue(&fixture, "orphans", NULL, NULL);
        for (int k = 0; k < 100; k++) {
            (void)fixture_queue(&fixture, "orphans", NULL, NULL);
        }
        assert_int_equal(fixture_take(&fixture, first).status, ANSWER_OK);
        reset(&fixture);
    }
    assert_false(fixture.backend->ops->wants_restart(fixture.backend));
    for (int i = 0; i < 5000; i++) {
        (void)fixture_run(&fixture, "orphans", NULL);
    }
    assert_true(fixture.backend->ops->wants_restart(fixture.backend));
    fixture_close(&fixture);
}

static const char kept_schema[] =
    "CREATE SEQUENCE counted;\n"
    "CREATE SEQUENCE set_once;\n"
    "SELECT setval('set_once', 40, false);\n"
    "CREATE SCHEMA \"other \"\"one's\"; CREATE SEQUENCE \"other \"\"one's\".\"it's\" START 7;\n"
    "SELECT nextval('\"other \"\"one''s\".\"it''s\"');\n"
    "CREATE FUNCTION next() RETURNS TABLE (a bigint, b bigint, c bigint) LANGUAGE sql AS $$\n"
    "  SELECT nextval('counted'), nextval('set_once'), nextval('\"other \"\"one''s\".\"it''s\"') "
    "$$;\n"
    "CREATE FUNCTION prepare_mine() RETURNS void LANGUAGE plpgsql AS $$\n"
    "BEGIN EXECUTE 'PREPARE mine AS SELECT 1'; END $$;\n";

static const char kept_yaml[] =
    "model: x = None\n"
    "rules:\n"
    "  next: {sql: SELECT * FROM next()}\n"
    "  last: {sql: 'SELECT lastval()'}\n"
    "  lock: {sql: 'SELECT pg_advisory_lock(1)'}\n"
    "  locks: {sql: \"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'\"}\n"
    "  set: {sql: \"SELECT set_config('app.x', 'y', true)\"}\n"
    "  setting: {sql: \"SELECT coalesce(current_setting('app.x', true), 'none')\"}\n"
    "  prepare: {sql: SELECT prepare_mine()}\n"
    "  prepared: {sql: \"SELECT count(*) FROM pg_prepared_statements WHERE name = 'mine'\"}\n";

static const char *shown(struct fixture *fixture, const char *rule)
{
    struct answer answer = fixture_run(fixture, rule, NULL);
    return answer.status == ANSWER_ERROR ? arena_strdup(&fixture->arena, answer.error.sqlstate)
                                         : fixture_repr(fixture, answer.rows[0]);
}

/* Session state that survives a rollback is gone after a reconnect. */
static void reconnect(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture, kept_schema, kept_yaml);
    const struct backend_ops *ops = fixture.backend->ops;
    for (int64_t i = 0; i < 3; i++) {
        assert_string_equal(shown(&fixture, "last"), "55000");
        reset(&fixture);
        assert_string_equal(shown(&fixture, "next"), "(1, 40, 8)");
        assert_int_equal(fixture_run(&fixture, "lock", NULL).status, ANSWER_OK);
        assert_int_equal(fixture_run(&fixture, "set", NULL).status, ANSWER_OK);
        assert_int_equal(fixture_run(&fixture, "prepare", NULL).status, ANSWER_OK);
        reset(&fixture);
        assert_string_equal(shown(&fixture, "last"), "(7,)");
        assert_string_equal(shown(&fixture, "locks"), "(1,)");
        assert_string_equal(shown(&fixture, "setting"), "(\"\",)");
        assert_string_equal(shown(&fixture, "prepared"), "(1,)");
        assert_string_equal(shown(&fixture, "next"), "(1, 40, 8)");
        reset(&fixture);
        assert_true(ops->reconnect(fixture.backend, &fixture.err));
        assert_true(ops->mark(fixture.backend, &fixture.err));
        assert_string_equal(shown(&fixture, "locks"), "(0,)");
        assert_string_equal(shown(&fixture, "setting"), "(\"none\",)");
        assert_string_equal(shown(&fixture, "prepared"), "(0,)");
    }
    fixture_close(&fixture);
}

static void rewind_to(struct fixture *fixture, size_t wanted)
{
    size_t index = wanted;
    assert_true(fixture->backend->ops->rewind(fixture->backend, &index, &fixture->err));
    assert_int_equal(index, wanted);
}

static void checkpoint(struct fixture *fixture, size_t index)
{
    assert_true(fixture->backend->ops->checkpoint(fixture->backend, index, &fixture->err));
}

/* Each example, and each attempt with a common prefix, finds sequences as if nothing had run
 * before, whatever ran or failed. */
static void sequences_go_back(void **state)
{
    static const char roles[] =
        "DO $$ BEGIN CREATE ROLE reader; EXCEPTION WHEN duplicate_object THEN END $$;\n";
    static const char more[] = "  boom: {sql: \"SELECT 1 / (nextval('counted') - 2)\"}\n"
                               "  one: {sql: SELECT 1}\n";
    const struct backend_context reader = {.role = "reader"};
    struct fixture fixture = fixture_new();
    (void)state;
    const char *sql = arena_printf(&fixture.arena, "%s%s", kept_schema, roles);
    fixture_open(&fixture, sql, arena_printf(&fixture.arena, "%s%s", kept_yaml, more));
    for (int i = 0; i < 3; i++) {
        assert_string_equal(shown(&fixture, "next"), "(1, 40, 8)");
        fixture_take(&fixture, fixture_queue(&fixture, "one", NULL, &reader));
        checkpoint(&fixture, 1);
        assert_string_equal(shown(&fixture, "next"), "(2, 41, 9)");
        checkpoint(&fixture, 2);
        assert_string_equal(shown(&fixture, "next"), "(3, 42, 10)");
        rewind_to(&fixture, 2);
        assert_string_equal(shown(&fixture, "next"), "(3, 42, 10)");
        rewind_to(&fixture, 1);
        assert_string_equal(shown(&fixture, "next"), "(2, 41, 9)");
        rewind_to(&fixture, 0);
        assert_string_equal(shown(&fixture, "next"), "(1, 40, 8)");
        assert_int_equal(fixture_run(&fixture, "boom", NULL).status, ANSWER_ERROR);
        reset(&fixture);
        if (i == 1) {
            assert_true(fixture.backend->ops->restart(fixture.backend, &fixture.err));
            assert_true(fixture.backend->ops->mark(fixture.backend, &fixture.err));
        }
    }
    fixture_close(&fixture);
}

/* The same for tables created inside the transaction, by files or by rules. */
static void sequences_that_are_made(void **state)
{
    static const char made[] = "model: x = None\n"
                               "rules:\n"
                               "  make: {sql: CREATE SEQUENCE made}\n"
                               "  last: {sql: \"SELECT nextval('made')\"}\n"
                               "  next: {sql: SELECT * FROM next()}\n";
    for (int in_place = 0; in_place < 2; in_place++) {
        struct fixture fixture = fixture_new();
        (void)state;
        fixture.options.in_place = in_place == 1;
        fixture_open(&fixture, kept_schema, made);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(fixture_run(&fixture, "make", NULL).status, ANSWER_OK);
            assert_string_equal(shown(&fixture, "last"), "(1,)");
            assert_string_equal(shown(&fixture, "next"), "(1, 40, 8)");
            reset(&fixture);
            if (i == 1) {
                assert_true(fixture.backend->ops->restart(fixture.backend, &fixture.err));
                assert_true(fixture.backend->ops->mark(fixture.backend, &fixture.err));
            }
        }
        fixture_close(&fixture);
    }
}

static bool are_equal(struct fixture *fixture, const char *rule, const char *expected)
{
    struct answer answer = fixture_run(fixture, rule, NULL);
    struct value actual = fixture_value(&answer);
    struct value values[] = {fixture_eval(fixture, expected), value_text(&fixture->arena, "no")};
    struct value actuals[] = {actual, actual};
    bool same[2] = {false, true};
    assert_true(fixture->backend->ops->equal(fixture->backend, answer.columns[0].type, values,
                                             actuals, 2, same, &fixture->err));
    assert_false(same[1]);
    return same[0];
}

static void equal(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture, "CREATE EXTENSION IF NOT EXISTS citext;\n",
                 "rules:\n"
                 "  uuid: {sql: SELECT uuid '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b'}\n"
                 "  stamp: {sql: SELECT timestamptz '2020-01-01 00:00:00+00'}\n"
                 "  citext: {sql: 'SELECT ''Ab''::citext'}\n"
                 "  stamps: {sql: 'SELECT ARRAY[timestamptz ''2020-01-01 00:00:00+00'']'}\n"
                 "  point: {sql: 'SELECT point ''(1,2)'''}\n"
                 "  boom: {sql: SELECT 1 / 0}\n");
    assert_true(are_equal(&fixture, "uuid", "'6EC0BD7F-11C0-43DA-975E-2A8AD9EBAE0B'"));
    assert_false(are_equal(&fixture, "uuid", "'7EC0BD7F-11C0-43DA-975E-2A8AD9EBAE0B'"));
    assert_true(are_equal(&fixture, "stamp", "'2020-01-01 02:00:00+02'"));
    assert_true(are_equal(&fixture, "citext", "'aB'"));
    assert_true(are_equal(&fixture, "stamps", "['2020-01-01T00:00:00Z']"));
    assert_false(are_equal(&fixture, "uuid", "None"));
    assert_false(are_equal(&fixture, "uuid", "{}"));
    /* A type without = can't be asked about. */
    assert_false(are_equal(&fixture, "point", "'(1,2)'"));
    fixture_close(&fixture);
}

/* Asks with pending answers, and with a failure among them. */
static void equal_ahead(void **state)
{
    struct fixture fixture = fixture_new();
    bool same = false;
    (void)state;
    fixture_open(&fixture, NULL, "rules:\n  one: {sql: SELECT 1}\n  boom: {sql: SELECT 1 / 0}\n");
    struct value upper = value_text(&fixture.arena, "6EC0BD7F-11C0-43DA-975E-2A8AD9EBAE0B");
    struct value lower = value_text(&fixture.arena, "6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b");
    enum { UUID = 2950 };
    backend_ticket one = fixture_queue(&fixture, "one", NULL, NULL);
    backend_ticket boom = fixture_queue(&fixture, "boom", NULL, NULL);
    backend_ticket after = fixture_queue(&fixture, "one", NULL, NULL);
    assert_true(
        fixture.backend->ops->equal(fixture.backend, UUID, &upper, &lower, 1, &same, &fixture.err));
    assert_true(same);
    assert_int_equal(fixture_take(&fixture, one).status, ANSWER_OK);
    assert_int_equal(fixture_take(&fixture, boom).status, ANSWER_ERROR);
    assert_int_equal(fixture_take(&fixture, after).status, ANSWER_SKIPPED);
    assert_int_equal(fixture_run(&fixture, "one", NULL).status, ANSWER_SKIPPED);
    reset(&fixture);
    assert_int_equal(fixture_run(&fixture, "one", NULL).status, ANSWER_OK);
    fixture_close(&fixture);
}

/* Rules that create types create new ones in every example. Neither the client nor the server's
 * process keeps them forever. */
static void made_types_are_forgotten(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture, "CREATE TABLE marks (id int);\n",
                 "model: x = None\n"
                 "rules:\n"
                 "  make: {sql: CREATE TYPE mood AS ENUM ('calm')}\n"
                 "  feel: {sql: 'SELECT ''calm''::mood'}\n");
    const struct backend_ops *ops = fixture.backend->ops;
    const struct session *session = fixture_session(&fixture);
    int process = PQbackendPID(session->wire.conn);
    size_t known = 0;
    for (int i = 0; i < 20; i++) {
        for (int j = 0; j < 2; j++) {
            assert_int_equal(fixture_run(&fixture, "make", NULL).status, ANSWER_OK);
            enum answer_status status = fixture_run(&fixture, "feel", NULL).status;
            /* That its type is new each time is detected once. */
            assert_int_equal(status, i == 0 && j == 1 ? ANSWER_STALE : ANSWER_OK);
            reset(&fixture);
        }
        size_t before = session->types.by_oid.count;
        assert_true(ops->restart(fixture.backend, &fixture.err));
        assert_true(ops->mark(fixture.backend, &fixture.err));
        assert_true(session->types.by_oid.count < before);
        known = i == 0 ? session->types.by_oid.count : known;
        assert_int_equal(session->types.by_oid.count, known);
    }
    assert_int_not_equal(PQbackendPID(session->wire.conn), process);
    fixture_close(&fixture);
}

/* The machine's limit ends none of our queries, which may read a large catalog. */
static void own_queries_have_time(void **state)
{
    static const char counts[] = "SELECT pg_catalog.count(*)::pg_catalog.text"
                                 " FROM pg_catalog.generate_series(1, 4000000)";
    struct fixture fixture = fixture_new();
    const char *count;
    (void)state;
    fixture.options.statement_timeout_ms = 100;
    fixture_open(&fixture, NULL, "rules: {one: {sql: SELECT 1}}\n");
    assert_true(session_value(fixture_session(&fixture), counts, NULL, &fixture.arena, &count,
                              &fixture.err));
    assert_string_equal(count, "4000000");
    assert_int_equal(fixture_run(&fixture, "one", NULL).status, ANSWER_OK);
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deferred_constraints),
        cmocka_unit_test(deferred_in_guard),
        cmocka_unit_test(constraints_of_one_name),
        cmocka_unit_test(deferred_by_ddl),
        cmocka_unit_test(restart),
        cmocka_unit_test(restart_counts_answers),
        cmocka_unit_test(made_types_are_forgotten),
        cmocka_unit_test(reconnect),
        cmocka_unit_test(sequences_go_back),
        cmocka_unit_test(sequences_that_are_made),
        cmocka_unit_test(own_queries_have_time),
        cmocka_unit_test(equal),
        cmocka_unit_test(equal_ahead),
    };
    return cmocka_run_group_tests(tests, fixture_start, fixture_stop);
}
