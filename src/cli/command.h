/* A command. Each has a file of its own, with its help; command_table.c lists them. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/options.h"
#include "cli/status.h"

struct command {
    const char *name;
    unsigned bit; /* selects its options in the table */
    const char *operands;
    const char *summary;     /* one line; NULL: the help does not show the command */
    const char *description; /* paragraphs of the help; ends without a newline */
    const char *examples;    /* lines of the help; NULL: none */
    enum status (*run)(const struct options *options);
};

/* What a status means for the commands that can exit with it. */
struct status_meaning {
    enum status status;
    unsigned commands; /* FOR_ bits */
    const char *meaning;
};

/* Ends with a row without a meaning. */
extern const struct status_meaning status_meanings[];
/* A paragraph. */
extern const char help_environment[];

/* Appends the help of one command. */
void help_command(const struct command *command, struct strbuf *out);
/* Appends the help of the program; `table` ends with NULL. */
void help_program(const struct command *const *table, struct strbuf *out);

/* Appends the manual page pgfsm(1), for man(1) to format. */
void manual_page(const struct command *const *table, struct strbuf *out);

/* Appends what may stand in the place of the last of the words behind the program's name, for a
 * shell: a word a line, with a tab and its meaning where it has one. ":file" and ":folder" stand
 * for the names of files and folders. */
void complete_words(const struct command *const *table, const char *const *words, size_t count,
                    struct strbuf *out);

/* command_table.c: ends with NULL. */
extern const struct command *const command_table[];
const struct command *command_find(const char *name);
/* Complains that there is no command of this name, and says what may have been meant. */
enum status command_unknown(const char *name);

#endif
