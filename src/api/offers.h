/* Rules that would kill what survived. */
#ifndef API_OFFERS_H
#define API_OFFERS_H

#include "api/session.h"

/* Sets the `rule` of survivors for which one was found, and tried on a database of its own. What
 * can't be tried is not offered: that is no error. After mutants_explain. False: somebody
 * interrupted it; those that were found until then are set. */
bool session_offer(struct run_session *session, const struct run_options *options,
                   struct error *err);

#endif
