#include "run/findings.h"

#include "examine/examine.h"
#include "example/divergence.h"
#include "run/known.h"

#include <assert.h>
#include <string.h>

static void tell_progress(const struct findings *findings, const struct run_stats *stats)
{
    const struct run_callbacks *callbacks = &findings->options->callbacks;
    findings->engine->options.clock.told_us = stats->time_us;
    if (callbacks->progress) {
        callbacks->progress(callbacks->host, stats, (uint64_t)findings->options->settings.examples);
    }
}

void findings_count(struct findings *findings, const struct run_stats *example)
{
    struct run_stats *stats = &findings->result->stats;
    stats_merge(stats, findings->engine->machine, example, findings->arena);
    stats->time_us = clock_spent_us(&findings->engine->options.clock);
    tell_progress(findings, stats);
}

void findings_tell_progress(struct findings *findings, uint64_t steps)
{
    struct run_stats stats = findings->result->stats;
    if (clock_wants_word(&findings->engine->options.clock, &stats.time_us)) {
        stats.steps += steps;
        tell_progress(findings, &stats);
    }
}

bool findings_is_past(const struct failure *failure)
{
    return failure->divergence && divergence_shows_always(failure->divergence);
}

struct failure *findings_keep(struct findings *findings, const struct failure *failure)
{
    struct failure *kept = VEC_PUSH(findings->arena, &findings->result->failures);
    *kept = *failure_copy(findings->arena, failure);
    kept->seed = findings->options->settings.seed;
    return kept;
}

static void tell_found(const struct findings *findings, const struct failure *failure, bool final)
{
    const struct run_callbacks *callbacks = &findings->options->callbacks;
    if (callbacks->found) {
        callbacks->found(callbacks->host, failure, final);
    }
}

void findings_add(struct findings *findings, const struct run_result *more)
{
    struct run_result *result = findings->result;
    for (size_t i = result->failures.count; i < more->failures.count; i++) {
        struct failure *added = VEC_PUSH(findings->arena, &result->failures);
        *added = more->failures.items[i];
        tell_found(findings, added, false);
    }
}

static bool is_found(const struct findings *findings, const struct failure *failure)
{
    for (size_t i = 0; i < findings->result->failures.count; i++) {
        const struct failure *known = &findings->result->failures.items[i];
        bool pinned_too = failure->pinned && failure->pinned != known->pinned;
        if (!pinned_too && failure_id_equal(&known->id, &failure->id)) {
            return true;
        }
    }
    return false;
}

static void begin_examiner(struct examiner *examiner, const struct findings *findings,
                           struct engine *engine)
{
    const struct examine_options options = run_examine_options(findings->options);
    examiner_init(examiner, engine, findings->arena, &options);
}

/* The run is over, usually because it lost the connection. If we can reconnect, records the failure
 * once more, and ignores errors. */
static void keep_lost(struct findings *findings, struct engine *engine,
                      const struct failure *failure, const struct error *err)
{
    struct examiner examiner;
    struct error ignored = {0};
    struct failure *kept = findings_keep(findings, failure);
    begin_examiner(&examiner, findings, engine);
    tell_found(findings, kept, false);
    if (kept->kind == FAILURE_CONNECTION) {
        (void)failure_record(&examiner, kept, &ignored);
    } else if (err->code == ERROR_INTERRUPTED) {
        failure_write_down(&examiner, kept, err);
    }
}

struct failure *findings_take(struct findings *findings, struct engine *engine,
                              const struct example_result *result, const struct error *stopped)
{
    assert(!stopped || stopped->code != ERROR_NONE);
    const struct failure *failure = result->failure;
    findings_count(findings, result->stats);
    if (!failure) {
        return NULL;
    }
    bool lost = stopped && failure->kind == FAILURE_CONNECTION;
    if (known_has(engine, failure)) {
        return NULL;
    }
    findings->result->failed++;
    if (!stopped && findings->options->finding == FIND_COUNT) {
        return NULL;
    }
    if (!lost && is_found(findings, failure)) {
        return NULL;
    }
    if (stopped) {
        keep_lost(findings, engine, failure, stopped);
        return NULL;
    }
    return findings_keep(findings, failure);
}

