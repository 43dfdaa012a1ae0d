/*
 * What is in flight: a slot per ticket, from the time a statement is queued until its answer is
 * taken. Slots lie in a ring that grows as far as the engine runs ahead, and not with time.
 */
#ifndef PG_FLIGHT_H
#define PG_FLIGHT_H

#include "example/backend.h"
#include "pg/session/statement.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>

enum slot_state {
    SLOT_TAKEN,
    SLOT_WAITING,
    SLOT_RESULT,  /* `result` is an answer or an error */
    SLOT_NOTHING, /* nothing had to be done: fine */
    SLOT_SKIPPED,
    SLOT_STALE,
    SLOT_TOO_LONG, /* more than is read */
};

/* In place of a guard's number: the query of ours is in a savepoint of ours. */
#define READING_GUARD UINT64_MAX

struct slot {
    enum slot_state state;
    uint64_t guard; /* number of the guard it runs in, whose rollback undoes its failure; 0: none */
    bool kept;      /* run by the name of a prepared statement */
    bool outlives;  /* and that was prepared before the schema changed, as the application has it */
    struct statement *statement; /* NULL: a check of deferred constraints, or a query of ours */
    struct reading *reading;     /* of such a query, its text, if that is kept; or NULL */
    bool shares;                 /* its savepoint is that of others */
    char *context;               /* in which it is read, as in struct contexts; owned; or NULL */
    uint64_t calls;              /* the session's, before it */
    PGresult *result;            /* owned */
    PGnotify **notes;            /* what came by NOTIFY with it; owned, and each */
    size_t note_count;
    uint32_t *widths; /* of pasted pieces, see statement_text; owned; or NULL */
    uint64_t item;    /* of the wire */
    int64_t sent_us;
    int64_t time_us;
};

struct flight {
    struct slot *slots; /* ring; capacity is a power of two; owned */
    uint64_t capacity;
    backend_ticket first; /* the oldest that may not be taken */
    backend_ticket next;
    uint64_t taken;  /* answers so far, but for those of queries of ours */
    int64_t last_us; /* when the last answer came */
    size_t held;     /* bytes of the results in it, about */
};

/* A new slot, SLOT_WAITING. It may move when another one is added. */
struct slot *flight_add(struct flight *flight, backend_ticket *ticket);
/* The slot of a ticket whose answer was not taken; else NULL. */
struct slot *flight_slot(struct flight *flight, backend_ticket ticket);
/* Its result came; the slot's from here on. */
void flight_hold(struct flight *flight, struct slot *slot, PGresult *result);
/* The same of what it was told by NOTIFY. */
void flight_note(struct slot *slot, PGnotify *note);
/* Its answer is taken: the slot may be used again. */
void flight_take(struct flight *flight, backend_ticket ticket);
/* Forgets all answers that were not taken. */
void flight_clear(struct flight *flight);
void flight_free(struct flight *flight);

#endif
