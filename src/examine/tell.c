#include "account/account.h"
#include "examine/examine.h"
#include "example/setup/setup.h"

/* Each check is a round trip here. Beyond this many, only the failing invariant is checked. */
enum { CHECKS_MAX = 10000 };

/* One attempt; *account stays NULL if it does not fail as wanted. */
static bool attempt(struct examiner *examiner, const struct failure *wanted,
                    enum invariant_scope scope, const struct account **account, struct error *err)
{
    struct engine *engine = examiner->engine;
    struct example_result result = {0};
    const struct trace before = trace_part(examiner->arena, &wanted->trace, 0);
    struct example_plan plan = rerun_plan(wanted->race ? &before : &wanted->trace, wanted);
    plan.stepwise = true;
    plan.observer = account_begin(examiner->arena, wanted, engine->machine->invariants.count);
    plan.scope = scope;
    plan.only = wanted->invariant;
    bool ok = engine_reconnect(engine, plan.observer, &result.failure, err) &&
              (result.failure || example_run(engine, &plan, &result, err));
    *account = account_end(plan.observer);
    return ok || rerun_passes_over(examiner, err);
}

/* Whether the trace of several sessions fails on a new connection. */
static bool confirm_race(struct examiner *examiner, const struct failure *wanted, bool *fails,
                         struct error *err)
{
    struct rerun again;
    bool ok = rerun_trace(examiner, &wanted->trace, wanted, (struct rerun_way){.fresh = true},
                          &again, err);
    *fails = ok && again.outcome == OUTCOME_FAIL;
    return ok;
}

bool failure_tell(struct examiner *examiner, const struct failure *wanted, struct telling *out,
                  struct error *err)
{
    /* With all of them another one may fail first. With one alone, the effects of other queries are
     * missing. */
    const enum invariant_scope one = wanted->invariant ? SCOPE_ONE : SCOPE_NONE;
    const enum invariant_scope all[] = {SCOPE_EACH, SCOPE_ALL, one};
    const enum invariant_scope few[] = {one, SCOPE_ALL};
    bool many =
        examiner->engine->machine->invariants.count * trace_length(&wanted->trace) > CHECKS_MAX;
    const enum invariant_scope *scopes = many ? few : all;
    size_t count = many ? sizeof few / sizeof *few : sizeof all / sizeof *all;
    bool ok = true;
    *out = (struct telling){.fails = wanted->race == NULL};
    if (wanted->race && !confirm_race(examiner, wanted, &out->fails, err)) {
        return false;
    }
    for (size_t i = 0; ok && out->fails && i < count && !out->account; i++) {
        ok = attempt(examiner, wanted, scopes[i], &out->account, err);
    }
    out->fails = out->account || (out->fails && wanted->race);
    return ok;
}
