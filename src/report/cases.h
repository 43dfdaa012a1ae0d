/*
 * Cases: the properties of a machine, each with what became of it. Formats for other programs,
 * which know tests and their results, are made of them.
 *
 * A case is an invariant, a rule, `initialize`, a pinned example, a requirement or a mutant. A
 * machine that could not be read, or whose run could not continue, has a case for itself.
 */
#ifndef REPORT_CASES_H
#define REPORT_CASES_H

#include "report/report.h"

struct report_place {
    const char *file;
    size_t line; /* from 1; 0: unknown */
    size_t column;
};

/* What is wrong: a failure, or a case that fails as a whole. */
struct report_fault {
    const char *title;               /* "membership: invariant editors" */
    const struct failure *failure;   /* NULL: the case fails as a whole */
    const struct failure *with;      /* with which it is told (alike.h); NULL: it is told itself */
    const struct delivery *delivery; /* of the failure */
    bool stopped;                    /* as the run could not continue */
    struct report_place place;
    const char *message; /* one line: "invariant editors, after step 2; …" */
    const char *text;    /* lines that say more: a failure's block of the text report; NULL: none */
    const char *more;    /* the same without a headline that says what `message` says */
    const char *replay;  /* the command that replays the failure; NULL: there is none */
};

struct report_case {
    const char *kind; /* "invariant", "rule", "initialize", "example", "requirement",
                       * "mutant", "machine" */
    const char *name;
    const char *title; /* "invariant editors" */
    enum case_outcome outcome;
    struct report_place place;
    const char *message; /* one line: why it did not pass; NULL if it did */
    const char *text;    /* lines that say more; NULL: none */
    uint64_t count;      /* how often it was checked, or ran */
    uint64_t time_us;    /* if not `timed`: its share of the machine's, by `count` */
    bool timed;          /* each of its statements was */
    VEC(struct report_fault) failures;
    bool repeats; /* its failures and its steps are those of other cases, too */
};

/* Something that the run says about itself: "never ran", "impossible: precondition false (12)". */
struct report_note {
    const char *title;
    const char *text;
};

struct report_notes {
    VEC(struct report_note) items;
};

struct report_cases {
    struct arena *arena; /* of all that is in it */
    const char *machine; /* its name, or its path if it could not be read */
    const char *summary; /* "100 examples, 4,812 steps, 0.61 s, seed 7261"; "" without a run */
    VEC(struct report_case) items;
    /* Of all cases, each once; differences of two databases in the order of their importance. */
    VEC(struct report_fault) faults;
    VEC(struct report_fault) doubts; /* that fail nothing: mutants that survived */
    struct report_notes notes;
    struct report_notes compared; /* of two databases: what the run compared, and what not */
    size_t counts[CASE_OUTCOMES];
    uint64_t time_us; /* of the run; 0 without one */
    uint64_t began_ms;
    uint64_t ended_ms;
};

/* The cases of a run, in the arena. Adds them to what the report counts. */
struct report_cases report_cases(struct report *report, const struct report_run *run,
                                 struct arena *arena);

/* The name of the machine; NULL: it could not be read. */
const char *report_name(const struct report_run *run);

/* The path from the top of the repository, if that is known. */
const char *report_path(const struct report *report, const char *file, struct arena *arena);

/* "passed", "failed", … */
extern const char *const case_outcomes[CASE_OUTCOMES];
/* "ok", "failed", … */
extern const char *const report_ends[REPORT_ENDS];

#endif
