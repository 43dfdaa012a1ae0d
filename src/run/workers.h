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
#ifndef RUN_WORKERS_H
#define RUN_WORKERS_H

#include "run/findings.h"

/* The first engine is set up. False: the run can't go on. */
bool workers_run(struct findings *findings, struct error *err);

#endif
