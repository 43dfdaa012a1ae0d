/* Time, limits and interrupts, as whoever runs examples gives them: nothing else reads a clock. */
#ifndef EXAMPLE_CLOCK_H
#define EXAMPLE_CLOCK_H

#include "base/error.h"

struct clock {
    void *host;
    uint64_t (*now_us)(void *host); /* monotonic microseconds */
    /* Asked between steps; true ends the run (Ctrl-C). May be NULL. */
    bool (*interrupted)(void *host);
    uint64_t started_us;
    int64_t max_ms;   /* from then on; 0: no limit */
    uint64_t told_us; /* spent when progress was told last */
};

uint64_t clock_spent_us(const struct clock *clock);
/* Whether the limit is reached. */
bool clock_is_up(const struct clock *clock);
/* Whether that, and not the user, is why something was interrupted. */
bool clock_stopped(const struct clock *clock, const struct error *err);
/* Asks the host whether to stop; true with ERROR_INTERRUPTED. */
bool clock_interrupted(const struct clock *clock, struct error *err);
/* Whether progress was not told for a while; it is told then, and *spent_us gets the time. */
bool clock_wants_word(struct clock *clock, uint64_t *spent_us);

#endif
