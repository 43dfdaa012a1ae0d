/* What a run has found so far: counts, and failures that are told apart. */
#ifndef RUN_FINDINGS_H
#define RUN_FINDINGS_H

#include "example/example.h"
#include "run/run.h"

struct findings {
    struct engine *engine; /* of the run's first backend: its clock is the run's */
    const struct run_options *options;
    struct arena *arena; /* of what the result points to */
    struct run_result *result;
};

/* Counts an example that passed. */
void findings_count(struct findings *findings, const struct run_stats *example);
/* Tells how far the run is: `steps` of the example that runs come on top of what was counted. */
void findings_tell_progress(struct findings *findings, uint64_t steps);
/* Takes over a failure, whatever it is. */
struct failure *findings_keep(struct findings *findings, const struct failure *failure);
/* Counts what a plan gave that ran on the engine as its last one (`stopped`: why it could not go
 * on, or NULL). Gives the failure, where it failed as nothing did before; else NULL. */
struct failure *findings_take(struct findings *findings, struct engine *engine,
                              const struct example_result *result, const struct error *stopped);
/* Examines a failure that was taken over, and tells of it. */
bool findings_examine(const struct findings *findings, struct engine *engine,
                      struct failure *failure, struct error *err);
/* What the engine ran last failed, but not as something new: a failure of the same identity becomes
 * that one if it is shorter. */
bool findings_compare(const struct findings *findings, struct engine *engine, struct error *err);
/* Records a failure as it is. */
bool findings_record(const struct findings *findings, struct engine *engine,
                     struct failure *failure, struct error *err);
/* Runs a failure as it is once more for an account of its steps. */
bool findings_tell(const struct findings *findings, struct engine *engine, struct failure *failure,
                   struct error *err);

#endif
