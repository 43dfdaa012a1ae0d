#include "pg/server/packaged.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "os/process.h"
#include "pg/server/cache.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIST_MAX = 1 << 20 };

/* $1 is the package's folder `native`, $2 the copy. Source and target of a link are in the same
 * folder. */
static const char script[] =
    "set -e\n"
    "umask 022\n"
    "find \"${2%/*}\" -maxdepth 1 -name 'server-*' -mtime +30 -exec rm -rf {} +\n"
    "rm -rf \"$2.new\"\n"
    "mkdir \"$2.new\"\n"
    "cp -R \"$1/bin\" \"$1/lib\" \"$1/share\" \"$2.new\"\n"
    "chmod -R u=rwX,go=rX \"$2.new\"\n"
    "tr '}' '\\n' <\"$1/pg-symlinks.json\" |\n"
    "  sed -n 's|.*\"source\":\"native/\\([^\"]*\\)\",\"target\":\"native/\\([^\"]*\\)\".*|\\1 "
    "\\2|p' |\n"
    "  while read -r source target; do ln -sf \"${source##*/}\" \"$2.new/$target\"; done\n"
    "mv \"$2.new\" \"$2\"\n";

static uint64_t hash_file(const char *path, struct error *err)
{
    struct strbuf text = {0};
    uint64_t hash = file_load(path, LIST_MAX, &text, err) ? hash_text(strbuf_text(&text)) : 0;
    strbuf_free(&text);
    return hash;
}

/* The package's version tells copies apart: its files' times are the same in all versions. */
static const char *copy_of(const char *native, const char *folder, struct arena *arena,
                           struct error *err)
{
    struct stat info = {0};
    uint64_t links = hash_file(arena_printf(arena, "%s/pg-symlinks.json", native), err);
    uint64_t version = hash_file(arena_printf(arena, "%s/../package.json", native), err);
    (void)stat(arena_printf(arena, "%s/bin/postgres", native), &info);
    return links && version ? arena_printf(arena, "%s/server-%016" PRIx64 "%016" PRIx64 "-%jx",
                                           folder, links, version, (uintmax_t)info.st_size)
                            : NULL;
}

static bool explain(struct error *err)
{
    return error_hint(err, "set XDG_CACHE_HOME to a folder with 60 MB of room, say where another "
                           "server is with --pg-bindir, or name a running one with -d");
}

static bool run_script(const char *native, const char *copy, const struct hooks *hooks,
                       struct error *err)
{
    static const struct os_user ourselves = {0};
    const char *argv[] = {"/bin/sh", "-c", script, "sh", native, copy, NULL};
    const struct process process = {.argv = argv, .user = &ourselves};
    struct process_result result;
    bool made = process_run(&process, hooks, &result, err);
    if (made && result.status != 0) {
        made = error_set(err, ERROR_SYSTEM, "can't copy the server in %s to %s", native, copy);
        error_detail(err, "%s", strbuf_text(&result.errors));
        explain(err);
    }
    process_result_free(&result);
    return made;
}

/* One of several runs makes it; the others wait. */
static bool make_copy(const char *native, const char *folder, const char *copy,
                      const struct hooks *hooks, struct arena *arena, struct error *err)
{
    if (!folder_make(folder, 0755, err)) {
        return explain(err);
    }
    if (!cache_dir_is_ours(folder)) {
        error_set(err, ERROR_SYSTEM, "%s is not yours alone: no server is copied to it", folder);
        return explain(err);
    }
    (void)chmod(folder, 0755); /* whatever the umask is */
    const char *path = arena_printf(arena, "%s/lock", folder);
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool locked = lock >= 0 && flock(lock, LOCK_EX) == 0;
    bool made = locked ? cache_dir_is_ours(copy) || run_script(native, copy, hooks, err)
                       : error_system(err, "can't lock", path);
    if (lock >= 0) {
        close(lock);
    }
    return made;
}

bool packaged_copy(const char **bindir, const struct hooks *hooks, struct arena *arena,
                   struct error *err)
{
    const char *end = strrchr(*bindir, '/');
    const char *native = arena_strndup(arena, *bindir, end ? (size_t)(end - *bindir) : 0);
    if (access(arena_printf(arena, "%s/pg-symlinks.json", native), F_OK) != 0) {
        return true;
    }
    const char *folder = cache_servers_dir(arena);
    if (!folder) {
        error_set(err, ERROR_SYSTEM, "there is no folder for a copy of the server in %s", native);
        return explain(err);
    }
    const char *copy = copy_of(native, folder, arena, err);
    if (!copy ||
        (!cache_dir_is_ours(copy) && !make_copy(native, folder, copy, hooks, arena, err))) {
        return false;
    }
    (void)utimensat(AT_FDCWD, copy, NULL, 0); /* that it was used */
    *bindir = arena_printf(arena, "%s/bin", copy);
    return true;
}
