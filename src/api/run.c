#include "api/run.h"

#include "api/database.h"
#include "api/errors.h"
#include "api/machine.h"
#include "api/script.h"
#include "api/trace.h"
#include "api/warnings.h"
#include "base/visible.h"
#include "report/narrate.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
    JOBS_MAX = 1000,
    GRACE_US = 250000, /* that answers under way have when the time is up */
};

/* One run as it goes on. */
struct running {
    const struct machine *machine;
    const struct pgfsm_callbacks *callbacks;
    struct settings settings;
    struct pgfsm_database *database;
    struct pgfsm_errors *errors;
    struct pgfsm_run *run;
    const struct pgfsm_run_options *options;
    struct script_folder scripts;
    struct stored_traces stored;    /* traces of earlier runs */
    struct arena arena;             /* of the trace that was named */
    struct pgfsm_progress progress; /* as it was told last, but for shortening */
    struct diagnostics mistakes;    /* that only showed when initialize had run */
    VEC(struct backend *) helpers;
    VEC(const char *) warnings; /* ends with NULL in the end */
};

static uint64_t now_us(void *host)
{
    (void)host;
    return database_now_us();
}

static bool on_interrupted(void *host)
{
    const struct running *running = host;
    return database_interrupted(running->database);
}

static void on_deafen(void *host, bool deaf)
{
    const struct running *running = host;
    bool interrupted = database_interrupted(running->database);
    atomic_store(&running->database->deaf, deaf);
    if (deaf && interrupted && running->callbacks->note) {
        running->callbacks->note(running->callbacks->host,
                                 "writing down what was found; once more ends at once");
    }
}

static void on_progress(void *host, const struct run_stats *stats, uint64_t planned)
{
    struct running *running = host;
    running->progress = (struct pgfsm_progress){
        .examples = stats->examples,
        .examples_planned = planned,
        .steps = stats->steps,
        .time_us = stats->time_us,
        .max_time_us = (uint64_t)running->settings.max_time_ms * 1000,
    };
    running->callbacks->progress(running->callbacks->host, &running->progress);
}

static void on_shortening(void *host, uint64_t time_us, uint64_t executions, size_t steps)
{
    const struct running *running = host;
    struct pgfsm_progress progress = running->progress;
    progress.time_us = time_us;
    progress.shorten_runs = executions;
    progress.shorten_steps = steps;
    running->callbacks->progress(running->callbacks->host, &progress);
}

static void on_print(void *host, const char *line, size_t size)
{
    const struct running *running = host;
    running->callbacks->print(running->callbacks->host, line, size);
}

static void on_tell(void *host, const char *text, size_t size)
{
    const struct running *running = host;
    running->callbacks->tell(running->callbacks->host, text, size);
}

/* 32 bits are enough to be different and short enough to be typed. */
static bool draw_seed(uint64_t *out, struct pgfsm_errors *errors)
{
    uint32_t seed;
    if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed) {
        return errors_addf(errors, ERROR_SYSTEM, "cannot draw a seed: %s", strerror(errno));
    }
    *out = seed;
    return true;
}

static void lay_over(int64_t *setting, int64_t option)
{
    if (option >= 0) {
        *setting = option;
    }
}

static bool unknown_profile(const struct machine *machine, const char *name,
                            struct pgfsm_errors *errors)
{
    struct strbuf list = {0};
    for (size_t i = 0; i < machine->profiles.count; i++) {
        strbuf_addf(&list, "%s%s", i ? ", " : "", machine->profiles.items[i].name);
    }
    (void)errors_addf(errors, ERROR_USAGE, "%s has no profile '%s'; %s%s", machine->name, name,
                      list.size ? "it has: " : "it has none", strbuf_text(&list));
    strbuf_free(&list);
    return false;
}

