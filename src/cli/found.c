#include "cli/found.h"

#include "base/file.h"
#include "base/path.h"
#include "base/shell.h"
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pgfsm/project.h>

enum { LISTED_MAX = 12 };

static const char first_machine[] = "first.yaml";

static const char *quoted(struct arena *arena, const char *word)
{
    struct strbuf out = {0};
    shell_quote(&out, word);
    return strbuf_take(&out, arena);
}

/* "Prisma in prisma/migrations, 12 files", "db/schema.sql", "Django in ., whose …". */
static const char *described(struct arena *arena, const struct pgfsm_found_schema *found)
{
    if (!found->schema) {
        return arena_printf(arena, "%s in %s, whose migrations are code", found->tool,
                            found->folder);
    }
    const char *of = found->foreign ? arena_printf(arena, ", for %s", found->foreign) : "";
    return found->is_file
               ? arena_printf(arena, "%s%s", found->schema, of)
               : arena_printf(arena, "%s in %s, %zu file%s%s", found->tool, found->schema,
                              found->files, found->files == 1 ? "" : "s", of);
}

/* The command line that takes this one. */
static const char *line_for(struct arena *arena, const struct pgfsm_found_schema *found)
{
    return !found->is_file
               ? arena_printf(arena, "%s init %s", program_name, quoted(arena, found->schema))
               : arena_printf(arena, "%s init --schema %s -o %s", program_name,
                              quoted(arena, found->schema), first_machine);
}

static void tell_lines(struct arena *arena, const struct pgfsm_project *project, size_t count)
{
    for (size_t i = 0; i < count && i < LISTED_MAX; i++) {
        const struct pgfsm_found_schema *found = pgfsm_project_found(project, i);
        terminal_complain("init:   %s   # %s", line_for(arena, found), described(arena, found));
    }
    if (count > LISTED_MAX) {
        terminal_complain("init:   … and %zu more", count - LISTED_MAX);
    }
}

static void tell_code(const struct pgfsm_found_schema *found)
{
    terminal_complain("init: found %s in %s, whose migrations are code; write their SQL to a file:",
                      found->tool, found->folder);
    terminal_complain("init:   %s >schema.sql", found->command);
    terminal_complain("init:   %s init --schema schema.sql -o %s", program_name, first_machine);
    terminal_complain("init: later, `%s run %s --schema-command COMMAND`, with that command, loads "
                      "what it prints then",
                      program_name, first_machine);
}

/* What is there besides the first ones. */
static void tell_others(struct arena *arena, const struct pgfsm_project *project, size_t from)
{
    const struct pgfsm_found_schema *other;
    for (size_t i = from; (other = pgfsm_project_found(project, i)) && i < LISTED_MAX; i++) {
        terminal_complain("init: left out %s", described(arena, other));
    }
}

/* Nothing was chosen. */
static enum status tell_choice(struct arena *arena, const struct pgfsm_project *project)
{
    const struct pgfsm_found_schema *first = pgfsm_project_found(project, 0);
    size_t equals = pgfsm_project_equals(project);
    if (!first) {
        terminal_complain("init: no schema given, and no migrations found here; write --schema "
                          "FILE, or name a database with -d");
    } else if (first->foreign) {
        terminal_complain("init: no schema for PostgreSQL found here, but %s",
                          described(arena, first));
    } else if (!first->schema) {
        for (size_t i = 0; i < equals && i < LISTED_MAX; i++) {
            tell_code(pgfsm_project_found(project, i));
        }
        tell_others(arena, project, equals);
    } else {
        terminal_complain("init: found %zu schemas; choose one of them:", equals);
        tell_lines(arena, project, equals);
    }
    return STATUS_USAGE;
}

static void tell_taken(struct arena *arena, const struct pgfsm_project *project,
                       const struct pgfsm_found_schema *best)
{
    const char *order = best->command && !best->is_file
                            ? arena_printf(arena, ", in the order of `%s`", best->command)
                            : "";
    terminal_complain("init: found %s%s", described(arena, best), order);
    tell_others(arena, project, 1);
}

/* What the search has not seen. */
static void tell_limits(const struct pgfsm_project *project)
{
    const char *unreadable = pgfsm_project_unreadable(project);
    if (unreadable) {
        terminal_complain("init: could not look into %s", unreadable);
    }
    if (pgfsm_project_stopped(project)) {
        terminal_complain("init: stopped looking: there are too many files; name a folder: %s init "
                          "FOLDER",
                          program_name);
    }
}

/* The user's own copy stays as it is. */
static bool write_standin(struct options *options, const struct pgfsm_found_schema *best)
{
    struct strbuf text = {0};
    struct error err = {0};
    const char *path =
        path_plain(&options->arena, path_beside(&options->arena, options->file, best->standin));
    bool there = access(path, F_OK) == 0;
    strbuf_adds(&text, best->standin_text);
    bool written = there || file_replace(path, &text, &err);
    strbuf_free(&text);
    *VEC_PUSH(&options->arena, &options->schema.items) = path;
    if (!written) {
        terminal_complain("init: %s", err.message);
    } else {
        terminal_complain("init: %s %s, which stands in for what %s provides%s",
                          there ? "takes" : "wrote", path, best->tool,
                          there ? "" : "; add to it what your migrations need");
    }
    return written;
}

static enum status take(struct options *options, const struct pgfsm_project *project)
{
    const struct pgfsm_found_schema *best = pgfsm_project_best(project);
    struct arena *arena = &options->arena;
    tell_limits(project);
    if (!best) {
        return tell_choice(arena, project);
    }
    tell_taken(arena, project, best);
    if (best->standin && !write_standin(options, best)) {
        return STATUS_USAGE;
    }
    if (best->globals) {
        *VEC_PUSH(arena, &options->schema.items) = arena_strdup(arena, best->globals);
    }
    *VEC_PUSH(arena, &options->schema.items) = arena_strdup(arena, best->schema);
    if (best->rows) {
        terminal_complain("init: left out %s; to begin with its rows, name it last in `schema`",
                          best->rows);
    }
    return STATUS_OK;
}

enum status found_take(struct options *options)
{
    struct pgfsm_errors *errors = pgfsm_errors_new();
    struct pgfsm_project *project = NULL;
    const struct texts *operands = &options->operands;
    const char *folder = operands->items.count > 0 ? operands->items.items[0] : ".";
    options->file = options->file ? options->file : first_machine;
    enum status status = STATUS_USAGE;
    if (access(options->file, F_OK) == 0) {
        terminal_complain("init: %s exists already; remove it first, or choose another file with "
                          "-o",
                          options->file);
    } else if (pgfsm_project_look(&project, folder, errors)) {
        status = take(options, project);
    }
    terminal_errors(errors);
    pgfsm_project_free(project);
    pgfsm_errors_free(errors);
    return status;
}
