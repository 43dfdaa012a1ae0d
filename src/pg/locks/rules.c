/* Tries rules: each in a transaction that is rolled back, with a lock_timeout of a millisecond. */
#include "pg/locks/inside.h"
#include "pg/session/statement.h"

#include <poll.h>
#include <string.h>

/* What it came to. */
enum tried { TRIED_WELL, TRIED_WAITS, TRIED_FAILS };

enum { SOON_MS = 20 /* a wait that the timeout has not ended by then is looked at */ };

bool locks_blocked(struct locks_course *course, int pid, const int *by, size_t count, bool *blocked,
                   struct error *err)
{
    struct strbuf pids = {0};
    struct strbuf one = {0};
    strbuf_addi(&one, pid);
    for (size_t i = 0; i < count; i++) {
        strbuf_addc(&pids, i == 0 ? '{' : ',');
        strbuf_addi(&pids, by[i]);
    }
    strbuf_addc(&pids, '}');
    const char *values[] = {strbuf_text(&one), strbuf_text(&pids)};
    const struct wire_params params = {.count = 2, .values = values};
    PGresult *result = wire_query_ok(
        &course->observer.wire, "SELECT pg_blocking_pids($1::int4) && $2::int4[]", &params, err);
    *blocked = result && *PQgetvalue(result, 0, 0) == 't';
    PQclear(result);
    strbuf_free(&pids);
    strbuf_free(&one);
    return result != NULL;
}

/* A function may set a lock_timeout of its own, or none: then the wait is ended from outside. */
static bool watch_rule(void *owner, int fd, bool writing, struct error *err)
{
    struct locks_course *course = owner;
    struct pollfd at = {fd, (short)(POLLIN | (writing ? POLLOUT : 0)), 0};
    const int others[] = {course->migration.pid, course->writers[0].pid, course->writers[1].pid};
    while (poll(&at, 1, SOON_MS) <= 0) {
        bool blocked = false;
        if (interrupt_wanted(course->rules.wire.hooks)) {
            return error_interrupted(err);
        }
        if (!locks_blocked(course, course->rules.pid, others, 3, &blocked, err)) {
            return false;
        }
        if (blocked) {
            wire_cancel(&course->rules.wire);
        }
    }
    return true;
}

bool rules_watch(struct locks_course *course)
{
    course->rules.wire.wait = watch_rule;
    course->rules.wire.owner = course;
    return true;
}

static const char *sqlstate_of(const PGresult *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    return state ? state : "";
}

static enum tried judge(const PGresult *result)
{
    return !wire_is_error(result)                      ? TRIED_WELL
           : strcmp(sqlstate_of(result), "55P03") == 0 ? TRIED_WAITS
           : wire_cancelled(result)                    ? TRIED_WAITS
                                                       : TRIED_FAILS;
}

static bool run_text(struct locks_course *course, const char *sql, const struct wire_params *params,
                     enum tried *tried, struct error *err)
{
    PGresult *result = wire_query(&course->rules.wire, sql, params, err);
    *tried = result ? judge(result) : TRIED_FAILS;
    PQclear(result);
    return result != NULL;
}

/* "SET LOCAL ROLE clerk" */
static bool set_name(struct locks_course *course, const char *words, const char *name,
                     enum tried *tried, struct error *err)
{
    struct strbuf sql = {0};
    PGconn *conn = course->rules.wire.conn;
    char *quoted = name ? PQescapeIdentifier(conn, name, strlen(name)) : NULL;
    strbuf_addf(&sql, "SET LOCAL %s %s", words, quoted ? quoted : "");
    bool ran = !quoted || run_text(course, strbuf_text(&sql), NULL, tried, err);
    PQfreemem(quoted);
    strbuf_free(&sql);
    return ran;
}

