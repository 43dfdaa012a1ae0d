/*
 * The fresh examples of a run, one after the other or several side by side.
 *
 * What a run finds must not depend on how many connections it has. Each worker takes the next
 * number, runs its example, which depends on nothing but seed and number; examples count in the
 * order of their numbers, and a failure is examined, by the worker that met it, before any example
 * behind it counts. What passed before its turn is kept until then; what did not, waits with its
 * worker. So whether a failure is new, how far a run goes on after the first one, and what is
 * counted are what they are with one worker. What others ran beyond the last number that counts is
 * thrown away.
 */
#ifndef ENGINE_WORKERS_H
#define ENGINE_WORKERS_H

#include "engine/engine.h"

/* A run under way. */
struct running {
    struct engine engine; /* of the first backend; does not move */
    struct run_result *result;
};

/* The engine is set up. False: the run can't go on. */
bool workers_run(struct running *running, struct error *err);

/* run.c: counts an example that passed. */
void run_count(struct running *running, const struct run_stats *example);

/* run.c: takes over what an example gave that ran on `engine` as its last one: counts it, keeps,
 * confirms and shortens a failure that is new. `ok`, `err`: as example_run gave them. */
bool run_take_over(struct running *running, struct engine *engine,
                   const struct example_result *result, bool ok, struct error *err);

#endif
