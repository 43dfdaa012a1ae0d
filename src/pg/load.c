#include "pg/load.h"

#include "base/file.h"
#include "base/utf8.h"
#include "machine/sql.h"
#include "pg/blocker.h"
#include "pg/process.h"
#include "pg/programs.h"
#include "pg/psql_output.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { FILE_MAX = 1 << 30, EXIT_CONNECTION = 2 };

/* A file as a source whose positions live as long as the diagnostics. */
static bool read_source(const char *path, struct diagnostics *diagnostics,
                        const struct source **out, struct error *err)
{
    struct error failed;
    struct source *source = ARENA_NEW(diagnostics->arena, struct source);
    struct strbuf text = {0};
    *err = (struct error){0};
    bool read = file_load(path, FILE_MAX, &text, &failed);
    if (read) {
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

/* Names a session, for whoever looks who waits. */
static void session_name(char *out, size_t size)
{
    unsigned number = 0;
    (void)!getrandom(&number, sizeof number, 0);
    (void)snprintf(out, size, "pgfsm load %08x", number);
}

/* A line, from 1, and a column, from 1 in characters; 0: the line's first word. */
static struct source_pos place(const struct source *source, size_t line, size_t column)
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
    error_hint(err, "another session holds a lock on the same thing: wait for it, or end it");
}

static void add_psql_failure(const char *output, const char *path,
                             const struct blocker_watch *watch, struct diagnostics *diagnostics)
{
    struct psql_failure failure = psql_failure_read(output, diagnostics->arena);
    const struct source *source = NULL;
    struct error ignored;
    struct diagnostics unread = {.arena = diagnostics->arena};
    struct source_pos pos = {0};
    if (failure.file && read_source(failure.file, &unread, &source, &ignored)) {
        pos = place(source, failure.line, failure.column);
    }
    struct error *err = diagnostics_at(diagnostics, pos, "%s", failure.message);
    memcpy(err->sqlstate, failure.sqlstate, sizeof err->sqlstate);
    if (failure.detail) {
        error_detail(err, "%s", failure.detail);
    }
    if (failure.context) {
        error_detail(err, "%s", failure.context);
    }
    if (!source) {
        error_detail(err, "psql, loading %s", path);
    }
    if (failure.hint) {
        error_hint(err, "%s", failure.hint);
    }
    add_blocker(err, watch);
}

static bool run_psql(const struct pg_target *target, const char *database, const char *path,
                     struct blocker_watch *watch, struct process_result *result, struct error *err)
{
    static const struct os_user ourselves = {0};
    struct arena arena = {0};
    const char *psql = NULL;
    char options[192];
    /* whatever the role or the database has set for others: it is to be written to */
    (void)snprintf(options, sizeof options,
                   "-c lock_timeout=%d -c client_min_messages=warning "
                   "-c default_transaction_read_only=off -c statement_timeout=0%s",
                   target->lock_wait_ms,
                   target->version < VERSION_TRANSACTION_TIMEOUT ? ""
                                                                 : " -c transaction_timeout=0");
    const struct address_env env = {database, watch->application, options};
    bool ran = programs_find_psql(target->bindir, &target->hooks, &arena, &psql, err);
    if (ran) {
        const char *argv[] = {
            psql, "-X", "-q", "-b", "-w", "-v", "ON_ERROR_STOP=1", "-v", "VERBOSITY=verbose",
            "-f", path, NULL};
        const struct process process = {
            .argv = argv,
            .env = address_env(&target->address, &env, &arena),
            .user = &ourselves,
        };
        ran = process_run(&process, &watch->hooks, result, err);
    }
    arena_free(&arena);
    return ran;
}

bool load_by_psql(const struct pg_target *target, const char *database, const char *path,
                  struct diagnostics *diagnostics, struct error *err)
{
    const struct source *source = NULL;
    struct process_result result = {0};
    struct blocker_watch watch;
    char name[32];
    if (!read_source(path, diagnostics, &source, err)) {
        return false;
    }
    session_name(name, sizeof name);
    blocker_watch_begin(&watch, target, name);
    bool loaded = run_psql(target, database, path, &watch, &result, err);
    if (loaded && result.status == EXIT_CONNECTION) {
        loaded =
            error_set(err, ERROR_CONNECTION, "the connection was lost while psql loaded %s", path);
        target_explain(target, err);
    } else if (loaded && result.status != 0) {
        add_psql_failure(strbuf_text(&result.errors), path, &watch, diagnostics);
        loaded = false;
    }
    blocker_watch_end(&watch);
    process_result_free(&result);
    return loaded;
}

/* Transaction control, bytes that are no text. */
static bool check_plain(const struct source *source, struct diagnostics *diagnostics)
{
    struct source_pos pos;
    const char *command = NULL;
    size_t invalid = utf8_invalid_at(source->text, source->size);
    if (invalid < source->size || strlen(source->text) < source->size) {
        size_t nul = strlen(source->text);
        pos = (struct source_pos){source, invalid < nul ? invalid : nul};
        diagnostics_at(diagnostics, pos, "the file is not UTF-8 text");
        return false;
    }
    if (sql_find_transaction_control(source, &pos, &command)) {
        struct error *err = diagnostics_at(
            diagnostics, pos, "%s would end the transaction that everything runs in", command);
        error_hint(err, "take it out, or load the file by `schema:` without --in-place, into a "
                        "scratch database");
        return false;
    }
    return true;
}

/* Where the statement begins that failed after `done` others. */
static struct source_pos statement_start(const struct source *source, size_t done)
{
    struct arena arena = {0};
    struct diagnostics ignored = {.arena = &arena};
    struct sql_templates statements = {0};
    const struct snippet snippet = snippet_of_source(source);
    struct source_pos pos = {source, 0};
    (void)sql_scan(&snippet, NULL, NULL, &arena, &statements, &ignored);
    if (done < statements.items.count) {
        pos = snippet_pos(&statements.items.items[done]->snippet, 0);
    }
    arena_free(&arena);
    return pos;
}

static void add_server_failure(const PGresult *result, const struct source *source, size_t done,
                               const struct blocker_watch *watch, struct diagnostics *diagnostics)
{
    struct error failed;
    const char *position = PQresultErrorField(result, PG_DIAG_STATEMENT_POSITION);
    wire_error(result, &failed);
    failed.code = ERROR_MACHINE;
    if (position) {
        size_t index = strtoul(position, NULL, 10);
        size_t offset = utf8_offset(source->text, source->size, index > 0 ? index - 1 : 0);
        failed.pos = (struct source_pos){source, offset};
        if (source->text[offset] == '\\') {
            error_at(&failed, ERROR_MACHINE, failed.pos,
                     "commands of psql can't be run inside the transaction");
            error_hint(&failed, "take it out, or load the file by `schema:` without --in-place, "
                                "into a scratch database");
        }
    } else {
        failed.pos = statement_start(source, done);
    }
    add_blocker(&failed, watch);
    diagnostics_add(diagnostics, &failed);
}

bool load_in_transaction(const struct pg_target *target, struct wire *wire, const char *path,
                         struct diagnostics *diagnostics, struct error *err)
{
    const struct source *source = NULL;
    struct blocker_watch watch;
    const struct hooks *hooks = wire->hooks;
    char name[32];
    char sql[96];
    size_t done = 0;
    if (!read_source(path, diagnostics, &source, err) || !check_plain(source, diagnostics)) {
        return false;
    }
    session_name(name, sizeof name);
    (void)snprintf(sql, sizeof sql, "SET LOCAL application_name = '%s'", name);
    blocker_watch_begin(&watch, target, name);
    PGresult *result = NULL;
    if (wire_do(wire, sql, err)) {
        wire->hooks = &watch.hooks;
        result = wire_script(wire, source->text, &done, err);
        wire->hooks = hooks;
    }
    blocker_watch_end(&watch);
    bool loaded = result && !wire_is_error(result);
    if (result && !loaded) {
        add_server_failure(result, source, done, &watch, diagnostics);
    }
    PQclear(result);
    return loaded;
}