static bool base_settings(const struct machine *machine, const char *profile, struct settings *out,
                          struct pgfsm_errors *errors)
{
    *out = machine->settings;
    for (size_t i = 0; profile && i < machine->profiles.count; i++) {
        if (strcmp(machine->profiles.items[i].name, profile) == 0) {
            *out = machine->profiles.items[i].settings;
            return true;
        }
    }
    return !profile || unknown_profile(machine, profile, errors);
}

/* FNV-1a, folded to what a drawn seed has. */
static uint64_t seed_of_name(const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *name; name++) {
        hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
    }
    return (hash ^ (hash >> 32)) & UINT32_MAX;
}

/* The machine's settings with the options over them. */
static bool resolve(const struct machine *machine, const struct pgfsm_run_options *options,
                    struct settings *out, struct pgfsm_errors *errors)
{
    if (!base_settings(machine, options->profile, out, errors)) {
        return false;
    }
    lay_over(&out->examples, options->examples);
    lay_over(&out->steps, options->steps);
    lay_over(&out->max_time_ms, options->max_time_ms);
    lay_over(&out->jobs, options->jobs);
    if (options->seed >= 0) {
        out->seed = (uint64_t)options->seed;
        out->has_seed = true;
    }
    if (options->derandomize && !out->has_seed) {
        out->seed = seed_of_name(machine->name);
        out->has_seed = true;
    }
    if (out->steps < 1) {
        return errors_addf(errors, ERROR_USAGE, "steps must be at least 1");
    }
    if (out->jobs < 1 || out->jobs > JOBS_MAX) {
        return errors_addf(errors, ERROR_USAGE, "jobs must be from 1 to %d", JOBS_MAX);
    }
    if (options->shard_count > 0 && !out->has_seed) {
        return errors_addf(errors, ERROR_USAGE,
                           "a shard needs a seed, the same for all: they split the examples of one "
                           "run");
    }
    if (!out->has_seed) {
        out->has_seed = true;
        return draw_seed(&out->seed, errors);
    }
    return true;
}

static bool unmatched_rule(const struct machine *machine, const char *pattern,
                           struct pgfsm_errors *errors)
{
    struct strbuf list = {0};
    for (size_t i = 0; i < machine->rules.count; i++) {
        strbuf_addf(&list, "%s%s", i ? ", " : "", machine->rules.items[i].name);
    }
    (void)errors_addf(errors, ERROR_USAGE, "%s has no rule that '%s' fits; it has: %s",
                      machine->name, pattern, strbuf_text(&list));
    strbuf_free(&list);
    return false;
}

/* Notes which rules no pattern fits, if patterns were given. */
static bool choose_rules(struct running *running, const struct pgfsm_run_options *options)
{
    const struct machine *machine = running->machine;
    size_t count = machine->rules.count;
    if (options->rule_count == 0) {
        return true;
    }
    bool *off = ARENA_ARRAY(&running->run->arena, bool, count);
    memset(off, true, count * sizeof *off);
    for (size_t i = 0; i < options->rule_count; i++) {
        bool any = false;
        for (size_t j = 0; j < count; j++) {
            if (fnmatch(options->rules[i], machine->rules.items[j].name, 0) == 0) {
                off[j] = false;
                any = true;
            }
        }
        if (!any) {
            return unmatched_rule(machine, options->rules[i], running->errors);
        }
    }
    running->run->report.rules_off = off;
    return true;
}

/* As many more connections as `jobs` asks for, and there is work for. */
static size_t helpers_wanted(const struct running *running)
{
    const struct settings *settings = &running->settings;
    int64_t most = settings->examples < settings->jobs ? settings->examples : settings->jobs;
    return most > 1 ? (size_t)most - 1 : 0;
}

