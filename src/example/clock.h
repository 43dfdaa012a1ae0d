/* Time, limits and interrupts, given by the caller of examples. Only this reads a clock. */
#ifndef EXAMPLE_CLOCK_H
#define EXAMPLE_CLOCK_H

#include "base/error.h"

struct clock {
    void *host;
    uint64_t (*now_us)(void *host); /* monotonic microseconds */
    /* Called between steps; returns true to end the run (Ctrl-C). May be NULL. */
    bool (*interrupted)(void *host);
    uint64_t started_us;
    int64_t max_ms;   /* from the start; 0: no limit */
    uint64_t told_us; /* time at the last report of progress */
};

uint64_t clock_spent_us(const struct clock *clock);
/* Returns true if the limit is reached. */
bool clock_is_up(const struct clock *clock);
/* Returns true if the limit, and not the user, caused the interrupt. */
bool clock_stopped(const struct clock *clock, const struct error *err);
/* Asks the host; true with ERROR_INTERRUPTED if it wants to stop. */
bool clock_interrupted(const struct clock *clock, struct error *err);
/* Returns true if it is time to report progress; the report counts as made, and *spent_us is the
 * time. */
bool clock_wants_word(struct clock *clock, uint64_t *spent_us);

#endif
