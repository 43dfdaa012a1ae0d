/* A command. Each has a file of its own, with its help; command_table.c lists them. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/options.h"
#include "cli/status.h"

struct command {
    const char *name;
    unsigned bit; /* selects its options in the table */
    const char *operands;
    const char *summary;     /* one line */
    const char *description; /* paragraphs of the help; ends without a newline */
    const char *examples;    /* lines of the help; NULL: none */
    enum status (*run)(const struct options *options);
};

/* Appends the help of one command. */
void help_command(const struct command *command, struct strbuf *out);
/* Appends the help of the program; `table` ends with NULL. */
void help_program(const struct command *const *table, struct strbuf *out);

/* command_table.c: ends with NULL. */
extern const struct command *const command_table[];
const struct command *command_find(const char *name);
/* The command whose name is close to `name`, or NULL. */
const char *command_closest(const char *name);

#endif
