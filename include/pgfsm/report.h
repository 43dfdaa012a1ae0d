#ifndef PGFSM_REPORT_H
#define PGFSM_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include <pgfsm/errors.h>
#include <pgfsm/export.h>
#include <pgfsm/run.h>

PGFSM_BEGIN

/* PGFSM_REPORT_OPTIONS_INIT gives the defaults. */
struct pgfsm_report_options {
    size_t struct_size;
    const char *format; /* a name that pgfsm_report_format returns; NULL: "text" */
    bool stats;         /* add tables of rules and invariants */
    bool color;         /* use a terminal's colours */
    bool whole;         /* show every step, and every value in full */
    bool quiet;         /* show only what went wrong */
    bool unsaved;       /* machines are in no file: no line of one is named */
    bool told; /* errors of a part were shown elsewhere: "text" names them at its end only */
    /* The command that runs a replay script; the report appends the path. NULL: "psql -X -f", or
     * "pgfsm replay" for what psql alone can't test: a simulated clock, two databases */
    const char *replay;
    /* The same for a stored trace, for failures without a script; NULL: "pgfsm replay" */
    const char *replay_trace;
    /* The command that pins a stored failure; the report appends its name. NULL: "pgfsm pin" */
    const char *pin;
    /* The command that writes the page of a stored failure; the report appends its name. NULL: the
     * report names no such command */
    const char *show;
    /* The page that another report of this run is written to: it is named in place of the command.
     * NULL: there is none */
    const char *page;
    /* The prefix of relative paths in "github" and "sarif", which need paths from the top of the
     * repository: "db/". NULL: no prefix */
    const char *folder;
    size_t machines; /* how many machines the report will have; 0 if unknown */
    size_t width;    /* characters in a line of "text"; 0: lines are not broken */
    /* The id of the run that shards have in common, for "json" and "ctrf"; NULL: none */
    const char *run;
};
PGFSM_SIZED(pgfsm_report_options)
#define PGFSM_REPORT_OPTIONS_INIT PGFSM_SIZED_INIT(pgfsm_report_options)

/* One machine of a report. */
struct pgfsm_report_part {
    size_t struct_size;
    const char *path; /* of the machine; NULL: the path that the run knows */
    const char *name; /* of the machine; NULL: the name that the run knows, or it was not read */
    const struct pgfsm_run
        *run; /* NULL if the machine could not be read or its run could not begin */
    /* Why the machine could not be read, or why the run could not continue; NULL if there was no
     * error. */
    const struct pgfsm_errors *errors;
    const char *again; /* the command that repeats this run, with its seed; NULL: not shown */
    /* The maximum size of the part, in bytes: "html" leaves out details to fit. 0: no maximum. */
    size_t most;
    /* Options that all shards of the run must have in common, for "json"; NULL: none */
    const char *options;
    const char *command; /* the program's command that has these options; NULL: run */
    bool made;           /* the command made the machine, which nobody named */
};
PGFSM_SIZED(pgfsm_report_part)
#define PGFSM_REPORT_PART_INIT PGFSM_SIZED_INIT(pgfsm_report_part)

/* Writes the report of a run: `*size` bytes and a NUL. It escapes what the database returned, so
 * that it is safe to show on a terminal. pgfsm_free() *out. Returns false, with *out NULL, if the
 * format does not exist. */
bool pgfsm_report(char **out, size_t *size, const struct pgfsm_run *run,
                  const struct pgfsm_report_options *options, struct pgfsm_errors *errors);

/*
 * A report about several machines, made of a beginning, a part for each of them, and an end.
 *
 * Texts of the options are borrowed until the reporter is freed. Each function returns `*size`
 * bytes and a NUL, which stay valid until the next call.
 */
struct pgfsm_reporter;

/* Returns false, with *out NULL, if the format does not exist. */
bool pgfsm_reporter_new(struct pgfsm_reporter **out, const struct pgfsm_report_options *options,
                        struct pgfsm_errors *errors);
const char *pgfsm_reporter_begin(struct pgfsm_reporter *reporter, size_t *size);
/* NULL, with nothing added, if the part's struct_size is wrong. */
const char *pgfsm_reporter_add(struct pgfsm_reporter *reporter,
                               const struct pgfsm_report_part *part, size_t *size);
/* Returns the end of a report with the parts so far. You may add further parts and call it again.
 */
const char *pgfsm_reporter_end(struct pgfsm_reporter *reporter, size_t *size);
/* Ignores NULL. */
void pgfsm_reporter_free(struct pgfsm_reporter *reporter);

/* The name of the format at `index`, from 0; NULL past the end. */
const char *pgfsm_report_format(size_t index);

PGFSM_END

#endif
