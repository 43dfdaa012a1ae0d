/* Implements pgfsm/locks.h, and asks the same at the end of a run: an example makes rows and shows
 * what the rules send, and then the migration runs. */
#include "pg/locks/locks.h"
#include "api/errors.h"
#include "api/session.h"
#include "example/example.h"
#include "example/plan.h"
#include "example/setup/setup.h"
#include "replay/recording/recorder.h"
#include "report/locks/locks.h"
#include "run/run.h"

#include <stdlib.h>
#include <string.h>

#include <pgfsm/locks.h>

struct pgfsm_locks {
    struct arena arena;
    struct blocking blocking;
    const char *files;
};

enum {
    STEPS_EACH = 6,   /* steps of the example for each rule, at least */
    STEPS_MOST = 300, /* which grow slow, as bundles do, and have a limit */
    PLACE_WIDTH = 1000,
};

/* What an example does, and what becomes of it. */
struct asking {
    struct run_session *session;
    struct backend *backend;
    struct arena *arena;
    struct engine engine;
    struct recorder *recorder;
};

static bool make_example(struct asking *asking, struct error *err)
{
    struct example_result result = {0};
    const struct failure *failure = NULL;
    const struct example_plan plan = {
        .way = &example_ways[WAY_ACCEPTED],
        .number = 1,
        .guarded = true,
        .lenient = true,
        .stays = true,
        .observer = recorder_observer(asking->recorder),
        .scope = SCOPE_NONE,
    };
    return engine_setup(&asking->engine, NULL, &failure, err) &&
           (failure || engine_prepare(&asking->engine, &asking->session->mistakes, err)) &&
           example_run_alone(&asking->engine, &plan, &result, err);
}

static const char *text_of(struct arena *arena, const struct recorded_value *value)
{
    struct strbuf text = {0};
    for (size_t i = 0; i < value->parts.count; i++) {
        strbuf_add(&text, value->parts.items[i].text, value->parts.items[i].size);
    }
    return value->null ? NULL : strbuf_take(&text, arena);
}

static void add_statement(struct arena *arena, const struct recorded_statement *recorded,
                          struct lock_request *out)
{
    struct lock_statement *statement = VEC_PUSH(arena, &out->statements);
    const struct recorded_context *context = recorded->context;
    statement->sql = recorded->sql;
    for (size_t i = 0; i < recorded->values.count; i++) {
        VEC_PUSH(arena, &statement->values)->text = text_of(arena, &recorded->values.items[i]);
    }
    statement->role = context ? context->role : NULL;
    statement->session_user = context ? context->session_user : NULL;
    for (size_t i = 0; context && i < context->settings.count; i++) {
        const struct recorded_setting *setting = &context->settings.items[i];
        *VEC_PUSH(arena, &statement->settings) =
            (struct lock_setting){setting->name, text_of(arena, &setting->value)};
    }
}

/* Of each rule the last step that succeeded. */
static void take_step(struct asking *asking, const struct recorded_step *step,
                      struct lock_request *requests)
{
    const struct machine *machine = asking->session->machine;
    size_t index = step->rule ? step->rule->index : machine->rules.count;
    if (step->kind != RECORDED_STEP || step->raised || step->statements.count == 0 ||
        index >= machine->rules.count || &machine->rules.items[index] != step->rule) {
        return;
    }
    requests[index].tried = true;
    requests[index].statements.count = 0;
    for (size_t i = 0; i < step->statements.count; i++) {
        add_statement(asking->arena, &step->statements.items[i], &requests[index]);
    }
}

static enum may_wait may_wait(const struct machine *machine, size_t rule)
{
    const struct machine_migration *migration = machine->migration;
    return migration && migration->may_wait ? migration->may_wait[rule] : MAY_WAIT_SHORT;
}

/* The rules that send something, in their order. */
static size_t list_requests(struct asking *asking, struct lock_request *requests)
{
    const struct machine *machine = asking->session->machine;
    const struct recording *recording = recorder_recording(asking->recorder);
    size_t count = 0;
    for (size_t i = 0; i < machine->rules.count; i++) {
        requests[i].rule = machine->rules.items[i].name;
    }
    for (size_t i = 0; i < recording->steps.count; i++) {
        take_step(asking, &recording->steps.items[i], requests);
    }
    for (size_t i = 0; i < machine->rules.count; i++) {
        if (machine->rules.items[i].statements.count > 0 && !machine->rules.items[i].migrates) {
            requests[count] = requests[i];
            requests[count].never = may_wait(machine, i) == MAY_WAIT_NEVER;
            requests[count++].any = may_wait(machine, i) == MAY_WAIT_ANY;
        }
    }
    return count;
}

