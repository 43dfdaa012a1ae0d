/*
 * Runs the fresh examples, one after the other or several at a time.
 *
 * A run's results must not depend on the number of connections. Each worker takes the next number
 * and runs its example, which depends only on the seed and that number. Examples count in the order
 * of their numbers. The worker that met a failure examines it before any later example counts. An
 * example that passes before its turn is kept; one that fails waits, with its worker. So the
 * counts, which failures are new, and how long the run continues are the same as with one worker.
 * Examples past the last one that counts are discarded.
 */
#ifndef RUN_WORKERS_H
#define RUN_WORKERS_H

#include "run/findings.h"

/* The first engine must be set up. Runs all examples of the run or shard; or with callbacks that
 * hand out chunks, and none that reports examples, those. False if the run can't continue. */
bool workers_run(struct findings *findings, struct error *err);

#endif
