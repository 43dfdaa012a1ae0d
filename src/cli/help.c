#include "cli/terminal.h"

#include <string.h>

static const char statuses[] =
    "\nExit status\n"
    "  0    all held\n"
    "  1    a property failed\n"
    "  2    wrong usage, or a mistake in a machine, its schema files or its contexts\n"
    "  3    the database could not be reached, or went away\n"
    "  4    a stated requirement was not met (--strict, `require`)\n"
    "  5    nothing was run\n"
    "  130  interrupted\n";

/* Lines of `text`, each behind two spaces. */
static void add_indented(struct strbuf *out, const char *text)
{
    while (*text) {
        size_t size = strcspn(text, "\n");
        strbuf_adds(out, "  ");
        strbuf_add(out, text, size);
        strbuf_addc(out, '\n');
        text += size + (text[size] == '\n');
    }
}

void help_command(const struct command *command, struct strbuf *out)
{
    strbuf_addf(out, "pgfsm %s: %s\n\n  pgfsm %s%s%s%s\n\n%s\n", command->name, command->summary,
                command->name, command->bit ? " [OPTION...]" : "", *command->operands ? " " : "",
                command->operands, command->description);
    if (command->bit) {
        options_help(command->bit, out);
    }
    if (command->bit & FOR_RUN) {
        strbuf_adds(out,
                    "\nPGFSM_EXAMPLES, PGFSM_SEED, PGFSM_MAX_TIME and so on give defaults of the "
                    "options with long\nnames; the command line wins.\n");
    }
    if (command->examples) {
        strbuf_adds(out, "\nExamples\n");
        add_indented(out, command->examples);
    }
    if (command->bit & (FOR_RUN | FOR_CHECK | FOR_REPLAY)) {
        strbuf_adds(out, statuses);
    }
}

void help_program(struct strbuf *out)
{
    strbuf_adds(out, "pgfsm tests a PostgreSQL schema as a state machine.\n\n");
    for (const struct command *command = command_table; command->name; command++) {
        struct strbuf usage = {0};
        strbuf_addf(&usage, "%s %s", command->name, command->operands);
        strbuf_addf(out, "  pgfsm %-16s %s\n", strbuf_text(&usage), command->summary);
        strbuf_free(&usage);
    }
    strbuf_adds(out, "\n'pgfsm help COMMAND' has the options of a command, and examples.\n");
}

enum status command_help(const struct options *options)
{
    struct strbuf help = {0};
    enum status status = STATUS_OK;
    if (options->operands.items.count == 0) {
        help_program(&help);
    }
    for (size_t i = 0; i < options->operands.items.count; i++) {
        const char *name = options->operands.items.items[i];
        const struct command *command = command_find(name);
        if (command) {
            help_command(command, &help);
        } else {
            const char *close = command_closest(name);
            terminal_complain(close ? "there is no command '%s'; did you mean '%s'?"
                                    : "there is no command '%s'",
                              name, close);
            status = STATUS_USAGE;
        }
    }
    terminal_print(strbuf_text(&help), help.size);
    strbuf_free(&help);
    return status;
}
