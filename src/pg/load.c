#include "pg/load.h"

#include "base/file.h"
#include "base/names.h"
#include "base/utf8.h"
#include "machine/sql/sql.h"
#include "os/platform.h"
#include "os/process.h"
#include "pg/blocker.h"
#include "pg/psql_output.h"
#include "pg/server/programs.h"
#include "pg/way_out.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How psql names its standard input in messages. */
#define PSQL_STDIN "<stdin>"

enum { FILE_MAX = 1 << 30, EXIT_CONNECTION = 2 };

/* A file as a source whose positions live as long as the diagnostics; of a migration, the way up.
 */
static bool read_source(const char *path, struct diagnostics *diagnostics,
                        struct sql_migration *migration, const struct source **out,
                        struct error *err)
{
    struct error failed;
    struct source *source = ARENA_NEW(diagnostics->arena, struct source);
    struct strbuf text = {0};
    *err = (struct error){0};
    *migration = (struct sql_migration){0};
    bool read = file_load(path, FILE_MAX, &text, &failed);
    if (read) {
        sql_migration_up(text.data, text.size, migration);
        *source = (struct source){.name = arena_strdup(diagnostics->arena, path),
                                  .text = strbuf_copy(&text, diagnostics->arena),
                                  .size = text.size};
    } else {
        failed.code = ERROR_MACHINE;
        diagnostics_add(diagnostics, &failed);
    }
    strbuf_free(&text);
    *out = source;
    return read;
}

/* Bytes that are no text. */
static bool check_text(const struct source *source, struct diagnostics *diagnostics)
{
    size_t nul = strlen(source->text);
    size_t invalid = utf8_invalid_at(source->text, source->size);
    if (invalid == source->size && nul == source->size) {
        return true;
    }
    diagnostics_at(diagnostics, (struct source_pos){source, invalid < nul ? invalid : nul},
                   "the file is not UTF-8 text");
    return false;
}

/* The tools refuse SQL before the first mark, or leave it out. */
static bool check_migration(const struct source *source, const struct sql_migration *migration,
                            struct diagnostics *diagnostics)
{
    if (migration->has_outside) {
        error_hint(diagnostics_at(diagnostics, (struct source_pos){source, migration->outside},
                                  "this comes before the up part of the migration"),
                   "move it behind the mark");
    }
    return !migration->has_outside && (!migration->is || check_text(source, diagnostics));
}

/* psql would go on in the other database, and what it does there is not taken back. */
static bool check_database(const struct pg_target *target, const struct source *source,
                           struct diagnostics *diagnostics)
{
    const char *what = NULL;
    size_t offset;
    if (sql_file_connects(source, &offset)) {
        what = "the file connects to another database here";
    } else if (!target->embedded && sql_file_has_databases(source, &offset)) {
        what = "the file creates or drops a database here, which no rollback would take back";
    }
    if (what) {
        error_hint(diagnostics_at(diagnostics, (struct source_pos){source, offset}, "%s", what),
                   "remove it: pgfsm loads the file into a database of its own; pg_dump leaves it "
                   "out without --create");
    }
    return !what;
}

/* Names a session, for whoever looks who waits. */
static void session_name(char *out, size_t size)
{
    unsigned number = 0;
    (void)random_bytes(&number, sizeof number);
    (void)snprintf(out, size, "pgfsm load %08x", number);
}

