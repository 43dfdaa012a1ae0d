#include "pg/server/cache.h"

#include "base/file.h"
#include "base/hash.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Changes whenever what is done to a new data directory does; with how files are loaded. */
#define LAYOUT "3"
#define LOADED PGFSM_VERSION ".1"
#define ASIDE ".new."

/* The beginning of the entries' names. */
static const char *const prefixes[] = {"data-", "loaded-"};

/* Files that only a running server has. */
static const char *const of_running[] = {"postmaster.", "mmap.", NULL};

static const char *home_dir(void)
{
    const char *home = getenv("HOME");
    if (home && *home == '/') {
        return home;
    }
    const struct passwd *entry = getpwuid(geteuid());
    return entry && *entry->pw_dir == '/' ? entry->pw_dir : NULL;
}

/* The XDG base directory specification: a relative path is to be ignored. */
static const char *cache_dir(struct arena *arena)
{
    const char *xdg = getenv("XDG_CACHE_HOME");
    if (xdg && *xdg == '/') {
        return arena_printf(arena, "%s/pgfsm", xdg);
    }
    const char *home = home_dir();
    return home ? arena_printf(arena, "%s/.cache/pgfsm", home) : NULL;
}

const char *cache_servers_dir(struct arena *arena)
{
    const char *xdg = getenv("XDG_CACHE_HOME");
    if (xdg && *xdg == '/') {
        return arena_printf(arena, "%s/pgfsm-servers", xdg);
    }
    const char *home = home_dir();
    return geteuid() == 0 ? "/var/cache/pgfsm-servers"
           : home         ? arena_printf(arena, "%s/.cache/pgfsm-servers", home)
                          : NULL;
}

/* Names an installation by where it is and when its server was put there. */
struct cache cache_find(const char *bindir, struct arena *arena)
{
    struct stat info;
    struct cache cache = {.dir = cache_dir(arena)};
    if (!cache.dir || stat(arena_printf(arena, "%s/postgres", bindir), &info) != 0) {
        return (struct cache){0};
    }
    char *version = arena_printf(arena, "%lld.%09ld %lld", (long long)info.st_mtim.tv_sec,
                                 info.st_mtim.tv_nsec, (long long)info.st_size);
    cache.install =
        arena_printf(arena, "%016llx-%016llx-" LAYOUT, (unsigned long long)hash_text(bindir),
                     (unsigned long long)hash_text(version));
    cache.entry = arena_printf(arena, "%s/data-%s", cache.dir, cache.install);
    return cache;
}

struct cache cache_of_loaded(const struct cache *cache, const struct ingredients_key *key,
                             struct arena *arena)
{
    struct cache loaded = *cache;
    loaded.max_age_s = key->max_age_s;
    if (cache->dir) {
        loaded.entry = arena_printf(arena, "%s/loaded-%s-" LOADED "-%016llx%016llx", cache->dir,
                                    cache->install, (unsigned long long)key->parts[0],
                                    (unsigned long long)key->parts[1]);
    }
    return loaded;
}

/* A server runs what its data directory says: so what is ours, and nobody else may write to. */
static bool is_ours(const struct stat *info)
{
    return info->st_uid == geteuid() && !(info->st_mode & (S_IWGRP | S_IWOTH));
}

bool cache_dir_is_ours(const char *dir)
{
    struct stat info;
    return stat(dir, &info) == 0 && S_ISDIR(info.st_mode) && is_ours(&info);
}

static bool is_fresh(const struct cache *cache, const struct stat *info)
{
    time_t age = time(NULL) - info->st_mtime;
    return cache->max_age_s == 0 || (age >= 0 && (uint64_t)age <= cache->max_age_s);
}

/* The entry, open; NULL: there is none. */
static FILE *open_entry(const struct cache *cache)
{
    struct stat info;
    if (!cache->entry || !cache_dir_is_ours(cache->dir)) {
        return NULL;
    }
    int file = open(cache->entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool good = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) && is_ours(&info) &&
                is_fresh(cache, &info);
    FILE *stream = good ? fdopen(file, "rb") : NULL;
    if (file >= 0 && !stream) {
        close(file);
    }
    return stream;
}

bool cache_has(const struct cache *cache)
{
    FILE *file = open_entry(cache);
    return file && fclose(file) == 0;
}

/* That it was used now; when it was written stays. */
static void note_use(FILE *file)
{
    const struct timespec times[] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}};
    (void)futimens(fileno(file), times);
}

enum unpacked cache_copy(const struct cache *cache, const char *to, const struct os_user *owner)
{
    FILE *file = open_entry(cache);
    if (!file) {
        return UNPACK_FAILED;
    }
    enum unpacked outcome = tree_unpack(file, to, owner);
    note_use(file);
    (void)fclose(file);
    if (outcome != UNPACKED) {
        tree_remove(to);
    }
    return outcome;
}

/* A file of ours that no run writes any more. */
static bool is_left_over(const char *path)
{
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool free = file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0;
    if (file >= 0) {
        close(file);
    }
    return free;
}

