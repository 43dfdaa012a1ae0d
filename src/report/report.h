/*
 * Reports: what a run says, as text in some format.
 *
 * A format is a row of a table: a name and a function from data to bytes. Nothing here prints,
 * reads a clock or asks a database; the same data give the same bytes. All that came from outside
 * (values, names, SQL, the server's messages) is made safe to show (base/visible.h).
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/strbuf.h"
#include "machine/machine.h"
#include "run/run.h"

/* What came of running one machine. */
struct report_run {
    const struct machine *machine;
    const struct run_result *result;
    uint64_t examples_planned;
    bool only_known;     /* of pinned examples and stored traces alone: none was to be generated */
    int64_t max_time_ms; /* as resolved; 0: no limit */
    /* Why the run could not go on; ERROR_NONE where it did. Its text is not repeated here. */
    enum error_code stopped;
    const char *const *warnings; /* of the backend; ends with NULL; may be NULL */
    bool unmet;                  /* a stated requirement was not met (--strict, `require`) */
    const bool *rules_off;       /* by rule: left out of the run; NULL: none */
    /* What the stored trace failed with that alone was run; NULL: an ordinary run. */
    const char *replayed;
    const struct backend_coverage *coverage; /* NULL: it was not found out */
};

struct report_options {
    bool stats;         /* a table of rules and invariants */
    bool color;         /* escapes of ECMA-48 (SGR) for colour */
    bool whole;         /* every step, every value in full */
    bool quiet;         /* nothing where all held */
    const char *again;  /* the command that runs this again; NULL: not shown */
    const char *replay; /* the command that runs a script, before its path; NULL: psql -X -f */
    const char *replay_trace; /* that runs a stored trace; NULL: pgfsm replay */
};

typedef void report_writer(const struct report_run *run, const struct report_options *options,
                           struct strbuf *out);
struct report_format {
    const char *name;
    report_writer *write;
};

/* The formats: each is a function report_NAME in a file of its own. */
#define REPORT_FORMATS(ROW) ROW(text)
#define REPORT_DECLARE(name) report_writer report_##name;
REPORT_FORMATS(REPORT_DECLARE)

/* Ends with a row whose name is NULL. */
extern const struct report_format report_formats[];
/* NULL: there is none of that name. */
const struct report_format *report_format_find(const char *name);

/* requirements.c */

/* Whether there is something to say of what ran: not where nothing did, or `initialize` failed. */
bool report_has_examples(const struct report_run *run);
/* Whether the run shows what the machine leaves out: it generated examples, and not all of them
 * ended in a failing `initialize`. */
bool report_explores(const struct report_run *run);
/* Whether the rule was to run, and did not. */
bool report_rule_idle(const struct report_run *run, size_t rule);
/* Rules that did not run and invariants that were not checked, in a run that explores. */
size_t report_never_ran(const struct report_run *run);
size_t report_never_checked(const struct report_run *run);
/* Steps of the rule, or with the label, that the requirement is about. */
uint64_t report_required_steps(const struct report_run *run, const struct requirement *wanted);
bool report_is_met(const struct report_run *run, const struct requirement *wanted);
/* Requirements that are not met, in a run that explores. */
size_t report_unmet(const struct report_run *run);

#endif