/* A backend with the machine on it, or NULL with `errors`. */
static struct backend *open_backend(struct running *running,
                                    const struct pgfsm_run_options *options)
{
    struct arena arena = {0};
    struct diagnostics diagnostics = {.arena = &arena};
    struct error err = {0};
    struct pg_backend_options backend_options = {
        .apply = options->apply,
        .apply_count = options->apply_count,
        .in_place = options->in_place,
        .keep = options->keep,
        .statement_timeout_ms = running->settings.statement_timeout_ms,
        .clones = helpers_wanted(running),
        .coverage = options->measure,
    };
    struct backend *backend = pg_backend_new(running->database->target, &backend_options);
    if (!backend->ops->open(backend, running->machine, &diagnostics, &err)) {
        (void)errors_add_all(running->errors, &diagnostics);
        if (err.code != ERROR_NONE) {
            (void)errors_add(running->errors, &err);
        }
        backend->ops->close(backend);
        backend = NULL;
    }
    arena_free(&arena);
    return backend;
}

static void add_warning(struct running *running, const char *text)
{
    *VEC_PUSH(&running->run->arena, &running->warnings) = text;
}

static void copy_warnings(struct running *running, struct backend *backend)
{
    const char *const *warnings = backend->ops->warnings ? backend->ops->warnings(backend) : NULL;
    for (size_t i = 0; warnings && warnings[i]; i++) {
        add_warning(running, arena_strdup(&running->run->arena, warnings[i]));
    }
    add_warning(running, NULL);
}

/* What the machine's text shows: "a.yaml:5:10: …". */
static void add_machine_warnings(struct running *running)
{
    struct arena *arena = &running->run->arena;
    for (size_t i = 0; i < running->machine->warnings.count; i++) {
        const struct error *warning = &running->machine->warnings.items[i];
        struct strbuf text = {0};
        warning_place(warning, &text);
        strbuf_addf(&text, "%s; %s", warning->message, warning->hint);
        add_warning(running, arena_strdup(arena, strbuf_text(&text)));
        strbuf_free(&text);
    }
}

/* What earlier runs found; a file that can't be read is said and skipped. */
static void load_stored(struct running *running, const char *directory)
{
    struct stored_traces *out = &running->stored;
    struct arena *arena = &running->run->arena;
    struct error err = {0};
    if (!directory) {
        return;
    }
    if (!store_load(directory, running->machine, arena, out, &err)) {
        add_warning(running, arena_strdup(arena, err.message));
    }
    for (size_t i = 0; i < out->skipped.count; i++) {
        add_warning(running, arena_printf(arena, "%s; it is left out, and may be deleted",
                                          out->skipped.items[i].message));
    }
}

/* That it can't be kept is no reason to fail. */
static bool save_trace(struct running *running, struct failure *failure, struct error *err)
{
    struct stored_trace trace = {.identity = failure->identity,
                                 .seed = failure->seed,
                                 .example = failure->example,
                                 .trace = failure->trace};
    bool saved = failure->pinned || /* it is in the machine's file, which is run every time */
                 !running->options->store ||
                 store_save(running->options->store, running->machine, &trace, &running->run->arena,
                            &failure->kept, err);
    failure->kept = saved ? failure->kept : NULL;
    return saved;
}

static void write_down(struct running *running, struct failure *failure)
{
    struct error err = {0};
    if (!save_trace(running, failure, &err)) {
        add_warning(running, arena_printf(&running->run->arena, "the failing trace is not kept: %s",
                                          err.message));
    }
    if (running->scripts.path) {
        script_write(&running->scripts, failure);
    }
    failure->written = true;
}

/* As it was found it can at least be run again, should the rest never come. */
static void on_found(void *host, struct failure *failure, bool final)
{
    struct error ignored = {0};
    if (final) {
        write_down(host, failure);
    } else {
        (void)save_trace(host, failure, &ignored);
    }
}

static void write_down_all(struct running *running)
{
    struct run_result *result = &running->run->result;
    for (size_t i = 0; i < result->failures.count; i++) {
        if (!result->failures.items[i].written) {
            write_down(running, &result->failures.items[i]);
        }
    }
}

