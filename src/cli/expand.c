#include "cli/command.h"
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>

#include <pgfsm/machine.h>

static enum status expand(const struct options *options)
{
    struct pgfsm_errors *errors = pgfsm_errors_new();
    struct pgfsm_machine *machine = NULL;
    char *text = NULL;
    if (options->operands.items.count != 1) {
        terminal_complain("expand: name one machine; write %s expand FILE", program_name);
        pgfsm_errors_free(errors);
        return STATUS_USAGE;
    }
    bool loaded = pgfsm_machine_load(&machine, options->operands.items.items[0], NULL, errors);
    if (loaded) {
        pgfsm_machine_expand(machine, &text);
        terminal_print_foreign(text, strlen(text));
    }
    terminal_errors(errors);
    free(text);
    pgfsm_machine_free(machine);
    pgfsm_errors_free(errors);
    return loaded ? STATUS_OK : STATUS_USAGE;
}

const struct command command_expand = {
    .name = "expand",
    .bit = FOR_HELP,
    .operands = "FILE",
    .summary = "print a machine with what its tables stand for",
    .description =
        "Prints a machine with the model, the rules and the invariants that its `tables` stand\n"
        "for written out. What it prints is a machine, too, which does the same.",
    .examples = "pgfsm expand orders.yaml | less",
    .run = expand,
};
