#include "layout/find.h"

#include "base/file.h"
#include "base/names.h"
#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MAX = 12, HEAD_SIZE = 1 << 16 };

/* Packages of others, what was built, and what is for other databases. */
static const char *const skipped[] = {"node_modules", "bower_components",
                                      "vendor",       "target",
                                      "dist",         "out",
                                      "bin",          "obj",
                                      "venv",         "env",
                                      "coverage",     "tmp",
                                      "__pycache__",  "mysql",
                                      "mariadb",      "sqlite",
                                      "sqlite3",      "sqlserver",
                                      "mssql",        "oracle",
                                      "h2",           "hsqldb",
                                      "derby",        "db2",
                                      "cockroach",    "mongo",
                                      "clickhouse",   "cockroachdb",
                                      "mongodb",      "spanner",
                                      "snowflake"};

/* Folders whose SQL is not the project's own schema, or a copy of it. */
static const char *const asides[] = {"test",    "tests",    "testdata", "testing", "fixtures",
                                     "fixture", "example",  "examples", "sample",  "samples",
                                     "demo",    "demos",    "docs",     "doc",     "templates",
                                     "build",   "template", "e2e",      "spec",    "__tests__",
                                     "archive", "archived", "old",      "backup",  "backups"};

/* What only files for another database have. */
static const struct {
    const char *text;
    const char *database;
} foreign[] = {
    {"ENGINE=InnoDB", "MySQL"},
    {"ENGINE = InnoDB", "MySQL"},
    {"AUTO_INCREMENT", "MySQL"},
    {"AUTOINCREMENT", "SQLite"},
    {"\"dialect\": \"mysql\"", "MySQL"},
    {"\"dialect\": \"sqlite\"", "SQLite"},
    {"\"dialect\": \"turso\"", "SQLite"},
    {"\"dialect\": \"singlestore\"", "SingleStore"},
    {"provider = \"mysql\"", "MySQL"},
    {"provider = \"sqlite\"", "SQLite"},
    {"provider = \"sqlserver\"", "SQL Server"},
};

struct folder {
    const char *prefix; /* "db/"; "" of the folder that the search began in */
    size_t first;       /* its part of all names */
    size_t end;
};

struct walk {
    struct arena *arena;
    const char *top;
    VEC(const char *) names;
    VEC(struct folder) folders;
    size_t entries;
    const char *unreadable;
    bool stopped;
};

static bool is_wanted(const char *name)
{
    bool wanted = path_ends_in(name, ".sql") || path_ends_in(name, ".psql");
    for (const struct layout *row = layout_table; !wanted && row->tool; row++) {
        for (const char *at = row->marker; !wanted && at && *at;) {
            char pattern[64];
            size_t size = strcspn(at, "|");
            size_t start = size;
            while (start > 0 && at[start - 1] != '/') {
                start--;
            }
            memcpy(pattern, at + start, size - start);
            pattern[size - start] = '\0';
            wanted = layout_matches(pattern, name, true, false);
            at += size + (at[size] == '|');
        }
    }
    return wanted;
}

/* What an entry of a folder is: 'f', 'd', or 0 for what is left out, such as a link to a folder. */
static char kind_of(const struct walk *walk, const char *path, const struct dirent *entry)
{
    struct stat status;
    const char *whole = *walk->top ? arena_printf(walk->arena, "%s/%s", walk->top, path) : path;
    if (entry->d_type == DT_REG || entry->d_type == DT_DIR) {
        return entry->d_type == DT_REG ? 'f' : 'd';
    }
    if (lstat(whole, &status) != 0 || (S_ISLNK(status.st_mode) && stat(whole, &status) != 0)) {
        return 0;
    }
    bool link = entry->d_type == DT_LNK;
    return S_ISREG(status.st_mode) ? 'f' : S_ISDIR(status.st_mode) && !link ? 'd' : 0;
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.' || strcmp(entry->d_name, ".sequelizerc") == 0;
}

/* The entries of a folder, by name; < 0: it can't be read. */
static int entries_of(const struct walk *walk, const char *prefix, struct dirent ***out)
{
    const char *top = *walk->top ? walk->top : ".";
    return scandir(arena_printf(walk->arena, "%s/%s", top, prefix), out, is_shown, alphasort);
}

