#include "run/retry.h"

#include "example/failure/failure.h"
#include "example/setup/setup.h"
#include "run/known.h"

/* Runs the example again, step by step; false if there is no other connection or no step fails. */
static bool run_once_more(struct engine *engine, const struct example_plan *plan, bool *ok,
                          struct example_result *result, struct error *err)
{
    struct example_plan again = *plan;
    const struct failure *failed = NULL;
    struct error now = {0};
    bool failing = false;
    if (engine_reconnect(engine, NULL, &failed, &now) && !failed) {
        again.quiet = true; /* the first run has printed its output */
        again.observer = NULL;
        again.stepwise = true;
        *ok = example_run(engine, &again, result, &now);
        failing = result->failure != NULL;
    }
    if (failing ? !*ok : now.code == ERROR_INTERRUPTED) {
        *err = now;
    }
    return failing;
}

static bool run_or_retry(struct engine *engine, const struct example_plan *plan,
                         struct example_result *result, struct error *err)
{
    bool ok = example_run(engine, plan, result, err);
    if (ok || err->code != ERROR_CONNECTION || !engine->example.ahead || !result->failure) {
        return ok;
    }
    const struct failure *lost = failure_copy(&engine->arena, result->failure);
    if (!run_once_more(engine, plan, &ok, result, err)) {
        engine->example.stats.examples = 0; /* it was not completed */
        *result = (struct example_result){
            .outcome = OUTCOME_FAIL, .failure = lost, .trace = lost->trace, .stats = result->stats};
        return false;
    }
    return ok;
}

bool run_with_retry(struct engine *engine, const struct example_plan *plan,
                    struct example_result *result, struct error *err)
{
    bool ok = run_or_retry(engine, plan, result, err);
    if (result->failure) {
        known_count(&engine->example.stats, engine, result->failure);
    }
    return ok;
}
