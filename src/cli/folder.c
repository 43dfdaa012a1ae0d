#include "cli/folder.h"

#include "base/file.h"
#include "base/path.h"
#include "cli/terminal.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { MACHINE_SIZE_MAX = 1 << 20 }; /* of a machine file */

static int is_yaml(const struct dirent *entry)
{
    return entry->d_name[0] != '.' &&
           (path_ends_in(entry->d_name, ".yaml") || path_ends_in(entry->d_name, ".yml"));
}

/* Other programs' YAML lies about, too. What can't be read counts as a machine: it is told why. */
static bool names_a_machine(const char *path)
{
    struct strbuf text = {0};
    struct error err;
    bool read = file_load(path, MACHINE_SIZE_MAX, &text, &err);
    const char *content = strbuf_text(&text);
    bool found = !read || strncmp(content, "machine:", 8) == 0 || strstr(content, "\nmachine:");
    strbuf_free(&text);
    return found;
}

/* The machines of a folder, by name. */
static bool add_folder(struct options *options, const char *path, struct texts *out)
{
    struct dirent **entries;
    int count = scandir(path, &entries, is_yaml, alphasort);
    size_t before = out->items.count;
    size_t size = strlen(path);
    for (int i = 0; i < count; i++) {
        const char *file =
            arena_printf(&options->arena, "%s%s%s", path,
                         size > 0 && path[size - 1] == '/' ? "" : "/", entries[i]->d_name);
        if (names_a_machine(file)) {
            *VEC_PUSH(&options->arena, &out->items) = file;
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
    return out->items.count > before;
}

bool folders_read(struct options *options, const char *command)
{
    struct texts files = {0};
    options->named = options->named.items.count ? options->named : options->operands;
    options->operands = options->named;
    for (size_t i = 0; i < options->operands.items.count; i++) {
        const char *path = options->operands.items.items[i];
        if (!folder_exists(path)) {
            *VEC_PUSH(&options->arena, &files.items) = path;
        } else if (!add_folder(options, path, &files)) {
            terminal_complain("%s: there is no machine in %s: a machine is a .yaml or .yml file "
                              "with a line `machine: NAME`",
                              command, path);
            return false;
        }
    }
    options->operands = files;
    return true;
}
