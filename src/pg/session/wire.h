/*
 * The wire: messages to the server and what it answers, in libpq's pipeline mode (manual, section
 * 34.5), always reading while writing, so that neither side waits on a full buffer.
 *
 * Every message that has an answer is an *item*; answers come in the order sent. An item's `done`
 * is called with the answer, once, while something waits for any item (or on wire_poll): a result
 * that is the callee's to PQclear, or NULL where the connection went away first. After an error the
 * server answers what was sent behind it, up to the next sync, with PGRES_PIPELINE_ABORTED.
 *
 * An answer may have ANSWER_BYTES_MAX bytes in libpq's memory, which has no bound of its own. Where
 * more have come, the statement is cancelled, and libpq drops its rows; where that does not end it,
 * the connection is given up. libpq reads a single message whole before it can be counted: that one
 * value is too long shows at its end.
 *
 * A pipeline has no COPY from or to the client: one that gets here breaks the connection off.
 *
 * It knows no statements, tickets or transactions.
 */
#ifndef PG_WIRE_H
#define PG_WIRE_H

#include "base/error.h"
#include "os/wait.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ANSWER_MIB_MAX = 64, ANSWER_BYTES_MAX = ANSWER_MIB_MAX << 20 };

typedef void wire_done(void *owner, uint64_t tag, PGresult *result);

struct wire_item {
    wire_done *done; /* NULL: the answer is not wanted; always NULL for a sync */
    void *owner;
    uint64_t tag;
    bool sync;
};

struct wire {
    PGconn *conn; /* owned */
    const struct hooks *hooks;
    /* Adds what its owner knows to the error that the connection is lost; NULL: nothing. */
    void (*explain)(void *owner, struct error *err);
    /* In place of waiting for the socket; false with err: what runs is to be cancelled, and the
     * connection given up. NULL: wait_for with the hooks. */
    bool (*wait)(void *owner, int fd, bool writing, struct error *err);
    void *owner;
    struct wire_item *items; /* ring; capacity is a power of two; owned */
    size_t capacity;
    uint64_t sent;     /* items so far */
    uint64_t received; /* of these; sent - received are out */
    bool answered;     /* the oldest item's result came, its end not yet */
    bool synced;       /* nothing was sent since the last sync */
    bool lost;         /* the connection is gone, or of no use after an interrupt */
    char broken[200];  /* libpq's words, where it failed itself: out of memory; "": it did not */
    bool interrupted;  /* what ran was cancelled: items from `cut` on have no answer of their own */
    uint64_t cut;
    uint64_t too_long; /* 1 + the number of the last item whose answer was; 0: none was */
    uint64_t reading;  /* the item that was the oldest when it was last read */
    unsigned readings; /* of it so far */
    size_t read;       /* bytes of them, at least */
    size_t unflushed;  /* bytes given to libpq since the last flush, about */
    size_t flush_at;   /* so many are flushed */
};

/* Takes over an open connection and enters pipeline mode. */
void wire_open(struct wire *wire, PGconn *conn, const struct hooks *hooks);
/* Closes the connection; items that are out are forgotten. `{0}` is allowed. */
void wire_close(struct wire *wire);

/* Sending. False: ERROR_CONNECTION. What is sent may go out later (wire_poll, wire_wait). */
struct wire_params {
    int count;
    const Oid *types; /* NULL: the server infers them */
    const char *const *values;
    const int *sizes;   /* of binary ones; NULL: all are text */
    const int *formats; /* NULL: all are text */
};
struct wire_call {
    wire_done *done;
    void *owner;
    uint64_t tag;
};
bool wire_parse(struct wire *wire, const char *name, const char *sql, struct wire_call call,
                struct error *err);
bool wire_describe(struct wire *wire, const char *name, struct wire_call call, struct error *err);
/* A prepared statement. */
bool wire_execute(struct wire *wire, const char *name, const struct wire_params *params,
                  struct wire_call call, struct error *err);
/* A statement as text. */
bool wire_run(struct wire *wire, const char *sql, const struct wire_params *params,
              struct wire_call call, struct error *err);
/* Ends a segment: the server runs what follows even if something before it failed. */
bool wire_sync(struct wire *wire, struct error *err);

/* Waits until item number `item` (as counted by `sent` before it was sent) is answered; sends a
 * sync where none stands behind it. On an interrupt it cancels what runs, reads to the end and
 * gives ERROR_INTERRUPTED where the item had not been answered before. From then on what was
 * answered before can be waited for, and everything else is ERROR_INTERRUPTED. */
bool wire_wait(struct wire *wire, uint64_t item, struct error *err);
/* The same for all items. */
bool wire_drain(struct wire *wire, struct error *err);
/* Sends and reads what can be without waiting. */
bool wire_poll(struct wire *wire, struct error *err);

/* Asks the server to stop what it does. On another thread, too, than the one that waits. */
void wire_cancel(const struct wire *wire);

/* A wire_done whose owner is a PGresult *: keeps the last result, or the first error. What is
 * behind an error was not run. */
void wire_keep(void *owner, uint64_t tag, PGresult *result);

/* Runs one statement and waits for its result, the caller's to PQclear; NULL if the connection
 * fails. An error that the server raises is a result, too. */
PGresult *wire_query(struct wire *wire, const char *sql, const struct wire_params *params,
                     struct error *err);
/* The same, but an error of the server is one here: ERROR_SERVER with the server's words. */
PGresult *wire_query_ok(struct wire *wire, const char *sql, const struct wire_params *params,
                        struct error *err);
/* Several statements in one text, by the simple protocol (manual, section 55.2.2), outside of
 * pipeline mode. The last result or the first error. */
PGresult *wire_script(struct wire *wire, const char *sql, struct error *err);
/* One statement, outside of pipeline mode too, so that COPY with the client ends; the server
 * refuses a text that it reads as more than one (manual, section 55.2.3). */
PGresult *wire_statement(struct wire *wire, const char *sql, struct error *err);
/* A script of statements whose failure is an error and whose results are of no interest. */
bool wire_do(struct wire *wire, const char *sql, struct error *err);

/* Whether the error says that the server lacks something, and no function raised it itself. */
bool wire_lacks(const PGresult *result);
/* Whether the server cancelled the statement, and no function raised the error of this code. */
bool wire_cancelled(const PGresult *result);
/* Sets err from an error result: ERROR_SERVER, or ERROR_SYSTEM if the server lacks something;
 * SQLSTATE, message, detail, hint. Returns false. */
bool wire_error(const PGresult *result, struct error *err);
bool wire_is_error(const PGresult *result);
/* Whether the result of an item is, or was before it was cancelled, longer than it may be. */
bool wire_is_too_long(const struct wire *wire, uint64_t item, const PGresult *result);
/* Sets err to say so. Returns false. */
bool wire_too_long(struct error *err);

#endif
