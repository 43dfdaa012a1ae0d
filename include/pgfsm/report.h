#ifndef PGFSM_REPORT_H
#define PGFSM_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include <pgfsm/export.h>
#include <pgfsm/run.h>

PGFSM_BEGIN

/* {0} is the default of everything. */
struct pgfsm_report_options {
    const char *format; /* pgfsm_report_format gives their names; NULL: "text" */
    bool stats;         /* with a table of rules and invariants */
    bool color;         /* with a terminal's colours */
    bool whole;         /* leave nothing out: every step, every value in full */
    bool quiet;         /* only what went wrong */
    const char *again;  /* the command that runs this again, its seed included; NULL: not shown */
    /* The command that runs a replay script, whose path is put behind it; NULL: "psql -X -f" */
    const char *replay;
    /* The same for a stored trace, of a failure that no script can be made of; NULL: "pgfsm replay"
     */
    const char *replay_trace;
};

/* Writes a run's report: `*size` bytes and a NUL, safe to show on a terminal whatever the database
 * returned. *out is yours: free() it. false: there is no such format; *out is NULL. */
bool pgfsm_report(char **out, size_t *size, const struct pgfsm_run *run,
                  const struct pgfsm_report_options *options, struct pgfsm_errors *errors);

/* The name of the format at `index`, from 0; NULL past the last one. */
const char *pgfsm_report_format(size_t index);

PGFSM_END

#endif
