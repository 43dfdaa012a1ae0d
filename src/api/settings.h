/* The settings of a run: the machine's, or a profile's, with the options over them. */
#ifndef API_SETTINGS_H
#define API_SETTINGS_H

#include "machine/machine.h"

#include <pgfsm/run.h>

/* Draws a seed where none is given. false: `errors`. */
bool settings_resolve(const struct machine *machine, const struct pgfsm_run_options *options,
                      struct settings *out, struct pgfsm_errors *errors);
/* Sets *off to which rules no pattern fits, by rule; NULL where no patterns were given. false: a
 * pattern fits none: `errors`. */
bool settings_choose_rules(const struct machine *machine, const struct pgfsm_run_options *options,
                           struct arena *arena, const bool **off, struct pgfsm_errors *errors);

#endif
