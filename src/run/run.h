/*
 * A run: examples of one machine against one backend, compared with the model after every step.
 *
 * run_machine generates or replays examples, checks them, rolls back and counts. Its results are
 * data in `struct run_result`; progress goes through callbacks. It prints nothing, and reads the
 * time only through `now_us` (monotonic; injected). Only the seed decides what it draws.
 */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "base/json.h"
#include "example/failure/failure.h"
#include "example/stats.h"
#include "run/options.h"

/* A mark `xfail`, and what the run shows about it. */
enum known_verdict {
    KNOWN_FAILED, /* at least once */
    KNOWN_UNSEEN, /* it did not fail, but the mark is not strict or the run was not complete */
    KNOWN_PASSES, /* it did not fail, and the mark is strict: the run fails */
};
struct known_result {
    const struct known_failure *mark;
    const char *what; /* "invariant editors" */
    const char *noun; /* for `tried`: "check" */
    enum known_verdict verdict;
    uint64_t failed; /* times */
    uint64_t tried;  /* times */
};

/* A passing example that the report shows (run/passing.h). */
struct account;
struct passing_example {
    uint64_t number;
    size_t rules; /* different ones that ran */
    uint64_t steps;
    const struct account *account;
};
struct passing_examples {
    struct passing_example *items;
    size_t count;
    size_t capacity;
};

/* A fresh example, for a report that is to be merged with those of other shards. */
struct example_record {
    uint64_t number;
    const char *identity;      /* of its failure; NULL: it passed */
    bool fails;                /* it did, and no mark makes that known */
    size_t least;              /* of its failure, if it fails: failure_least_length */
    bool slow;                 /* by a timeout */
    const char *counts;        /* members of a JSON object (example/counts.h) */
    VEC(const char *) printed; /* lines */
    bool again; /* what it shows depends on others before it: it is to run with those of all shards
                 */
};

/* Writes its members into a JSON object. */
void record_write(struct json *json, const struct example_record *record);

/* An example that failed in a shard, and passed when it was run again. */
struct unconfirmed_example {
    uint64_t number;
    const char *identity; /* of the failure in the shard */
};

enum run_outcome { RUN_PASSED, RUN_FAILED, RUN_NOTHING /* no example or no step ran */ };

struct run_result {
    enum run_outcome outcome;
    VEC(struct failure) failures;       /* distinct by identity */
    VEC(struct known_result) known;     /* in the order of the file, by kind */
    VEC(struct example_record) records; /* in the order of their numbers; of options->record_each */
    VEC(struct unconfirmed_example) unconfirmed; /* they fail the run */
    struct passing_examples passing;             /* in the order of their numbers */
    struct run_stats stats;
    uint64_t failed; /* examples, without known failures */
    uint64_t seed;
    /* Why the server refused the fault to plant, so that no example ran; or NULL. */
    const char *refused;
    struct again_reasons asked; /* if the run was measured and had no failures */
    bool ahead;                 /* statements were pipelined, so answers arrived in groups */
    bool cut_short;             /* by max_time or an interrupt */
    bool whole;                 /* all that was planned ran, with every rule, and nothing failed */
    bool *stored_passed;        /* of options->stored: it ran without its old failure */
    /* By pinned example: it ran, and failed if it is marked xfail. NULL if the run ended before the
     * pinned examples. */
    bool *pinned_ran;
    bool *pinned_failed;
    /* By options->stored: the number of steps that could not run, if the trace did not fail at all.
     */
    size_t *stored_left_out;
};

/* Runs the dataset and initialize, to find mistakes in their statements and in those that depend on
 * them. Failing properties are left to a run. */
bool run_check(const struct machine *machine, struct backend *backend,
               const struct run_options *options, struct error *err);
/* Runs the machine. False with err if the run could not continue: a lost connection, an interrupt,
 * a mistake in the model. `result` then holds the results so far, including the failure of a step
 * that lost the server. `arena` holds what the result points to; memory does not grow with the
 * number of examples. */
bool run_machine(const struct machine *machine, struct backend *backend,
                 const struct run_options *options, struct arena *arena, struct run_result *result,
                 struct error *err);

#endif
