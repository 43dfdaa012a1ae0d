/* A migration in the middle of an example: what it makes of rows that are there, and that nothing
 * of it is left in the next example. */
#include "example/tables.h"
#include "pg/fixture.h"

#include <string.h>

static const char schema[] =
    "DO $$ BEGIN CREATE ROLE reader; EXCEPTION WHEN duplicate_object THEN END $$;\n"
    "CREATE SCHEMA other;\n"
    "CREATE TABLE owners (id int PRIMARY KEY);\n"
    "CREATE TABLE items (id serial PRIMARY KEY, label text, old boolean,\n"
    "                    owner int REFERENCES owners DEFERRABLE INITIALLY DEFERRED);\n"
    "CREATE VIEW labels AS SELECT label FROM items;\n"
    "CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql AS 'SELECT 2 * n';\n"
    "CREATE FUNCTION opposite(b boolean) RETURNS boolean LANGUAGE sql AS 'SELECT NOT b';\n"
    "CREATE FUNCTION is_new() RETURNS boolean LANGUAGE plpgsql AS\n"
    "    'DECLARE i items; BEGIN SELECT * INTO i FROM items; RETURN opposite(i.old); END';\n"
    "GRANT SELECT ON items TO reader;\n";

static const char machine[] = "model: x = None\n"
                              "rules:\n"
                              "  add: {sql: 'INSERT INTO items (label, owner) VALUES (:x, 1)'}\n"
                              "  own: {sql: INSERT INTO owners VALUES (1)}\n"
                              "  all: {sql: SELECT * FROM items}\n"
                              "  rows: {sql: SELECT i FROM items AS i}\n"
                              "  one: {sql: 'SELECT * FROM items WHERE label = :x'}\n"
                              "  size: {sql: 'SELECT size FROM items WHERE label = :x'}\n"
                              "  labels: {sql: SELECT * FROM labels}\n"
                              "  twice: {sql: 'SELECT twice(:x)'}\n"
                              "  age: {sql: 'UPDATE items SET old = true'}\n"
                              "  is_new: {sql: SELECT is_new()}\n"
                              "  mood: {sql: SELECT mood FROM items}\n";

static struct fixture open_with(const char *migration, const char *yaml)
{
    struct fixture fixture = fixture_new();
    const char **files = ARENA_ARRAY(&fixture.arena, const char *, 1);
    files[0] = fixture_file(&fixture, migration);
    fixture.options.migration = files;
    fixture.options.migration_count = 1;
    fixture_open(&fixture, schema, yaml);
    return fixture;
}

static struct answer migrate(struct fixture *fixture)
{
    struct answer answer;
    if (!fixture->backend->ops->migrate(fixture->backend, &fixture->arena, &answer,
                                        &fixture->err)) {
        fail_msg("%s", fixture->err.message);
    }
    return answer;
}

static void migrates(struct fixture *fixture)
{
    struct answer answer = migrate(fixture);
    if (answer.status != ANSWER_OK) {
        fail_msg("%s: %s", answer.error.place ? answer.error.place : "", answer.error.message);
    }
}

static void assert_migration_fails(struct fixture *fixture, const char *sqlstate, const char *place)
{
    struct answer answer = migrate(fixture);
    assert_int_equal(answer.status, ANSWER_ERROR);
    assert_string_equal(answer.error.sqlstate, sqlstate);
    const char *name = strchr(answer.error.place, ':');
    assert_memory_equal(answer.error.place, fixture->files[0], strlen(fixture->files[0]));
    assert_string_equal(name, place);
}

static void reset(struct fixture *fixture)
{
    assert_true(fixture->backend->ops->reset(fixture->backend, &fixture->err));
}

