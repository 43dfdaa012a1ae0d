#include "pg/session/session.h"

#include "pg/session/queries.h"
#include "pg/way_out.h"

#include <assert.h>
#include <string.h>

static const char *fixed_name(enum fixed fixed)
{
    static const char *const names[FIXED_COUNT] = {
        [FIXED_MARK] = "pgfsm_mark",
        [FIXED_RESET] = "pgfsm_reset",
        [FIXED_GUARD] = "pgfsm_guard",
        [FIXED_GUARD_BACK] = "pgfsm_guard_back",
        [FIXED_GUARD_DONE] = "pgfsm_guard_done",
        [FIXED_CHECK] = "pgfsm_check",
        [FIXED_TRY] = "pgfsm_try",
        [FIXED_TRY_BACK] = "pgfsm_try_back",
        [FIXED_TRY_DONE] = "pgfsm_try_done",
        [FIXED_CONTEXT] = "pgfsm_context",
        [FIXED_BEGIN] = "pgfsm_begin",
        [FIXED_COMMIT] = "pgfsm_commit",
        [FIXED_SHARED] = "pgfsm_shared",
        [FIXED_ROLLBACK] = "pgfsm_rollback",
        [FIXED_FIND_WRITTEN] = "pgfsm_find_written",
        [FIXED_SETTINGS_BACK] = "pgfsm_settings_back",
        [FIXED_NOTE_SEQUENCES] = "pgfsm_note_sequences",
        [FIXED_SEQUENCES_BACK] = "pgfsm_sequences_back",
        [FIXED_WRITTEN] = "pgfsm_written",
        [FIXED_ALIGN] = "pgfsm_align",
        [FIXED_CHECKPOINT] = "pgfsm_step",
    };
    return names[fixed];
}

const char *actor_name(const struct session *session, size_t index)
{
    assert(index < session->statements.actors.count);
    const struct actor *actor = &session->statements.actors.items[index];
    return actor->role ? actor->role : actor->session_user ? actor->session_user : session->user;
}

void session_break(struct session *session, backend_ticket ticket, const struct error *err)
{
    if (!session->broken.known) {
        session->broken.known = true;
        session->broken.at = ticket;
        session->broken.error = *err;
    }
}

void session_explain_loss(void *owner, struct error *err)
{
    struct session *session = owner;
    for (backend_ticket i = session->flight.first; i < session->flight.next; i++) {
        const struct slot *slot = flight_slot(&session->flight, i);
        if (slot && slot->state == SLOT_SKIPPED && slot->statement) {
            const struct snippet *sql = &slot->statement->sql->snippet;
            error_detail(err, "it was running: %.*s", (int)(sql->size > 500 ? 500 : sql->size),
                         sql->text);
            break;
        }
    }
    (void)target_explain(session->target, err);
}

bool session_runs(const struct session *session)
{
    return PQtransactionStatus(session->wire.conn) == PQTRANS_INTRANS;
}

static bool has_state(const PGresult *result, const char *sqlstate)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    return state && strcmp(state, sqlstate) == 0;
}

bool session_was_skipped(const PGresult *result)
{
    return !result || PQresultStatus(result) == PGRES_PIPELINE_ABORTED ||
           has_state(result, "25P02");
}

/* 0A000: "cached plan must not change result type"; XX000: a type was made anew. */
bool session_is_stale(const PGresult *result)
{
    return has_state(result, "0A000") || has_state(result, "XX000");
}

bool session_was_deallocated(struct session *session, const PGresult *result)
{
    if (session->deallocated || !has_state(result, "26000")) {
        return false;
    }
    session->deallocated = session->stale = session->failed = true;
    if (!session->marked) {
        struct error err;
        error_set(&err, ERROR_MACHINE,
                  "SQL that runs before the first step deallocates prepared statements");
        error_hint(&err, "write DEALLOCATE ALL as plain text, not built at run time: pgfsm then "
                         "relies on no prepared statement");
        session_break(session, session->flight.first, &err);
    }
    return true;
}

/* Ends the slot if the answer is too long. An error of the server is then that of our request to
 * cancel it. */
static bool is_too_long(struct session *session, struct slot *slot, PGresult *result)
{
    if (!wire_is_too_long(&session->wire, slot->item, result)) {
        return false;
    }
    slot->state = SLOT_TOO_LONG;
    session->failed |= !result || wire_is_error(result);
    PQclear(result);
    return true;
}

static void note_failure(struct session *session, const struct slot *slot)
{
    if (slot->guard == 0 || slot->state == SLOT_STALE) {
        session->failed = true;
    } else if (slot->guard == session->guard.number) {
        session->guard.failed = true;
    }
}

void session_arrived(void *owner, uint64_t tag, PGresult *result)
{
    struct session *session = owner;
    struct slot *slot = flight_slot(&session->flight, tag);
    if (!slot) {
        PQclear(result);
        return;
    }
    int64_t now = clock_us();
    int64_t since =
        slot->sent_us > session->flight.last_us ? slot->sent_us : session->flight.last_us;
    slot->time_us = now - since;
    session->flight.last_us = now;
    if (is_too_long(session, slot, result)) {
        return;
    }
    if (session_was_skipped(result)) {
        slot->state = SLOT_SKIPPED;
        PQclear(result);
        return;
    }
    slot->state = SLOT_RESULT;
    flight_hold(&session->flight, slot, result);
    bool by_name = slot->kept || (!slot->statement && slot->guard != READING_GUARD);
    if (by_name && session_was_deallocated(session, result)) {
        slot->state = SLOT_STALE;
    } else if (slot->kept && !slot->outlives && session_is_stale(result)) {
        slot->state = SLOT_STALE;
        statement_stale(&session->statements, slot->statement, session->prepare.has_ddl);
    }
    if (wire_is_error(result)) {
        note_failure(session, slot);
    }
}

