#include "cli/git.h"

#include "base/file.h"
#include "base/shell.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_MAX = 1 << 30, NOT_FOUND = 127 /* a shell's status */ };

/* A configured file system monitor is a program, and so is a hook. */
#define GIT                                                                                        \
    "GIT_OPTIONAL_LOCKS=0 git --no-pager -c core.fsmonitor=false -c core.hooksPath=/dev/null"

/* Runs git in a folder, with arguments that are quoted already. Returns its exit status, or -1. In
 * a hook GIT_DIR may stand alone: git then takes the folder for the top, or looks for the
 * repository below it. */
static int run_git(const char *folder, const char *arguments, struct strbuf *out)
{
    struct strbuf line = {0};
    struct error err = {0};
    if (getenv("GIT_DIR") && !getenv("GIT_WORK_TREE")) {
        strbuf_adds(&line, "unset GIT_DIR; ");
    }
    strbuf_adds(&line, GIT " -C ");
    shell_quote(&line, folder);
    strbuf_addf(&line, " %s", arguments);
    FILE *stream = popen(line.data, "r");
    bool read = stream && file_read(stream, "git's output", OUTPUT_MAX, out, &err);
    int ended = stream ? pclose(stream) : -1;
    strbuf_free(&line);
    if (!read || ended == -1 || out->size > OUTPUT_MAX) {
        terminal_complain("diff: git could not be run: %s", !read && err.message[0] ? err.message
                                                            : read ? "it printed more than 1 GiB"
                                                                   : strerror(errno));
        return -1;
    }
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}

static bool refuse_folder(int status, const char *folder)
{
    if (interrupt_asked() || status == -1) {
        return false;
    }
    if (status == NOT_FOUND) {
        terminal_complain("diff: --base needs the program git, which is not in PATH; install it, "
                          "or compare files: --schema OLD.sql --new-schema NEW.sql");
    } else {
        terminal_complain("diff: --base: git finds no files to read in %s; without a repository, "
                          "compare files: --schema OLD.sql --new-schema NEW.sql",
                          folder);
    }
    return false;
}

static const char *first_line(struct arena *arena, const struct strbuf *text)
{
    return arena_strndup(arena, strbuf_text(text), strcspn(strbuf_text(text), "\n"));
}

static bool find_top(struct git *git, const char *folder)
{
    struct strbuf out = {0};
    int status = run_git(folder, "rev-parse --show-toplevel", &out);
    git->top = first_line(&git->arena, &out);
    strbuf_free(&out);
    return (status == 0 && *git->top) || refuse_folder(status, folder);
}

static bool refuse_revision(const struct git *git)
{
    struct strbuf out = {0};
    int status = run_git(git->top, "rev-parse --is-shallow-repository", &out);
    bool shallow = status == 0 && strncmp(strbuf_text(&out), "true", 4) == 0;
    strbuf_free(&out);
    if (interrupt_asked()) {
        return false;
    }
    terminal_complain("diff: --base: %s has no revision '%s'; %s", git->top, git->revision,
                      shallow ? "it is a shallow clone: clone it with its history "
                                "(actions/checkout: `fetch-depth: 0`; GitLab: `GIT_DEPTH: 0`)"
                              : "name a branch, a tag or a commit, and fetch it first");
    return false;
}

/* What a shell or git would read as something else. */
static bool is_plain(const char *revision)
{
    bool plain = *revision && *revision != '-';
    for (const char *c = revision; *c; c++) {
        plain = plain && !iscntrl((unsigned char)*c);
    }
    return plain;
}

static bool find_commit(struct git *git)
{
    struct strbuf line = {0};
    struct strbuf out = {0};
    int status = 1;
    if (is_plain(git->revision)) {
        strbuf_adds(&line, "rev-parse --verify --quiet ");
        shell_quote(&line, arena_printf(&git->arena, "%s^{commit}", git->revision));
        status = run_git(git->top, line.data, &out);
    }
    git->commit = first_line(&git->arena, &out);
    strbuf_free(&line);
    strbuf_free(&out);
    return (status == 0 && *git->commit) || refuse_revision(git);
}

/* A component ".." would lead out of the folder that the files are written to. */
static bool leads_out(const char *path)
{
    for (const char *at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || !at[2])) {
            return true;
        }
    }
    return *path == '/';
}

