#include "base/file.h"
#include "cli/command.h"
#include "cli/database.h"
#include "cli/found.h"
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pgfsm/draft.h>

static bool is_usable(const struct options *options)
{
    const struct texts *operands = &options->operands;
    if (operands->items.count > 0 && !folder_exists(operands->items.items[0])) {
        terminal_complain("init takes no files; to read a schema, write --schema %s",
                          operands->items.items[0]);
        return false;
    }
    if (operands->items.count > 1 ||
        (operands->items.count > 0 && options->schema.items.count > 0)) {
        terminal_complain("init looks through one folder, or takes --schema; leave out %s",
                          operands->items.items[operands->items.count - 1]);
        return false;
    }
    if (options->file && access(options->file, F_OK) == 0) {
        terminal_complain("init: %s exists already; remove it first, or choose another file",
                          options->file);
        return false;
    }
    return database_options_usable("init", options);
}

static enum status write_out(const char *path, const char *machine)
{
    struct strbuf text = {0};
    struct error err = {0};
    enum status status = STATUS_OK;
    if (!path) {
        terminal_print(machine, strlen(machine));
        return status;
    }
    strbuf_adds(&text, machine);
    if (!file_replace(path, &text, &err)) {
        terminal_complain("init: %s", err.message);
        status = STATUS_USAGE;
    }
    strbuf_free(&text);
    return status;
}

/* What the machine says of itself that it leaves out: comments, and what they are told as. */
static const char *const untested[][2] = {
    {"# Not tested: ", "not tested: "}, {"# Left out: ", "left out: "}, {"# Weakened: ", ""}};

static void tell_untested(const char *machine)
{
    for (const char *line = machine; *line;) {
        size_t blanks = strspn(line, " ");
        size_t size = strcspn(line, "\n");
        for (size_t i = 0; i < sizeof untested / sizeof *untested; i++) {
            size_t head = blanks + strlen(untested[i][0]);
            if (strncmp(line + blanks, untested[i][0], head - blanks) == 0 && size > head) {
                terminal_complain("init: %s%.*s", untested[i][1], (int)(size - head), line + head);
            }
        }
        line += size + (line[size] == '\n');
    }
}

/* Neither files nor a database are named. */
static bool is_to_find(const struct options *options)
{
    return options->operands.items.count > 0 ||
           (options->schema.items.count == 0 &&
            (options->database.embedded || !pgfsm_database_is_named(&options->database)));
}

static enum status write_machine(const struct options *options)
{
    struct work work;
    char *machine = NULL;
    enum status status;
    const struct pgfsm_draft_options init_options = {
        .struct_size = sizeof init_options,
        .schema = options->schema.items.items,
        .schema_count = options->schema.items.count,
        .tables = options->tables.items.items,
        .table_count = options->tables.items.count,
        .path = options->file,
        .full = options->full,
        .free = options->free,
    };
    work_begin(&work, options);
    if (work_open(&work) &&
        pgfsm_draft(&machine, work.database, &init_options, &work.callbacks, work.errors)) {
        status = write_out(options->file, machine);
        tell_untested(machine);
    } else {
        status = status_of_errors(work.errors);
    }
    terminal_errors(work.errors);
    free(machine);
    return work_end(&work, status);
}

static enum status init(const struct options *options)
{
    struct options with = *options;
    with.arena = (struct arena){0};
    bool finds = is_to_find(options);
    if (!is_usable(options)) {
        return STATUS_USAGE;
    }
    enum status status = finds ? found_take(&with) : STATUS_OK;
    if (status == STATUS_OK) {
        status = write_machine(&with);
    }
    if (finds && status == STATUS_OK) {
        terminal_complain("init: wrote %s; run it: %s run %s", with.file, program_name, with.file);
    }
    arena_free(&with.arena);
    return status;
}

const struct command command_init = {
    .name = "init",
    .bit = FOR_INIT,
    .operands = "[FOLDER]",
    .summary = "write a first machine for a schema",
    .description =
        "Reads a schema, from SQL files or a database, and prints a machine for it. If none is\n"
        "named, it looks for migrations in the folder and those below it, says which it takes,\n"
        "and writes the machine to first.yaml.\n"
        "\n"
        "The machine holds as it is: it inserts, updates and deletes rows, predicts the errors of\n"
        "constraints, and compares every table with its model. It finds a constraint that a later\n"
        "change of the schema drops or weakens. Go on from there: add rules for what your\n"
        "application does.",
    .examples = "pgfsm init\n"
                "pgfsm init packages/db\n"
                "pgfsm init --schema schema.sql -o orders.yaml\n"
                "pgfsm init -d app --table orders --table items > orders.yaml",
    .run = init,
};
