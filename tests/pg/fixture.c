#include "pg/fixture.h"
#include "pg/session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pg_target *fixture_target;

static const char *const variables[] = {"PGHOST",     "PGHOSTADDR",   "PGPORT",
                                        "PGUSER",     "PGDATABASE",   "PGSERVICE",
                                        "PGPASSWORD", "DATABASE_URL", "PGOPTIONS"};

static _Noreturn void fail_with(const struct error *err)
{
    struct strbuf text = {0};
    error_format(err, &text);
    print_error("%s", strbuf_text(&text));
    strbuf_free(&text);
    fail();
    abort();
}

int fixture_start(void **state)
{
    struct error err;
    const struct pg_options options = {.bindir = getenv("PGFSM_PG_BINDIR")};
    (void)state;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        unsetenv(variables[i]);
    }
    if (!pg_target_open(&options, &fixture_target, &err)) {
        fail_with(&err);
    }
    return 0;
}

int fixture_stop(void **state)
{
    (void)state;
    pg_target_close(fixture_target);
    return 0;
}

struct fixture fixture_new(void)
{
    return (struct fixture){
        .target = fixture_target,
        .options = {.statement_timeout_ms = 5000},
    };
}

const char *fixture_file(struct fixture *fixture, const char *text)
{
    char *path = arena_strdup(&fixture->arena, "/tmp/pgfsm-test.XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    assert_true(fixture->file_count < sizeof fixture->files / sizeof *fixture->files);
    fixture->files[fixture->file_count++] = path;
    return path;
}

void fixture_read(struct fixture *fixture, const char *schema, const char *yaml)
{
    const char *line =
        schema ? arena_printf(&fixture->arena, "schema: %s\n", fixture_file(fixture, schema)) : "";
    const char *text = arena_printf(&fixture->arena, "machine: test\n%s%s", line, yaml);
    fixture->diagnostics.arena = &fixture->arena;
    if (!machine_read("test.yaml", text, strlen(text), NULL, &fixture->arena, &fixture->machine,
                      &fixture->diagnostics)) {
        fail_with(&fixture->diagnostics.errors.items[0]);
    }
}

bool fixture_try(struct fixture *fixture, const char *schema, const char *yaml)
{
    fixture_read(fixture, schema, yaml);
    fixture->backend = pg_backend_new(fixture->target, &fixture->options);
    return fixture->backend->ops->open(fixture->backend, fixture->machine, &fixture->diagnostics,
                                       &fixture->err);
}

void fixture_open(struct fixture *fixture, const char *schema, const char *yaml)
{
    if (!fixture_try(fixture, schema, yaml)) {
        fail_with(fixture->diagnostics.errors.count ? &fixture->diagnostics.errors.items[0]
                                                    : &fixture->err);
    }
    if (!fixture->backend->ops->mark(fixture->backend, &fixture->err)) {
        fail_with(&fixture->err);
    }
}

void fixture_close(struct fixture *fixture)
{
    if (fixture->backend) {
        fixture->backend->ops->close(fixture->backend);
    }
    for (size_t i = 0; i < fixture->file_count; i++) {
        unlink(fixture->files[i]);
    }
    arena_free(&fixture->arena);
}

struct session *fixture_session(const struct fixture *fixture)
{
    return session_of(fixture->backend);
}

const struct rule *fixture_rule(const struct fixture *fixture, const char *name)
{
    for (size_t i = 0; i < fixture->machine->rules.count; i++) {
        if (strcmp(fixture->machine->rules.items[i].name, name) == 0) {
            return &fixture->machine->rules.items[i];
        }
    }
    fail_msg("no rule %s", name);
    abort();
}

backend_ticket fixture_queue(struct fixture *fixture, const char *rule, const struct value *values,
                             const struct backend_context *context)
{
    backend_ticket ticket = 0;
    const struct backend_call call = {
        .sql = fixture_rule(fixture, rule)->statements.items[0].sql,
        .context = context,
        .values = values,
        .prepared = fixture_rule(fixture, rule)->prepared == RULE_IS_PREPARED,
    };
    if (!fixture->backend->ops->queue(fixture->backend, &call, &ticket, &fixture->err)) {
        fail_with(&fixture->err);
    }
    return ticket;
}

struct answer fixture_take(struct fixture *fixture, backend_ticket ticket)
{
    struct answer answer;
    if (!fixture->backend->ops->take(fixture->backend, ticket, &fixture->arena, &answer,
                                     &fixture->err)) {
        fail_with(&fixture->err);
    }
    return answer;
}

struct answer fixture_run(struct fixture *fixture, const char *rule, const struct value *values)
{
    return fixture_take(fixture, fixture_queue(fixture, rule, values, NULL));
}

struct value fixture_value(const struct answer *answer)
{
    if (answer->status == ANSWER_ERROR) {
        fail_msg("%s: %s", answer->error.sqlstate, answer->error.message);
    }
    assert_int_equal(answer->status, ANSWER_OK);
    assert_int_equal(answer->row_count, 1);
    assert_int_equal(answer->column_count, 1);
    return answer->rows[0].as.tuple->items[0];
}

const char *fixture_repr(struct fixture *fixture, struct value value)
{
    struct strbuf text = {0};
    value_repr(value, &text);
    const char *copy = strbuf_copy(&text, &fixture->arena);
    strbuf_free(&text);
    return copy;
}

struct value fixture_eval(struct fixture *fixture, const char *expression)
{
    struct lang_module *module = lang_module_new(&fixture->arena, NULL, NULL);
    struct source *source = ARENA_NEW(&fixture->arena, struct source);
    struct lang_code *code = NULL;
    struct lang_state *lang = ARENA_NEW(&fixture->arena, struct lang_state);
    struct value value;
    struct error err;
    *source = (struct source){.name = "test", .text = expression, .size = strlen(expression)};
    struct snippet *snippet = ARENA_NEW(&fixture->arena, struct snippet);
    *snippet = snippet_of_source(source);
    if (!lang_compile(module, &fixture->arena, NULL, LANG_EXPRESSION, snippet, &code, &err)) {
        fail_with(&err);
    }
    lang_state_begin(lang, module, &fixture->arena, NULL);
    if (!lang_eval(lang, code, NULL, &value, &err)) {
        fail_with(&err);
    }
    return value;
}

const char *fixture_sql(struct fixture *fixture, const char *dbname, const char *sql)
{
    PGconn *conn = NULL;
    struct connect_request request = target_request(fixture->target, dbname, "test");
    if (!connect_open(&request, &conn, &fixture->err)) {
        fail_with(&fixture->err);
    }
    PGresult *result = PQexec(conn, sql);
    if (PQresultStatus(result) != PGRES_TUPLES_OK && PQresultStatus(result) != PGRES_COMMAND_OK) {
        print_error("%s: %s", sql, PQresultErrorMessage(result));
        fail();
    }
    const char *text = PQntuples(result) > 0 && PQnfields(result) > 0
                           ? arena_strdup(&fixture->arena, PQgetvalue(result, 0, 0))
                           : "";
    PQclear(result);
    PQfinish(conn);
    return text;
}
