/*
 * Tells an observer from outside what sessions did, as if it had been one after the other; it may
 * be told of an example while the example has an observer of its own.
 */
#ifndef SESSIONS_TELL_H
#define SESSIONS_TELL_H

#include "example/observer.h"
#include "sessions/record.h"

struct tell {
    struct observer observer;  /* of the example */
    struct observer *own;      /* is told of its steps, whatever they are */
    struct observer *to;       /* NULL: nobody */
    const struct record *only; /* `to` is told of these steps alone; NULL: of all, and the start */
    bool on;                   /* what happens belongs to something that `to` was told of */
};

/* `to` may be NULL, or an observer that does not listen to sessions. */
void tell_begin(struct tell *tell, struct observer *own, struct observer *to,
                const struct record *only);
/* The steps told next are those of the session (observer.h). */
void tell_session(struct tell *tell, unsigned session);

#endif
