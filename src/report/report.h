/*
 * Reports: the results of a run, as text in some format.
 *
 * A format is a row of a table: a name and a function from data to bytes. Nothing here prints,
 * reads a clock or asks a database; the same data give the same bytes. Text from outside (values,
 * names, SQL, the server's messages) is made safe to show (base/visible.h).
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/strbuf.h"
#include "machine/machine.h"
#include "run/run.h"

/* The results of running one machine. */
struct report_run {
    const struct machine *machine;
    const struct run_result *result;
    uint64_t examples_planned;
    bool only_known; /* only pinned examples and stored traces ran; no examples were generated */
    int64_t max_time_ms; /* 0: no limit */
    /* Why the run could not continue; ERROR_NONE if it could. The report does not repeat its
     * text. */
    enum error_code stopped;
    const char *const *warnings; /* of the backend; ends with NULL; may be NULL */
    bool unmet;                  /* a requirement was not met (--strict, `require`) */
    const bool *rules_off;       /* by rule: excluded from the run; NULL: none */
    /* Set if the run replayed one stored trace: what that trace failed with. NULL: an ordinary
     * run. */
    const char *replayed;
    const struct backend_coverage *coverage; /* NULL: not measured */
    const char
        *ways; /* if the run counted failing examples, how they were made; NULL: it did not */
};

struct report_options {
    bool stats;         /* tables of rules and invariants */
    bool color;         /* escapes of ECMA-48 (SGR) for colour */
    bool whole;         /* every step, every value in full */
    bool quiet;         /* nothing if all properties held */
    const char *again;  /* the command that repeats this run; NULL: not shown */
    const char *replay; /* the command that runs a script, without its path; NULL: psql -X -f */
    const char *replay_trace; /* the same for a stored trace; NULL: pgfsm replay */
    size_t most;              /* bytes that the report should have; 0: as many as it likes */
};

typedef void report_writer(const struct report_run *run, const struct report_options *options,
                           struct strbuf *out);
struct report_format {
    const char *name;
    report_writer *write;
    const char *before; /* the reports of all runs in one file; NULL: nothing */
    const char *after;  /* them */
};

/* The formats: each is a function report_NAME in a file of its own. */
#define REPORT_FORMATS(ROW) ROW(text, NULL, NULL)
#define REPORT_DECLARE(name, before, after) report_writer report_##name;
REPORT_FORMATS(REPORT_DECLARE)

/* Ends with a row whose name is NULL. */
extern const struct report_format report_formats[];
/* NULL if there is no such format. */
const struct report_format *report_format_find(const char *name);

/* requirements.c */

/* Whether examples ran, and `initialize` did not fail in all of them. */
bool report_has_examples(const struct report_run *run);
/* Whether the run can show what the machine does not test: it generated examples, and
 * report_has_examples. */
bool report_explores(const struct report_run *run);
/* Whether the rule was not excluded, but never ran. */
bool report_rule_idle(const struct report_run *run, size_t rule);
/* The number of rules that never ran, and of invariants that were never checked; 0 unless
 * report_explores. */
size_t report_never_ran(const struct report_run *run);
size_t report_never_checked(const struct report_run *run);
/* The number of steps of the requirement's rule, or with its label. */
uint64_t report_required_steps(const struct report_run *run, const struct requirement *wanted);
bool report_is_met(const struct report_run *run, const struct requirement *wanted);
/* The number of requirements that are not met; 0 unless report_explores. */
size_t report_unmet(const struct report_run *run);

#endif