static bool is_kept(const struct run_result *result, const char *identity)
{
    for (size_t i = 0; i < result->failures.count; i++) {
        const struct failure *failure = &result->failures.items[i];
        if (failure->kept && strcmp(failure->identity, identity) == 0) {
            return true;
        }
    }
    return false;
}

/* What passes now; that its trace can't be removed is said. */
static void forget_stored(struct running *running, const char *directory)
{
    const struct stored_traces *stored = &running->stored;
    const struct run_result *result = &running->run->result;
    for (size_t i = 0; directory && i < stored->items.count; i++) {
        const char *identity = stored->items.items[i].identity;
        struct error err = {0};
        if (result->stored_passed && result->stored_passed[i] && !is_kept(result, identity) &&
            !store_remove(directory, running->machine, identity, &err)) {
            add_warning(running, arena_strdup(&running->run->arena, err.message));
        }
    }
}

/* Opens a backend on each copy that was made of the first one's database. */
static bool open_helpers(struct running *running, struct backend *backend)
{
    struct arena arena = {0};
    struct diagnostics diagnostics = {.arena = &arena};
    struct error err = {0};
    struct backend *helper;
    bool ok = true;
    while (ok && (helper = pg_backend_clone(backend))) {
        *VEC_PUSH(&running->run->arena, &running->helpers) = helper;
        ok = helper->ops->open(helper, running->machine, &diagnostics, &err);
    }
    if (!ok) {
        (void)errors_add_all(running->errors, &diagnostics);
        if (err.code != ERROR_NONE) {
            (void)errors_add(running->errors, &err);
        }
        /* without a code it was mistakes alone: what holds in the first database fails here */
        running->run->report.stopped = err.code == ERROR_NONE ? ERROR_MACHINE : err.code;
    }
    const char *why = pg_backend_no_clones(backend);
    if (why && helpers_wanted(running) > 0) {
        add_warning(running, arena_printf(&running->run->arena,
                                          "%zu of %" PRId64 " connections: there can't be more "
                                          "copies of the database: %s",
                                          running->helpers.count + 1, running->settings.jobs, why));
    }
    arena_free(&arena);
    return ok;
}

/* What the report says of the trace that was run again. */
static void note_replayed(struct running *running, bool went_on)
{
    struct pgfsm_run *run = running->run;
    const struct run_result *result = &run->result;
    const char *identity = running->stored.items.items[0].identity;
    run->report.replayed = arena_strdup(&run->arena, identity);
    if (!went_on || !result->stored_passed || !result->stored_passed[0]) {
        return;
    }
    if (result->failures.count) {
        add_warning(running, arena_printf(&run->arena, "it fails otherwise than it did: %s holds",
                                          run->report.replayed));
    } else if (result->stored_left_out[0]) {
        add_warning(running, arena_printf(&run->arena,
                                          "%zu of its steps can't run any more, and were left out",
                                          result->stored_left_out[0]));
    }
}

/* What all connections touched together. That it can't be told is said, and no reason to fail. */
static void cover(struct running *running, struct backend *backend)
{
    struct arena *arena = &running->run->arena;
    struct backend_coverage *coverage = ARENA_NEW(arena, struct backend_coverage);
    struct error err = {0};
    bool told = backend->ops->coverage && backend->ops->coverage(backend, arena, coverage, &err);
    for (size_t i = 0; told && i < running->helpers.count; i++) {
        struct backend *helper = running->helpers.items[i];
        told = helper->ops->coverage(helper, arena, coverage, &err);
    }
    if (told) {
        running->run->report.coverage = coverage;
    } else if (err.code != ERROR_NONE) {
        add_warning(running, arena_printf(arena, "no coverage: %s", err.message));
    }
}

/* False. */
static bool add_errors(struct running *running, const struct error *err)
{
    return running->mistakes.errors.count ? errors_add_all(running->errors, &running->mistakes)
                                          : errors_add(running->errors, err);
}

