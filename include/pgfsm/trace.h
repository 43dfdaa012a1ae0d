#ifndef PGFSM_TRACE_H
#define PGFSM_TRACE_H

#include <stdbool.h>

#include <pgfsm/errors.h>
#include <pgfsm/export.h>

PGFSM_BEGIN

/*
 * Stored traces: runs store failures in the example database (pgfsm_run_options.store), one text
 * file each. pgfsm_run_options.trace runs one again.
 */

/* Finds the machine file of a trace; *out is its path from the current folder: free() it. Returns
 * false, with the reason in `errors` and *out NULL, if the file is not a trace, names no machine
 * (older ones do not), or if the machine's file is gone. */
bool pgfsm_trace_machine(char **out, const char *path, struct pgfsm_errors *errors);

PGFSM_END

#endif
