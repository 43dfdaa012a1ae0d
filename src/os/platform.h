/* Functions that differ between operating systems. */
#ifndef OS_PLATFORM_H
#define OS_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Asks the system to send the calling process `signal` when the thread that created it ends for any
 * reason (Linux: prctl(2), PR_SET_PDEATHSIG; elsewhere nothing happens). Call it after a change of
 * user, which would cancel it. `parent` is that thread's process, read before the fork; returns
 * false if it is gone already. */
bool die_with_parent(pid_t parent, int signal);

/* Opens a pipe whose ends are closed on exec. False with errno. */
bool pipe_open(int ends[2]);

/* Closes all descriptors from this one up; for a child before exec. */
void close_from(int first);

/* Fills `out` with random bytes, at most 256. False with errno. */
bool random_bytes(void *out, size_t size);

/* Returns true if the path is in a file system that is kept in memory. */
bool path_is_in_memory(const char *path);

#endif