/* An example whose time is up ends by itself, but not while it waits for the server. */
static void set_deadline(struct running *running)
{
    int64_t max_ms = running->settings.max_time_ms;
    uint64_t deadline_us = database_now_us() + (uint64_t)max_ms * 1000 + GRACE_US;
    atomic_store(&running->database->deadline_us, max_ms > 0 ? deadline_us : 0);
}

static bool run_examples(struct running *running, struct backend *backend,
                         const struct pgfsm_run_options *options)
{
    const struct stored_traces *stored = &running->stored;
    load_stored(running, options->store);
    running->scripts = (struct script_folder){
        .machine = running->machine,
        .settings = &running->settings,
        .path = options->out,
        .apply = options->apply,
        .apply_count = options->apply_count,
        .in_place = (options->in_place || running->machine->schema.count == 0) &&
                    !pg_target_is_embedded(running->database->target),
        .arena = &running->run->arena,
    };
    const struct pgfsm_callbacks *callbacks = running->callbacks;
    struct error err = {0};
    struct run_options run_options = {
        .settings = running->settings,
        .mistakes = &running->mistakes,
        .no_pipeline = options->no_pipeline,
        .helpers = running->helpers.items,
        .helper_count = running->helpers.count,
        .shard = (uint64_t)options->shard,
        .shard_count = (uint64_t)options->shard_count,
        .stored = stored->items.items,
        .stored_count = stored->items.count,
        .stored_only = options->last_failed,
        .replay = options->trace != NULL,
        .record = options->out != NULL,
        .measure = options->measure,
        .rules_off = running->run->report.rules_off,
        .narrator = options->verbose > 0 && callbacks->tell ? &text_narrator : NULL,
        .tell_statements = options->verbose > 1,
        .callbacks = {.host = running,
                      .now_us = now_us,
                      .interrupted = callbacks->interrupted ? on_interrupted : NULL,
                      .deafen = on_deafen,
                      .found = on_found,
                      .progress = callbacks->progress ? on_progress : NULL,
                      .shortening = callbacks->progress ? on_shortening : NULL,
                      .print = callbacks->print ? on_print : NULL,
                      .tell = callbacks->tell ? on_tell : NULL},
    };
    struct pgfsm_run *run = running->run;
    set_deadline(running);
    bool went_on =
        run_machine(running->machine, backend, &run_options, &run->arena, &run->result, &err);
    atomic_store(&running->database->deadline_us, 0);
    run->report.stopped = went_on ? ERROR_NONE : err.code;
    forget_stored(running, options->store);
    write_down_all(running);
    if (options->trace) {
        note_replayed(running, went_on);
    }
    /* the server counts also what was sent before a failure was seen: more or less of it */
    if (went_on && options->measure && run->result.failures.count == 0) {
        cover(running, backend);
    }
    add_machine_warnings(running);
    copy_warnings(running, backend);
    run->report.warnings = running->warnings.items;
    return went_on || add_errors(running, &err);
}

static enum pgfsm_outcome outcome_of(const struct pgfsm_run *run)
{
    static const enum pgfsm_outcome outcomes[] = {
        [RUN_PASSED] = PGFSM_PASSED, [RUN_FAILED] = PGFSM_FAILED, [RUN_NOTHING] = PGFSM_NOTHING};
    enum pgfsm_outcome outcome = outcomes[run->result.outcome];
    return outcome == PGFSM_PASSED && run->report.unmet ? PGFSM_UNMET : outcome;
}

static const char *text_or_empty(const char *text) { return text ? text : ""; }

