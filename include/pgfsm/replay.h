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
 * Replay scripts: what a run wrote for a failure (pgfsm_run_options.out), run again through psql.
 */
struct pgfsm_replayed {
    bool ran;           /* it came to its question; else it is as broken as `errors` says */
    bool held;          /* what the script checks holds: the bug is gone */
    const char *output; /* TAP: `output_size` bytes and a NUL */
    size_t output_size;
    const char *errors; /* what psql wrote to standard error, the same way */
    size_t errors_size;
};

/* Runs a script: in a scratch database where it loads files, or has some to be loaded first (which
 * is done), and always on an embedded server; else in the named one, where it rolls back what it
 * does. false: it could not be run; `errors` says why, and *out is NULL. Else it is yours. Of
 * `callbacks` (may be NULL) only `interrupted` and `note` are used. */
bool pgfsm_replay(struct pgfsm_replayed **out, const char *path, struct pgfsm_database *database,
                  const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors);
/* NULL is fine. */
void pgfsm_replayed_free(struct pgfsm_replayed *replayed);

PGFSM_END

#endif
