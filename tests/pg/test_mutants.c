/* The results of pg_mutants; mutants.sh tests which mutants there are. */
#include "pg/fixture.h"
#include "pg/pg.h"

#include <string.h>

static const char schema[] =
    "CREATE SCHEMA app;\n"
    "CREATE TABLE app.hubs (name text PRIMARY KEY CONSTRAINT named CHECK (name <> ''));\n"
    "CREATE TABLE hubs (hub text CONSTRAINT of_app REFERENCES app.hubs);\n";

static const char yaml[] = "contexts:\n"
                           "  app: {settings: {search_path: \"'app'\"}}\n"
                           "rules:\n"
                           "  path: {as: app, sql: \"SELECT current_setting('search_path')\"}\n"
                           "  drop: {sql: 'ALTER TABLE public.hubs DROP CONSTRAINT of_app'}\n";

static size_t read_mutants(struct fixture *fixture, struct pg_mutant **out)
{
    size_t count = 0;
    assert_true(pg_mutants(fixture->backend, &fixture->arena, out, &count, &fixture->err));
    return count;
}

/* Its index; `count` if there is none. */
static size_t find(const struct pg_mutant *mutants, size_t count, const char *operator,
                   const char * object)
{
    size_t i = 0;
    while (i < count &&
           (strcmp(mutants[i].operator, operator) != 0 || strcmp(mutants[i].object, object) != 0)) {
        i++;
    }
    return i;
}

static void columns(void **state)
{
    struct fixture fixture = fixture_new();
    struct pg_mutant *mutants = NULL;
    (void)state;
    fixture_open(&fixture, schema, yaml);
    size_t count = read_mutants(&fixture, &mutants);
    size_t found = find(mutants, count, "drop-foreign-key", "hubs.of_app");
    assert_true(found < count);
    const struct pg_mutant *dropped = &mutants[found];
    assert_string_equal(dropped->kind, "constraint");
    assert_string_equal(dropped->relation, "hubs");
    assert_string_equal(dropped->was, "FOREIGN KEY (hub) REFERENCES app.hubs(name)");
    assert_string_equal(dropped->becomes, "");
    assert_string_equal(dropped->ddl, "ALTER TABLE public.hubs DROP CONSTRAINT of_app");
    assert_null(dropped->equivalent);
    found = find(mutants, count, "drop-not-null", "app.hubs.name");
    assert_true(found < count);
    assert_string_equal(mutants[found].equivalent, "a column of the primary key");
    fixture_close(&fixture);
}

/* Independent of the last statement's search_path, which the next statement keeps. */
static void search_path(void **state)
{
    struct fixture fixture = fixture_new();
    struct pg_mutant *mutants = NULL;
    struct pg_mutant *again = NULL;
    const struct backend_setting setting = {.name = "search_path", .value = "app"};
    const struct backend_context context = {.settings = &setting, .setting_count = 1};
    (void)state;
    fixture_open(&fixture, schema, yaml);
    size_t count = read_mutants(&fixture, &mutants);
    for (int round = 0; round < 2; round++) {
        struct answer answer =
            fixture_take(&fixture, fixture_queue(&fixture, "path", NULL, &context));
        assert_string_equal(fixture_repr(&fixture, fixture_value(&answer)), "\"app\"");
        assert_int_equal(read_mutants(&fixture, &again), count);
        for (size_t i = 0; i < count; i++) {
            assert_string_equal(again[i].was, mutants[i].was);
            assert_string_equal(again[i].ddl, mutants[i].ddl);
        }
    }
    fixture_close(&fixture);
}

/* Objects that the transaction has dropped have no mutants. */
static void as_it_stands(void **state)
{
    struct fixture fixture = fixture_new();
    struct pg_mutant *mutants = NULL;
    (void)state;
    fixture_open(&fixture, schema, yaml);
    assert_int_equal(fixture_run(&fixture, "drop", NULL).status, ANSWER_OK);
    size_t count = read_mutants(&fixture, &mutants);
    assert_int_equal(find(mutants, count, "drop-foreign-key", "hubs.of_app"), count);
    assert_true(fixture.backend->ops->reset(fixture.backend, &fixture.err));
    count = read_mutants(&fixture, &mutants);
    assert_true(find(mutants, count, "drop-foreign-key", "hubs.of_app") < count);
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns),
        cmocka_unit_test(search_path),
        cmocka_unit_test(as_it_stands),
    };
    return cmocka_run_group_tests(tests, fixture_start, fixture_stop);
}
