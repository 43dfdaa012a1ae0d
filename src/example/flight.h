/*
 * What is in flight: a queue of steps and checks whose answers are still out, settled in order.
 *
 * How many are is only a question of how long one waits: a run step by step settles after each, one
 * that runs ahead where a rule needs the answer, or at the end. The first mismatch in the order of
 * the queue is the failure, and nothing behind it counts.
 */
#ifndef EXAMPLE_FLIGHT_H
#define EXAMPLE_FLIGHT_H

#include "example/backend.h"
#include "example/stats.h"

struct example;
struct invariant_check;
struct step;

struct pending {
    /* Takes the answers and compares; false: that was an error. */
    bool (*settle)(struct example *example, const struct pending *pending, struct error *err);
    struct step *step;             /* that it settles; NULL: none */
    struct invariant_check *check; /* or this; both NULL: deferred constraints, at the end */
    backend_ticket deferred;       /* of these */
    struct stats_log log;
};

struct flight {
    VEC(struct pending) items;
    size_t settled;
    bool broken; /* settling one of them was an error: the rest can't be told */
};

/* The oldest that is not settled; NULL: nothing is in flight. */
const struct pending *flight_first(const struct flight *flight);
bool flight_push(struct example *example, const struct pending *pending, struct error *err);
/* Takes all answers that are out, up to the first failure. */
bool flight_settle(struct example *example, struct error *err);
/* What is left to do when the model has moved on as far as it can (`ok`; else err says why not):
 * settles. An error in the machine's code that was met while answers are out comes after what they
 * may show, and not at all where they show a failure. */
bool flight_land(struct example *example, bool ok, struct error *err);
/* Empties the flight's arena if nothing is in flight: between steps, where nobody points into it.
 */
void flight_recycle(struct example *example);

#endif