static struct pgfsm_failure public_failure(const struct failure *failure)
{
    struct pgfsm_failure out = {
        .identity = text_or_empty(failure->identity),
        .rule = failure->rule ? failure->rule->name : "",
        .invariant = failure->invariant ? failure->invariant->name : "",
        .sqlstate = failure->error.sqlstate,
        .message = text_or_empty(failure->error.message),
        .file = "",
        .example = failure->example,
        .step = failure->step,
        .flaky = failure->flaky,
        .leftover = failure->leftover,
        .script = text_or_empty(failure->script),
        .pinned = failure->pinned ? failure->pinned->name : "",
        .trace = text_or_empty(failure->kept),
    };
    if (failure->pos.source) {
        struct source_place place = source_place(failure->pos);
        out.file = failure->pos.source->name;
        out.line = place.line;
        out.column = place.column;
    }
    return out;
}

/* Fresh ones of a shard are its own. */
static uint64_t examples_planned(const struct running *running,
                                 const struct pgfsm_run_options *options)
{
    uint64_t others =
        running->stored.items.count + (options->trace ? 0 : running->machine->pinned.count);
    if (options->trace || options->last_failed) {
        return others;
    }
    int64_t all = running->settings.examples;
    int64_t count = options->shard_count > 0 ? options->shard_count : 1;
    return others + (uint64_t)(all > options->shard ? (all - options->shard - 1) / count + 1 : 0);
}

/* What callers read, from what the engine found. */
static void summarize(struct running *running, const struct pgfsm_run_options *options)
{
    struct pgfsm_run *run = running->run;
    const struct run_stats *stats = &run->result.stats;
    run->report.machine = running->machine;
    run->report.result = &run->result;
    run->report.max_time_ms = running->settings.max_time_ms;
    run->report.examples_planned = examples_planned(running, options);
    run->report.only_known =
        options->trace || options->last_failed || running->settings.examples == 0;
    run->report.unmet =
        (options->strict && report_never_ran(&run->report) > 0) || report_unmet(&run->report) > 0;
    run->summary = (struct pgfsm_summary){
        .outcome = outcome_of(run),
        .seed = run->result.seed,
        .examples = stats->examples,
        .examples_planned = run->report.examples_planned,
        .steps = stats->steps,
        .statements = stats->statements,
        .given_up = stats->given_up,
        .time_us = stats->time_us,
        .cut_short = run->result.cut_short,
        .failure_count = run->result.failures.count,
        .never_ran = report_never_ran(&run->report),
        .never_checked = report_never_checked(&run->report),
    };
    run->failures = ARENA_ARRAY(&run->arena, struct pgfsm_failure, run->result.failures.count);
    for (size_t i = 0; i < run->result.failures.count; i++) {
        run->failures[i] = public_failure(&run->result.failures.items[i]);
    }
}

static const struct pgfsm_run_options default_options = PGFSM_RUN_OPTIONS_INIT;
static const struct pgfsm_callbacks no_callbacks;

/* Reads the trace that is to be run again, and has everything be as it was then. */
static bool name_trace(struct running *running, struct pgfsm_run_options *options)
{
    struct stored_trace trace;
    if (!options->trace) {
        return true;
    }
    if (!trace_load(options->trace, running->machine, &running->arena, &trace, running->errors)) {
        return false;
    }
    *VEC_PUSH(&running->arena, &running->stored.items) = trace;
    running->settings.seed = trace.seed;
    running->settings.examples = 1;
    running->settings.max_time_ms = 0;
    running->settings.jobs = 1;
    options->store = NULL;
    options->out = NULL;
    options->shard_count = 0;
    return true;
}

static void run_on(struct running *running, struct backend *backend,
                   const struct pgfsm_run_options *options, bool *went_on)
{
    running->run->result =
        (struct run_result){.outcome = RUN_NOTHING, .seed = running->settings.seed};
    *went_on = open_helpers(running, backend) && run_examples(running, backend, options);
    summarize(running, options);
    backend->ops->leave(backend);
    for (size_t i = 0; i < running->helpers.count; i++) {
        running->helpers.items[i]->ops->leave(running->helpers.items[i]);
    }
    for (size_t i = 0; i < running->helpers.count; i++) {
        running->helpers.items[i]->ops->close(running->helpers.items[i]);
    }
}

