#include "engine/shorten.h"

#include "engine/attempt.h"
#include "shrink/shrink.h"

struct shortening_host {
    struct engine *engine;
    const struct failure *wanted;
    bool all; /* check all invariants: with the failing one alone it does not fail */
    uint64_t started_us;
};

static uint64_t spent_us(const struct shortening_host *host)
{
    const struct run_callbacks *callbacks = &host->engine->options->callbacks;
    return callbacks->now_us(callbacks->host) - host->started_us;
}

static bool try_trace(const struct shortening_host *host, const struct trace *trace,
                      struct attempt *out, struct error *err)
{
    return host->all ? attempt_all(host->engine, trace, host->wanted, out, err)
                     : attempt_only(host->engine, trace, host->wanted, out, err);
}

static bool attempt(void *context, const struct trace *candidate, struct arena *arena,
                    struct shrink_attempt *out, struct error *err)
{
    (void)arena; /* the trace lives until the next attempt: long enough */
    struct attempt attempt;
    if (!try_trace(context, candidate, &attempt, err)) {
        return false;
    }
    *out = (struct shrink_attempt){attempt.outcome == OUTCOME_FAIL, attempt.trace};
    return true;
}

static bool expired(void *context)
{
    const struct shortening_host *host = context;
    int64_t limit_ms = host->engine->options->settings.shrink_time_ms;
    return engine_time_is_up(host->engine) ||
           (limit_ms > 0 && spent_us(host) >= (uint64_t)limit_ms * 1000);
}

/* Whether the failing invariant alone shows the failure: a query of another one may be part of it.
 */
static bool choose_scope(struct shortening_host *host, struct error *err)
{
    struct attempt attempt;
    if (!try_trace(host, &host->wanted->trace, &attempt, err)) {
        return false;
    }
    host->all = attempt.outcome != OUTCOME_FAIL;
    return true;
}

/* Whether what failed is not checked after every step. */
static bool is_checked_late(const struct engine *engine, const struct failure *failure)
{
    const struct invariant *invariant = failure->invariant;
    return invariant ? invariant->when == WHEN_END || invariant->every > 1
                     : engine->options->settings.check_deferred == CHECK_DEFERRED_END &&
                           failure->kind != FAILURE_EXPECT && failure->kind != FAILURE_CHECK;
}

/* Runs the shortest trace once more and takes over what it shows. */
static bool adopt(struct shortening_host *host, const struct trace *trace, struct arena *arena,
                  struct failure *failure, struct error *err)
{
    struct attempt attempt;
    if (!try_trace(host, trace, &attempt, err)) {
        return false;
    }
    if (attempt.outcome == OUTCOME_FAIL) {
        struct failure *shortest = failure_copy(arena, attempt.failure);
        shortest->example = failure->example;
        shortest->seed = failure->seed;
        shortest->stored = failure->stored;
        shortest->example_steps = failure->example_steps;
        shortest->shortening = failure->shortening;
        *failure = *shortest;
    }
    return true;
}

bool failure_shorten(struct engine *engine, struct arena *arena, struct failure *failure,
                     struct error *err)
{
    const struct settings *settings = &engine->options->settings;
    const struct run_callbacks *callbacks = &engine->options->callbacks;
    struct shortening_host host = {
        .engine = engine, .wanted = failure, .started_us = callbacks->now_us(callbacks->host)};
    struct shrink_target target = {.host = &host,
                                   .attempt = attempt,
                                   .expired = expired,
                                   .rule_count = engine->machine->rules.count,
                                   .at_end = is_checked_late(engine, failure)};
    struct arena scratch = {0};
    struct trace shortest;
    struct shrink_stats stats = {0};
    bool ok = settings->shrink_executions > 0 && choose_scope(&host, err) &&
              shrink_trace(&target, &failure->trace, (uint64_t)settings->shrink_executions,
                           &scratch, &shortest, &stats, err);
    if (ok) {
        failure->shortening = (struct shortening){
            .executions = stats.attempts, .time_us = spent_us(&host), .cut_short = stats.cut_short};
        ok = adopt(&host, &shortest, arena, failure, err);
    }
    arena_free(&scratch);
    return ok || settings->shrink_executions <= 0;
}
