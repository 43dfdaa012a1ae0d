#include "os/platform.h"

#include <fcntl.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/magic.h>
#include <sys/prctl.h>
#include <sys/vfs.h>
#endif

bool die_with_parent(pid_t parent, int signal)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, signal);
#else
    (void)signal;
#endif
    return getppid() == parent;
}

bool path_is_in_memory(const char *path)
{
#ifdef __linux__
    struct statfs info;
    return statfs(path, &info) == 0 && info.f_type == TMPFS_MAGIC;
#else
    (void)path;
    return false;
#endif
}

bool pipe_open(int ends[2])
{
#ifdef __linux__
    return pipe2(ends, O_CLOEXEC) == 0;
#else
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
#endif
}
