/* What becomes of a failure that a run found: confirmed, shortened, confirmed on a new connection,
 * recorded. */
#ifndef EXAMINE_EXAMINE_H
#define EXAMINE_EXAMINE_H

#include "examine/rerun.h"

/* Runs the failure's trace again, shortens it, and runs the shortest one on a new connection, as
 * whoever replays it will. Where it fails there, too, nothing that an earlier example left behind
 * is needed. Where it does not, what was found is tried there unshortened, and if that fails
 * shortened there; if not, the failure is marked `leftover`. One that fails neither again nor on a
 * new connection is marked flaky, with the first step where the runs differ.
 *
 * `failure` must be in an arena of its own, and the example that found it still be there.
 * False: the run can't go on; the failure is the shortest known by then, and where that is an
 * interrupt it is recorded all the same. */
bool failure_examine(struct examiner *examiner, struct failure *failure, struct error *err);
/* The same for one of a pinned example, whose steps stay as they are: a shorter form stands beside
 * it. */
bool pinned_examine(struct examiner *examiner, struct failure *failure, struct error *err);

/* What is left to do for a failure when the run was interrupted (`why`): a recording, as it is. */
void failure_write_down(struct examiner *examiner, struct failure *failure,
                        const struct error *why);

#endif
