/* A session's memory, before it connects and after it has disconnected. */
#include "pg/session/session.h"

#include <stdlib.h>

static size_t most_values(const struct machine *machine)
{
    size_t most = 1;
    for (size_t i = 0; i < machine->templates.count; i++) {
        size_t count = machine->templates.items[i]->value_count;
        most = count > most ? count : most;
    }
    return most;
}

void session_make(struct session *session, const struct machine *machine)
{
    size_t values = most_values(machine);
    struct pg_backend_options *options = &session->options;
    session->machine = machine;
    if (!options->schema) {
        options->schema = machine->schema.items;
        options->schema_count = machine->schema.count;
    }
    session->in_place =
        options->in_place || (options->schema_count == 0 && !session->target->embedded);
    session->commits = options->commit;
    session->loads = session->in_place && (options->schema_count > 0 || options->apply_count > 0);
    types_init(&session->types);
    types_init(&session->migrating.types);
    session->types.others = &session->migrating.types;
    statements_init(&session->statements, machine, &session->arena);
    contexts_init(&session->contexts, &session->statements, &session->arena);
    session->params.offsets = ARENA_ARRAY(&session->arena, size_t, values);
    session->params.values = ARENA_ARRAY(&session->arena, const char *, values);
    session->params.sizes = ARENA_ARRAY(&session->arena, int, values);
    session->params.formats = ARENA_ARRAY(&session->arena, int, values);
}

void session_free(struct session *session)
{
    flight_free(&session->flight);
    session_forget_tables(session);
    session_forget_referred(session);
    restore_free(session);
    session_free_snapshots(session);
    contexts_free(&session->contexts);
    types_free(&session->types);
    types_free(&session->migrating.types);
    strbuf_free(&session->text);
    strbuf_free(&session->params.bytes);
    strbuf_free(&session->reads.sql);
    strbuf_free(&session->reads.last);
    arena_free(&session->reads.arena);
    strbuf_free(&session->lane.stops);
    for (enum fixed i = 0; i < FIXED_COUNT; i++) {
        strbuf_free(&session->fixed_texts[i]);
    }
    arena_free(&session->arena);
    free(session);
}
