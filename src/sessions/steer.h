/*
 * Steering: several sessions, each a thread with a lane of its own (example/lanes.h), of which one
 * goes on at a time, by a schedule (trace/trace.h).
 *
 * A session stands still at a *point*: before a call, or at a gate of the call under way. At each
 * one the steerer lets the session with the highest priority go on that can. One whose statement
 * waits for a lock of another one can't; it is set aside until the lock is free. So what happens is
 * a function of the schedule, but for two things that the server decides: which of two waiting
 * sessions gets a lock that both want, and which one a deadlock ends.
 *
 * A statement that sleeps may wait for what another session is to do, and is set aside, too. One
 * that waits for a lock which a session keeps that has nothing left to do would wait for ever: it
 * is cancelled.
 */
#ifndef SESSIONS_STEER_H
#define SESSIONS_STEER_H

#include "example/clock.h"
#include "example/lanes.h"
#include "sessions/record.h"
#include "sessions/written.h"

#include <pthread.h>

struct steer;

enum lane_state {
    LANE_READY,   /* at a point of its own side */
    LANE_SERVER,  /* waits for an answer */
    LANE_GATE,    /* the server stands at a gate that the schedule switches at */
    LANE_BLOCKED, /* waits for an answer, and that waits for a lock */
    LANE_DONE,
};

/* An event, for those that tell what happened. */
enum steer_event_kind {
    STEER_SENT,      /* a call was sent */
    STEER_STOPPED,   /* it stands at a gate */
    STEER_TIMES_OUT, /* from this gate on, lock_timeout ends a wait at once */
    STEER_RELEASED,  /* it goes on from there */
    STEER_BLOCKED,   /* it waits for a lock of another session, or sleeps */
    STEER_FREED,     /* it waits no more */
    STEER_ANSWERED,
    STEER_DIED,  /* its client died, behind the last call */
    STEER_AGAIN, /* the step is run again, as it lost against another session */
};
struct steer_event {
    enum steer_event_kind kind;
    unsigned session; /* from 1 */
    uint32_t step;    /* its id */
    uint32_t call;    /* of the step */
    uint32_t crossing;
    uint32_t nth; /* the gate of another kind after that; 0: none */
    enum trace_gate gate;
    bool limited;     /* BLOCKED: lock_timeout is set */
    bool failed;      /* ANSWERED: with an error */
    bool deadlock;    /* ANSWERED: that error is one */
    unsigned by;      /* BLOCKED: by whom (lane_ops.waits_for); ANSWERED: who kept the lock for
                         which it was cancelled */
    const char *text; /* STOPPED: the gate; ANSWERED: "UPDATE 1", or the error */
};

struct lane {
    struct lane_host host; /* first */
    struct steer *steer;
    struct backend *backend;   /* of the lane */
    unsigned session;          /* from 1 */
    void *(*run)(void *owner); /* on its thread; calls steer_begin first and steer_end last */
    void *owner;
    /* the steerer's own */
    pthread_t thread;
    pthread_cond_t go;
    enum lane_state state;
    int fd;
    bool writing;
    bool stops;   /* the call, at some gate */
    bool stopped; /* the server said so, and the steerer does not know yet */
    long priority;
    uint32_t step;
    uint32_t call;
    unsigned crossings;   /* of the call */
    unsigned nth;         /* gate of another kind since the last crossing; 0: none */
    enum trace_gate gate; /* its kind */
    unsigned body;        /* gates between statements of functions since the last crossing */
    VEC(struct trace_switch) between; /* those of the call, as points */
    bool limited;                     /* lock_timeout is set, as the last gate said */
    bool times_out;                   /* and ends each wait up to the next gate */
    struct written written;
    unsigned by;      /* BLOCKED: what it waits for */
    unsigned kept_by; /* who keeps the lock for which the call was cancelled; 0: it was not */
    size_t sent;      /* tick of it */
    uint64_t ran_us;  /* for which the server was waited for in it */
    uint64_t gate_us; /* the same, as it came to its last point */
};

struct steer {
    struct lane lanes[LANES_MAX];
    unsigned count;
    const struct lane_ops *ops;
    const struct clock *clock;
    const struct trace_schedule *schedule;
    int64_t limit_ms; /* of a call, while it neither stands at a gate nor waits for a lock; 0: none
                       */
    struct arena *arena; /* of what happened */
    size_t tick;         /* counts what happens */
    VEC(struct steer_event) events;
    VEC(unsigned long) functions; /* in which a call that was to stop had gates */
    bool quit;                    /* all sessions are to give up */
    void (*waits)(void *host);    /* called while the server is waited for; may be NULL */
    void *host;
    /* the steerer's own */
    pthread_mutex_t lock;
    pthread_cond_t yielded;
    struct lane *running; /* NULL: the steerer */
};

/* Runs the sessions (`lanes[i].run`, `owner`, `backend` of the first `count` are set) until all
 * have ended. False if it was interrupted or the server could not be asked. All have ended then,
 * too. */
bool steer_run(struct steer *steer, struct error *err);

/* A lane that is in no run: it waits as long as it takes. */
void steer_idle(struct lane *lane);

/* On a lane's thread. False: give up, with err. */
bool steer_begin(struct lane *lane, struct error *err);
void steer_end(struct lane *lane);
/* Before a call is queued: the session stands still if the schedule says so. Then tells the lane at
 * which gates the call stops. */
bool steer_call(struct lane *lane, uint32_t step, uint32_t call, struct error *err);
/* The call was answered; `failed`: with an error; `deadlock`: with that of one, of which this is
 * the DETAIL; else NULL. The text lives as long as the events. */
void steer_answered(struct lane *lane, const char *text, bool failed, const char *deadlock);
/* Before the session's client dies, which is call number `call` to the schedule: it stands still if
 * the schedule says so. */
bool steer_die(struct lane *lane, uint32_t step, uint32_t call, struct error *err);
/* The step is run again. */
void steer_again(struct lane *lane);

#endif
