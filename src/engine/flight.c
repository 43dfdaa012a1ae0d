/* What is in flight: a queue of steps and checks whose answers are still out, settled in order. */
#include "engine/engine.h"

enum { FLIGHT_MAX = 1024 }; /* longer than the steps and checks of most examples */

static bool settle_deferred(struct example *example, backend_ticket ticket, struct error *err)
{
    struct sending sending = {.has_deferred = true, .deferred = ticket};
    struct received received;
    if (!statements_receive(example, &sending, &example->flying, &received, err)) {
        return false;
    }
    if (received.raised) {
        fail_deferred(example, &received.error);
    }
    return true;
}

static bool settle_one(struct example *example, const struct pending *pending, struct error *err)
{
    stats_commit(&example->stats, &pending->log);
    switch (pending->kind) {
    case PENDING_STEP:
        return step_settle(example, pending->as.step, err);
    case PENDING_CHECK:
        return invariant_settle(example, pending->as.check, err);
    case PENDING_DEFERRED:
    default:
        return settle_deferred(example, pending->as.deferred, err);
    }
}

bool flight_settle(struct example *example, struct error *err)
{
    struct flight *flight = &example->flight;
    if (flight->broken) {
        return false; /* err says why, since it broke */
    }
    while (flight->settled < flight->items.count && !example->failure && !example->stale) {
        if (!settle_one(example, &flight->items.items[flight->settled], err)) {
            flight->broken = true;
            return false;
        }
        flight->settled++;
    }
    if (flight->settled == flight->items.count) {
        *flight = (struct flight){0};
    }
    return true;
}

void flight_recycle(struct example *example)
{
    if (example->flight.items.count == 0) {
        arena_reset(&example->flying);
    }
}

bool flight_push(struct example *example, const struct pending *pending, struct error *err)
{
    struct pending *item = VEC_PUSH(&example->flying, &example->flight.items);
    *item = *pending;
    item->log = example->log;
    example->log = (struct stats_log){0};
    bool full = example->flight.items.count >= FLIGHT_MAX;
    return (example->engine->ahead && !full) || flight_settle(example, err);
}
