#include "pg/server/rundir.h"

#include "os/platform.h"
#include "os/tree.h"
#include "os/wait.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define PREFIX "pgfsm-run."
#define MEMORY_DIR "/dev/shm"

enum {
    SOCKET_PATH_MAX = 106, /* sun_path of unix(7), less its NUL */
    PLACES_MAX = 3,
    STOP_MS = 5000,
};
static const unsigned long long memory_needed = 1ULL << 30; /* bytes free in /dev/shm */

/* True if a user can pass through every folder of an absolute path. */
static bool reachable_by(const char *path, const struct os_user *user)
{
    char part[PATH_MAX];
    size_t size = strlen(path);
    for (size_t i = 1; user->other && i <= size && i < sizeof part; i++) {
        if (path[i] != '/' && path[i] != '\0') {
            continue;
        }
        memcpy(part, path, i);
        part[i] = '\0';
        struct stat info;
        if (stat(part, &info) != 0) {
            return false;
        }
        mode_t bit = info.st_uid == user->uid   ? S_IXUSR
                     : info.st_gid == user->gid ? S_IXGRP
                                                : S_IXOTH;
        if (!(info.st_mode & bit)) {
            return false;
        }
    }
    return true;
}

static bool fits_socket(const char *path)
{
    return strlen(path) + strlen("/" PREFIX "XXXXXX/.s.PGSQL.5432") <= SOCKET_PATH_MAX;
}

static bool has_memory(const char *path)
{
    struct statvfs info;
    return path_is_in_memory(path) && statvfs(path, &info) == 0 &&
           (unsigned long long)info.f_bavail * info.f_frsize >= memory_needed;
}

/* The places to try, in order. */
static size_t find_places(const char *places[PLACES_MAX])
{
    size_t count = 0;
    const char *wanted = getenv("TMPDIR");
    if (wanted && *wanted) {
        places[count++] = wanted;
    } else if (has_memory(MEMORY_DIR)) {
        places[count++] = MEMORY_DIR;
    }
    places[count++] = "/tmp";
    return count;
}

static bool lock_file(const char *dir, int *lock)
{
    char path[PATH_MAX];
    int size = snprintf(path, sizeof path, "%s/lock", dir);
    if (size < 0 || (size_t)size >= sizeof path) {
        return false;
    }
    *lock = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return *lock >= 0 && flock(*lock, LOCK_EX | LOCK_NB) == 0;
}

/* Makes the directory under a name that no sweep looks at, locks it, gives it its name. */
static bool make_in(const char *place, const struct os_user *user, struct arena *arena,
                    struct run_dir *out)
{
    char *hidden = arena_printf(arena, "%s/.%sXXXXXX", place, PREFIX);
    *out = (struct run_dir){.lock = -1};
    if (!mkdtemp(hidden)) {
        return false;
    }
    char *path = arena_printf(arena, "%s/%s", place, strrchr(hidden, '/') + 2);
    if (lock_file(hidden, &out->lock) &&
        (!user->other || chown(hidden, user->uid, user->gid) == 0) && rename(hidden, path) == 0) {
        out->path = path;
        return true;
    }
    if (out->lock >= 0) {
        close(out->lock);
    }
    tree_remove(hidden);
    return false;
}

bool run_dir_make(const struct os_user *user, struct arena *arena, struct run_dir *out,
                  struct error *err)
{
    const char *places[PLACES_MAX];
    size_t count = find_places(places);
    for (size_t i = 0; i < count; i++) {
        char *real = realpath(places[i], NULL);
        bool made = real && fits_socket(real) && reachable_by(real, user) &&
                    make_in(real, user, arena, out);
        free(real);
        if (made) {
            return true;
        }
    }
    error_set(err, ERROR_SYSTEM, "found no place for a temporary server");
    return error_hint(
        err, "set TMPDIR to a folder that you and the server's user can write to, with a path "
             "shorter than 70 bytes");
}

/* What is found in a folder that everybody may write to may be anything, and be exchanged at any
 * time. So each thing is opened once, without following a link or waiting, and then looked at. */