/* A line, from 1, and a column, from 1 in characters; 0: the line's first word. */
static struct source_pos position_of(const struct source *source, size_t line, size_t column)
{
    const char *at = source->text;
    const char *end = at + source->size;
    for (size_t i = 1; i < line && at < end; i++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    if (column > 0) {
        at += utf8_offset(at, (size_t)(end - at), column - 1);
    } else {
        while (at < end && *at != '\n' && isspace((unsigned char)*at)) {
            at++;
        }
    }
    return (struct source_pos){source, (size_t)(at - source->text)};
}

static void add_blocker(struct error *err, const struct blocker_watch *watch)
{
    if (strcmp(err->sqlstate, "55P03") != 0) {
        return;
    }
    if (*watch->found) {
        error_detail(err, "it waited for %s", watch->found);
    }
    error_hint(err, "another session holds a conflicting lock: wait for it, or end it");
}

static void add_psql_failure(const char *output, const char *path, const struct pg_target *target,
                             const struct blocker_watch *watch, struct diagnostics *diagnostics)
{
    struct psql_failure failure = psql_failure_read(output, diagnostics->arena);
    const struct source *source = NULL;
    struct sql_migration migration;
    struct error ignored;
    struct diagnostics unread = {.arena = diagnostics->arena};
    struct source_pos pos = {0};
    if (failure.file && strcmp(failure.file, PSQL_STDIN) == 0) {
        failure.file = path;
    }
    if (failure.file && read_source(failure.file, &unread, &migration, &source, &ignored)) {
        pos = position_of(source, psql_failure_line(&failure, source->text), failure.column);
    }
    struct error *err = diagnostics_at(diagnostics, pos, "%s", failure.message);
    memcpy(err->sqlstate, failure.sqlstate, sizeof err->sqlstate);
    err->code = connect_lacks(err->sqlstate) ? ERROR_SYSTEM : err->code;
    if (failure.detail) {
        error_detail(err, "%s", failure.detail);
    }
    if (failure.context) {
        error_detail(err, "%s", failure.context);
    }
    if (failure.before) {
        error_detail(err, "before that, psql said:\n%s", failure.before);
    }
    if (!source) {
        error_detail(err, "psql, loading %s", path);
    }
    if (failure.hint) {
        error_hint(err, "%s", failure.hint);
    }
    if (watch->slept && strcmp(err->sqlstate, "57014") == 0) {
        error_hint(err, "pg_sleep never ends, as the clock of the machine stands still");
    }
    add_blocker(err, watch);
    way_out_newer(err, source ? source->text : NULL, target->version);
    way_out_add(err, target->embedded);
}

/* A file for psql: psql reads it itself, so that it finds what the file includes. Of a migration it
 * gets the way up, which includes nothing. */
struct psql_file {
    const char *path;
    const struct source *source;
    struct sql_migration migration;
};

/* Whatever the role or the database has set for others: it is to be written to. Sent as SQL, as a
 * pooler takes no `options` from a client. */
static const char *settings_of(const struct pg_target *target, struct arena *arena)
{
    return arena_printf(
        arena,
        "SET lock_timeout = %d; SET client_min_messages = warning; "
        "SET transaction_read_only = off; SET default_transaction_read_only = off; "
        "SET statement_timeout = 0%s",
        target->lock_wait_ms,
        target->version < VERSION_TRANSACTION_TIMEOUT ? "" : "; SET transaction_timeout = 0");
}

static bool run_psql(const struct pg_target *target, const char *database,
                     const struct psql_file *file, struct blocker_watch *watch,
                     struct process_result *result, struct error *err)
{
    static const struct os_user ourselves = {0};
    struct arena arena = {0};
    const char *psql = NULL;
    const struct address_env env = {database, watch->application};
    bool ran = programs_find_psql(target->bindir, &target->hooks, &arena, &psql, err);
    if (ran) {
        const char *argv[] = {psql,
                              "-X",
                              "-q",
                              "-b",
                              "-w",
                              "-v",
                              "ON_ERROR_STOP=1",
                              "-v",
                              "VERBOSITY=verbose",
                              "-c",
                              settings_of(target, &arena),
                              "-f",
                              file->migration.is ? "-" : file->path,
                              file->migration.is && !file->migration.no_transaction ? "-1" : NULL,
                              NULL};
        const struct process process = {
            .argv = argv,
            .env = address_env(&target->address, &env, &arena),
            .user = &ourselves,
            .input = file->migration.is ? file->source->text : NULL,
        };
        ran = process_run(&process, &watch->hooks, result, err);
    }
    arena_free(&arena);
    return ran;
}

bool load_lost(const struct pg_target *target, const struct process_result *result,
               struct error *err)
{
    struct arena arena = {0};
    const char *said = strbuf_text(&result->errors);
    const char *words = psql_words(said, result->errors.size, &arena);
    error_set(err, ERROR_CONNECTION, "%s",
              words && strstr(words, "connection to server was lost") ? "the connection was lost"
                                                                      : "psql can't connect");
    if (words) {
        error_detail(err, "%s", words);
    }
    arena_free(&arena);
    return target_explain(target, err);
}

bool load_by_psql(const struct pg_target *target, const char *database, const char *path,
                  struct diagnostics *diagnostics, struct error *err)
{
    struct psql_file file = {.path = path};
    struct process_result result = {0};
    struct blocker_watch watch;
    char name[32];
    if (!read_source(path, diagnostics, &file.migration, &file.source, err) ||
        !check_migration(file.source, &file.migration, diagnostics) ||
        !check_database(target, file.source, diagnostics)) {
        return false;
    }
    session_name(name, sizeof name);
    blocker_watch_begin(&watch, target, name);
    bool loaded = run_psql(target, database, &file, &watch, &result, err);
    if (loaded && result.status == EXIT_CONNECTION) {
        loaded = load_lost(target, &result, err);
        error_context(err, "could not load %s", path);
    } else if (loaded && result.status != 0) {
        add_psql_failure(strbuf_text(&result.errors), path, target, &watch, diagnostics);
        loaded = false;
    }
    blocker_watch_end(&watch);
    process_result_free(&result);
    return loaded;
}

static const char in_scratch[] =
    "remove it, or load the file by `schema:` without --in-place, into a scratch database";

/* Statements that can't run inside of the transaction. */
static bool check_statement(const struct source *source, const struct sql_file_statement *statement,
                            struct diagnostics *diagnostics)
{
    struct error *err = NULL;
    if (statement->has_psql) {
        err = diagnostics_at(diagnostics, (struct source_pos){source, statement->psql},
                             "commands of psql can't be run inside the transaction");
    } else if (statement->control) {
        err = diagnostics_at(diagnostics, (struct source_pos){source, statement->start},
                             "%s would end the transaction that everything runs in",
                             statement->control);
    }
    if (err) {
        error_hint(err, "%s", in_scratch);
    }
    return !err;
}

/* Of a table, a schema, a function, a type or the like; a column. */
static bool is_duplicate(const char *sqlstate)
{
    static const char *const states[] = {"42P07", "42P06", "42723", "42710", "42701"};
    return name_is_in(sqlstate, NAMES_IN(states));
}

static void add_server_failure(const PGresult *result, struct source_pos start, int version,
                               const struct blocker_watch *watch, struct diagnostics *diagnostics)
{
    struct error failed;
    const struct source *source = start.source;
    const char *position = PQresultErrorField(result, PG_DIAG_STATEMENT_POSITION);
    size_t index = position ? strtoul(position, NULL, 10) : 0;
    wire_error(result, &failed);
    failed.code = ERROR_MACHINE;
    failed.pos = start;
    if (index > 0) {
        failed.pos.offset +=
            utf8_offset(source->text + start.offset, source->size - start.offset, index - 1);
    }
    if (strcmp(failed.sqlstate, "42601") == 0 && !position &&
        strstr(failed.message, "multiple commands")) {
        error_at(&failed, ERROR_MACHINE, failed.pos,
                 "the server reads this as more than one statement, but it looks like one");
        error_hint(&failed, "%s", in_scratch);
    }
    if (is_duplicate(failed.sqlstate)) {
        error_hint(&failed, "if the database has this schema already, test it as it is, with "
                            "--no-schema");
    }
    add_blocker(&failed, watch);
    way_out_newer(&failed, source->text, version);
    way_out_add(&failed, watch->target->embedded);
    diagnostics_add(diagnostics, &failed);
}

/* A file that is being loaded inside the transaction. */
struct loading {
    struct wire *wire;
    const struct blocker_watch *watch;
    struct diagnostics *diagnostics;
    struct sql_file file;
};

/* Nothing is known that ends it; but if something did, what came before it may stay for good. */
static bool complain_of_end(const struct loading *loading, size_t offset)
{
    struct error *err =
        diagnostics_at(loading->diagnostics, (struct source_pos){loading->file.source, offset},
                       "the transaction that everything runs in has ended here");
    error_detail(err, "what the files did up to here may have been committed");
    return error_hint(err, "please report this, with the file: it must not happen");
}

/* By itself: a text that the server reads as several statements is refused, so none can hide in
 * what is one to us. */
static bool load_statement(struct loading *loading, const struct sql_file_statement *statement,
                           struct error *err)
{
    const struct source *source = loading->file.source;
    struct strbuf sql = {0};
    strbuf_add(&sql, source->text + statement->start, statement->end - statement->start);
    PGresult *result = wire_statement(loading->wire, strbuf_text(&sql), err);
    bool loaded = result && !wire_is_error(result);
    if (result && !loaded) {
        add_server_failure(result, (struct source_pos){source, statement->start},
                           PQserverVersion(loading->wire->conn), loading->watch,
                           loading->diagnostics);
    } else if (loaded && PQtransactionStatus(loading->wire->conn) != PQTRANS_INTRANS) {
        loaded = complain_of_end(loading, statement->start);
    }
    PQclear(result);
    strbuf_free(&sql);
    return loaded;
}

static bool load_statements(struct loading *loading, struct error *err)
{
    struct sql_file_statement statement;
    for (;;) {
        /* However it came to be what it is. */
        const char *strings = PQparameterStatus(loading->wire->conn, "standard_conforming_strings");
        loading->file.escapes = strings && strcmp(strings, "off") == 0;
        if (!sql_file_next(&loading->file, &statement)) {
            return true;
        }
        if (!check_statement(loading->file.source, &statement, loading->diagnostics) ||
            !load_statement(loading, &statement, err)) {
            return false;
        }
    }
}

/* True if `id`, which txid_current() gave, is the current transaction's. */
static bool is_same(struct loading *loading, const char *id, bool *same, struct error *err)
{
    PGresult *result =
        wire_query_ok(loading->wire, "SELECT pg_catalog.txid_current_if_assigned()", NULL, err);
    *same = result && strcmp(PQgetvalue(result, 0, 0), id) == 0; /* '' of NULL */
    PQclear(result);
    return result != NULL;
}

static bool load_in_same(struct loading *loading, struct error *err)
{
    PGresult *id = wire_query_ok(loading->wire, "SELECT pg_catalog.txid_current()", NULL, err);
    bool same = false;
    bool loaded = id && load_statements(loading, err) &&
                  is_same(loading, PQgetvalue(id, 0, 0), &same, err) &&
                  (same || complain_of_end(loading, 0));
    PQclear(id);
    return loaded;
}

bool load_in_transaction(const struct pg_target *target, struct wire *wire, const char *path,
                         struct diagnostics *diagnostics, struct error *err)
{
    const struct source *source = NULL;
    struct sql_migration migration;
    struct blocker_watch watch;
    const struct hooks *hooks = wire->hooks;
    char name[32];
    char sql[96];
    if (!read_source(path, diagnostics, &migration, &source, err) ||
        !check_migration(source, &migration, diagnostics) || !check_text(source, diagnostics)) {
        return false;
    }
    session_name(name, sizeof name);
    (void)snprintf(sql, sizeof sql, "SET LOCAL application_name = '%s'", name);
    blocker_watch_begin(&watch, target, name);
    wire->hooks = &watch.hooks;
    struct loading loading = {wire, &watch, diagnostics, {.source = source}};
    bool loaded = wire_do(wire, sql, err) && load_in_same(&loading, err);
    wire->hooks = hooks;
    blocker_watch_end(&watch);
    return loaded;
}
