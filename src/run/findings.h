/* The results of a run so far: counts and distinct failures. */
#ifndef RUN_FINDINGS_H
#define RUN_FINDINGS_H

#include "example/example.h"
#include "run/run.h"

struct findings {
    struct engine *engine; /* of the run's first backend: its clock is the run's */
    const struct run_options *options;
    struct arena *arena; /* for what the result points to */
    struct run_result *result;
};

/* Counts an example that passed. */
void findings_count(struct findings *findings, const struct run_stats *example);
/* Reports the run's progress. `steps` of the running example are added to the counts. */
void findings_tell_progress(struct findings *findings, uint64_t steps);
/* Adds a failure to the results. */
struct failure *findings_keep(struct findings *findings, const struct failure *failure);
/* Adds the failures of another result, which began with those of this one. */
void findings_add(struct findings *findings, const struct run_result *more);
/* Whether the run goes on behind the failure as if there were none, as every use of something shows
 * that two databases differ. */
bool findings_is_past(const struct failure *failure);
/* Counts the plan that the engine ran last. `stopped` is why it could not continue, or NULL.
 * Returns the failure if it is a new one, and otherwise NULL. */
struct failure *findings_take(struct findings *findings, struct engine *engine,
                              const struct example_result *result, const struct error *stopped);
/* Examines a failure of the results, and reports it. It leaves the results if two databases
 * differ there by nature. Adds what they answer otherwise after fewer of its steps, if that is new.
 */
bool findings_examine(struct findings *findings, struct engine *engine, struct failure *failure,
                      struct error *err);
/* The engine's last plan failed with a known identity. If it is shorter, it replaces the known
 * failure. */
bool findings_compare(const struct findings *findings, struct engine *engine, struct error *err);
/* Whether all that a run of an example could show, which failed in another process, is known: that
 * it fails in a way that has been told in its final form. */
bool findings_has(const struct findings *findings, const struct reported_example *reported);
/* At the end of the examples: waits for the failures that other processes examine, and takes over
 * what they have shrunk them to. */
bool findings_settle(struct findings *findings, struct error *err);
/* Records a failure without shrinking it. */
bool findings_record(const struct findings *findings, struct engine *engine,
                     struct failure *failure, struct error *err);
/* Runs a failure once more, unchanged, for an account of its steps. */
bool findings_tell(const struct findings *findings, struct engine *engine, struct failure *failure,
                   struct error *err);

#endif
