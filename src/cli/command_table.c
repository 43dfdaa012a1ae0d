#include "cli/command.h"

#include "base/error.h"
#include "cli/other_words.h"
#include "cli/terminal.h"

#include <string.h>
#include <unistd.h>

/* The commands, in the order of the help; each is command_NAME. */
#define COMMANDS(ROW)                                                                              \
    ROW(init)                                                                                      \
    ROW(run)                                                                                       \
    ROW(merge)                                                                                     \
    ROW(diff)                                                                                      \
    ROW(locks)                                                                                     \
    ROW(mutate)                                                                                    \
    ROW(check)                                                                                     \
    ROW(list)                                                                                      \
    ROW(expand)                                                                                    \
    ROW(replay)                                                                                    \
    ROW(show)                                                                                      \
    ROW(pin) ROW(eval) ROW(schema) ROW(cache) ROW(version) ROW(help) ROW(manual) ROW(complete)

#define DECLARE(name) extern const struct command command_##name;
#define POINT(name) &command_##name,
COMMANDS(DECLARE)
const struct command *const command_table[] = {COMMANDS(POINT) NULL};

const struct command *command_find(const char *name)
{
    for (const struct command *const *row = command_table; *row; row++) {
        if (strcmp((*row)->name, name) == 0) {
            return *row;
        }
    }
    return NULL;
}

static const char *closest(const char *name)
{
    const char *names[sizeof command_table / sizeof *command_table];
    size_t count = 0;
    for (const struct command *const *row = command_table; *row; row++) {
        if ((*row)->summary) {
            names[count++] = (*row)->name;
        }
    }
    return closest_name(name, names, count);
}

enum status command_unknown(const char *name)
{
    const char *other = other_command(name);
    const char *close = other ? other : closest(name);
    if (strpbrk(name, "./") || (!close && access(name, F_OK) == 0)) {
        terminal_complain("there is no command '%s'; to test a machine: %s run %s", name,
                          program_name, name);
    } else if (close) {
        terminal_complain("there is no command '%s'; did you mean '%s'?", name, close);
    } else {
        terminal_complain("there is no command '%s'; '%s help' lists them", name, program_name);
    }
    return STATUS_USAGE;
}

static enum status help(const struct options *options)
{
    struct strbuf text = {0};
    enum status status = STATUS_OK;
    if (options->operands.items.count == 0) {
        help_program(command_table, &text);
    }
    for (size_t i = 0; i < options->operands.items.count; i++) {
        const char *name = options->operands.items.items[i];
        const struct command *command = command_find(name);
        if (command && command->summary) {
            help_command(command, &text);
        } else {
            status = command_unknown(name);
        }
    }
    terminal_print(strbuf_text(&text), text.size);
    strbuf_free(&text);
    return status;
}

const struct command command_help = {
    .name = "help",
    .bit = FOR_HELP,
    .operands = "[COMMAND]",
    .summary = "print help, for the program or a command",
    .description = "Lists the commands, or the options of one command.",
    .examples = "pgfsm help run",
    .run = help,
};

static enum status print(struct strbuf *text)
{
    terminal_print(strbuf_text(text), text->size);
    strbuf_free(text);
    return STATUS_OK;
}

static enum status manual(const struct options *options)
{
    (void)options;
    struct strbuf text = {0};
    manual_page(command_table, &text);
    return print(&text);
}

/* For the build. */
const struct command command_manual = {.name = "manual", .operands = "", .run = manual};

static enum status complete(const struct options *options)
{
    struct strbuf text = {0};
    complete_words(command_table, options->operands.items.items, options->operands.items.count,
                   &text);
    return print(&text);
}

/* For the shells: ci/packaging/completion/. */
const struct command command_complete = {.name = "complete", .operands = "", .run = complete};
