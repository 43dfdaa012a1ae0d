#include "examine/examine.h"

#include "example/setup/setup.h"
#include "replay/recording/recorder.h"

/* One attempt; `*out` is NULL where it does not fail as wanted. A connection that is lost as wanted
 * is no reason not to go on. */
static bool record_scope(struct examiner *examiner, struct recorder *recorder,
                         const struct failure *wanted, enum invariant_scope scope,
                         const struct recording **out, struct error *err)
{
    struct engine *engine = examiner->engine;
    struct example_plan plan = rerun_plan(&wanted->trace, wanted);
    plan.stepwise = true;
    plan.observer = recorder_observer(recorder);
    plan.scope = scope;
    plan.only = wanted->invariant;
    struct example_result result = {0};
    if (!engine_reconnect(engine, plan.observer, &result.failure, err)) {
        return false;
    }
    bool ran = result.failure || example_run(engine, &plan, &result, err);
    bool same = result.failure && failure_id_equal(&result.failure->id, &wanted->id);
    if (!ran && !same) {
        return rerun_passes_over(examiner, err);
    }
    if (same) {
        recorder_name(recorder, &engine->example);
        recorder_recording(recorder)->checks = scope == SCOPE_ONE || scope == SCOPE_ALL;
        *out = recorder_recording(recorder);
    }
    return true;
}

static bool record(struct examiner *examiner, const struct failure *wanted,
                   enum invariant_scope scope, const struct recording **out, struct error *err)
{
    struct recorder *recorder = recorder_new(examiner->arena, examiner->engine->backend);
    *out = NULL;
    bool ok = record_scope(examiner, recorder, wanted, scope, out, err);
    recorder_free(recorder);
    return ok;
}

bool failure_record(struct examiner *examiner, struct failure *failure, struct error *err)
{
    static const enum invariant_scope scopes[] = {SCOPE_LAST, SCOPE_ONE, SCOPE_ALL};
    size_t first = failure->invariant ? 0 : 2;
    if (!examiner->options.record) {
        return true;
    }
    if (!failure->invariant && !record(examiner, failure, SCOPE_NONE, &failure->recording, err)) {
        return false;
    }
    for (size_t i = first; i < sizeof scopes / sizeof *scopes && !failure->recording; i++) {
        if (!record(examiner, failure, scopes[i], &failure->recording, err)) {
            return false;
        }
    }
    return true;
}
