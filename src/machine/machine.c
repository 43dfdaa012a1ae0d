/* machine_load and machine_read: from a file or a text to a machine. */
#include "machine/machine.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/path.h"
#include "gen/kinds.h"
#include "machine/conditions.h"
#include "machine/loader.h"
#include "schema/schema.h"
#include "tables/tables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The names of errors, as constants that hold their names. */
static const struct named_value *condition_constants(struct arena *arena)
{
    struct named_value *constants = ARENA_ARRAY(arena, struct named_value, condition_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < condition_count; i++) {
        const char *name = conditions[i].name;
        if (!count || strcmp(constants[count - 1].name, name) != 0) {
            constants[count++] = (struct named_value){name, value_text(arena, name)};
        }
    }
    return constants;
}

static struct lang_module *new_module(struct arena *arena, const struct machine_builtins *builtins)
{
    const struct native_function *const tables[] = {strategy_functions, schema_functions,
                                                    tables_functions,
                                                    builtins ? builtins->functions : NULL, NULL};
    struct lang_module *module = lang_module_new(arena, tables, condition_constants(arena));
    lang_module_methods(module, strategy_methods);
    lang_module_methods(module, tables_methods);
    lang_module_methods(module, builtins ? builtins->methods : NULL);
    return module;
}

static int compare_errors(const void *a, const void *b)
{
    const struct error *left = a;
    const struct error *right = b;
    if (!left->pos.source != !right->pos.source) {
        return left->pos.source ? -1 : 1;
    }
    if (left->pos.offset != right->pos.offset) {
        return left->pos.offset < right->pos.offset ? -1 : 1;
    }
    return strcmp(left->message, right->message);
}

/* Sorts errors by line. The parts were read in the order of their dependencies. */
static void sort_errors(struct error *errors, size_t count)
{
    if (count) {
        qsort(errors, count, sizeof *errors, compare_errors);
    }
}

/* Files that can't be machines. */
static const struct {
    const char *suffix;
    const char *message;
    const char *hint;
} other_files[] = {
    {".sql", "this is SQL, not a machine",
     "name the file under `schema:` in a machine, which `pgfsm init --schema FILE` writes; `pgfsm "
     "replay` runs replay scripts"},
    {".trace", "this is a stored trace, not a machine", "`pgfsm replay` runs it again"},
};

static bool is_machine(struct loader *loader)
{
    for (size_t i = 0; i < sizeof other_files / sizeof *other_files; i++) {
        if (path_ends_in(loader->source->name, other_files[i].suffix)) {
            struct source_pos start = {loader->source, 0};
            return error_hint(
                diagnostics_at(loader->diagnostics, start, "%s", other_files[i].message), "%s",
                other_files[i].hint);
        }
    }
    return true;
}

static void read_document(struct loader *loader)
{
    const struct node *root;
    if (!is_machine(loader)) {
        return;
    }
    if (!document_read(loader->source, 0, loader->arena, &root, loader->diagnostics) && !root) {
        return;
    }
    loader->document_errors = loader->diagnostics->errors.count;
    if (!root || node_is_empty(root)) {
        error_hint(diagnostics_at(loader->diagnostics, (struct source_pos){loader->source, 0},
                                  "the file is empty"),
                   "a machine needs at least the keys `machine` and `rules`");
    } else if (root->kind != NODE_MAP) {
        (void)report(loader, root, "a machine must be a mapping, not %s", node_kind_name(root));
    } else if ((root = add_generated(loader, root))) {
        loader->machine->root = root;
        read_root(loader, root);
    }
}

/* To find the right place of a misplaced key. */
static const struct keys *const all_keys[] = {
    &machine_keys, &settings_keys, &shrink_keys, &rule_keys,       &invariant_keys, &context_keys,
    &pinned_keys,  &xfail_keys,    &crash_keys,  &difference_keys, &migration_keys, NULL};

