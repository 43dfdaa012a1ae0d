/* Writes the result of running a machine: to standard output and to files. */
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

/* Where a report goes: what is to be in the file so far, or standard output. */
struct output {
    const char *format;
    const char *path;   /* NULL: standard output */
    struct strbuf text; /* of the file, without what stands at its end */
    bool broken;        /* the file could not be written */
};

/* Begins the reports that the options name, each in a file without a run in it: whether it can be
 * written shows before anything is run. Prints why not. */
bool report_open(struct work *work);
/* Writes the reports of a run; `again` is the command that repeats it, `left` how many machines
 * come after it. A file is complete each time. */
void report_run(struct work *work, const struct pgfsm_run *run, const char *again, size_t left);
/* Whether text for people goes to standard output. */
bool report_prints_text(const struct work *work);
/* Ends the reports; gives `status`, or a worse one where a file could not be written. */
enum status report_close(struct work *work, enum status status);

enum status status_of_outcome(enum pgfsm_outcome outcome);

#endif
