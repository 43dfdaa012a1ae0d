/* Makes sure that a made machine holds: tries it in a scratch database, and weakens or leaves out
 * what does not. */
#ifndef API_HOLD_H
#define API_HOLD_H

#include "base/strbuf.h"

#include <pgfsm/draft.h>

/* Changes the text, a machine that init_write made. Returns false, with `errors`, if that can't be
 * tried: a lost connection, an interrupt, a mistake outside of rules and invariants. */
bool hold_machine(struct strbuf *text, struct pgfsm_database *database,
                  const struct pgfsm_draft_options *options,
                  const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors);

#endif
