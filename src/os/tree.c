#include "os/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { DEPTH_MAX = 32 };

static bool is_dot(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

static void remove_at(int dir_fd, const char *name, int depth)
{
    if (unlinkat(dir_fd, name, 0) == 0 || errno == ENOENT || depth > DEPTH_MAX) {
        return;
    }
    int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (!dir) {
        return;
    }
    const struct dirent *entry = NULL;
    while ((entry = readdir(dir))) {
        if (!is_dot(entry->d_name)) {
            remove_at(dirfd(dir), entry->d_name, depth + 1);
        }
    }
    closedir(dir);
    unlinkat(dir_fd, name, AT_REMOVEDIR);
}

void tree_remove(const char *path) { remove_at(AT_FDCWD, path, 0); }
