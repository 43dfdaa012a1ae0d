#include "pg/locks/locks.h"

#include "pg/locks/inside.h"
#include "pg/migration.h"
#include "pg/own.h"
#include "pg/pooler.h"
#include "pg/session/session.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* --- sessions --- */

static bool connect_session(struct locks_course *course, struct locks_session *session, bool own,
                            struct error *err)
{
    struct connect_request request = target_request(course->target, course->database, "pgfsm");
    PGconn *conn = NULL;
    if (own) {
        if (!own_connect(&request, &session->wire, err)) {
            return target_explain(course->target, err);
        }
    } else if (connect_open(&request, &conn, err)) {
        wire_open(&session->wire, conn, request.hooks);
    } else {
        return target_explain(course->target, err);
    }
    if (!pooler_process(&session->wire, &session->pid, err)) {
        return false;
    }
    return !own || wire_do(&session->wire, without_limits(course->target->version), err);
}

/* As a tool connects for each file, and with lock_timeout as the connection has it. */
static bool connect_migration(struct locks_course *course, struct error *err)
{
    wire_close(&course->migration.wire);
    course->migration = (struct locks_session){0};
    if (!connect_session(course, &course->migration, false, err)) {
        return false;
    }
    course->migration.wire.wait = writer_watch;
    course->migration.wire.owner = course;
    return true;
}

static bool connect_all(struct locks_course *course, struct error *err)
{
    return connect_session(course, &course->observer, true, err) &&
           connect_session(course, &course->writers[0], true, err) &&
           connect_session(course, &course->writers[1], true, err) &&
           connect_session(course, &course->rules, false, err) && rules_watch(course);
}

static void close_all(struct locks_course *course)
{
    struct locks_session *sessions[] = {&course->observer, &course->writers[0], &course->writers[1],
                                        &course->rules, &course->migration};
    for (size_t i = 0; i < sizeof sessions / sizeof *sessions; i++) {
        wire_close(&sessions[i]->wire);
    }
}

/* --- what a statement does --- */

static struct blocking_statement *current(const struct locks_course *course)
{
    return &course->out->statements.items[course->out->statements.count - 1];
}

/* Which of the new locks makes the rule wait: of a relation that it uses. */
static const char *lock_of(const struct locks_course *course, size_t rule)
{
    const struct blocking_statement *statement = current(course);
    bool known = course->uses[rule].items.count > 0; /* one that fails keeps no locks to compare */
    for (size_t i = 0; i < statement->locks.count; i++) {
        const char *relation = statement->locks.items[i].relation;
        if (!known && look_excludes(look_mode(statement->locks.items[i].mode),
                                    look_mode("AccessShareLock") | look_mode("RowExclusiveLock"))) {
            return relation;
        }
        for (size_t j = 0; j < course->uses[rule].items.count; j++) {
            const struct look_relation *used = &course->uses[rule].items.items[j];
            if (used->name && strcmp(used->name, relation) == 0 &&
                look_excludes(look_mode(statement->locks.items[i].mode), used->modes)) {
                return relation;
            }
        }
    }
    return NULL;
}

static bool note_waits(struct locks_course *course, struct error *err)
{
    size_t count = course->question->request_count;
    bool *waits = ARENA_ARRAY(course->arena, bool, count);
    if (!rules_try_all(course, waits, err)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const char *relation = waits[i] && !course->waits[i] ? lock_of(course, i) : NULL;
        /* what is sent again may meet the row that it made the first time */
        waits[i] =
            waits[i] && (course->waits[i] || relation || !course->out->rules.items[i].failed);
        if (waits[i] && !course->waits[i]) {
            *VEC_PUSH(course->arena, &current(course)->waits) = (struct blocking_wait){i, relation};
        }
    }
    course->waits = waits;
    return true;
}

static bool look_inside(struct locks_course *course, struct look *out, struct error *err)
{
    return look_take(&course->migration.wire, course->migration.pid, LOOK_TRANSACTION,
                     course->arena, out, err);
}

/* From outside, with what the session has counted: an older server has not got to know it yet. */
static bool look_outside(struct locks_course *course, struct look *out, struct error *err)
{
    static const char flush[] = "SELECT pg_catalog.pg_stat_force_next_flush()";
    enum { FIRST_THAT_FLUSHES = 150000 };
    bool flushes = course->target->version >= FIRST_THAT_FLUSHES;
    return (!flushes || wire_do(&course->migration.wire, flush, err)) &&
           look_take(&course->observer.wire, course->migration.pid,
                     flushes ? LOOK_ALL : LOOK_TRANSACTION, course->arena, out, err);
}

