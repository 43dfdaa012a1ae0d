#include "pg/session/session.h"

#include "pg/types/encode.h"

#include <stdlib.h>
#include <string.h>

const char *fixed_name(enum fixed fixed)
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
        [FIXED_NOTE_SEQUENCES] = "pgfsm_note_sequences",
        [FIXED_SEQUENCES_BACK] = "pgfsm_sequences_back",
        [FIXED_CHECKPOINT] = "pgfsm_step",
    };
    return names[fixed];
}

void session_break(struct session *session, backend_ticket ticket, const struct error *err)
{
    if (!session->broken) {
        session->broken = true;
        session->broken_at = ticket;
        session->broken_error = *err;
    }
}

bool session_lost(struct session *session, struct error *err)
{
    if (!err || err->code != ERROR_CONNECTION) {
        return false;
    }
    for (backend_ticket i = session->flight.first; i < session->flight.next; i++) {
        const struct slot *slot = flight_slot(&session->flight, i);
        if (slot && slot->state == SLOT_SKIPPED && slot->statement) {
            const struct snippet *sql = &slot->statement->sql->snippet;
            error_detail(err, "it was running: %.*s", (int)(sql->size > 500 ? 500 : sql->size),
                         sql->text);
            break;
        }
    }
    return target_explain(session->target, err);
}

