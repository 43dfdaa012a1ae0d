/* Prints the result of running a machine. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "cli/database.h"

#include <pgfsm/errors.h>
#include <pgfsm/run.h>

/* Prints the errors, clears the list, and returns their exit status. */
enum status report_errors(struct work *work);

/* The same for a run that could not continue. The report of an interrupted run says so itself;
 * `run` NULL: there is no report. */
enum status report_stop(struct work *work, const struct pgfsm_run *run);

/* Prints the report of a run as the options say; `again` is the command that repeats it. */
void report_run(struct work *work, const struct pgfsm_run *run, const char *again);

enum status status_of_outcome(enum pgfsm_outcome outcome);

#endif
