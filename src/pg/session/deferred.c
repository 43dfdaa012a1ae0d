/*
 * Deferred constraints: checked as a commit would check them, then deferred again as the schema has
 * it (manual, SET CONSTRAINTS). "ALL DEFERRED" would defer also what the schema checks at once, so
 * they are named. A name takes every constraint of that name in its schema; where one of them is
 * not to be deferred, the check runs in a savepoint whose rollback restores the state, at the price
 * that what constraint triggers write is rolled back with it and they fire again after the next
 * step.
 */
#include "pg/session/queries.h"
#include "pg/session/session.h"

#include <string.h>

enum { DEFERRALS_MAX = 64 };

bool session_read_deferral(struct session *session, struct error *err)
{
    struct deferral *deferral = &session->deferral;
    PGresult *result = session_ask(session, query_deferral, NULL, err);
    if (!result) {
        return false;
    }
    deferral->any = *PQgetvalue(result, 0, 0) == 't';
    deferral->by_savepoint = *PQgetvalue(result, 0, 2) == 't';
    deferral->schema = session->schema;
    strbuf_clear(&deferral->restore);
    if (!PQgetisnull(result, 0, 1)) {
        strbuf_addf(&deferral->restore, "SET CONSTRAINTS %s DEFERRED", PQgetvalue(result, 0, 1));
    }
    PQclear(result);
    if (session->deferrals.count < DEFERRALS_MAX) {
        struct deferral *known = VEC_PUSH(&session->arena, &session->deferrals);
        *known = (struct deferral){0};
        deferral_copy(known, deferral);
    }
    return true;
}

bool session_renew_deferral(struct session *session, struct error *err)
{
    session_forget_alignments(session);
    for (size_t i = 0; i < session->deferrals.count; i++) {
        strbuf_free(&session->deferrals.items[i].restore);
    }
    session->deferrals.count = 0;
    return session_read_deferral(session, err);
}

/* The server does not run this one if the check failed. Otherwise it has no reason to fail. */
static void restored(void *owner, uint64_t tag, PGresult *result)
{
    struct session *session = owner;
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    if (PQresultStatus(result) == PGRES_FATAL_ERROR && state && strcmp(state, "25P02") != 0) {
        struct error err;
        wire_error(result, &err);
        error_context(&err, "deferring the constraints again");
        session_break(session, tag, &err);
        session->failed = true;
    }
    PQclear(result);
}

static bool send_check(struct session *session, backend_ticket ticket, struct error *err)
{
    struct slot *slot = flight_slot(&session->flight, ticket);
    struct wire_call call = {.done = session_arrived, .owner = session, .tag = ticket};
    slot->item = session->wire.sent;
    slot->sent_us = clock_us();
    return session_send_fixed(session, FIXED_CHECK, NULL, call, err);
}

/* The list is put back as the connecting user: a role may not see every schema. */
static bool send_restore(struct session *session, backend_ticket ticket, struct error *err)
{
    struct wire_call call = {.done = restored, .owner = session, .tag = ticket};
    contexts_doubt(&session->contexts);
    return session->deferral.restore.size == 0 ||
           (session_context(session, NULL, err) &&
            wire_run(&session->wire, strbuf_text(&session->deferral.restore), NULL, call, err));
}

static bool check_and_restore(struct session *session, backend_ticket ticket, struct error *err)
{
    if (!session->deferral.by_savepoint) {
        return send_check(session, ticket, err) && send_restore(session, ticket, err);
    }
    /* There is no sync in between: if the check fails, the server does not run the rollback either.
     */
    return session_fixed(session, FIXED_TRY, err) && send_check(session, ticket, err) &&
           session_fixed(session, FIXED_TRY_BACK, err) &&
           session_fixed(session, FIXED_TRY_DONE, err);
}

/* DDL may have made or dropped constraints: asked for once in each schema. A transaction that has
 * failed can't be asked. */
static bool refresh(struct session *session, struct error *err)
{
    for (size_t i = 0; i < session->deferrals.count; i++) {
        if (session->deferrals.items[i].schema == session->schema) {
            deferral_copy(&session->deferral, &session->deferrals.items[i]);
            return true;
        }
    }
    return wire_drain(&session->wire, err) &&
           (!session_runs(session) || session_read_deferral(session, err));
}

bool session_defer_again(struct session *session, struct error *err)
{
    return (session->deferral.schema == session->schema || refresh(session, err)) &&
           (session->deferral.restore.size == 0 ||
            wire_do(&session->wire, strbuf_text(&session->deferral.restore), err));
}

bool session_queue_deferred(struct backend *backend, const struct backend_context *context,
                            bool begins, backend_ticket *ticket, struct error *err)
{
    struct session *session = session_of(backend);
    if (session->deferral.schema != session->schema && !session->failed && !refresh(session, err)) {
        return false;
    }
    struct slot *slot = flight_add(&session->flight, ticket);
    session->calls++;
    slot->guard = session->guard.open ? session->guard.number : 0;
    if (session->failed) {
        slot->state = SLOT_SKIPPED;
        return true;
    }
    if (!session->deferral.any) {
        slot->state = SLOT_NOTHING;
        return true;
    }
    if (begins) {
        contexts_doubt(&session->contexts);
    }
    return session_context(session, context, err) && check_and_restore(session, *ticket, err);
}
