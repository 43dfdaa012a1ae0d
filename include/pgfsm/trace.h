#ifndef PGFSM_TRACE_H
#define PGFSM_TRACE_H

#include <stdbool.h>

#include <pgfsm/errors.h>
#include <pgfsm/export.h>

PGFSM_BEGIN

/*
 * Stored traces: failures that runs kept in the example database (pgfsm_run_options.store), a text
 * file each. pgfsm_run_options.trace runs one again.
 */

/* The path of the machine's file that a trace says it is for, as it is reached from here; *out is
 * yours: free() it. false: `errors` says that it is no trace, that it does not say (older ones do
 * not), or that there is no such file any more; *out is NULL. */
bool pgfsm_trace_machine(char **out, const char *path, struct pgfsm_errors *errors);

PGFSM_END

#endif
