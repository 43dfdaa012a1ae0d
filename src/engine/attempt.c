#include "engine/attempt.h"

#include "engine/record.h"

#include "engine/compare.h"

#include <string.h>

static bool begin_anew(struct engine *engine, const struct failure **failed, struct error *err)
{
    *failed = NULL;
    prefix_forget(engine);
    return engine->backend->ops->reconnect(engine->backend, err) &&
           engine_setup(engine, failed, err);
}

/* The example once more, step by step; false where there is no other connection or nothing fails.
 */
static bool run_once_more(struct engine *engine, const struct example_plan *plan, bool *ok,
                          struct example_result *result, struct error *err)
{
    struct example_plan again = *plan;
    const struct failure *failed = NULL;
    struct error now = {0};
    bool failing = false;
    if (begin_anew(engine, &failed, &now) && !failed) {
        again.quiet = true; /* it has said what it had to */
        engine->ahead = false;
        *ok = example_run(engine, &again, result, &now);
        engine->ahead = true;
        failing = result->failure != NULL;
    }
    if (failing ? !*ok : now.code == ERROR_INTERRUPTED) {
        *err = now;
    }
    return failing;
}

bool run_surely(struct engine *engine, const struct example_plan *plan,
                struct example_result *result, struct error *err)
{
    bool ok = example_run(engine, plan, result, err);
    if (ok || err->code != ERROR_CONNECTION || !engine->ahead || !result->failure) {
        return ok;
    }
    const struct failure *lost = failure_copy(&engine->arena, result->failure);
    if (!run_once_more(engine, plan, &ok, result, err)) {
        engine->example.stats.examples = 0; /* it did not come to its end */
        *result = (struct example_result){
            .outcome = OUTCOME_FAIL, .failure = lost, .trace = lost->trace, .stats = result->stats};
        return false;
    }
    return ok;
}

static bool is_same(const struct failure *failure, const struct failure *wanted)
{
    return strcmp(failure->identity, wanted->identity) == 0;
}

/* A mistake in the model is not what was asked for: whoever tries something comes across it, and
 * what was found stays. False: it is none. */
static bool pass_over_mistake(struct engine *engine, struct error *err)
{
    if (err->code != ERROR_MACHINE && err->code != ERROR_LIMIT) {
        return false;
    }
    if (engine->mistakes++ == 0) {
        engine->mistake = *err;
    }
    *err = (struct error){0};
    prefix_forget(engine);
    return engine->backend->ops->reset(engine->backend, err);
}

static bool attempt(struct engine *engine, const struct example_plan *plan,
                    const struct failure *wanted, struct attempt *out, struct error *err)
{
    struct example_result result;
    bool ok = example_run(engine, plan, &result, err);
    size_t anew = engine->prefix.anew;
    engine->attempted += result.steps > anew ? result.steps - anew : 0;
    if (!ok) {
        *out = (struct attempt){.outcome = OUTCOME_MISTAKE};
        return pass_over_mistake(engine, err);
    }
    *out = (struct attempt){result.outcome, result.failure, result.trace};
    if (result.failure && !is_same(result.failure, wanted)) {
        out->outcome = OUTCOME_FLAKY;
    }
    return true;
}

/* A pinned example is run again as it is written: its trace may not hold all. */
static struct example_plan plan_again(const struct trace *trace, const struct failure *wanted)
{
    struct example_plan plan = {.number = wanted->example, .quiet = true};
    if (wanted->pinned && trace == &wanted->trace) {
        plan.pinned = wanted->pinned;
        plan.pinned_steps = wanted->step;
    } else {
        plan.trace = trace;
    }
    return plan;
}

bool attempt_run(struct engine *engine, const struct trace *trace, const struct failure *wanted,
                 struct attempt_way way, struct attempt *out, struct error *err)
{
    struct example_plan plan = plan_again(trace, wanted);
    const struct failure *failed = NULL;
    if (way.only) {
        plan.scope = wanted->invariant ? SCOPE_ONE : SCOPE_NONE;
        plan.only = wanted->invariant;
    }
    if (way.fresh && !begin_anew(engine, &failed, err)) {
        return false;
    }
    if (failed) { /* before any step: another failure than one of steps */
        *out = (struct attempt){.outcome = OUTCOME_FLAKY, .failure = failed};
        return true;
    }
    return attempt(engine, &plan, wanted, out, err);
}

bool attempt_guided(struct engine *engine, const struct trace *start, struct guide *guide,
                    const struct failure *wanted, struct attempt *out, struct error *err)
{
    struct example_plan plan = {
        .trace = start, .guide = guide, .number = wanted->example, .quiet = true};
    return attempt(engine, &plan, wanted, out, err);
}

void failure_show(struct failure *failure, const struct failure *shown, struct arena *arena)
{
    struct failure *copy = failure_copy(arena, shown);
    copy->example = failure->example;
    copy->seed = failure->seed;
    copy->stored = failure->stored;
    copy->example_steps = failure->example_steps;
    copy->shortening = failure->shortening;
    *failure = *copy;
}

const char *mistake_text(struct arena *arena, const struct error *mistake)
{
    if (!mistake->pos.source) {
        return arena_strdup(arena, mistake->message);
    }
    struct source_place place = source_place(mistake->pos);
    return arena_printf(arena, "%s:%zu:%zu: %s", mistake->pos.source->name, place.line,
                        place.column, mistake->message);
}

/* What a step showed, as far as two runs of it can be compared. */
struct observation {
    uint32_t id;
    const struct rule *rule;
    bool raised;
    char sqlstate[6];
    int64_t count;
};