/* A folder's files come before the folders in it. */
static void walk_folder(struct walk *walk, const char *prefix, int depth)
{
    struct dirent **entries;
    VEC(const char *) folders = {0};
    int count = entries_of(walk, prefix, &entries);
    if (count < 0) {
        walk->unreadable = walk->unreadable ? walk->unreadable : prefix;
        return;
    }
    size_t index = walk->folders.count;
    *VEC_PUSH(walk->arena, &walk->folders) =
        (struct folder){.prefix = prefix, .first = walk->names.count};
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        const char *path = arena_printf(walk->arena, "%s%s", prefix, name);
        char kind = kind_of(walk, path, entries[i]);
        if (kind == 'f' && is_wanted(name)) {
            *VEC_PUSH(walk->arena, &walk->names) = path;
        } else if (kind == 'd' && !name_is_in(name, NAMES_IN(skipped))) {
            *VEC_PUSH(walk->arena, &folders) = path;
        }
        free(entries[i]);
    }
    free(entries);
    walk->entries += (size_t)count;
    walk->stopped |= walk->entries > FIND_ENTRIES_MAX;
    for (size_t i = 0; i < folders.count && depth < DEPTH_MAX && !walk->stopped; i++) {
        walk_folder(walk, arena_printf(walk->arena, "%s/", folders.items[i]), depth + 1);
    }
    walk->folders.items[index].end = walk->names.count;
}

static bool walk_all(struct walk *walk, const char *folder, struct arena *arena, struct error *err)
{
    char *top = arena_strdup(arena, path_plain(arena, folder));
    for (size_t size = strlen(top); size > 1 && top[size - 1] == '/'; size--) {
        top[size - 1] = '\0';
    }
    *walk = (struct walk){.arena = arena, .top = strcmp(top, ".") == 0 ? "" : top};
    errno = 0;
    walk_folder(walk, "", 0);
    return walk->folders.count > 0 || error_system(err, "can't read the folder", folder);
}

/* The names below one of the folders, relative to it. */
static struct layout_names names_of(const struct walk *walk, const struct folder *folder)
{
    size_t size = strlen(folder->prefix);
    const char *path = *walk->top && size ? arena_printf(walk->arena, "%s/", walk->top) : walk->top;
    path = arena_printf(walk->arena, "%s%.*s", path, size ? (int)size - 1 : 0, folder->prefix);
    struct layout_names names = {.folder = path, .all = true};
    for (size_t i = folder->first; i < folder->end; i++) {
        *VEC_PUSH(walk->arena, &names.items) = walk->names.items[i] + size;
    }
    return names;
}

/* The names of all SQL files below a folder, and of the table's markers, a folder's own before
 * those of the folders in it. */
static bool list_names(const char *folder, struct arena *arena, struct layout_names *out,
                       struct error *err)
{
    struct walk walk;
    bool read = walk_all(&walk, folder, arena, err);
    if (read) {
        *out = names_of(&walk, &walk.folders.items[0]);
    }
    return read;
}

bool layout_read_folder(const char *folder, struct arena *arena, struct layout_files *out,
                        struct error *err)
{
    struct layout_names names = {0};
    *out = (struct layout_files){0};
    if (!list_names(folder, arena, &names, err)) {
        return false;
    }
    const struct layout *layout = layout_of(&names, arena);
    return !layout || layout_read(layout, &names, arena, out, err);
}

static bool is_aside(const char *path)
{
    bool aside = false;
    while (*path && !aside) {
        size_t size = strcspn(path, "/");
        for (size_t i = 0; i < sizeof asides / sizeof *asides; i++) {
            aside |= strlen(asides[i]) == size && strncasecmp(asides[i], path, size) == 0;
        }
        path += size + (path[size] == '/');
    }
    return aside;
}

static const char *foreign_in(const char *path)
{
    struct strbuf text = {0};
    struct error ignored;
    const char *database = NULL;
    (void)file_head(path, HEAD_SIZE, &text, &ignored);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign && !database; i++) {
        database = strcasestr(strbuf_text(&text), foreign[i].text) ? foreign[i].database : NULL;
    }
    strbuf_free(&text);
    return database;
}

/* What tools write beside their files. */
static const char *foreign_of(const struct layout_files *files, const char *folder,
                              struct arena *arena)
{
    static const char *const beside[] = {"migration_lock.toml", "meta/_journal.json"};
    const char *database = NULL;
    for (size_t i = 0; i < sizeof beside / sizeof *beside && !database; i++) {
        database = foreign_in(arena_printf(arena, "%s/%s", *folder ? folder : ".", beside[i]));
    }
    for (size_t i = 0; i < files->paths.count && i < 2 && !database; i++) {
        database = foreign_in(files->paths.items[i]);
    }
    return database;
}

/* A path to show and to write into a machine: "." is the current folder. */
static const char *place_of(struct arena *arena, const char *path)
{
    return *path ? path_plain(arena, path) : ".";
}

