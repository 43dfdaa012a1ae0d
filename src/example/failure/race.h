/*
 * What several sessions did side by side, where no serial order of it explains what they were
 * answered: what a failure shows of it, as a timeline and as orders with what contradicts each.
 */
#ifndef EXAMPLE_RACE_H
#define EXAMPLE_RACE_H

#include "example/lanes.h"
#include "trace/trace.h"

#define DEADLOCK_DETECTED "40P01"
#define QUERY_CANCELED "57014"

/* A step of a session. */
struct race_step {
    unsigned session; /* from 1 */
    uint32_t id;
    struct shown_step shown;
    bool undone;        /* it lost against another session, so nothing is left of it */
    unsigned retries;   /* before it went as it went */
    const char *answer; /* what it came to: "1 row", "UPDATE 1", "unique_violation (23505): …" */
};

/* What happened, in its order. */
enum race_event_kind {
    RACE_SENT,     /* a statement, or the COMMIT, was sent */
    RACE_STOPPED,  /* its statement stands before or behind a write: at a gate */
    RACE_RELEASED, /* it goes on from there */
    RACE_BLOCKED,  /* it waits for a lock of another session, or sleeps */
    RACE_FREED,    /* it waits no more */
    RACE_ANSWERED,
    RACE_AGAIN, /* the step begins again */
};
struct race_event {
    enum race_event_kind kind;
    size_t step;       /* index in `steps` */
    uint32_t call;     /* number of the statement in the step, from 0 */
    uint32_t crossing; /* gates that it came to so far */
    /* SENT: the statement with its values, "COMMIT"; STOPPED: the gate, "before its UPDATE of
     * accounts"; ANSWERED: what came of it; else NULL. */
    const char *text;
    bool failed;   /* ANSWERED: an error */
    bool deadlock; /* that a deadlock was */
    /* BLOCKED: the sessions that hold the lock, 1 << session for each; LANE_SLEEPS: it sleeps.
     * ANSWERED: those that kept the lock for which it was cancelled. */
    unsigned by;
};

/* A serial order. */
struct race_order {
    const size_t *steps; /* indices in `steps` */
    size_t count;
    size_t at;            /* place in the order of the step that contradicts it; `count`: the end */
    bool raises;          /* it is about errors: which are to be raised, and which were */
    const char *sqlstate; /* of the error that nothing predicts; NULL: there is none */
    const char *who;      /* "rule withdraw", "invariant balances" */
    const char *check;    /* the expression that is not true; else NULL */
    const char *expected; /* a short text, or NULL */
    const char *actual;   /* the same; of a check what it looked at */
};

struct race {
    unsigned sessions;
    bool deadlock;               /* one ended a step, and nothing predicts that */
    bool kept;                   /* a step was cancelled as it waited for a lock that is kept, and
                                    nothing predicts that */
    VEC(struct race_step) steps; /* by session, in their order */
    VEC(struct race_event) events;
    VEC(struct race_order)
    orders; /* those that were tried: one that begins like them up to what
               contradicts them was not */
};

/* "a lock that A keeps after its last step": of those that hold it, as in race_event. */
const char *race_kept_text(struct arena *arena, unsigned by);
/* "A1": a step of a session, as orders name it. */
const char *race_step_name(struct arena *arena, const struct race *race, size_t index);
/* A deep copy. */
struct race *race_copy(struct arena *arena, const struct race *race);

#endif
