/*
 * Who is in the way: while something waits for a lock, a second connection asks whom for, so that a
 * lock timeout can be reported with a name.
 *
 * The watch stands in for the user's hooks: it is asked as often as they are, passes the question
 * on, and looks about once a second.
 */
#ifndef PG_BLOCKER_H
#define PG_BLOCKER_H

#include "pg/session/wire.h"
#include "pg/target.h"

struct blocker_watch {
    struct hooks hooks; /* to wait with, in place of the target's */
    const struct pg_target *target;
    const char *application; /* application_name of the session that may wait */
    int64_t next_ms;
    struct wire wire;
    char found[512]; /* "" or who it was last seen to wait for */
};

/* `watch` must not move while it is in use. */
void blocker_watch_begin(struct blocker_watch *watch, const struct pg_target *target,
                         const char *application);
void blocker_watch_end(struct blocker_watch *watch);

#endif