/* A file that a more exact row has found. */
static bool is_known(const struct finding *finding, const char *path)
{
    for (size_t i = 0; i < finding->items.count; i++) {
        const char *other = finding->items.items[i].path;
        if (path && other && strcmp(path, other) == 0) {
            return true;
        }
    }
    return false;
}

/* NULL if there is no such file. */
static const char *file_beside(struct arena *arena, const char *folder, const char *name)
{
    const char *path = name ? place_of(arena, arena_printf(arena, "%s/%s", folder, name)) : NULL;
    return path && access(path, F_OK) == 0 ? path : NULL;
}

static void add_found(const struct walk *walk, const struct layout *row,
                      const struct layout_names *names, struct finding *out)
{
    struct arena *arena = walk->arena;
    struct layout_files files = {0};
    struct error ignored;
    struct found found = {.layout = row,
                          .folder = place_of(arena, names->folder),
                          .aside = is_aside(names->folder + strlen(walk->top))};
    if (row->rank != RANK_CODE) {
        if (!layout_read(row, names, arena, &files, &ignored) || files.paths.count == 0) {
            return;
        }
        found.files = files.paths.count;
        found.path = layout_is_file(row) ? files.paths.items[0] : found.folder;
        found.foreign = foreign_of(&files, names->folder, arena);
    }
    found.globals = file_beside(arena, found.folder, row->globals);
    found.rows = file_beside(arena, found.folder, row->rows);
    if (!is_known(out, found.path)) {
        *VEC_PUSH(arena, &out->items) = found;
    }
}

/* Adds what fits a folder. Returns true if it is a tool's, so that what is below it is no other's.
 */
static bool look_at(const struct walk *walk, const struct folder *folder, struct finding *out)
{
    struct layout_names names = names_of(walk, folder);
    const char *absolute = names.items.count > 0
                               ? path_absolute(walk->arena, *names.folder ? names.folder : ".")
                               : NULL;
    bool claimed = false;
    for (const struct layout *row = layout_table; absolute && row->tool && !claimed; row++) {
        if (layout_fits(row, &names, absolute, walk->arena)) {
            add_found(walk, row, &names, out);
            claimed = row->rank == RANK_MIGRATIONS && !layout_is_file(row);
        }
    }
    return claimed;
}

static int rank_of(const struct found *found)
{
    enum { RANKS = 10 };
    return (int)found->layout->rank + (found->aside ? RANKS : 0) + (found->foreign ? 2 * RANKS : 0);
}

/* By rank; equal ones stay in the order of their paths. */
static void sort(struct finding *finding)
{
    struct found *items = finding->items.items;
    for (size_t i = 1; i < finding->items.count; i++) {
        struct found found = items[i];
        size_t at = i;
        for (; at > 0 && rank_of(&items[at - 1]) > rank_of(&found); at--) {
            items[at] = items[at - 1];
        }
        items[at] = found;
    }
}

/* Leaves out code of a tool whose SQL is there: what it would print. */
static void drop_code(struct finding *finding)
{
    size_t kept = 0;
    for (size_t i = 0; i < finding->items.count; i++) {
        struct found *found = &finding->items.items[i];
        bool known = false;
        for (size_t j = 0; j < kept && found->layout->rank == RANK_CODE && !known; j++) {
            known = strcmp(finding->items.items[j].layout->tool, found->layout->tool) == 0;
        }
        if (!known) {
            finding->items.items[kept++] = *found;
        }
    }
    finding->items.count = kept;
}

static void choose(struct finding *out)
{
    const struct found *items = out->items.items;
    while (out->equals < out->items.count && rank_of(&items[out->equals]) == rank_of(&items[0])) {
        out->equals++;
    }
    if (out->equals == 1 && items[0].path && !items[0].foreign) {
        out->best = items;
    }
}

bool layout_find(const char *folder, struct arena *arena, struct finding *out, struct error *err)
{
    struct walk walk;
    const char *claimed = NULL;
    *out = (struct finding){0};
    if (!walk_all(&walk, folder, arena, err)) {
        return false;
    }
    for (size_t i = 0; i < walk.folders.count; i++) {
        const char *prefix = walk.folders.items[i].prefix;
        bool below = claimed && strncmp(prefix, claimed, strlen(claimed)) == 0;
        if (!below && look_at(&walk, &walk.folders.items[i], out)) {
            claimed = prefix;
        }
    }
    sort(out);
    drop_code(out);
    choose(out);
    out->unreadable = walk.unreadable ? place_of(arena, walk.unreadable) : NULL;
    out->stopped = walk.stopped;
    return true;
}
