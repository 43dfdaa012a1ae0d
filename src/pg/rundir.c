#include "pg/rundir.h"

#include "base/file.h"
#include "pg/platform.h"
#include "pg/tree.h"
#include "pg/wait.h"

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
    PID_FILE_MAX = 4096, /* bytes */
};
static const unsigned long long memory_needed = 1ULL << 30; /* bytes free in /dev/shm */

/* Whether a user can pass through every folder of an absolute path. */
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
    *lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
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
    error_hint(err,
               "set TMPDIR to a folder that you and the server's user can write to, with a path "
               "shorter than 70 bytes");
    return false;
}

/* The server's process id, from the first line of its postmaster.pid; 0 if there is none. */
static pid_t server_pid(const char *dir, struct arena *arena)
{
    struct strbuf text = {0};
    struct error ignored;
    (void)file_load(arena_printf(arena, "%s/data/postmaster.pid", dir), PID_FILE_MAX, &text,
                    &ignored);
    long pid = strtol(strbuf_text(&text), NULL, 10);
    strbuf_free(&text);
    return pid > 1 && pid <= INT_MAX ? (pid_t)pid : 0;
}

/* Whether that process is the server of this directory: it works in its data directory. */
static bool is_server_of(pid_t pid, const char *dir, struct arena *arena)
{
    char where[PATH_MAX];
    ssize_t size =
        readlink(arena_printf(arena, "/proc/%ld/cwd", (long)pid), where, sizeof where - 1);
    if (size < 0) {
        return false;
    }
    where[size] = '\0';
    return strcmp(where, arena_printf(arena, "%s/data", dir)) == 0;
}

static void stop_server(const char *dir, struct arena *arena)
{
    static const struct hooks deaf = {0};
    pid_t pid = server_pid(dir, arena);
    if (pid == 0 || !is_server_of(pid, dir, arena)) {
        return;
    }
    kill(pid, SIGQUIT);
    int64_t deadline = clock_ms() + STOP_MS;
    while (is_server_of(pid, dir, arena) && clock_ms() < deadline) {
        wait_for(NULL, 0, clock_ms() + 5, &deaf);
    }
    if (is_server_of(pid, dir, arena)) {
        kill(pid, SIGKILL);
    }
}

static void sweep_one(const char *dir)
{
    struct stat info;
    struct arena arena = {0};
    int lock = -1;
    char *path = arena_printf(&arena, "%s/lock", dir);
    /* Only what a run of ours locked once: a folder without a lock is somebody else's. */
    if (stat(path, &info) == 0 && info.st_uid == geteuid() && lock_file(dir, &lock)) {
        stop_server(dir, &arena);
        tree_remove(dir);
    }
    if (lock >= 0) {
        close(lock);
    }
    arena_free(&arena);
}

static void sweep_place(const char *place)
{
    struct arena arena = {0};
    char *real = realpath(place, NULL);
    DIR *dir = real ? opendir(real) : NULL;
    const struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir))) {
        if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0) {
            sweep_one(arena_printf(&arena, "%s/%s", real, entry->d_name));
        }
    }
    if (dir) {
        closedir(dir);
    }
    free(real);
    arena_free(&arena);
}

void run_dir_sweep(void)
{
    const char *wanted = getenv("TMPDIR");
    if (wanted && *wanted) {
        sweep_place(wanted);
    }
    sweep_place(MEMORY_DIR);
    sweep_place("/tmp");
}
