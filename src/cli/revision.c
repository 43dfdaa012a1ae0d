#include "cli/revision.h"

#include "base/file.h"
#include "base/path.h"
#include "cli/schema_words.h"
#include "cli/terminal.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COMMIT_DIGITS = 12, REMOVAL_FILES = 32 };

/* Files that may belong to a schema: those of today's schema are read, whatever they are named. */
static const char *const endings[] = {".sql",  ".psql",         ".pgsql",   ".ddl",
                                      ".plan", "_journal.json", "atlas.sum"};

/* Where a file is in the repository, whether it exists or not; NULL: outside. In the arena. */
static const char *path_in(struct revision *revision, const char *path)
{
    struct arena *arena = &revision->git.arena;
    const char *top = revision->git.top;
    const char *folder = path_absolute(arena, path_folder(arena, path));
    const char *slash = strrchr(path, '/');
    size_t size = strlen(top);
    if (!folder || strncmp(folder, top, size) != 0 || (folder[size] && folder[size] != '/')) {
        return NULL;
    }
    const char *below = folder[size] ? folder + size + 1 : "";
    return arena_printf(arena, "%s%s%s", below, *below ? "/" : "", slash ? slash + 1 : path);
}

/* Where a file of the repository is written to. */
static const char *path_of(struct revision *revision, const char *path)
{
    return arena_printf(&revision->git.arena, "%s/%s", revision->folder, path);
}

static bool make_folder(struct revision *revision)
{
    struct arena *arena = &revision->git.arena;
    struct error err = {0};
    bool made;
    if (revision->temporary) {
        const char *folder = getenv("TMPDIR");
        char *path =
            arena_printf(arena, "%s/pgfsm-base.XXXXXX", folder && *folder ? folder : "/tmp");
        made = mkdtemp(path) != NULL || error_system(&err, "can't create", path);
        revision->folder = made ? path : NULL;
    } else {
        revision->folder =
            arena_printf(arena, ".pgfsm/base-%.*s", COMMIT_DIGITS, revision->git.commit);
        made = folder_make(revision->folder, 0777, &err);
    }
    if (!made) {
        terminal_complain("diff: --base: %s", err.message);
    }
    return made;
}

/* The beginning of a psql command in a line; SIZE_MAX: there is none, as far as the line tells. */
static size_t command_at(const char *line, size_t size)
{
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        quoted = quoted != (line[i] == '\'');
        if (quoted || strncmp(line + i, "--", 2) == 0) {
            i = quoted ? i : size;
        } else if (line[i] == '\\') {
            return i;
        }
    }
    return SIZE_MAX;
}

/* Where the path begins in a line "\i db/a.sql", which may stand behind other text, behind the
 * quote if there is one; 0: it is another line. */
static size_t included_at(const char *line, size_t size)
{
    static const char *const commands[] = {"\\i", "\\include"};
    size_t start = command_at(line, size);
    for (size_t i = 0; start < size && i < sizeof commands / sizeof *commands; i++) {
        size_t end = start + strlen(commands[i]);
        if (strncmp(line + start, commands[i], end - start) == 0 && strspn(line + end, " \t")) {
            end += strspn(line + end, " \t");
            return end + (line[end] == '\'');
        }
    }
    return 0;
}

/* The file of the repository that is meant by a path from the current folder; NULL if the revision
 * has no such file. */
static const char *included_file(struct revision *revision, const char *path)
{
    const char *in = *path && *path != '/' ? path_in(revision, path) : NULL;
    if (!in && revision->here && *path != '/') { /* today there is no such folder */
        in = arena_printf(&revision->git.arena, "%s%s", revision->here, path);
    }
    return in && git_find(&revision->git, in) ? in : NULL;
}

/* As an argument of a psql command. */
static void quote_path(struct strbuf *out, const char *path)
{
    strbuf_addc(out, '\'');
    for (const char *c = path; *c; c++) {
        strbuf_adds(out, *c == '\'' ? "'" : *c == '\\' ? "\\" : "");
        strbuf_addc(out, *c);
    }
    strbuf_addc(out, '\'');
}

