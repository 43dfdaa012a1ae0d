#include "cli/migrated_machine.h"

#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "cli/schema_words.h"
#include "cli/terminal.h"

#include <string.h>

/* In the machine file, paths are relative to its folder. */
static const char *path_from_anywhere(const char *path, struct arena *arena)
{
    const char *folder = *path == '/' ? NULL : path_absolute(arena, ".");
    return folder ? arena_printf(arena, "%s/%s", folder, path) : path;
}

/* Appends the key, as YAML that is JSON. */
static void add_key(const struct options *options, struct arena *arena, struct strbuf *text)
{
    struct json json = {text, false};
    strbuf_adds(text, "\nmigration: ");
    json_open(&json, NULL, '[');
    for (size_t i = 0; i < options->migrate.items.count; i++) {
        json_text(&json, NULL, path_from_anywhere(options->migrate.items.items[i], arena));
    }
    json_close(&json, ']');
    strbuf_adds(text, "\n");
}

/* Whether the text has the key itself. What the library says of a key that is there twice would be
 * about a line that the file does not have. */
static bool has_migration(const char *text)
{
    static const char key[] = "migration:";
    while (text && strncmp(text, key, sizeof key - 1) != 0) {
        text = strchr(text, '\n');
        text += text ? 1 : 0;
    }
    return text != NULL;
}

bool migrated_machine(struct pgfsm_machine **out, const char *path, const struct options *options,
                      struct pgfsm_errors *errors)
{
    enum { MACHINE_MAX = 16 << 20 };
    struct arena arena = {0};
    struct strbuf text = {0};
    struct error ignored;
    struct texts files = {0};
    bool done;
    if (!options->migrate.items.count || !file_load(path, MACHINE_MAX, &text, &ignored)) {
        done = pgfsm_machine_load(out, path, NULL, errors);
    } else if (has_migration(strbuf_text(&text))) {
        terminal_complain("--migrate: %s has the key `migration`; leave out one of them", path);
        done = false;
    } else if (!schema_words_read("--migrate", &options->migrate, &arena, &files, errors)) {
        done = false; /* said of the option, not of a key that the machine file does not have */
    } else {
        add_key(options, &arena, &text);
        done = pgfsm_machine_read(out, path, strbuf_text(&text), text.size, NULL, errors);
    }
    strbuf_free(&text);
    arena_free(&arena);
    return done;
}
