/*
 * A race as moves: what is done to the sessions, in its order. What they do then (answer, wait for
 * a lock, stand at a gate) is no move; it follows.
 */
#ifndef REPLAY_MOVES_H
#define REPLAY_MOVES_H

#include "example/failure/failure.h"
#include "replay/recording/recording.h"

/* Whose checks follow when all sessions are done: one more session. */
enum { MOVES_CHECKS = TRACE_SESSIONS_MAX + 1 };

enum move_kind {
    MOVE_SEND,  /* a statement, or the COMMIT */
    MOVE_END,   /* ends the transaction of a step that failed, or of a check */
    MOVE_GO_ON, /* opens a gate */
};

struct move {
    enum move_kind kind;
    unsigned session; /* from 1; MOVES_CHECKS */
    const char *step; /* "A1", or the invariant's name */
    const char *name; /* "A1", "A1_2", "A1_commit", "A1_goes_on": no two are the same */
    size_t recorded;  /* the step, in the recording */
    size_t call;      /* SEND: number of the statement; behind the last: the COMMIT */
    bool begins;      /* SEND: the step's transaction begins with it */
    bool counts;      /* SEND: its answer is the recorded one: the step was not run again */
    bool failed;      /* SEND: that is an error */
    bool waited;      /* SEND: it did not answer at once */
    bool came_last;   /* SEND: it was the last to come to wait for a lock; that another one did may
                         show only afterwards */
    VEC(unsigned) stops; /* SEND: the gates that it is to wait at: numbers of its crossings */
    unsigned gate;     /* number of the SEND among those that have stops, from 1; GO_ON: the same */
    unsigned crossing; /* GO_ON */
    /* SEND: of two that went on at the same time, it answered behind this one; NULL: there are none
     */
    const char *behind;
    const char *notes; /* what came of it, in a few words */
};

struct moves {
    VEC(struct move) items;
    unsigned gates; /* SENDs that have stops */
};

/* Of a failure that has a race and a recording of it; all in the arena. */
void moves_of(const struct failure *failure, struct arena *arena, struct moves *out);
/* The session's statement that the server ended as it was in a deadlock; NULL: none. */
const struct move *moves_deadlocked(const struct moves *moves, const struct recording *recording,
                                    unsigned session);
/* Whether the step's answers contradict a serial order. */
bool race_contradicts(const struct race *race, const char *step);

#endif
