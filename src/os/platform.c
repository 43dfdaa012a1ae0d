#include "os/platform.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/magic.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
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

/* Unlike getrandom, macOS and the BSDs have it, too. */
bool random_bytes(void *out, size_t size) { return getentropy(out, size) == 0; }

bool pipe_open(int ends[2])
{
#ifdef __linux__
    return pipe2(ends, O_CLOEXEC) == 0;
#else
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
#endif
}

#ifdef __linux__
/* As the kernel writes it (getdents64(2)). */
struct listed {
    uint64_t inode;
    int64_t offset;
    unsigned short size;
    unsigned char type;
    char name[];
};

/* By /proc, for a kernel or a container without close_range. readdir would allocate memory. */
static bool close_listed(int first)
{
    _Alignas(struct listed) char entries[2048];
    int dir = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    long size = 0;
    while (dir >= 0 && (size = syscall(SYS_getdents64, dir, entries, sizeof entries)) > 0) {
        const struct listed *entry = NULL;
        for (char *at = entries; at < entries + size; at += entry->size) {
            entry = (const struct listed *)(void *)at;
            int fd = *entry->name == '.' ? -1 : atoi(entry->name);
            if (fd >= first && fd != dir) {
                close(fd);
            }
        }
    }
    if (dir >= 0) {
        close(dir);
    }
    return dir >= 0 && size == 0;
}
#endif

/* glibc has closefrom only since 2.34. */
void close_from(int first)
{
#ifdef __linux__
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0) == 0) {
        return;
    }
#endif
    if (close_listed(first)) {
        return;
    }
#endif
    for (long fd = first, end = sysconf(_SC_OPEN_MAX); fd < end; fd++) {
        close((int)fd);
    }
}
