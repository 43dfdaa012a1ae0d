/*
 * A race: concurrent steps of several sessions whose answers no serial order explains. A failure
 * shows it as a timeline, and as orders with the contradiction of each.
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
    bool undone;        /* another session made it fail, so it was rolled back */
    unsigned retries;   /* retries before this result */
    const char *answer; /* its result: "1 row", "UPDATE 1", "unique_violation (23505): …" */
};

/* Events, in the order in which they happened. */
enum race_event_kind {
    RACE_SENT,      /* a statement, or the COMMIT, was sent */
    RACE_STOPPED,   /* its statement stopped before or after a write, at a gate */
    RACE_TIMES_OUT, /* from there up to the next gate, lock_timeout ends a wait at once */
    RACE_RELEASED,  /* it continues from there */
    RACE_BLOCKED,   /* it waits for a lock of another session, or sleeps */
    RACE_FREED,     /* it stopped waiting */
    RACE_ANSWERED,
    RACE_DIED,  /* its client died */
    RACE_AGAIN, /* the step is retried */
};
struct race_event {
    enum race_event_kind kind;
    size_t step;       /* index in `steps` */
    uint32_t call;     /* number of the statement in the step, from 0 */
    uint32_t crossing; /* gates of writes reached so far */
    uint32_t nth;      /* its gate of another kind after that; 0: none */
    enum trace_gate gate;
    /* SENT: the statement with its values, or "COMMIT"; STOPPED, TIMES_OUT: the gate, "before its
     * UPDATE of accounts" or "in total(), before line 5"; ANSWERED: the result; otherwise NULL. */
    const char *text;
    bool failed;   /* ANSWERED: an error */
    bool deadlock; /* the error was a deadlock */
    bool limited;  /* BLOCKED: lock_timeout is set, and does not end the wait */
    /* BLOCKED: the sessions that hold the lock, 1 << session for each; LANE_SLEEPS if it sleeps.
     * ANSWERED: the sessions that kept the lock for which it was cancelled. */
    unsigned by;
};

/* A serial order. */
struct race_order {
    const size_t *steps; /* indices in `steps` */
    size_t count;
    size_t at;            /* place of the contradicting step in the order; `count` for the end */
    bool raises;          /* the contradiction is about errors, expected or raised */
    const char *sqlstate; /* of an unpredicted error; or NULL */
    const char *who;      /* "rule withdraw", "invariant balances" */
    const char *check;    /* the expression that is not true; else NULL */
    const char *op;       /* of a check that compares what the step gave: "in"; then `actual` is
                             that, and `expected` the other side; else NULL */
    const char *expected; /* a short text, or NULL */
    const char *actual;   /* the same; for a check, what it read */
};

/* The textbook anomaly that a race of two steps is. It is named only if the tables and the timeline
 * prove it (sessions/anomaly.h). */
enum race_anomaly_kind {
    ANOMALY_NONE,
    ANOMALY_LOST_UPDATE, /* `by` overwrote what `step` had written */
    ANOMALY_WRITE_SKEW,  /* each changed rows that the other did not, as if it were alone */
    ANOMALY_PHANTOM,     /* the same, and some of the rows are new */
    ANOMALY_READ_SKEW,   /* `by` read some of what `step` wrote before that, and some after */
    ANOMALY_LOCK_ORDER,  /* they deadlocked: both update the same rows, in opposite orders */
};
struct race_anomaly {
    enum race_anomaly_kind kind;
    size_t step; /* index in `steps`, as `by` is */
    size_t by;
    const char *table;    /* of the rows that both write; NULL: several tables */
    const char *wrote[2]; /* of the rows that `step` and `by` write alone; NULL: several tables */
    size_t rows;          /* LOCK_ORDER: how many both write */
};

struct race {
    unsigned sessions;
    bool deadlock; /* a deadlock ended a step, and was not predicted */
    bool kept; /* a step was cancelled because it waited for a lock that is kept, and this was not
                  predicted */
    VEC(struct race_step) steps; /* by session, in their order */
    VEC(struct race_event) events;
    VEC(struct race_order)
    orders; /* the tried orders; those with the same beginning up to a contradiction were skipped */
    VEC(struct trace_switch) between; /* the gates between statements of functions, as points */
    VEC(const char *)
    bodies; /* the SQL that puts those gates there, for a replay script: of the
               functions in calls that were to stop */
    struct race_anomaly anomaly;
};

/* "a lock that A keeps after its last step"; `by` has the holders, as in race_event. */
const char *race_kept_text(struct arena *arena, unsigned by);
/* "A1": a step of a session, as orders name it. */
const char *race_step_name(struct arena *arena, const struct race *race, size_t index);
/* A deep copy. */
struct race *race_copy(struct arena *arena, const struct race *race);

#endif
