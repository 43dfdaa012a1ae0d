/* What became of a machine that was run, on the terminal. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "cli/database.h"

#include <pgfsm/errors.h>
#include <pgfsm/run.h>

/* Shows the errors, and takes them out of the list; the exit status that they ask for. */
enum status report_errors(struct work *work);

/* The same for a run that could not go on; that it was interrupted stands in its report (`run`
 * NULL: there is none). */
enum status report_stop(struct work *work, const struct pgfsm_run *run);

/* Prints the report of a run as the options say; `again` is the command that runs it again. */
void report_run(struct work *work, const struct pgfsm_run *run, const char *again);

/* The exit status that an outcome asks for. */
enum status status_of_outcome(enum pgfsm_outcome outcome);

#endif
