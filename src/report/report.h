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
#include "mutate/mutant.h"
#include "report/compared.h"
#include "report/delivery.h"
#include "run/run.h"

/* Why a machine could not be read, or its run could not continue; texts are safe to show. */
struct report_problem {
    const char *file; /* "": it has no place */
    size_t line;      /* 0: it has no place */
    size_t column;
    const char *message; /* one sentence */
    const char *text;    /* all of it: lines */
};

/* The results of running one machine. */
struct report_run {
    const char *path;              /* of the machine, as given */
    const char *name;              /* of the machine, where no run of it began; NULL: not known */
    const struct machine *machine; /* NULL: no run of it began, and there is no result either */
    const struct run_result *result;
    const struct delivery *deliveries; /* of the first failures, in their order */
    size_t delivery_count;
    const char *again;   /* the command that repeats this run; NULL: not shown */
    const char *options; /* that shards have in common; NULL: not shown */
    const char *command; /* that the options are those of; NULL: run */
    bool made;           /* by the command: nobody named the machine */
    size_t most;         /* bytes that this part of the report should have; 0: any number */
    const struct report_problem *problems;
    size_t problem_count;
    uint64_t examples_planned;
    /* It ran every shard_count-th fresh example, from number shard + 1 on, so only the whole run
     * shows what was not tested. 0: it is no shard */
    uint64_t shard;
    uint64_t shard_count;
    const char *inputs; /* of a shard: a hash of its SQL files */
    bool shared;        /* several processes ran the examples, and each has a report of all */
    bool only_known;    /* only pinned examples and stored traces ran; no examples were generated */
    const char *idle;   /* why it is right that no fresh example ran; NULL: some should have */
    const char *nothing; /* why there was nothing to run; NULL: there was, or it is not known */
    int64_t max_time_ms; /* 0: no limit */
    /* Why the run could not continue; ERROR_NONE if it could. Its text stands among the problems.
     */
    enum error_code stopped;
    const char *const *warnings; /* of the backend; ends with NULL; may be NULL */
    bool unmet;                  /* a requirement was not met (--strict, `require`) */
    bool strict;                 /* a rule that never ran is an unmet requirement */
    size_t blocked;              /* findings of what the migration blocks that are one, too */
    bool blocks_unknown;         /* what it blocks was to be found, and was not */
    const bool *rules_off;       /* by rule: excluded from the run; NULL: none */
    const bool *invariants_off;  /* the same by invariant */
    /* Set if the run replayed one stored trace: what that trace failed with. NULL: an ordinary
     * run. */
    const char *replayed;
    const struct mutation *mutation;         /* NULL: no mutants */
    const struct backend_coverage *coverage; /* NULL: not measured */
    const struct report_compared *compared;  /* of two databases; NULL: there was one */
    const char
        *ways; /* if the run counted failing examples, how they were made; NULL: it did not */
};

struct report_options {
    bool stats;         /* tables of rules and invariants */
    bool color;         /* escapes of ECMA-48 (SGR) for colour */
    bool whole;         /* every step, every value in full */
    bool quiet;         /* nothing if all properties held */
    bool unsaved;       /* machines are in no file: no line of one is named */
    bool told;          /* problems were shown elsewhere: only the end names them */
    const char *replay; /* the command that runs a script, without its path; NULL: psql -X -f */
    const char *replay_trace; /* the same for a stored trace; NULL: pgfsm replay */
    const char *pin;    /* the command that pins a failure, without its name; NULL: pgfsm pin */
    const char *show;   /* the same that writes its page; NULL: it is not named */
    const char *page;   /* where another report writes one; NULL: nowhere */
    size_t width;       /* of lines that are fitted to the terminal; 0: unknown */
    const char *folder; /* stands before relative paths in a repository; NULL: nothing */
    const char *run;    /* id of the run that a shard belongs to; NULL: not known */
    size_t machines;    /* how many the report will be about */
};

