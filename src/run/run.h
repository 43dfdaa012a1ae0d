/*
 * A run: examples of one machine against one backend, compared with the model after every step.
 *
 * run_machine generates or replays examples, checks, rolls back, counts. What it finds is data in
 * `struct run_result`; progress goes through callbacks. It prints nothing, reads no clock but
 * through `now_us` (monotonic; injected), and never looks at anything but the seed to decide what
 * to draw.
 */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "example/failure/failure.h"
#include "example/stats.h"
#include "run/options.h"

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
    uint64_t failed; /* examples, without known failures */
    uint64_t seed;
    /* Why the server refused the fault that was to be planted, so that nothing ran; or NULL. */
    const char *refused;
    struct again_reasons asked; /* if the run was measured and nothing failed */
    bool ahead;                 /* statements ran ahead: answers arrived several together */
    bool cut_short;             /* by max_time or an interrupt */
    bool *stored_passed;        /* of options->stored: it was run, and did not fail as it had */
    /* Of the machine's pinned examples: it was run; it failed, where it is marked xfail. NULL: no
     * pinned example came to its turn. */
    bool *pinned_ran;
    bool *pinned_failed;
    /* Of options->stored: steps that could not run, in one that did not fail at all. */
    size_t *stored_left_out;
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
