#include "run/run.h"

#include "example/setup/setup.h"
#include "run/findings.h"
#include "run/known.h"
#include "run/passing.h"
#include "run/retry.h"
#include "run/workers.h"

#include <assert.h>
#include <string.h>

static bool run_pinned(struct findings *findings, struct error *err)
{
    const struct machine *machine = findings->engine->machine;
    struct engine *engine = findings->engine;
    struct run_result *found = findings->result;
    found->pinned_ran = ARENA_ARRAY(findings->arena, bool, machine->pinned.count);
    found->pinned_failed = ARENA_ARRAY(findings->arena, bool, machine->pinned.count);
    for (size_t i = 0; i < machine->pinned.count; i++) {
        struct example_plan plan = {.observer = engine->options.observer,
                                    .pinned = &machine->pinned.items[i],
                                    .pinned_steps = machine->pinned.items[i].steps.count};
        struct example_result result;
        if (clock_is_up(&engine->options.clock)) {
            found->cut_short = true;
            return true;
        }
        bool ok = run_with_retry(engine, &plan, &result, err);
        found->pinned_failed[i] = known_seen(machine, result.stats) ||
                                  (result.failure && known_has(engine, result.failure));
        struct failure *failure = findings_take(findings, engine, &result, ok ? NULL : err);
        found->pinned_ran[i] = ok;
        if (!ok || (failure && !findings_examine(findings, engine, failure, err))) {
            return false;
        }
    }
    return true;
}

/* The first failure may hide the failure of the earlier run, so check only the latter. */
static void narrow_plan(const struct machine *machine, const char *identity,
                        struct example_plan *plan)
{
    struct arena scratch = {0};
    plan->scope = SCOPE_NONE;
    for (size_t i = 0; i < machine->invariants.count; i++) {
        const struct invariant *invariant = &machine->invariants.items[i];
        const struct failure_id id = {.kind = FAILURE_INVARIANT,
                                      .who =
                                          arena_printf(&scratch, "invariant %s", invariant->name)};
        if (strcmp(identity, failure_id_text(&scratch, &id)) == 0) {
            plan->scope = SCOPE_ONE;
            plan->only = invariant;
        }
    }
    arena_free(&scratch);
}

enum replayed { REPLAYED_PASSED, REPLAYED_FAILED, REPLAYED_OTHERWISE };
struct replay_result {
    enum replayed replayed;
    size_t left_out; /* steps of the trace that could not run */
};

static bool replay_stored(struct findings *findings, const struct example_plan *plan,
                          const struct stored_trace *stored, struct replay_result *out,
                          struct error *err)
{
    struct example_result result;
    bool ok = run_with_retry(findings->engine, plan, &result, err);
    struct failure *failure = findings_take(findings, findings->engine, &result, ok ? NULL : err);
    if (!ok) {
        return false;
    }
    const struct failure *shown = findings->engine->example.failure;
    size_t count = findings->result->failures.count;
    out->replayed = !shown                                           ? REPLAYED_PASSED
                    : strcmp(shown->identity, stored->identity) == 0 ? REPLAYED_FAILED
                                                                     : REPLAYED_OTHERWISE;
    out->left_out = trace_length(&stored->trace) - trace_length(&result.trace);
    if (failure) {
        failure->stored = true;
        failure->example = stored->example;
        failure->seed = stored->seed;
    }
    ok = !failure || (findings->options->finding == FIND_TELL
                          ? findings_tell(findings, findings->engine, failure, err)
                          : findings_examine(findings, findings->engine, failure, err));
    if (findings->result->failures.count < count) {
        out->replayed = REPLAYED_PASSED;
    }
    return ok;
}

/* Runs a trace that failed in an earlier run. */
static bool run_stored(struct findings *findings, size_t index, struct error *err)
{
    assert(index < findings->options->stored_count);
    const struct stored_trace *stored = &findings->options->stored[index];
    struct example_plan plan = {.trace = &stored->trace,
                                .number = stored->example,
                                .named = findings->options->finding == FIND_TELL,
                                .observer = findings->engine->options.observer};
    struct replay_result replay;
    if (!replay_stored(findings, &plan, stored, &replay, err)) {
        return false;
    }
    if (replay.replayed == REPLAYED_OTHERWISE) {
        narrow_plan(findings->engine->machine, stored->identity, &plan);
        if (!replay_stored(findings, &plan, stored, &replay, err)) {
            return false;
        }
    }
    findings->result->stored_passed[index] = replay.replayed != REPLAYED_FAILED;
    if (replay.replayed == REPLAYED_PASSED) {
        findings->result->stored_left_out[index] = replay.left_out;
    }
    return true;
}

