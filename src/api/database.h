/* Implements pgfsm/database.h. */
#ifndef API_DATABASE_H
#define API_DATABASE_H

#include "os/wait.h"
#include "pg/pg.h"

#include <pgfsm/database.h>

#include <stdatomic.h>

struct pgfsm_database {
    struct arena arena; /* holds the options' texts */
    struct pg_options options;
    struct pg_target *target;
    bool busy;                        /* in a call that has not ended */
    struct pgfsm_callbacks callbacks; /* of the current call; none between calls */
    struct hooks note;                /* its callback for lines */
    atomic_bool masked;               /* ignore interrupts and the deadline */
    void (*tick)(void *host);         /* called several times a second while it waits; or NULL */
    void *tick_host;
    _Atomic uint64_t deadline_us; /* of clock_us, when the current call is cancelled; 0: never */
};

/* Begins a call that uses the database, with the callbacks, which may be NULL. False with `errors`
 * if there is no database, if an earlier call has not ended, or if the callbacks have no size. */
bool database_begin(struct pgfsm_database *database, const struct pgfsm_callbacks *callbacks,
                    struct pgfsm_errors *errors);
void database_end(struct pgfsm_database *database);

/* Whether the user wants the current call to stop; may be called on any thread. */
bool database_interrupted(const struct pgfsm_database *database);

#endif
