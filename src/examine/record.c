#include "examine/examine.h"

#include "example/setup/setup.h"
#include "replay/recording/recorder.h"

/* One attempt; the recording stays NULL where it does not fail as wanted. A connection that is lost
 * as wanted is no reason not to go on. */
static bool record(struct examiner *examiner, struct recorder *recorder, struct failure *failure,
                   enum invariant_scope scope, struct error *err)
{
    struct engine *engine = examiner->engine;
    struct example_plan plan = rerun_plan(&failure->trace, failure);
    plan.stepwise = true;
    plan.observer = recorder_observer(recorder);
    plan.scope = scope;
    plan.only = failure->invariant;
    struct example_result result = {0};
    if (!engine_reconnect(engine, plan.observer, &result.failure, err)) {
        return false;
    }
    bool ran = result.failure || example_run(engine, &plan, &result, err);
    bool same = result.failure && failure_id_equal(&result.failure->id, &failure->id);
    if (!ran && !same) {
        return rerun_passes_over(examiner, err);
    }
    if (same) {
        recorder_name(recorder, &engine->example);
        recorder_recording(recorder)->checks = scope == SCOPE_ONE || scope == SCOPE_ALL;
        failure->recording = recorder_recording(recorder);
        if (result.failure->race) {
            struct race race = *result.failure->race;
            race.anomaly = failure->race ? failure->race->anomaly : race.anomaly;
            failure->race = race_copy(examiner->arena, &race);
        }
    }
    return true;
}

bool failure_record(struct examiner *examiner, struct failure *failure, struct error *err)
{
    static const enum invariant_scope scopes[] = {SCOPE_LAST, SCOPE_ONE, SCOPE_ALL};
    static const enum invariant_scope without[] = {SCOPE_NONE, SCOPE_ALL};
    size_t count = failure->invariant ? sizeof scopes / sizeof *scopes : 2;
    bool ok = true;
    for (size_t i = 0; i < count && examiner->options.record && ok && !failure->recording; i++) {
        struct recorder *recorder = recorder_new(examiner->arena, examiner->engine->backend);
        ok = record(examiner, recorder, failure, (failure->invariant ? scopes : without)[i], err);
        recorder_free(recorder);
    }
    return ok;
}