/* `source` and its text are in the arena. `files`: checks the schema's files, too. */
static bool read_source(struct source *source, const struct machine_builtins *builtins, bool files,
                        struct arena *arena, const struct machine **out,
                        struct diagnostics *diagnostics)
{
    size_t before = diagnostics->errors.count;
    struct machine *machine = ARENA_NEW(arena, struct machine);
    struct loader loader = {.arena = arena,
                            .hosted = builtins != NULL,
                            .source = source,
                            .diagnostics = diagnostics,
                            .machine = machine,
                            .all_keys = all_keys,
                            .context_names = {.arena = arena},
                            .bundle_names = {.arena = arena},
                            .rule_names = {.arena = arena}};
    machine->path = source->name;
    machine->source = source;
    machine->settings = settings_default;
    machine->module = new_module(arena, builtins);
    read_document(&loader);
    if (files) {
        check_schema_files(&loader);
    }
    sort_errors(diagnostics->errors.items + before, diagnostics->errors.count - before);
    sort_errors(machine->warnings.items, machine->warnings.count);
    diagnostics_merge(diagnostics, before);
    *out = diagnostics->errors.count == before ? machine : NULL;
    return *out != NULL;
}

bool machine_read(const char *name, const char *text, size_t size,
                  const struct machine_builtins *builtins, struct arena *arena,
                  const struct machine **out, struct diagnostics *diagnostics)
{
    struct source *source = ARENA_NEW(arena, struct source);
    *source = (struct source){
        .name = arena_strdup(arena, name), .text = arena_strndup(arena, text, size), .size = size};
    return read_source(source, builtins, false, arena, out, diagnostics);
}

/* The file's text, or NULL with `diagnostics`. */
static struct source *read_file(const char *path, struct arena *arena,
                                struct diagnostics *diagnostics)
{
    struct source *source = ARENA_NEW(arena, struct source);
    struct strbuf text = {0};
    struct error err = {0};
    /* the whole file, or enough of it to see that it is too large */
    bool read = file_head(path, DOCUMENT_SIZE_MAX, &text, &err);
    *source = (struct source){
        .name = arena_strdup(arena, path), .text = strbuf_copy(&text, arena), .size = text.size};
    strbuf_free(&text);
    if (!read) {
        err.code = ERROR_USAGE;
        diagnostics_add(diagnostics, &err);
    }
    return read ? source : NULL;
}

bool machine_load(const char *path, const struct machine_builtins *builtins, struct arena *arena,
                  const struct machine **out, struct diagnostics *diagnostics)
{
    struct source *source = read_file(path, arena, diagnostics);
    *out = NULL;
    return source && read_source(source, builtins, true, arena, out, diagnostics);
}

bool machine_read_differences(const char *path, struct arena *arena,
                              struct accepted_differences *out, struct diagnostics *diagnostics)
{
    size_t before = diagnostics->errors.count;
    const struct node *root = NULL;
    struct machine *machine = ARENA_NEW(arena, struct machine);
    struct loader loader = {.arena = arena,
                            .source = read_file(path, arena, diagnostics),
                            .diagnostics = diagnostics,
                            .machine = machine,
                            .all_keys = all_keys};
    *machine = (struct machine){0};
    if (!loader.source) {
        return false;
    }
    bool read = document_read(loader.source, 0, arena, &root, diagnostics);
    if (root && root->kind == NODE_LIST) {
        read_differences(&loader, NULL, root);
    } else if (read) {
        error_hint(diagnostics_at(diagnostics, (struct source_pos){loader.source, 0},
                                  "this is no list of differences"),
                   "write where and why: `- {on: list_orders, reason: \"totals are rounded\"}`");
    }
    sort_errors(diagnostics->errors.items + before, diagnostics->errors.count - before);
    *out = machine->differences;
    return diagnostics->errors.count == before;
}

const char *machine_fingerprint(const struct machine *machine, bool made, struct arena *arena)
{
    static const char schema[] = "\nschema:";
    const struct source *source = machine->source;
    size_t size = source ? source_written_size(source) : 0;
    uint64_t hash = HASH_START;
    const char *line = made && size ? memmem(source->text, size, schema, strlen(schema)) : NULL;
    size_t before = line ? (size_t)(line - source->text) : size;
    if (size) {
        hash = hash_bytes(hash, source->text, before);
    }
    if (line) {
        const char *end = memchr(line + 1, '\n', size - before - 1);
        hash = hash_bytes(hash, end ? end : "", end ? size - (size_t)(end - source->text) : 0);
    }
    return arena_printf(arena, "%016" PRIx64, hash);
}
