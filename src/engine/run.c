#include "engine/run.h"

#include "engine/attempt.h"
#include "engine/examine.h"
#include "engine/known.h"
#include "engine/mutate.h"
#include "engine/workers.h"

#include <string.h>

enum { PROGRESS_US = 100000 /* between two words on progress within an example */ };

bool engine_interrupted(const struct engine *engine, struct error *err)
{
    const struct run_callbacks *callbacks = &engine->options->callbacks;
    if (callbacks->interrupted && callbacks->interrupted(callbacks->host)) {
        (void)error_set(err, ERROR_INTERRUPTED, "interrupted");
        return true;
    }
    return false;
}

uint64_t engine_spent_us(const struct engine *engine)
{
    const struct run_callbacks *callbacks = &engine->options->callbacks;
    return callbacks->now_us(callbacks->host) - engine->started_us;
}

bool engine_time_is_up(const struct engine *engine)
{
    int64_t max_ms = engine->options->settings.max_time_ms;
    return max_ms > 0 && engine_spent_us(engine) >= (uint64_t)max_ms * 1000;
}

bool engine_stopped_by_time(const struct engine *engine, const struct error *err)
{
    struct error ignored = {0};
    return err->code == ERROR_INTERRUPTED && engine_time_is_up(engine) &&
           !engine_interrupted(engine, &ignored);
}

static void tell_progress(struct engine *engine, const struct run_stats *stats)
{
    const struct run_callbacks *callbacks = &engine->options->callbacks;
    engine->told_us = stats->time_us;
    if (callbacks->progress) {
        callbacks->progress(callbacks->host, stats, (uint64_t)engine->options->settings.examples);
    }
}

void engine_tell_progress(struct engine *engine, uint64_t steps)
{
    if (!engine->total) {
        return;
    }
    struct run_stats stats = *engine->total;
    stats.time_us = engine_spent_us(engine);
    stats.steps += steps;
    if (stats.time_us - engine->told_us >= PROGRESS_US) {
        tell_progress(engine, &stats);
    }
}

void engine_tell_shortening(struct engine *engine, uint64_t executions, size_t steps)
{
    const struct run_callbacks *callbacks = &engine->options->callbacks;
    uint64_t spent_us = engine_spent_us(engine);
    if (callbacks->shortening && spent_us - engine->told_us >= PROGRESS_US) {
        engine->told_us = spent_us;
        callbacks->shortening(callbacks->host, spent_us, executions, steps);
    }
}

void run_count(struct running *running, const struct run_stats *example)
{
    struct run_stats *stats = &running->result->stats;
    stats_merge(stats, running->engine.machine, example, running->engine.results);
    stats->time_us = engine_spent_us(&running->engine);
    tell_progress(&running->engine, stats);
}

static struct failure *keep_failure(struct running *running, const struct failure *failure)
{
    struct arena *arena = running->engine.results;
    struct failure *kept = VEC_PUSH(arena, &running->result->failures);
    *kept = *failure_copy(arena, failure);
    kept->seed = running->engine.options->settings.seed;
    return kept;
}

static void tell_found(const struct running *running, struct failure *failure, bool final)
{
    const struct run_callbacks *callbacks = &running->engine.options->callbacks;
    if (failure && callbacks->found) {
        callbacks->found(callbacks->host, failure, final);
    }
}

static bool is_found(const struct running *running, const struct failure *failure)
{
    for (size_t i = 0; i < running->result->failures.count; i++) {
        const struct failure *known = &running->result->failures.items[i];
        bool pinned_too = failure->pinned && failure->pinned != known->pinned;
        if (!pinned_too && strcmp(known->identity, failure->identity) == 0) {
            return true;
        }
    }
    return false;
}

/* The run is over; mostly, because the connection was lost. Where there is another one to be had, a
 * recording loses that, too; what goes wrong with it is of no interest. */
static void keep_lost(struct running *running, struct engine *engine, const struct failure *failure,
                      const struct error *err)
{
    struct error ignored = {0};
    struct failure *kept = keep_failure(running, failure);
    tell_found(running, kept, false);
    if (kept->kind == FAILURE_CONNECTION) {
        (void)failure_record(engine, running->engine.results, kept, &ignored);
    } else if (err->code == ERROR_INTERRUPTED) {
        failure_write_down(engine, running->engine.results, kept, err);
    }
}

static bool examine_failure(const struct running *running, struct engine *engine,
                            struct failure *failure, struct error *err)
{
    tell_found(running, failure, false);
    if (!failure_examine(engine, engine->results, failure, err)) {
        return false;
    }
    tell_found(running, failure, true);
    return true;
}

/* Counts what a plan gave (`stopped`: why it could not go on, or NULL). Gives the failure, where it
 * failed as nothing did before; else NULL. */
