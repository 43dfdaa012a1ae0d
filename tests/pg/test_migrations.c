/* The migrations of tests/diff/migrations: a correct one shows in no answer, and each faulty one on
 * rows that were there before, and only there. */
#include "base/file.h"
#include "pg/fixture.h"
#include "pg/session/session.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* Rows for a schema, and a question about them: one text. */
static const struct subject {
    const char *name;
    const char *rows;     /* statements with `;` between them */
    const char *question; /* statements; the last one answers */
} subjects[] = {
    {"membership",
     "INSERT INTO users VALUES ('00000000-0000-0000-0000-000000000001', 'a');"
     "INSERT INTO projects VALUES ('00000000-0000-0000-0000-00000000000a', 'a'),"
     " ('00000000-0000-0000-0000-00000000000b', 'b');"
     "INSERT INTO project_members SELECT p.id, u.id, CASE name WHEN 'a' THEN 'viewer' "
     "ELSE 'editor' END FROM users u, projects p",
     "SET LOCAL request.jwt.claims = '{\"sub\": \"00000000-0000-0000-0000-000000000001\"}';"
     "SET LOCAL ROLE authenticated;"
     "SELECT string_agg(id::text, ' ' ORDER BY id) FROM get_editor_project_ids() AS e (id)"},
    {"ledger",
     "SELECT open_account('a', true); SELECT open_account('b'); SELECT open_account('c');"
     "SELECT transfer(1, 2, 5, '2024-01-01')",
     "CREATE FUNCTION pg_temp.try(sender bigint) RETURNS text LANGUAGE plpgsql AS $$ BEGIN "
     "PERFORM transfer(sender, 2, 9, '2024-01-02'); RETURN 'sent'; "
     "EXCEPTION WHEN OTHERS THEN RETURN SQLERRM; END $$;"
     "SELECT concat_ws(', ', pg_temp.try(1), pg_temp.try(2), pg_temp.try(3))"},
    {"bookings",
     "INSERT INTO rooms VALUES (1, 'a'), (2, 'b'); SELECT book(1, 'x', '2024-01-01', 2);"
     "SELECT book(2, 'x', '2024-01-01', 1); SELECT book(2, 'x', '2024-01-05', 2)",
     "SELECT split(1, '2024-01-02');"
     "SELECT string_agg(b.nights::text, ' ' ORDER BY room_id, nights) FROM bookings b"},
    {"items",
     "SELECT create_item('a'); SELECT create_item('twelve chars'); SELECT create_item('c')",
     "SELECT concat_ws(' ', read_item(1), read_item(2), read_item(3))"},
    {"roles",
     "INSERT INTO users SELECT n, 'u' FROM generate_series(1, 3) AS n;"
     "INSERT INTO tenants VALUES (1, 't');"
     "INSERT INTO memberships VALUES (1, 1, 'owner'), (1, 2, 'editor'), (1, 3, 'member');"
     "INSERT INTO documents (tenant_id, author_id, title) VALUES (1, 1, '')",
     "GRANT CREATE ON SCHEMA public TO app_user; SET LOCAL ROLE app_user;"
     "CREATE FUNCTION pg_temp.renames(who int) RETURNS bigint LANGUAGE plpgsql AS $$ DECLARE "
     "n bigint; BEGIN PERFORM set_config('app.user_id', who::text, true); "
     "UPDATE documents SET title = title || who; GET DIAGNOSTICS n = ROW_COUNT; RETURN n; END $$;"
     "SELECT concat_ws(' ', pg_temp.renames(1), pg_temp.renames(2), pg_temp.renames(3))"},
};

static const char *folder; /* of the migrations; SCHEMAS is that of the schemas */

static const char *read_schema(struct fixture *fixture, const char *name)
{
    struct strbuf text = {0};
    struct error err;
    const char *path = arena_printf(&fixture->arena, "%s/%s.sql", getenv("SCHEMAS"), name);
    if (!file_load(path, 1 << 20, &text, &err)) {
        fail_msg("%s", err.message);
    }
    const char *copy = strbuf_copy(&text, &fixture->arena);
    strbuf_free(&text);
    return copy;
}

static void do_sql(struct fixture *fixture, const char *sql)
{
    if (!wire_do(&fixture_session(fixture)->wire, sql, &fixture->err)) {
        fail_msg("%s: %s", sql, fixture->err.message);
    }
}

/* The answer to the question, or the error. */
static const char *ask(struct fixture *fixture, const struct subject *subject)
{
    PGresult *result =
        wire_script(&fixture_session(fixture)->wire, subject->question, &fixture->err);
    const char *text =
        wire_is_error(result) ? PQresultErrorMessage(result) : PQgetvalue(result, 0, 0);
    text = arena_strdup(&fixture->arena, text);
    PQclear(result);
    return text;
}

/* The error of the migration, or NULL. */
static const char *migrate(struct fixture *fixture)
{
    struct answer answer;
    assert_true(
        fixture->backend->ops->migrate(fixture->backend, &fixture->arena, &answer, &fixture->err));
    assert_int_not_equal(answer.status, ANSWER_SKIPPED);
    return answer.status == ANSWER_ERROR ? answer.error.message : NULL;
}

static void reset(struct fixture *fixture)
{
    assert_true(fixture->backend->ops->reset(fixture->backend, &fixture->err));
}

static void try_migration(const struct subject *subject, const char *file)
{
    struct fixture fixture = fixture_new();
    const char *files[] = {arena_printf(&fixture.arena, "%s/%s", folder, file)};
    bool faulty = strstr(file, ".fault-") != NULL;
    fixture.options.migration = files;
    fixture.options.migration_count = 1;
    fixture_open(&fixture, read_schema(&fixture, subject->name), "rules: {a: {sql: SELECT 1}}\n");

    do_sql(&fixture, subject->rows);
    const char *before = ask(&fixture, subject);
    reset(&fixture);
    const char *error = migrate(&fixture);
    if (error) {
        fail_msg("%s, without rows: %s", file, error);
    }
    do_sql(&fixture, subject->rows);
    assert_string_equal(ask(&fixture, subject), before);
    reset(&fixture);
    do_sql(&fixture, subject->rows);
    error = migrate(&fixture);
    const char *after = error ? error : ask(&fixture, subject);
    if ((strcmp(after, before) != 0) != faulty) {
        fail_msg("%s: before %s, after %s", file, before, after);
    }
    fixture_close(&fixture);
}

static bool is_of(const char *file, const char *name)
{
    size_t size = strlen(name);
    return strncmp(file, name, size) == 0 && file[size] == '.';
}

static void all_migrations(void **state)
{
    size_t count = 0;
    DIR *dir = opendir(folder);
    (void)state;
    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir));) {
        for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
            if (is_of(entry->d_name, subjects[i].name)) {
                try_migration(&subjects[i], entry->d_name);
                count++;
            }
        }
    }
    closedir(dir);
    assert_int_equal(count, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_migrations)};
    folder = getenv("MIGRATIONS");
    return cmocka_run_group_tests(tests, fixture_start, fixture_stop);
}
