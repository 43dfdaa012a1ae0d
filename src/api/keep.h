/* Stores failures: their traces in the example database, and replay scripts. */
#ifndef API_KEEP_H
#define API_KEEP_H

#include "api/session.h"

/* Reads the traces of earlier runs; skips files that can't be read, with a warning. */
void keep_load(struct run_session *session);
/* A callback for `found`; the host is the session. */
void keep_found(void *host, struct failure *failure, bool final);
/* After the run: writes what is not written yet, and removes the traces that pass now. */
void keep_finish(struct run_session *session);

#endif
