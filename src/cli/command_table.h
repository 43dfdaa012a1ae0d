#ifndef CLI_COMMAND_TABLE_H
#define CLI_COMMAND_TABLE_H

#include "cli/command.h"

/* Ends with NULL. */
extern const struct command *const command_table[];
const struct command *command_find(const char *name);
/* The command whose name is close to `name`, or NULL. */
const char *command_closest(const char *name);

#endif
