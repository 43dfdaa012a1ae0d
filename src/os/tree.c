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

static bool copy_bytes(int from, int to)
{
    char chunk[COPY_CHUNK];
    for (;;) {
        ssize_t size = read(from, chunk, sizeof chunk);
        if (size == 0 || (size < 0 && errno != EINTR)) {
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

/* A folder and what is in it; `to` is new. */
struct copy {
    int from_dir;
    const char *from;
    int to_dir;
    const char *to;
    const struct os_user *owner;
    const char *const *without; /* prefixes of names; NULL: none */
    int depth;
};

static bool is_left_out(const struct copy *copy, const char *name)
{
    const char *const *prefix = copy->without;
    while (prefix && *prefix && strncmp(name, *prefix, strlen(*prefix)) != 0) {
        prefix++;
    }
    return prefix && *prefix;
}

static bool copy_dir(const struct copy *copy);

static bool copy_entry(int from_dir, int to_dir, const char *name, const struct copy *within)
{
    struct stat info;
    if (fstatat(from_dir, name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
        return false;
    }
    if (S_ISDIR(info.st_mode)) {
        return copy_dir(&(struct copy){from_dir, name, to_dir, name, within->owner, within->without,
                                       within->depth + 1});
    }
    if (!S_ISREG(info.st_mode)) {
        errno = EINVAL;
        return false;
    }
    return copy_file(from_dir, to_dir, name, within->owner);
}

static bool copy_entries(DIR *from, int to, const struct copy *within)
{
    const struct dirent *entry = NULL;
    while ((entry = readdir(from))) {
        if (!is_dot(entry->d_name) && !is_left_out(within, entry->d_name) &&
            !copy_entry(dirfd(from), to, entry->d_name, within)) {
            return false;
        }
    }
    return true;
}

/* The copy gets its owner at the end: until then, only we may enter it. */
static bool copy_dir(const struct copy *copy)
{
    enum { FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
    int from = openat(copy->from_dir, copy->from, FLAGS);
    DIR *dir = from >= 0 ? fdopendir(from) : NULL;
    if (!dir) {
        return false;
    }
    int to = -1;
    bool done = copy->depth <= DEPTH_MAX && mkdirat(copy->to_dir, copy->to, 0700) == 0 &&
                (to = openat(copy->to_dir, copy->to, FLAGS)) >= 0 && copy_entries(dir, to, copy) &&
                (!copy->owner->other || fchown(to, copy->owner->uid, copy->owner->gid) == 0);
    int saved = errno;
    closedir(dir);
    if (to >= 0) {
        close(to);
    }
    errno = saved;
    return done;
}

bool tree_copy_without(const char *from, const char *to, const struct os_user *owner,
                       const char *const *prefixes, struct error *err)
{
    assert(owner != NULL);
    return copy_dir(&(struct copy){AT_FDCWD, from, AT_FDCWD, to, owner, prefixes, 0}) ||
           error_set(err, ERROR_SYSTEM, "could not copy %s to %s: %s", from, to, strerror(errno));
}

bool tree_copy(const char *from, const char *to, const struct os_user *owner, struct error *err)
{
    return tree_copy_without(from, to, owner, NULL, err);
}

static uint64_t size_at(int dir_fd, const char *name, int depth)
{
    struct stat info;
    uint64_t size = 0;
    if (depth > DEPTH_MAX || fstatat(dir_fd, name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
        return 0;
    }
    if (!S_ISDIR(info.st_mode)) {
        return (uint64_t)info.st_size;
    }
    int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir))) {
        size += is_dot(entry->d_name) ? 0 : size_at(dirfd(dir), entry->d_name, depth + 1);
    }
    if (dir) {
        closedir(dir);
    }
    return size;
}

uint64_t tree_size(const char *path) { return size_at(AT_FDCWD, path, 0); }

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
