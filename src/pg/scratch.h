/*
 * The scratch database: a database that a run creates on the target's server, and drops at its end.
 *
 * Its name is pgfsm_scratch_ and 16 random digits. On a named server, a connection whose
 * application_name is that name stays open during the run. A scratch database without such a
 * connection, and with nobody connected to it, is left over from a dead run; the next run drops it.
 */
#ifndef PG_SCRATCH_H
#define PG_SCRATCH_H

#include "pg/session/wire.h"
#include "pg/target.h"

struct scratch {
    const struct pg_target *target; /* NULL: there is none */
    char name[64];
    struct wire admin; /* on a named server: the connection that marks the run as alive */
    bool unsure;       /* whether it is there: the connection was lost while it was created */
};

/* Drops those of dead runs, then creates one. If the user may not create databases, fails with
 * ERROR_MACHINE and a hint. */
bool scratch_make(struct scratch *scratch, const struct pg_target *target, struct error *err);
/* Takes the only one that is on an embedded server, under a new name. */
bool scratch_adopt(struct scratch *scratch, const struct pg_target *target, struct error *err);
/* Copies another one, to which no session may be connected. */
bool scratch_clone(struct scratch *scratch, const struct scratch *source, struct error *err);
/* Drops it. Ignores `{0}`. */
void scratch_drop(struct scratch *scratch);
/* Ends sessions that a pooler keeps there: new ones have the settings that the database has now. */
void scratch_renew(struct scratch *scratch);
/* Keeps it on the server, under a name that later runs do not drop, and tells the user that name.
 * No session may be connected to it. Ignores `{0}`. */
void scratch_keep(struct scratch *scratch);

#endif
