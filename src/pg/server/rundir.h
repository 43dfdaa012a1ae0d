/*
 * The run directory: where an embedded server lives for the length of one run.
 *
 * It holds `data` (the server's files), `log`, the server's socket, and `lock`, on which flock(2)
 * is held by whoever answers for it. The lock goes when they end, however they end, so a directory
 * whose lock can be had is what a dead run left: the next start sweeps it.
 *
 * It lies under TMPDIR, else in memory (/dev/shm) where that has room, else under /tmp: the first
 * place that we may write to, the server's user can reach, and whose name leaves room for a
 * socket's.
 */
#ifndef PG_RUNDIR_H
#define PG_RUNDIR_H

#include "base/arena.h"
#include "base/error.h"
#include "os/process.h"

#include <stdbool.h>

struct run_dir {
    const char *path; /* in the arena given */
    int lock;         /* descriptor that holds the lock; closed by whoever holds the struct */
};

/* Makes one that belongs to `user`, mode 0700. */
bool run_dir_make(const struct os_user *user, struct arena *arena, struct run_dir *out,
                  struct error *err);
/* Takes down the servers and removes the directories that dead runs of ours left behind. What
 * others put there under such a name is left alone: it belongs neither to us nor to `user`, or its
 * lock does not. */
void run_dir_sweep(const struct os_user *user);

#endif
