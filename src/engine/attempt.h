/* Running a trace again: is it still the same failure? For confirming, shrinking, recording. */
#ifndef ENGINE_ATTEMPT_H
#define ENGINE_ATTEMPT_H

#include "engine/engine.h"

struct attempt {
    /* OUTCOME_FAIL: as `wanted` did; OUTCOME_FLAKY: it fails, but otherwise; OUTCOME_MISTAKE: it is
     * not known, as the model has a mistake that nothing came across so far (engine->mistake). */
    enum outcome outcome;
    const struct failure *failure; /* FAIL and FLAKY; until the next example */
    struct trace trace; /* as executed: what could not run left out, choices as they were used */
};

/* How a trace is run. */
struct attempt_way {
    bool only;  /* of the invariants only the one that failed, if one did: quicker */
    bool fresh; /* on a new connection, as if no example had been before: slower */
};
bool attempt_run(struct engine *engine, const struct trace *trace, const struct failure *wanted,
                 struct attempt_way way, struct attempt *out, struct error *err);

/* As example_run. While running ahead, a connection that ends may take along answers that were
 * there already: what failed is then what fails when the example is run once more, step by step on
 * a new connection. Where there is none, or nothing fails, what failed is the step whose answer was
 * awaited. */
bool run_surely(struct engine *engine, const struct example_plan *plan,
                struct example_result *result, struct error *err);

/* All invariants, steps that the guide chooses behind those of `start`. */
bool attempt_guided(struct engine *engine, const struct trace *start, struct guide *guide,
                    const struct failure *wanted, struct attempt *out, struct error *err);

/* Runs the failure's trace again; where it does not fail the same way the failure is marked flaky,
 * with the first step where the runs differ. The run is watched. `failure` must be in an arena of
 * its own (`arena`), and the example that found it still be there. */
bool failure_confirm(struct engine *engine, struct arena *arena, struct failure *failure,
                     struct error *err);

/* Where the run wants recordings: runs the failure's trace again, on a new connection, as a script
 * will (its check alone, at the end; where it does not fail like that, with what else is checked),
 * and sets failure->recording. It stays NULL where the failure needs what an earlier example left
 * behind. False: the run can't go on. */
bool failure_record(struct engine *engine, struct arena *arena, struct failure *failure,
                    struct error *err);

/* "file:line:column: message". */
const char *mistake_text(struct arena *arena, const struct error *mistake);

/* What the failure shows is now what another run of it showed; how it was found stays. Copies go to
 * the arena. */
void failure_show(struct failure *failure, const struct failure *shown, struct arena *arena);

#endif
