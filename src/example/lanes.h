/*
 * Lanes: concurrent sessions on a backend's database, and control over their progress. Together
 * with backend.h, the interface to a database; src/sessions steers with it.
 *
 * A lane is a backend only for steps, each a transaction of its own, as in commit mode. Only its
 * operations queue, queue_deferred, die, guards, take, ready, held, encode, equal, reset, leave and
 * close are called. Each lane has a thread, but at any time at most one thread uses lanes and their
 * backend. Lanes are reset before that backend, which would wait for them. A lane whose connection
 * was lost can be reset, too; open() reconnects it.
 *
 * A lane stops in two ways. Between calls, its caller waits. Within a call, it stops at a *gate*:
 * when a statement begins or ends writing to a table, or a function goes on to its next statement,
 * the server tells the lane's host (`crossed`), and if it was told to stop there (`stop_at`), it
 * waits in the server until `release`.
 */
#ifndef EXAMPLE_LANES_H
#define EXAMPLE_LANES_H

#include "base/error.h"
#include "base/vec.h"
#include "machine/settings.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>

struct backend;

enum { LANES_MAX = 4 };

/* In a mask of waits_for(): the lane's statement sleeps (pg_sleep). */
#define LANE_SLEEPS (1U << (LANES_MAX + 1))

/* A gate: a point at which a statement begins or ends writing, has locked a row or is about to
 * insert one, or between the statements of a function. */
struct lane_gate {
    enum trace_gate kind;
    const char *when;   /* "BEFORE UPDATE", "AFTER UPDATE", "ROW UPDATE"; "ROW SELECT" locks only */
    const char *schema; /* "" if that is not known */
    const char *table;
    bool limited; /* lock_timeout is set; not known at a row */
    /* ROW: which one it is, from 1. WRITE: the rows that the transaction wrote to the table by such
     * statements: what counts is by how much it grew. */
    uint64_t number;
    unsigned long function; /* BODY: its number in the database */
    const char *name;       /* BODY: "total()" */
    unsigned line;          /* BODY: of the function's text, before which it is */
};

/* Where a call stops: at its gate number `crossing`, from 1, or at the gate of another kind number
 * `nth`, from 1, after that (or, with crossing 0, before the first one). */
struct lane_stop {
    enum trace_gate gate; /* WRITE if nth is 0 */
    unsigned crossing;
    unsigned nth;
    /* It does not stop (and `gate` is not ROW). If lock_timeout is set, it ends each wait for a
     * lock at once, up to the next gate. Elsewhere, lock_timeout never ends a wait that begins
     * behind a gate. */
    bool times_out;
};

/* A row of a table: the key tells the table's rows from each other, and the text is the whole row.
 */
struct lane_row {
    const char *table;
    const char *key;
    const char *text;
};
struct lane_rows {
    VEC(struct lane_row) items;
};

/* The host steers a lane. Both functions are called on the lane's thread. */
struct lane_host {
    /* Waits for the server: returns when there is something to read from the lane's connection `fd`
     * (or, with `writing`, when it accepts more). Spurious returns do no harm. False with err if
     * the lane should give up. */
    bool (*wait)(struct lane_host *host, int fd, bool writing, struct error *err);
    /* Called while reading, when the server reports that the running statement reached a gate;
     * `stopped`: it waits there. The gate is valid during the call. */
    void (*crossed)(struct lane_host *host, const struct lane_gate *gate, bool stopped);
};

struct lane_ops {
    /* Opens `count` lanes (up to LANES_MAX) on the database, after mark(). Reuses those of the last
     * call, with new connections if the database was recreated. The backend owns and closes them,
     * and releases its own advisory locks. */
    bool (*open)(struct backend *backend, size_t count, struct lane_host *const *hosts,
                 struct backend **lanes, struct error *err);
    /* The isolation level of the lane's transactions that do not set one. */
    enum isolation (*isolation)(struct backend *lane);
    /* Before queue() or queue_deferred(): sets the gates at which the next call stops, in any
     * order. Gates of the previous call are forgotten. Crossings that an exception handler rolls
     * back count, too. In a database without gates, calls never stop. */
    bool (*stop_at)(struct backend *lane, const struct lane_stop *stops, size_t count,
                    struct error *err);
    /* Makes row gates, or removes them: none are there before. They change how rows are locked: an
     * UPDATE locks a row for the columns that it names, and not for those that it changes. No lane
     * may have an open transaction. `backend` is the one that the lanes belong to. */
    bool (*row_gates)(struct backend *backend, bool there, struct error *err);
    /* The SQL that puts gates between the statements of a function, for a replay script
     * (replay/sql/gates.sql); NULL: it has none. */
    const char *(*body)(struct backend *lane, unsigned long function, struct arena *arena);
    /* Lets a lane that stopped at a gate continue. */
    bool (*release)(struct backend *lane, struct error *err);
    /* Finds the holders of a lock that the lane waits for: a bit for each lane, 2 for the first of
     * open(), and 1 for the backend itself; or LANE_SLEEPS. 0 if it does not wait. Gates do not
     * count. Uses another connection. */
    bool (*waits_for)(struct backend *lane, unsigned *by, struct error *err);
    /* The same, but only holders without an open transaction, whose lock no COMMIT releases. */
    bool (*kept_by)(struct backend *lane, unsigned *by, struct error *err);
    /* Reads the DETAIL of a deadlock's error: the lanes that each lane waited for, as in
     * waits_for(), by its place in open(); 0 if the text lacks it. */
    void (*deadlock)(struct backend *lane, const char *detail, unsigned *by);
    /* Cancels the lane's statement, which then ends with an error of the server. Its message is
     * `why`, which must live until the answer is taken. */
    bool (*cancel)(struct backend *lane, const char *why, struct error *err);
    /* Sends the commands that reset() waits for, so that lanes are reset concurrently. Only reset()
     * may follow. */
    bool (*tidy)(struct backend *lane, struct error *err);
    /* The committed rows of all tables, in no order. `backend` is the one that the lanes belong to.
     * Fails if the tables are large, or if the user may not read one. Asked on a connection of its
     * own. */
    bool (*rows)(struct backend *backend, struct arena *arena, struct lane_rows *out,
                 struct error *err);
};

#endif
