/* Opening: all mistakes together, with their places; DDL; roles; facts from the catalog. */
#include "pg/fixture.h"
#include "pg/session/session.h"

#include <stdio.h>
#include <string.h>

static const char schema[] =
    "DO $$ BEGIN CREATE ROLE reader; EXCEPTION WHEN duplicate_object THEN END $$;\n"
    "CREATE SCHEMA hidden;\n"
    "CREATE TABLE hidden.secrets (id int);\n"
    "CREATE TABLE items (id int, label text);\n"
    "GRANT SELECT, INSERT ON items TO reader;\n";

static const struct error *mistake(const struct fixture *fixture, size_t index)
{
    assert_true(index < fixture->diagnostics.errors.count);
    return &fixture->diagnostics.errors.items[index];
}

static void assert_place(const struct error *err, size_t line, size_t column)
{
    struct source_place place = source_place(err->pos);
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
}

static void all_mistakes_at_once(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    bool opened = fixture_try(&fixture, schema,
                              "model: x = None\n"
                              "rules:\n"
                              "  a: {sql: SELECT idd FROM items}\n"
                              "  b:\n"
                              "    sql: |\n"
                              "      INSERT INTO items\n"
                              "      VALUES (:x, :x, :x)\n"
                              "  c: {sql: 'SELECT ''é'', :x::int, nosuch(1)'}\n"
                              "  d: {sql: 'SELECT jsonb_build_object(''a'', :x)'}\n"
                              "  e: {sql: SELECT id FROM items}\n"
                              "invariants:\n"
                              "  f: SELECT FROM nowhere\n"
                              "  g: {sql: SELECT id FRM items}\n");
    assert_false(opened);
    assert_int_equal(fixture.err.code, ERROR_NONE);
    assert_int_equal(fixture.diagnostics.errors.count, 6);
    assert_string_equal(mistake(&fixture, 0)->message, "column \"idd\" does not exist");
    assert_string_equal(mistake(&fixture, 0)->sqlstate, "42703");
    assert_place(mistake(&fixture, 0), 5, 19);
    assert_non_null(strstr(mistake(&fixture, 0)->hint, "items.id"));
    assert_string_equal(mistake(&fixture, 1)->message,
                        "INSERT has more expressions than target columns");
    assert_place(mistake(&fixture, 1), 9, 23);
    assert_string_equal(mistake(&fixture, 2)->message, "function nosuch(integer) does not exist");
    assert_place(mistake(&fixture, 2), 10, 36);
    assert_string_equal(mistake(&fixture, 3)->sqlstate, "42P18");
    assert_string_equal(mistake(&fixture, 3)->hint, "add a cast, as in :x::int");
    assert_string_equal(mistake(&fixture, 4)->message, "relation \"nowhere\" does not exist");
    assert_place(mistake(&fixture, 4), 14, 18);
    assert_string_equal(mistake(&fixture, 5)->message, "syntax error at or near \"items\"");
    fixture_close(&fixture);
}

/* A missing object that the machine's DDL may create is not a mistake; until then it is the step's
 * error. */
static void ddl_may_come(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture, schema,
                 "model: x = None\n"
                 "rules:\n"
                 "  make: {sql: CREATE TABLE later (n int)}\n"
                 "  fill: {sql: INSERT INTO later VALUES (:x)}\n"
                 "  read: {sql: SELECT * FROM later}\n"
                 "  widen: {sql: 'ALTER TABLE later ADD COLUMN m text DEFAULT ''d'''}\n");
    struct value seven = value_int(7);
    struct answer answer = fixture_run(&fixture, "fill", &seven);
    assert_string_equal(answer.error.sqlstate, "42P01");
    assert_int_equal(answer.error.position, 13);
    assert_true(fixture.backend->ops->reset(fixture.backend, &fixture.err));
    backend_ticket made = fixture_queue(&fixture, "make", NULL, NULL);
    backend_ticket filled = fixture_queue(&fixture, "fill", &seven, NULL);
    backend_ticket read = fixture_queue(&fixture, "read", NULL, NULL);
    backend_ticket widened = fixture_queue(&fixture, "widen", NULL, NULL);
    backend_ticket again = fixture_queue(&fixture, "read", NULL, NULL);
    assert_int_equal(fixture_take(&fixture, made).status, ANSWER_OK);
    assert_int_equal(fixture_take(&fixture, filled).status, ANSWER_OK);
    answer = fixture_take(&fixture, read);
    assert_string_equal(fixture_repr(&fixture, answer.rows[0]), "(7,)");
    assert_int_equal(fixture_take(&fixture, widened).status, ANSWER_OK);
    answer = fixture_take(&fixture, again);
    assert_string_equal(fixture_repr(&fixture, answer.rows[0]), "(7, \"d\")");
    fixture_close(&fixture);
}

