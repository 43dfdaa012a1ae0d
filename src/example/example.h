/* One example: a trace that is executed, generated as it goes or replayed. */
#ifndef EXAMPLE_EXAMPLE_H
#define EXAMPLE_EXAMPLE_H

#include "example/engine.h"

/* What became of a trace. */
enum outcome {
    OUTCOME_PASS,
    OUTCOME_FAIL,
    OUTCOME_DISCARD, /* it has steps, and none of them could run */
    OUTCOME_FLAKY,   /* failed before, and not or otherwise this time */
    OUTCOME_MISTAKE, /* failed before, and met a mistake in the model this time */
};

struct example_result {
    enum outcome outcome;
    const struct failure *failure; /* OUTCOME_FAIL; in the example's arena, as is `trace` */
    struct trace trace;            /* as executed, up to the failing step */
    const struct run_stats *stats;
    size_t steps; /* that were settled */
};

/* Runs a plan and resets the backend (but see `stays`). false: it could not be told (connection
 * lost, interrupted, a mistake in the model): then `result->failure` may be a FAILURE_CONNECTION.
 * What `result` points to is valid until the next example. */
bool example_run(struct engine *engine, const struct example_plan *plan,
                 struct example_result *result, struct error *err);
/* The same where the steps of sessions, if there are any, run one after the other. */
bool example_run_alone(struct engine *engine, const struct example_plan *plan,
                       struct example_result *result, struct error *err);

#endif