static bool is_command(const PGresult *result, const char *word)
{
    return strncmp(PQcmdStatus((PGresult *)(uintptr_t)result), word, strlen(word)) == 0;
}

/* --- running the migration --- */

static bool ask_timeout(struct locks_course *course, bool *out, struct error *err)
{
    PGresult *result = wire_statement(&course->migration.wire, "SHOW lock_timeout", err);
    *out = result && !wire_is_error(result) && strcmp(PQgetvalue(result, 0, 0), "0") != 0;
    PQclear(result);
    return result != NULL;
}

static const char *one_line(struct arena *arena, const char *text, size_t size)
{
    struct strbuf line = {0};
    bool space = false;
    for (size_t i = 0; i < size; i++) {
        if (isspace((unsigned char)text[i])) {
            space = true;
            continue;
        }
        if (space && line.size) {
            strbuf_addc(&line, ' ');
        }
        space = false;
        strbuf_addc(&line, text[i]);
    }
    return strbuf_take(&line, arena);
}

static const char *text_of(struct locks_course *course, const struct migration_part *part)
{
    return arena_strndup(course->arena, part->pos.source->text + part->pos.offset, part->size);
}

static struct blocking_transaction *transaction_of(const struct locks_course *course)
{
    return &course->out->transactions.items[course->out->transactions.count - 1];
}

static bool begin_transaction(struct locks_course *course, struct error *err)
{
    *VEC_PUSH(course->arena, &course->out->transactions) =
        (struct blocking_transaction){.first = course->out->statements.count};
    memset(course->waits, 0, course->question->request_count * sizeof *course->waits);
    if (!look_take(&course->observer.wire, course->migration.pid, LOOK_TRANSACTION, course->arena,
                   &course->known, err)) {
        return false;
    }
    course->before = course->known; /* its counters are those of the observer: none */
    return true;
}

static const char *sqlstate_of(const PGresult *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    return state ? state : "";
}

static bool note_failure(struct locks_course *course, const PGresult *result)
{
    const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    course->out->failed = arena_strdup(course->arena, message ? message : "");
    (void)snprintf(course->out->sqlstate, sizeof course->out->sqlstate, "%s", sqlstate_of(result));
    return true;
}

static bool did_inside(struct locks_course *course, const PGresult *result, struct error *err)
{
    struct look after = {0};
    struct blocking_statement *statement = current(course);
    /* SET TRANSACTION must come before any query */
    if (is_command(result, "SET") ||
        PQtransactionStatus(course->migration.wire.conn) != PQTRANS_INTRANS) {
        return true;
    }
    if (!look_inside(course, &after, err)) {
        return false;
    }
    look_locks(&course->known, &course->before, &after, course->arena, statement);
    look_touched(&course->before, &after, is_command(result, "TRUNCATE"), course->arena, statement);
    course->before = after;
    return (statement->locks.count == 0 && statement->touched.count == 0) ||
           note_waits(course, err);
}

/* Sends it; a result, where there is one, is the caller's. */
static PGresult *send_watched(struct locks_course *course, const char *sql, struct error *err)
{
    if (!current(course)->timeout && !writer_begin(course, err)) {
        return NULL;
    }
    PGresult *result = wire_statement(&course->migration.wire, sql, err);
    if (result && !writer_end(course, err)) {
        PQclear(result);
        result = NULL;
    }
    return result;
}

/* What a statement without a transaction holds is over when it ends: what is known of it is what it
 * stood there with. */
static void hold_what_stood(struct locks_course *course)
{
    struct blocking_statement *statement = current(course);
    for (size_t i = 0; i < statement->stands.count; i++) {
        const struct blocking_stand *stand = &statement->stands.items[i];
        if (i + 1 == statement->stands.count) {
            for (size_t j = 0; j < stand->locks.count; j++) {
                *VEC_PUSH(course->arena, &statement->locks) = stand->locks.items[j];
            }
        }
        if (stand->relation) {
            *VEC_PUSH(course->arena, &statement->locks) =
                (struct blocking_lock){.relation = stand->relation, .mode = stand->mode};
        }
        for (size_t j = 0; j < stand->waits.count; j++) {
            size_t rule = stand->waits.items[j];
            if (!course->waits[rule]) {
                course->waits[rule] = true;
                *VEC_PUSH(course->arena, &statement->waits) =
                    (struct blocking_wait){rule, stand->relation};
            }
        }
    }
}