static const char *run(struct fixture *fixture, const char *rule, const char *value)
{
    struct value values[] = {value_none()};
    struct strbuf text = {0};
    if (value) {
        values[0] = fixture_eval(fixture, value);
    }
    struct answer answer = fixture_run(fixture, rule, value ? values : NULL);
    if (answer.status == ANSWER_ERROR) {
        return arena_strdup(&fixture->arena, answer.error.sqlstate);
    }
    assert_int_equal(answer.status, ANSWER_OK);
    for (size_t i = 0; i < answer.row_count; i++) {
        strbuf_adds(&text, fixture_repr(fixture, answer.rows[i]));
    }
    const char *copy = strbuf_copy(&text, &fixture->arena);
    strbuf_free(&text);
    return copy;
}

static void add_row(struct fixture *fixture)
{
    (void)run(fixture, "own", NULL);
    (void)run(fixture, "add", "'a'");
    backend_ticket ticket;
    assert_true(fixture->backend->ops->queue_deferred(fixture->backend, NULL, false, &ticket,
                                                      &fixture->err));
    assert_int_equal(fixture_take(fixture, ticket).status, ANSWER_OK);
}

static const char widens[] =
    "ALTER TABLE items ADD COLUMN size int;\n"
    "UPDATE items SET size = length(label);\n"
    "ALTER TABLE items ALTER COLUMN size SET NOT NULL; -- pending events, were they deferred\n"
    "CREATE TYPE mood AS ENUM ('sad', 'glad');\n"
    "ALTER TABLE items ADD COLUMN mood mood DEFAULT 'sad', DROP COLUMN old;\n"
    "DROP VIEW labels;\n"
    "DROP FUNCTION twice(int);\n";

/* Each statement means what it means now; none is stale, but for one with a type that is made anew
 * in each example, once. */
static void statements_mean_something_else(void **state)
{
    struct fixture fixture = open_with(widens, machine);
    (void)state;
    for (int round = 0; round < 3; round++) {
        add_row(&fixture);
        assert_string_equal(run(&fixture, "all", NULL), "(1, \"a\", None, 1)");
        assert_string_equal(run(&fixture, "rows", NULL), "((1, \"a\", None, 1),)");
        assert_string_equal(run(&fixture, "one", "'a'"), "(1, \"a\", None, 1)");
        assert_string_equal(run(&fixture, "size", "'a'"), "42703");
        reset(&fixture);
        add_row(&fixture);
        assert_string_equal(run(&fixture, "labels", NULL), "(\"a\",)");
        assert_string_equal(run(&fixture, "twice", "4"), "(8,)");
        migrates(&fixture);
        assert_string_equal(run(&fixture, "size", "'a'"), "(1,)");
        if (round == 1) {
            assert_int_equal(fixture_run(&fixture, "all", NULL).status, ANSWER_STALE);
        } else {
            assert_string_equal(run(&fixture, "all", NULL), "(1, \"a\", 1, 1, \"sad\")");
            assert_string_equal(run(&fixture, "rows", NULL), "((1, \"a\", 1, 1, \"sad\"),)");
            assert_string_equal(run(&fixture, "labels", NULL), "42P01");
        }
        reset(&fixture);
    }
    fixture_close(&fixture);
}

/* What is gone raises its error each time. */
static void gone(void **state)
{
    struct fixture fixture = open_with(widens, machine);
    (void)state;
    for (int round = 0; round < 3; round++) {
        migrates(&fixture);
        assert_string_equal(run(&fixture, "twice", "4"), "42883");
        reset(&fixture);
        migrates(&fixture);
        assert_string_equal(run(&fixture, "labels", NULL), "42P01");
        reset(&fixture);
        assert_string_equal(run(&fixture, "twice", "4"), "(8,)");
        assert_string_equal(run(&fixture, "mood", NULL), "42703");
        reset(&fixture);
    }
    fixture_close(&fixture);
}

/* The plan of a function knows a type that the migration alters, and one that the next example
 * makes anew. */
