/* Calls on their way: their statements sent, prepared or as text, and guards around them. */
#include "pg/session/session.h"
#include "pg/types/encode.h"

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

/* Encodes the values for the statement's parameters into session->params.values and its siblings.
 */
static bool encode_values(struct session *session, const struct backend_call *call,
                          const uint32_t *params, struct error *err)
{
    static const char no_bytes[] = "";
    const struct sql_template *sql = call->sql;
    size_t slot = 0;
    size_t count = 0;
    strbuf_clear(&session->params.bytes);
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
        session->params.offsets[count] = session->params.bytes.size;
        session->params.values[count] = no_bytes;
        session->params.formats[count] = type->kind == TYPE_BYTES && value.type == VALUE_BYTES;
        if (session->params.formats[count]) {
            /* Bytes are sent as they are. */
            session->params.values[count] = (const char *)value.as.bytes->data;
            session->params.sizes[count] = (int)value.as.bytes->size;
        } else {
            enum encoded encoded =
                encode_value(&session->types, type, value, &session->params.bytes, err);
            if (encoded == ENCODED_FAILED) {
                error_context(err, "parameter :%s", piece->text);
                if (err) {
                    err->pos = snippet_pos(&sql->snippet, piece->offset);
                }
                return false;
            }
            session->params.values[count] = encoded == ENCODED_NULL ? NULL : no_bytes;
            strbuf_addc(&session->params.bytes, '\0');
        }
        count++;
    }
    for (size_t i = 0; i < count; i++) {
        if (session->params.values[i] == no_bytes) {
            session->params.values[i] = session->params.bytes.data + session->params.offsets[i];
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
        .values = session->params.values,
        .sizes = session->params.sizes,
        .formats = session->params.formats,
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
    if (gated_is(session, sql)) {
        gated_text(&session->text);
    }
    if (sql->value_count > 0) {
        return send_parsed(queueing, err);
    }
    mark_sent(queueing, false);
    return wire_run(&session->wire, strbuf_text(&session->text), NULL, slot_call(queueing), err);
}

/* A statement that runs outside of a transaction is prepared in one. The context of that
 * transaction ends with it. */
static bool prepare_outside(const struct queueing *queueing, struct error *err)
{
    struct session *session = queueing->session;
    session->outside = false;
    bool done = session_own(session, "BEGIN READ WRITE", err) &&
                session_context(session, queueing->call->context, err) &&
                session_prepare_one(session, queueing->statement, err) &&
                session_own(session, "COMMIT", err) && wire_drain(&session->wire, err);
    session->outside = true;
    session->contexts.doubtful = true;
    return done;
}

static bool send_call(const struct queueing *queueing, struct error *err)
{
    struct session *session = queueing->session;
    struct statement *statement = queueing->statement;
    if (session->outside && statement->state == STATEMENT_NEW && !prepare_outside(queueing, err)) {
        return false;
    }
    if (!session_context(session, queueing->call->context, err)) {
        return false;
    }
    if (statement->state == STATEMENT_NEW && !session_prepare_one(session, statement, err)) {
        return false;
    }
    if (session->outside && !wire_drain(&session->wire, err)) {
        return false;
    }
    if (statement->state == STATEMENT_NEW || (session->outside && session->failed)) {
        /* The transaction turned out to have failed, or the context could not be set. */
        slot_of(queueing)->state = SLOT_SKIPPED;
        return true;
    }
    bool by_name = statement->state == STATEMENT_PREPARED && !session->deallocated &&
                   !gated_is(session, statement->sql);
    bool sent = by_name ? send_prepared(queueing, err) : send_volatile(queueing, err);
    if (sent && session->prepare.changes[statement->sql->id]) {
        session->schema = schema_after(session->schema, statement->sql, &session->text);
    }
    return sent;
}

bool session_queue(struct backend *backend, const struct backend_call *call, backend_ticket *ticket,
                   struct error *err)
{
    struct session *session = session_of(backend);
    struct actor actor = {0};
    if (call->context) {
        actor = (struct actor){.session_user = call->context->session_user,
                               .role = call->context->role};
    }
    size_t index = statements_actor(&session->statements, &actor);
    session->calls++;
    session->statements.actors.items[index].ran = true;
    struct slot *slot = flight_add(&session->flight, ticket);
    struct queueing queueing = {
        .session = session,
        .call = call,
        .statement = statements_get(&session->statements, call->sql, index),
        .ticket = *ticket,
    };
    queueing.statement = call->prepared ? statements_hold(&session->statements, queueing.statement,
                                                          session->schema, &slot->outlives)
                                        : statements_in_schema(&session->statements,
                                                               queueing.statement, session->schema);
    slot->statement = queueing.statement;
    slot->guard = session->guard.open ? session->guard.number : 0;
    if (session->failed ||
        (session->guard.open && session->guard.outside && session->guard.failed)) {
        slot->state = SLOT_SKIPPED;
        return true;
    }
    if (call->begins) {
        contexts_doubt(&session->contexts);
    }
    return send_call(&queueing, err);
}

bool session_guard_begin(struct backend *backend, enum backend_guard guard, struct error *err)
{
    struct session *session = session_of(backend);
    session->guard =
        (struct guard){.open = true, .number = session->guard.number + 1, .kind = guard};
    snapshot_take(session, &session->at_guard);
    return session->failed || session_fixed(session, FIXED_GUARD, err);
}

/* Rolls back to the guard's savepoint, as something in the guard may have failed. */
static bool guard_undo(struct session *session, struct error *err)
{
    snapshot_restore(session, &session->at_guard);
    return wire_sync(&session->wire, err) && session_fixed(session, FIXED_GUARD_BACK, err) &&
           session_fixed(session, FIXED_GUARD_DONE, err);
}

void session_guard_undo(struct backend *backend) { session_of(backend)->guard.failed = true; }

bool session_guard_end(struct backend *backend, struct error *err)
{
    struct session *session = session_of(backend);
    struct guard guard = session->guard;
    bool undo = guard.kind == GUARD_MUST_FAIL;
    if (session->failed) {
        session->guard.open = false;
        return true;
    }
    if (guard.kind == GUARD_MAY_FAIL) {
        /* Only the answers tell which way it goes. */
        if (!wire_drain(&session->wire, err)) {
            return false;
        }
        undo = session->guard.failed;
    }
    session->guard.open = false;
    session->calls++;
    if (session->failed) {
        return true;
    }
    return undo ? guard_undo(session, err) : session_fixed(session, FIXED_GUARD_DONE, err);
}
