/* Run by named.sh, which creates the server at 127.0.0.1:$TEST_PORT, its users and databases. */
#include "pg/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char password[] = "joe's \\ secret";

static struct pg_options joe(const char *dbname)
{
    return (struct pg_options){
        .dbname = dbname,
        .host = "127.0.0.1",
        .port = getenv("TEST_PORT"),
        .user = "joe",
    };
}

static struct pg_target *open_as_joe(const char *dbname)
{
    struct pg_target *target = NULL;
    struct error err;
    const struct pg_options options = joe(dbname);
    setenv("PGPASSWORD", password, 1);
    if (!pg_target_open(&options, &target, &err)) {
        fail_msg("%s", err.message);
    }
    return target;
}

static void refused(const struct pg_options *options, const char *message, const char *hint)
{
    struct pg_target *target = NULL;
    struct error err;
    assert_false(pg_target_open(options, &target, &err));
    assert_null(target);
    assert_int_equal(err.code, ERROR_CONNECTION);
    if (!strstr(err.message, message) || !strstr(err.hint, hint)) {
        fail_msg("%s; %s", err.message, err.hint);
    }
}

static void connecting(void **state)
{
    struct pg_options options = joe("app");
    (void)state;
    unsetenv("PGPASSWORD");
    refused(&options, "the server asks for the password of user joe", "PGPASSWORD");
    setenv("PGPASSWORD", "wrong", 1);
    refused(&options, "the password of user joe is wrong", "PGPASSWORD");
    setenv("PGPASSWORD", password, 1);
    options.dbname = "nowhere";
    refused(&options, "the server refuses the connection: database \"nowhere\" does not exist", "");
    options = joe("app");
    options.port = "1";
    refused(&options, "could not reach the database: ", "--wait 30s");
    struct pg_target *target = open_as_joe("app");
    char expected[64];
    (void)snprintf(expected, sizeof expected, "database app at 127.0.0.1:%s, PostgreSQL ",
                   getenv("TEST_PORT"));
    assert_memory_equal(pg_target_description(target), expected, strlen(expected));
    assert_false(pg_target_is_embedded(target));
    pg_target_close(target);
}

static const char schema[] = "CREATE TABLE t (i int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED);\n"
                             "GRANT ALL ON t TO reader;\n";
static const char yaml[] = "model: x = None\n"
                           "rules:\n"
                           "  add: {sql: 'INSERT INTO t VALUES (:x)', as: {role: reader}}\n"
                           "  count: {sql: SELECT count(*) FROM t}\n"
                           "  who: {sql: SELECT current_user}\n";

/* The same in a scratch database and inside the transaction, with grants that a superuser would not
 * need. */
static void without_rights(void **state)
{
    const struct backend_context reader = {.role = "reader"};
    struct pg_target *target = open_as_joe("app");
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct fixture fixture = fixture_new();
        struct value one = value_int(1);
        backend_ticket check = 0;
        fixture.target = target;
        fixture.options.in_place = i == 1;
        fixture_open(&fixture, schema, yaml);
        const struct backend_ops *ops = fixture.backend->ops;
        for (int round = 0; round < 3; round++) {
            fixture_take(&fixture, fixture_queue(&fixture, "add", &one, &reader));
            struct answer answer =
                fixture_take(&fixture, fixture_queue(&fixture, "add", &one, &reader));
            assert_int_equal(answer.status, ANSWER_OK);
            assert_true(ops->queue_deferred(fixture.backend, &reader, false, &check, &fixture.err));
            answer = fixture_take(&fixture, check);
            assert_string_equal(answer.error.sqlstate, "23505");
            assert_true(ops->reset(fixture.backend, &fixture.err));
            answer = fixture_run(&fixture, "who", NULL);
            assert_string_equal(value_cstr(fixture_value(&answer)), "joe");
            assert_true(round ? ops->reconnect(fixture.backend, &fixture.err)
                              : ops->restart(fixture.backend, &fixture.err));
            assert_true(ops->mark(fixture.backend, &fixture.err));
        }
        assert_string_equal(
            fixture_sql(
                &fixture, "app",
                "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"),
            "0");
        fixture_close(&fixture);
    }
    pg_target_close(target);
}

static void role_not_granted(void **state)
{
    struct pg_target *target = open_as_joe("app");
    struct fixture fixture = fixture_new();
    (void)state;
    fixture.target = target;
    assert_false(fixture_try(&fixture, NULL,
                             "rules:\n  a: {sql: SELECT 1, as: {role: chief}}\n"
                             "  b: {sql: SELECT 2, as: {role: chief}}\n"));
    assert_int_equal(fixture.err.code, ERROR_NONE);
    assert_int_equal(fixture.diagnostics.errors.count, 1);
    assert_string_equal(fixture.diagnostics.errors.items[0].hint, "GRANT chief TO joe allows it");
    fixture_close(&fixture);
    pg_target_close(target);
}

