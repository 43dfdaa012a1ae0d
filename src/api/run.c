#include "api/errors.h"
#include "api/session.h"
#include "api/sharing.h"
#include "os/wait.h"
#include "report/narrate.h"

enum { GRACE_US = 250000 /* that answers under way have when the time is up */ };

/* What the report says of the trace that was run again. */
static void note_replayed(struct run_session *session, bool went_on)
{
    struct pgfsm_run *run = session->run;
    const struct run_result *result = &run->result;
    const char *identity = session->stored.items.items[0].identity;
    run->report.replayed = arena_strdup(&run->arena, identity);
    if (!went_on || !result->stored_passed || !result->stored_passed[0]) {
        return;
    }
    if (result->failures.count) {
        session_warn(session,
                     arena_printf(&run->arena, "it fails differently than before: %s holds",
                                  run->report.replayed));
    } else if (result->stored_left_out[0]) {
        session_warn(session, arena_printf(&run->arena,
                                           "%zu of its steps can't run any more, and were left out",
                                           result->stored_left_out[0]));
    }
}

/* An example whose time is up ends by itself, but not while it waits for the server. */
static void set_deadline(struct run_session *session)
{
    int64_t max_ms = session->settings.max_time_ms;
    session->began_us = clock_us();
    uint64_t deadline_us = (uint64_t)session->began_us + (uint64_t)max_ms * 1000 + GRACE_US;
    atomic_store(&session->database->deadline_us, max_ms > 0 ? deadline_us : 0);
}

/* The failures' scripts, none yet. */
static struct script_folder script_folder(const struct run_session *session)
{
    const struct pgfsm_run_options *options = &session->options;
    return (struct script_folder){
        .machine = session->machine,
        .settings = &session->settings,
        .path = options->out,
        .schema = options->schema,
        .schema_count = options->schema_count,
        .apply = options->apply,
        .apply_count = options->apply_count,
        .diff = options->diff,
        .migration = session->migration,
        .natures = session->natures,
        .in_place = (options->in_place || options->schema_count == 0) &&
                    !pg_target_is_embedded(session->database->target),
        .arena = &session->run->arena,
    };
}

static void lift_deadline(const struct run_session *session)
{
    atomic_store(&session->database->deadline_us, 0);
}

static void on_splits(void *host)
{
    const struct run_session *session = host;
    if (session->natures) {
        natures_keep(session->natures);
    }
}

static void on_merges(void *host)
{
    const struct run_session *session = host;
    lift_deadline(session);
    if (session->natures) {
        natures_forget(session->natures);
    }
}

static struct run_options options_for_engine(struct run_session *session)
{
    const struct pgfsm_run_options *options = &session->options;
    struct run_options out = {
        .settings = session->settings,
        .mistakes = &session->mistakes,
        .no_pipeline = options->no_pipeline,
        .all_invariants = options->all_invariants,
        .helpers = session->helpers.items,
        .helper_count = session->helpers.count,
        .shard = (uint64_t)options->shard,
        .shard_count = (uint64_t)options->shard_count,
        .stored = session->stored.items.items,
        .stored_count = session->stored.items.count,
        .scope = options->trace         ? RUN_STORED
                 : options->last_failed ? RUN_KEPT
                 : options->ways        ? RUN_FRESH
                                        : RUN_ALL,
        .finding = options->trace  ? FIND_TELL
                   : options->ways ? FIND_COUNT
                                   : FIND_EXAMINE,
        .record = options->out != NULL,
        .record_each = options->shard_count > 0 && !options->merge,
        .measure = options->measure,
        .rules_off = session->run->report.rules_off,
        .invariants_off = session->run->report.invariants_off,
        .differs = options->diff != NULL,
        .migration = session->migration,
        .open_passing = options->open_passing > 0 ? (size_t)options->open_passing : 0,
        .max_failures = options->max_failures > 0 ? (uint64_t)options->max_failures : 0,
        .way = options->ways ? way_named(options->ways) : NULL,
        .narrator = options->verbose > 0 && !options->mutate && session->callbacks->tell
                        ? narrator_new
                        : NULL,
        .tell_statements = options->verbose > 1,
        .callbacks = callbacks_of(session),
    };
    if (session->merged) {
        out.callbacks.reported = merge_reported;
    }
    if (sharing_keeps(session) && out.finding == FIND_EXAMINE) {
        out.callbacks.claim = sharing_claim;
    }
    if (sharing_splits(session)) {
        out.callbacks.take = sharing_take;
        out.callbacks.splits = on_splits;
        out.callbacks.merges = on_merges;
        out.callbacks.done = sharing_done;
        out.callbacks.reported = sharing_reported;
        out.record_each = true;
    }
    out.callbacks.found = keep_found;
    out.callbacks.dropped = keep_dropped;
    out.callbacks.learned = options->diff ? session_learned : NULL;
    if (options->diff && session->migration) {
        out.callbacks.open_committed = session_open_committed;
        out.callbacks.fails_uncommitted = session_fails_uncommitted;
    }
    return out;
}