/* A statement that the server runs outside of transactions only, or that ends its own. It would
 * give up where it stands, if it had a lock_timeout: that is lifted to look at it. */
static bool run_bare(struct locks_course *course, const char *sql, struct error *err)
{
    struct look before = {0};
    struct look after = {0};
    struct blocking_statement *statement = current(course);
    bool timeout = statement->timeout;
    transaction_of(course)->bare = true;
    if (!look_outside(course, &before, err) ||
        (timeout && !wire_do(&course->migration.wire,
                             "SELECT pg_catalog.set_config('pgfsm.lock_timeout', "
                             "pg_catalog.current_setting('lock_timeout'), false); "
                             "SET lock_timeout = 0",
                             err))) {
        return false;
    }
    statement->timeout = false;
    PGresult *result = send_watched(course, sql, err);
    bool failed = wire_is_error(result);
    statement->timeout = timeout;
    if (!result ||
        (timeout && !wire_do(&course->migration.wire,
                             "SELECT pg_catalog.set_config('lock_timeout', "
                             "pg_catalog.current_setting('pgfsm.lock_timeout'), false)",
                             err)) ||
        !look_outside(course, &after, err)) {
        PQclear(result);
        return false;
    }
    look_touched(&before, &after, is_command(result, "TRUNCATE"), course->arena, statement);
    hold_what_stood(course);
    if (failed) {
        (void)note_failure(course, result);
    }
    PQclear(result);
    return true;
}

/* That it can't run in a transaction, or that it ended one itself. */
static bool wants_none(const char *sqlstate)
{
    return strcmp(sqlstate, "25001") == 0 || strcmp(sqlstate, "2D000") == 0;
}

static bool roll_back(struct locks_course *course, struct error *err)
{
    return wire_do(&course->migration.wire, "ROLLBACK", err);
}

static bool run_statement(struct locks_course *course, const struct migration_part *part,
                          bool alone, struct error *err)
{
    const char *sql = text_of(course, part);
    struct blocking_statement *statement = VEC_PUSH(course->arena, &course->out->statements);
    statement->place = migration_place(part->pos, course->arena);
    statement->text = one_line(course->arena, sql, part->size);
    statement->transaction = course->out->transactions.count - 1;
    transaction_of(course)->count++;
    bool timeout = false;
    if (!ask_timeout(course, &timeout, err)) {
        return false;
    }
    statement->timeout = timeout;
    PGresult *result = send_watched(course, sql, err);
    bool done = result != NULL;
    if (alone && wants_none(sqlstate_of(result))) {
        statement->stands.count = 0;
        done = roll_back(course, err) && run_bare(course, sql, err);
    } else if (wire_is_error(result)) {
        done = note_failure(course, result) && roll_back(course, err);
    } else if (result) {
        done = did_inside(course, result, err);
    }
    PQclear(result);
    return done;
}

static bool is_idle(const struct locks_course *course)
{
    return PQtransactionStatus(course->migration.wire.conn) == PQTRANS_IDLE;
}

/* COMMIT and the like: no statement of the table, but it may fail, as deferred constraints do. */
static bool send_control(struct locks_course *course, const char *sql, struct error *err)
{
    PGresult *result = wire_statement(&course->migration.wire, sql, err);
    bool done = result != NULL;
    if (wire_is_error(result)) {
        done = note_failure(course, result) && roll_back(course, err);
    }
    PQclear(result);
    return done;
}

static bool run_part(struct locks_course *course, const struct migration_part *part, bool whole,
                     struct error *err)
{
    bool control = part->kind == SQL_INSIDE_BEGIN || part->kind == SQL_INSIDE_COMMIT;
    bool idle = is_idle(course);
    if (part->kind == SQL_INSIDE_BEGIN || (idle && !control)) {
        if (!begin_transaction(course, err)) {
            return false;
        }
    }
    if (control) {
        bool begins = part->kind == SQL_INSIDE_BEGIN;
        const char *sql = part->size ? text_of(course, part) : begins ? "BEGIN" : "COMMIT";
        return send_control(course, sql, err);
    }
    if (idle && !send_control(course, "BEGIN", err)) {
        return false;
    }
    bool alone = idle && !whole;
    return run_statement(course, part, alone, err) &&
           (!alone || is_idle(course) || send_control(course, "COMMIT", err));
}