static void functions_know_types(void **state)
{
    struct fixture fixture = open_with("CREATE DOMAIN truth AS boolean;\n"
                                       "ALTER TABLE items ALTER COLUMN old TYPE truth;\n",
                                       machine);
    (void)state;
    for (int round = 0; round < 3; round++) {
        add_row(&fixture);
        (void)run(&fixture, "age", NULL);
        assert_string_equal(run(&fixture, "is_new", NULL), "(False,)");
        migrates(&fixture);
        assert_string_equal(run(&fixture, "is_new", NULL), "(False,)");
        reset(&fixture);
    }
    fixture_close(&fixture);
}

/* It survives the end of the outer transaction, and another connection. */
static void after_restart(void **state)
{
    struct fixture fixture = open_with(widens, machine);
    const struct backend_ops *ops = fixture.backend->ops;
    (void)state;
    for (int round = 0; round < 3; round++) {
        add_row(&fixture);
        migrates(&fixture);
        assert_string_equal(run(&fixture, "one", "'a'"), "(1, \"a\", 1, 1, \"sad\")");
        assert_true((round ? ops->restart : ops->reconnect)(fixture.backend, &fixture.err));
        assert_true(ops->mark(fixture.backend, &fixture.err));
        add_row(&fixture);
        assert_string_equal(run(&fixture, "one", "'a'"), "(1, \"a\", None, 1)");
        reset(&fixture);
    }
    fixture_close(&fixture);
}

/* Deferred constraints: of a file without a transaction at once, otherwise at its COMMIT, and
 * after it as before. */
static void deferred_constraints(void **state)
{
    struct fixture fixture = open_with("UPDATE items SET owner = 2;\n"
                                       "INSERT INTO owners VALUES (2);\n",
                                       machine);
    (void)state;
    add_row(&fixture);
    assert_migration_fails(&fixture, "23503", ":1:1");
    assert_int_equal(migrate(&fixture).status, ANSWER_SKIPPED);
    reset(&fixture);
    migrates(&fixture);
    assert_string_equal(run(&fixture, "add", "'b'"), "");
    assert_string_equal(run(&fixture, "own", NULL), "");
    fixture_close(&fixture);

    fixture = open_with("BEGIN;\nUPDATE items SET owner = 2;\n"
                        "INSERT INTO owners VALUES (2);\nCOMMIT;\n"
                        "UPDATE items SET label = 'c';\n",
                        machine);
    add_row(&fixture);
    migrates(&fixture);
    assert_string_equal(run(&fixture, "one", "'c'"), "(1, \"c\", None, 2)");
    fixture_close(&fixture);

    fixture = open_with("BEGIN;\nUPDATE items SET owner = 2;\n SELECT 1;COMMIT;\n", machine);
    add_row(&fixture);
    assert_migration_fails(&fixture, "23503", ":3:11");
    fixture_close(&fixture);

    /* the server says the same to psql */
    fixture = open_with("BEGIN;\nUPDATE items SET owner = 1;\n"
                        "ALTER TABLE items ALTER COLUMN owner SET NOT NULL;\nCOMMIT;\n",
                        machine);
    add_row(&fixture);
    assert_migration_fails(&fixture, "55006", ":3:1");
    fixture_close(&fixture);
}

static void errors_have_a_place(void **state)
{
    struct fixture fixture = open_with("-- é\n"
                                       "ALTER TABLE items ADD COLUMN n int;\n"
                                       "UPDATE items SET\n  n = nosuch;\n"
                                       "SELECT 1;\n",
                                       machine);
    (void)state;
    assert_migration_fails(&fixture, "42703", ":4:7");
    reset(&fixture);
    assert_string_equal(run(&fixture, "all", NULL), "");
    fixture_close(&fixture);
}

