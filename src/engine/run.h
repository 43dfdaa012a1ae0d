/*
 * A run: examples of one machine against one backend, compared with the model after every step.
 *
 * run_machine generates or replays examples, checks, rolls back, counts. What it finds is data in
 * `struct run_result`; progress goes through callbacks. It prints nothing, reads no clock but
 * through `now_us` (monotonic; injected), and never looks at anything but the seed to decide what
 * to draw.
 */
#ifndef ENGINE_RUN_H
#define ENGINE_RUN_H

#include "engine/backend.h"
#include "gen/strategy.h"
#include "machine/machine.h"
#include "store/store.h"
#include "trace/trace.h"

enum failure_kind {
    FAILURE_INVARIANT,        /* expect or check of an invariant */
    FAILURE_EXPECT,           /* of a rule; also affects */
    FAILURE_CHECK,            /* of a rule */
    FAILURE_UNEXPECTED_ERROR, /* the server raised an error that nothing predicts */
    FAILURE_MISSING_ERROR,    /* `raises` predicts one, none was raised */
    FAILURE_DIFFERENT_ERROR,  /* `raises` predicts another one */
    FAILURE_TIMEOUT,          /* statement_timeout or deadline */
    FAILURE_CONNECTION,       /* the server went away while this ran */
};

/* A value of a row, beside the other side's. */
struct shown_cell {
    struct value value;
    const char *name; /* "projects_1": the bundle's value that it is; or NULL */
    bool maybe;       /* or that it is only equal to */
    bool differs;     /* in a changed row: not what the other side has in this column */
};
/* One line of the comparison of rows. */
enum difference_kind {
    DIFFERENCE_MISSING,    /* expected, not there */
    DIFFERENCE_UNEXPECTED, /* there, not expected */
    DIFFERENCE_CHANGED,    /* expected otherwise: under the same key, or at the same place */
};
struct difference {
    enum difference_kind kind;
    /* A cell for each of the columns; NULL on the side that does not have the row. */
    struct shown_cell *expected;
    struct shown_cell *actual;
    int64_t place; /* row from 1 where order counts; 0: it does not */
};

/* What a context sets, as text. */
struct shown_setting {
    const char *name;
    const char *value;
};

/* What it took to shorten a failure. */
struct shortening {
    uint64_t executions; /* traces that were run; 0: it was not shortened */
    uint64_t steps;      /* of them all, those that were run on the database */
    uint64_t time_us;
    /* Why what is reported may not be the shortest, or why that was not tried; NULL: it is. */
    const char *cut_short;
    /* Runs that were given up, as they met a mistake in the model; the first: where and what. */
    uint64_t mistakes;
    const char *mistake; /* NULL: none */
};

/* A script that could not be written; NULL, NULL: there is none. */
struct unwritten {
    const char *name; /* of its file */
    const char *text;
};

struct recording; /* engine/recording.h */

struct failure {
    enum failure_kind kind;
    const char *identity;    /* what tells it from others: "invariant editors", "rule pay: 23514
                                accounts_check" */
    const struct rule *rule; /* the step's; NULL: in initialize's invariants or at the start */
    const struct invariant *invariant; /* NULL: none */
    size_t step;                       /* after how many steps; 0: after initialize */
    const char *sql;                   /* statement as written, or NULL */
    const char *context;               /* "as ann", or NULL */
    /* What the context set when the statement was sent; a role where the machine computes it. */
    VEC(struct shown_setting) settings;
    struct source_pos pos; /* of the key that failed */
    /* `for` names of the invariant with their values, as arguments are shown */
    VEC(struct shown_arg) fors;
    const char
        *expected; /* a short text: "no rows", "3 rows", "unique_violation (23505)", "true" */
    const char *actual;
    const char *const *columns; /* of the rows: their names */
    size_t column_count;
    VEC(struct difference) differences; /* at most 20 */
    size_t difference_count;            /* all */
    /* Where a check does not hold: its source; `actual` is then what it gives. Else NULL. */
    const char *check;
    const char *returned; /* the rows that the check saw, as text: "1 row: (2, None)"; or NULL */
    const char *hint;     /* what may be behind it (an order that no ORDER BY fixes), or NULL */
    struct server_error error;    /* of an error, as first raised; sqlstate "" if none */
    struct trace trace;           /* steps up to and with the failing one */
    VEC(struct shown_step) steps; /* the same, to be shown; initialize steps left out */
    /* Invariants that don't hold after the last of these steps either; of an invariant's failure.
     */
    VEC(const struct invariant *) also;
    /* Values that bundles held at the failure, each under its `reference`: rows are shown by it. */
    VEC(struct shown_arg) bundled;
    uint64_t example;                    /* number, from 1; 0: pinned */
    const struct pinned_example *pinned; /* the one that failed; NULL: none */
    /* The shown steps are all that it takes: there are some, and initialize drew nothing but the
     * simplest, in the order of the file. */
    bool pinnable;
    bool on_trust;                 /* the trace does not hold all arguments (engine/pinned.h) */
    const struct failure *shorter; /* of a pinned one: a shorter form of it, or NULL */
    uint64_t seed;                 /* of the run that found it */
    bool stored;                   /* an earlier run found it */
    size_t example_steps;          /* steps of the example in which it was found */
    struct shortening shortening;
    const struct recording *recording; /* of the trace, for a script; NULL: there is none */
    /* Set by whoever writes scripts: the path of the one that replays it, or why there is none. */
    const char *script;
    const char *no_script;
    struct unwritten unwritten;
    const char *script_note; /* what the script can't tell, in a few words; or NULL */
    const char *kept;        /* set by whoever stores traces: the path of its trace, or NULL */
    bool written;            /* set by whoever does both, when it is done */
    /* It fails again after other examples, and not on a new connection: it needs something that
     * they left behind and no rollback took away. */
    bool leftover;
    bool flaky;                   /* did not fail the same way when run again */
    const char *flaky_difference; /* the first step where the runs differ, and how; or NULL */
};

