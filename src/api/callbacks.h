/* What the engine calls while it runs, by way of the caller's callbacks. */
#ifndef API_CALLBACKS_H
#define API_CALLBACKS_H

#include "api/session.h"

/* All but `found`. */
struct run_callbacks callbacks_of(struct run_session *session);

#endif
