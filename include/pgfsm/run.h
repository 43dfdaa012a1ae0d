#ifndef PGFSM_RUN_H
#define PGFSM_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pgfsm/callbacks.h>
#include <pgfsm/database.h>
#include <pgfsm/errors.h>
#include <pgfsm/export.h>
#include <pgfsm/machine.h>

PGFSM_BEGIN

/*
 * A run of one machine's examples against one database, and its results.
 */
struct pgfsm_run;

struct pgfsm_diff_options;
struct pgfsm_mutate_options;
struct pgfsm_merge;

/* Start from PGFSM_RUN_OPTIONS_INIT. A negative number takes the value from the machine's
 * settings. */
struct pgfsm_run_options {
    size_t struct_size;
    int64_t examples;    /* at least 0 */
    int64_t steps;       /* maximum in an example; at least 1 */
    int64_t seed;        /* at least 0; if the machine does not set it either, it is random */
    int64_t max_time_ms; /* of each machine; 0: no limit */
    /* Connections side by side, each with a copy of the scratch database. 0: one for each
     * processor, if there can be copies. */
    int64_t jobs;
    int64_t shard;       /* from 0: start with this example, and run only every shard_count-th; */
    int64_t shard_count; /* needs a seed. 0: all examples */
    const char *profile; /* a profile of the machine, applied over its settings; NULL: none */
    bool derandomize;    /* derive the seed from the machine's name, if there is none */
    /* Patterns as in a shell: choose only rules whose name matches one of them. 0: all rules. */
    const char *const *rules;
    size_t rule_count;
    /* The same for invariants: check only those. 0: all. */
    const char *const *invariants;
    size_t invariant_count;
    bool strict;   /* a rule that never ran counts as an unmet requirement, and so does one that
                      waits for the machine's migration */
    bool in_place; /* load the schema into the named database, inside the transaction */
    bool keep;     /* do not drop the scratch database */
    /* The directory of the example database. Its failing traces of earlier runs run first; new ones
     * are stored there, and those that pass are removed. NULL: none. */
    const char *store;
    bool last_failed; /* run only what the example database holds */
    bool no_pipeline; /* wait for every answer before the next statement */
    /* Check all due invariants after each step, even those whose answer can't have changed since
     * the last check. The verdict stays the same. */
    bool all_invariants;
    /* SQL files to load instead of the machine's: schema_count of them, which may be 0. NULL: load
     * the machine's. */
    const char *const *schema;
    size_t schema_count;
    const char *const *apply; /* SQL files to load after the schema */
    size_t apply_count;
    /* The folder for replay scripts, one for each failure; created if needed. NULL: write none. */
    const char *out;
    /* The path of a stored trace. Only this trace runs, once, with the seed and the number that it
     * was found with. A failure is not shrunk; nothing is stored, removed or written. Of the
     * options only in_place, keep, no_pipeline, apply, profile and commit matter. NULL: none. */
    const char *trace;
    /* Report on examples as they run, through the callback `tell`. 1: their steps. 2: also each
     * statement, with its parameters, context and result. Each answer is then awaited before the
     * next step. 0: do not report. */
    int verbose;
    /* Measure times, and which objects of the schema the run touches, for a report with `stats`. */
    bool measure;
    /* For benchmarks: generate all examples in this way, or in each way in turn ("all"), and count
     * the failures. They are not examined, reported or stored. NULL: an ordinary run. */
    const char *ways;
    /* Commit each step as a transaction of its own, in a scratch database, like the machine's
     * setting `transactions: commit`. */
    bool commit;
    /* Let the clients of all rules die in some steps, before or after a COMMIT, and send such steps
     * again. Each step is committed. */
    bool crash;
    /* How many sessions run steps concurrently, 1 to 4; -1: the machine's setting. Above 1, each
     * step is committed. */
    int64_t sessions;
    /* Test mutants if the machine passes (pgfsm/mutate.h); NULL: no. */
    const struct pgfsm_mutate_options *mutate;
    /* Stop only after this many different failures. -1: stop after five, or 25 examples after the
     * first one. */
    int64_t max_failures;
    /* Passing examples, at most, that the reports "html" and "json" show step by step: those with
     * the most different rules. They run once more at the end. 0: none. */
    int64_t open_passing;
    /* Compare with another database (pgfsm/diff.h); NULL: no. */
    const struct pgfsm_diff_options *diff;
    /* Take the examples from the reports of shards, and the seed (pgfsm/merge.h); NULL: no. */
    const struct pgfsm_merge *merge;
    /* The URL of a database in which processes share failures, beside `store`. NULL: none. */
    const char *shared;
    /* With `shared`: the processes with this id split the examples and the mutants between them,
     * and each gets the results of all. They must have the same seed and the same options. NULL: no
     * such run. */
    const char *run_id;
};
#ifdef __cplusplus
static inline struct pgfsm_run_options pgfsm_run_options_init()
{
    struct pgfsm_run_options out = {};
    out.struct_size = sizeof out;
    out.examples = out.steps = out.seed = out.max_time_ms = out.jobs = out.sessions =
        out.max_failures = -1;
    return out;
}
#define PGFSM_RUN_OPTIONS_INIT pgfsm_run_options_init()
#else
#define PGFSM_RUN_OPTIONS_INIT                                                                     \
    {                                                                                              \
        .struct_size = sizeof(struct pgfsm_run_options), .examples = -1, .steps = -1, .seed = -1,  \
        .max_time_ms = -1, .jobs = -1, .sessions = -1, .max_failures = -1                          \
    }