/* "100644 blob 5716ca…\tdb/a.sql": a line of ls-tree. */
static void add_file(struct git *git, const char *line)
{
    const char *tab = strchr(line, '\t');
    const char *object = strstr(line, " blob ");
    if (object && tab && object < tab && !leads_out(tab + 1)) {
        object += strlen(" blob ");
        *VEC_PUSH(&git->arena, &git->files) =
            (struct git_file){.path = arena_strdup(&git->arena, tab + 1),
                              .object = arena_strndup(&git->arena, object, (size_t)(tab - object)),
                              .link = strncmp(line, "120000", 6) == 0};
    }
}

static bool list_files(struct git *git)
{
    struct strbuf out = {0};
    int status = run_git(
        git->top, arena_printf(&git->arena, "ls-tree -r -z --full-tree %s", git->commit), &out);
    for (size_t at = 0; status == 0 && at < out.size; at += strlen(out.data + at) + 1) {
        add_file(git, out.data + at);
    }
    strbuf_free(&out);
    return status == 0 || refuse_folder(status, git->top);
}

bool git_open(struct git *git, const char *revision, const char *folder)
{
    git->revision = revision;
    return find_top(git, folder) && find_commit(git) && list_files(git);
}

void git_close(struct git *git) { arena_free(&git->arena); }

struct git_file *git_find(const struct git *git, const char *path)
{
    for (size_t i = 0; i < git->files.count; i++) {
        if (strcmp(git->files.items[i].path, path) == 0) {
            return &git->files.items[i];
        }
    }
    return NULL;
}

/* One after the other, as cat-file prints them: "OBJECT blob SIZE", a line break, the text, a line
 * break; or "OBJECT missing". */
static bool give_files(struct git *git, const struct strbuf *out,
                       bool (*each)(void *host, const struct git_file *file, const char *text,
                                    size_t size),
                       void *host)
{
    const char *at = strbuf_text(out);
    const char *end = at + out->size;
    for (size_t i = 0; i < git->files.count; i++) {
        struct git_file *file = &git->files.items[i];
        const char *text = file->wanted && at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        const char *blob = text ? strstr(at, " blob ") : NULL;
        if (!file->wanted) {
            continue;
        }
        size_t size = blob && blob < text ? strtoul(blob + strlen(" blob "), NULL, 10) : SIZE_MAX;
        if (!text || size >= (size_t)(end - text)) {
            terminal_complain("diff: --base: git can't read %s of %s; fetch it first", file->path,
                              git->revision);
            return false;
        }
        if (!each(host, file, text + 1, size)) {
            return false;
        }
        file->wanted = false;
        at = text + 1 + size + 1;
    }
    return true;
}

static bool any_wanted(const struct git *git)
{
    bool any = false;
    for (size_t i = 0; i < git->files.count; i++) {
        any = any || git->files.items[i].wanted;
    }
    return any;
}

/* A file with the objects of the wanted files; NULL with err if it can't be written. */
static const char *write_objects(struct git *git, const char *scratch, struct error *err)
{
    struct strbuf text = {0};
    const char *path = arena_printf(&git->arena, "%s/objects-%ld", scratch, (long)getpid());
    for (size_t i = 0; i < git->files.count; i++) {
        if (git->files.items[i].wanted) {
            strbuf_addf(&text, "%s\n", git->files.items[i].object);
        }
    }
    bool written = file_replace(path, &text, err);
    strbuf_free(&text);
    return written ? path : NULL;
}

bool git_read(struct git *git, const char *scratch,
              bool (*each)(void *host, const struct git_file *file, const char *text, size_t size),
              void *host)
{
    struct strbuf line = {0};
    struct strbuf out = {0};
    struct error err = {0};
    bool ok = false;
    if (!any_wanted(git)) {
        return true;
    }
    const char *objects = write_objects(git, scratch, &err);
    if (!objects) {
        terminal_complain("diff: %s", err.message);
        return false;
    }
    strbuf_adds(&line, "cat-file --batch <");
    shell_quote(&line, objects);
    int status = run_git(git->top, line.data, &out);
    if (status == 0) {
        ok = give_files(git, &out, each, host);
    } else {
        (void)refuse_folder(status, git->top);
    }
    (void)unlink(objects);
    strbuf_free(&line);
    strbuf_free(&out);
    return ok;
}
