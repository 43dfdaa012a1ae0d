/* The settings of a run: the options override those of the profile or the machine. */
#ifndef API_SETTINGS_H
#define API_SETTINGS_H

#include "machine/machine.h"

#include <pgfsm/run.h>

/* Draws a seed if none is given. Returns false with `errors`. */
bool settings_resolve(const struct machine *machine, const struct pgfsm_run_options *options,
                      struct settings *out, struct pgfsm_errors *errors);
/* Sets *off, by rule, to whether no pattern matches the rule; NULL if there are no patterns.
 * Returns false with `errors` if a pattern matches no rule. */
bool settings_choose_rules(const struct machine *machine, const struct pgfsm_run_options *options,
                           struct arena *arena, const bool **off, struct pgfsm_errors *errors);

#endif