/* A plan that no longer fits is told apart from a failure, once; then the statement works. */
static void stale_plans(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture, schema,
                 "rules:\n"
                 "  read: {sql: SELECT * FROM items}\n"
                 "  widen: {sql: ALTER TABLE items ADD COLUMN more int}\n");
    for (int round = 0; round < 2; round++) {
        fixture_run(&fixture, "read", NULL);
        fixture_run(&fixture, "widen", NULL);
        struct answer answer = fixture_run(&fixture, "read", NULL);
        assert_int_equal(answer.status, round == 0 ? ANSWER_STALE : ANSWER_OK);
        if (round == 0) {
            assert_int_equal(fixture_run(&fixture, "read", NULL).status, ANSWER_SKIPPED);
        } else {
            assert_int_equal(answer.column_count, 3);
        }
        assert_true(fixture.backend->ops->reset(fixture.backend, &fixture.err));
    }
    fixture_close(&fixture);
}

/* A missing privilege is the step's error, even if the server reports it during preparation. */
static void missing_rights(void **state)
{
    struct fixture fixture = fixture_new();
    const struct backend_context reader = {.role = "reader"};
    (void)state;
    fixture_open(&fixture, schema,
                 "rules:\n"
                 "  peek: {sql: SELECT * FROM hidden.secrets, as: {role: reader}}\n");
    struct answer answer = fixture_take(&fixture, fixture_queue(&fixture, "peek", NULL, &reader));
    assert_string_equal(answer.error.sqlstate, "42501");
    fixture_close(&fixture);
}

static void unknown_role(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    assert_false(fixture_try(&fixture, schema,
                             "contexts:\n"
                             "  ghost: {role: no_such_role}\n"
                             "rules:\n"
                             "  a: {sql: SELECT 1, as: ghost}\n"
                             "  b: {sql: SELECT nosuch}\n"));
    assert_int_equal(fixture.diagnostics.errors.count, 2);
    assert_string_equal(mistake(&fixture, 0)->message,
                        "the context can't be set: role \"no_such_role\" does not exist");
    assert_int_equal(source_place(mistake(&fixture, 0)->pos).line, 6);
    assert_string_equal(mistake(&fixture, 1)->message, "column \"nosuch\" does not exist");
    fixture_close(&fixture);
}

static bool has_warning(struct fixture *fixture, const char *text)
{
    const char *const *warnings = fixture->backend->ops->warnings(fixture->backend);
    for (; *warnings; warnings++) {
        if (strstr(*warnings, text)) {
            return true;
        }
    }
    return false;
}

static void warnings(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture,
                 "DO $$ BEGIN CREATE ROLE reader; EXCEPTION WHEN duplicate_object THEN END $$;\n"
                 "CREATE TABLE open_to_none (id int);\n"
                 "CREATE TABLE read_by_role (id int);\n"
                 "CREATE TABLE not_touched (id int);\n"
                 "ALTER TABLE open_to_none ENABLE ROW LEVEL SECURITY;\n"
                 "ALTER TABLE read_by_role ENABLE ROW LEVEL SECURITY;\n"
                 "ALTER TABLE not_touched ENABLE ROW LEVEL SECURITY;\n"
                 "CREATE FUNCTION tell() RETURNS void LANGUAGE plpgsql AS $$\n"
                 "BEGIN PERFORM pg_notify('a', 'b'); END $$;\n",
                 "rules:\n"
                 "  a: {sql: INSERT INTO open_to_none VALUES (1)}\n"
                 "  b: {sql: SELECT * FROM Read_By_Role, as: {role: reader}}\n"
                 "  c: {sql: SELECT * FROM read_by_role}\n"
                 "  d: {sql: CREATE TEMP TABLE t (i int) ON COMMIT DROP}\n");
    assert_true(has_warning(&fixture, "public.open_to_none: every rule and invariant that touches "
                                      "it runs as postgres, a superuser; write `as: {role: "));
    assert_false(has_warning(&fixture, "read_by_role"));
    assert_false(has_warning(&fixture, "not_touched"));
    assert_true(has_warning(&fixture, "function tell(): NOTIFY is not sent"));
    assert_true(has_warning(&fixture, "CREATE TEMP TABLE t (i int) ON COMMIT DROP: ON COMMIT"));
    fixture_close(&fixture);
}

