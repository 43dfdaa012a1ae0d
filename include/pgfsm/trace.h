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

/* Finds the trace of a failure by its name, pgfsm_failure.name, among those in the example database
 * `store`; *out is its path: free() it. The name may have a folder before it, and .sql, .spec or
 * .trace behind it. Returns false, with what names there are in `errors` and *out NULL, unless
 * there is exactly one. */
bool pgfsm_trace_find(char **out, const char *store, const char *name, struct pgfsm_errors *errors);

/* Calls `each` with the name of every failure in the example database `store`. */
void pgfsm_trace_names(const char *store, void (*each)(void *host, const char *name), void *host);

PGFSM_END

#endif
