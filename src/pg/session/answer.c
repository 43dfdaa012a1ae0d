#include "pg/session/session.h"

#include "base/utf8.h"
#include "example/failure/race.h"

#include <stdlib.h>
#include <string.h>

enum { FIELD_MAX = 1 << 16 }; /* bytes of an error's message, detail, … */

static const char *field(const PGresult *result, int code, struct arena *arena)
{
    const char *text = PQresultErrorField(result, code);
    size_t size = text ? strlen(text) : 0;
    if (size > FIELD_MAX) {
        return arena_printf(arena, "%.*s… (%zu bytes in all)", (int)utf8_cut(text, FIELD_MAX), text,
                            size);
    }
    return text ? arena_strdup(arena, text) : NULL;
}

static bool is_text(const char *text, const char *wanted)
{
    return text && strcmp(text, wanted) == 0;
}

/* The user's SQL can raise the same SQLSTATE, catch the server's error and raise it again, and
 * cancel itself with pg_cancel_backend: only the message tells these from a limit of ours. */
static bool is_cancelled(const struct session *session, const PGresult *result)
{
    const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    return is_text(PQresultErrorField(result, PG_DIAG_SQLSTATE), QUERY_CANCELED) &&
           (session->stuck.cancelled ||
            is_text(message, "canceling statement due to statement timeout") ||
            (wire_cancelled(result) &&
             !is_text(message, "canceling statement due to user request")));
}

void result_error(const struct session *session, const PGresult *result, struct arena *arena,
                  struct server_error *out)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    *out = (struct server_error){
        .severity = field(result, PG_DIAG_SEVERITY_NONLOCALIZED, arena),
        .message = field(result, PG_DIAG_MESSAGE_PRIMARY, arena),
        .detail = field(result, PG_DIAG_MESSAGE_DETAIL, arena),
        .hint = field(result, PG_DIAG_MESSAGE_HINT, arena),
        .context = field(result, PG_DIAG_CONTEXT, arena),
        .schema = field(result, PG_DIAG_SCHEMA_NAME, arena),
        .table = field(result, PG_DIAG_TABLE_NAME, arena),
        .column = field(result, PG_DIAG_COLUMN_NAME, arena),
        .constraint = field(result, PG_DIAG_CONSTRAINT_NAME, arena),
        .datatype = field(result, PG_DIAG_DATATYPE_NAME, arena),
        .lacking = wire_lacks(result),
        .cancelled = is_cancelled(session, result),
    };
    if (out->cancelled && session->stuck.cancelled) {
        out->message = session->stuck.cancelled;
    }
    if (!out->message) {
        out->message = "the server gave no reason";
    }
    if (state) {
        memcpy(out->sqlstate, state, strnlen(state, sizeof out->sqlstate - 1) + 1);
    }
    out->column_made = session_column_is_new(session, out);
}

/* A lane may have been opened after the migration: its session was there before. */
static bool was_taken(const struct session *session, const struct statement *statement)
{
    const struct session *of = session->lane.of ? session->lane.of : session;
    const struct actor *actor = &session->statements.actors.items[statement->actor];
    return statements_taken(&of->statements, statement->sql, actor);
}

static void read_error(const struct session *session, const struct slot *slot, struct arena *arena,
                       struct server_error *out)
{
    const char *position = PQresultErrorField(slot->result, PG_DIAG_STATEMENT_POSITION);
    result_error(session, slot->result, arena, out);
    out->fitted = slot->statement && was_taken(session, slot->statement);
    out->outlived = slot->outlives && session_is_stale(slot->result);
    if (position && slot->statement) {
        out->position = statement_position(slot->statement->sql, atoi(position), slot->widths);
    }
}

struct answer_column result_column(const struct session *session, const PGresult *result,
                                   int column, struct arena *arena)
{
    const struct type *type = types_get(&session->types, PQftype(result, column));
    return (struct answer_column){
        .name = arena_strdup(arena, PQfname(result, column)),
        .type = PQftype(result, column),
        .type_name = type->name,
        .modifier = PQfmod(result, column),
        .origin = session_origin(session, PQftable(result, column), PQftablecol(result, column)),
        .class = type_class(type),
        .plain = type_is_plain(&session->types, type),
    };
}

static const struct answer_column *read_columns(const struct session *session,
                                                const PGresult *result, struct arena *arena)
{
    size_t count = (size_t)PQnfields(result);
    struct answer_column *columns = ARENA_ARRAY(arena, struct answer_column, count);
    for (size_t i = 0; i < count; i++) {
        columns[i] = result_column(session, result, (int)i, arena);
    }
    return columns;
}

