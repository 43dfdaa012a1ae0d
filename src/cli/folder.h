/* Folders on the command line stand for the machines in them. */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include "cli/options.h"

/* Replaces each folder among the operands by its machines, in the order of their names: files that
 * end in .yaml or .yml and have a line `machine:`. It does not look into folders below. If a folder
 * has no machine, it prints a message and returns false. */
bool folders_read(struct options *options, const char *command);

#endif