/* What a file sets ends with it. */
static void settings_end(void **state)
{
    struct fixture fixture =
        open_with("SET search_path = other;\n"
                  "CREATE TABLE things (n int);\n"
                  "SET LOCAL search_path = public; -- ignored by the server\n"
                  "CREATE TABLE more (n int);\n"
                  "SET search_path = public;\n"
                  "SET ROLE reader;\n"
                  "SELECT * FROM items;\n",
                  "rules:\n"
                  "  who: {sql: 'SELECT current_setting(''search_path''), "
                  "current_setting(''statement_timeout'')'}\n"
                  "  more: {sql: SELECT * FROM other.things CROSS JOIN other.more}\n"
                  "  owners: {sql: SELECT * FROM owners}\n");
    const struct backend_context reader = {.role = "reader"};
    (void)state;
    for (int round = 0; round < 2; round++) {
        const char *path = run(&fixture, "who", NULL);
        assert_string_equal(
            fixture_take(&fixture, fixture_queue(&fixture, "owners", NULL, &reader)).error.sqlstate,
            "42501");
        reset(&fixture);
        migrates(&fixture);
        assert_string_equal(run(&fixture, "who", NULL), path);
        assert_string_equal(run(&fixture, "owners", NULL), "");
        assert_string_equal(run(&fixture, "more", NULL), "");
        reset(&fixture);
    }
    fixture_close(&fixture);
}

static void what_psql_knows(void **state)
{
    struct fixture fixture = fixture_new();
    (void)state;
    const char *part = fixture_file(&fixture, "CREATE TABLE parted (n int);\n\\warn done\n");
    const char *text =
        arena_printf(&fixture.arena,
                     "\\echo It begins.\n\\set ON_ERROR_STOP on\n"
                     "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT 2; END;\n"
                     "\\ir %s\n"
                     "INSERT INTO parted SELECT f();\n"
                     "CREATE INDEX CONCURRENTLY at_n ON parted (n);\n"
                     "VACUUM parted;\n"
                     "DO $$ BEGIN INSERT INTO parted VALUES (3); END $$\n",
                     strrchr(part, '/') + 1);
    const char *files[] = {fixture_file(&fixture, text)};
    fixture.options.migration = files;
    fixture.options.migration_count = 1;
    fixture_open(&fixture, schema,
                 "rules:\n"
                 "  read: {sql: SELECT n FROM parted ORDER BY n}\n"
                 "  index: {sql: 'SELECT to_regclass(''at_n'') IS NOT NULL'}\n");
    const char *const *warnings = fixture.backend->ops->warnings(fixture.backend);
    const char *expected =
        arena_printf(&fixture.arena,
                     "%s:6:1: in the middle of an example, the migration runs without "
                     "CONCURRENTLY",
                     files[0]);
    assert_string_equal(warnings[0], expected);
    for (int round = 0; round < 2; round++) {
        migrates(&fixture);
        assert_string_equal(run(&fixture, "read", NULL), "(2,)(3,)");
        assert_string_equal(run(&fixture, "index", NULL), "(True,)");
        reset(&fixture);
    }
    fixture_close(&fixture);
}

/* A file's text, and what can't run; NULL: all of it can. */
static const struct {
    const char *text;
    const char *why;
    bool shared; /* nor where steps are committed */
} refused[] = {
    {"SELECT 1; SELECT a[1:n] FROM t; SELECT ':x', $$ :'y' $$", NULL, false},
    {"-- migrate:up\nUPDATE t SET n = 1;\n-- migrate:down\n\\gexec\nVACUUM;\n", NULL, false},
    {"SAVEPOINT a;", ":1:1: SAVEPOINT can't run in the transaction of an example", false},
    {"BEGIN; SAVEPOINT a; RELEASE a; COMMIT;", NULL, false},
    {"BEGIN;\nSELECT 1; COMMIT AND CHAIN;",
     ":2:11: COMMIT can't run in the transaction of an example", false},
    {"BEGIN; SELECT 1;",
     ":1:8: a transaction that the file does not end can't run in the "
     "transaction of an example",
     false},
    {"BEGIN; SELECT 1; ROLLBACK;", ":1:18: ROLLBACK can't run in the transaction of an example",
     false},
    {"ALTER TYPE mood ADD VALUE 'meh';",
     ":1:1: ALTER TYPE … ADD VALUE can't run in the transaction of an example", false},
    {"SELECT 1;\n CREATE DATABASE a;",
     ":2:2: CREATE DATABASE can't run in the transaction of an example", true},
    {"ALTER SYSTEM SET work_mem = '1MB'",
     ":1:1: ALTER SYSTEM can't run in the transaction of an example", true},
    {"SELECT 'SELECT 1' \\gexec\n",
     ":1:19: this command of psql can't run in the transaction of an example", false},
    {"\\if 1\n\\endif\n", ":1:1: this command of psql can't run in the transaction of an example",
     false},
    {"SELECT\n\\echo a\n1;",
     ":2:1: a command of psql in a statement can't run in the "
     "transaction of an example",
     false},
    {"\\set n 1\nSELECT :n;", ":2:1: a variable of psql can't run in the transaction of an example",
     false},
    {"ALTER DATABASE :\"DBNAME\" SET work_mem = '1MB';",
     ":1:1: a variable of psql can't run in the transaction of an example", true},
    {"COPY t FROM STDIN;\n1\n\\.\n",
     ":1:1: COPY … FROM STDIN can't run in the transaction of an example", false},
    {"DEALLOCATE ALL", ":1:1: a prepared statement can't run in the transaction of an example",
     false},
    {"CREATE ROLE a;", NULL, true},
};

