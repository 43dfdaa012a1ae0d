#include "api/script.h"

#include "base/file.h"
#include "base/path.h"
#include "machine/sql.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What all scripts of a folder have in common. */
struct writing {
    const struct script_folder *folder;
    bool begun;           /* the folder is there */
    const char *absolute; /* it, without symbolic links */
    VEC(struct replay_file) files;
    VEC(const char *) names; /* that are taken */
};

static bool system_error(struct error *err, const char *what, const char *path)
{
    return error_set(err, ERROR_SYSTEM, "%s %s: %s", what, path, strerror(errno));
}

static bool absolute_path(const char *path, struct arena *arena, const char **out,
                          struct error *err)
{
    *out = path_absolute(arena, path);
    return *out || system_error(err, "there is no", path);
}

static bool add_file(struct writing *writing, const char *path, struct error *err)
{
    struct arena *arena = writing->folder->arena;
    struct strbuf text = {0};
    const char *absolute;
    if (!absolute_path(path, arena, &absolute, err) || !file_load(path, SIZE_MAX, &text, err)) {
        strbuf_free(&text);
        return false;
    }
    const struct source source = {path, strbuf_text(&text), text.size};
    const char *what;
    *VEC_PUSH(arena, &writing->files) = (struct replay_file){
        .path = path_relative(arena, writing->absolute, absolute),
        .first = sql_file_needs_itself(&source, &what),
    };
    strbuf_free(&text);
    return true;
}

/* Files in front of one that is to be loaded first are, too. */
static void load_in_order(struct writing *writing)
{
    bool first = false;
    for (size_t i = writing->files.count; i-- > 0;) {
        first = first || writing->files.items[i].first;
        writing->files.items[i].first = first;
    }
}

static bool add_files(struct writing *writing, struct error *err)
{
    const struct script_folder *folder = writing->folder;
    for (size_t i = 0; i < folder->machine->schema.count; i++) {
        if (!add_file(writing, folder->machine->schema.items[i], err)) {
            return false;
        }
    }
    for (size_t i = 0; i < folder->apply_count; i++) {
        if (!add_file(writing, folder->apply[i], err)) {
            return false;
        }
    }
    load_in_order(writing);
    return true;
}

static bool is_taken(const struct writing *writing, const char *name)
{
    for (size_t i = 0; i < writing->names.count; i++) {
        if (strcmp(writing->names.items[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static const char *choose_name(struct writing *writing, const struct failure *failure)
{
    struct arena *arena = writing->folder->arena;
    struct strbuf base = {0};
    replay_file_name(writing->folder->machine, failure, &base);
    const char *name = strbuf_copy(&base, arena);
    for (size_t i = 2; is_taken(writing, name); i++) {
        name = arena_printf(arena, "%.*s-%zu.sql", (int)(base.size - strlen(".sql")), base.data, i);
    }
    strbuf_free(&base);
    *VEC_PUSH(arena, &writing->names) = name;
    return name;
}

/* Scripts say how files are reached from this folder. */
static bool begin(struct writing *writing, const char *path, struct error *err)
{
    writing->files.count = 0;
    return absolute_path(path, writing->folder->arena, &writing->absolute, err) &&
           add_files(writing, err);
}

static void add_script(const struct writing *writing, const struct failure *failure,
                       const char *path, struct strbuf *out)
{
    const struct replay replay = {
        .machine = writing->folder->machine,
        .failure = failure,
        .settings = writing->folder->settings,
        .path = path,
        .files = writing->files.items,
        .file_count = writing->files.count,
    };
    replay_write(&replay, out);
}

static bool write_file(struct writing *writing, const struct failure *failure, const char *path,
                       struct error *err)
{
    const char *folder = writing->folder->path;
    struct strbuf text = {0};
    if (!writing->begun && (!folder_make(folder, 0777, err) || !begin(writing, folder, err))) {
        return false;
    }
    writing->begun = true;
    add_script(writing, failure, path, &text);
    bool written = file_replace(path, &text, err);
    strbuf_free(&text);
    return written;
}

/* For being saved where we are. */
static void keep_text(struct writing *writing, struct failure *failure, const char *name)
{
    struct strbuf text = {0};
    struct error ignored = {0};
    writing->begun = false;
    if (begin(writing, ".", &ignored)) {
        add_script(writing, failure, name, &text);
        failure->unwritten = (struct unwritten){name, strbuf_copy(&text, writing->folder->arena)};
    }
    strbuf_free(&text);
}

void scripts_write(const struct script_folder *folder, struct failure *failures, size_t count)
{
    struct writing writing = {.folder = folder};
    for (size_t i = 0; i < count; i++) {
        struct failure *failure = &failures[i];
        struct error err = {0};
        if (!replay_possible(failure, &failure->no_script)) {
            continue;
        }
        const char *name = choose_name(&writing, failure);
        const char *path = arena_printf(folder->arena, "%s/%s", folder->path, name);
        failure->script_note = replay_note(failure);
        if (write_file(&writing, failure, path, &err)) {
            failure->script = path;
        } else {
            failure->no_script = arena_strdup(folder->arena, err.message);
            keep_text(&writing, failure, name);
        }
    }
}