static void drop(const struct findings *findings, struct failure *failure)
{
    const struct run_callbacks *callbacks = &findings->options->callbacks;
    struct run_result *result = findings->result;
    size_t behind = result->failures.count - (size_t)(failure - result->failures.items) - 1;
    if (callbacks->dropped) {
        callbacks->dropped(callbacks->host, failure);
    }
    memmove(failure, failure + 1, behind * sizeof *failure);
    result->failures.count--;
    result->failed = result->failures.count ? result->failed - 1 : 0;
}

/* What every use of something shows would hide all else. */
static void look_past(const struct engine *engine, const struct failure *failure)
{
    if (findings_is_past(failure) && !failure->flaky) {
        engine->backend->ops->look_past(engine->backend, failure->divergence);
    }
}

/* What differed elsewhere while a failure was shrunk, after fewer steps: it may be the same cause,
 * and shows it more clearly. */
static bool examine_stray(struct findings *findings, struct examiner *examiner,
                          const struct failure *shrunk, struct error *err)
{
    struct run_result *result = findings->result;
    const struct failure *stray = examiner->stray;
    size_t most = findings->options->max_failures;
    uint64_t failed = result->failed;
    struct rerun again;
    if (!stray || trace_length(&stray->trace) >= trace_length(&shrunk->trace) ||
        (most && result->failures.count >= most) || is_found(findings, stray)) {
        return true;
    }
    if (known_has(examiner->engine, stray)) {
        known_count(&result->stats, examiner->engine, stray);
        return true;
    }
    if (!rerun_trace(examiner, &stray->trace, stray, (struct rerun_way){0}, &again, err)) {
        return false;
    }
    bool ok = again.outcome != OUTCOME_FAIL ||
              findings_examine(findings, examiner->engine, findings_keep(findings, stray), err);
    result->failed = failed; /* it is no example of its own */
    return ok;
}

/* Whose failure it is. A pinned one is in a file that every process has. What two databases answer
 * differently is examined by every process: the examples after it look past it, so it can't wait,
 * and what is found while it is shrunk decides what comes next. */
static struct claimed claim(const struct findings *findings, const struct failure *failure,
                            bool wait, bool stale)
{
    const struct run_callbacks *callbacks = &findings->options->callbacks;
    struct claimed claimed = {.how = CLAIM_MINE};
    if (callbacks->claim && !failure->pinned) {
        callbacks->claim(callbacks->host, failure, wait, stale, &claimed);
    }
    return findings->options->differs ? (struct claimed){.how = CLAIM_MINE} : claimed;
}

/* Another process examines it. What is known of it is what was found here. */
static void leave(const struct findings *findings, struct failure *failure,
                  const struct claimed *claimed)
{
    failure->taken = true;
    failure->shrinking.cut_short =
        arena_printf(findings->arena, "%s has it", claimed->by ? claimed->by : "another process");
}

/* Takes what another process has shrunk the failure to, or examines it. *left: another process is
 * doing that. */
static bool examine_claimed(const struct findings *findings, struct examiner *examiner,
                            struct failure *failure, bool wait, bool *left, struct error *err)
{
    struct claimed claimed = claim(findings, failure, wait, false);
    bool adopted = false;
    if (!failure->pinned) {
        tell_found(findings, failure, false);
    }
    if (claimed.how == CLAIM_KNOWN) {
        if (!failure_adopt(examiner, claimed.trace, failure, &adopted, err)) {
            return false;
        }
        failure->shrinking.by = !adopted ? NULL : claimed.by ? claimed.by : "another process";
        claimed = adopted ? claimed : claim(findings, failure, wait, true);
    }
    *left = claimed.how == CLAIM_TAKEN;
    if (*left) {
        leave(findings, failure, &claimed);
    }
    return *left || adopted || failure_examine(examiner, failure, err);
}

