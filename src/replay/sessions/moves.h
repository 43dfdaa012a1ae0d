/*
 * A race as moves: the commands to the sessions, in order. Reactions (an answer, waiting for a
 * lock, stopping at a gate) are not moves.
 */
#ifndef REPLAY_MOVES_H
#define REPLAY_MOVES_H

#include "example/failure/failure.h"
#include "replay/recording/recording.h"

/* A further session, for the checks after all sessions are done. */
enum { MOVES_CHECKS = TRACE_SESSIONS_MAX + 1 };

enum move_kind {
    MOVE_SEND,  /* a statement, or the COMMIT */
    MOVE_END,   /* ends the transaction of a failed step or of a check */
    MOVE_GO_ON, /* opens a gate */
    MOVE_DIE,   /* the client dies, and another one takes its place */
};

struct move {
    enum move_kind kind;
    unsigned session; /* from 1; MOVES_CHECKS */
    const char *step; /* "A1", or the invariant's name */
    const char *name; /* "A1", "A1_2", "A1_commit", "A1_goes_on"; unique */
    size_t recorded;  /* the step, in the recording */
    size_t call;      /* SEND: number of the statement; after the last: the COMMIT */
    bool begins;      /* SEND: it begins the step's transaction */
    bool counts;      /* SEND: its answer is the recorded one, because the step was not retried */
    bool failed;      /* SEND: the answer is an error */
    bool waited;      /* SEND: the answer was delayed */
    bool came_last;   /* SEND: it was the last to wait for a lock; that another one waits may show
                         only later */
    VEC(unsigned) stops; /* SEND: the gates at which it must wait, as in sql/gates.sql */
    VEC(unsigned) ends;  /* SEND: the gates from which on lock_timeout ends a wait */
    bool by_row;         /* SEND: some of its stops are at a row */
    unsigned gate;     /* number of the SEND among those that have stops, from 1; GO_ON: the same */
    unsigned crossing; /* GO_ON: as in its stops */
    /* SEND: the name of the move that continued at the same time and answered first; or NULL */
    const char *behind;
    const char *notes; /* its result, in a few words */
};

struct moves {
    VEC(struct move) items;
    unsigned gates; /* SENDs that have stops or ends */
    bool limited;   /* some wait for a lock while lock_timeout is set, which must not end that */
    bool by_row;    /* some stop at a row */
};

/* Makes the moves of a failure with a race and its recording; all in the arena. */
void moves_of(const struct failure *failure, struct arena *arena, struct moves *out);
/* The session's statement that ended with a deadlock; NULL if there is none. */
const struct move *moves_deadlocked(const struct moves *moves, const struct recording *recording,
                                    unsigned session);
/* Returns true if the step's answers contradict a serial order. */
bool race_contradicts(const struct race *race, const char *step);

#endif
