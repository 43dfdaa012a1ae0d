/*
 * Small systems with a known bug, run on traces without a database, to test the shrinker.
 *
 * A system defines its rules, their draws (whole numbers, references into collections) and their
 * steps. The simulator replays traces on it like the engine with a machine: a step whose reference
 * is gone or that may not run is dropped, a missing choice is the simplest, and the trace that
 * comes back is the one that was executed, up to the failure.
 */
#ifndef TESTS_SHRINK_SIM_H
#define TESTS_SHRINK_SIM_H

#include "gen/rng.h"
#include "shrink/shrink.h"

enum { SIM_DRAWS = 3, SIM_COLLECTIONS = 2 };

struct sim_draw {
    enum { SIM_END, SIM_INTEGER, SIM_REFERENCE } kind;
    int64_t min, max; /* of an integer; toward 0 or the bound nearest to it */
    int collection;   /* of a reference */
};

struct sim_rule {
    const char *name;
    struct sim_draw draws[SIM_DRAWS + 1];
    int target; /* collection that the step's output goes to; -1: none */
};

enum sim_verdict { SIM_OK, SIM_REFUSED /* precondition false: the step is dropped */, SIM_FAILED };

struct sim_system {
    const char *name;
    const struct sim_rule *rules;
    size_t rule_count;
    size_t shortest; /* known length of the shortest failing sequence */
    size_t state_size;
    void (*begin)(void *state);
    /* Runs rule `rule`; values[i] is what draw i gave (for a reference: the item). A rule with a
     * target sets *output. */
    enum sim_verdict (*step)(void *state, size_t rule, const int64_t *values, int64_t *output);
};

extern const struct sim_system *const sim_systems[]; /* ends with NULL */

/* Replays `trace`; with `rng`, continues with fresh steps up to `steps` in all. Returns true if it
 * failed; the executed trace is in `out`, in `arena`. */
bool sim_run(const struct sim_system *system, const struct trace *trace, struct rng *rng,
             size_t steps, struct arena *arena, struct trace *out);

/* The first failing trace from the seed, and in which example it was. */
uint64_t sim_find(const struct sim_system *system, uint64_t seed, size_t steps, struct arena *arena,
                  struct trace *out);

void sim_print(const struct sim_system *system, const struct trace *trace, struct strbuf *out);

#endif
