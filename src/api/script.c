#include "api/script.h"

#include "base/file.h"
#include "base/path.h"
#include "machine/sql/sql.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 1 << 30 };

static bool absolute_path(const char *path, struct arena *arena, const char **out,
                          struct error *err)
{
    *out = path_absolute(arena, path);
    return *out || error_system(err, "there is no", path);
}

static bool add_file(struct script_folder *folder, const char *path, struct error *err)
{
    struct arena *arena = folder->arena;
    struct strbuf text = {0};
    const char *absolute;
    if (!absolute_path(path, arena, &absolute, err) || !file_load(path, FILE_MAX, &text, err)) {
        strbuf_free(&text);
        return false;
    }
    const struct source source = {.name = path, .text = strbuf_text(&text), .size = text.size};
    struct sql_migration migration;
    const char *what;
    sql_migration_up(text.data, text.size, &migration);
    *VEC_PUSH(arena, &folder->files) = (struct replay_file){
        .path = path_relative(arena, folder->absolute, absolute),
        .first = migration.is || (folder->settings->transactions == TRANSACTIONS_SAVEPOINT &&
                                  sql_file_needs_itself(&source, &what)),
    };
    strbuf_free(&text);
    return true;
}

/* Files in front of one that is to be loaded first are, too. */
static void load_in_order(struct script_folder *folder)
{
    bool first = false;
    for (size_t i = folder->files.count; i-- > 0;) {
        first = first || folder->files.items[i].first;
        folder->files.items[i].first = first;
    }
}

static bool add_files(struct script_folder *folder, struct error *err)
{
    for (size_t i = 0; i < folder->schema_count; i++) {
        if (!add_file(folder, folder->schema[i], err)) {
            return false;
        }
    }
    for (size_t i = 0; i < folder->apply_count; i++) {
        if (!add_file(folder, folder->apply[i], err)) {
            return false;
        }
    }
    load_in_order(folder);
    return true;
}

/* "a.spec" of "a.sql" */
static const char *spec_path(struct arena *arena, const char *script)
{
    return arena_printf(arena, "%.*s.spec", (int)(strlen(script) - strlen(".sql")), script);
}

/* Scripts say how files are reached from this folder. */
static bool begin(struct script_folder *folder, const char *path, struct error *err)
{
    folder->files.count = 0;
    return absolute_path(path, folder->arena, &folder->absolute, err) && add_files(folder, err);
}

typedef void writer(const struct replay *replay, struct strbuf *out);

static void add_script(const struct script_folder *folder, const struct failure *failure,
                       const char *path, writer *write, struct strbuf *out)
{
    const struct replay replay = {
        .machine = folder->machine,
        .failure = failure,
        .settings = folder->settings,
        .path = path,
        .spec = spec_path(folder->arena, path),
        .files = folder->files.items,
        .file_count = folder->files.count,
        .in_place = folder->in_place,
    };
    write(&replay, out);
}

static bool write_file(struct script_folder *folder, const struct failure *failure,
                       const char *path, struct delivery *delivery, struct error *err)
{
    struct strbuf text = {0};
    if (!folder->begun &&
        (!folder_make(folder->path, 0777, err) || !begin(folder, folder->path, err))) {
        return false;
    }
    folder->begun = true;
    add_script(folder, failure, path, replay_write, &text);
    bool written = file_replace(path, &text, err);
    if (written && failure->kind == FAILURE_RACE) {
        delivery->spec = spec_path(folder->arena, path);
        strbuf_clear(&text);
        add_script(folder, failure, path, replay_write_spec, &text);
        written = file_replace(delivery->spec, &text, err);
    }
    strbuf_free(&text);
    return written;
}

/* For being saved where we are. */
static struct unwritten keep_text(struct script_folder *folder, const struct failure *failure,
                                  const char *name)
{
    struct unwritten kept = {0};
    struct strbuf text = {0};
    struct error ignored = {0};
    folder->begun = false;
    if (begin(folder, ".", &ignored)) {
        add_script(folder, failure, name, replay_write, &text);
        kept = (struct unwritten){name, strbuf_copy(&text, folder->arena)};
    }
    strbuf_free(&text);
    return kept;
}

void script_write(struct script_folder *folder, const struct failure *failure,
                  struct delivery *delivery)
{
    struct error err = {0};
    *delivery = (struct delivery){.name = delivery->name, .trace = delivery->trace};
    if (!replay_possible(failure, &delivery->no_script)) {
        return;
    }
    if (folder->machine->clock && failure->kind == FAILURE_TIMEOUT) {
        delivery->no_script = "no time limit of the server ends it while the clock stands still";
        return;
    }
    const char *name = arena_printf(folder->arena, "%s.sql", delivery->name);
    const char *path = arena_printf(folder->arena, "%s/%s", folder->path, name);
    delivery->note = replay_note(failure);
    if (write_file(folder, failure, path, delivery, &err)) {
        delivery->script = path;
    } else {
        delivery->no_script = arena_strdup(folder->arena, err.message);
        delivery->unwritten = keep_text(folder, failure, name);
    }
}
