#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>

#include <pgfsm/machine.h>

enum status command_schema(const struct options *options)
{
    (void)options;
    char *text;
    pgfsm_machine_json_schema(&text);
    terminal_print(text, strlen(text));
    free(text);
    return STATUS_OK;
}
