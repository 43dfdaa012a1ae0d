#ifndef PGFSM_REPORT_H
#define PGFSM_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include <pgfsm/export.h>
#include <pgfsm/run.h>

PGFSM_BEGIN

/* {0} gives the defaults. */
struct pgfsm_report_options {
    const char *format; /* a name that pgfsm_report_format returns; NULL: "text" */
    bool stats;         /* add tables of rules and invariants */
    bool color;         /* use a terminal's colours */
    bool whole;         /* show every step, and every value in full */
    bool quiet;         /* show only what went wrong */
    const char *again;  /* the command that repeats this run, with its seed; NULL: not shown */
    /* The command that runs a replay script; the report appends the path. NULL: "psql -X -f" */
    const char *replay;
    /* The same for a stored trace, for failures without a script; NULL: "pgfsm replay" */
    const char *replay_trace;
    /* How many bytes the report should have at most: "html" leaves details out, so that it fits.
     * 0: as many as it likes. */
    size_t most;
};

/* Writes the report of a run: `*size` bytes and a NUL, safe to show on a terminal whatever the
 * database returned. free() *out. Returns false, with *out NULL, if the format does not exist. */
bool pgfsm_report(char **out, size_t *size, const struct pgfsm_run *run,
                  const struct pgfsm_report_options *options, struct pgfsm_errors *errors);

/* What stands before the report of the first run and behind that of the last one, where they are in
 * one file; "" for most formats, and for a name that is none. */
struct pgfsm_report_frame {
    const char *before;
    const char *after;
};
struct pgfsm_report_frame pgfsm_report_frame(const char *format);

/* The name of the format at `index`, from 0; NULL past the end. */
const char *pgfsm_report_format(size_t index);

PGFSM_END

#endif
