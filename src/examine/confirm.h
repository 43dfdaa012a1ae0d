/* Whether a failure that a run found fails again. */
#ifndef EXAMINE_CONFIRM_H
#define EXAMINE_CONFIRM_H

#include "examine/rerun.h"

/* Runs the failure's trace again; where it does not fail the same way the failure is marked flaky,
 * with the first step where the runs differ. The run is watched. `failure` must be in an arena of
 * its own, and the example that found it still be there. */
bool failure_confirm(struct examiner *examiner, struct failure *failure, struct error *err);

#endif
