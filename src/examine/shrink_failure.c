#include "examine/examine.h"

#include "example/failure/fail.h"
#include "shrink/shrink.h"

#include <assert.h>
#include <string.h>

enum {
    PATIENCE_MIN_MS = 500,
    PATIENCE = 4,   /* times as long as the slowest statement took */
    IMPATIENCE = 4, /* where that is not known: this part of the limit */
};

static const char time_was_up[] = "the time was up";

struct shrink_host {
    struct examiner *examiner;
    struct engine *engine;
    const struct failure *wanted;
    const struct failure *rival; /* that is to be beaten; NULL: none */
    struct rerun_way way;
    uint64_t started_us;
    uint64_t share_us;    /* of the time that the run has left; 0: no limit */
    uint64_t executions;  /* traces that were run */
    uint64_t before;      /* examiner->steps before the first of them */
    size_t steps;         /* of the shortest one that failed */
    struct arena arena;   /* of `best` */
    struct failure *best; /* the simplest failure that was seen; NULL: none but `wanted` */
    struct arena shorter_arena;
    VEC(struct trace) shorter; /* traces that failed, each of fewer steps than the one before it */
    size_t back;               /* so many of them did not fail again; 0: the shortest one did */
};

static uint64_t spent_us(const struct shrink_host *host)
{
    return clock_spent_us(&host->engine->options.clock) - host->started_us;
}

static bool try_trace(const struct shrink_host *host, const struct trace *trace, struct rerun *out,
                      struct error *err)
{
    return rerun_trace(host->examiner, trace, host->wanted, host->way, out, err);
}

/* What may be fallen back on, if the shortest one does not fail again. */
static void keep_shorter(struct shrink_host *host, const struct trace *trace)
{
    size_t count = host->shorter.count;
    const struct trace *last = count ? &host->shorter.items[count - 1] : &host->wanted->trace;
    if (trace_length(trace) < trace_length(last)) {
        *VEC_PUSH(&host->shorter_arena, &host->shorter) = trace_copy(&host->shorter_arena, trace);
    }
}

/* What is reported where the run has to stop. */
static void keep_best(struct shrink_host *host, const struct rerun *again)
{
    const struct trace *best = host->best ? &host->best->trace : &host->wanted->trace;
    if (shrink_compare(&again->trace, best) < 0) {
        arena_reset(&host->arena);
        host->best = failure_copy(&host->arena, again->failure);
    }
}

/* What differs elsewhere after fewer steps is another failure, perhaps of the same cause. */
static void keep_stray(struct shrink_host *host, const struct rerun *again)
{
    struct examiner *examiner = host->examiner;
    const struct failure *known = examiner->stray ? examiner->stray : host->wanted;
    const struct failure *other = again->failure;
    if (again->outcome != OUTCOME_FLAKY || other->kind != FAILURE_DIFFERS ||
        host->wanted->kind != FAILURE_DIFFERS ||
        trace_length(&again->trace) >= trace_length(&known->trace)) {
        return;
    }
    examiner->stray = failure_copy(examiner->arena, other);
    examiner->stray->example_steps = host->wanted->example_steps;
}

/* How far it has come. */
static void tell(const struct shrink_host *host)
{
    const struct examine_options *options = &host->examiner->options;
    uint64_t spent_us;
    if (options->shrinking && clock_wants_word(&host->engine->options.clock, &spent_us)) {
        options->shrinking(options->host, spent_us, host->executions, host->steps);
    }
}

/* Each statement and commit was answered; gates are told with the answer. */
static struct shrink_points points_of(const struct failure *failure, struct arena *arena)
{
    struct shrink_points points = {0};
    const struct race *race = failure->race;
    for (size_t i = 0; race && i < race->events.count; i++) {
        const struct race_event *event = &race->events.items[i];
        uint32_t id = race->steps.items[event->step].id;
        for (uint32_t at = 0; event->kind == RACE_ANSWERED && at <= event->crossing; at++) {
            *VEC_PUSH(arena, &points.items) =
                (struct trace_switch){.step = id, .call = event->call, .crossing = at};
            for (size_t k = 0; k < race->between.count; k++) {
                const struct trace_switch *between = &race->between.items[k];
                if (between->step == id && between->call == event->call &&
                    between->crossing == at) {
                    *VEC_PUSH(arena, &points.items) = *between;
                }
            }
        }
    }
    return points;
}

