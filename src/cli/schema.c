#include "cli/command.h"
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>

#include <pgfsm/machine.h>

static enum status schema(const struct options *options)
{
    (void)options;
    char *text;
    pgfsm_machine_json_schema(&text);
    terminal_print(text, strlen(text));
    free(text);
    return STATUS_OK;
}

const struct command command_schema = {
    .name = "schema",
    .bit = FOR_HELP,
    .operands = "",
    .summary = "print the JSON Schema of machine files",
    .description =
        "An editor that supports JSON Schema can check and complete machine files. Save the\n"
        "schema beside your machines, and name it in the first line of each.",
    .examples = "pgfsm schema > machines/machine.schema.json\n"
                "# yaml-language-server: $schema=./machine.schema.json",
    .run = schema,
};