static struct failure *take_over(struct running *running, struct engine *engine,
                                 const struct example_result *result, const struct error *stopped)
{
    const struct failure *failure = result->failure;
    run_count(running, result->stats);
    if (!failure) {
        return NULL;
    }
    bool lost = stopped && failure->kind == FAILURE_CONNECTION;
    if (!lost && (known_note(running->result, engine, failure) || is_found(running, failure))) {
        return NULL;
    }
    if (stopped) {
        keep_lost(running, engine, failure, stopped);
        return NULL;
    }
    return keep_failure(running, failure);
}

static bool run_pinned(struct running *running, struct error *err)
{
    const struct machine *machine = running->engine.machine;
    struct run_result *found = running->result;
    found->pinned_ran = ARENA_ARRAY(running->engine.results, bool, machine->pinned.count);
    found->pinned_failed = ARENA_ARRAY(running->engine.results, bool, machine->pinned.count);
    for (size_t i = 0; i < machine->pinned.count; i++) {
        struct example_plan plan = {.pinned = &machine->pinned.items[i],
                                    .pinned_steps = machine->pinned.items[i].steps.count};
        struct example_result result;
        if (engine_time_is_up(&running->engine)) {
            running->result->cut_short = true;
            return true;
        }
        bool ok = run_surely(&running->engine, &plan, &result, err);
        struct failure *failure = take_over(running, &running->engine, &result, ok ? NULL : err);
        found->pinned_ran[i] = ok;
        found->pinned_failed[i] = found->pinned_failed[i] || known_seen(machine, result.stats);
        if (!ok ||
            (failure && !pinned_examine(&running->engine, running->engine.results, failure, err))) {
            return false;
        }
        tell_found(running, failure, true);
    }
    return true;
}

bool run_take_over(struct running *running, struct engine *engine,
                   const struct example_result *result, bool ok, struct error *err)
{
    running->result->cut_short = running->result->cut_short || engine->cut;
    struct failure *failure = take_over(running, engine, result, ok ? NULL : err);
    return ok && (!failure || examine_failure(running, engine, failure, err));
}

/* What failed first may hide what failed in the earlier run: that alone. */
static void narrow(const struct machine *machine, const char *identity, struct example_plan *plan)
{
    static const char prefix[] = "invariant ";
    plan->scope = SCOPE_NONE;
    for (size_t i = 0; i < machine->invariants.count; i++) {
        const struct invariant *invariant = &machine->invariants.items[i];
        if (strncmp(identity, prefix, sizeof prefix - 1) == 0 &&
            strcmp(identity + sizeof prefix - 1, invariant->name) == 0) {
            plan->scope = SCOPE_ONE;
            plan->only = invariant;
        }
    }
}

enum replayed { REPLAYED_PASSED, REPLAYED_FAILED, REPLAYED_OTHERWISE };

static bool replay_stored(struct running *running, const struct example_plan *plan,
                          const struct stored_trace *stored, enum replayed *out, struct error *err)
{
    struct example_result result;
    bool ok = run_surely(&running->engine, plan, &result, err);
    struct failure *failure = take_over(running, &running->engine, &result, ok ? NULL : err);
    if (!ok) {
        return false;
    }
    const struct failure *shown = running->engine.example.failure;
    *out = !shown                                           ? REPLAYED_PASSED
           : strcmp(shown->identity, stored->identity) == 0 ? REPLAYED_FAILED
                                                            : REPLAYED_OTHERWISE;
    if (failure) {
        failure->stored = true;
        failure->example = stored->example;
        failure->seed = stored->seed;
    }
    return !failure || running->engine.options->replay ||
           examine_failure(running, &running->engine, failure, err);
}

/* Steps that are no initialize steps. */
static size_t steps_of(const struct trace *trace)
{
    size_t count = 0;
    for (size_t i = 0; i < trace->steps.count; i++) {
        count += !trace->steps.items[i].initialize;
    }
    return count;
}

/* A trace that failed in an earlier run. */
static bool run_stored(struct running *running, size_t index, struct error *err)
{
    const struct stored_trace *stored = &running->engine.options->stored[index];
    struct example_plan plan = {.trace = &stored->trace, .number = stored->example};
    enum replayed replayed;
    if (!replay_stored(running, &plan, stored, &replayed, err)) {
        return false;
    }
    if (replayed == REPLAYED_OTHERWISE) {
        narrow(running->engine.machine, stored->identity, &plan);
        if (!replay_stored(running, &plan, stored, &replayed, err)) {
            return false;
        }
    }
    running->result->stored_passed[index] = replayed != REPLAYED_FAILED;
    if (replayed == REPLAYED_PASSED) {
        running->result->stored_left_out[index] =
            steps_of(&stored->trace) - steps_of(&running->engine.example.trace);
    }
    return true;
}

static bool run_all_stored(struct running *running, struct error *err)
{
    const struct run_options *options = running->engine.options;
    running->result->stored_passed =
        ARENA_ARRAY(running->engine.results, bool, options->stored_count);
    running->result->stored_left_out =
        ARENA_ARRAY(running->engine.results, size_t, options->stored_count);
    for (size_t i = 0; i < options->stored_count; i++) {
        if (engine_time_is_up(&running->engine)) {
            running->result->cut_short = true;
            return true;
        }
        if (!run_stored(running, i, err)) {
            return false;
        }
    }
    return true;
}