bool session_drain(struct session *session, struct error *err)
{
    return wire_drain(&session->wire, err) || session_lost(session, err);
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

/* Not run, because something before it failed. */
static bool was_skipped(const PGresult *result)
{
    return !result || PQresultStatus(result) == PGRES_PIPELINE_ABORTED ||
           has_state(result, "25P02");
}

/* The plan that the server kept no longer fits what it is about: 0A000 "cached plan must not change
 * result type", XX000 where a type was made anew. Without the plan the same statement may work. */
static bool is_stale(const struct slot *slot, const PGresult *result)
{
    return slot->kept && (has_state(result, "0A000") || has_state(result, "XX000"));
}

bool session_deallocated(struct session *session, const PGresult *result)
{
    if (session->deallocated || !has_state(result, "26000")) {
        return false;
    }
    session->deallocated = session->stale = session->failed = true;
    if (!session->marked) {
        struct error err;
        error_set(&err, ERROR_MACHINE,
                  "SQL that runs before the first step deallocates prepared statements");
        error_hint(&err, "write DEALLOCATE ALL in full, not put together at run time: pgfsm then "
                         "relies on no prepared statement");
        session_break(session, session->flight.first, &err);
    }
    return true;
}

/* Ends the slot where the answer is too long; the server's error, if any, is that of our request to
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
    if (was_skipped(result)) {
        slot->state = SLOT_SKIPPED;
        PQclear(result);
        return;
    }
    slot->state = SLOT_RESULT;
    flight_hold(&session->flight, slot, result);
    bool by_name = slot->kept || !slot->statement;
    if (by_name && session_deallocated(session, result)) {
        slot->state = SLOT_STALE;
    } else if (is_stale(slot, result)) {
        slot->state = SLOT_STALE;
        statement_stale(slot->statement, session->has_ddl);
    }
    if (wire_is_error(result)) {
        note_failure(session, slot);
    }
}

/* Answers of our own statements. In a transaction that failed they fail, too: of no interest. */
static void fixed_arrived(void *owner, uint64_t tag, PGresult *result)
{
    struct session *session = owner;
    if (wire_is_error(result) && !was_skipped(result) && !session_deallocated(session, result) &&
        !session->failed) {
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
    bool sent = session->deallocated
                    ? wire_run(&session->wire, text, params, call, err)
                    : wire_execute(&session->wire, fixed_name(fixed), params, call, err);
    return sent || session_lost(session, err);
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
    return session->deallocated || wire_parse(&session->wire, fixed_name(fixed), sql, call, err) ||
           session_lost(session, err);
}

bool session_own(struct session *session, const char *sql, struct error *err)
{
    struct wire_call call = {.done = fixed_arrived, .owner = session, .tag = FIXED_CHECKPOINT};
    return wire_run(&session->wire, sql, NULL, call, err) || session_lost(session, err);
}

/* A role that may not be assumed or does not exist, or a setting that refuses its value. */
static void explain_context(const struct session *session, const struct actor *actor,
                            const PGresult *result, struct error *err)
{
    wire_error(result, err);
    err->code = ERROR_MACHINE;
    if (has_state(result, "42501") && actor && actor->role) {
        error_hint(err, "GRANT %s TO %s lets it", actor->role, session->user);
    }
    error_context(err, "%s can't set the context", session->user);
}

/* `tag` is the ticket of the statement that the context is for. */
static void context_arrived(void *owner, uint64_t tag, PGresult *result)
{
    struct session *session = owner;
    if (wire_is_error(result) && !was_skipped(result) && !session_deallocated(session, result)) {
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
    return session_send_fixed(session, FIXED_CONTEXT, &params, call, err);
}

bool session_settle(struct session *session, struct error *err)
{
    if (!session_drain(session, err)) {
        return false;
    }
    if (PQtransactionStatus(session->wire.conn) != PQTRANS_INERROR) {
        return true;
    }
    if (!session->guard.open && !session->marked) {
        return error_set(err, ERROR_SERVER, "the transaction failed before the first example");
    }
    if (!session->guard.open) {
        session->open_checkpoints = 0;
    }
    return session_fixed(session, session->guard.open ? FIXED_GUARD_BACK : FIXED_RESET, err);
}

PGresult *session_ask(struct session *session, const char *sql, const struct wire_params *params,
                      struct error *err)
{
    PGresult *result =
        session_settle(session, err) ? wire_query_ok(&session->wire, sql, params, err) : NULL;
    if (!result) {
        session_lost(session, err);
    }
    return result;
}

static void tell_types(const struct backend_call *call, const uint32_t *params)
{
    uint32_t *types = call->types;
    size_t count = 0;
    for (size_t i = 0; types && i < call->sql->pieces.count; i++) {
        enum sql_piece_kind kind = call->sql->pieces.items[i].kind;
        if (kind != SQL_TEXT) {
            *types++ = kind == SQL_VALUE ? params[count++] : 0;
        }
    }
}

/* Encodes the values for the statement's parameters into session->values and its siblings. */
static bool encode_values(struct session *session, const struct backend_call *call,
                          const uint32_t *params, struct error *err)
{
    static const char no_bytes[] = "";
    const struct sql_template *sql = call->sql;
    size_t slot = 0;
    size_t count = 0;
    strbuf_clear(&session->params);
    tell_types(call, params);
    for (size_t i = 0; i < sql->pieces.count; i++) {
        const struct sql_piece *piece = &sql->pieces.items[i];
        if (piece->kind == SQL_TEXT) {
            continue;
        }
        struct value value = call->values[slot++];
        if (piece->kind != SQL_VALUE) {
            continue;
        }
        const struct type *type = types_get(&session->types, params[count]);
        session->offsets[count] = session->params.size;
        session->values[count] = no_bytes;
        session->formats[count] = type->kind == TYPE_BYTES && value.type == VALUE_BYTES;
        if (session->formats[count]) {
            /* As they are: nothing to write out and read in again. */
            session->values[count] = (const char *)value.as.bytes->data;
            session->sizes[count] = (int)value.as.bytes->size;
        } else {
            enum encoded encoded =
                encode_value(&session->types, type, value, &session->params, err);
            if (encoded == ENCODED_FAILED) {
                error_context(err, "parameter :%s", piece->text);
                if (err) {
                    err->pos = snippet_pos(&sql->snippet, piece->offset);
                }
                return false;
            }
            session->values[count] = encoded == ENCODED_NULL ? NULL : no_bytes;
            strbuf_addc(&session->params, '\0');
        }
        count++;
    }
    for (size_t i = 0; i < count; i++) {
        if (session->values[i] == no_bytes) {
            session->values[i] = session->params.data + session->offsets[i];
        }
    }
    return true;
}

/* A call on its way: what the steps of queueing it share. */
struct queueing {
    struct session *session;
    const struct backend_call *call;
    struct statement *statement;
    backend_ticket ticket;
};

static struct slot *slot_of(const struct queueing *queueing)
{
    return flight_slot(&queueing->session->flight, queueing->ticket);
}

static struct wire_params encoded_params(const struct session *session, size_t count)
{
    return (struct wire_params){
        .count = (int)count,
        .values = session->values,
        .sizes = session->sizes,
        .formats = session->formats,
    };
}

static void mark_sent(const struct queueing *queueing, bool kept)
{
    struct slot *slot = slot_of(queueing);
    slot->kept = kept;
    slot->item = queueing->session->wire.sent;
    slot->sent_us = clock_us();
}

static struct wire_call slot_call(const struct queueing *queueing)
{
    return (struct wire_call){
        .done = session_arrived,
        .owner = queueing->session,
        .tag = queueing->ticket,
    };
}

static bool send_prepared(const struct queueing *queueing, struct error *err)
{
    struct session *session = queueing->session;
    const struct statement *statement = queueing->statement;
    if (!encode_values(session, queueing->call, statement->params, err)) {
        return false;
    }
    struct wire_params params = encoded_params(session, statement->param_count);
    mark_sent(queueing, true);
    return wire_execute(&session->wire, statement->name, &params, slot_call(queueing), err);
}

/* Parses the text, waits for its parameters' types, then runs it. That the server refuses to parse
 * it is the call's answer. */
static bool send_parsed(const struct queueing *queueing, struct error *err)
{
    struct session *session = queueing->session;
    struct arena arena = {0};
    struct parsed parsed;
    bool sent = session_parse(session, strbuf_text(&session->text), &arena, &parsed, err);
    if (sent && parsed.refused) {
        mark_sent(queueing, false);
        session_arrived(session, queueing->ticket, parsed.refused);
    } else if (sent && (sent = encode_values(session, queueing->call, parsed.params, err))) {
        struct wire_params params = encoded_params(session, parsed.param_count);
        mark_sent(queueing, false);
        sent = wire_execute(&session->wire, "", &params, slot_call(queueing), err);
    }
    arena_free(&arena);
    return sent;
}

/* Makes the text with what is pasted in it; keeps how wide each pasted piece came out. */
static bool send_volatile(const struct queueing *queueing, struct error *err)
{
    struct session *session = queueing->session;
    const struct sql_template *sql = queueing->statement->sql;
    uint32_t *widths = sql->pasted ? memory_alloc(statement_slots(sql) * sizeof *widths) : NULL;
    const struct statement_sink sink = {session->wire.conn, &session->text, widths};
    slot_of(queueing)->widths = widths;
    strbuf_clear(&session->text);
    if (!statement_text(sql, queueing->call->values, &sink, err)) {
        return false;
    }
    if (sql->value_count > 0) {
        return send_parsed(queueing, err);
    }
    mark_sent(queueing, false);
    return wire_run(&session->wire, strbuf_text(&session->text), NULL, slot_call(queueing), err);
}

static bool send_call(const struct queueing *queueing, struct error *err)
{
    struct session *session = queueing->session;
    struct statement *statement = queueing->statement;
    if (!session_context(session, queueing->call->context, err)) {
        return false;
    }
    if (statement->state == STATEMENT_NEW && !session_prepare_one(session, statement, err)) {
        return false;
    }
    if (statement->state == STATEMENT_NEW) {
        /* The transaction turned out to have failed. */
        slot_of(queueing)->state = SLOT_SKIPPED;
        return true;
    }
    bool by_name = statement->state == STATEMENT_PREPARED && !session->deallocated;
    bool sent = by_name ? send_prepared(queueing, err) : send_volatile(queueing, err);
    if (sent && session->changes[statement->sql->id]) {
        session->schema = schema_after(session->schema, statement->sql, &session->text);
    }
    return sent;
}

bool session_queue(struct session *session, const struct backend_call *call, backend_ticket *ticket,
                   struct error *err)
{
    struct actor actor = {0};
    if (call->context) {
        actor = (struct actor){.session_user = call->context->session_user,
                               .role = call->context->role};
    }
    size_t index = statements_actor(&session->statements, &actor);
    session->statements.actors.items[index].ran = true;
    struct slot *slot = flight_add(&session->flight, ticket);
    struct queueing queueing = {
        .session = session,
        .call = call,
        .statement = statements_get(&session->statements, call->sql, index),
        .ticket = *ticket,
    };
    queueing.statement =
        statements_in_schema(&session->statements, queueing.statement, session->schema);
    slot->statement = queueing.statement;
    slot->guard = session->guard.open ? session->guard.number : 0;
    if (session->failed) {
        slot->state = SLOT_SKIPPED;
        return true;
    }
    if (call->begins) {
        contexts_doubt(&session->contexts);
    }
    return send_call(&queueing, err) || session_lost(session, err);
}

bool session_guard_begin(struct session *session, enum backend_guard guard, struct error *err)
{
    session->guard =
        (struct guard){.open = true, .number = session->guard.number + 1, .kind = guard};
    context_copy(&session->contexts.at_guard, &session->contexts.current);
    session->schema_at_guard = session->schema;
    return session->failed || session_fixed(session, FIXED_GUARD, err);
}

/* Back to where the guard began; what was sent in it may have failed. */
static bool guard_undo(struct session *session, struct error *err)
{
    context_copy(&session->contexts.current, &session->contexts.at_guard);
    session->schema = session->schema_at_guard;
    return wire_sync(&session->wire, err) && session_fixed(session, FIXED_GUARD_BACK, err) &&
           session_fixed(session, FIXED_GUARD_DONE, err);
}

bool session_guard_end(struct session *session, struct error *err)
{
    struct guard guard = session->guard;
    bool undo = guard.kind == GUARD_MUST_FAIL;
    if (session->failed) {
        session->guard.open = false;
        return true;
    }
    if (guard.kind == GUARD_MAY_FAIL) {
        /* Only the answers tell which way it goes. */
        if (!session_drain(session, err)) {
            return false;
        }
        undo = session->guard.failed;
    }
    session->guard.open = false;
    if (session->failed) {
        return true;
    }
    return undo ? guard_undo(session, err) || session_lost(session, err)
                : session_fixed(session, FIXED_GUARD_DONE, err);
}