/* Reports a failure that was examined (`ok`), or drops it. */
static bool conclude(struct findings *findings, struct examiner *examiner, struct failure *failure,
                     bool ok, struct error *err)
{
    if (failure->by_nature) {
        findings->result->stats.unrepeated += failure->unrepeated;
        drop(findings, failure);
        return ok;
    }
    if (!ok) {
        return false;
    }
    tell_found(findings, failure, true);
    look_past(examiner->engine, failure);
    return examine_stray(findings, examiner, failure, err);
}

bool findings_examine(struct findings *findings, struct engine *engine, struct failure *failure,
                      struct error *err)
{
    struct examiner examiner;
    bool left = false;
    if (findings->options->finding == FIND_FIRST) {
        return true;
    }
    begin_examiner(&examiner, findings, engine);
    bool ok = examine_claimed(findings, &examiner, failure, false, &left, err);
    return left || conclude(findings, &examiner, failure, ok, err);
}

/* Whether another example may take the failure's place. That of another process stays. */
static bool is_open(const struct failure *failure)
{
    return !failure->taken && !failure->shrinking.by;
}

bool findings_has(const struct findings *findings, const struct reported_example *reported)
{
    const struct run_result *result = findings->result;
    if (findings->options->differs || !reported->fails) {
        return !findings->options->differs;
    }
    for (size_t i = 0; i < result->failures.count; i++) {
        const struct failure *known = &result->failures.items[i];
        if (strcmp(known->identity, reported->identity) == 0) {
            return !is_open(known) || !failure_wants_another(known, reported->least);
        }
    }
    return false;
}

bool findings_compare(const struct findings *findings, struct engine *engine, struct error *err)
{
    struct failure *known = NULL;
    struct examiner examiner;
    bool shorter = false;
    if (findings->options->finding == FIND_FIRST || findings->options->finding == FIND_COUNT) {
        return true;
    }
    for (size_t i = 0; i < findings->result->failures.count && !known; i++) {
        struct failure *failure = &findings->result->failures.items[i];
        known = failure_id_equal(&failure->id, &engine->example.failure->id) ? failure : NULL;
    }
    if (!known || !is_open(known)) {
        return true;
    }
    begin_examiner(&examiner, findings, engine);
    bool ok = failure_try_another(&examiner, known, &shorter, err);
    if (shorter) {
        tell_found(findings, known, true);
    }
    return ok;
}

/* Examines a failure that another process had, once that one is done or dead. Meanwhile other
 * examples have run: it may not fail any more, as any failure when it is confirmed. */
static bool settle(struct findings *findings, struct failure *failure, struct error *err)
{
    struct examiner examiner;
    bool fails;
    bool left = false;
    begin_examiner(&examiner, findings, findings->engine);
    if (!failure_repeat(&examiner, failure, &fails, err)) {
        return false;
    }
    failure->taken = false;
    failure->shrinking.cut_short = NULL;
    bool ok = examine_claimed(findings, &examiner, failure, true, &left, err);
    return left || conclude(findings, &examiner, failure, ok, err);
}

bool findings_settle(struct findings *findings, struct error *err)
{
    const struct run_result *result = findings->result;
    bool ok = true;
    for (size_t i = 0; ok && i < result->failures.count;) {
        size_t count = result->failures.count;
        struct failure *failure = &result->failures.items[i];
        ok = !failure->taken || settle(findings, failure, err);
        i += result->failures.count >= count; /* else the next one is in its place */
    }
    return ok;
}

bool findings_record(const struct findings *findings, struct engine *engine,
                     struct failure *failure, struct error *err)
{
    struct examiner examiner;
    begin_examiner(&examiner, findings, engine);
    bool ok = failure_record(&examiner, failure, err);
    return ok;
}

bool findings_tell(const struct findings *findings, struct engine *engine, struct failure *failure,
                   struct error *err)
{
    struct examiner examiner;
    begin_examiner(&examiner, findings, engine);
    struct telling telling;
    bool ok = failure_tell(&examiner, failure, &telling, err);
    failure->account = ok ? telling.account : NULL;
    return ok;
}