static bool run(struct running *running, struct error *err)
{
    const struct failure *failure = NULL;
    if (!engine_setup(&running->engine, &failure, err)) {
        return false;
    }
    if (failure) {
        struct engine *engine = &running->engine;
        return failure_record(engine, engine->results, keep_failure(running, failure), err);
    }
    if (!engine_prepare(&running->engine, running->engine.options->mistakes, err)) {
        return false;
    }
    if (running->engine.options->replay) {
        return run_all_stored(running, err);
    }
    return run_pinned(running, err) && run_all_stored(running, err) &&
           (running->engine.options->stored_only || workers_run(running, err));
}

/* Examples without a step show nothing of a machine whose rules were to run; a stored one whose
 * steps can't run any more is reported as such. */
static bool ran_nothing(const struct running *running)
{
    const struct run_stats *stats = &running->result->stats;
    const struct run_options *options = running->engine.options;
    bool wanted = running->engine.machine->rules.count && options->settings.steps > 0 &&
                  options->settings.examples > 0 && !options->replay && !options->stored_only;
    return stats->examples == 0 || (wanted && stats->steps == 0);
}

/* Whether all that the machine plans was run: only then does it say something that a known failure
 * was not seen. */
static bool ran_whole(const struct running *running)
{
    const struct run_options *options = running->engine.options;
    const struct run_result *result = running->result;
    return !result->cut_short && !result->failures.count && options->settings.examples > 0 &&
           !options->replay && !options->stored_only && !options->shard_count &&
           !options->rules_off;
}

static bool is_outdated(const struct run_result *result)
{
    bool outdated = false;
    for (size_t i = 0; i < result->known.count; i++) {
        outdated = outdated || result->known.items[i].verdict == KNOWN_PASSES;
    }
    return outdated;
}

static void finish(struct running *running, const struct error *err, bool ok)
{
    struct run_result *result = running->result;
    result->stats.time_us = engine_spent_us(&running->engine);
    result->cut_short =
        result->cut_short || running->engine.cut || (!ok && err->code == ERROR_INTERRUPTED);
    known_judge(result, running->engine.machine, ok && ran_whole(running), running->engine.results);
    if (result->failures.count || is_outdated(result)) {
        result->outcome = RUN_FAILED;
    } else {
        result->outcome = ran_nothing(running) ? RUN_NOTHING : RUN_PASSED;
    }
}

void engine_init(struct engine *engine, const struct machine *machine, struct backend *backend,
                 const struct run_options *options, struct arena *results)
{
    *engine = (struct engine){
        .machine = machine,
        .backend = backend,
        .options = options,
        .ahead = engine_runs_ahead(options),
        .results = results,
        .print = options->callbacks.print,
        .tell = options->narrator ? options->callbacks.tell : NULL,
        .print_host = options->callbacks.host,
        .started_us = options->callbacks.now_us(options->callbacks.host),
    };
    facts_of(machine, &engine->arena, &engine->facts);
    engine->ancestry = ancestry_new(&engine->arena);
    engine_pool(engine);
}

void engine_free(struct engine *engine)
{
    ancestry_free(engine->ancestry);
    arena_free(&engine->arena);
    arena_free(&engine->saving);
    strbuf_free(&engine->text);
    strbuf_free(&engine->telling);
    prefix_free(&engine->prefix);
    arena_free(&engine->example.arena);
    arena_free(&engine->example.flying);
    watch_free(&engine->watch);
}

bool run_check(const struct machine *machine, struct backend *backend,
               const struct run_options *options, struct error *err)
{
    struct arena arena = {0};
    struct engine engine;
    const struct failure *failure = NULL;
    engine_init(&engine, machine, backend, options, &arena);
    bool ok = engine_setup(&engine, &failure, err) &&
              (failure || engine_prepare(&engine, options->mistakes, err));
    engine_free(&engine);
    arena_free(&arena);
    return ok;
}

bool engine_runs_ahead(const struct run_options *options)
{
    return !options->no_pipeline && options->settings.deadline_ms == 0 && !options->narrator;
}

bool run_machine(const struct machine *machine, struct backend *backend,
                 const struct run_options *options, struct arena *arena, struct run_result *result,
                 struct error *err)
{
    struct running running = {.result = result};
    *result = (struct run_result){.seed = options->settings.seed};
    stats_begin(&result->stats, machine, options, arena);
    engine_init(&running.engine, machine, backend, options, arena);
    result->ahead = running.engine.ahead;
    running.engine.total = &result->stats;
    bool ok = run(&running, err);
    finish(&running, err, ok);
    if (!ok && engine_stopped_by_time(&running.engine, err)) {
        *err = (struct error){0};
        ok = true;
    }
    engine_free(&running.engine);
    return ok;
}
