/* The table of commands. */
#ifndef CLI_COMMAND_TABLE_H
#define CLI_COMMAND_TABLE_H

#include "cli/command.h"

/* Ends with NULL. */
extern const struct command *const command_table[];
const struct command *command_find(const char *name);
/* The name that was meant, or NULL. */
const char *command_closest(const char *name);

#endif
