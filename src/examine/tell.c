#include "account/account.h"
#include "examine/examine.h"
#include "example/setup/setup.h"

/* Each check is a round trip here. Beyond this many, only the failing invariant is checked. */
enum { CHECKS_MAX = 10000 };
/* Reading the tables takes several round trips a step. Longer traces are told without them. */
enum { LOOKS_MAX = 1000 };

/* What is read besides the answers of the steps. */
struct asked {
    enum invariant_scope scope;
    bool tables;
};

/* One attempt; *account stays NULL if it does not fail as wanted. */
static bool attempt(struct examiner *examiner, const struct failure *wanted, struct asked asked,
                    const struct account **account, struct error *err)
{
    struct engine *engine = examiner->engine;
    struct example_result result = {0};
    const struct trace before = trace_part(examiner->arena, &wanted->trace, 0);
    struct example_plan plan = rerun_plan(wanted->race ? &before : &wanted->trace, wanted);
    plan.stepwise = true;
    plan.observer = account_begin(examiner->arena, wanted, engine->machine->invariants.count);
    plan.scope = asked.scope;
    plan.tables = asked.tables && trace_length(&wanted->trace) <= LOOKS_MAX;
    plan.only = wanted->invariant;
    bool ok = engine_reconnect(engine, plan.observer, &result.failure, err) &&
              (result.failure || example_run(engine, &plan, &result, err));
    *account = account_end(plan.observer);
    return ok || rerun_passes_over(examiner, err);
}

/* Runs the trace of several sessions on a new connection. *shown stays NULL if it does not fail. */
static bool confirm_race(struct examiner *examiner, const struct failure *wanted,
                         const struct failure **shown, struct error *err)
{
    static const struct rerun_way ways[] = {{.fresh = true, .named = true},
                                            {.fresh = true, .named = true, .only = true}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways && !*shown; i++) {
        struct rerun again;
        if (!rerun_trace(examiner, &wanted->trace, wanted, ways[i], &again, err)) {
            return false;
        }
        if (again.outcome == OUTCOME_FAIL) {
            *shown = failure_copy(examiner->arena, again.failure);
        }
    }
    return true;
}

bool failure_tell(struct examiner *examiner, const struct failure *wanted, struct telling *out,
                  struct error *err)
{
    /* With all invariants another one may fail first. With one alone, the effects of other queries
     * are missing. In the end, nothing is read that the machine does not read. */
    const enum invariant_scope one = wanted->invariant ? SCOPE_ONE : SCOPE_NONE;
    const struct asked all[] = {{SCOPE_EACH, true}, {SCOPE_ALL, false}, {one, false}};
    const struct asked few[] = {{one, true}, {SCOPE_ALL, false}, {one, false}};
    bool many =
        examiner->engine->machine->invariants.count * trace_length(&wanted->trace) > CHECKS_MAX;
    const struct asked *asked = many ? few : all;
    bool ok = true;
    *out = (struct telling){0};
    if (wanted->kind == FAILURE_CONNECTION) {
        return true; /* it would be lost again, and there is nothing to tell of */
    }
    if (wanted->race && !confirm_race(examiner, wanted, &out->shown, err)) {
        return false;
    }
    bool fails = !wanted->race || out->shown;
    for (size_t i = 0; ok && fails && i < sizeof all / sizeof *all && !out->account; i++) {
        ok = attempt(examiner, wanted, asked[i], &out->account, err);
    }
    if (!wanted->race && out->account) {
        out->shown = out->account->failure;
    }
    return ok;
}

bool passing_example_tell(struct examiner *examiner, const struct example_plan *plan,
                          struct example_result *result, const struct account **account,
                          struct error *err)
{
    struct engine *engine = examiner->engine;
    struct example_plan told = *plan;
    told.stepwise = true;
    told.quiet = true;
    told.observer = account_begin(examiner->arena, NULL, engine->machine->invariants.count);
    bool ok = example_run(engine, &told, result, err);
    const struct account *whole = account_end(told.observer);
    *account = ok ? whole : NULL;
    return ok || rerun_passes_over(examiner, err);
}