struct observations {
    VEC(struct observation) steps;
};

/* The first `count` steps: those behind them ran ahead of what failed. */
static struct observations observe(struct arena *arena, const struct example *example, size_t count)
{
    struct observations out = {0};
    for (size_t i = 0; i < count && i < example->steps.count; i++) {
        const struct step *step = example->steps.items[i];
        struct observation *seen = VEC_PUSH(arena, &out.steps);
        *seen = (struct observation){step->id, step->rule, step->raised, "", step->answer.count};
        memcpy(seen->sqlstate, step->sqlstate, sizeof seen->sqlstate);
    }
    return out;
}

static const char *seen_text(struct arena *arena, const struct observation *seen)
{
    if (seen->raised) {
        return arena_printf(arena, "error %s", seen->sqlstate);
    }
    return seen->count < 0 ? "no count of rows" : rows_text(arena, (size_t)seen->count);
}

static bool looks_same(const struct observation *a, const struct observation *b)
{
    return a->id == b->id && a->raised == b->raised && strcmp(a->sqlstate, b->sqlstate) == 0 &&
           a->count == b->count;
}

/* The first step that the runs disagree about, before what failed. */
static const char *first_difference(struct arena *arena, const struct observations *first,
                                    const struct observations *second, size_t steps)
{
    size_t shown = 0;
    for (size_t i = 0; i < first->steps.count && shown <= steps; i++) {
        const struct observation *a = &first->steps.items[i];
        shown += !a->rule->initialize;
        if (i >= second->steps.count || second->steps.items[i].id != a->id) {
            return arena_printf(arena, "step %zu, %s, could not run again", shown, a->rule->name);
        }
        const struct observation *b = &second->steps.items[i];
        if (!looks_same(a, b)) {
            return arena_printf(arena, "step %zu, %s, gave %s, and when run again %s", shown,
                                a->rule->name, seen_text(arena, a), seen_text(arena, b));
        }
    }
    return NULL;
}

bool failure_confirm(struct engine *engine, struct arena *arena, struct failure *failure,
                     struct error *err)
{
    static const struct attempt_way here = {0};
    size_t count = failure->trace.steps.count;
    struct observations first = observe(arena, &engine->example, count);
    struct attempt attempt;
    engine->mistakes = 0;
    engine->watch.on = true;
    bool ok = attempt_run(engine, &failure->trace, failure, here, &attempt, err);
    engine->watch.on = false;
    if (!ok) {
        return false;
    }
    if (attempt.outcome == OUTCOME_FAIL) {
        return true;
    }
    struct observations second = observe(arena, &engine->example, count);
    failure->flaky = true;
    failure->flaky_difference = first_difference(arena, &first, &second, failure->step);
    if (attempt.outcome == OUTCOME_MISTAKE) {
        failure->flaky_difference =
            arena_printf(arena, "when run again it met a mistake in the model: %s",
                         mistake_text(arena, &engine->mistake));
    } else if (!failure->flaky_difference && attempt.failure) {
        failure->flaky_difference =
            arena_printf(arena, "when run again it failed otherwise: %s, after step %zu",
                         attempt.failure->identity, attempt.failure->step);
    } else if (!failure->flaky_difference) {
        failure->flaky_difference = arena_printf(
            arena, "after step %zu what had failed held when run again", failure->step);
    }
    return true;
}

/* Recording. */

/* One attempt; `*out` is NULL where it does not fail as wanted. A connection that is lost as wanted
 * is no reason not to go on. */
static bool record_scope(struct engine *engine, struct recorder *recorder,
                         const struct failure *wanted, enum invariant_scope scope,
                         const struct recording **out, struct error *err)
{
    struct example_plan plan = plan_again(&wanted->trace, wanted);
    plan.scope = scope;
    plan.only = wanted->invariant;
    struct example_result result = {0};
    if (!begin_anew(engine, &result.failure, err)) {
        return false;
    }
    bool ran = result.failure || example_run(engine, &plan, &result, err);
    bool same = result.failure && is_same(result.failure, wanted);
    if (!ran && !same) {
        return pass_over_mistake(engine, err);
    }
    if (same) {
        record_names(recorder, &engine->example);
        recorder_recording(recorder)->checks = scope == SCOPE_ONE || scope == SCOPE_ALL;
        *out = recorder_recording(recorder);
    }
    return true;
}

static bool record(struct engine *engine, struct arena *arena, const struct failure *wanted,
                   enum invariant_scope scope, const struct recording **out, struct error *err)
{
    bool ahead = engine->ahead;
    *out = NULL;
    engine->ahead = false;
    engine->recorder = recorder_new(arena, engine->backend);
    bool ok = record_scope(engine, engine->recorder, wanted, scope, out, err);
    recorder_free(engine->recorder);
    engine->recorder = NULL;
    engine->ahead = ahead;
    return ok;
}

bool failure_record(struct engine *engine, struct arena *arena, struct failure *failure,
                    struct error *err)
{
    static const enum invariant_scope scopes[] = {SCOPE_LAST, SCOPE_ONE, SCOPE_ALL};
    size_t first = failure->invariant ? 0 : 2;
    if (!engine->options->record) {
        return true;
    }
    if (!failure->invariant &&
        !record(engine, arena, failure, SCOPE_NONE, &failure->recording, err)) {
        return false;
    }
    for (size_t i = first; i < sizeof scopes / sizeof *scopes && !failure->recording; i++) {
        if (!record(engine, arena, failure, scopes[i], &failure->recording, err)) {
            return false;
        }
    }
    return true;
}