static int open_dir(int at, const char *name, struct stat *info)
{
    int dir = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (dir >= 0 && fstat(dir, info) != 0) {
        close(dir);
        dir = -1;
    }
    return dir;
}

static int open_plain(int at, const char *name, struct stat *info)
{
    int file = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file >= 0 && (fstat(file, info) != 0 || !S_ISREG(info->st_mode))) {
        close(file);
        file = -1;
    }
    return file;
}

/* The server's process id, from the first line of its postmaster.pid; 0 if there is none. */
static pid_t server_pid(int dir)
{
    struct stat info;
    char text[32] = "";
    int data = open_dir(dir, "data", &info);
    int file = data >= 0 ? open_plain(data, "postmaster.pid", &info) : -1;
    ssize_t size = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    long pid = size > 0 ? strtol(text, NULL, 10) : 0;
    if (file >= 0) {
        close(file);
    }
    if (data >= 0) {
        close(data);
    }
    return pid > 1 && pid <= INT_MAX ? (pid_t)pid : 0;
}

/* True if that process is this directory's server: it works in its data directory. */
static bool is_server_of(pid_t pid, const char *path, struct arena *arena)
{
    char where[PATH_MAX];
    ssize_t size =
        readlink(arena_printf(arena, "/proc/%ld/cwd", (long)pid), where, sizeof where - 1);
    if (size < 0) {
        return false;
    }
    where[size] = '\0';
    return strcmp(where, arena_printf(arena, "%s/data", path)) == 0;
}

static void stop_server(int dir, const char *path, struct arena *arena)
{
    pid_t pid = server_pid(dir);
    if (pid == 0 || !is_server_of(pid, path, arena)) {
        return;
    }
    kill(pid, SIGQUIT);
    int64_t deadline = clock_ms() + STOP_MS;
    while (is_server_of(pid, path, arena) && clock_ms() < deadline) {
        wait_for(NULL, 0, clock_ms() + 5, &no_hooks);
    }
    if (is_server_of(pid, path, arena)) {
        kill(pid, SIGKILL);
    }
}

/* A lock of ours that nobody holds: its descriptor, which holds it now; else -1. We make the file
 * before the directory is given to the server's user, and it has no other name. */
static int take_lock(int dir)
{
    struct stat info;
    int lock = open_plain(dir, "lock", &info);
    if (lock >= 0 && info.st_uid == geteuid() && info.st_nlink == 1 &&
        flock(lock, LOCK_EX | LOCK_NB) == 0) {
        return lock;
    }
    if (lock >= 0) {
        close(lock);
    }
    return -1;
}

static void sweep_one(int place, const char *path, const struct os_user *user)
{
    struct arena arena = {0};
    struct stat info;
    int dir = open_dir(place, strrchr(path, '/') + 1, &info);
    bool ours = dir >= 0 && (info.st_uid == geteuid() || (user->other && info.st_uid == user->uid));
    /* Only a folder that a run of ours has locked. One without a lock belongs to others. */
    int lock = ours ? take_lock(dir) : -1;
    if (lock >= 0) {
        stop_server(dir, path, &arena);
        tree_remove(path);
        close(lock);
    }
    if (dir >= 0) {
        close(dir);
    }
    arena_free(&arena);
}

static void sweep_place(const char *place, const struct os_user *user)
{
    struct arena arena = {0};
    char *real = realpath(place, NULL);
    DIR *dir = real ? opendir(real) : NULL;
    const struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir))) {
        if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0) {
            sweep_one(dirfd(dir), arena_printf(&arena, "%s/%s", real, entry->d_name), user);
        }
    }
    if (dir) {
        closedir(dir);
    }
    free(real);
    arena_free(&arena);
}

void run_dir_sweep(const struct os_user *user)
{
    const char *wanted = getenv("TMPDIR");
    if (wanted && *wanted) {
        sweep_place(wanted, user);
    }
    sweep_place(MEMORY_DIR, user);
    sweep_place("/tmp", user);
}
