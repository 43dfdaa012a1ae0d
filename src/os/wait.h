/*
 * Waiting for file descriptors, until a deadline or an interrupt by the user.
 *
 * Every wait goes through here, so that the program reacts to Ctrl-C within a tenth of a second.
 */
#ifndef OS_WAIT_H
#define OS_WAIT_H

#include "base/error.h"

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

/* Callbacks to the user; see pg.h. `{0}` is valid. */
struct hooks {
    bool (*interrupted)(void *host);
    void (*note)(void *host, const char *line);
    void *host;
};
/* For work that must not be interrupted, such as cleaning up. */
extern const struct hooks no_hooks;

/* Microseconds of a monotonic clock. */
int64_t clock_us(void);
int64_t clock_ms(void);

enum { NO_DEADLINE = -1 };

enum wait_result {
    WAIT_READY,
    WAIT_TIMEOUT,
    WAIT_INTERRUPTED, /* the user interrupted */
    WAIT_FAILED,      /* errno */
};

/* Waits until one of `count` descriptors is ready (poll(2)), or clock_ms() reaches `deadline_ms`
 * (NO_DEADLINE: for ever). With a count of 0 it waits for the deadline or an interrupt. */
enum wait_result wait_for(struct pollfd *fds, unsigned count, int64_t deadline_ms,
                          const struct hooks *hooks);
/* poll(2) for that many microseconds; rounded up to milliseconds where there is no ppoll. */
int poll_us(struct pollfd *fds, unsigned count, int64_t us);
/* Asks the hook. */
bool interrupt_wanted(const struct hooks *hooks);
/* Sets "interrupted"; returns false. */
bool error_interrupted(struct error *err);
/* Shows the user a line. */
void note_line(const struct hooks *hooks, const char *line);

#endif
