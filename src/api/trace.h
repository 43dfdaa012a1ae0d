/* A stored trace that was named to be run again. */
#ifndef API_TRACE_H
#define API_TRACE_H

#include "trace/store/store.h"

#include <pgfsm/trace.h>

/* Reads it whole, into `arena`. false: `errors` says why not. */
bool trace_load(const char *path, const struct machine *machine, struct arena *arena,
                struct stored_trace *out, struct pgfsm_errors *errors);

#endif