/* Whether a step was given the value as such, out of no bundle: then it is known by that. */
bool failure_draws(const struct failure *failure, struct value value);

/* Whether the steps of two failures are written alike: what the database makes up differs. */
bool failure_same_steps(const struct failure *a, const struct failure *b);

/* Why a rule did not run where it was tried. */
enum blocked_by {
    BLOCKED_PRECONDITION,
    BLOCKED_BUNDLE,
    BLOCKED_EMPTY,
    BLOCKED_LIMIT,
    BLOCKED_WEIGHT,
    BLOCKED_COUNT
};
/* Beside these, where no rule could run: it was chosen, and no arguments passed. */
enum { DEAD_END_GIVEN_UP = BLOCKED_COUNT, DEAD_END_REASONS };

struct raised_count {
    char sqlstate[6];
    uint64_t count;
};

/* Durations, counted by size: four buckets to a power of two of microseconds, so that a bucket's
 * end is at most a quarter above what is in it; what counts two runs together adds them up. */
enum { DURATION_BUCKETS = 4 * 40 };
struct durations {
    uint64_t count;
    uint64_t total_us;
    uint64_t buckets[DURATION_BUCKETS];
};

struct rule_stats {
    uint64_t chosen;
    uint64_t ran;
    uint64_t given_up; /* after it was chosen: where, filters, references */
    /* Steps whose `raises` predicts an error whatever the model and the arguments are. */
    uint64_t meant_to_fail;
    uint64_t known;               /* steps that failed, where the rule is marked xfail */
    struct filter_counts where;   /* drawn arguments that it was asked about */
    struct filter_counts filters; /* of strategies */
    uint64_t blocked[BLOCKED_COUNT];
    uint64_t dead_ends[DEAD_END_REASONS]; /* examples that ended there: what kept this rule back */
    VEC(struct raised_count) raised;
    struct durations *times; /* of its statements, of a step; NULL where none is measured */
};

struct label_count {
    const char *label;
    uint64_t count;
};

struct invariant_stats {
    uint64_t checked;
    uint64_t skipped;        /* precondition false, or `for` without items */
    uint64_t known;          /* times that it did not hold, where it is marked xfail */
    struct durations *times; /* of its statements, of a check; NULL where none is measured */
};

/* Of a bundle at the ends of examples that did not fail. */
struct bundle_stats {
    uint64_t examples;
    uint64_t values; /* over all of them */
    uint64_t most;
};

/* Examples by their number of steps: none, tenths of settings.steps, more (a trace may have). */
enum { LENGTHS = 12 };

/* More labels than that are not told apart: those behind count as the last one, "…". */
enum { LABELS_MAX = 100 };

struct run_stats {
    uint64_t examples;
    uint64_t steps;
    uint64_t statements;
    uint64_t given_up;
    uint64_t dead_ends; /* examples that ended before settings.steps: no rule could run */
    uint64_t time_us;
    VEC(struct label_count) labels;     /* of steps, by their rules' `label`; at most LABELS_MAX */
    struct rule_stats *rules;           /* machine->rules.count */
    struct invariant_stats *invariants; /* machine->invariants.count */
    struct bundle_stats *bundles;       /* machine->bundles.count */
    uint64_t lengths[LENGTHS];
    uint64_t length_width; /* steps that go to one of the tenths */
};