static bool pool_has_string(struct fixture *fixture, const char *text)
{
    size_t count = 0;
    const struct value *strings = fixture->backend->ops->pool_strings(fixture->backend, &count);
    for (size_t i = 0; i < count; i++) {
        if (value_is_string(strings[i], text)) {
            return true;
        }
    }
    return false;
}

static bool pool_has_int(struct fixture *fixture, int64_t number)
{
    size_t count = 0;
    const struct value *ints = fixture->backend->ops->pool_ints(fixture->backend, &count);
    for (size_t i = 0; i < count; i++) {
        if (ints[i].as.integer == number) {
            return true;
        }
    }
    return false;
}

static void literals_of_the_schema(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    fixture_open(&fixture,
                 "CREATE TYPE mood AS ENUM ('sad', 'it''s');\n"
                 "CREATE DOMAIN small AS int CHECK (VALUE < 1234);\n"
                 "CREATE TABLE t (n small DEFAULT 77, role text DEFAULT 'viewer'\n"
                 "  CHECK (role IN ('viewer', 'editor')));\n",
                 "rules:\n  a: {sql: SELECT 1}\n");
    assert_true(pool_has_string(&fixture, "sad"));
    assert_true(pool_has_string(&fixture, "it's"));
    assert_true(pool_has_string(&fixture, "viewer"));
    assert_true(pool_has_string(&fixture, "editor"));
    assert_false(pool_has_string(&fixture, "happy"));
    assert_true(pool_has_int(&fixture, 1234));
    assert_true(pool_has_int(&fixture, 77));
    assert_false(pool_has_int(&fixture, 4321));
    fixture_close(&fixture);
}

