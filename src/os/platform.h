/* What differs between operating systems: each a function, so that no other code asks. */
#ifndef OS_PLATFORM_H
#define OS_PLATFORM_H

#include <stdbool.h>
#include <sys/types.h>

/* Has the calling process get `signal` when the thread that made it ends, whatever ends it (Linux:
 * prctl(2), PR_SET_PDEATHSIG; elsewhere nothing happens). A change of user takes this back, so it
 * comes after. `parent` is that thread's process, read before the fork: false where it is gone
 * already. */
bool die_with_parent(pid_t parent, int signal);

/* A pipe, both ends closed on exec. False with errno. */
bool pipe_open(int ends[2]);

/* Closes every descriptor from `first` on. */
void close_from(int first);

/* Whether the path lies in a file system that is kept in memory. */
bool path_is_in_memory(const char *path);

#endif
