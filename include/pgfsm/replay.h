#ifndef PGFSM_REPLAY_H
#define PGFSM_REPLAY_H

#include <stdbool.h>
#include <stddef.h>

#include <pgfsm/callbacks.h>
#include <pgfsm/database.h>
#include <pgfsm/errors.h>
#include <pgfsm/export.h>

PGFSM_BEGIN

/*
 * Replay scripts: psql runs the script that a run wrote for a failure (pgfsm_run_options.out).
 */
struct pgfsm_replayed {
    bool ran;           /* the script reached its check; if not, `errors` says why */
    bool held;          /* the property holds: the bug is gone */
    const char *output; /* TAP: `output_size` bytes and a NUL */
    size_t output_size;
    const char *errors; /* what psql wrote to standard error: `errors_size` bytes and a NUL */
    size_t errors_size;
};

/* Runs a script. The script runs in a scratch database if the server is embedded, if the script
 * loads files, or if it names files to load first, which pgfsm then loads. Otherwise it runs in the
 * named database and rolls back.
 *
 * A script of two databases (pgfsm_run_options.diff) runs on both, the second side on `after`,
 * which may be NULL: on the same server. `held` then says whether the outputs agree, and `output`
 * has the lines that differ. `after` means nothing to other scripts.
 *
 * Returns false, with the reason in `errors` and *out NULL, if the script can't run. Free *out with
 * pgfsm_replayed_free. Only `interrupted` and `note` of `callbacks` are used; it may be NULL. */
bool pgfsm_replay(struct pgfsm_replayed **out, const char *path, struct pgfsm_database *database,
                  struct pgfsm_database *after, const struct pgfsm_callbacks *callbacks,
                  struct pgfsm_errors *errors);
/* Ignores NULL. */
void pgfsm_replayed_free(struct pgfsm_replayed *replayed);

PGFSM_END

#endif
