/*
 * A migration in the middle of an example.
 *
 * In the example's transaction, the statements of its files are sent one after the other, without
 * waiting, as the connecting user and with the settings of a new connection. psql would commit each
 * of them: so deferred constraints are immediate, or an ALTER after an UPDATE would fail with
 * pending trigger events. A transaction that a file begins has them as the schema declares them,
 * until its COMMIT checks them. A rollback to the mark undoes it all.
 *
 * Where steps are committed, psql runs the files in the session's copy of the database, and the
 * next example gets a new one. That shows what the migration does with these rows in earnest.
 *
 * After it, names mean something else, as after DDL of the machine. All examples share the two
 * schemas, before and after it, and each of them has its own prepared statements (statement.h).
 * What is known of types is kept apart, too: the row of a table may have another column.
 */
#include "base/names.h"
#include "base/utf8.h"
#include "base/words.h"
#include "pg/session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool session_read_migration(struct session *session, struct error *err)
{
    /* what of a machine's statements may be there after it */
    static const char mends[] = "42P01 42703 42883 42704 3F000 42P10";
    const struct pg_backend_options *options = &session->options;
    if (options->migration_count == 0) {
        return true;
    }
    session->statements.few_schemas = session->prepare.has_ddl = true;
    session->prepare.mends = mends;
    return migration_read(options->migration, options->migration_count, &session->arena,
                          &session->migrating.files, err);
}

/* Words behind those of statements that write rows. A body of a function is none: it may never run.
 */
static void note_written(const char *sql, struct arena *arena, struct backend_names *out)
{
    struct words words = {.text = sql, .size = strlen(sql)};
    bool writes = false;
    bool deletes = false;
    bool first = true;
    while (next_word(&words) && !(first && word_is_in(words.word, "create|alter|comment|grant"))) {
        if (writes && word_is_in(words.word, "only|table")) {
            continue;
        }
        skip_qualifiers(&words);
        if (writes) {
            *VEC_PUSH(arena, &out->items) = arena_strdup(arena, words.word);
        }
        writes = word_is_in(words.word, "update|into|truncate") ||
                 (deletes && strcmp(words.word, "from") == 0);
        deletes = strcmp(words.word, "delete") == 0;
        first = false;
    }
}

/* ALTER TABLE: its way down may leave no trace of it in the catalogs. */
static void note_altered(const char *sql, struct arena *arena, struct backend_names *out)
{
    struct words words = {.text = sql, .size = strlen(sql)};
    bool alters = next_word(&words) && word_is_in(words.word, "alter") && next_word(&words) &&
                  word_is_in(words.word, "table") && next_word(&words);
    while (alters && word_is_in(words.word, "if|exists|only") && next_word(&words)) {
    }
    if (alters) {
        skip_qualifiers(&words);
        *VEC_PUSH(arena, &out->items) = arena_strdup(arena, words.word);
    }
}

void session_written(struct backend *backend, struct arena *arena, struct backend_names *out)
{
    const struct migration *files = &session_of(backend)->migrating.files;
    *out = (struct backend_names){0};
    for (size_t i = 0; i < files->parts.count; i++) {
        if (files->parts.items[i].sql) {
            note_written(files->parts.items[i].sql, arena, out);
            note_altered(files->parts.items[i].sql, arena, out);
        }
    }
}

/* The first error of what was sent. */
struct sending {
    PGresult *failure;
    size_t part;
};

static void arrived(void *owner, uint64_t tag, PGresult *result)
{
    struct sending *sending = owner;
    if (wire_is_error(result) && !sending->failure) {
        sending->failure = result;
        sending->part = tag;
    } else {
        PQclear(result);
    }
}

static bool send_text(struct session *session, struct sending *sending, size_t part,
                      const char *sql, struct error *err)
{
    const struct wire_call call = {.done = arrived, .owner = sending, .tag = part};
    return *sql == '\0' || wire_run(&session->wire, sql, NULL, call, err);
}

/* As psql would connect for each file. */
static bool connect_anew(struct session *session, struct error *err)
{
    char sql[160];
    (void)snprintf(sql, sizeof sql,
                   "SET LOCAL lock_timeout = %d; SET LOCAL statement_timeout = %lld; "
                   "SET CONSTRAINTS ALL IMMEDIATE",
                   session->target->lock_wait_ms,
                   session->options.clock_us ? 0LL
                                             : (long long)session->options.statement_timeout_ms);
    return session_renew(session, err) && wire_do(&session->wire, sql, err);
}

static bool send_part(struct session *session, struct sending *sending, size_t number,
                      struct error *err)
{
    const struct migration_part *part = &session->migrating.files.parts.items[number];
    const char *sql = "";
    switch (part->kind) {
    case SQL_INSIDE_RUN:
    case SQL_INSIDE_PLAIN:
        sql = part->sql;
        break;
    case SQL_INSIDE_BEGIN:
        sql = strbuf_text(&session->deferral.restore);
        break;
    case SQL_INSIDE_COMMIT:
        sql = "SET CONSTRAINTS ALL IMMEDIATE";
        break;
    case SQL_INSIDE_NOTHING:
    case SQL_INSIDE_REFUSED:
        break;
    }
    return send_text(session, sending, number, sql, err);
}

