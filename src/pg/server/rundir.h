/*
 * The run directory: the files of an embedded server during one run.
 *
 * It contains `data` (the server's files), `log`, the server's socket, and `lock`. The processes
 * responsible for the directory hold flock(2) on that file, which ends with them in any case. So a
 * directory that can be locked is left over from a dead run, and the next start removes it.
 *
 * It is under TMPDIR, or in memory (/dev/shm) if there is room, or under /tmp: the first place that
 * we may write to, that the server's user can reach, and whose path is short enough for a socket.
 */
#ifndef PG_RUNDIR_H
#define PG_RUNDIR_H

#include "base/arena.h"
#include "base/error.h"
#include "os/process.h"

#include <stdbool.h>

struct run_dir {
    const char *path; /* in the given arena */
    int lock;         /* descriptor that holds the lock; closed by whoever holds the struct */
};

/* Creates one that belongs to `user`, mode 0700. */
bool run_dir_make(const struct os_user *user, struct arena *arena, struct run_dir *out,
                  struct error *err);
/* Stops the servers and removes the directories that our dead runs left behind. Ignores directories
 * of others under such a name: those, or their locks, that belong neither to us nor to `user`. */
void run_dir_sweep(const struct os_user *user);

#endif