/* How the run of a machine ended. */
enum report_end {
    REPORT_OK,
    REPORT_FAILED,
    REPORT_UNMET,
    REPORT_NOTHING,
    REPORT_STOPPED, /* it could not continue, or not begin */
    REPORT_ENDS
};
/* What became of a case (report/cases.h). */
enum case_outcome {
    CASE_PASSED,
    CASE_FAILED,
    CASE_KNOWN,   /* it failed, and is marked xfail */
    CASE_SKIPPED, /* it was never tried */
    CASE_ERROR,   /* the run could not continue */
    CASE_OUTCOMES
};

/* A report about one machine or several, while it is being written. */
struct report {
    const struct report_format *format;
    struct report_options options;
    const char *version;         /* of pgfsm */
    uint64_t began_ms;           /* since 1970: when the report began */
    uint64_t ended_ms;           /* when the last machine, or the report, ended */
    size_t ends[REPORT_ENDS];    /* machines so far, by how they ended */
    size_t cases[CASE_OUTCOMES]; /* cases so far, in formats that have them */
    bool compared;               /* a machine so far ran on two databases */
    size_t written;              /* what else the format counts */
    struct strbuf kept;          /* text that the format keeps for the end */
    struct strbuf faults, below; /* the same, if there is more than one text: what is wrong, … */
};

/* A format writes a beginning, a part for each machine in turn, and an end. What it says after that
 * about all machines it counts in `struct report`. The end may be written several times, each time
 * behind the machines so far. */
struct report_cases; /* report/cases.h */
struct report_format {
    const char *name;
    void (*begin)(const struct report *report, struct strbuf *out); /* NULL: nothing */
    /* A format for other programs has the second one instead. */
    void (*add)(struct report *report, const struct report_run *run, struct strbuf *out);
    void (*add_cases)(struct report *report, const struct report_run *run,
                      const struct report_cases *cases, struct strbuf *out);
    void (*end)(const struct report *report, struct strbuf *out); /* NULL: nothing */
};

/* The formats: each is a constant report_NAME in a file of its own. */
#define REPORT_FORMATS(ROW)                                                                        \
    ROW(text)                                                                                      \
    ROW(html)                                                                                      \
    ROW(tap) ROW(junit) ROW(json) ROW(github) ROW(markdown) ROW(sarif) ROW(ctrf) ROW(mutation)
#define REPORT_DECLARE(name) extern const struct report_format report_##name;
REPORT_FORMATS(REPORT_DECLARE)

/* Ends with NULL. */
extern const struct report_format *const report_formats[];
/* NULL if there is no such format. */
const struct report_format *report_format_find(const char *name);

/* These write the parts of a report, and count. */
void report_begin(const struct report *report, struct strbuf *out);
void report_add(struct report *report, const struct report_run *run, struct strbuf *out);
void report_end(const struct report *report, struct strbuf *out);
/* Frees what the format kept. */
void report_free(struct report *report);

/* requirements.c */

enum report_end report_end_of(const struct report_run *run);
/* Whether examples ran, and `initialize` did not fail in all of them. */
bool report_has_examples(const struct report_run *run);
/* Whether the run can show what the machine does not test: it generated examples, and
 * report_has_examples. */
bool report_explores(const struct report_run *run);
/* The same, and it is no shard, which sees a part of the run. */
bool report_judges(const struct report_run *run);
/* Whether the rule was excluded; whether it was not, but never ran. */
bool report_rule_off(const struct report_run *run, size_t rule);
bool report_invariant_off(const struct report_run *run, size_t invariant);
bool report_rule_idle(const struct report_run *run, size_t rule);
/* The number of rules that never ran, and of invariants that were never checked; 0 unless
 * report_judges. */
size_t report_never_ran(const struct report_run *run);
size_t report_never_checked(const struct report_run *run);
/* The number of steps of the requirement's rule, or with its label. */
uint64_t report_required_steps(const struct report_run *run, const struct requirement *wanted);
bool report_is_met(const struct report_run *run, const struct requirement *wanted);
/* Whether mutants survived; whether they were to be graded, and fewer were killed than was asked
 * for; whether none was killed or survived. */
bool report_misses(const struct report_run *run);
bool report_score_low(const struct report_run *run);
bool report_graded_nothing(const struct report_run *run);
/* The number of requirements that are not met; 0 unless report_judges. */
size_t report_unmet(const struct report_run *run);

#endif
