#include "os/wait.h"

#include <assert.h>
#include <errno.h>
#include <time.h>

const struct hooks no_hooks = {0};

enum { ASK_EVERY_MS = 100 };

int64_t clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_ms(void) { return clock_us() / 1000; }

bool interrupt_wanted(const struct hooks *hooks)
{
    return hooks->interrupted && hooks->interrupted(hooks->host);
}

bool error_interrupted(struct error *err)
{
    return error_set(err, ERROR_INTERRUPTED, "interrupted");
}

void note_line(const struct hooks *hooks, const char *line)
{
    if (hooks->note) {
        hooks->note(hooks->host, line);
    }
}

/* How long to sleep before the next check, in milliseconds. */
static int next_nap(int64_t deadline_ms, const struct hooks *hooks)
{
    int64_t left = ASK_EVERY_MS;
    if (deadline_ms != NO_DEADLINE) {
        left = deadline_ms - clock_ms();
        left = left < 0 ? 0 : left;
    } else if (!hooks->interrupted) {
        return -1;
    }
    return left > ASK_EVERY_MS ? ASK_EVERY_MS : (int)left;
}

int poll_us(struct pollfd *fds, unsigned count, int64_t us)
{
#ifdef __linux__
    const struct timespec patience = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};
    return ppoll(fds, count, &patience, NULL);
#else
    return poll(fds, count, (int)((us + 999) / 1000));
#endif
}

enum wait_result wait_for(struct pollfd *fds, unsigned count, int64_t deadline_ms,
                          const struct hooks *hooks)
{
    assert(fds != NULL || count == 0);
    assert(hooks != NULL && deadline_ms >= NO_DEADLINE);
    for (;;) {
        int ready = poll(fds, count, next_nap(deadline_ms, hooks));
        if (ready < 0 && errno != EINTR && errno != EAGAIN) {
            return WAIT_FAILED;
        }
        if (interrupt_wanted(hooks)) { /* even if a descriptor is always ready */
            return WAIT_INTERRUPTED;
        }
        if (ready > 0) {
            return WAIT_READY;
        }
        if (deadline_ms != NO_DEADLINE && clock_ms() >= deadline_ms) {
            return WAIT_TIMEOUT;
        }
    }
}
