/* Reads a stored trace that the user names to run again. */
#ifndef API_TRACE_H
#define API_TRACE_H

#include "trace/store/store.h"

#include <pgfsm/trace.h>

/* Reads the whole trace into `arena`. Returns false with `errors` if that fails. */
bool trace_load(const char *path, const struct machine *machine, struct arena *arena,
                struct stored_trace *out, struct pgfsm_errors *errors);

#endif