/* SQL that may change a context, and SQL that only looks like it. */
static const struct {
    const char *schema;
    const char *sql; /* of a rule; NULL: SELECT 1 */
    bool changed;
    bool session_user;
} changing[] = {
    {"SELECT 1", NULL, false, false},
    /* UPDATE */
    {"CREATE FUNCTION f() RETURNS void LANGUAGE sql AS 'UPDATE t SET role = 1';", NULL, false,
     false},
    {"CREATE FUNCTION f() RETURNS void LANGUAGE sql AS 'UPDATE \"t\" SET \"role\" = 1';", NULL,
     false, false},
    {"CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN\n"
     "INSERT INTO t VALUES (1) ON CONFLICT (role) DO UPDATE\n  SET role = EXCLUDED.role;\n"
     "UPDATE t AS a\n  SET (role, n) = (SELECT 1, 2);\nEND $$;",
     NULL, false, false},
    {"CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS "
     "$$ BEGIN SET CONSTRAINTS ALL IMMEDIATE; END $$;",
     NULL, false, false},
    {"SELECT 1", "UPDATE t SET role = 1", false, false},
    {"SELECT 1", "UPDATE t SET role = (SELECT 1)", false, false},
    /* put back by the server */
    {"CREATE FUNCTION f() RETURNS int LANGUAGE sql SET search_path = public SET app.a = '1' "
     "AS 'SELECT 1';",
     NULL, false, false},
    {"SET app.a = '1';", NULL, false, false},
    /* functions */
    {"CREATE FUNCTION f(n text) RETURNS text LANGUAGE sql "
     "AS 'SELECT pg_catalog.SET_CONFIG(n, n, true)';",
     NULL, true, false},
    {"CREATE FUNCTION f(n text) RETURNS text LANGUAGE sql "
     "BEGIN ATOMIC SELECT set_config(n, n, true); END;",
     NULL, true, false},
    {"CREATE FUNCTION f(text, text, boolean) RETURNS text LANGUAGE internal "
     "AS 'set_config_by_name';",
     NULL, true, false},
    {"CREATE FUNCTION f() RETURNS void LANGUAGE sql AS "
     "$$ UPDATE pg_settings SET setting = '' WHERE name = 'app.a' $$;",
     NULL, true, false},
    {"CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN SET LOCAL\n a TO 1; END "
     "$$;",
     NULL, true, false},
    {"CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN set role t; END $$;", NULL,
     true, false},
    {"CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN\n-- who\nSET role = t;\n"
     "END $$;",
     NULL, true, false},
    {"CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN\n/* who */ SET timezone = "
     "t;"
     "END $$;",
     NULL, true, false},
    {"CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF true THEN RESET ROLE; "
     "END IF; END $$;",
     NULL, true, false},
    {"CREATE FUNCTION f(n text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN "
     "EXECUTE format('SET %I = 1', n); END $$;",
     NULL, true, false},
    {"CREATE FUNCTION f(n text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN "
     "EXECUTE 'SET ROLE ' || n; END $$;",
     NULL, true, false},
    {"CREATE FUNCTION f(n text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN "
     "EXECUTE format('SET SESSION AUTHORIZATION %I', n); END $$;",
     NULL, true, true},
    {"CREATE FUNCTION f(n text) RETURNS text LANGUAGE sql "
     "AS $$ SELECT set_config('session_authorization', n, true) $$;",
     NULL, true, true},
    /* elsewhere */
    {"CREATE VIEW v AS SELECT set_config('app.a', '1', true);", NULL, true, false},
    {"CREATE TABLE d (a text DEFAULT set_config('app.a', '1', true));", NULL, true, false},
    {"CREATE TABLE d (a text CHECK (set_config('app.a', a, true) <> ''));", NULL, true, false},
    {"CREATE POLICY p ON t USING (set_config('app.a', '1', true) = '1');", NULL, true, false},
    {"CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';\n"
     "CREATE TRIGGER g AFTER INSERT ON t FOR EACH ROW WHEN (set_config('app.a', '1', true) = "
     "'')"
     " EXECUTE FUNCTION f();",
     NULL, true, false},
    /* the machine's own */
    {"SELECT 1", "SET app.a = '2'", true, false},
    {"SELECT 1", "SET \"app.a\" = '2'", true, false},
    {"SELECT 1", "SET LOCAL app.a = '2'", true, false},
    {"SELECT 1", "RESET app.a", true, false},
    {"SELECT 1", "DO 'BEGIN SET ROLE NONE; END'", true, false},
    {"SELECT 1", "SELECT set_config('app.a', '1', true)", true, false},
    {"SELECT 1",
     "CREATE FUNCTION f(n text) RETURNS text LANGUAGE sql AS "
     "'SELECT set_config(n, n, true)'",
     true, false},
};

static void sql_that_changes_contexts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changing / sizeof *changing; i++) {
        struct fixture fixture = fixture_new();
        struct strbuf sql = {0};
        strbuf_addf(&sql, "CREATE TABLE t (role int UNIQUE, n int);\n%s", changing[i].schema);
        struct strbuf machine = {0};
        strbuf_addf(&machine, "rules:\n  a:\n    sql: |\n      %s\n",
                    changing[i].sql ? changing[i].sql : "SELECT 1");
        fixture_open(&fixture, strbuf_text(&sql), strbuf_text(&machine));
        struct backend_changes changes = fixture.backend->ops->changes(fixture.backend);
        if (changes.settings != changing[i].changed ||
            changes.session_user != changing[i].session_user) {
            fail_msg("%d %d: %s; %s", changes.settings, changes.session_user, changing[i].schema,
                     strbuf_text(&machine));
        }
        strbuf_free(&sql);
        strbuf_free(&machine);
        fixture_close(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_mistakes_at_once),
        cmocka_unit_test(ddl_may_come),
        cmocka_unit_test(stale_plans),
        cmocka_unit_test(missing_rights),
        cmocka_unit_test(unknown_role),
        cmocka_unit_test(warnings),
        cmocka_unit_test(literals_of_the_schema),
        cmocka_unit_test(sql_that_changes_contexts),
    };
    return cmocka_run_group_tests(tests, fixture_start, fixture_stop);
}