/* psql looks for the file of \i in the current folder, and there it is today's. Adds the line, and
 * leads its path to the file of the revision, if there is one. */
static void add_line(struct revision *revision, const char *line, size_t size, struct strbuf *out)
{
    size_t at = included_at(line, size);
    bool quoted = at > 0 && line[at - 1] == '\'';
    size_t length = strcspn(line + at, quoted ? "\r\n'" : " \t\r\n';");
    const char *path = arena_strndup(&revision->git.arena, line + at, length);
    const char *in = at > 0 ? included_file(revision, path) : NULL;
    if (at > 0 && strchr(path, ':')) {
        terminal_complain("diff: --base: '%s' has a variable of psql, so that it is read as it is "
                          "today; \\ir reads the file of the revision",
                          path);
    }
    if (in) {
        size_t end = at + length + (quoted && line[at + length] == '\'');
        strbuf_add(out, line, at - quoted);
        quote_path(out, path_of(revision, in));
        strbuf_add(out, line + end, size - end);
    } else {
        strbuf_add(out, line, size);
    }
}

/* Each run writes all of them: what is there may be another one's, and other runs may read it. */
static bool write_file(void *host, const struct git_file *file, const char *text, size_t size)
{
    struct revision *revision = host;
    struct arena *arena = &revision->git.arena;
    struct strbuf content = {0};
    struct error err = {0};
    const char *path = path_of(revision, file->path);
    bool ok = folder_make(path_folder(arena, path), 0777, &err);
    if (ok && file->link) {
        const char *target = arena_strndup(arena, text, size);
        char there[PATH_MAX];
        ssize_t length = readlink(path, there, sizeof there);
        bool same = length == (ssize_t)size && memcmp(there, target, size) == 0;
        ok = same || ((unlink(path) == 0 || errno == ENOENT) && symlink(target, path) == 0) ||
             error_system(&err, "can't write", path);
    } else if (ok) {
        const char *copy = arena_strndup(arena, text, size);
        for (size_t at = 0; at < size;) {
            const char *end = memchr(copy + at, '\n', size - at);
            size_t line = end ? (size_t)(end - copy) - at + 1 : size - at;
            add_line(revision, copy + at, line, &content);
            at += line;
        }
        ok = file_replace(path, &content, &err);
    }
    if (!ok) {
        terminal_complain("diff: --base: %s", err.message);
    }
    strbuf_free(&content);
    return ok;
}

static bool may_be_schema(const struct git_file *file)
{
    bool may = file->link;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        may = may || path_ends_in(file->path, endings[i]);
    }
    return may;
}

bool revision_open(struct revision *revision, const struct options *options, const char *file)
{
    if (revision->is_open) {
        return true;
    }
    revision->temporary = options->no_save;
    if (!git_open(&revision->git, options->base, path_folder(&revision->git.arena, file)) ||
        !make_folder(revision)) {
        return false;
    }
    const char *name = path_in(revision, "x"); /* "db/x" */
    revision->here =
        name ? arena_strndup(&revision->git.arena, name, strlen(name) - strlen("x")) : NULL;
    for (size_t i = 0; i < revision->git.files.count; i++) {
        struct git_file *listed = &revision->git.files.items[i];
        listed->wanted = may_be_schema(listed);
    }
    revision->is_open = git_read(&revision->git, revision->folder, write_file, revision);
    return revision->is_open;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status;
    (void)kind;
    (void)at;
    return remove(path);
}

void revision_close(struct revision *revision)
{
    if (revision->folder && revision->temporary) {
        (void)nftw(revision->folder, remove_entry, REMOVAL_FILES, FTW_DEPTH | FTW_PHYS);
    }
    git_close(&revision->git);
}

static void want(void *host, const char *path)
{
    struct revision *revision = host;
    const char *in = path_in(revision, path);
    struct git_file *file = in ? git_find(&revision->git, in) : NULL;
    if (file) {
        file->wanted = true;
    }
}

