/*
 * The scratch database: a database of a run's own on the target's server, dropped at its end.
 *
 * Its name is pgfsm_scratch_ and a random number. On a named server a connection that carries the
 * name as its application_name stays open as long as the run lives; a scratch database without such
 * a connection, and with nobody in it, is what a dead run left, and the next run drops it.
 */
#ifndef PG_SCRATCH_H
#define PG_SCRATCH_H

#include "pg/session/wire.h"
#include "pg/target.h"

struct scratch {
    const struct pg_target *target; /* NULL: there is none */
    char name[64];
    const char *source; /* while it is made as a copy: of which database */
    struct wire admin;  /* on a named server: the connection that stands for the run */
};

/* Sweeps, then makes one. A user who may not make databases: ERROR_MACHINE that names the grant and
 * --in-place. */
bool scratch_make(struct scratch *scratch, const struct pg_target *target, struct error *err);
/* Makes a copy of another one, to which nobody may be connected. */
bool scratch_clone(struct scratch *scratch, const struct scratch *source, struct error *err);
/* Drops it. `{0}` is allowed. */
void scratch_drop(struct scratch *scratch);
/* Leaves it on the server under a name that no sweep looks at, and tells the user which. Nobody may
 * be connected to it. */
void scratch_keep(struct scratch *scratch);

#endif
