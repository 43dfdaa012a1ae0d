/* --schema-command and --new-schema-command: a schema as a shell command prints it. */
#ifndef CLI_SCHEMA_COMMAND_H
#define CLI_SCHEMA_COMMAND_H

#include "cli/options.h"
#include "cli/status.h"

/* Runs the commands that the options have, and sets the schemas of the run and of diff to files
 * with their output: in .pgfsm/, where replay scripts find them, or with --no-save temporary files.
 * `command` is pgfsm's, for messages; these are printed. */
enum status schema_command_run(struct options *options, const char *command);
/* Removes temporary files. */
void schema_command_end(const struct options *options);

#endif