static bool all_in_repository(struct revision *revision, const struct pgfsm_machine *today)
{
    const char *path;
    for (size_t i = 0; (path = pgfsm_machine_schema_file(today, i)); i++) {
        if (!path_in(revision, path)) {
            terminal_complain("diff: --base: %s is outside of the repository %s, so there is no "
                              "earlier one to compare it with",
                              path, revision->git.top);
            return false;
        }
    }
    return true;
}

/* Empty files in the place of those that were not there, for a pattern that matches new ones alone.
 */
static bool add_empty(struct revision *revision, const struct pgfsm_machine *today)
{
    struct arena *arena = &revision->git.arena;
    struct strbuf nothing = {0};
    struct error err = {0};
    const char *path;
    for (size_t i = 0; (path = pgfsm_machine_schema_file(today, i)); i++) {
        const char *in = path_of(revision, path_in(revision, path));
        if (access(in, F_OK) != 0 && (!folder_make(path_folder(arena, in), 0777, &err) ||
                                      !file_replace(in, &nothing, &err))) {
            terminal_complain("diff: --base: %s", err.message);
            return false;
        }
    }
    return true;
}

/* The machine as it was, or else today's, in the place where it was. */
static bool load_then(struct revision *revision, const struct pgfsm_machine *today,
                      const struct strbuf *text, struct pgfsm_machine **out,
                      struct pgfsm_errors *errors)
{
    const char *in = path_in(revision, pgfsm_machine_path(today));
    const char *path = in ? path_of(revision, in) : NULL;
    struct error err = {0};
    if (!in) {
        terminal_complain("diff: --base: %s is outside of the repository %s",
                          pgfsm_machine_path(today), revision->git.top);
        return false;
    }
    if (!folder_make(path_folder(&revision->git.arena, path), 0777, &err)) {
        terminal_complain("diff: --base: %s", err.message);
        return false;
    }
    bool loaded = git_find(&revision->git, in) && pgfsm_machine_load(out, path, NULL, errors);
    loaded = loaded || pgfsm_machine_read(out, path, text->data, text->size, NULL, errors);
    pgfsm_errors_clear(errors);
    return loaded || (add_empty(revision, today) &&
                      pgfsm_machine_read(out, path, text->data, text->size, NULL, errors));
}

/* A path from the root leads to today's file. */
static bool all_inside(struct revision *revision, const struct texts *files)
{
    size_t size = strlen(revision->folder);
    for (size_t i = 0; i < files->items.count; i++) {
        const char *path = files->items.items[i];
        if (strncmp(path, revision->folder, size) != 0 || path[size] != '/') {
            terminal_complain("diff: --base: %s has no file of an earlier revision; write a path "
                              "that is relative, and in the repository %s",
                              path, revision->git.top);
            return false;
        }
    }
    return true;
}

/* Drops those that were not there; nothing comes of an empty file. */
static void keep_there(struct texts *files)
{
    struct stat status;
    size_t kept = 0;
    for (size_t i = 0; i < files->items.count; i++) {
        const char *path = files->items.items[i];
        if (stat(path, &status) == 0 && status.st_size > 0) {
            files->items.items[kept++] = path;
        }
    }
    files->items.count = kept;
}

bool revision_schema(struct revision *revision, const struct pgfsm_machine *today,
                     const struct strbuf *text, struct texts *out, struct pgfsm_errors *errors)
{
    struct pgfsm_machine *then = NULL;
    if (!all_in_repository(revision, today)) {
        return false;
    }
    pgfsm_machine_files(today, want, revision);
    if (!git_read(&revision->git, revision->folder, write_file, revision) ||
        !load_then(revision, today, text, &then, errors)) {
        return false;
    }
    schema_files(then, &revision->git.arena, out);
    pgfsm_machine_free(then);
    if (!all_inside(revision, out)) {
        return false;
    }
    keep_there(out);
    return true;
}
