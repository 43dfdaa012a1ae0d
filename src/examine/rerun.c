#include "examine/rerun.h"

#include "example/setup/setup.h"

#include <assert.h>

void examiner_init(struct examiner *examiner, struct engine *engine, struct arena *arena,
                   const struct examine_options *options)
{
    assert(engine != NULL && arena != NULL);
    *examiner = (struct examiner){.engine = engine, .arena = arena, .options = *options};
}

bool rerun_passes_over(struct examiner *examiner, struct error *err)
{
    struct engine *engine = examiner->engine;
    if (err->code != ERROR_MACHINE && err->code != ERROR_LIMIT) {
        return false;
    }
    if (examiner->mistakes++ == 0) {
        examiner->mistake = *err;
    }
    *err = (struct error){0};
    prefix_forget(engine);
    return engine->backend->ops->reset(engine->backend, err);
}

static bool run(struct examiner *examiner, const struct example_plan *plan,
                const struct failure *wanted, struct rerun *out, struct error *err)
{
    struct engine *engine = examiner->engine;
    struct example_result result;
    bool ok = example_run(engine, plan, &result, err);
    size_t anew = engine->prefix.anew;
    examiner->steps += result.steps > anew ? result.steps - anew : 0;
    if (!ok) {
        *out = (struct rerun){.outcome = OUTCOME_MISTAKE};
        return rerun_passes_over(examiner, err);
    }
    *out = (struct rerun){result.outcome, result.failure, result.trace};
    if (result.failure && !failure_id_equal(&result.failure->id, &wanted->id)) {
        out->outcome = OUTCOME_FLAKY;
    }
    return true;
}

/* A pinned example is run again as it is written: its trace may not hold all. */
struct example_plan rerun_plan(const struct trace *trace, const struct failure *wanted)
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

bool rerun_trace(struct examiner *examiner, const struct trace *trace, const struct failure *wanted,
                 struct rerun_way way, struct rerun *out, struct error *err)
{
    struct example_plan plan = rerun_plan(trace, wanted);
    const struct failure *failed = NULL;
    plan.named = way.named;
    if (way.only) {
        plan.scope = wanted->invariant ? SCOPE_ONE : SCOPE_NONE;
        plan.only = wanted->invariant;
    }
    if (way.fresh && !engine_reconnect(examiner->engine, NULL, &failed, err)) {
        return false;
    }
    if (failed) { /* before any step: another failure than one of steps */
        *out = (struct rerun){.outcome = OUTCOME_FLAKY, .failure = failed};
        return true;
    }
    return run(examiner, &plan, wanted, out, err);
}

void failure_show(struct failure *failure, const struct failure *shown, struct arena *arena)
{
    assert(failure != shown);
    struct failure *copy = failure_copy(arena, shown);
    copy->example = failure->example;
    copy->seed = failure->seed;
    copy->stored = failure->stored;
    copy->example_steps = failure->example_steps;
    copy->shrinking = failure->shrinking;
    copy->found = failure->found;
    *failure = *copy;
}