/* libpq translates between the database's encoding and ours. */
static void other_encoding(void **state)
{
    struct pg_target *target = open_as_joe("latin");
    struct fixture fixture = fixture_new();
    (void)state;
    fixture.target = target;
    fixture.options.in_place = true;
    fixture_open(&fixture, "CREATE TABLE t (n text DEFAULT 'é');",
                 "model: x = None\n"
                 "rules:\n"
                 "  add: {sql: 'INSERT INTO t VALUES (DEFAULT), (:x) RETURNING n, length(n)'}\n");
    struct value value = value_text(&fixture.arena, "ü'\\");
    struct answer answer = fixture_run(&fixture, "add", &value);
    assert_string_equal(fixture_repr(&fixture, answer.rows[0]), "(\"é\", 1)");
    assert_string_equal(fixture_repr(&fixture, answer.rows[1]), "(\"ü'\\\\\", 3)");
    value = value_text(&fixture.arena, "\xE2\x98\x83");
    answer = fixture_run(&fixture, "add", &value);
    assert_string_equal(answer.error.sqlstate, "22P05");
    fixture_close(&fixture);
    pg_target_close(target);
}

/* A database without an encoding: the server refuses to send bytes that are not text. */
static void no_encoding(void **state)
{
    struct pg_target *target = open_as_joe("bytes");
    struct fixture fixture = fixture_new();
    struct answer answer;
    (void)state;
    fixture.target = target;
    fixture_open(&fixture, NULL,
                 "rules:\n  good: {sql: \"SELECT E'\\\\303\\\\251'\"}\n"
                 "  bad: {sql: \"SELECT E'a\\\\377'\"}\n");
    answer = fixture_run(&fixture, "good", NULL);
    assert_string_equal(value_cstr(fixture_value(&answer)), "é");
    answer = fixture_run(&fixture, "bad", NULL);
    assert_string_equal(answer.error.sqlstate, "22021");
    fixture_close(&fixture);
    pg_target_close(target);
}

/* A database that was named is read alone, and its sequences stay where they are. */
static void compared(void **state)
{
    static const char made[] =
        "CREATE SEQUENCE moves; CREATE VIEW moving AS SELECT nextval('moves') AS n;"
        "CREATE TABLE moved (id serial); GRANT SELECT ON moved TO reader; SELECT 1";
    static const char stand[] = "SELECT concat((SELECT is_called FROM moves), "
                                "(SELECT last_value FROM moved_id_seq))";
    static const char *const reads[] = {"SELECT n FROM public.moving",
                                        "SELECT id FROM public.moved",
                                        "SELECT n FROM public.moving"};
    const struct backend_context reader = {.role = "reader"};
    struct pg_target *target = open_as_joe("app");
    struct fixture fixture = fixture_new();
    struct fixture after = fixture_new();
    backend_ticket tickets[3];
    (void)state;
    fixture.target = after.target = target;
    (void)fixture_sql(&after, "app", made);
    fixture_open(&fixture, NULL,
                 "rules:\n"
                 "  add: {sql: INSERT INTO moved VALUES (1)}\n"
                 "  who: {as: {role: reader}, sql: SELECT 1}\n");
    const struct backend_ops *ops = fixture.backend->ops;
    for (size_t i = 0; i < 3; i++) {
        assert_true(ops->align(fixture.backend, i, &fixture.err));
        const struct backend_queries one = {&reads[i], 1, i == 1 ? &reader : NULL};
        assert_true(ops->queue_reads(fixture.backend, &one, &tickets[i], &fixture.err));
    }
    for (size_t i = 0; i < 3; i++) {
        struct answer answer = fixture_take(&fixture, tickets[i]);
        assert_int_equal(answer.status, i == 1 ? ANSWER_OK : ANSWER_ERROR);
        if (i != 1) {
            assert_string_equal(answer.error.sqlstate, "25006");
        }
    }
    /* The example may still write. */
    assert_int_equal(fixture_run(&fixture, "add", NULL).status, ANSWER_OK);
    fixture_close(&fixture);
    assert_string_equal(fixture_sql(&after, "app", stand), "f1");
    (void)fixture_sql(&after, "app", "DROP VIEW moving; DROP TABLE moved; DROP SEQUENCE moves");
    fixture_close(&after);
    pg_target_close(target);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connecting),     cmocka_unit_test(compared),
        cmocka_unit_test(without_rights), cmocka_unit_test(role_not_granted),
        cmocka_unit_test(other_encoding), cmocka_unit_test(no_encoding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
