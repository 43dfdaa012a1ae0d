/* Recording a failure: what a script of it is made from. */
#ifndef EXAMINE_RECORD_H
#define EXAMINE_RECORD_H

#include "examine/rerun.h"

/* Where the run wants recordings: runs the failure's trace again, on a new connection, as a script
 * will (its check alone, at the end; where it does not fail like that, with what else is checked),
 * and sets failure->recording. It stays NULL where the failure needs what an earlier example left
 * behind. False: the run can't go on. */
bool failure_record(struct examiner *examiner, struct failure *failure, struct error *err);

#endif
