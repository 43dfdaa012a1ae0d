/* Passes the callbacks of a run on to those of the library's caller. */
#ifndef API_CALLBACKS_H
#define API_CALLBACKS_H

#include "api/session.h"

/* All but `found`. */
struct run_callbacks callbacks_of(struct run_session *session);

#endif