static bool attempt(void *context, const struct trace *candidate, struct arena *arena,
                    struct shrink_attempt *out, struct error *err)
{
    /* the trace lives until the next attempt: long enough */
    struct shrink_host *host = context;
    struct rerun again;
    if (!try_trace(host, candidate, &again, err)) {
        return false;
    }
    size_t steps = trace_length(&again.trace);
    if (again.outcome == OUTCOME_FAIL) {
        keep_best(host, &again);
        keep_shorter(host, &again.trace);
        host->steps = steps < host->steps ? steps : host->steps;
    }
    keep_stray(host, &again);
    host->executions++;
    tell(host);
    *out = (struct shrink_attempt){.same = again.outcome == OUTCOME_FAIL, .trace = again.trace};
    if (out->same) {
        out->points = points_of(again.failure, arena);
    }
    return true;
}

/* Other failures, the script and what else is told of this one need time, too. */
static uint64_t share_of(const struct clock *clock)
{
    uint64_t limit_us = (uint64_t)clock->max_ms * 1000;
    uint64_t spent = clock_spent_us(clock);
    return clock->max_ms <= 0 ? 0 : spent < limit_us ? (limit_us - spent + 1) / 2 : 1;
}

static bool share_is_up(const struct shrink_host *host)
{
    return host->share_us > 0 && spent_us(host) >= host->share_us;
}

static bool expired(void *context)
{
    const struct shrink_host *host = context;
    int64_t limit_ms = host->engine->options.settings->shrink_time_ms;
    return share_is_up(host) || (limit_ms > 0 && spent_us(host) >= (uint64_t)limit_ms * 1000);
}

/* Whether the failing invariant alone shows the failure: a query of another one may be part of it.
 */
static bool choose_scope(struct shrink_host *host, struct error *err)
{
    struct rerun again;
    if (!try_trace(host, &host->wanted->trace, &again, err)) {
        return false;
    }
    host->way.only = again.outcome == OUTCOME_FAIL;
    return true;
}

/* Whether what failed is not checked after every step. */
static bool is_checked_late(const struct engine *engine, const struct failure *failure)
{
    const struct invariant *invariant = failure->invariant;
    if (failure->kind == FAILURE_DIFFERS && !invariant) {
        return failure->at_end; /* what two databases hold is compared there */
    }
    return invariant ? invariant->when == WHEN_END || invariant->every > 1
                     : engine->options.settings->check_deferred == CHECK_DEFERRED_END &&
                           failure->kind != FAILURE_EXPECT && failure->kind != FAILURE_CHECK;
}

/* Whether what failed is a rule, and no check that any rule may break. */
static bool is_of_rule(const struct failure *failure)
{
    bool of_state = failure->kind == FAILURE_DIFFERS && failure->at_end;
    return failure->rule && !failure->invariant && failure->kind != FAILURE_RACE && !of_state;
}

/* The shortest trace and those that it came from, in growing steps backwards. */
static const struct trace *fallback(const struct shrink_host *host, const struct trace *shortest,
                                    size_t back)
{
    return back ? &host->shorter.items[host->shorter.count - back] : shortest;
}

/* Runs the shortest trace once more and takes over what it shows. If it depended on what other
 * attempts left behind, such as the order of rows in a table, one of those before it may fail.
 * `host->back` says which one did. */
static bool adopt(struct shrink_host *host, const struct trace *shortest, size_t back_max,
                  struct arena *arena, struct failure *failure, bool *adopted, struct error *err)
{
    bool two = failure->kind == FAILURE_DIFFERS;
    const struct rerun_way ways[] = {{.only = host->way.only, .fresh = two || host->way.fresh},
                                     host->way};
    size_t way_count = two && !host->way.fresh ? 2 : 1;
    *adopted = false;
    for (size_t i = 0; i < way_count && !*adopted; i++) {
        for (host->back = 0; !*adopted && host->back <= back_max;) {
            struct rerun again;
            if (!rerun_trace(host->examiner, fallback(host, shortest, host->back), host->wanted,
                             ways[i], &again, err)) {
                return false;
            }
            *adopted = again.outcome == OUTCOME_FAIL;
            if (*adopted) {
                failure_show(failure, again.failure, arena);
                break;
            }
            host->back = host->back ? 2 * host->back : 1;
        }
    }
    return true;
}

/* How long a statement that hangs is waited for: each attempt that fails costs that. The whole
 * limit is for the last one. Milliseconds; 0: the whole limit for all. */
