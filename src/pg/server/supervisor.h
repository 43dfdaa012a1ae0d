/*
 * The supervisor: a small process that answers for an embedded server, whatever ends us.
 *
 * It is our child and the server's parent. It holds the read end of a pipe whose write end is ours
 * alone: when that closes (we are done, crashed, or were killed with SIGKILL), it takes the server
 * down and removes the run directory. Were the supervisor itself killed, the server gets SIGQUIT
 * from the kernel (platform.h), and what lies about is swept at the next start (rundir.h).
 *
 * We may be a library in a program with threads and secrets, so the supervisor is no copy of us: it
 * is /bin/sh with a script of a few lines. A program of our own would have to be found wherever the
 * library was linked into. Between fork and exec it makes the server, as only a parent's death
 * signal reaches what changes its user.
 *
 * The supervisor hears no signals of the terminal: it has a session of its own.
 */
#ifndef PG_SUPERVISOR_H
#define PG_SUPERVISOR_H

#include "base/error.h"
#include "os/process.h"

#include <stdbool.h>
#include <sys/types.h>

struct supervisor {
    pid_t pid;   /* of the supervisor; 0: none */
    int control; /* write end; closing it takes the server down */
    int report;  /* read end; readable when the server has ended by itself */
};

/* What is kept. Texts are read before supervisor_start returns. */
struct kept_server {
    const char *const *argv; /* of the server */
    const struct os_user *user;
    const struct env_change *env; /* how its environment differs from ours */
    size_t env_count;
    const char *log; /* takes the server's output */
    const char *dir; /* the run directory, removed at the end */
    int lock;        /* its lock: the supervisor holds it, too */
};

bool supervisor_start(const struct kept_server *server, struct supervisor *out, struct error *err);
/* True if the server has ended by itself. */
bool supervisor_server_ended(const struct supervisor *supervisor);
/* Takes the server down and waits until everything is removed. `{0}` is allowed. */
void supervisor_stop(struct supervisor *supervisor);

#endif
