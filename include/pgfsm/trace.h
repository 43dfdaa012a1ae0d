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

/* Finds the machine file of a trace; *out is its path from the current folder: pgfsm_free() it.
 * Returns false, with the reason in `errors` and *out NULL, if the file is not a trace, if it does
 * not name its machine (older traces don't), or if the machine's file is gone. */
bool pgfsm_trace_machine(char **out, const char *path, struct pgfsm_errors *errors);

/* Finds the trace of a failure by its name, pgfsm_failure.name, among those in the example database
 * `store`; *out is its path: pgfsm_free() it. The name may end in .sql, .spec or .trace. With a
 * folder before it, it is the path of a file that exists. Unless exactly one trace has this name,
 * returns false, with the known names in `errors` and *out NULL. */
bool pgfsm_trace_find(char **out, const char *store, const char *name, struct pgfsm_errors *errors);

/* Adds the steps of a failure to `examples:` in the machine's file, so that every run begins with
 * them. `trace` is the path of its stored trace. All other bytes of the file stay the same, and the
 * new text must be a valid machine before it replaces the old one. Returns true, with the place and
 * the name of the example in *out, "queue.yaml:31: queue-claim". Otherwise the file is unchanged,
 * `errors` holds the reason, and *out is the example as text, or NULL if it is pinned already or if
 * the steps alone don't repeat the failure. pgfsm_free() *out. */
bool pgfsm_trace_pin(char **out, const char *trace, const char *machine,
                     struct pgfsm_errors *errors);

/* Calls `each` with the name of every failure in the example database `store`. */
void pgfsm_trace_names(const char *store, void (*each)(void *host, const char *name), void *host);

PGFSM_END

#endif
