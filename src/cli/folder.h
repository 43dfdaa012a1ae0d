/* Folders on the command line, in place of the machines in them. */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include "cli/options.h"

/* Puts the machines of each folder among the operands in its place, by name: files that end in
 * .yaml or .yml and have a line `machine:`. Folders in it are left out. Complains, and returns
 * false, where a folder has none. */
bool folders_read(struct options *options, const char *command);

#endif