static int64_t short_patience(const struct engine *engine, const struct failure *failure)
{
    int64_t whole = engine->options.settings->statement_timeout_ms;
    int64_t slowest = (int64_t)(engine->slowest_us / 1000);
    int64_t patience = engine->slowest_us ? slowest * PATIENCE : whole / IMPATIENCE;
    bool hangs = failure->kind == FAILURE_TIMEOUT && failure->error.sqlstate[0];
    patience = patience < PATIENCE_MIN_MS ? PATIENCE_MIN_MS : patience;
    return hangs && engine->backend->ops->limit && patience < whole ? patience : 0;
}

/* By rule: the global that its values go to. */
static const size_t *find_collections(const struct machine *machine, struct arena *arena)
{
    size_t *collections = ARENA_ARRAY(arena, size_t, machine->rules.count);
    for (size_t i = 0; i < machine->rules.count; i++) {
        const struct rule *rule = &machine->rules.items[i];
        collections[i] =
            rule->targets.count == 1 ? rule->targets.items[0].global : SHRINK_NO_COLLECTION;
    }
    return collections;
}

/* By rule: its steps move the clock. */
static const bool *find_advances(const struct machine *machine, struct arena *arena)
{
    bool *advances = ARENA_ARRAY(arena, bool, machine->rules.count);
    for (size_t i = 0; i < machine->rules.count; i++) {
        advances[i] = machine->rules.items[i].advances;
    }
    return advances;
}

/* By rule: no attempt shares what its steps did. After the migration there are no savepoints. */
static const bool *find_costly(const struct engine *engine, struct arena *arena)
{
    const struct rule *migration = engine->options.migration;
    if (!migration) {
        return NULL;
    }
    bool *costly = ARENA_ARRAY(arena, bool, engine->machine->rules.count);
    costly[migration->index] = true;
    return costly;
}

/* By rule: no step becomes one of it. The migration is none that can be chosen. */
static const bool *find_off(const struct engine *engine, struct arena *arena)
{
    const struct rule *migration = engine->options.migration;
    size_t count = engine->machine->rules.count;
    if (!migration) {
        return engine->options.rules_off;
    }
    bool *off = ARENA_ARRAY(arena, bool, count);
    for (size_t i = 0; i < count; i++) {
        off[i] =
            i == migration->index || (engine->options.rules_off && engine->options.rules_off[i]);
    }
    return off;
}

/* The shortest trace that can be found, in `scratch`; false: the run must stop, and it is the
 * shortest so far. */
static bool search(struct shrink_host *host, struct arena *scratch, struct trace *shortest,
                   struct shrink_stats *stats, struct error *err)
{
    struct engine *engine = host->engine;
    const struct settings *settings = engine->options.settings;
    const struct shrink_target target = {.host = host,
                                         .attempt = attempt,
                                         .expired = expired,
                                         .rule_count = engine->machine->rules.count,
                                         .rules_off = find_off(engine, scratch),
                                         .collections = find_collections(engine->machine, scratch),
                                         .advances = find_advances(engine->machine, scratch),
                                         .costly = find_costly(engine, scratch),
                                         .steps_max = (size_t)settings->steps,
                                         .at_end = is_checked_late(engine, host->wanted),
                                         .last_rule_fails = is_of_rule(host->wanted),
                                         .rival = host->rival ? &host->rival->trace : NULL,
                                         .points = points_of(host->wanted, scratch)};
    if (!choose_scope(host, err)) {
        return false;
    }
    host->before = host->examiner->steps;
    prefix_begin(engine);
    uint64_t executions = (uint64_t)settings->shrink_executions;
    uint64_t before = host->executions + (host->rival ? host->rival->shrinking.executions : 0);
    bool ok =
        shrink_trace(&target, &host->wanted->trace, before < executions ? executions - before : 0,
                     scratch, shortest, stats, err);
    if (!ok) {
        prefix_forget(engine); /* there is nothing to be rolled back any more */
    }
    return prefix_end(engine, err) && ok;
}

const char *why_stopped(const struct examiner *examiner, const struct error *err)
{
    return clock_stopped(&examiner->engine->options.clock, err) ? time_was_up
           : err->code == ERROR_INTERRUPTED                     ? "interrupted"
                                                                : "the run could not continue";
}

/* NULL where nothing did. */
static const char *cut_short(const struct shrink_host *host, const struct shrink_stats *stats,
                             const struct error *stopped)
{
    if (stopped) {
        return why_stopped(host->examiner, stopped);
    }
    return !stats->cut_short   ? NULL
           : share_is_up(host) ? time_was_up
                               : "the limit of `shrink` was reached";
}

