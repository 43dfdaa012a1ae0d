/*
 * Waiting: for file descriptors, with a deadline, and with an ear for the user's interrupt.
 *
 * Every wait of this module goes through here, so that Ctrl-C is heard within a tenth of a second
 * wherever the program stands.
 */
#ifndef OS_WAIT_H
#define OS_WAIT_H

#include "base/error.h"

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

/* What the user wants to be asked and told; see pg.h. `{0}` is valid. */
struct hooks {
    bool (*interrupted)(void *host);
    void (*note)(void *host, const char *line);
    void *host;
};
/* For what is not to be interrupted, such as cleaning up. */
extern const struct hooks no_hooks;

/* Microseconds of a clock that only goes forward. */
int64_t clock_us(void);
int64_t clock_ms(void);

enum { NO_DEADLINE = -1 };

enum wait_result {
    WAIT_READY,
    WAIT_TIMEOUT,
    WAIT_INTERRUPTED, /* the hook said so */
    WAIT_FAILED,      /* errno */
};

/* Waits until one of `count` descriptors is ready (poll(2)), or clock_ms() reaches `deadline_ms`
 * (NO_DEADLINE: for ever). With a count of 0 it waits for the deadline or an interrupt. */
enum wait_result wait_for(struct pollfd *fds, unsigned count, int64_t deadline_ms,
                          const struct hooks *hooks);
/* Asks the hook. */
bool interrupt_wanted(const struct hooks *hooks);
/* Sets "interrupted"; returns false. */
bool error_interrupted(struct error *err);
/* Gives the user a line. */
void note_line(const struct hooks *hooks, const char *line);

#endif
