/* The SQL files that `schema` names, in the order in which they are loaded. */
#include "base/file.h"
#include "base/path.h"
#include "machine/loader.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLAN_SIZE_MAX = 16 << 20, MIGRATION_SIZE_MAX = 16 << 20 };

/* Tools that sort their migrations as text, recognised by the names of their files. This order
 * differs from that of numbers if timestamps have different lengths. */
static const struct layout {
    const char *part; /* of the pattern */
    const char *tool;
    int (*order)(const void *a, const void *b);
} layouts_as_text[] = {
    {"/migration.sql", "Prisma", path_order_as_text},
    {"/up.sql", "diesel", path_order_without_hyphens},
    {"supabase/migrations/", "Supabase", path_order_as_text},
    {"db/migrate/", "Rails", path_order_as_text},
};
static const struct layout dbmate = {"", "dbmate", path_order_as_text};
static const char dbmate_mark[] = "-- migrate:up";

/* The tool that sorts these files as text; NULL if none is known. */
static const struct layout *tool_as_text(const char *pattern, const glob_t *found)
{
    for (size_t i = 0; i < sizeof layouts_as_text / sizeof *layouts_as_text; i++) {
        if (strstr(pattern, layouts_as_text[i].part)) {
            return &layouts_as_text[i];
        }
    }
    struct strbuf text = {0};
    struct error ignored;
    bool is_dbmate = found->gl_pathc > 0 &&
                     file_load(found->gl_pathv[0], MIGRATION_SIZE_MAX, &text, &ignored) &&
                     strstr(strbuf_text(&text), dbmate_mark);
    strbuf_free(&text);
    return is_dbmate ? &dbmate : NULL;
}

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

static bool is_among(const glob_t *found, const char *path)
{
    for (size_t i = 0; i < found->gl_pathc; i++) {
        if (strcmp(found->gl_pathv[i], path) == 0) {
            return true;
        }
    }
    return false;
}

/* True for a reverse migration: 1.down.sql beside 1.up.sql, down.sql beside up.sql. */
static bool is_way_back(const glob_t *found, const char *path, struct arena *arena)
{
    static const char down[] = "down.sql";
    size_t size = strlen(path);
    size_t stem = size - strlen(down);
    if (size < strlen(down) || strcmp(path + stem, down) != 0 ||
        (stem > 0 && !strchr("./", path[stem - 1]))) {
        return false;
    }
    return is_among(found, arena_printf(arena, "%.*sup.sql", (int)stem, path));
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
static size_t add_found(struct loader *loader, const struct node *node, const glob_t *found)
{
    size_t files = 0;
    if (found->gl_pathc == 0) {
        return 0;
    }
    const struct layout *layout = tool_as_text(pattern_of(loader, node->text), found);
    const char *order =
        layout ? arena_printf(loader->arena,
                              "%s: sorted as text, as %s does: 10.sql comes before 2.sql",
                              node->text, layout->tool)
               : arena_printf(loader->arena, "%s: in natural order: 2.sql comes before 10.sql",
                              node->text);
    qsort(found->gl_pathv, found->gl_pathc, sizeof *found->gl_pathv,
          layout ? layout->order : path_order);
    for (size_t i = 0; i < found->gl_pathc; i++) {
        const char *path = found->gl_pathv[i];
        if (path_ends_in(path, "/") || is_way_back(found, path, loader->arena)) {
            continue;
        }
        files++;
        path = path_plain(loader->arena, path);
        if (!is_listed(loader, path)) {
            add_path(loader, node, path, order);
        }
    }
    return files;
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

/* A change of sqitch's plan: "name [requirements] date …". */
struct change {
    const char *name;
    const char *suffix; /* "@v1" if the script was kept for that tag; otherwise "" */
};

struct plan {
    struct loader *loader;
    const struct node *node;
    const char *path;
    VEC(struct change) changes;
};

static const char *script_of(const struct plan *plan, const char *name, const char *suffix)
{
    struct arena *arena = plan->loader->arena;
    return path_beside(arena, plan->path, arena_printf(arena, "deploy/%s%s.sql", name, suffix));
}

static struct change *change_named(const struct plan *plan, const char *name)
{
    for (size_t i = plan->changes.count; i-- > 0;) {
        if (strcmp(plan->changes.items[i].name, name) == 0) {
            return &plan->changes.items[i];
        }
    }
    return NULL;
}

/* Reworking a change keeps its former script under the name of the tag in between. */
static void read_tag(const struct plan *plan, const char *tag)
{
    for (size_t i = 0; i < plan->changes.count; i++) {
        struct change *change = &plan->changes.items[i];
        if (!*change->suffix && change_named(plan, change->name) == change &&
            access(script_of(plan, change->name, tag), F_OK) == 0) {
            change->suffix = tag;
        }
    }
}

static void read_plan_line(struct plan *plan, const char *line)
{
    struct arena *arena = plan->loader->arena;
    line += strspn(line, " \t");
    const char *word = line + (*line == '+' || *line == '-');
    word += strspn(word, " \t");
    size_t size = strcspn(word, " \t\r");
    const char *name = arena_strndup(arena, word, size);
    if (*line == '@') {
        read_tag(plan, name);
    } else if (size > 0 && !strchr("#%", *line)) {
        *VEC_PUSH(arena, &plan->changes) = (struct change){name, ""};
    }
}

/* Adds the scripts of sqitch, from the folder deploy beside its plan, in the plan's order. */
static void add_plan(struct loader *loader, const struct node *node, const char *path)
{
    struct plan plan = {.loader = loader, .node = node, .path = path};
    struct strbuf text = {0};
    struct error err = {0};
    if (!file_load(path, PLAN_SIZE_MAX, &text, &err)) {
        error_hint(report(loader, node, "%s", err.message), "%s",
                   *err.hint ? err.hint : "a path is relative to the folder of the machine file");
    } else {
        const char *at = strbuf_text(&text);
        while (*at) {
            size_t size = strcspn(at, "\n");
            read_plan_line(&plan, arena_strndup(loader->arena, at, size));
            at += size + (at[size] == '\n');
        }
        if (plan.changes.count == 0) {
            (void)report(loader, node, "%s has no changes", path);
        }
    }
    for (size_t i = 0; i < plan.changes.count; i++) {
        const struct change *change = &plan.changes.items[i];
        bool is_last = change_named(&plan, change->name) == change;
        add_path(loader, node, script_of(&plan, change->name, is_last ? "" : change->suffix), NULL);
    }
    strbuf_free(&text);
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
    bool plan = path_ends_in(path, ".plan");
    bool pattern = !plan && strpbrk(node->text, "*?[") && access(path, F_OK) != 0;
    loader->machine->schema_found |= plan || pattern;
    if (plan) {
        add_plan(loader, node, path);
    } else if (pattern) {
        add_pattern(loader, node);
    } else {
        add_path(loader, node, path, NULL);
    }
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
                                   "to load the files in it, write a pattern: %s%s*.sql",
                                   schema->node->text, folder)
                    : "a path is relative to the folder of the machine file";
            error_hint(report(loader, schema->node, "%s", err.message), "%s",
                       *err.hint ? err.hint : hint);
        }
    }
}
