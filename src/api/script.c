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

/* Files of one side, in their order. */
struct replay_files {
    VEC(struct replay_file) items;
};

static bool read_file(const struct script_folder *folder, const char *path, struct replay_file *out,
                      bool *itself, struct error *err)
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
    *itself = sql_file_needs_itself(&source, &what);
    *out = (struct replay_file){
        .path = path_relative(arena, folder->absolute, absolute),
        .first = migration.is,
    };
    strbuf_free(&text);
    return true;
}

/* What can't be loaded inside a transaction is to be loaded first, and what stands before it. */
static bool add_files(const struct script_folder *folder, const char *const *paths, size_t count,
                      struct replay_files *out, struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        struct replay_file *file = VEC_PUSH(folder->arena, &out->items);
        bool itself;
        if (!read_file(folder, paths[i], file, &itself, err)) {
            return false;
        }
        file->first |= itself && folder->settings->transactions == TRANSACTIONS_SAVEPOINT;
    }
    for (size_t i = out->items.count; i-- > 1;) {
        out->items.items[i - 1].first |= out->items.items[i].first;
    }
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
    struct replay_files files = {0};
    if (!absolute_path(path, folder->arena, &folder->absolute, err) ||
        !add_files(folder, folder->schema, folder->schema_count, &files, err) ||
        !add_files(folder, folder->apply, folder->apply_count, &files, err)) {
        return false;
    }
    folder->files = files.items.items;
    folder->file_count = files.items.count;
    return true;
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
        .files = folder->files,
        .file_count = folder->file_count,
        .sides = failure->kind == FAILURE_DIFFERS ? &folder->sides : NULL,
        .in_place = folder->in_place,
    };
    write(&replay, out);
}

/* The migration as a step: in the middle of a script, it can't be the whole of a psql call. */
static bool add_migration(struct script_folder *folder, struct error *err)
{
    const struct pgfsm_diff_options *diff = folder->diff;
    struct replay_files files = {0};
    struct replay_sides *sides = &folder->sides;
    for (size_t i = 0; i < diff->apply_count + diff->down_count; i++) {
        bool itself;
        if (!read_file(folder,
                       i < diff->apply_count ? diff->apply[i] : diff->down[i - diff->apply_count],
                       VEC_PUSH(folder->arena, &files.items), &itself, err)) {
            return false;
        }
        sides->commits |= itself;
        files.items.items[i].first = false;
    }
    sides->step = folder->migration;
    sides->migration = files.items.items;
    sides->migration_count = files.items.count;
    sides->files = folder->files;
    sides->file_count = folder->file_count;
    return true;
}

/* The second side has had the migration from the start. */
static bool add_second(struct script_folder *folder, struct error *err)
{
    const struct pgfsm_diff_options *diff = folder->diff;
    struct replay_files files = {0};
    if (!add_files(folder, diff->schema ? diff->schema : folder->schema,
                   diff->schema ? diff->schema_count : folder->schema_count, &files, err) ||
        !add_files(folder, folder->apply, folder->apply_count, &files, err) ||
        !add_files(folder, diff->apply, diff->apply_count, &files, err) ||
        !add_files(folder, diff->down, diff->down_count, &files, err)) {
        return false;
    }
    folder->sides.files = files.items.items;
    folder->sides.file_count = files.items.count;
    return true;
}

static bool is_migrated(const struct script_folder *folder, const struct failure *failure)
{
    for (size_t i = 0; folder->migration && i < failure->trace.steps.count; i++) {
        const struct trace_step *step = &failure->trace.steps.items[i];
        if (!step->initialize && step->rule == folder->migration->index) {
            return true;
        }
    }
    return false;
}

static void add_natural(struct script_folder *folder)
{
    struct natural_place *places;
    size_t count = natures_list(folder->natures, folder->arena, &places);
    struct replay_natural *natural = ARENA_ARRAY(folder->arena, struct replay_natural, count);
    for (size_t i = 0; i < count; i++) {
        natural[i] = (struct replay_natural){places[i].place, places[i].column,
                                             places[i].nature == NATURE_FREE};
    }
    folder->sides.natural = natural;
    folder->sides.natural_count = count;
}

/* Of a failure of two databases, what the second one has. */
static bool add_sides(struct script_folder *folder, const struct failure *failure,
                      struct error *err)
{
    if (failure->kind != FAILURE_DIFFERS) {
        return true;
    }
    folder->sides = (struct replay_sides){.scratch = folder->file_count > 0 && !folder->in_place};
    add_natural(folder);
    return is_migrated(folder, failure) ? add_migration(folder, err) : add_second(folder, err);
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
    if (!add_sides(folder, failure, err)) {
        strbuf_free(&text);
        return false;
    }
    add_script(folder, failure, path, replay_write, &text);
    bool written = file_replace(path, &text, err);
    if (written && replay_has_spec(failure)) {
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
    if (begin(folder, ".", &ignored) && add_sides(folder, failure, &ignored)) {
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
