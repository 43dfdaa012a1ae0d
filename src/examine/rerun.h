/* Running a trace again: is it still the same failure? For confirming, shrinking, recording. */
#ifndef EXAMINE_RERUN_H
#define EXAMINE_RERUN_H

#include "example/example.h"
#include "example/failure/failure.h"

/* What whoever wants failures examined wants, and is told. */
struct examine_options {
    bool record; /* failures get recordings */
    void *host;
    /* With true before what was found is made ready to be reported after an interrupt, with false
     * after that: in between neither the clock nor the backend may hear of one. May be NULL. */
    void (*mask_interrupts)(void *host, bool mask);
    /* Called every now and then while a failure is being shrunk: how long the run takes so far,
     * how many traces were run for that, and the steps of the shortest one that fails; may be NULL.
     */
    void (*shrinking)(void *host, uint64_t time_us, uint64_t executions, size_t steps);
    /* Of two databases: opens a backend over copies of them on which steps are committed; the
     * caller closes it. NULL: there can't be one. May be NULL, as may the next one. */
    struct backend *(*open_committed)(void *host);
    /* The migration failed between two steps, but not where steps are committed. */
    void (*fails_uncommitted)(void *host, const struct failure *failure);
};

/* Who examines failures: on this engine, what is found out goes to the arena. */
struct examiner {
    struct engine *engine;
    struct arena *arena;
    struct examine_options options;
    uint64_t steps;       /* that had to be run on the database */
    uint64_t mistakes;    /* runs that met a mistake in the model */
    struct error mistake; /* the first of them */
    /* The shortest trace that shrinking came across in which two databases differ elsewhere; in
     * the arena, NULL: none. */
    struct failure *stray;
};

void examiner_init(struct examiner *examiner, struct engine *engine, struct arena *arena,
                   const struct examine_options *options);

/* What became of a trace that was run again. */
struct rerun {
    /* OUTCOME_FAIL: as `wanted` did; OUTCOME_FLAKY: it fails, but otherwise; OUTCOME_MISTAKE: it is
     * not known, as the model has a mistake that nothing came across so far (examiner->mistake). */
    enum outcome outcome;
    const struct failure *failure; /* FAIL and FLAKY; until the next example */
    struct trace trace; /* as executed: what could not run left out, choices as they were used */
};

/* How a trace is run. */
struct rerun_way {
    bool only;  /* of the invariants only the one that failed, if one did: quicker */
    bool fresh; /* on a new connection, as if no example had been before: slower */
    bool named; /* a race gets the name of its anomaly: slower */
};
bool rerun_trace(struct examiner *examiner, const struct trace *trace, const struct failure *wanted,
                 struct rerun_way way, struct rerun *out, struct error *err);
/* A plan that runs the trace, of the failure or made from it, again. */
struct example_plan rerun_plan(const struct trace *trace, const struct failure *wanted);
/* A mistake in the model is not what was asked for: whoever tries something comes across it, and
 * what was found stays. False: it is none. */
bool rerun_passes_over(struct examiner *examiner, struct error *err);

/* What the failure shows is now what another run of it showed; how it was found stays. Copies go to
 * the arena. */
void failure_show(struct failure *failure, const struct failure *shown, struct arena *arena);

#endif