static bool set_context(struct locks_course *course, const struct lock_statement *statement,
                        enum tried *tried, struct error *err)
{
    bool ran = set_name(course, "SESSION AUTHORIZATION", statement->session_user, tried, err) &&
               (*tried != TRIED_WELL || set_name(course, "ROLE", statement->role, tried, err));
    for (size_t i = 0; ran && *tried == TRIED_WELL && i < statement->settings.count; i++) {
        const struct lock_setting *setting = &statement->settings.items[i];
        const char *values[] = {setting->name, setting->value};
        const struct wire_params params = {.count = 2, .values = values};
        ran = run_text(course, "SELECT pg_catalog.set_config($1, $2, true)", &params, tried, err);
    }
    return ran;
}

static bool run_statement(struct locks_course *course, const struct lock_statement *statement,
                          enum tried *tried, struct error *err)
{
    struct strbuf text = {0};
    struct arena arena = {0};
    const struct statement_sink sink = {.conn = course->rules.wire.conn, .text = &text};
    struct value *values = ARENA_ARRAY(&arena, struct value, statement->values.count);
    const char **bound = ARENA_ARRAY(&arena, const char *, statement->values.count);
    struct wire_params params = {.values = bound};
    size_t slot = 0;
    for (size_t i = 0; i < statement->sql->pieces.count; i++) {
        if (statement->sql->pieces.items[i].kind != SQL_TEXT) {
            const char *value = statement->values.items[slot].text;
            values[slot++] = value ? value_text(&arena, value) : value_none();
            if (statement->sql->pieces.items[i].kind == SQL_VALUE) {
                bound[params.count++] = value;
            }
        }
    }
    bool ran = statement_text(statement->sql, values, &sink, err) &&
               run_text(course, strbuf_text(&text), &params, tried, err);
    strbuf_free(&text);
    arena_free(&arena);
    return ran;
}

static bool try_rule(struct locks_course *course, size_t rule, bool learns, enum tried *tried,
                     struct error *err)
{
    const struct lock_request *request = &course->question->requests[rule];
    struct wire *wire = &course->rules.wire;
    *tried = TRIED_WELL;
    if (!wire_do(wire, "BEGIN; SET LOCAL lock_timeout = '1ms'", err)) {
        return false;
    }
    bool ran = true;
    for (size_t i = 0; ran && *tried == TRIED_WELL && i < request->statements.count; i++) {
        const struct lock_statement *statement = &request->statements.items[i];
        ran = set_context(course, statement, tried, err) &&
              (*tried != TRIED_WELL || run_statement(course, statement, tried, err));
    }
    if (ran && *tried == TRIED_WELL) {
        ran = run_text(course, "SET CONSTRAINTS ALL IMMEDIATE", NULL, tried, err);
    }
    if (ran && learns && *tried == TRIED_WELL) {
        ran = look_take(&course->observer.wire, course->rules.pid, LOOK_TRANSACTION, course->arena,
                        &course->uses[rule], err);
    }
    return ran && wire_do(wire, "ROLLBACK", err);
}

bool rules_try_all(struct locks_course *course, bool *waits, struct error *err)
{
    for (size_t i = 0; i < course->question->request_count; i++) {
        enum tried tried = TRIED_FAILS;
        if (course->question->requests[i].tried && !try_rule(course, i, false, &tried, err)) {
            return false;
        }
        waits[i] = tried == TRIED_WAITS;
    }
    return true;
}

/* The ids of what it has locked alone are of interest. */
static void keep_locked(struct look *look)
{
    size_t kept = 0;
    for (size_t i = 0; i < look->items.count; i++) {
        if (look->items.items[i].modes) {
            look->items.items[kept++] = look->items.items[i];
        }
    }
    look->items.count = kept;
}

bool rules_learn(struct locks_course *course, struct error *err)
{
    for (size_t i = 0; i < course->question->request_count; i++) {
        const struct lock_request *request = &course->question->requests[i];
        enum tried tried = TRIED_WELL;
        if (request->tried && !try_rule(course, i, true, &tried, err)) {
            return false;
        }
        keep_locked(&course->uses[i]);
        *VEC_PUSH(course->arena, &course->out->rules) = (struct blocking_rule){
            .name = request->rule,
            .untried = !request->tried,
            .failed = tried != TRIED_WELL,
            .never = request->never,
            .any = request->any,
        };
    }
    return true;
}
