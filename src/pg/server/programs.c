#include "pg/server/programs.h"

#include "base/path.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "os/process.h"

#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* The folders that packages put them in. If several versions match, the newest is taken first. */
static const char *const usual_places[] = {
    "/usr/lib/postgresql/*/bin",         /* Debian, Ubuntu */
    "/usr/pgsql-*/bin",                  /* PostgreSQL's own RPMs */
    "/usr/lib/postgresql*/bin",          /* SUSE, Gentoo */
    "/usr/libexec/postgresql*",          /* Alpine */
    "/usr/local/pgsql/bin",              /* built from source */
    "/usr/local/bin",                    /* FreeBSD; Debian's container image */
    "/opt/homebrew/opt/postgresql*/bin", /* Homebrew */
    "/usr/local/opt/postgresql*/bin",    /* Homebrew on Intel */
    "/opt/local/lib/postgresql*/bin",    /* MacPorts */
    "/Applications/Postgres.app/Contents/Versions/*/bin",
};

struct folders {
    struct arena *arena;
    VEC(const char *) items;
};

static void add_folder(struct folders *folders, const char *path, size_t size)
{
    *VEC_PUSH(folders->arena, &folders->items) = arena_strndup(folders->arena, path, size);
}

static void add_pg_config(struct folders *folders, const char *pg_config, const struct hooks *hooks)
{
    const char *argv[] = {pg_config, "--bindir", NULL};
    struct os_user nobody_else = {0};
    struct process process = {.argv = argv, .user = &nobody_else};
    struct process_result result;
    struct error ignored;
    if (process_run(&process, hooks, &result, &ignored) && result.status == 0) {
        add_folder(folders, strbuf_text(&result.output),
                   strcspn(strbuf_text(&result.output), "\r\n"));
    }
    process_result_free(&result);
}

static bool has_program(struct arena *arena, const char *dir, const char *name)
{
    return access(arena_printf(arena, "%s/%s", dir, name), X_OK) == 0;
}

static void add_path(struct folders *folders, const struct hooks *hooks)
{
    const char *path = getenv("PATH");
    struct folders found = {.arena = folders->arena};
    bool asked = false;
    while (path && *path) {
        size_t size = strcspn(path, ":");
        if (size > 0) {
            add_folder(&found, path, size);
            const char *dir = found.items.items[found.items.count - 1];
            if (!asked && has_program(folders->arena, dir, "pg_config")) {
                asked = true;
                add_pg_config(folders, arena_printf(folders->arena, "%s/pg_config", dir), hooks);
            }
        }
        path += size + (path[size] == ':');
    }
    for (size_t i = 0; i < found.items.count; i++) {
        *VEC_PUSH(folders->arena, &folders->items) = found.items.items[i];
    }
}

static int newest_first(const void *a, const void *b)
{
    return strverscmp(*(const char *const *)b, *(const char *const *)a);
}

static void add_usual_places(struct folders *folders)
{
    for (size_t i = 0; i < sizeof usual_places / sizeof *usual_places; i++) {
        glob_t found = {0};
        if (glob(usual_places[i], GLOB_NOSORT, NULL, &found) == 0) {
            qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, newest_first);
            for (size_t j = 0; j < found.gl_pathc; j++) {
                add_folder(folders, found.gl_pathv[j], strlen(found.gl_pathv[j]));
            }
        }
        globfree(&found);
    }
}

/* The server that the launcher of the npm package has found among the packages installed. */
static void add_packaged(struct folders *folders)
{
    const char *path = getenv("PGFSM_PACKAGED_SERVER");
    if (path && *path) {
        add_folder(folders, path, strlen(path));
    }
}

/* A psql that came with this program: pgfsm is in `bin`, psql in `lib/pgfsm`. */
static void add_own(struct folders *folders)
{
    char path[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path);
    if (size > 0 && (size_t)size < sizeof path) {
        const char *file = arena_strndup(folders->arena, path, (size_t)size);
        const char *own =
            arena_printf(folders->arena, "%s/../lib/pgfsm", path_folder(folders->arena, file));
        add_folder(folders, own, strlen(own));
    }
}

/* The first folder that has all of the programs; NULL if none. */
static const char *first_with(const struct folders *folders, const char *const *names)
{
    for (size_t i = 0; i < folders->items.count; i++) {
        bool all = true;
        for (size_t j = 0; names[j] && all; j++) {
            all = has_program(folders->arena, folders->items.items[i], names[j]);
        }
        if (all) {
            return folders->items.items[i];
        }
    }
    return NULL;
}

/* `server`: not psql, and only in `bindir` if that is given. */
static const char *find_folder(const char *bindir, bool server, const char *const *names,
                               const struct hooks *hooks, struct arena *arena)
{
    struct folders folders = {.arena = arena};
    if (bindir) {
        add_folder(&folders, bindir, strlen(bindir));
        const char *found = first_with(&folders, names);
        if (found || server) {
            return found;
        }
    }
    if (server) {
        add_packaged(&folders);
    } else {
        add_own(&folders);
    }
    add_path(&folders, hooks);
    add_usual_places(&folders);
    return first_with(&folders, names);
}

bool programs_find_server(const char *bindir, const struct hooks *hooks, struct arena *arena,
                          const char **dir, struct error *err)
{
    static const char *const names[] = {"postgres", "initdb", NULL};
    const char *found = find_folder(bindir, true, names, hooks, arena);
    if (!found && bindir) {
        return error_set(err, ERROR_SYSTEM,
                         "there is no PostgreSQL server (postgres, initdb) in %s", bindir);
    }
    if (!found) {
        error_set(err, ERROR_SYSTEM,
                  "no database is named, and PostgreSQL's server programs are not on this machine");
        return error_hint(
            err, "install them (Debian, Ubuntu: apt-get install postgresql; Fedora: dnf install "
                 "postgresql-server; Homebrew: brew install postgresql), say where they are with "
                 "--pg-bindir, or name a server with -d");
    }
    char *real = realpath(found, NULL);
    *dir = arena_strdup(arena, real ? real : found);
    free(real);
    return true;
}

bool programs_find_psql(const char *bindir, const struct hooks *hooks, struct arena *arena,
                        const char **path, struct error *err)
{
    static const char *const names[] = {"psql", NULL};
    const char *dir = find_folder(bindir, false, names, hooks, arena);
    if (!dir) {
        error_set(err, ERROR_SYSTEM, "psql, which loads the schema, is not on this machine");
        return error_hint(
            err, "install it (Debian, Ubuntu: apt-get install postgresql-client), say where it is "
                 "with --pg-bindir, or load plain SQL with --in-place");
    }
    *path = arena_printf(arena, "%s/psql", dir);
    return true;
}
