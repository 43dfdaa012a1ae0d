/*
 * Lanes: several sessions side by side on the database that a backend works in, and how far each
 * may go. A part of the interface to a database, beside backend.h; src/sessions steers with it.
 *
 * A lane is a backend for steps alone: each is a transaction of its own, as where steps are
 * committed. Of its operations queue, queue_deferred, guards, take, ready, held, encode, equal,
 * reset, leave and close are called. It is used on a thread of its own, but only while whoever
 * steers has it go: at any time one thread at most uses lanes and the backend that they belong to.
 * Lanes are reset before that backend, which would wait for them. One whose connection was lost can
 * be reset, too; open() makes it anew.
 *
 * A lane stands still in two ways. Between its calls it is its caller who waits. Within a call it
 * is a *gate*: where a statement begins or ends to write to a table, the server tells the lane's
 * host (`crossed`), and where it was told to stop there (`stop_at`) it waits in the server until
 * `release`.
 */
#ifndef EXAMPLE_LANES_H
#define EXAMPLE_LANES_H

#include "base/error.h"
#include "machine/settings.h"

#include <stdbool.h>
#include <stddef.h>

struct backend;

enum { LANES_MAX = 4 };

/* In a mask of waits_for(): what the lane runs sleeps (pg_sleep). */
#define LANE_SLEEPS (1U << (LANES_MAX + 1))

/* Where a statement begins or ends to write: a gate, by name. */
struct lane_gate {
    const char *when; /* "BEFORE UPDATE" */
    const char *schema;
    const char *table;
};

/* Who steers a lane. Both are called on the lane's thread. */
struct lane_host {
    /* In place of waiting for the server: returns when there is something to read from the lane's
     * connection `fd` (or, where `writing`, when it takes more). Spurious returns do no harm.
     * False with err: the lane is to give up. */
    bool (*wait)(struct lane_host *host, int fd, bool writing, struct error *err);
    /* The server said, while something was read, that the statement under way came to a gate;
     * `stopped`: and that it waits there. The gate lives as long as the call. */
    void (*crossed)(struct lane_host *host, const struct lane_gate *gate, bool stopped);
};

struct lane_ops {
    /* After mark(): `count` lanes (up to LANES_MAX) on the database as it is then; those of the
     * last call, on new connections where the database was made anew since. They belong to the
     * backend, which closes them with itself, and which gives up its advisory locks. */
    bool (*open)(struct backend *backend, size_t count, struct lane_host *const *hosts,
                 struct backend **lanes, struct error *err);
    /* That of a transaction of the lane which asks for none. */
    enum isolation (*isolation)(struct backend *lane);
    /* Before queue() or queue_deferred(): at which of its gates, from 1 in the order in which it
     * comes to them, rising, the next call stops. None are left from the call before. What a
     * handler of exceptions undoes was a crossing all the same. Where the database has no gates,
     * nothing ever stops. */
    bool (*stop_at)(struct backend *lane, const unsigned *crossings, size_t count,
                    struct error *err);
    /* A lane that stopped at a gate goes on. */
    bool (*release)(struct backend *lane, struct error *err);
    /* Who holds a lock that the lane waits for: a bit for each lane, 2 for the first of open(), and
     * 1 for the backend itself; LANE_SLEEPS; 0: it waits for nothing. Not so at a gate. Asked on a
     * connection of its own. */
    bool (*waits_for)(struct backend *lane, unsigned *by, struct error *err);
    /* The same, but only those that have no transaction open: no COMMIT frees that lock. */
    bool (*kept_by)(struct backend *lane, unsigned *by, struct error *err);
    /* Of the DETAIL of a deadlock's error: for whom each lane waited, as waits_for() has it, by its
     * place in open(); 0: the text does not say. */
    void (*deadlock)(struct backend *lane, const char *detail, unsigned *by);
    /* Cancels what the lane runs, which then ends with an error of the server; its message is
     * `why`, which lives until that was taken. */
    bool (*cancel)(struct backend *lane, const char *why, struct error *err);
    /* Sends what reset() waits for, so that lanes are put in order side by side. Nothing but
     * reset() may follow. */
    bool (*tidy)(struct backend *lane, struct error *err);
};

#endif
