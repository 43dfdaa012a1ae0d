/*
 * Finds out who holds a lock: while something waits for one, a second connection asks who has it,
 * so that the report of a lock timeout can name that session.
 *
 * The watch replaces the user's hooks: it passes each question on, and looks about once a second.
 * Where the server's clock stands still, it cancels a session that sleeps: that would never end.
 */
#ifndef PG_BLOCKER_H
#define PG_BLOCKER_H

#include "pg/session/wire.h"
#include "pg/target.h"

struct blocker_watch {
    struct hooks hooks; /* use these to wait, in place of the target's */
    const struct pg_target *target;
    const char *application; /* application_name of the session that may wait */
    int64_t next_ms;
    struct wire wire;
    char found[512]; /* "" or the session that it last waited for */
    bool slept;      /* the session did, and was cancelled */
};

/* `watch` must not move while it is in use. */
void blocker_watch_begin(struct blocker_watch *watch, const struct pg_target *target,
                         const char *application);
void blocker_watch_end(struct blocker_watch *watch);

#endif
