#include "os/tree.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPY_CHUNK = 1 << 16, DEPTH_MAX = 32 };

/* Whoever may write to the tree may have put something else there since it was looked at. */
static int open_plain(int dir, const char *name)
{
    struct stat info;
    int file = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file >= 0 && (fstat(file, &info) != 0 || !S_ISREG(info.st_mode))) {
        close(file);
        errno = EINVAL;
        file = -1;
    }
    return file;
}

/* Reads up to `size` bytes; how many there were, or -1. */
static ssize_t read_all(int fd, char *out, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t got = read(fd, out + done, size - done);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return -1;
        }
        if (got == 0) {
            break;
        }
        done += (size_t)got;
    }
    return (ssize_t)done;
}

static bool copy_bytes(int from, int to)
{
    char chunk[COPY_CHUNK];
    for (;;) {
        ssize_t size = read_all(from, chunk, sizeof chunk);
        if (size <= 0) {
            return size == 0;
        }
        for (ssize_t done = 0; done < size;) {
            ssize_t put = write(to, chunk + done, (size_t)(size - done));
            if (put < 0 && errno != EINTR) {
                return false;
            }
            done += put < 0 ? 0 : put;
        }
    }
}

static bool copy_file(int from_dir, int to_dir, const char *name, const struct os_user *owner)
{
    int to = -1;
    int from = open_plain(from_dir, name);
    bool done = from >= 0 &&
                (to = openat(to_dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) >= 0 &&
                copy_bytes(from, to) && (!owner->other || fchown(to, owner->uid, owner->gid) == 0);
    int saved = errno;
    if (from >= 0) {
        close(from);
    }
    if (to >= 0) {
        done = close(to) == 0 && done;
    }
    errno = done ? 0 : saved;
    return done;
}

static bool is_dot(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

static bool copy_dir(int from_dir, int to_dir, const char *name, const struct os_user *owner,
                     int depth);

static bool copy_entry(int from_dir, int to_dir, const char *name, const struct os_user *owner,
                       int depth)
{
    struct stat info;
    if (fstatat(from_dir, name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
        return false;
    }
    if (S_ISDIR(info.st_mode)) {
        return copy_dir(from_dir, to_dir, name, owner, depth);
    }
    if (!S_ISREG(info.st_mode)) {
        errno = EINVAL;
        return false;
    }
    return copy_file(from_dir, to_dir, name, owner);
}

static bool copy_entries(DIR *from, int to, const struct os_user *owner, int depth)
{
    const struct dirent *entry = NULL;
    while ((entry = readdir(from))) {
        if (!is_dot(entry->d_name) && !copy_entry(dirfd(from), to, entry->d_name, owner, depth)) {
            return false;
        }
    }
    return true;
}

static bool copy_dir(int from_dir, int to_dir, const char *name, const struct os_user *owner,
                     int depth)
{
    int from = openat(from_dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = from >= 0 ? fdopendir(from) : NULL;
    if (!dir) {
        return false;
    }
    int to = -1;
    bool done = depth < DEPTH_MAX && mkdirat(to_dir, name, 0700) == 0 &&
                (to = openat(to_dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) >= 0 &&
                (!owner->other || fchown(to, owner->uid, owner->gid) == 0) &&
                copy_entries(dir, to, owner, depth + 1);
    int saved = errno;
    closedir(dir);
    if (to >= 0) {
        close(to);
    }
    errno = saved;
    return done;
}

bool tree_copy(const char *from, const char *to, const struct os_user *owner, struct error *err)
{
    assert(owner != NULL);
    int target = -1;
    int source = open(from, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = source >= 0 ? fdopendir(source) : NULL;
    if (!dir) {
        return error_system(err, "could not read", from);
    }
    bool done = mkdir(to, 0700) == 0 &&
                (target = open(to, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) >= 0 &&
                copy_entries(dir, target, owner, 0) &&
                (!owner->other || fchown(target, owner->uid, owner->gid) == 0);
    if (!done) {
        error_set(err, ERROR_SYSTEM, "could not copy %s to %s: %s", from, to, strerror(errno));
    }
    closedir(dir);
    if (target >= 0) {
        close(target);
    }
    return done;
}

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