static struct shrinking shrinking_of(const struct shrink_host *host,
                                     const struct shrink_stats *stats, const struct error *stopped,
                                     struct arena *arena)
{
    const struct examiner *examiner = host->examiner;
    return (struct shrinking){
        .executions = stats->attempts,
        .steps = examiner->steps - host->before,
        .time_us = spent_us(host),
        .cut_short = cut_short(host, stats, stopped),
        .mistakes = examiner->mistakes,
        .mistake = examiner->mistakes ? mistake_text(arena, &examiner->mistake) : NULL,
    };
}

static bool shrink(struct shrink_host *host, int64_t patience_ms, struct arena *arena,
                   struct failure *failure, bool *adopted, struct error *err)
{
    struct engine *engine = host->engine;
    int64_t whole_ms = engine->options.settings->statement_timeout_ms;
    struct arena scratch = {0};
    struct trace shortest;
    struct shrink_stats stats = {0};
    host->examiner->mistakes = 0;
    if (patience_ms) {
        engine->backend->ops->limit(engine->backend, patience_ms);
    }
    bool ok = search(host, &scratch, &shortest, &stats, err);
    if (patience_ms) {
        engine->backend->ops->limit(engine->backend, whole_ms);
    }
    if (ok || stats.attempts) {
        failure->shrinking = shrinking_of(host, &stats, ok ? NULL : err, arena);
    }
    ok = ok && adopt(host, &shortest, patience_ms ? 0 : host->shorter.count, arena, failure,
                     adopted, err);
    if (!ok && host->best) {
        failure_show(failure, host->best, arena);
    }
    arena_free(&scratch);
    return ok;
}

/* Goes on from the trace that failed again, so that no attempt depends on another one. */
static bool shrink_on(struct shrink_host *host, struct failure *failure, struct error *err)
{
    const struct shrinking before = failure->shrinking;
    bool adopted;
    host->way.fresh = true;
    host->shorter.count = 0;
    host->best = NULL;
    host->steps = trace_length(&failure->trace);
    bool ok = shrink(host, 0, host->examiner->arena, failure, &adopted, err);
    failure->shrinking.executions += before.executions;
    failure->shrinking.steps += before.steps;
    return ok;
}

static bool shrink_with(struct shrink_host *host, struct failure *failure, struct error *err)
{
    assert(!failure->flaky && !failure->pinned);
    struct examiner *examiner = host->examiner;
    struct engine *engine = host->engine = examiner->engine;
    int64_t patience_ms = short_patience(engine, failure);
    bool adopted = false;
    if (engine->options.settings->shrink_executions <= 0) {
        return true;
    }
    host->wanted = failure;
    host->started_us = clock_spent_us(&engine->options.clock);
    host->share_us = share_of(&engine->options.clock);
    host->steps = trace_length(&failure->trace);
    bool ok = shrink(host, patience_ms, examiner->arena, failure, &adopted, err);
    if (ok && patience_ms && !adopted) { /* it was slow, and does not hang */
        host->best = NULL;
        host->steps = trace_length(&failure->trace);
        ok = shrink(host, 0, examiner->arena, failure, &adopted, err);
    } else if (ok && adopted && host->back > 0 && !host->way.fresh) {
        ok = shrink_on(host, failure, err);
    }
    arena_free(&host->arena);
    arena_free(&host->shorter_arena);
    return ok;
}

bool failure_shrink(struct examiner *examiner, enum shrink_where where, struct failure *failure,
                    struct error *err)
{
    struct shrink_host host = {
        .examiner = examiner,
        .way = {.only = true, .fresh = where == SHRINK_FRESH},
    };
    return shrink_with(&host, failure, err);
}

bool failure_outdo(struct examiner *examiner, const struct failure *rival, struct failure *failure,
                   struct error *err)
{
    struct shrink_host host = {.examiner = examiner, .way = {.only = true}, .rival = rival};
    return shrink_with(&host, failure, err);
}

bool pinned_shrink(struct examiner *examiner, struct failure *failure, struct error *err)
{
    assert(failure->pinned && !failure->flaky);
    if (failure->on_trust || failure->kind == FAILURE_CONNECTION) {
        return true;
    }
    struct failure *shorter = failure_copy(examiner->arena, failure);
    shorter->pinned = NULL; /* its trace is run from here on */
    bool ok = failure_shrink(examiner, SHRINK_HERE, shorter, err);
    /* what the database makes up differs from run to run, so that the steps alone do not tell */
    bool same =
        trace_equal(&shorter->trace, &failure->trace) || failure_same_steps(shorter, failure);
    if (shorter->shrinking.executions && !same) {
        failure->shorter = shorter;
    }
    return ok;
}
