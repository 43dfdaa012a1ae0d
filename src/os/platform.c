#include "os/platform.h"

#include <fcntl.h>
#include <unistd.h>

static void close_each(int first)
{
    long most = sysconf(_SC_OPEN_MAX);
    int end = most > 0 && most < 65536 ? (int)most : 65536;
    for (int fd = first; fd < end; fd++) {
        close(fd);
    }
}

#ifdef __linux__
#include <linux/magic.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

/* close_range(2) is in Linux since 5.9. */
void close_from(int first)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0) {
        return;
    }
#endif
    close_each(first);
}

bool die_with_parent(pid_t parent, int signal)
{
    prctl(PR_SET_PDEATHSIG, signal);
    return getppid() == parent;
}

bool path_is_in_memory(const char *path)
{
    struct statfs info;
    return statfs(path, &info) == 0 && info.f_type == TMPFS_MAGIC;
}

bool pipe_open(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0; }

#else

void close_from(int first) { close_each(first); }

bool die_with_parent(pid_t parent, int signal)
{
    (void)signal;
    return getppid() == parent;
}

bool path_is_in_memory(const char *path)
{
    (void)path;
    return false;
}

bool pipe_open(int ends[2])
{
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

#endif
