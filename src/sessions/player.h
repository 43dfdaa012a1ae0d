/*
 * A backend that plays a record: a step that is in it gets the answers that it got then. What is
 * not in it is sent: by a lane the steps of its session, which are recorded; by a judge the
 * statements of invariants, each of which is asked of the database once.
 */
#ifndef SESSIONS_PLAYER_H
#define SESSIONS_PLAYER_H

#include "example/observer.h"
#include "sessions/record.h"

struct lane;

struct player {
    struct backend backend; /* first */
    struct observer observer;
    struct backend *main;          /* of the example: what is not of steps is asked there */
    const struct record *before;   /* of steps before the sessions */
    const struct record *sessions; /* a judge's: what they did; NULL: a lane's player */
    size_t session_count;
    struct arena *arena; /* of what is recorded */
    /* A lane's. */
    struct lane *lane;
    struct record *record; /* of its session */
    unsigned retries;
    /* The step and the call under way. */
    struct recorded_step *step; /* that is played or sent; NULL: an invariant is asked */
    bool live;                  /* it is sent */
    size_t sent;                /* calls of it that were */
    size_t failed;              /* number of the first that failed, from 1; 0: none */
    size_t at;                  /* calls of it that were queued */
    VEC(struct recorded_call *) tickets;
    VEC(struct recorded_call *) asked; /* by a judge */
    struct record unknown;             /* steps that a judge finds in no record */
    bool strayed; /* a step sends something else than what was recorded, or its plan got stale: the
                     record says nothing of it */
};

/* Readies a player; all else but `backend` and `observer` is the caller's to set. */
void player_init(struct player *player);
/* An example begins. */
void player_begin(struct player *player);

#endif
