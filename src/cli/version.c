#include "cli/command.h"
#include "cli/terminal.h"

#include <string.h>

#include <pgfsm/version.h>

static enum status version(const struct options *options)
{
    (void)options;
    struct strbuf text = {0};
    strbuf_addf(&text, "pgfsm %s, for PostgreSQL %s\n", pgfsm_version(),
                pgfsm_postgresql_versions());
    terminal_print(text.data, text.size);
    strbuf_free(&text);
    return STATUS_OK;
}

const struct command command_version = {
    .name = "version",
    .bit = FOR_HELP,
    .operands = "",
    .summary = "print the version",
    .description = "Prints the program's version, and the versions of PostgreSQL that it supports.",
    .run = version,
};
