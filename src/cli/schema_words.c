#include "cli/schema_words.h"

#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "cli/terminal.h"

#include <string.h>

void schema_words_machine(const struct texts *words, struct strbuf *out)
{
    struct json json = {out, false};
    strbuf_adds(out, "machine: files\nrules: {none: {sql: SELECT 1}}\nschema: ");
    json_open(&json, NULL, '[');
    for (size_t i = 0; i < words->items.count; i++) {
        json_text(&json, NULL, words->items.items[i]);
    }
    json_close(&json, ']');
    strbuf_addc(out, '\n');
}

void schema_files(const struct pgfsm_machine *machine, struct arena *arena, struct texts *out)
{
    const char *path;
    for (size_t i = 0; (path = pgfsm_machine_schema_file(machine, i)); i++) {
        *VEC_PUSH(arena, &out->items) = arena_strdup(arena, path);
    }
}

static bool can_be_read(const char *name, const char *path)
{
    struct error err = {0};
    FILE *file = file_open(path, &err);
    if (file) {
        (void)fclose(file);
    } else if (folder_exists(path)) {
        terminal_complain("%s: %s is a folder; to load the files in it, write a pattern: '%s%s%s'",
                          name, path, path, path_ends_in(path, "/") ? "" : "/",
                          folder_sql_pattern(path));
    } else {
        terminal_complain("%s: %s%s%s", name, err.message, *err.hint ? "; " : "", err.hint);
    }
    return file != NULL;
}

bool schema_words_read(const char *name, const struct texts *words, struct arena *arena,
                       struct texts *out, struct pgfsm_errors *errors)
{
    struct strbuf text = {0};
    struct pgfsm_machine *machine = NULL;
    schema_words_machine(words, &text);
    bool read = pgfsm_machine_read(&machine, name, text.data, text.size, NULL, errors);
    if (read) {
        schema_files(machine, arena, out);
    }
    for (size_t i = 0; i < out->items.count; i++) {
        read &= can_be_read(name, out->items.items[i]);
    }
    pgfsm_machine_free(machine);
    strbuf_free(&text);
    return read;
}

bool schema_leave_out(struct texts *files, const struct texts *migration, struct arena *arena,
                      const char **later)
{
    size_t kept = 0;
    size_t count = files->items.count;
    for (size_t i = 0; i < count; i++) {
        const char *path = path_absolute(arena, files->items.items[i]);
        bool applied = false;
        for (size_t j = 0; path && !applied && j < migration->items.count; j++) {
            const char *other = path_absolute(arena, migration->items.items[j]);
            applied = other && strcmp(path, other) == 0;
        }
        if (!applied) {
            *later = kept < i && !*later ? files->items.items[i] : *later;
            files->items.items[kept++] = files->items.items[i];
        }
    }
    files->items.count = kept;
    return kept < count;
}

void schema_tell_later(const char *command, const char *later)
{
    if (later) {
        terminal_complain("%s: %s stands behind the migration's files, but loads before them, as a "
                          "file of the schema; if that is the mistake, name only the files before "
                          "the migration",
                          command, later);
    }
}
