/* What stands behind pgfsm/database.h. */
#ifndef API_DATABASE_H
#define API_DATABASE_H

#include "pg/pg.h"

#include <pgfsm/database.h>

#include <stdatomic.h>

struct pgfsm_database {
    struct arena arena; /* of the options' texts */
    struct pg_options options;
    struct pg_target *target;
    /* Of the call that goes on: whom to ask and tell; NULL between calls, or where nobody is. */
    const struct pgfsm_callbacks *callbacks;
    atomic_bool deaf;             /* an interrupt is not to be heard of, nor that the time is up */
    _Atomic uint64_t deadline_us; /* when what goes on is cancelled; 0: never */
};

/* The clock that deadlines are of: microseconds, monotonic. */
uint64_t database_now_us(void);

/* Whether the user wants the call that goes on to stop; on any thread. */
bool database_interrupted(const struct pgfsm_database *database);

#endif