static bool ask(struct asking *asking, const char *const *files, size_t count,
                struct pgfsm_locks *out, struct error *err)
{
    const struct machine *machine = asking->session->machine;
    if (!make_example(asking, err)) {
        return false;
    }
    struct lock_request *requests =
        ARENA_ARRAY(asking->arena, struct lock_request, machine->rules.count);
    const struct lock_question question = {
        .files = files,
        .file_count = count,
        .each = machine->migration && machine->migration->each,
        .requests = requests,
        .request_count = list_requests(asking, requests),
    };
    return pg_locks(asking->backend, &question, asking->arena, &out->blocking, err);
}

/* The example is over before the migration begins. */
static const bool *migration_off(const struct machine *machine, struct arena *arena)
{
    bool *off = ARENA_ARRAY(arena, bool, machine->rules.count);
    for (size_t i = 0; i < machine->rules.count; i++) {
        off[i] = machine->rules.items[i].migrates;
    }
    return off;
}

static bool ask_on(struct run_session *session, struct backend *backend, const char *const *files,
                   size_t count, struct pgfsm_locks *out)
{
    const struct run_callbacks callbacks = callbacks_of(session);
    struct error err = {0};
    struct asking asking = {.session = session, .backend = backend, .arena = &out->arena};
    const struct run_options options = {
        .settings = session->settings,
        .rules_off = migration_off(session->machine, &out->arena),
        .mistakes = &session->mistakes,
        .callbacks = {.host = callbacks.host,
                      .now_us = callbacks.now_us,
                      .interrupted = callbacks.interrupted},
    };
    const struct engine_options how = run_engine_options(&options);
    engine_init(&asking.engine, session->machine, backend, &how);
    asking.recorder = recorder_new(&out->arena, backend);
    bool done = ask(&asking, files, count, out, &err) || session_fail(session, &err);
    recorder_free(asking.recorder);
    engine_free(&asking.engine);
    return done;
}

/* One example, long enough for each rule to have its turn, whose steps are committed. */
static bool resolve(struct run_session *session)
{
    session->options.derandomize = true; /* the same table whenever it is asked for */
    session->options.commit = true;
    int64_t least = (int64_t)session->machine->rules.count * STEPS_EACH;
    least = least < STEPS_MOST ? least : STEPS_MOST;
    if (!settings_resolve(session)) {
        return false;
    }
    if (session->options.steps < 0 && session->settings.steps < least) {
        session->settings.steps = least;
    }
    session->settings.sessions = 1;
    session->settings.jobs = 1;
    session->settings.errors = ERRORS_ANY;
    return true;
}

/* "0042.sql", "0042.sql, 0043.sql" */
static const char *names_of(struct arena *arena, const char *const *files, size_t count)
{
    const char *names = "";
    for (size_t i = 0; i < count; i++) {
        const char *slash = strrchr(files[i], '/');
        names = arena_printf(arena, "%s%s%s", names, i ? ", " : "", slash ? slash + 1 : files[i]);
    }
    return names;
}

/* NOLINTNEXTLINE(readability-function-size): as many parameters as its siblings, and the files */
bool pgfsm_machine_locks(struct pgfsm_locks **out, const struct pgfsm_machine *machine,
                         struct pgfsm_database *database, const char *const *files, size_t count,
                         const struct pgfsm_run_options *options,
                         const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors)
{
    struct run_session session;
    struct backend *backend = NULL;
    struct pgfsm_locks *locks;
    bool done = false;
    *out = NULL;
    if (!run_session_begin(&session, machine, database, options, callbacks, errors)) {
        return false;
    }
    session.mistakes.arena = &session.arena;
    session.run = memory_alloc(sizeof *session.run);
    *session.run = (struct pgfsm_run){0};
    locks = memory_alloc(sizeof *locks);
    *locks = (struct pgfsm_locks){0};
    const struct machine_migration *migration = session.machine->migration;
    if (count == 0 && migration) {
        files = migration->files.items;
        count = migration->forward;
    }
    locks->files = names_of(&locks->arena, files, count);
    if (count == 0) {
        struct error err;
        (void)error_set(&err, ERROR_USAGE,
                        "no migration given; write --migrate FILE, or the key `migration` in the "
                        "machine");
        (void)session_fail(&session, &err);
    } else if (resolve(&session)) {
        backend = session_open(&session);
    }
    if (backend) {
        done = ask_on(&session, backend, files, count, locks);
        backend->ops->close(backend);
    }
    database_end(database);
    pgfsm_run_free(session.run);
    arena_free(&session.arena);
    *out = done ? locks : NULL;
    if (!done) {
        pgfsm_locks_free(locks);
    }
    return done;
}

