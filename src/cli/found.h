/* What `init` finds in a project, if no option says where the schema is. */
#ifndef CLI_FOUND_H
#define CLI_FOUND_H

#include "cli/options.h"
#include "cli/status.h"

/* Looks through the operand, a folder, or the current one, and says what there is. Makes the
 * options those that the user could have given: the schema's files, the file for the machine.
 * Writes a stand-in beside that, unless it is there. STATUS_USAGE, with what to type, if it is not
 * clear which schema is meant. */
enum status found_take(struct options *options);

#endif
