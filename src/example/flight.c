#include "example/flight.h"

#include "example/engine.h"

/* Limits: more items than most examples have; fewer if most examples fail, because items after a
 * failure run in vain; and the bytes of expectations and answers. */
enum { FLIGHT_MAX = 1024, FLIGHT_MAX_FAILING = 24, FLIGHT_BYTES = 4 << 20 };

const struct pending *flight_first(const struct flight *flight)
{
    return flight->settled < flight->items.count ? &flight->items.items[flight->settled] : NULL;
}

bool flight_settle(struct example *example, struct error *err)
{
    const struct engine *engine = example->engine;
    struct flight *flight = &example->flight;
    if (flight->broken) {
        return false; /* err has been set since it broke */
    }
    const struct pending *pending;
    while (!example_ended(example) && (pending = flight_first(flight))) {
        stats_commit(&pending->log);
        if (!pending->settle(example, pending, err)) {
            flight->broken = true;
            return false;
        }
        flight->settled++;
        if (example->plan.way && engine->options.step) {
            engine->options.step(engine->options.step_host, example->number);
        }
    }
    if (flight->settled == flight->items.count) {
        *flight = (struct flight){0};
    }
    return true;
}

bool flight_land(struct example *example, bool ok, struct error *err)
{
    if (ok || example->flight.broken || (err->code != ERROR_MACHINE && err->code != ERROR_LIMIT)) {
        return ok && flight_settle(example, err);
    }
    struct error later = *err;
    if (!flight_settle(example, err)) {
        return false;
    }
    if (!example_ended(example)) {
        *err = later;
    }
    return example_ended(example);
}

void flight_recycle(struct example *example)
{
    if (example->flight.items.count == 0) {
        arena_reset(&example->flying);
    }
}

static bool is_full(struct example *example)
{
    const struct engine *engine = example->engine;
    struct backend *backend = engine->backend;
    bool failing = engine->failed && example->plan.way;
    size_t held = backend->ops->held ? backend->ops->held(backend) : 0;
    return example->flight.items.count >= (failing ? FLIGHT_MAX_FAILING : FLIGHT_MAX) ||
           arena_used(&example->flying) + held >= FLIGHT_BYTES;
}

bool flight_push(struct example *example, const struct pending *pending, struct error *err)
{
    struct pending *item = VEC_PUSH(&example->flying, &example->flight.items);
    *item = *pending;
    item->log = example->log;
    example->log = (struct stats_log){0};
    return (example->ahead && !is_full(example)) || flight_settle(example, err);
}