static bool run_all_stored(struct findings *findings, struct error *err)
{
    const struct run_options *options = findings->options;
    findings->result->stored_passed = ARENA_ARRAY(findings->arena, bool, options->stored_count);
    findings->result->stored_left_out = ARENA_ARRAY(findings->arena, size_t, options->stored_count);
    for (size_t i = 0; i < options->stored_count; i++) {
        if (clock_is_up(&findings->engine->options.clock)) {
            findings->result->cut_short = true;
            return true;
        }
        if (!run_stored(findings, i, err)) {
            return false;
        }
    }
    return true;
}

static void drop_text(void *host, const char *text, size_t size)
{
    (void)host;
    (void)text;
    (void)size;
}

static void begin_merging(const struct findings *findings)
{
    const struct run_callbacks *callbacks = &findings->options->callbacks;
    if (callbacks->merges) {
        callbacks->merges(callbacks->host);
    }
}

/* Where the time was up while a statement ran (`err`), what is known by then is merged on a new
 * connection. False: this or anything else ends the run. */
static bool end_part(const struct findings *findings, struct error *err)
{
    const struct failure *failure = NULL;
    struct error ignored = {0};
    if (!clock_stopped(&findings->engine->options.clock, err)) {
        return false;
    }
    begin_merging(findings);
    if (!engine_reconnect(findings->engine, NULL, &failure, &ignored) || failure) {
        return false;
    }
    *err = ignored;
    return true;
}

/* Runs the chunks that this process gets, only to know which of their examples fail. What they
 * print comes when they count. */
static bool run_part(struct findings *findings, struct error *err)
{
    struct engine *engine = findings->engine;
    struct run_result *result = findings->result;
    struct run_options options = *findings->options;
    struct run_result part = {.failures = {0}, .seed = result->seed};
    struct findings own = {engine, &options, findings->arena, &part};
    part.failures.items = result->failures.items;
    part.failures.count = part.failures.capacity = result->failures.count;
    stats_begin(&part.stats, engine->machine, options.settings.steps, engine->options.measure,
                findings->arena);
    options.finding = FIND_COUNT;
    options.open_passing = 0;
    options.callbacks.reported = NULL;
    options.callbacks.print = drop_text;
    options.callbacks.tell = drop_text;
    options.callbacks.found = NULL; /* `part` is not what the host knows */
    if (options.callbacks.splits) {
        options.callbacks.splits(options.callbacks.host);
    }
    bool ok = workers_run(&own, err) || end_part(findings, err);
    if (!ok) { /* a lost connection is a failure, too */
        stats_merge(&result->stats, engine->machine, &part.stats, findings->arena);
        result->failed += part.failed;
        findings_add(findings, &part);
        return false;
    }
    engine->options.clock.max_ms = 0; /* it limits the parts */
    engine->cut = false;
    begin_merging(findings);
    return true;
}

static bool run_fresh(struct findings *findings, struct error *err)
{
    return (!findings->options->callbacks.take || run_part(findings, err)) &&
           workers_run(findings, err);
}

static bool run_all(struct findings *findings, struct error *err)
{
    const struct failure *failure = NULL;
    if (!engine_setup(findings->engine, NULL, &failure, err)) {
        return false;
    }
    if (failure) {
        return findings_record(findings, findings->engine, findings_keep(findings, failure), err);
    }
    if (!engine_prepare(findings->engine, findings->options->mistakes, err)) {
        return false;
    }
    enum run_scope scope = findings->options->scope;
    bool pinned = scope == RUN_ALL || scope == RUN_KEPT;
    bool fresh = scope == RUN_ALL || scope == RUN_FRESH;
    return (!pinned || run_pinned(findings, err)) &&
           (scope == RUN_FRESH || run_all_stored(findings, err)) &&
           (!fresh || run_fresh(findings, err)) && findings_settle(findings, err);
}

/* True if no example had a step, although rules should have run. A stored trace whose steps can't
 * run any more is reported separately. */