/* Answers of our own statements. In a transaction that failed they fail, too: of no interest. */
static void fixed_arrived(void *owner, uint64_t tag, PGresult *result)
{
    struct session *session = owner;
    if (wire_is_error(result) && !session_was_skipped(result) &&
        !session_was_deallocated(session, result) && !session->failed) {
        struct error err;
        wire_error(result, &err);
        error_context(&err, "%s", fixed_name((enum fixed)tag));
        session_break(session, session->flight.first, &err);
    }
    PQclear(result);
}

struct wire_call session_fixed_call(struct session *session, enum fixed fixed)
{
    return (struct wire_call){.done = fixed_arrived, .owner = session, .tag = fixed};
}

bool session_send_fixed(struct session *session, enum fixed fixed, const struct wire_params *params,
                        struct wire_call call, struct error *err)
{
    const char *text = strbuf_text(&session->fixed_texts[fixed]);
    return session->deallocated
               ? wire_run(&session->wire, text, params, call, err)
               : wire_execute(&session->wire, fixed_name(fixed), params, call, err);
}

bool session_fixed(struct session *session, enum fixed fixed, struct error *err)
{
    return session_send_fixed(session, fixed, NULL, session_fixed_call(session, fixed), err);
}

bool session_prepare_own(struct session *session, enum fixed fixed, const char *sql,
                         struct wire_call call, struct error *err)
{
    struct strbuf *text = &session->fixed_texts[fixed];
    strbuf_clear(text);
    strbuf_adds(text, sql);
    return session->deallocated || wire_parse(&session->wire, fixed_name(fixed), sql, call, err);
}

bool session_own(struct session *session, const char *sql, struct error *err)
{
    struct wire_call call = {.done = fixed_arrived, .owner = session, .tag = FIXED_CHECKPOINT};
    return wire_run(&session->wire, sql, NULL, call, err);
}

/* A role that may not be assumed or does not exist, or a setting that refuses its value. */
static void explain_context(const struct session *session, const struct actor *actor,
                            const PGresult *result, struct error *err)
{
    wire_error(result, err);
    err->code = ERROR_MACHINE;
    way_out_add(err, session->target->embedded);
    if (has_state(result, "42501") && actor && actor->role) {
        error_hint(err, "GRANT %s TO %s allows it", actor->role, session->user);
    }
    error_context(err, "%s can't set the context", session->user);
}

/* `tag` is the ticket of the statement that the context is for. */
static void context_arrived(void *owner, uint64_t tag, PGresult *result)
{
    struct session *session = owner;
    if (wire_is_error(result) && !session_was_skipped(result) &&
        !session_was_deallocated(session, result)) {
        const struct slot *slot = flight_slot(&session->flight, tag);
        const struct actor *actor = slot && slot->statement
                                        ? &session->statements.actors.items[slot->statement->actor]
                                        : NULL;
        struct error err;
        explain_context(session, actor, result, &err);
        session_break(session, tag, &err);
        session->failed = true;
    }
    PQclear(result);
}

bool session_context(struct session *session, const struct backend_context *context,
                     struct error *err)
{
    struct contexts *contexts = &session->contexts;
    if (!contexts_want(contexts, context)) {
        return true;
    }
    const struct wire_params params = {
        .count = (int)contexts_count(contexts),
        .values = contexts->values,
    };
    struct wire_call call = {
        .done = context_arrived,
        .owner = session,
        .tag = session->flight.next > 0 ? session->flight.next - 1 : 0,
    };
    contexts_sent(contexts);
    if (!session->outside) {
        return session_send_fixed(session, FIXED_CONTEXT, &params, call, err);
    }
    strbuf_clear(&session->text);
    contexts_sql(contexts, false, &session->text);
    return wire_run(&session->wire, strbuf_text(&session->text), &params, call, err);
}

/* Then our queries have a transaction, too, except between statements that can't run in one. It is
 * sent as text, because nothing is prepared at first. */
static bool settle_committing(struct session *session, struct error *err)
{
    PGTransactionStatusType status = PQtransactionStatus(session->wire.conn);
    if (status == PQTRANS_INTRANS || session->outside) {
        return true;
    }
    session->commit.open = BEGINS_CHECK;
    contexts_start(&session->contexts);
    return (status == PQTRANS_IDLE || session_own(session, "ROLLBACK", err)) &&
           session_own(session, "BEGIN READ WRITE", err);
}

bool session_begin_check(struct session *session, struct error *err)
{
    if (!session->commits || session->failed || session->commit.open == BEGINS_CHECK) {
        return true;
    }
    assert(!session->outside && session->commit.open == BEGINS_NOTHING);
    session->commit.open = BEGINS_CHECK;
    contexts_start(&session->contexts);
    return session_fixed(session, FIXED_BEGIN, err);
}

bool session_settle(struct session *session, struct error *err)
{
    if (!wire_drain(&session->wire, err)) {
        return false;
    }
    if (session->commits) {
        return settle_committing(session, err);
    }
    if (PQtransactionStatus(session->wire.conn) != PQTRANS_INERROR) {
        return true;
    }
    if (!session->guard.open && !session->marked) {
        return error_set(err, ERROR_SERVER, "the transaction failed before the first example");
    }
    if (!session->guard.open) {
        session->checkpoints.open = 0;
    }
    return session_fixed(session, session->guard.open ? FIXED_GUARD_BACK : FIXED_RESET, err);
}
