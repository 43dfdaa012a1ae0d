/* Where reports go: standard output, and the files that `--report FORMAT=FILE` names. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/database.h"

#include <pgfsm/report.h>

enum output_kind {
    OUTPUT_PRINTED, /* on standard output */
    OUTPUT_LOGGED,  /* on standard error */
    OUTPUT_FILE,    /* replaces the file, again and again */
    OUTPUT_APPENDED /* to a file, at the end */
};

struct output {
    enum output_kind kind;
    const char *format;
    const char *path; /* NULL: none */
    struct pgfsm_reporter *reporter;
    struct strbuf text; /* of the file, without its end */
    bool broken;        /* the file could not be written */
};

/* Options of a report in this format, with the commands that it names. */
struct pgfsm_report_options output_options(struct work *work, const char *format);

/* Begins the reports that the options name, about `machines` machines (0: no run, but a replay). In
 * GitHub Actions a run also gets annotations, and adds to the summary of the step. Files are
 * written at once, with no machine in them: whether that is possible shows before anything runs.
 * Prints why not. */
bool outputs_open(struct work *work, size_t machines);
/* Adds a machine to each report; `left` others come after it. A file is complete each time. */
void outputs_add(struct work *work, const struct pgfsm_report_part *part, size_t left);
/* Ends the reports; gives `status`, or a worse one if a file could not be written. */
enum status outputs_close(struct work *work, enum status status);

/* False, with a word on standard error: a device, a pipe or a folder must not be replaced by a
 * file.
 */
bool output_can_be_file(const char *option, const char *path);

#endif