static bool ran_nothing(const struct findings *findings)
{
    const struct run_stats *stats = &findings->result->stats;
    const struct run_options *options = findings->options;
    if (run_shard_is_idle(options)) {
        return false;
    }
    bool wanted = findings->engine->machine->rules.count && options->settings.steps > 0 &&
                  options->settings.examples > 0 &&
                  (options->scope == RUN_ALL || options->scope == RUN_FRESH);
    return stats->examples == 0 || (wanted && stats->steps == 0);
}

/* True if everything planned has run. Only then is the absence of a known failure, or of a
 * difference that is accepted, meaningful. */
static bool ran_whole(const struct findings *findings)
{
    const struct run_options *options = findings->options;
    const struct run_result *result = findings->result;
    return !result->cut_short && !result->failures.count && options->settings.examples > 0 &&
           options->scope == RUN_ALL && !options->shard_count && !options->rules_off &&
           !options->invariants_off;
}

static bool is_outdated(const struct run_result *result)
{
    bool outdated = false;
    for (size_t i = 0; i < result->known.count; i++) {
        outdated = outdated || result->known.items[i].verdict == KNOWN_PASSES;
    }
    return outdated;
}

static void finish_run(struct findings *findings, const struct error *err, bool ok)
{
    struct run_result *result = findings->result;
    result->stats.time_us = clock_spent_us(&findings->engine->options.clock);
    result->cut_short =
        result->cut_short || findings->engine->cut || (!ok && err->code == ERROR_INTERRUPTED);
    result->whole = ok && ran_whole(findings);
    known_judge(result, findings->engine->machine, result->whole, findings->arena);
    if (result->failures.count || result->unconfirmed.count || is_outdated(result)) {
        result->outcome = RUN_FAILED;
    } else {
        result->outcome = ran_nothing(findings) ? RUN_NOTHING : RUN_PASSED;
    }
}

bool run_check(const struct machine *machine, struct backend *backend,
               const struct run_options *options, struct error *err)
{
    const struct engine_options how = run_engine_options(options);
    struct engine engine;
    const struct failure *failure = NULL;
    engine_init(&engine, machine, backend, &how);
    bool ok = engine_setup(&engine, NULL, &failure, err) &&
              (failure || engine_prepare(&engine, options->mistakes, err));
    engine_free(&engine);
    return ok;
}

/* After a failure, the server may be unable to answer. */
static void explain_asked(struct findings *findings)
{
    struct run_result *result = findings->result;
    struct error err = {0};
    if (!result->failures.count &&
        !again_explain(findings->engine, findings->arena, &result->asked, &err)) {
        result->asked = (struct again_reasons){0};
    }
}

static void on_step(void *host, uint64_t steps) { findings_tell_progress(host, steps); }

bool run_machine(const struct machine *machine, struct backend *backend,
                 const struct run_options *options, struct arena *arena, struct run_result *result,
                 struct error *err)
{
    assert(options->settings.has_seed);
    assert(options->shard_count == 0 || options->shard < options->shard_count);
    assert(options->stored != NULL || options->stored_count == 0);
    struct engine engine;
    struct findings findings = {&engine, options, arena, result};
    struct engine_options how = run_engine_options(options);
    how.step = on_step;
    how.step_host = &findings;
    *result = (struct run_result){.seed = options->settings.seed, .ahead = how.ahead};
    stats_begin(&result->stats, machine, options->settings.steps, how.measure, arena);
    stats_pair(&result->stats, machine, arena);
    if (how.tally) {
        stats_tally(&result->stats, machine, arena);
    }
    engine_init(&engine, machine, backend, &how);
    if (options->narrator && options->callbacks.tell) {
        engine.options.observer = options->narrator(
            &engine.arena, (struct teller){options->callbacks.host, options->callbacks.tell,
                                           options->tell_statements});
    }
    bool ok = run_all(&findings, err);
    if (!ok) {
        result->passing.count = 0; /* they are told at the end alone */
    }
    ok = ok && passing_tell(&findings, err);
    if (ok && options->measure) {
        explain_asked(&findings);
    }
    finish_run(&findings, err, ok);
    if (engine.refused) {
        result->refused = arena_strdup(arena, err->message);
    }
    if (!ok && (engine.refused || clock_stopped(&engine.options.clock, err))) {
        *err = (struct error){0};
        ok = true;
    }
    engine_free(&engine);
    return ok;
}