struct entry {
    const char *path;
    struct timespec used;
    uint64_t size;
};
struct entries {
    VEC(struct entry) items;
};

static bool is_entry(const char *name)
{
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* The entries of the folder. Removes what dead runs left, and the folders that an entry once was.
 */
static void list_entries(const char *path, struct arena *arena, struct entries *out)
{
    DIR *dir = opendir(path);
    const struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir))) {
        struct stat info;
        const char *whole = arena_printf(arena, "%s/%s", path, entry->d_name);
        bool aside = strncmp(entry->d_name, ASIDE, strlen(ASIDE)) == 0;
        if ((!aside && !is_entry(entry->d_name)) || lstat(whole, &info) != 0 || !is_ours(&info)) {
            continue;
        }
        if (S_ISDIR(info.st_mode) || (aside && is_left_over(whole))) {
            tree_remove(whole);
        } else if (!aside) {
            *VEC_PUSH(arena, &out->items) =
                (struct entry){whole, info.st_atim, (uint64_t)info.st_size};
        }
    }
    if (dir) {
        closedir(dir);
    }
}

static int compare_used(const void *a, const void *b)
{
    const struct timespec *first = &((const struct entry *)a)->used;
    const struct timespec *second = &((const struct entry *)b)->used;
    if (first->tv_sec != second->tv_sec) {
        return first->tv_sec > second->tv_sec ? -1 : 1;
    }
    return (first->tv_nsec < second->tv_nsec) - (first->tv_nsec > second->tv_nsec);
}

/* Entries of the same folder of programs as it was before are of no use. */
static bool is_outdated(const struct cache *cache, const char *path)
{
    const char *name = strchr(strrchr(path, '/'), '-') + 1;
    size_t same = strlen("0123456789abcdef-");
    return strncmp(name, cache->install, same) == 0 &&
           strncmp(name, cache->install, strlen(cache->install)) != 0;
}

void cache_trim(const struct cache *cache, uint64_t most)
{
    struct arena arena = {0};
    struct entries entries = {0};
    uint64_t total = 0;
    list_entries(cache->dir, &arena, &entries);
    if (entries.items.count > 0) {
        qsort(entries.items.items, entries.items.count, sizeof *entries.items.items, compare_used);
    }
    for (size_t i = 0; i < entries.items.count; i++) {
        const struct entry *entry = &entries.items.items[i];
        total += entry->size;
        if (total > most || is_outdated(cache, entry->path)) {
            (void)unlink(entry->path);
        }
    }
    arena_free(&arena);
}

/* Locked for as long as somebody writes it. No fsync: what a power cut takes, the checksum tells.
 */
static bool write_entry(int file, const char *data)
{
    struct error ignored;
    FILE *stream = fdopen(file, "wb");
    if (!stream) {
        close(file);
        return false;
    }
    bool written =
        flock(file, LOCK_EX | LOCK_NB) == 0 && tree_pack(data, of_running, stream, &ignored);
    return fclose(stream) == 0 && written;
}

void cache_store(const struct cache *cache, const char *data, struct arena *arena)
{
    struct error ignored;
    if (!cache->entry || !folder_make(cache->dir, 0700, &ignored) ||
        !cache_dir_is_ours(cache->dir)) {
        return;
    }
    char *aside = arena_printf(arena, "%s/" ASIDE "XXXXXX", cache->dir);
    int file = mkostemp(aside, O_CLOEXEC);
    if (file < 0) {
        return;
    }
    if (!write_entry(file, data) || rename(aside, cache->entry) != 0) {
        (void)unlink(aside);
        return;
    }
    cache_trim(cache, CACHE_MAX);
}

void cache_forget(const struct cache *cache)
{
    if (cache->entry && cache_dir_is_ours(cache->dir)) {
        (void)unlink(cache->entry);
    }
}

bool pg_cache(struct pg_cache *out, bool clear, struct arena *arena, struct error *err)
{
    struct entries entries = {0};
    *out = (struct pg_cache){.dir = cache_dir(arena)};
    if (!out->dir) {
        error_set(err, ERROR_SYSTEM, "there is no folder for a cache");
        return error_hint(err, "set HOME or XDG_CACHE_HOME to an absolute path");
    }
    const char *servers = cache_servers_dir(arena);
    if (clear && servers && cache_dir_is_ours(servers)) {
        tree_remove(servers);
    }
    if (!folder_exists(out->dir)) {
        return true;
    }
    if (!cache_dir_is_ours(out->dir)) {
        return error_set(err, ERROR_SYSTEM, "%s is not yours alone: it is not used as a cache",
                         out->dir);
    }
    list_entries(out->dir, arena, &entries);
    for (size_t i = 0; i < entries.items.count; i++) {
        const struct entry *entry = &entries.items.items[i];
        if (clear && unlink(entry->path) != 0 && errno != ENOENT) {
            return error_system(err, "can't remove", entry->path);
        }
        out->count++;
        out->bytes += entry->size;
    }
    return true;
}