#endif

enum pgfsm_outcome {
    PGFSM_OUTCOME_PASSED,  /* all properties held */
    PGFSM_OUTCOME_FAILED,  /* a property failed, perhaps not every time */
    PGFSM_OUTCOME_UNMET,   /* all properties held, but a stated requirement was not met */
    PGFSM_OUTCOME_NOTHING, /* no example ran, or none of them had a step */
};

/* Read-only; later versions may add members at the end. */
struct pgfsm_summary {
    enum pgfsm_outcome outcome;
    uint64_t seed;
    uint64_t examples;
    uint64_t examples_planned;
    uint64_t steps;
    uint64_t statements;
    uint64_t given_up; /* steps that were chosen but could not run */
    uint64_t time_us;
    bool cut_short; /* by max_time or an interrupt */
    size_t failure_count;
    size_t never_ran;     /* rules */
    size_t never_checked; /* invariants */
    uint64_t failed;      /* examples, except for known failures */
};

/* How a property failed. Later versions may add kinds. */
enum pgfsm_failure_kind {
    PGFSM_FAILURE_INVARIANT,        /* an invariant's `expect` or `check` */
    PGFSM_FAILURE_EXPECT,           /* a rule's `expect` or `affects` */
    PGFSM_FAILURE_CHECK,            /* a rule's `check` */
    PGFSM_FAILURE_UNEXPECTED_ERROR, /* the server raised an error that was not predicted */
    PGFSM_FAILURE_MISSING_ERROR,    /* it raised none, where the machine predicted one */
    PGFSM_FAILURE_DIFFERENT_ERROR,  /* it raised another one than predicted */
    PGFSM_FAILURE_TIMEOUT,          /* a statement ran too long */
    PGFSM_FAILURE_CONNECTION,       /* the connection was lost */
    PGFSM_FAILURE_RACE,             /* no serial order explains the answers of several sessions */
    PGFSM_FAILURE_DIFFERS,          /* two databases answer differently (pgfsm/diff.h) */
};

/* Read-only; later versions may add members at the end. Texts are borrowed from the run. */
struct pgfsm_failure {
    const char *identity;  /* tells it from other failures: "invariant editors" */
    const char *rule;      /* of the step that failed; "" after initialize */
    const char *invariant; /* "" if no invariant failed */
    const char *sqlstate;  /* of the server's error; "" if there was none */
    const char *message;   /* the server's; "" if there was none */
    const char *file;      /* the file that states the property */
    size_t line;           /* from 1; 0: unknown */
    size_t column;
    uint64_t example;   /* from 1; 0: a pinned example */
    size_t step;        /* number of steps before the failure; 0: after initialize */
    bool flaky;         /* did not fail in the same way when run again */
    bool leftover;      /* fails only after earlier examples, but not on a new connection */
    const char *script; /* path of its replay script; "" if there is none */
    const char *pinned; /* name of the pinned example that failed; "" if it was not one */
    const char *trace;  /* path of its stored trace; "" if there is none */
    /* The shortest sequence found, up to the failure, as calls: `push(id=3)`, `users_1 = add()`. It
     * leaves out the steps of initialize. */
    const char *const *steps;
    size_t step_count;
    /* Path of the same steps as a spec for PostgreSQL's isolationtester, beside the script. ""
     * unless several sessions failed. */
    const char *spec;
    /* Its name in commands, "membership-editors": the stem of its script's name. "" if the run
     * writes no files. */
    const char *name;
    enum pgfsm_failure_kind kind;
    /* Short texts of what the machine predicted, and of what came: "3 rows", "no rows",
     * "unique_violation (23505)"; of two databases, what each answered. "" if there is none. */
    const char *expected;
    const char *actual;
    /* Why `script` is "" although the run writes scripts: the file could not be written, or no
     * script can show this failure. "" if there is one. */
    const char *no_script;
};

/* Runs a machine. Returns false, with the reason in `errors`, if the run could not continue: a
 * mistake in the machine, a lost connection, an interrupt. *out then holds the results so far, or
 * NULL if there are none. Free *out with pgfsm_run_free. `options` and `callbacks` may be NULL. */
bool pgfsm_machine_run(struct pgfsm_run **out, const struct pgfsm_machine *machine,
                       struct pgfsm_database *database, const struct pgfsm_run_options *options,
                       const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors);
/* Ignores NULL. */
void pgfsm_run_free(struct pgfsm_run *run);

/* Has the server prepare every statement of the machine, in a scratch database if it has a schema,
 * without running examples. If there are mistakes, returns false, with all of them in `errors`.
 * Otherwise calls the callback `prepared`. Of the options only in_place, keep, apply and commit
 * matter. */
bool pgfsm_machine_check(const struct pgfsm_machine *machine, struct pgfsm_database *database,
                         const struct pgfsm_run_options *options,
                         const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors);

const struct pgfsm_summary *pgfsm_run_summary(const struct pgfsm_run *run);
/* What the run warns of, as reports show it: that a failure could not be stored, that a setting has
 * no effect. Borrowed from the run. NULL past the end. */
const char *pgfsm_run_warning(const struct pgfsm_run *run, size_t index);
/* NULL past the end (summary->failure_count of them). */
const struct pgfsm_failure *pgfsm_run_failure(const struct pgfsm_run *run, size_t index);

PGFSM_END

#endif
