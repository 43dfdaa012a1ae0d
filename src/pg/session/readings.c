/*
 * Queries of ours about the user's relations, in a savepoint that is rolled back: an error, and
 * what a volatile function in a view writes, undo and leave nothing. In a database that was named
 * it is read only as well, as a sequence that moves would stay.
 *
 * Those that are asked together share a savepoint, as each one costs more than a small table's
 * rows. An error skips what is behind it, which is then sent again, and the next time it is alone.
 *
 * The same few texts come back after each step, so they are kept as prepared statements, by text
 * and actor. The server makes such a plan anew where DDL has changed what it is about; only if the
 * result has other types then, it refuses. That statement is sent again as text when its answer is
 * taken, which is the answer of the same state unless something else was queued since.
 */
#include "base/hash.h"
#include "pg/session/session.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READINGS_MAX = 2000 }; /* kept; more are sent as text */

enum reading_state {
    READING_NEW,
    READING_SENT, /* to be prepared; not known yet whether it is */
    READING_KEPT,
    READING_TEXT, /* can't be prepared, or became stale */
};

struct reading {
    struct reading *next; /* in its bucket */
    const char *sql;
    size_t actor;
    enum reading_state state;
    bool fails; /* it raised an error last time: it is read alone */
    char name[32];
};

/* NULL: there are too many. */
static struct reading *find(struct session *session, const char *sql, size_t actor)
{
    struct readings *readings = &session->readings;
    uint64_t hash = hash_mix(hash_text(sql) + actor);
    struct reading **at = &readings->buckets[hash % READING_BUCKETS];
    while (*at && ((*at)->actor != actor || strcmp((*at)->sql, sql) != 0)) {
        at = &(*at)->next;
    }
    if (!*at && readings->count < READINGS_MAX) {
        *at = ARENA_NEW(&session->arena, struct reading);
        **at = (struct reading){.sql = arena_strdup(&session->arena, sql), .actor = actor};
        (void)snprintf((*at)->name, sizeof(*at)->name, "pgfsm_reading_%zu", readings->count++);
    }
    return *at;
}

void session_forget_readings(struct session *session)
{
    for (size_t i = 0; i < READING_BUCKETS; i++) {
        for (struct reading *each = session->readings.buckets[i]; each; each = each->next) {
            each->state = READING_NEW;
        }
    }
}

static void prepare_arrived(void *owner, uint64_t tag, PGresult *result)
{
    struct session *session = owner;
    struct slot *slot = flight_slot(&session->flight, tag);
    bool skipped = session_was_skipped(result);
    if (slot && slot->reading) {
        bool refused = !skipped && wire_is_error(result);
        slot->reading->state = skipped ? READING_NEW : refused ? READING_TEXT : READING_KEPT;
        if (refused) {
            session_arrived(session, tag, result);
            return;
        }
    }
    PQclear(result);
}

static void reading_arrived(void *owner, uint64_t tag, PGresult *result)
{
    struct session *session = owner;
    struct slot *slot = flight_slot(&session->flight, tag);
    bool waits = slot && slot->state == SLOT_WAITING;
    if (slot && slot->reading) {
        slot->reading->fails = wire_is_error(result) && !session_was_skipped(result);
    }
    if (waits && slot->kept && session_is_stale(result)) {
        slot->state = SLOT_STALE;
        slot->reading->state = READING_TEXT;
    } else if (waits && slot->shares && !session->failed && session_was_skipped(result)) {
        slot->state = SLOT_STALE;
    } else if (slot && slot->state == SLOT_WAITING) {
        session_arrived(session, tag, result);
        return;
    }
    PQclear(result); /* or it could not be prepared, which is its answer */
}