/* Whether the file has transactions of its own. */
static bool has_own(const struct migration_part *parts, size_t count)
{
    bool has = false;
    for (size_t i = 0; i < count && !has; i++) {
        has = parts[i].kind == SQL_INSIDE_BEGIN || parts[i].kind == SQL_INSIDE_COMMIT;
    }
    return has;
}

static bool run_parts(struct locks_course *course, const struct migration_part *parts, size_t count,
                      bool whole, struct error *err)
{
    if (!connect_migration(course, err)) {
        return false;
    }
    for (size_t i = 0; i < count && !course->out->failed; i++) {
        if (!run_part(course, &parts[i], whole, err)) {
            return false;
        }
    }
    return is_idle(course) ||
           send_control(course, course->out->failed ? "ROLLBACK" : "COMMIT", err);
}

/* A file is one transaction, as most tools have it, unless it has some of its own. Where the server
 * says that a statement can't run in one, it was rolled back, and each statement runs by itself. */
static bool run_file(struct locks_course *course, const struct migration_part *parts, size_t count,
                     struct error *err)
{
    struct blocking *out = course->out;
    size_t transactions = out->transactions.count;
    size_t statements = out->statements.count;
    bool whole = !course->question->each && !has_own(parts, count);
    if (!run_parts(course, parts, count, whole, err)) {
        return false;
    }
    if (!whole || !out->failed || !wants_none(out->sqlstate)) {
        return true;
    }
    out->transactions.count = transactions;
    out->statements.count = statements;
    out->failed = NULL;
    return run_parts(course, parts, count, false, err);
}

static bool run_files(struct locks_course *course, const struct migration *migration,
                      struct error *err)
{
    const struct migration_part *parts = migration->parts.items;
    size_t count = migration->parts.count;
    for (size_t i = 0, next; i < count && !course->out->failed; i = next) {
        for (next = i + 1; next < count && !parts[next].connects;) {
            next++;
        }
        if (!run_file(course, &parts[i], next - i, err)) {
            return false;
        }
    }
    return true;
}

/* CREATE INDEX CONCURRENTLY leaves one behind where it fails, and IF NOT EXISTS finds it there. */
static bool find_invalid(struct locks_course *course, struct error *err)
{
    PGresult *result =
        wire_query_ok(&course->observer.wire,
                      "SELECT CASE WHEN n.nspname = 'public' THEN quote_ident(c.relname) "
                      "ELSE format('%I.%I', n.nspname, c.relname) END FROM pg_index AS i "
                      "JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_namespace AS n ON n.oid "
                      "= c.relnamespace "
                      "WHERE c.relkind = 'i' AND NOT i.indisvalid ORDER BY 1",
                      NULL, err);
    for (int i = 0; result && i < PQntuples(result); i++) {
        *VEC_PUSH(course->arena, &course->out->invalid.items) =
            arena_strdup(course->arena, PQgetvalue(result, i, 0));
    }
    PQclear(result);
    return result != NULL;
}

/* What happens without a migration: what rules use, and which wait for the writer alone. */
static bool learn(struct locks_course *course, struct error *err)
{
    if (!rules_learn(course, err) || !writer_begin(course, err) ||
        !rules_try_all(course, course->alone, err) || !writer_end(course, err)) {
        return false;
    }
    for (size_t i = 0; i < course->out->rules.count; i++) {
        course->out->rules.items[i].waits_anyway = course->alone[i];
    }
    return true;
}

bool pg_locks(struct backend *backend, const struct lock_question *question, struct arena *arena,
              struct blocking *out, struct error *err)
{
    struct session *session = session_of(backend);
    struct migration migration;
    size_t count = question->request_count;
    *out = (struct blocking){0};
    if (!migration_read(question->files, question->file_count, arena, &migration, err)) {
        return false;
    }
    if (migration.psql) {
        return error_set(err, ERROR_MACHINE, "%s", migration.psql);
    }
    /* what the examples have open would be waited for */
    if (!commit_end(session, true, err)) {
        return false;
    }
    struct locks_course course = {
        .target = session->target,
        .database = session->scratch.name,
        .arena = arena,
        .question = question,
        .out = out,
        .writing = -1,
        .alone = ARENA_ARRAY(arena, bool, count),
        .waits = ARENA_ARRAY(arena, bool, count),
        .uses = ARENA_ARRAY(arena, struct look, count),
    };
    bool done = connect_all(&course, err) && learn(&course, err) &&
                run_files(&course, &migration, err) && find_invalid(&course, err);
    close_all(&course);
    return done;
}
