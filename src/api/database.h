/* Implements pgfsm/database.h. */
#ifndef API_DATABASE_H
#define API_DATABASE_H

#include "pg/pg.h"

#include <pgfsm/database.h>

#include <stdatomic.h>

struct pgfsm_database {
    struct arena arena; /* holds the options' texts */
    struct pg_options options;
    struct pg_target *target;
    /* The callbacks of the current call; NULL between calls, or if there are none. */
    const struct pgfsm_callbacks *callbacks;
    atomic_bool masked;           /* ignore interrupts and the deadline */
    _Atomic uint64_t deadline_us; /* of clock_us, when the current call is cancelled; 0: never */
};

/* Whether the user wants the current call to stop; may be called on any thread. */
bool database_interrupted(const struct pgfsm_database *database);

#endif