/* Something that is marked `xfail`, and what the run shows of it. */
enum known_verdict {
    KNOWN_FAILED, /* at least once */
    KNOWN_UNSEEN, /* it did not, which says nothing: it is not strict, or the run was no whole one
                   */
    KNOWN_PASSES, /* it holds, which fails the run */
};
struct known_result {
    const struct known_failure *mark;
    const char *what; /* "invariant editors" */
    const char *noun; /* of what was tried: "check" */
    enum known_verdict verdict;
    uint64_t failed; /* times */
    uint64_t tried;  /* times */
};

enum run_outcome { RUN_PASSED, RUN_FAILED, RUN_NOTHING /* no example was run, or no step */ };

struct run_result {
    enum run_outcome outcome;
    VEC(struct failure) failures;   /* told apart by identity */
    VEC(struct known_result) known; /* in the order of the file, by kind */
    struct run_stats stats;
    uint64_t seed;
    bool ahead;          /* statements ran ahead: answers arrived several together */
    bool cut_short;      /* by max_time or an interrupt */
    bool *stored_passed; /* of options->stored: it was run, and did not fail as it had */
    /* Of the machine's pinned examples: it was run; it failed, where it is marked xfail. NULL: no
     * pinned example came to its turn. */
    bool *pinned_ran;
    bool *pinned_failed;
    /* Of options->stored: steps that could not run, in one that did not fail at all. */
    size_t *stored_left_out;
};

struct run_callbacks {
    void *host;
    uint64_t (*now_us)(void *host); /* monotonic microseconds; required */
    /* Asked between steps; true ends the run (Ctrl-C). May be NULL. */
    bool (*interrupted)(void *host);
    /* After an interrupt, while what was found is made ready to be reported: with true before,
     * with false after that. Between them neither `interrupted` nor the backend may hear of an
     * interrupt. May be NULL. */
    void (*deafen)(void *host, bool deaf);
    /* Called after every example at least; may be NULL. */
    void (*progress)(void *host, const struct run_stats *stats, uint64_t examples_planned);
    /* Called when a failure that is new was found, and (`final`) when it is as it will be reported:
     * so that it outlives whatever may end the run. For one that the run ended on, the first alone;
     * for a pinned one, which is in a file anyway, the second; for none in set-up or in a trace
     * that is run again. From one thread at a time; may be NULL. */
    void (*found)(void *host, struct failure *failure, bool final);
    /* Called every now and then while a failure is being shortened: how long the run takes so far,
     * how many traces were run for that, and the steps of the shortest one that fails; may be NULL.
     */
    void (*shortening)(void *host, uint64_t time_us, uint64_t executions, size_t steps);
    void (*print)(void *host, const char *line,
                  size_t size); /* print() in the model; may be NULL */
    /* Takes lines of what is told (options.narrator); may be NULL. */
    void (*tell)(void *host, const char *text, size_t size);
};

struct narrator;

struct run_options {
    struct settings
        settings; /* as resolved: machine's, then the command line's; has_seed is true */
    bool no_pipeline;
    /* Open backends on copies of the database, for examples side by side; borrowed. What is found
     * and reported does not depend on how many there are. The callbacks but `print` are then called
     * from several threads: `progress`, `shortening` and `print` from one at a time. */
    struct backend *const *helpers;
    size_t helper_count;
    /* Of the fresh examples only every shard_count-th, from number shard + 1 on; 0: all. */
    uint64_t shard;
    uint64_t shard_count;
    /* Failing traces of earlier runs, run before fresh examples; borrowed. */
    const struct stored_trace *stored;
    size_t stored_count;
    bool stored_only; /* run nothing else */
    /* Run the stored ones and nothing else, pinned examples neither; what they show is taken as it
     * is: not run again, not shortened. */
    bool replay;
    bool record;                     /* failures get recordings */
    bool measure;                    /* time steps and checks */
    const struct narrator *narrator; /* tells examples as they run (engine/narrate.h); or NULL */
    bool tell_statements;            /* with each statement */
    const bool *rules_off;           /* by rule: not to be chosen; NULL: all are. Borrowed */
    /* Gets the statements that can't be prepared, though initialize has run; NULL: they are left to
     * the steps. Where there are any the run stops, with the first of them as its error. */
    struct diagnostics *mistakes;
    struct run_callbacks callbacks;
};

/* What a run does before its examples: dataset and initialize, for mistakes in their statements and
 * in those that need what they make. That a property fails there is left to a run. */
bool run_check(const struct machine *machine, struct backend *backend,
               const struct run_options *options, struct error *err);
/* Runs. false: the run could not go on (connection lost, interrupted, a mistake in the model code):
 * `err`; `result` holds what was done until then all the same, and where the server went away while
 * a step ran, its failure. `arena` takes what the result points to; memory does not grow with the
 * number of examples. */
bool run_machine(const struct machine *machine, struct backend *backend,
                 const struct run_options *options, struct arena *arena, struct run_result *result,
                 struct error *err);

#endif