bool pgfsm_run(struct pgfsm_run **out, const struct pgfsm_machine *machine,
               struct pgfsm_database *database, const struct pgfsm_run_options *options,
               const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors)
{
    struct running running = {.machine = machine->machine,
                              .callbacks = callbacks ? callbacks : &no_callbacks,
                              .database = database,
                              .errors = errors};
    struct pgfsm_run_options own = options ? *options : default_options;
    bool went_on = false;
    running.mistakes.arena = &running.arena;
    running.run = memory_alloc(sizeof *running.run);
    *running.run = (struct pgfsm_run){0};
    *out = NULL;
    running.options = &own;
    if (!resolve(running.machine, &own, &running.settings, errors) || !name_trace(&running, &own) ||
        !choose_rules(&running, &own)) {
        goto out;
    }
    database->callbacks = running.callbacks;
    struct backend *backend = open_backend(&running, &own);
    if (backend) {
        run_on(&running, backend, &own, &went_on);
        backend->ops->close(backend);
        /* a machine with mistakes has not run */
        *out = running.mistakes.errors.count ? NULL : running.run;
    }
    database->callbacks = NULL;
out:
    if (!*out) {
        pgfsm_run_free(running.run);
    }
    arena_free(&running.arena);
    return went_on;
}

void pgfsm_run_free(struct pgfsm_run *run)
{
    if (run) {
        arena_free(&run->arena);
        free(run);
    }
}

static bool check_set_up(struct running *running, struct backend *backend)
{
    struct error err = {0};
    running->mistakes.arena = &running->arena;
    const struct run_options options = {
        .settings = running->settings,
        .mistakes = &running->mistakes,
        .callbacks = {.host = running,
                      .now_us = now_us,
                      .interrupted = running->callbacks->interrupted ? on_interrupted : NULL},
    };
    return run_check(running->machine, backend, &options, &err) || add_errors(running, &err);
}

static void tell_prepared(const struct running *running, struct backend *backend)
{
    struct strbuf text = {0};
    struct strbuf shown = {0};
    if (!running->callbacks->prepared || !backend->ops->prepared) {
        return;
    }
    struct backend_prepared prepared = backend->ops->prepared(backend);
    for (size_t i = 0; i < prepared.left->errors.count; i++) {
        const struct error *left = &prepared.left->errors.items[i];
        if (left->pos.source) {
            warning_place(left, &text);
        }
        strbuf_addf(&text, "warning: not prepared: %s\n", left->message);
    }
    visible_add(&shown, VISIBLE_BLOCK, strbuf_text(&text), text.size);
    const struct pgfsm_prepared told = {prepared.statements, prepared.prepared,
                                        strbuf_text(&shown)};
    running->callbacks->prepared(running->callbacks->host, &told);
    strbuf_free(&text);
    strbuf_free(&shown);
}

bool pgfsm_check(const struct pgfsm_machine *machine, struct pgfsm_database *database,
                 const struct pgfsm_run_options *options, const struct pgfsm_callbacks *callbacks,
                 struct pgfsm_errors *errors)
{
    struct running running = {.machine = machine->machine,
                              .callbacks = callbacks ? callbacks : &no_callbacks,
                              .settings = machine->machine->settings,
                              .database = database,
                              .errors = errors};
    database->callbacks = callbacks;
    struct backend *backend = open_backend(&running, options ? options : &default_options);
    bool right = backend && check_set_up(&running, backend);
    if (right) {
        tell_prepared(&running, backend);
    }
    if (backend) {
        backend->ops->close(backend);
    }
    database->callbacks = NULL;
    arena_free(&running.arena);
    return right;
}

const struct pgfsm_summary *pgfsm_run_summary(const struct pgfsm_run *run) { return &run->summary; }

const struct pgfsm_failure *pgfsm_run_failure(const struct pgfsm_run *run, size_t index)
{
    return index < run->summary.failure_count ? &run->failures[index] : NULL;
}
