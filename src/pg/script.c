/* psql scripts, run to their end: in a database of their own on an embedded server, or where they
 * want an empty one, else in the named one. */
#include "os/process.h"
#include "pg/blocker.h"
#include "pg/load.h"
#include "pg/scratch.h"
#include "pg/server/programs.h"

#include <string.h>

#define APPLICATION "pgfsm replay"

enum { EXIT_FATAL = 1, EXIT_CONNECTION = 2 };

static bool run_psql(const struct pg_target *target, const char *database,
                     const struct pg_script *script, struct process_result *result,
                     struct error *err)
{
    static const struct os_user ourselves = {0};
    struct arena arena = {0};
    const char *psql = NULL;
    const struct address_env env = {database, APPLICATION};
    struct blocker_watch watch;
    bool ran = programs_find_psql(target->bindir, &target->hooks, &arena, &psql, err);
    blocker_watch_begin(&watch, target, APPLICATION);
    if (ran) {
        /* A database of ours is to be written to. In a named one the script rolls back; its session
         * may be older than the connection (connection.c). What the server answers is no TAP. */
        const char *prepare = strcmp(database, target->dbname) == 0
                                  ? "DISCARD ALL"
                                  : "SET default_transaction_read_only = off";
        const char *argv[] = {psql,
                              "-X",
                              "-w",
                              "-c",
                              "\\o /dev/null",
                              "-c",
                              prepare,
                              "-c",
                              "\\o",
                              "-f",
                              script->path,
                              script->variable ? "-v" : NULL,
                              script->variable,
                              NULL};
        const struct process process = {
            .argv = argv,
            .env = address_env(&target->address, &env, &arena),
            .user = &ourselves,
        };
        ran = process_run(&process, &watch.hooks, result, err);
    }
    blocker_watch_end(&watch);
    if (!psql && err->code == ERROR_SYSTEM) {
        err->code = ERROR_USAGE; /* the server is fine */
    }
    arena_free(&arena);
    return ran;
}

static bool load_first(const struct pg_target *target, const char *database,
                       const struct pg_script *script, struct diagnostics *diagnostics,
                       struct error *err)
{
    for (size_t i = 0; i < script->first_count; i++) {
        if (!load_by_psql(target, database, script->first[i], diagnostics, err)) {
            return false;
        }
    }
    return true;
}

static bool run_in(const struct pg_target *target, const char *database,
                   const struct pg_script *script, struct pg_script_result *out, struct error *err)
{
    struct process_result result = {0};
    bool ran = run_psql(target, database, script, &result, err);
    out->status = result.status;
    strbuf_add(&out->output, strbuf_text(&result.output), result.output.size);
    strbuf_add(&out->errors, strbuf_text(&result.errors), result.errors.size);
    if (ran && result.status == EXIT_CONNECTION && script->loses) {
        out->lost = true;
    } else if (ran && result.status == EXIT_CONNECTION) {
        ran = load_lost(target, &result, err);
        error_context(err, "could not run %s", script->path);
    } else if (ran && result.status == EXIT_FATAL) {
        ran = error_set(err, ERROR_USAGE, "psql can't run %s", script->path);
        error_detail(err, "%s", strbuf_text(&result.errors));
    }
    process_result_free(&result);
    return ran;
}

static bool make_scratch(struct scratch *scratch, const struct pg_target *target,
                         const struct pg_script *script, struct error *err)
{
    if (scratch_make(scratch, target, err)) {
        return true;
    }
    if (err->code == ERROR_USAGE) {
        if (script->first_count) {
            error_hint(err, "or load %s into an empty database, and run psql -X -f %s there",
                       script->first[0], script->path);
        } else {
            error_hint(err, "or create an empty database, and run psql -X -f %s there",
                       script->path);
        }
    }
    return false;
}

bool pg_script_run(struct pg_target *target, const struct pg_script *script,
                   struct pg_script_result *out, struct diagnostics *diagnostics, struct error *err)
{
    struct scratch scratch = {0};
    *out = (struct pg_script_result){0};
    bool loaded;
    *err = (struct error){0};
    if (script->clock_us && !target->embedded) {
        error_set(err, ERROR_USAGE,
                  "%s needs a server with a simulated clock, which only an embedded one has",
                  script->path);
        return error_hint(err, "use --embedded");
    }
    if (!target_start(target, NULL, script->clock_us, &loaded, err)) {
        return false;
    }
    if (!target->embedded && !script->scratch) {
        return run_in(target, target->dbname, script, out, err);
    }
    bool ran = make_scratch(&scratch, target, script, err) &&
               load_first(target, scratch.name, script, diagnostics, err) &&
               run_in(target, scratch.name, script, out, err);
    scratch_drop(&scratch);
    return ran;
}

void pg_script_result_free(struct pg_script_result *result)
{
    strbuf_free(&result->output);
    strbuf_free(&result->errors);
}
