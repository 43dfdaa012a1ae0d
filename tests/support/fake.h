/*
 * A database for tests, whose answers are written in C, without a server.
 *
 * A script maps statements (as in the machine, including `:name`) to functions. These change a
 * block of plain memory, the *state*, which is copied for savepoints, so that guards and resets
 * roll back like a server. Statements run when they are queued; answers are copied into the arena
 * of the caller that takes them.
 *
 * It enforces the contract of backend.h: a ticket is taken once, nothing is queued after a seen
 * error until reset, and guards do not nest. A violation ends the test.
 */
#ifndef SUPPORT_FAKE_H
#define SUPPORT_FAKE_H

#include "example/backend.h"

struct fake;

struct fake_call {
    const char *sql;
    const struct value *values; /* of the parameters, in order */
    size_t value_count;
    const struct backend_context *context; /* NULL: none */
    bool begins;
};

/* A handler's reply; an empty one is an answer without rows and with count 0. */
struct fake_reply {
    struct fake *fake;
    struct answer answer;
    VEC(struct value) rows;
};

typedef void fake_handler(struct fake *fake, const struct fake_call *call,
                          struct fake_reply *reply);

/* Ends with sql NULL. A `*` at the end stands for anything. */
struct fake_script {
    const char *sql;
    fake_handler *handler;
};

/* "id int4, name text": makes the reply one with rows. Types: see fake.c. */
void fake_columns(struct fake_reply *reply, const char *columns);
/* A row with `count` values of type struct value. */
void fake_row(struct fake_reply *reply, const struct value *values, size_t count);
#define FAKE_ROW(reply, ...)                                                                       \
    fake_row(reply, (const struct value[]){__VA_ARGS__},                                           \
             sizeof((const struct value[]){__VA_ARGS__}) / sizeof(struct value))
/* Columns, and rows as a list of tuples in the model language. */
void fake_rows(struct fake_reply *reply, const char *columns, const char *rows);
void fake_count(struct fake_reply *reply, int64_t count);
/* constraint and table may be NULL */
void fake_error(struct fake_reply *reply, const char *sqlstate, const char *message,
                const char *constraint, const char *table);
struct value fake_text(struct fake *fake, const char *text);

struct fake_answer {
    struct answer answer;
    bool taken;
};

/* A savepoint within an example. */
struct fake_checkpoint {
    size_t index;
    unsigned char *state;
};

struct fake {
    struct backend backend; /* first */
    const struct fake_script *script;
    void *state;
    size_t state_size;
    void *host; /* the test's own */

    struct strbuf log; /* a line for each statement that ran, and for reset, mark, … */
    bool log_contexts; /* with session user and settings, not the role alone */
    bool log_begins;   /* `+` before what begins a request */
    size_t out;        /* answers not taken yet */
    size_t max_out;    /* the most at any time */
    size_t ran;        /* statements */
    size_t resets;
    size_t restarts;
    size_t reconnects;
    size_t asked;               /* questions of `equal` */
    uint64_t restart_every;     /* resets until wants_restart; 0: never */
    uint64_t lost_after;        /* statements after which the connection is lost; 0: never */
    bool restart_lost;          /* the connection is lost when a transaction is begun again */
    const char *deferred_error; /* SQLSTATE that the next deferred check raises; NULL: none */
    int64_t time_us;            /* of every answer */
    int64_t limit_ms;           /* of a statement, as the engine wants it; 0: it never said */
    /* the fake's own */
    struct backend_ops ops; /* of fake_with_checkpoints */
    struct arena arena;     /* answers; until reset */
    VEC(struct fake_answer) answers;
    unsigned char *marked; /* state at the mark */
    unsigned char *saved;  /* state at guard_begin */
    VEC(struct fake_checkpoint) checkpoints;
    size_t rewinds; /* to one of them */
    bool guarded;
    enum backend_guard guard;
    bool guard_failed;
    bool failed;       /* an unguarded error: nothing runs until reset */
    bool failure_seen; /* and its answer was taken */
    uint64_t since_restart;
    bool outdated; /* another limit is wanted */
    int64_t next_limit_ms;
};

/* `state` is `size` bytes of plain data, borrowed, that handlers find as fake->state. */
void fake_init(struct fake *fake, const struct fake_script *script, void *state, size_t size);
/* From here on the backend has checkpoints. */
void fake_with_checkpoints(struct fake *fake);
/* Restores the state after fake_init, except settings of the test, and empties the log. */
void fake_begin(struct fake *fake);
/* The lines logged so far; never NULL. */
const char *fake_log(const struct fake *fake);
void fake_free(struct fake *fake);

#endif
