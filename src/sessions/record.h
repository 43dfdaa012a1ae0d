/* A record of an example of several sessions: what they sent and were answered. With it, the model
 * can be moved over the steps again, in any order and without the database. */
#ifndef SESSIONS_RECORD_H
#define SESSIONS_RECORD_H

#include "example/backend.h"
#include "example/lanes.h"
#include "trace/trace.h"

struct written_rows;

/* A statement, or (sql NULL) what ends the step: its COMMIT, with the deferred constraints. */
struct recorded_call {
    const struct sql_template *sql;
    const struct backend_context *context; /* NULL: none */
    const struct value *values;            /* one per piece that is no SQL_TEXT */
    uint32_t *types;                       /* of these, as the backend gives them */
    enum backend_begins begins;
    enum isolation isolation;
    bool outside;
    bool prepared;
    struct answer answer;
    unsigned crossings;               /* gates of writes that it came to */
    VEC(struct trace_switch) between; /* gates between statements of functions */
    const struct written_rows *rows;  /* its stops between rows; valid as long as what happened */
    size_t row_count;
    const unsigned *ends; /* crossings at which its statements ended; likewise */
    size_t end_count;
};

/* One step. Ticks count what happens to all sessions, in its order. */
struct recorded_step {
    uint32_t id;
    unsigned session; /* 0: before the sessions */
    VEC(struct recorded_call) calls;
    size_t began;
    size_t ended;
    uint32_t gate;              /* at which its session is to end in the middle; 0: none */
    struct backend_death death; /* how it did */
    bool gone;                  /* its client has died, and the server has ended its session */
    bool died;                  /* its client did, once it was sent; what was open is rolled back */
    bool undone;      /* it lost against another session, as SERIALIZABLE and deadlocks have it */
    unsigned retries; /* how often it was run again for that */
    const struct trace_step *step; /* as it was executed; NULL: not known yet */
};

struct record {
    VEC(struct recorded_step *) steps;
};

/* NULL if the record has no such step. */
struct recorded_step *record_find(const struct record *record, uint32_t id);
struct recorded_step *record_step(struct record *record, struct arena *arena, uint32_t id);
/* Adds a call with copies of what it was given; `call` NULL: the step's end. */
struct recorded_call *record_call(struct recorded_step *step, struct arena *arena,
                                  const struct backend_call *call,
                                  const struct backend_context *context);
/* Tells the caller of the same call (or NULL) the types of its values. */
void recorded_types(const struct recorded_call *recorded, const struct backend_call *call);
/* Whether it is the same statement with the same values in the same context. */
bool recorded_is(const struct recorded_call *recorded, const struct backend_call *call,
                 const struct backend_context *context);

#endif
