/* --schema-command: the schema as a shell command prints it. */
#ifndef CLI_SCHEMA_COMMAND_H
#define CLI_SCHEMA_COMMAND_H

#include "cli/options.h"
#include "cli/status.h"

/* Runs the command, if the options have one, and sets the run's schema to a file with its output:
 * in .pgfsm/, where replay scripts find it, or with --no-save a temporary file. `command` is
 * pgfsm's, for messages; these are printed. */
enum status schema_command_run(struct options *options, const char *command);
/* Removes a temporary file. */
void schema_command_end(const struct options *options);

#endif