static bool run_examples(struct run_session *session, struct backend *backend)
{
    struct pgfsm_run *run = session->run;
    struct error err = {0};
    keep_load(session);
    session->scripts = script_folder(session);
    const struct run_options options = options_for_engine(session);
    set_deadline(session);
    bool went_on =
        run_machine(session->machine, backend, &options, &run->arena, &run->result, &err);
    lift_deadline(session);
    run->report.stopped = went_on ? ERROR_NONE : err.code;
    keep_finish(session);
    if (session->options.trace) {
        note_replayed(session, went_on);
    }
    /* the server counts also what was sent before a failure was seen: more or less of it */
    if (went_on && options.measure && run->result.failures.count == 0) {
        session_report_coverage(session, backend);
    }
    merge_finish(session);
    session_report_blocking(session);
    session_report_warnings(session, backend);
    session_report_compared(session, backend);
    return went_on ? session_mutate(session, backend, &options) : session_fail(session, &err);
}

/* What two databases answer differently, one alone does not. */
static bool fits_run(const struct pgfsm_run_options *options, const struct stored_trace *trace,
                     struct error *err)
{
    if (trace->differs == (options->diff != NULL)) {
        return true;
    }
    (void)error_set(err, ERROR_USAGE,
                    trace->differs
                        ? "%s is what two databases answer differently, and this runs on "
                          "one"
                        : "%s is a failure on one database, and this compares two",
                    options->trace);
    return error_hint(err,
                      trace->differs
                          ? "`pgfsm diff` with the options of that run and --last-failed runs it "
                            "again; its replay script runs on both sides: pgfsm replay %s.sql"
                          : "without a second database it can be run again",
                      trace->name);
}

/* Reads the trace that is to be run again, whose sessions run side by side whatever the machine
 * says. */
static bool read_trace(struct run_session *session)
{
    struct pgfsm_run_options *options = &session->options;
    struct stored_trace trace;
    struct error err = {0};
    if (!options->trace) {
        return true;
    }
    if (!store_read(options->trace, session->machine, TRACE_WHOLE, &session->arena, &trace, &err) ||
        !fits_run(options, &trace, &err)) {
        return errors_add_usage(session->errors, &err);
    }
    *VEC_PUSH(&session->arena, &session->stored.items) = trace;
    options->crash = options->crash || trace_deaths(&trace.trace);
    if (trace_sessions(&trace.trace) > 1) {
        options->sessions = (int64_t)trace_sessions(&trace.trace);
    }
    return true;
}

/* Has everything be as it was then. */
static void name_trace(struct run_session *session)
{
    struct pgfsm_run_options *options = &session->options;
    if (!options->trace) {
        return;
    }
    session->settings.seed = session->stored.items.items[0].seed;
    session->settings.examples = 1;
    session->settings.max_time_ms = 0;
    session->settings.jobs = 1;
    options->store = NULL;
    options->shared = NULL;
    options->out = NULL;
    options->shard_count = 0;
}

static bool prepare(struct run_session *session)
{
    const struct pgfsm_run_options *options = &session->options;
    session_add_migration(session);
    if (options->shard_count || options->merge || options->shared) {
        session->run->report.inputs = session_hash_inputs(session, &session->run->arena);
    }
    if (!read_trace(session) || !merge_begin(session) || !settings_resolve(session) ||
        !session_diff(session)) {
        return false;
    }
    if (session->merged) {
        session->settings.max_time_ms = 0; /* it limited the shards */
    }
    name_trace(session);
    session->dies =
        !session->options.diff && (session->settings.crash || session->machine->crashes);
    return settings_choose(session);
}

static bool run_on(struct run_session *session, struct backend *backend)
{
    session->run->result =
        (struct run_result){.outcome = RUN_NOTHING, .seed = session->settings.seed};
    bool went_on = sharing_begin(session) && session_open_helpers(session, backend) &&
                   run_examples(session, backend) && sharing_finish(session);
    outcome_summarize(session);
    session_leave(session, backend);
    return went_on;
}

bool pgfsm_machine_run(struct pgfsm_run **out, const struct pgfsm_machine *machine,
                       struct pgfsm_database *database, const struct pgfsm_run_options *options,
                       const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors)
{
    struct run_session session;
    struct backend *backend = NULL;
    bool went_on = false;
    *out = NULL;
    if (!run_session_begin(&session, machine, database, options, callbacks, errors)) {
        return false;
    }
    session.mistakes.arena = &session.arena;
    session.run = memory_alloc(sizeof *session.run);
    *session.run = (struct pgfsm_run){0};
    if (prepare(&session) && sharing_open(&session) && session_list_earlier(&session)) {
        backend = session_open(&session);
    }
    if (backend) {
        went_on = run_on(&session, backend);
        backend->ops->close(backend);
    }
    sharing_close(&session);
    database_end(database);
    /* a machine with mistakes has not run */
    *out = backend && session.mistakes.errors.count == 0 ? session.run : NULL;
    if (!*out) {
        pgfsm_run_free(session.run);
    }
    natures_free(session.natures);
    accepted_free(session.accepted);
    arena_free(&session.arena);
    arena_free(&session.example);
    return went_on;
}
