/* Writes the result of running a machine: errors to standard error, reports to where they go. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "cli/database.h"

#include <pgfsm/errors.h>
#include <pgfsm/report.h>

/* Prints the errors, clears the list, and returns their exit status. */
enum status report_errors(struct work *work);

/* Writes the reports of a machine, with the errors of `work`, and clears these. `left` machines
 * come after it. If the run could not continue, the errors are printed first, except for an
 * interrupt, which the report tells. Returns the exit status. */
enum status report_run(struct work *work, const struct pgfsm_report_part *part, size_t left);

#endif