static void what_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct fixture fixture = fixture_new();
        const char *files[] = {fixture_file(&fixture, refused[i].text)};
        const char *why = NULL;
        fixture.options.migration = files;
        fixture.options.migration_count = 1;
        assert_true(pg_migration_refused(&fixture.options, &fixture.arena, &why, &fixture.err));
        if (!why != !refused[i].why || (why && strcmp(strchr(why, ':'), refused[i].why) != 0)) {
            fail_msg("%s: %s", refused[i].text, why ? why : "not refused");
        }
        fixture.options.commit = true;
        assert_true(pg_migration_refused(&fixture.options, &fixture.arena, &why, &fixture.err));
        if ((why != NULL) != refused[i].shared) {
            fail_msg("%s: %s", refused[i].text, why ? why : "not refused");
        }
        fixture_close(&fixture);
    }
}

/* What only shows when it runs. */
static void refused_by_the_server(void **state)
{
    struct fixture fixture = open_with("CREATE PROCEDURE fill() LANGUAGE plpgsql AS $$\n"
                                       "BEGIN UPDATE items SET label = ''; COMMIT; END $$;\n"
                                       "CALL fill();\n",
                                       machine);
    (void)state;
    struct answer answer = migrate(&fixture);
    assert_int_equal(answer.status, ANSWER_SKIPPED);
    assert_string_equal(answer.error.sqlstate, "2D000");
    reset(&fixture);
    assert_string_equal(run(&fixture, "all", NULL), "");
    fixture_close(&fixture);
}

/* A file that is not there, also one that it includes, is told when the backend opens. */
static void unreadable(void **state)
{
    static const char *const texts[] = {NULL, "\\ir nosuch.sql\n"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct fixture fixture = fixture_new();
        const char *files[] = {texts[i] ? fixture_file(&fixture, texts[i]) : "nosuch.sql"};
        fixture.options.migration = files;
        fixture.options.migration_count = 1;
        assert_false(fixture_try(&fixture, schema, machine));
        assert_int_equal(fixture.err.code, ERROR_SYSTEM);
        assert_non_null(strstr(fixture.err.message, "nosuch.sql"));
        fixture_close(&fixture);
    }
}

/* Its limit is that of the statements. */
static void endless(void **state)
{
    struct fixture fixture = fixture_new();
    const char *files[] = {fixture_file(&fixture, "DO $$ BEGIN LOOP END LOOP; END $$")};
    (void)state;
    fixture.options.migration = files;
    fixture.options.migration_count = 1;
    fixture.options.statement_timeout_ms = 200;
    fixture_open(&fixture, schema, machine);
    struct answer answer = migrate(&fixture);
    assert_int_equal(answer.status, ANSWER_ERROR);
    assert_true(answer.error.cancelled);
    reset(&fixture);
    assert_string_equal(run(&fixture, "all", NULL), "");
    fixture_close(&fixture);
}

