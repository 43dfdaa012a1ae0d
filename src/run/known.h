/* What is marked `xfail`: which failures are known by it, and what a run shows of each. */
#ifndef RUN_KNOWN_H
#define RUN_KNOWN_H

#include "run/run.h"

/* Notes a failure that is known by what is marked, in the run's counts. False: it is none. A lost
 * connection never is, and where a stored trace is run again nothing is: whoever does that wants to
 * see it. */
bool known_note(struct run_result *result, const struct engine *engine,
                const struct failure *failure);

/* Whether an invariant that is marked did not hold in these counts. */
bool known_seen(const struct machine *machine, const struct run_stats *stats);

/* Fills result->known, as the run is over: `whole`, every example that was planned was run, with
 * every rule. */
void known_judge(struct run_result *result, const struct machine *machine, bool whole,
                 struct arena *arena);

#endif
