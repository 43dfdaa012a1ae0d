/* Known failures: what the machine marks with `xfail`, and what a run shows about each mark. */
#ifndef RUN_KNOWN_H
#define RUN_KNOWN_H

#include "run/run.h"

/* Whether a mark makes the failure known. A lost connection is never known, and neither is the
 * failure of a stored trace that the user runs again. */
bool known_has(const struct engine *engine, const struct failure *failure);
/* Counts it in `stats` if it is, under the invariant or the rule that is marked. */
void known_count(struct run_stats *stats, const struct engine *engine,
                 const struct failure *failure);

/* Returns true if a marked invariant failed in these counts. */
bool known_seen(const struct machine *machine, const struct run_stats *stats);

/* Fills result->known at the end of the run. `whole`: every planned example ran, with every rule.
 */
void known_judge(struct run_result *result, const struct machine *machine, bool whole,
                 struct arena *arena);

#endif
