#include "example/clock.h"

#include <assert.h>

enum { WORD_US = 100000 /* between two reports of progress */ };

uint64_t clock_spent_us(const struct clock *clock)
{
    assert(clock->now_us != NULL);
    return clock->now_us(clock->host) - clock->started_us;
}

bool clock_is_up(const struct clock *clock)
{
    return clock->max_ms > 0 && clock_spent_us(clock) >= (uint64_t)clock->max_ms * 1000;
}

bool clock_interrupted(const struct clock *clock, struct error *err)
{
    if (clock->interrupted && clock->interrupted(clock->host)) {
        (void)error_set(err, ERROR_INTERRUPTED, "interrupted");
        return true;
    }
    return false;
}

bool clock_stopped(const struct clock *clock, const struct error *err)
{
    struct error ignored = {0};
    return err->code == ERROR_INTERRUPTED && clock_is_up(clock) &&
           !clock_interrupted(clock, &ignored);
}

bool clock_wants_word(struct clock *clock, uint64_t *spent_us)
{
    *spent_us = clock_spent_us(clock);
    if (*spent_us - clock->told_us < WORD_US) {
        return false;
    }
    clock->told_us = *spent_us;
    return true;
}
