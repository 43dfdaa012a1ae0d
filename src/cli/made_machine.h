/*
 * The machine that `diff` makes where none is named: what `init` writes of the first schema. It is
 * kept in .pgfsm/, where stored failures find it, and whoever wants to go on with it.
 */
#ifndef CLI_MADE_MACHINE_H
#define CLI_MADE_MACHINE_H

#include "cli/database.h"

#include <pgfsm/machine.h>

/* Adds the path that the machine will have to the operands, which are empty. Complains if its
 * folder can't be made. */
bool made_machine_name(struct options *options);

/* Makes the machine of this path, for the schema of the run's options, or for the database if there
 * is none. Opens the database. false: `work->errors`, or it has complained. */
bool made_machine(struct work *work, const char *path, struct pgfsm_machine **out);

#endif
