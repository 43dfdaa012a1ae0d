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

struct pgfsm_mutate_options;

/* Start from PGFSM_RUN_OPTIONS_INIT. A negative number takes the value from the machine's
 * settings. */
struct pgfsm_run_options {
    int64_t examples;    /* at least 0 */
    int64_t steps;       /* maximum in an example; at least 1 */
    int64_t seed;        /* at least 0; if the machine has none either, one is drawn */
    int64_t max_time_ms; /* of each machine; 0: no limit */
    /* Connections side by side, each with a copy of the scratch database. 0: one for each
     * processor, if there can be copies. */
    int64_t jobs;
    int64_t shard;       /* from 0: run only every shard_count-th example, from this one on; */
    int64_t shard_count; /* needs a seed. 0: all examples */
    const char *profile; /* a profile of the machine, applied over its settings; NULL: none */
    bool derandomize;    /* derive the seed from the machine's name, if there is none */
    /* Patterns as in a shell: choose only rules whose name matches one of them. 0: all rules. */
    const char *const *rules;
    size_t rule_count;
    bool strict;   /* a rule that never ran counts as an unmet requirement */
    bool in_place; /* load the schema into the named database, inside the transaction */
    bool keep;     /* do not drop the scratch database */
    /* The directory of the example database. Its failing traces of earlier runs run first; new ones
     * are stored there, and those that pass are removed. NULL: none. */
    const char *store;
    bool last_failed; /* run only what the example database holds */
    bool no_pipeline; /* wait for every answer before the next statement */
    /* After each step, ask all invariants that are due, also those whose answer can't have changed
     * since they were asked. This changes no verdict. */
    bool all_invariants;
    /* SQL files to load instead of those that the machine names: schema_count of them, perhaps
     * none. NULL: the machine's. */
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
    /* Tell about examples as they run (callback `tell`): 1: their steps, 2: each statement, too,
     * with its parameters, context and result. Examples then run step by step. 0: tell nothing. */
    int verbose;
    /* Measure times, and which objects of the schema the run touches, for a report with `stats`. */
    bool measure;
    /* Measure how often examples fail, if they all are made in this one way, or in turns ("all"):
     * failures are counted, not examined, reported or stored. NULL: an ordinary run. */
    const char *ways;
    /* Each step is a transaction that is committed, in a scratch database; as the machine's setting
     * `transactions: commit`. */
    bool commit;
    /* How many sessions run steps side by side, 1 to 4; -1: as the machine says. Above 1 each step
     * is committed. */
    int64_t sessions;
    /* Go on with mutants if the machine holds (pgfsm/mutate.h); NULL: no. */
    const struct pgfsm_mutate_options *mutate;
    /* Stop after so many different failures, and not sooner. -1: after five, or 25 examples after
     * the first one. */
    int64_t max_failures;
};
#define PGFSM_RUN_OPTIONS_INIT                                                                     \
    {                                                                                              \
        .examples = -1, .steps = -1, .seed = -1, .max_time_ms = -1, .jobs = -1, .sessions = -1,    \
        .max_failures = -1                                                                         \
    }

enum pgfsm_outcome {
    PGFSM_PASSED,  /* all properties held */
    PGFSM_FAILED,  /* a property failed, perhaps not every time */
    PGFSM_UNMET,   /* all properties held, but a stated requirement was not met */
    PGFSM_NOTHING, /* no example ran, or none of them had a step */
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

/* Read-only; later versions may add members at the end. Texts are borrowed from the run. */
struct pgfsm_failure {
    const char *identity;  /* what distinguishes it from other failures: "invariant editors" */
    const char *rule;      /* of the step that failed; "" after initialize */
    const char *invariant; /* "" if no invariant failed */
    const char *sqlstate;  /* of the server's error; "" if there was none */
    const char *message;   /* the server's; "" if there was none */
    const char *file;      /* where the property is stated */
    size_t line;           /* from 1; 0: unknown */
    size_t column;
    uint64_t example;   /* from 1; 0: a pinned example */
    size_t step;        /* number of steps before the failure; 0: after initialize */
    bool flaky;         /* did not fail in the same way when run again */
    bool leftover;      /* fails only after earlier examples, not on a new connection */
    const char *script; /* path of its replay script; "" if there is none */
    const char *pinned; /* name of the pinned example that failed; "" if it was not one */
    const char *trace;  /* path of its stored trace; "" if there is none */
    /* The shortest steps found, up to the failure, as calls: `push(id=3)`, `users_1 = add()`. Those
     * of initialize are left out. */
    const char *const *steps;
    size_t step_count;
    /* Path of the same for PostgreSQL's isolationtester, beside the script, if several sessions
     * failed; else "". */
    const char *spec;
    /* By which commands know it, "membership-editors": the stem of its script's name. "" if nothing
     * was to be written. */
    const char *name;
};

/* Runs a machine. Returns false, with the reason in `errors`, if the run could not continue: a
 * mistake in the machine, a lost connection, an interrupt. *out then holds what was done until
 * then, or NULL if nothing was. Free *out with pgfsm_run_free. `options` and `callbacks` may be
 * NULL. */
bool pgfsm_run(struct pgfsm_run **out, const struct pgfsm_machine *machine,
               struct pgfsm_database *database, const struct pgfsm_run_options *options,
               const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors);
/* Ignores NULL. */
void pgfsm_run_free(struct pgfsm_run *run);

/* Has the server prepare every statement of the machine, in a scratch database if it has a schema;
 * runs no example. Returns false, with all mistakes in `errors`, if there are any; otherwise calls
 * the callback `prepared`. Of the options only in_place, keep, apply and commit matter. */
bool pgfsm_check(const struct pgfsm_machine *machine, struct pgfsm_database *database,
                 const struct pgfsm_run_options *options, const struct pgfsm_callbacks *callbacks,
                 struct pgfsm_errors *errors);

const struct pgfsm_summary *pgfsm_run_summary(const struct pgfsm_run *run);
/* NULL past the end (summary->failure_count of them). */
const struct pgfsm_failure *pgfsm_run_failure(const struct pgfsm_run *run, size_t index);

PGFSM_END

#endif