static bool send_files(struct session *session, struct sending *sending, struct error *err)
{
    const struct migration *files = &session->migrating.files;
    bool sent = true;
    for (size_t i = 0; i < files->parts.count && sent; i++) {
        if (files->parts.items[i].connects) {
            sent = wire_drain(&session->wire, err);
            if (!sent || sending->failure) {
                break;
            }
            sent = connect_anew(session, err);
        }
        sent = sent && send_part(session, sending, i, err);
    }
    return sent && wire_drain(&session->wire, err);
}

/* What tells nothing about the migration: it depends on its transactions. */
static bool is_of_transaction(const char *state)
{
    static const char *const states[] = {
        "25001", /* cannot run inside a transaction block */
        "2D000", /* invalid transaction termination: a procedure commits */
        "55P04", /* unsafe use of new value of enum type */
    };
    return name_is_in(state, NAMES_IN(states));
}

/* Where the server points to. */
static struct source_pos place_of(const struct migration_part *part, const PGresult *failure)
{
    const char *position = PQresultErrorField(failure, PG_DIAG_STATEMENT_POSITION);
    struct source_pos pos = part->pos;
    size_t index = position ? strtoul(position, NULL, 10) : 0;
    if (index > 0) {
        pos.offset +=
            utf8_offset(pos.source->text + pos.offset, pos.source->size - pos.offset, index - 1);
    }
    return pos;
}

static void tell_failure(struct session *session, const struct sending *sending,
                         struct arena *arena, struct answer *out)
{
    const struct migration_part *part = &session->migrating.files.parts.items[sending->part];
    result_error(session, sending->failure, arena, &out->error);
    out->error.place = migration_place(place_of(part, sending->failure), arena);
    out->status = is_of_transaction(out->error.sqlstate) ? ANSWER_SKIPPED : ANSWER_ERROR;
    session->failed = true;
}

/* Whether it can't begin. */
static bool is_refused(struct session *session, const char *refused, struct arena *arena,
                       struct answer *out)
{
    *out = (struct answer){.status = ANSWER_OK, .count = -1, .command = ""};
    if (session->failed || refused) {
        out->status = ANSWER_SKIPPED;
        out->error.message = session->failed ? NULL : arena_strdup(arena, refused);
        session->failed = true;
    }
    return session->failed;
}

/* The session's settings come back, and constraints are deferred again. The plans of functions go,
 * as who connects after the migration has none: they may know columns by other types. */
static bool go_on(struct session *session, struct error *err)
{
    session_note_migrated(session);
    if (!session_renew(session, err) || !session_set_up(session, "SET LOCAL ", err) ||
        !session_own(session, "DISCARD PLANS", err)) {
        return false;
    }
    contexts_start(&session->contexts);
    return session_defer_again(session, err);
}

bool session_migrate(struct backend *backend, struct arena *arena, struct answer *out,
                     struct error *err)
{
    struct session *session = session_of(backend);
    struct sending sending = {0};
    int64_t begin = clock_us();
    if (!wire_drain(&session->wire, err)) {
        return false;
    }
    const char *why_not = session->deferral.any && session->deferral.by_savepoint
                              ? "constraints of the schema share a name, and can't be deferred "
                                "again after a migration"
                              : session->migrating.files.refused;
    if (is_refused(session, why_not, arena, out)) {
        return true;
    }
    bool done = session_context(session, NULL, err) && wire_drain(&session->wire, err) &&
                send_files(session, &sending, err);
    if (done && sending.failure) {
        tell_failure(session, &sending, arena, out);
    } else {
        done = done && go_on(session, err);
    }
    PQclear(sending.failure);
    out->time_us = clock_us() - begin;
    return done;
}

/* Of an error that psql reported. */
static void tell_psql(struct session *session, const struct error *failed, struct arena *arena,
                      struct answer *out)
{
    out->status = ANSWER_ERROR;
    out->error = (struct server_error){
        .severity = "ERROR",
        .message = arena_strdup(arena, failed->message),
        .detail = *failed->detail ? arena_strdup(arena, failed->detail) : NULL,
        .hint = *failed->hint ? arena_strdup(arena, failed->hint) : NULL,
        .place = failed->pos.source ? migration_place(failed->pos, arena) : NULL,
        .lacking = failed->code == ERROR_SYSTEM,
    };
    memcpy(out->error.sqlstate, failed->sqlstate, sizeof out->error.sqlstate);
    session->failed = true;
}

static bool run_psql(struct session *session, struct arena *arena, struct answer *out,
                     struct error *err)
{
    const struct pg_backend_options *options = &session->options;
    struct arena scratch = {0};
    struct diagnostics diagnostics = {.arena = &scratch};
    bool done = true;
    for (size_t i = 0; i < options->migration_count && done; i++) {
        done = load_by_psql(session->target, session->scratch.name, options->migration[i],
                            &diagnostics, err);
    }
    if (!done && diagnostics.errors.count > 0) {
        tell_psql(session, &diagnostics.errors.items[0], arena, out);
        done = true;
    }
    arena_free(&scratch);
    return done;
}

bool commit_migrate(struct backend *backend, struct arena *arena, struct answer *out,
                    struct error *err)
{
    struct session *session = session_of(backend);
    int64_t begin = clock_us();
    if (!session->failed && !commit_end(session, true, err)) {
        return false;
    }
    if (is_refused(session, session->migrating.files.shared, arena, out)) {
        return true;
    }
    session->commit.spoilt = true;
    if (!run_psql(session, arena, out, err)) {
        return false;
    }
    if (out->status == ANSWER_OK) {
        session_note_migrated(session);
    }
    out->time_us = clock_us() - begin;
    return true;
}
