/*
 * What a migration blocks: the locks that its statements take, until when they are held, and which
 * rules wait for them. src/pg/locks finds it out, src/report/locks prints it. No time is in it, so
 * it is the same whenever it is found out again.
 *
 * All texts are in one arena, and are as the server gives them, not yet safe to show.
 */
#ifndef EXAMPLE_BLOCKING_H
#define EXAMPLE_BLOCKING_H

#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blocking_names {
    VEC(const char *) items;
};

struct blocking_lock {
    const char *relation; /* "orders", "shop.orders", quoted where SQL needs it */
    const char *mode;     /* as in pg_locks: "AccessExclusiveLock" */
    bool made;            /* the transaction made the relation, so nobody else sees it yet */
    bool dropped;         /* the statement dropped it */
};

/* A rule that waits after a statement, and did not before it. */
struct blocking_wait {
    size_t rule;          /* in `rules` */
    const char *relation; /* what the statement locked and the rule uses; NULL: it waits for rows */
};

/* The statement stands in a queue: behind a transaction that has written to every table. */
struct blocking_stand {
    const char *relation; /* whose lock it waits for; NULL: for the end of the transaction */
    const char *mode;     /* or NULL */
    VEC(struct blocking_lock) locks; /* that it holds meanwhile, and did not before it */
    VEC(size_t) waits; /* rules that wait behind it, and would not wait without it; in `rules` */
};

struct blocking_touched {
    const char *relation;
    uint64_t read;    /* rows */
    uint64_t written; /* the same: inserted, updated, deleted */
    bool scanned;     /* the whole table was read, however many rows it has */
    bool rewritten;   /* it has a new file */
};

struct blocking_statement {
    const char *place; /* "file:line:column" */
    const char *text;  /* as it stands there, on one line */
    size_t transaction;
    bool timeout;                    /* lock_timeout is set */
    VEC(struct blocking_lock) locks; /* not held before it; the strongest ones of each relation */
    VEC(struct blocking_wait) waits;
    VEC(struct blocking_stand) stands; /* none where `timeout`: it would give up */
    VEC(struct blocking_touched) touched;
};

struct blocking_transaction {
    size_t first; /* of its statements */
    size_t count;
    bool bare; /* a statement that can't run in a transaction: what it holds ends with it */
};

struct blocking_rule {
    const char *name;
    bool untried; /* no example ran it, so nothing is known */
    bool failed;  /* what it sent in an example fails when it is sent again */
    /* It waits although no migration runs, for a transaction that has written to its tables. */
    bool waits_anyway;
    bool never; /* it may not wait even for a moment */
    bool any;   /* it may wait for anything */
};

struct blocking {
    VEC(struct blocking_rule) rules;
    VEC(struct blocking_transaction) transactions;
    VEC(struct blocking_statement) statements;
    struct blocking_names invalid; /* indexes that are of no use after it: built by halves */
    const char *failed; /* what the server says of the last statement; NULL: all have run */
    char sqlstate[6];
};

/* Whether a statement reads or writes rows of tables that were there before. */
static inline bool blocking_touches(const struct blocking_statement *statement)
{
    return statement->touched.count > 0;
}

/* The statements from this one to the end of its transaction that touch rows: while they run, what
 * the statement has locked is held. */
static inline size_t blocking_touching(const struct blocking *blocking, size_t index)
{
    const struct blocking_transaction *transaction =
        &blocking->transactions.items[blocking->statements.items[index].transaction];
    size_t count = 0;
    for (size_t i = index; i < transaction->first + transaction->count; i++) {
        count += blocking_touches(&blocking->statements.items[i]);
    }
    return count;
}

/* Findings: a rule waits for a statement while rows are read or written, or may not wait at all. */
static inline bool blocking_refuses(const struct blocking *blocking, size_t index,
                                    const struct blocking_wait *wait)
{
    const struct blocking_rule *rule = &blocking->rules.items[wait->rule];
    return !rule->any && (rule->never || blocking_touching(blocking, index) > 0);
}

/* Whether a rule does. */
static inline bool blocking_is_refused(const struct blocking *blocking, size_t index)
{
    const struct blocking_statement *statement = &blocking->statements.items[index];
    for (size_t i = 0; i < statement->waits.count; i++) {
        if (blocking_refuses(blocking, index, &statement->waits.items[i])) {
            return true;
        }
    }
    return false;
}

/* Rules wait behind the statement while it waits itself, as long as the transaction before it
 * lasts. */
static inline bool blocking_queues_at(const struct blocking *blocking,
                                      const struct blocking_statement *statement,
                                      const struct blocking_stand *stand)
{
    for (size_t i = 0; i < stand->waits.count && !statement->timeout; i++) {
        if (!blocking->rules.items[stand->waits.items[i]].any) {
            return true;
        }
    }
    return false;
}
static inline bool blocking_queues(const struct blocking *blocking,
                                   const struct blocking_statement *statement)
{
    for (size_t i = 0; i < statement->stands.count; i++) {
        if (blocking_queues_at(blocking, statement, &statement->stands.items[i])) {
            return true;
        }
    }
    return false;
}

/* How many there are: both kinds, invalid indexes, and a migration that fails. */
static inline size_t blocking_findings(const struct blocking *blocking)
{
    size_t count = (blocking->failed != NULL) + blocking->invalid.items.count;
    for (size_t i = 0; i < blocking->statements.count; i++) {
        count += blocking_is_refused(blocking, i) +
                 blocking_queues(blocking, &blocking->statements.items[i]);
    }
    return count;
}

#endif