bool result_row(const struct decoder *decoder, const PGresult *result, int row, struct value *items,
                struct error *err)
{
    int count = PQnfields(result);
    for (int i = 0; i < count; i++) {
        const struct type *type = types_get(decoder->types, PQftype(result, i));
        if (PQgetisnull(result, row, i)) {
            items[i] = value_none();
        } else if (!decode_value(decoder, type, PQgetvalue(result, row, i),
                                 (size_t)PQgetlength(result, row, i), &items[i], err)) {
            return error_context(err, "column %s", PQfname(result, i));
        }
    }
    return true;
}

static bool read_rows(const struct session *session, const PGresult *result, struct arena *arena,
                      struct answer *out, struct error *err)
{
    const struct decoder decoder = {
        .types = &session->types,
        .arena = arena,
    };
    size_t columns = out->column_count;
    const char **names = ARENA_ARRAY(arena, const char *, columns);
    struct value *rows = ARENA_ARRAY(arena, struct value, out->row_count);
    struct value *items = ARENA_ARRAY(arena, struct value, columns);
    for (size_t i = 0; i < columns; i++) {
        names[i] = out->columns[i].name;
    }
    for (size_t i = 0; i < out->row_count; i++) {
        if (!result_row(&decoder, result, (int)i, items, err)) {
            return false;
        }
        rows[i] = value_row(arena, items, names, columns);
    }
    out->rows = rows;
    return true;
}

static bool read_result(struct session *session, PGresult *result, struct arena *arena,
                        struct answer *out, struct error *err)
{
    const char *tuples = PQcmdTuples(result);
    out->command = arena_strdup(arena, PQcmdStatus(result));
    out->count = *tuples ? strtoll(tuples, NULL, 10) : -1;
    out->column_count = (size_t)PQnfields(result);
    out->row_count = (size_t)PQntuples(result);
    if (!session_learn_types(session, result, err)) {
        return false;
    }
    out->columns = read_columns(session, result, arena);
    return read_rows(session, result, arena, out, err);
}

static void read_notes(const struct session *session, const struct slot *slot, struct arena *arena,
                       struct answer *out)
{
    struct notification *notes = ARENA_ARRAY(arena, struct notification, slot->note_count);
    for (size_t i = 0; i < slot->note_count; i++) {
        notes[i] = (struct notification){arena_strdup(arena, slot->notes[i]->relname),
                                         arena_strdup(arena, slot->notes[i]->extra)};
    }
    out->listens = session->machine->channels.count > 0;
    out->notifications = notes;
    out->notification_count = slot->note_count;
}

static bool read_slot(struct session *session, backend_ticket ticket, struct arena *arena,
                      struct answer *out, struct error *err)
{
    const struct slot *slot = flight_slot(&session->flight, ticket);
    *out = (struct answer){.status = ANSWER_OK, .count = -1, .time_us = slot->time_us};
    if (!slot->statement && slot->guard != READING_GUARD) {
        read_notes(session, slot, arena, out);
    }
    switch (slot->state) {
    case SLOT_STALE:
        out->status = ANSWER_STALE;
        return true;
    case SLOT_SKIPPED:
        out->status = session->stale ? ANSWER_STALE : ANSWER_SKIPPED;
        return true;
    case SLOT_TOO_LONG:
        return wire_too_long(err);
    case SLOT_RESULT:
        if (wire_is_error(slot->result)) {
            out->status = ANSWER_ERROR;
            read_error(session, slot, arena, &out->error);
            return true;
        }
        return read_result(session, slot->result, arena, out, err);
    case SLOT_NOTHING:
    case SLOT_WAITING:
    case SLOT_TAKEN:
        break;
    }
    out->command = "";
    return true;
}

bool session_take(struct backend *backend, backend_ticket ticket, struct arena *arena,
                  struct answer *out, struct error *err)
{
    struct session *session = session_of(backend);
    const struct slot *slot = flight_slot(&session->flight, ticket);
    if (!slot) {
        return error_set(err, ERROR_USAGE, "an answer was read twice");
    }
    if ((slot->state == SLOT_WAITING || session->wire.interrupted) &&
        !wire_wait(&session->wire, slot->item, err) && slot->state != SLOT_TOO_LONG) {
        return false;
    }
    if (session->broken.known && ticket >= session->broken.at) {
        *err = session->broken.error;
        return false;
    }
    if (slot->state == SLOT_STALE && slot->reading && !session_read_again(session, ticket, err)) {
        return false;
    }
    bool read = read_slot(session, ticket, arena, out, err);
    flight_take(&session->flight, ticket);
    return read;
}

bool session_ready(struct backend *backend, backend_ticket ticket)
{
    struct session *session = session_of(backend);
    const struct slot *slot = flight_slot(&session->flight, ticket);
    struct error ignored;
    if (slot && slot->state == SLOT_WAITING) {
        /* That the connection is gone shows when the answer is taken. */
        (void)wire_poll(&session->wire, &ignored);
    }
    return !slot || slot->state != SLOT_WAITING;
}