/* Two constraints of one name, of which one can't be deferred: nobody could defer the other one
 * again. */
static void deferred_by_savepoint(void **state)
{
    struct fixture fixture = fixture_new();
    const char *files[] = {fixture_file(&fixture, "SELECT 1")};
    (void)state;
    fixture.options.migration = files;
    fixture.options.migration_count = 1;
    fixture_open(&fixture,
                 "CREATE TABLE a (n int CONSTRAINT same UNIQUE DEFERRABLE INITIALLY DEFERRED);\n"
                 "CREATE TABLE b (n int CONSTRAINT same CHECK (n > 0));\n",
                 "rules: {a: {sql: SELECT 1}}\n");
    struct answer answer = migrate(&fixture);
    assert_int_equal(answer.status, ANSWER_SKIPPED);
    assert_non_null(strstr(answer.error.message, "can't be deferred again"));
    fixture_close(&fixture);
}

/* An example goes back to a savepoint before the migration, never to one after it. */
static void savepoints(void **state)
{
    struct fixture fixture = open_with(
        "DROP TABLE items CASCADE;\nCREATE TABLE items (id serial, label text);\n", machine);
    const struct backend_ops *ops = fixture.backend->ops;
    size_t index = 7;
    (void)state;
    add_row(&fixture);
    assert_true(ops->checkpoint(fixture.backend, 3, &fixture.err));
    migrates(&fixture);
    assert_string_equal(run(&fixture, "all", NULL), "");
    assert_true(ops->checkpoint(fixture.backend, 7, &fixture.err));
    assert_true(ops->rewind(fixture.backend, &index, &fixture.err));
    assert_int_equal(index, 3);
    assert_string_equal(run(&fixture, "all", NULL), "(1, \"a\", None, 1)");
    migrates(&fixture);
    assert_string_equal(run(&fixture, "all", NULL), "");
    reset(&fixture);
    assert_string_equal(run(&fixture, "all", NULL), "");
    fixture_close(&fixture);
}

static struct backend_written written(struct fixture *fixture)
{
    struct backend_written out;
    backend_ticket ticket;
    const struct backend_ops *ops = fixture->backend->ops;
    assert_true(ops->queue_written(fixture->backend, &ticket, &fixture->err));
    assert_true(ops->take_written(fixture->backend, ticket, &fixture->arena, &out, &fixture->err));
    return out;
}

/* A query may read another table than the one that was found before the migration. */
static void invariants_read_something_else(void **state)
{
    struct fixture fixture =
        open_with("CREATE OR REPLACE VIEW labels AS SELECT id::text AS label FROM owners;\n",
                  "rules:\n"
                  "  own: {sql: INSERT INTO owners VALUES (1)}\n"
                  "invariants:\n"
                  "  labels: SELECT label FROM labels\n");
    struct backend_reads reads;
    (void)state;
    assert_true(fixture.backend->ops->reads(fixture.backend, &reads, &fixture.err));
    assert_int_equal(reads.tables, 1);
    (void)written(&fixture);
    (void)run(&fixture, "own", NULL);
    assert_false(written(&fixture).all || written(&fixture).tables);
    reset(&fixture);
    migrates(&fixture);
    (void)written(&fixture);
    (void)run(&fixture, "own", NULL);
    assert_true(written(&fixture).all);
    reset(&fixture);
    (void)written(&fixture);
    (void)run(&fixture, "own", NULL);
    assert_false(written(&fixture).all);
    fixture_close(&fixture);
}

