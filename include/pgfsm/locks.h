#ifndef PGFSM_LOCKS_H
#define PGFSM_LOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include <pgfsm/callbacks.h>
#include <pgfsm/database.h>
#include <pgfsm/errors.h>
#include <pgfsm/export.h>
#include <pgfsm/machine.h>
#include <pgfsm/run.h>

PGFSM_BEGIN

/*
 * What a migration blocks: which locks each of its statements takes, until when they are held, and
 * which rules of a machine wait for them.
 */
struct pgfsm_locks;

/* Runs one example of the machine in a scratch database, and then the `count` SQL files of the
 * migration, for good; the machine's rules are tried between its statements. Without files, they
 * are those of the machine's key `migration`. Of the options, those
 * that say how to make an example count. pgfsm_locks_free() *out, which is NULL on failure.
 * `options` and `callbacks` may be NULL. Returns false, with the reason in `errors`, if it could
 * not go on; a migration that fails is a result. */
bool pgfsm_machine_locks(struct pgfsm_locks **out, const struct pgfsm_machine *machine,
                         struct pgfsm_database *database, const char *const *files, size_t count,
                         const struct pgfsm_run_options *options,
                         const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors);

/* How many findings there are: statements for which rules wait while rows are read or written, and
 * statements that wait themselves, without a lock_timeout, with rules behind them; and a migration
 * that fails. */
size_t pgfsm_locks_findings(const struct pgfsm_locks *locks);
/* A report, to be freed by pgfsm_free(). `format`: "text", "json", "html" or "markdown"; NULL for
 * any other. */
char *pgfsm_locks_report(const struct pgfsm_locks *locks, const char *format);

/* Ignores NULL. */
void pgfsm_locks_free(struct pgfsm_locks *locks);

PGFSM_END

#endif
