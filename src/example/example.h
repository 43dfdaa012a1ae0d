/* An example: runs a trace, which is generated on the way or replayed. */
#ifndef EXAMPLE_EXAMPLE_H
#define EXAMPLE_EXAMPLE_H

#include "example/engine.h"

/* The outcome of a trace. */
enum outcome {
    OUTCOME_PASS,
    OUTCOME_FAIL,
    OUTCOME_DISCARD, /* it has steps, but none could run */
    OUTCOME_FLAKY,   /* failed before; this time it passed or failed differently */
    OUTCOME_MISTAKE, /* failed before; this time it met a mistake in the model */
};

struct example_result {
    enum outcome outcome;
    const struct failure *failure; /* OUTCOME_FAIL; in the example's arena, as is `trace` */
    struct trace trace;            /* as it ran, up to the failing step */
    const struct run_stats *stats;
    size_t steps; /* settled steps */
};

/* Runs a plan and resets the backend (but see `stays`). False if the outcome is unknown (connection
 * lost, interrupted, a mistake in the model); `result->failure` may then be a FAILURE_CONNECTION.
 * The result is valid until the next example. */
bool example_run(struct engine *engine, const struct example_plan *plan,
                 struct example_result *result, struct error *err);
/* The same, but steps of sessions run one after the other. */
bool example_run_alone(struct engine *engine, const struct example_plan *plan,
                       struct example_result *result, struct error *err);

/* Of two databases: whether the first one differs from itself in these steps. */
enum nature_verdict {
    NATURE_NO,
    NATURE_LEARNED, /* at places that are compared more loosely from now on */
    NATURE_UNCLEAR, /* in a way that hides everything behind it */
};
bool example_doubt(struct engine *engine, const struct trace *trace, uint64_t number,
                   enum nature_verdict *verdict, struct error *err);

#endif
