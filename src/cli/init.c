#include "base/file.h"
#include "cli/command.h"
#include "cli/database.h"
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pgfsm/draft.h>

static bool is_usable(const struct options *options)
{
    if (options->operands.items.count > 0) {
        terminal_complain("init takes no files; to read a schema, write --schema %s",
                          options->operands.items.items[0]);
        return false;
    }
    if (options->schema.items.count == 0 &&
        (options->database.embedded || !pgfsm_database_is_named(&options->database))) {
        terminal_complain("init: no schema given; write --schema FILE, or name a database with -d");
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

static enum status init(const struct options *options)
{
    struct work work;
    char *machine = NULL;
    enum status status;
    if (!is_usable(options)) {
        return STATUS_USAGE;
    }
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

const struct command command_init = {
    .name = "init",
    .bit = FOR_INIT,
    .operands = "",
    .summary = "write a first machine for a schema",
    .description =
        "Reads a schema, from SQL files or a database, and prints a machine for it. The machine\n"
        "holds as it is: it inserts, updates and deletes rows, predicts the errors of "
        "constraints,\n"
        "and compares every table with its model. It finds a constraint that a later change of "
        "the\n"
        "schema drops or weakens. Go on from there: add rules for what your application does.",
    .examples = "pgfsm init --schema schema.sql -o orders.yaml\n"
                "pgfsm init -d app --table orders --table items > orders.yaml",
    .run = init,
};
