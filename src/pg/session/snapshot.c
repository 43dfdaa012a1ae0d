#include "pg/session/session.h"

#include "base/hash.h"

#include <assert.h>

static void text_copy(struct strbuf *to, const struct strbuf *from)
{
    strbuf_clear(to);
    strbuf_add(to, strbuf_text(from), from->size);
}

void deferral_copy(struct deferral *to, const struct deferral *from)
{
    struct strbuf restore = to->restore;
    text_copy(&restore, &from->restore);
    *to = *from;
    to->restore = restore;
}

void snapshot_take(const struct session *session, struct snapshot *out)
{
    out->schema = session->schema;
    out->held = session->statements.held.count;
    text_copy(&out->context, &session->contexts.current);
    deferral_copy(&out->deferral, &session->deferral);
}

void snapshot_restore(struct session *session, const struct snapshot *from)
{
    session->schema = from->schema;
    session->statements.held.count = from->held;
    text_copy(&session->contexts.current, &from->context);
    deferral_copy(&session->deferral, &from->deferral);
}

/* A type that was altered has the same OID before and after. */
static void exchange_types(struct session *session)
{
    struct types types = session->types;
    session->types = session->migrating.types;
    session->migrating.types = types;
    session->types.others = &session->migrating.types;
    session->migrating.types.others = NULL;
}

void session_note_migrated(struct session *session)
{
    assert(!session->migrating.done);
    static const char word[] = "migrated";
    session->schema = hash_bytes(hash_mix(session->schema), word, sizeof word);
    session->migrating.done = true;
    session->calls++;
    exchange_types(session);
}

void session_unmigrate(struct session *session)
{
    if (session->migrating.done) {
        exchange_types(session);
    }
    session->migrating.done = false;
}

static void snapshot_free(struct snapshot *snapshot)
{
    strbuf_free(&snapshot->context);
    strbuf_free(&snapshot->deferral.restore);
}

void session_free_snapshots(struct session *session)
{
    for (size_t i = 0; i < session->checkpoints.kept.count; i++) {
        snapshot_free(&session->checkpoints.kept.items[i].snapshot);
    }
    for (size_t i = 0; i < session->deferrals.count; i++) {
        strbuf_free(&session->deferrals.items[i].restore);
    }
    strbuf_free(&session->deferral.restore);
    snapshot_free(&session->at_mark);
    snapshot_free(&session->at_guard);
}
