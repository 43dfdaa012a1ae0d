#include "cli/made_machine.h"

#include "base/file.h"
#include "base/path.h"
#include "cli/failure.h"
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>

#include <pgfsm/draft.h>

#define MADE_FOLDER FAILURE_STORE "/diff"

/* Writes the machine where stored failures find it; it is read from there, too. */
static bool keep_machine(const struct options *options, const char *path, const char *text)
{
    struct strbuf copy = {0};
    struct error err = {0};
    strbuf_adds(&copy, text);
    bool kept = options->no_save || file_replace(path, &copy, &err);
    strbuf_free(&copy);
    if (!kept) {
        terminal_complain("diff: %s", err.message);
    }
    return kept;
}

bool made_machine(struct work *work, const char *path, struct pgfsm_machine **out)
{
    const struct options *options = work->options;
    const struct pgfsm_draft_options init = {
        .struct_size = sizeof init,
        .schema = options->run.schema,
        .schema_count = options->run.schema_count,
        .path = path, /* its name, also where no file is written */
        .free = true,
    };
    char *text = NULL;
    bool made = work_open(work) &&
                pgfsm_draft(&text, work->database, &init, &work->callbacks, work->errors) &&
                keep_machine(options, path, text) &&
                pgfsm_machine_read(out, path, text, strlen(text), NULL, work->errors);
    free(text);
    return made;
}

/* A name for the machine of a schema: of its file, or of the folder of a pattern. */
static const char *machine_name(const struct options *options, struct arena *arena)
{
    const struct texts *schema = &options->schema;
    const char *path =
        schema->items.count > 0 ? schema->items.items[schema->items.count - 1] : "schema";
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    if (strpbrk(name, "*?[")) {
        path = path_absolute(arena, path_folder(arena, path));
        name = path ? strrchr(path, '/') + 1 : "schema";
    }
    size_t size = strcspn(name, ".");
    return size > 0 ? arena_strndup(arena, name, size) : "schema";
}

bool made_machine_name(struct options *options)
{
    struct error err = {0};
    const char *name = machine_name(options, &options->arena);
    if (!options->no_save && !folder_make(MADE_FOLDER, 0777, &err)) {
        terminal_complain("diff: %s", err.message);
        return false;
    }
    options->unsaved = options->no_save;
    const char *folder = options->no_save ? "" : MADE_FOLDER "/";
    *VEC_PUSH(&options->arena, &options->operands.items) =
        arena_printf(&options->arena, "%s%s.yaml", folder, name);
    return true;
}
