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
 * A run: examples of one machine against one database, and what came of it.
 */
struct pgfsm_run;

/* Begin with PGFSM_RUN_OPTIONS_INIT. A negative number means: as the machine's settings say. */
struct pgfsm_run_options {
    int64_t examples;    /* at least 0 */
    int64_t steps;       /* of an example at the most, at least 1 */
    int64_t seed;        /* at least 0; where the machine has none either, one is drawn */
    int64_t max_time_ms; /* of the whole run; 0: no limit */
    int64_t jobs;        /* connections side by side, each with a copy of the scratch database */
    int64_t shard;       /* from 0: of the examples only every shard_count-th, from this one on; */
    int64_t shard_count; /* needs a seed. 0: all examples */
    const char *profile; /* of the machine: laid over its settings; NULL: none */
    bool derandomize;    /* where there is no seed, the machine's name gives one */
    /* Patterns of rules, as a shell's; only rules that one of them fits are chosen. 0: all. */
    const char *const *rules;
    size_t rule_count;
    bool strict;   /* a rule that never ran is a requirement that was not met */
    bool in_place; /* load the schema in the named database, inside the transaction */
    bool keep;     /* leave the scratch database where it is */
    /* The example database: failing traces of earlier runs are run first from this directory, new
     * ones are kept there, and those that pass now are removed. NULL: none. */
    const char *store;
    bool last_failed; /* run only what the example database holds */
    bool no_pipeline; /* wait for every answer before the next statement */
    const char *const
        *apply; /* further SQL files to load after the schema; `apply_count` of them */
    size_t apply_count;
    /* The folder for replay scripts, one for each failure; it is made where it is needed. NULL:
     * none are written. */
    const char *out;
    /* The path of a stored trace: it alone is run, once, with the seed and the number that it was
     * found with; what it shows is not shortened. Nothing is stored, removed or written, and of the
     * settings above only in_place, keep, no_pipeline, apply and profile matter. NULL: none. */
    const char *trace;
    /* Tell the examples as they run (callback `tell`): 1 with their steps, 2 with each statement,
     * its parameters, context and answer, too. They run step by step then. 0: tell nothing. */
    int verbose;
    /* Time steps and checks, and find out what of the schema the run touches: for a report with
     * `stats`. */
    bool measure;
};
#define PGFSM_RUN_OPTIONS_INIT                                                                     \
    {                                                                                              \
        .examples = -1, .steps = -1, .seed = -1, .max_time_ms = -1, .jobs = -1                     \
    }

enum pgfsm_outcome {
    PGFSM_PASSED,  /* all held */
    PGFSM_FAILED,  /* a property failed, perhaps not every time */
    PGFSM_UNMET,   /* all held, but a stated requirement was not met */
    PGFSM_NOTHING, /* no example was run, or none of them had a step */
};

/* To be read only; members may be added at the end. */
struct pgfsm_summary {
    enum pgfsm_outcome outcome;
    uint64_t seed;
    uint64_t examples;
    uint64_t examples_planned;
    uint64_t steps;
    uint64_t statements;
    uint64_t given_up; /* steps that were chosen and could not be run */
    uint64_t time_us;
    bool cut_short; /* by max_time or an interrupt */
    size_t failure_count;
    size_t never_ran;     /* rules */
    size_t never_checked; /* invariants */
};

/* To be read only; members may be added at the end. Texts are borrowed from the run. */
struct pgfsm_failure {
    const char *identity;  /* what tells it from others: "invariant editors" */
    const char *rule;      /* of the step that failed; "" after initialize */
    const char *invariant; /* "" where it was none */
    const char *sqlstate;  /* of the server's error; "" where there was none */
    const char *message;   /* the server's; "" where there was none */
    const char *file;      /* where the property stands */
    size_t line;           /* from 1; 0: no place */
    size_t column;
    uint64_t example;   /* from 1; 0: a pinned one */
    size_t step;        /* after how many steps; 0: after initialize */
    bool flaky;         /* did not fail the same way when it was run again */
    bool leftover;      /* not on a new connection: it needs what an earlier example left behind */
    const char *script; /* the path of its replay script; "" where there is none */
    const char *pinned; /* the name of the pinned example that failed; "" where it was none */
    const char *trace;  /* the path of its stored trace; "" where there is none */
};

/* Runs. false: it could not go on (a mistake in the machine, the connection was lost, interrupted):
 * `errors` says why, and what was done until then is in *out all the same. *out is NULL where
 * nothing was begun; else it is yours. `options` and `callbacks` may be NULL. */
bool pgfsm_run(struct pgfsm_run **out, const struct pgfsm_machine *machine,
               struct pgfsm_database *database, const struct pgfsm_run_options *options,
               const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors);
/* NULL is fine. */
void pgfsm_run_free(struct pgfsm_run *run);

/* Prepares every statement of the machine on a database, in a scratch database with its schema, and
 * runs no example. false: all mistakes are in `errors`; else the callback `prepared` is told what
 * came of it. Of the options only in_place, keep and apply matter. */
bool pgfsm_check(const struct pgfsm_machine *machine, struct pgfsm_database *database,
                 const struct pgfsm_run_options *options, const struct pgfsm_callbacks *callbacks,
                 struct pgfsm_errors *errors);

const struct pgfsm_summary *pgfsm_run_summary(const struct pgfsm_run *run);
/* NULL past the end (summary->failure_count of them). */
const struct pgfsm_failure *pgfsm_run_failure(const struct pgfsm_run *run, size_t index);

PGFSM_END

#endif
