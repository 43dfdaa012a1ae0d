/*
 * Judging mutants: the machine's examples run on each, one mutant after the other on a connection,
 * side by side on several.
 *
 * A mutant is planted behind the dataset and `initialize`, in a transaction that is rolled back.
 * Its examples are those that run on the schema as it is: the seed and their numbers decide them.
 * The first that fails kills the mutant, if the same trace fails on it once more, and holds on the
 * schema as it is. So the verdicts depend on the seed, and not on how many connections there are.
 * Nor do they depend on what happens once, by chance: if the trace holds on the mutant, or the
 * connection is lost, all its examples run again.
 *
 * Several processes may share mutants out, in chunks, as the examples of a run: by the options'
 * `take` and `done`. A chunk is handed in (mutant_write) once its traces held on the schema as it
 * is.
 */
#ifndef MUTATE_JUDGE_H
#define MUTATE_JUDGE_H

#include "mutate/mutant.h"
#include "run/run.h"

/* How far it is. */
struct judged {
    size_t count;
    size_t killed;
    size_t survived;
    const struct mutant *survivor; /* the latest; NULL: none so far */
};

struct judging {
    const struct machine *machine;
    struct backend *const *backends;   /* open, on copies of one database, in any transaction */
    size_t backend_count;              /* at least 1 */
    const struct run_options *options; /* as for a run of the machine, which held */
    struct arena *arena;               /* of what mutants point to */
    /* When the time is up, by the options' now_us: those that have no verdict then get none. 0:
     * never. */
    uint64_t deadline_us;
    void *host;
    /* Called when one more is judged, on the thread that called judge: so not for each; may be
     * NULL. */
    void (*progress)(void *host, const struct judged *judged);
};

/* Judges those that have no verdict yet; number 1 of a chunk is the first of them all. False: it
 * could not go on (an interrupt, the server is gone, a trace that kills fails on the schema as it
 * is, too): `err`; those judged until then have their verdicts. */
bool judge(const struct judging *judging, struct mutant *mutants, size_t count, struct error *err);

/* A run like this one that only says whether an example fails. */
struct run_options judging_options(const struct run_options *of);

#endif
