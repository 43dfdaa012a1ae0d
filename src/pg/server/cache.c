#include "pg/server/cache.h"

#include "base/file.h"
#include "base/hash.h"
#include "os/tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Changes whenever what is done to a new data directory does. */
#define LAYOUT "1"
#define ASIDE ".new."

enum { ASIDE_MAX_AGE_S = 3600 };

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
    cache.entry =
        arena_printf(arena, "%s/data-%016llx-%016llx-" LAYOUT, cache.dir,
                     (unsigned long long)hash_text(bindir), (unsigned long long)hash_text(version));
    return cache;
}

/* A server runs what its data directory says: so a folder that is ours, and that nobody else may
 * write to. */
static bool is_ours(const struct stat *info)
{
    return S_ISDIR(info->st_mode) && info->st_uid == geteuid() &&
           !(info->st_mode & (S_IWGRP | S_IWOTH));
}

static bool dir_is_ours(const struct cache *cache)
{
    struct stat info;
    return stat(cache->dir, &info) == 0 && is_ours(&info);
}

bool cache_has(const struct cache *cache)
{
    struct stat info;
    return cache->entry && dir_is_ours(cache) && lstat(cache->entry, &info) == 0 && is_ours(&info);
}

static bool is_old(int dir, const char *name)
{
    struct stat info;
    return fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
           time(NULL) - info.st_mtime > ASIDE_MAX_AGE_S;
}

/* Entries of the same installation as it was before, and what interrupted makers left aside. */
static void remove_outdated(const struct cache *cache, struct arena *arena)
{
    const char *name = strrchr(cache->entry, '/') + 1;
    size_t same = strlen("data-0123456789abcdef-");
    DIR *dir = opendir(cache->dir);
    const struct dirent *entry = NULL;
    while (dir && (entry = readdir(dir))) {
        bool other = strncmp(entry->d_name, name, same) == 0 && strcmp(entry->d_name, name) != 0;
        bool left =
            strncmp(entry->d_name, ASIDE, strlen(ASIDE)) == 0 && is_old(dirfd(dir), entry->d_name);
        if (other || left) {
            tree_remove(arena_printf(arena, "%s/%s", cache->dir, entry->d_name));
        }
    }
    if (dir) {
        closedir(dir);
    }
}

void cache_store(const struct cache *cache, const char *data, struct arena *arena)
{
    static const struct os_user ourselves = {0};
    struct error ignored;
    if (!cache->entry || !folder_make(cache->dir, 0700, &ignored) || !dir_is_ours(cache)) {
        return;
    }
    char *aside = arena_printf(arena, "%s/" ASIDE "XXXXXX", cache->dir);
    if (!mkdtemp(aside)) {
        return;
    }
    const char *copy = arena_printf(arena, "%s/data", aside);
    if (tree_copy(data, copy, &ourselves, &ignored) && rename(copy, cache->entry) == 0) {
        remove_outdated(cache, arena);
    }
    tree_remove(aside);
}

void cache_forget(const struct cache *cache)
{
    if (cache->entry && dir_is_ours(cache)) {
        tree_remove(cache->entry);
    }
}