/* Sends it, prepared or as text; `reading` may be NULL. */
static bool send_text(struct session *session, const char *sql, backend_ticket ticket,
                      struct error *err)
{
    struct slot *slot = flight_slot(&session->flight, ticket);
    struct reading *reading = session->deallocated ? NULL : slot->reading;
    struct wire_call call = {.done = reading_arrived, .owner = session, .tag = ticket};
    slot->sent_us = clock_us();
    if (reading && reading->state == READING_NEW) {
        const struct wire_call prepare = {prepare_arrived, session, ticket};
        reading->state = READING_SENT;
        slot->kept = true;
        if (!wire_parse(&session->wire, reading->name, sql, prepare, err)) {
            return false;
        }
    } else {
        slot->kept = reading && reading->state == READING_KEPT;
    }
    slot->item = session->wire.sent;
    return slot->kept ? wire_execute(&session->wire, reading->name, NULL, call, err)
                      : wire_run(&session->wire, sql, NULL, call, err);
}

/* Before it, and after it. The server runs what is behind the sync after an error, too. */
static bool begin(struct session *session, struct error *err)
{
    return session_fixed(session, FIXED_TRY, err) &&
           (session->scratch.target ||
            session_own(session, "SET LOCAL transaction_read_only = on", err));
}
static bool end(struct session *session, struct error *err)
{
    return wire_sync(&session->wire, err) && session_fixed(session, FIXED_TRY_BACK, err) &&
           session_fixed(session, FIXED_TRY_DONE, err);
}

static void keep_context(struct slot *slot, const struct strbuf *context)
{
    slot->context = memory_alloc(context->size);
    memcpy(slot->context, context->data, context->size);
}

static void add_slot(struct session *session, const char *sql,
                     const struct backend_context *context, backend_ticket *ticket)
{
    struct actor actor = {0};
    if (context) {
        actor = (struct actor){.session_user = context->session_user, .role = context->role};
    }
    struct slot *slot = flight_add(&session->flight, ticket);
    slot->reading = find(session, sql, statements_actor(&session->statements, &actor));
    slot->guard = READING_GUARD;
    slot->calls = session->calls;
    slot->shares = slot->reading && !slot->reading->fails;
    if (session->failed) {
        slot->state = SLOT_SKIPPED;
    }
}

/* Those that share a savepoint, or each other one in its own. */
static bool send_reads(struct session *session, const struct backend_queries *reads,
                       const backend_ticket *tickets, bool shares, struct error *err)
{
    bool open = false;
    bool ok = true;
    for (size_t i = 0; i < reads->count && ok; i++) {
        if (flight_slot(&session->flight, tickets[i])->shares != shares) {
            continue;
        }
        ok = (open || begin(session, err)) && send_text(session, reads->sql[i], tickets[i], err);
        open = shares;
        ok = ok && (open || end(session, err));
    }
    return ok && (!open || end(session, err));
}

bool session_queue_reads(struct backend *backend, const struct backend_queries *reads,
                         backend_ticket *tickets, struct error *err)
{
    struct session *session = session_of(backend);
    assert(!session->guard.open);
    if (!session_begin_check(session, err)) {
        return false;
    }
    for (size_t i = 0; i < reads->count; i++) {
        add_slot(session, reads->sql[i], reads->context, &tickets[i]);
    }
    if (session->failed) {
        return true;
    }
    contexts_doubt(&session->contexts);
    if (!session_context(session, reads->context, err)) {
        return false;
    }
    for (size_t i = 0; i < reads->count; i++) {
        keep_context(flight_slot(&session->flight, tickets[i]), &session->contexts.current);
    }
    return send_reads(session, reads, tickets, true, err) &&
           send_reads(session, reads, tickets, false, err);
}

bool session_read_again(struct session *session, backend_ticket ticket, struct error *err)
{
    struct slot *slot = flight_slot(&session->flight, ticket);
    if (!wire_drain(&session->wire, err)) {
        return false;
    }
    if (slot->calls != session->calls || !session_runs(session)) {
        session->stale = session->failed = true;
        return true;
    }
    const struct wire_params params = {
        .count = (int)contexts_count(&session->contexts),
        .values = contexts_values(&session->contexts, slot->context),
    };
    slot->state = SLOT_WAITING;
    slot->shares = false;
    return begin(session, err) &&
           session_send_fixed(session, FIXED_CONTEXT, &params,
                              session_fixed_call(session, FIXED_CONTEXT), err) &&
           send_text(session, slot->reading->sql, ticket, err) && end(session, err) &&
           wire_drain(&session->wire, err);
}
