/*
 * The flight: a queue of steps and checks whose answers are pending, settled in order.
 *
 * A run step by step settles after each item; a pipelined run settles when a rule needs the answer,
 * or at the end. The first mismatch in the order of the queue is the failure, and later items do
 * not count.
 */
#ifndef EXAMPLE_FLIGHT_H
#define EXAMPLE_FLIGHT_H

#include "example/backend.h"
#include "example/stats.h"

struct example;
struct invariant_check;
struct step;

struct pending {
    /* Takes the answers and compares; false if that was an error. */
    bool (*settle)(struct example *example, const struct pending *pending, struct error *err);
    struct step *step;             /* to settle; or NULL */
    struct invariant_check *check; /* or this; both are NULL for deferred constraints at the end */
    backend_ticket deferred;       /* of these */
    struct stats_log log;
};

struct flight {
    VEC(struct pending) items;
    size_t settled;
    bool broken; /* settling an item was an error, so the rest is unknown */
};

/* The oldest item that is not settled; NULL if there is none. */
const struct pending *flight_first(const struct flight *flight);
bool flight_push(struct example *example, const struct pending *pending, struct error *err);
/* Takes all pending answers, up to the first failure. */
bool flight_settle(struct example *example, struct error *err);
/* Settles after the model has advanced as far as possible. If `ok` is false, err is an error in the
 * machine's code: pending answers come first, and a failure among them replaces it. */
bool flight_land(struct example *example, bool ok, struct error *err);
/* Empties the flight's arena if it has no items. Call it between steps, when there are no pointers
 * into the arena. */
void flight_recycle(struct example *example);

#endif
