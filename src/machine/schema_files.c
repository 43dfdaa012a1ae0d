/* The SQL files that `schema` names, in the order in which they are loaded. */
#include "base/file.h"
#include "base/path.h"
#include "layout/layout.h"
#include "machine/loader.h"

#include <glob.h>
#include <string.h>
#include <unistd.h>

static void add_path(struct loader *loader, const struct node *node, const char *path,
                     const char *order)
{
    *VEC_PUSH(loader->arena, &loader->machine->schema_orders) = order;
    *VEC_PUSH(loader->arena, &loader->machine->schema) = path;
    *VEC_PUSH(loader->arena, &loader->schema) = (struct schema_path){.path = path, .node = node};
}

/* Characters in the path of the machine's folder are not patterns. */
static const char *pattern_of(struct loader *loader, const char *text)
{
    struct strbuf pattern = {0};
    const char *whole = path_beside(loader->arena, loader->source->name, text);
    size_t folder = strlen(whole) - strlen(text);
    for (size_t i = 0; whole[i]; i++) {
        if (i < folder && strchr("*?[\\", whole[i])) {
            strbuf_addc(&pattern, '\\');
        }
        strbuf_addc(&pattern, whole[i]);
    }
    return strbuf_take(&pattern, loader->arena);
}

static bool is_listed(const struct loader *loader, const char *path)
{
    for (size_t i = 0; i < loader->machine->schema.count; i++) {
        if (strcmp(loader->machine->schema.items[i], path) == 0) {
            return true;
        }
    }
    return false;
}

/* Skips files that an earlier entry named, as in `[roles.sql, *.sql]`. */
static void add_files(struct loader *loader, const struct node *node,
                      const struct layout_files *files)
{
    const char *order =
        files->order ? arena_printf(loader->arena, "%s: %s", node->text, files->order) : NULL;
    for (size_t i = 0; i < files->paths.count; i++) {
        const char *path = path_plain(loader->arena, files->paths.items[i]);
        if (!is_listed(loader, path)) {
            add_path(loader, node, path, order);
        }
    }
}

/* The files, named from the folder that the pattern begins in. */
static struct layout_names names_of(struct loader *loader, const char *text, const glob_t *found)
{
    const char *whole = path_beside(loader->arena, loader->source->name, text);
    size_t size = strlen(whole) - strlen(text) + strcspn(text, "*?[");
    while (size > 0 && whole[size - 1] != '/') {
        size--;
    }
    struct layout_names names = {.folder = size > 1 ? arena_strndup(loader->arena, whole, size - 1)
                                                    : arena_strndup(loader->arena, whole, size)};
    for (size_t i = 0; i < found->gl_pathc; i++) {
        if (!path_ends_in(found->gl_pathv[i], "/")) {
            *VEC_PUSH(loader->arena, &names.items) =
                arena_strdup(loader->arena, found->gl_pathv[i] + size);
        }
    }
    return names;
}

static size_t add_found(struct loader *loader, const struct node *node, const glob_t *found)
{
    const struct layout_names names = names_of(loader, node->text, found);
    struct layout_files files;
    layout_sort(&names, loader->arena, &files);
    add_files(loader, node, &files);
    return files.paths.count;
}

static void add_pattern(struct loader *loader, const struct node *node)
{
    glob_t found = {0};
    if (strstr(node->text, "**")) {
        error_hint(report(loader, node, "** is not supported in a pattern"),
                   "name each level of folders: migrations/*/*.sql");
        return;
    }
    int result = glob(pattern_of(loader, node->text), GLOB_MARK | GLOB_NOSORT, NULL, &found);
    if (result == GLOB_NOSPACE || result == GLOB_ABORTED) {
        (void)report(loader, node, "can't read the folders of %s", node->text);
    } else if (add_found(loader, node, &found) == 0) {
        error_hint(report(loader, node, "no file matches %s", node->text),
                   "a machine's pattern is relative to the folder of the machine file; * does not "
                   "match a /");
    }
    globfree(&found);
}

/* Adds the scripts of sqitch's plan, or the files of a folder that the tool runs that it belongs
 * to; false if it is the folder of no tool. */
static bool add_listed(struct loader *loader, const struct node *node, const char *path)
{
    struct layout_files files = {0};
    struct error err = {0};
    bool plan = path_ends_in(path, ".plan");
    bool read = plan ? layout_read_plan(path, loader->arena, &files, &err)
                     : layout_read_folder(path, loader->arena, &files, &err);
    add_files(loader, node, &files);
    if (!read) {
        error_hint(report(loader, node, "%s", err.message), "%s",
                   *err.hint ? err.hint : "a path is relative to the folder of the machine file");
    }
    return plan || !read || files.layout;
}

/* Adds an entry; paths are relative to the machine file's folder. */
static void add_schema_entry(struct loader *loader, const struct node *node)
{
    if (node->kind != NODE_SCALAR || !node->size) {
        (void)report(loader, node, "schema must be a path or a list of paths");
        return;
    }
    const char *path =
        path_plain(loader->arena, path_beside(loader->arena, loader->source->name, node->text));
    bool listed = path_ends_in(path, ".plan") || folder_exists(path);
    bool pattern = !listed && strpbrk(node->text, "*?[") && access(path, F_OK) != 0;
    if (pattern) {
        add_pattern(loader, node);
    } else if (!listed || !add_listed(loader, node, path)) {
        add_path(loader, node, path, NULL);
        return;
    }
    loader->machine->schema_found = true;
}

void read_schema(struct loader *loader, void *into, const struct node *value)
{
    (void)into;
    if (value->kind == NODE_SCALAR) {
        add_schema_entry(loader, value);
    }
    for (size_t i = 0; i < value->entries.count; i++) {
        add_schema_entry(loader, value->entries.items[i].value);
    }
}

/* They are found as those of `schema` are, which keeps what it has read. */
void read_paths(struct loader *loader, const struct node *value, struct paths *out)
{
    struct machine *machine = loader->machine;
    struct machine kept = *machine;
    struct loader before = *loader;
    machine->schema.items = NULL;
    machine->schema.count = machine->schema.capacity = 0;
    read_schema(loader, NULL, value);
    out->items.items = machine->schema.items;
    out->items.count = machine->schema.count;
    out->items.capacity = machine->schema.capacity;
    machine->schema = kept.schema;
    machine->schema_orders = kept.schema_orders;
    machine->schema_found = kept.schema_found;
    loader->schema = before.schema;
}

void check_schema_files(struct loader *loader)
{
    for (size_t i = 0; i < loader->schema.count; i++) {
        const struct schema_path *schema = &loader->schema.items[i];
        struct error err = {0};
        FILE *file = file_open(schema->path, &err);
        if (file) {
            (void)fclose(file);
        } else {
            const char *folder = path_ends_in(schema->path, "/") ? "" : "/";
            const char *hint =
                folder_exists(schema->path)
                    ? arena_printf(loader->arena,
                                   "to load the files in it, write a pattern: %s%s%s",
                                   schema->node->text, folder, folder_sql_pattern(schema->path))
                    : "a path is relative to the folder of the machine file";
            error_hint(report(loader, schema->node, "%s", err.message), "%s",
                       *err.hint ? err.hint : hint);
        }
    }
}
