#include "examine/examine.h"

#include "example/setup/setup.h"

/* One attempt; the account stays NULL where it does not fail as wanted. Of several sessions it is
 * about what came before them. */
static bool attempt(struct examiner *examiner, struct failure *failure, enum invariant_scope scope,
                    struct error *err)
{
    const struct chronicler *chronicler = examiner->options.chronicler;
    struct engine *engine = examiner->engine;
    struct example_result result = {0};
    const struct trace before = trace_part(examiner->arena, &failure->trace, 0);
    struct example_plan plan = rerun_plan(failure->race ? &before : &failure->trace, failure);
    plan.stepwise = true;
    plan.observer = chronicler->begin(examiner->arena, failure);
    plan.scope = scope;
    bool ok = engine_reconnect(engine, plan.observer, &result.failure, err) &&
              (result.failure || example_run(engine, &plan, &result, err));
    failure->account = chronicler->end(plan.observer);
    return ok || rerun_passes_over(examiner, err);
}

bool failure_chronicle(struct examiner *examiner, struct failure *failure, struct error *err)
{
    static const enum invariant_scope scopes[] = {SCOPE_EACH, SCOPE_ALL};
    bool wanted = examiner->options.chronicler && failure->kind != FAILURE_CONNECTION;
    bool ok = true;
    for (size_t i = 0; wanted && ok && i < 2 && !failure->account; i++) {
        ok = attempt(examiner, failure, scopes[i], err);
    }
    return ok;
}