/* What the migration did to the rows is told like what a step did. */
static void rows_are_told(void **state)
{
    struct fixture fixture = open_with("ALTER TABLE items DROP COLUMN old;\n"
                                       "ALTER TABLE items ADD COLUMN size int;\n"
                                       "UPDATE items SET size = 3;\n"
                                       "DROP TABLE owners CASCADE;\n",
                                       machine);
    struct table_changes changes[2] = {0};
    (void)state;
    for (int round = 0; round < 2; round++) {
        add_row(&fixture);
        for (int i = 0; i < 2; i++) {
            assert_true(fixture.backend->ops->tables(fixture.backend, &fixture.arena, &changes[i],
                                                     &fixture.err));
            if (i == 0) {
                migrates(&fixture);
            }
        }
        assert_int_equal(changes[0].tables.count, 2);
        const struct table_change *items = &changes[1].tables.items[0];
        assert_string_equal(items->name, "public.items");
        assert_int_equal(items->row_count, 1);
        assert_string_equal(fixture_repr(&fixture, items->rows[0].after[items->column_count - 1]),
                            "3");
        reset(&fixture);
    }
    fixture_close(&fixture);
}

static void begin_again(struct fixture *fixture)
{
    const struct backend_ops *ops = fixture->backend->ops;
    reset(fixture);
    assert_true(ops->wants_restart(fixture->backend));
    assert_true(ops->restart(fixture->backend, &fixture->err));
    assert_true(ops->mark(fixture->backend, &fixture->err));
}

static void step(struct fixture *fixture, const char *rule, const char *value)
{
    struct value argument = value ? fixture_eval(fixture, value) : value_none();
    const struct backend_call call = {
        .sql = fixture_rule(fixture, rule)->statements.items[0].sql,
        .values = value ? &argument : NULL,
        .begins = BEGINS_STEP,
    };
    backend_ticket tickets[2];
    const struct backend_ops *ops = fixture->backend->ops;
    assert_true(ops->queue(fixture->backend, &call, &tickets[0], &fixture->err));
    assert_true(ops->queue_deferred(fixture->backend, NULL, false, &tickets[1], &fixture->err));
    assert_int_equal(fixture_take(fixture, tickets[0]).status, ANSWER_OK);
    assert_int_equal(fixture_take(fixture, tickets[1]).status, ANSWER_OK);
}

/* Where steps are committed, psql runs it: whatever psql can run. */
static void committed(void **state)
{
    struct fixture fixture = fixture_new();
    const char *files[] = {fixture_file(
        &fixture, "ALTER TABLE items ADD COLUMN size int;\n"
                  "UPDATE items SET size = length(nullif(label, ''));\n"
                  "CREATE INDEX CONCURRENTLY at_size ON items (size);\n"
                  "SELECT 'ALTER TABLE items ALTER COLUMN size SET NOT NULL' \\gexec\n")};
    (void)state;
    fixture.options.migration = files;
    fixture.options.migration_count = 1;
    fixture.options.commit = true;
    fixture_open(&fixture, schema, machine);
    for (int round = 0; round < 2; round++) {
        step(&fixture, "own", NULL);
        step(&fixture, "add", "'abc'");
        step(&fixture, "all", NULL);
        migrates(&fixture);
        step(&fixture, "all", NULL);
        step(&fixture, "size", "'abc'");
        begin_again(&fixture);
        step(&fixture, "own", NULL);
        step(&fixture, "add", "''");
        assert_migration_fails(&fixture, "23502", ":4:1");
        begin_again(&fixture);
        step(&fixture, "all", NULL);
        reset(&fixture);
    }
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statements_mean_something_else),
        cmocka_unit_test(gone),
        cmocka_unit_test(functions_know_types),
        cmocka_unit_test(after_restart),
        cmocka_unit_test(deferred_constraints),
        cmocka_unit_test(errors_have_a_place),
        cmocka_unit_test(settings_end),
        cmocka_unit_test(what_psql_knows),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(refused_by_the_server),
        cmocka_unit_test(unreadable),
        cmocka_unit_test(endless),
        cmocka_unit_test(deferred_by_savepoint),
        cmocka_unit_test(savepoints),
        cmocka_unit_test(invariants_read_something_else),
        cmocka_unit_test(rows_are_told),
        cmocka_unit_test(committed),
    };
    return cmocka_run_group_tests(tests, fixture_start, fixture_stop);
}
