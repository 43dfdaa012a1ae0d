/* A machine, with the migration that the options name. */
#ifndef CLI_MIGRATED_MACHINE_H
#define CLI_MIGRATED_MACHINE_H

#include "cli/options.h"

#include <pgfsm/machine.h>

/* As pgfsm_machine_load; with --migrate, as if the machine file had the key `migration`. */
bool migrated_machine(struct pgfsm_machine **out, const char *path, const struct options *options,
                      struct pgfsm_errors *errors);

#endif