/* Warns of a statement's findings. */
static void warn_of(struct run_session *session, const struct blocking *blocking, size_t index)
{
    struct arena *arena = &session->run->arena;
    const struct blocking_statement *statement = &blocking->statements.items[index];
    const struct locks_lines lines = locks_lines(blocking, index, arena);
    for (size_t i = 0; i < lines.items.count; i++) {
        const struct locks_line *line = &lines.items.items[i];
        if (line->finding) {
            session_warn(session, arena_printf(arena, "%s: the migration blocks: %s: %s",
                                               locks_words(statement->place, PLACE_WIDTH, arena),
                                               line->head, line->text));
        }
    }
}

/* A machine that says what may wait requires it, and --strict does; to others it is news. */
static bool is_required(const struct run_session *session)
{
    return session->machine->migration->may_wait || session->options.strict;
}

static void tell_unknown(struct run_session *session, const char *why)
{
    session_warn(session, arena_printf(&session->run->arena,
                                       "what the migration blocks is unknown: %s", why));
    session->run->report.blocks_unknown = is_required(session);
}

static void tell_blocking(struct run_session *session, const struct blocking *blocking)
{
    struct arena *arena = &session->run->arena;
    size_t count = blocking_findings(blocking);
    if (blocking->failed) {
        tell_unknown(session, blocking->failed);
        return;
    }
    if (count == 0) {
        return;
    }
    if (!is_required(session)) {
        session_warn(session, arena_printf(arena,
                                           "while the migration runs, rules wait: %zu finding%s of "
                                           "`pgfsm locks`; the machine's key `migration` can say "
                                           "by allow_blocking which may",
                                           count, count == 1 ? "" : "s"));
        return;
    }
    session->run->report.blocked = count;
    for (size_t i = 0; i < blocking->statements.count; i++) {
        warn_of(session, blocking, i);
    }
    for (size_t i = 0; i < blocking->invalid.items.count; i++) {
        session_warn(session, arena_printf(arena, "the migration leaves behind: %s",
                                           locks_invalid(blocking->invalid.items.items[i], arena)));
    }
}

/* Whether a scratch database is to be had, in which steps are committed. */
static bool can_ask(const struct run_session *session)
{
    const struct pgfsm_run_options *options = &session->options;
    const struct machine_migration *migration = session->machine->migration;
    return migration && migration->forward > 0 && session->run->result.whole && !options->diff &&
           !options->mutate && !options->in_place &&
           (options->schema_count > 0 || pg_target_is_embedded(session->database->target));
}

void session_report_blocking(struct run_session *session)
{
    struct pgfsm_locks locks = {0};
    struct run_session own = {.machine = session->machine,
                              .callbacks = session->callbacks,
                              .options = session->options,
                              .database = session->database,
                              .run = session->run};
    if (!can_ask(session)) {
        return;
    }
    own.errors = pgfsm_errors_new();
    const struct machine_migration *migration = session->machine->migration;
    own.mistakes.arena = &own.arena;
    struct backend *backend = resolve(&own) ? session_open(&own) : NULL;
    if (backend) {
        if (ask_on(&own, backend, migration->files.items, migration->forward, &locks)) {
            tell_blocking(session, &locks.blocking);
        }
        backend->ops->close(backend);
    }
    if (pgfsm_errors_count(own.errors) > 0) {
        tell_unknown(session, pgfsm_errors_at(own.errors, 0)->message);
    }
    pgfsm_errors_free(own.errors);
    arena_free(&locks.arena);
    arena_free(&own.arena);
}

size_t pgfsm_locks_findings(const struct pgfsm_locks *locks)
{
    return blocking_findings(&locks->blocking);
}

char *pgfsm_locks_report(const struct pgfsm_locks *locks, const char *format)
{
    struct strbuf text = {0};
    if (!locks_report(&locks->blocking, format, locks->files, &text)) {
        return NULL;
    }
    return text.data;
}

void pgfsm_locks_free(struct pgfsm_locks *locks)
{
    if (locks) {
        arena_free(&locks->arena);
        free(locks);
    }
}
