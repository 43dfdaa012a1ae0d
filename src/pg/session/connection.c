/* The connection of a session, and what is to be done on a new one before its transaction begins.
 */
#include "pg/own.h"
#include "pg/pooler.h"
#include "pg/session/session.h"

#define APPLICATION "pgfsm"

static bool open_wire(struct session *session, struct error *err)
{
    PGconn *conn = NULL;
    struct connect_request request = target_request(
        session->target, session->scratch.target ? session->scratch.name : NULL, APPLICATION);
    request.options = session->connection.options;
    if (!connect_open(&request, &conn, err)) {
        return target_explain(session->target, err);
    }
    wire_open(&session->wire, conn, session_hooks(session));
    session->wire.explain = session_explain_loss;
    session->wire.owner = session;
    return true;
}

bool connect_beside(const struct scratch *scratch, struct wire *wire, struct error *err)
{
    struct connect_request request = target_request(scratch->target, scratch->name, APPLICATION);
    return own_connect(&request, wire, err) || target_explain(scratch->target, err);
}

/* A custom setting is NULL in a new session and '' for ever after it was set once, even where that
 * was rolled back: so '' from the start, unless the database or the role has a value for it. */
static bool make_settings(struct session *session, struct error *err)
{
    bool made = true;
    static const char query_make[] =
        "SELECT pg_catalog.set_config($1, COALESCE(pg_catalog.current_setting($1, true), ''), "
        "false)";
    for (size_t i = 0; i < session->contexts.names.count && made; i++) {
        const struct context_name *name = &session->contexts.names.items[i];
        const struct wire_params params = {.count = 1, .values = &name->name};
        PGresult *result =
            name->custom ? wire_query_ok(&session->wire, query_make, &params, err) : NULL;
        made = !name->custom || result;
        PQclear(result);
    }
    return made;
}

/* A pooler, or a server with a single session, may keep what whoever was there before has left in
 * it, and need not take what a client asks for as it connects. */
static bool tidy_kept(struct session *session, struct error *err)
{
    return session->target->embedded ||
           (wire_do(&session->wire, "DISCARD ALL", err) &&
            wire_do(&session->wire, "SET client_encoding = 'UTF8'", err));
}

bool session_connect(struct session *session, struct error *err)
{
    if (!open_wire(session, err) || !tidy_kept(session, err) ||
        !pooler_process(&session->wire, &session->connection.process, err) ||
        (!session->user && !session_value(session, "SELECT session_user", NULL, &session->arena,
                                          &session->user, err))) {
        return false;
    }
    session->contexts.user = session->user;
    session->looked = false;
    return make_settings(session, err);
}

bool session_is_pooled(const struct session *session)
{
    return PQbackendPID(session->wire.conn) != session->connection.process;
}

/* Its own; to confirm a failure; to restore, with a new copy; for lanes, with their controller. */
static size_t connections_needed(const struct session *session)
{
    size_t restoring = session->commits ? 2 : 0;
    size_t lanes = session->options.lanes;
    return (session->wire.conn ? 1 : 2) + restoring + (lanes ? lanes + 1 : 0);
}

bool session_reserve(struct session *session, size_t others, size_t *missing, struct error *err)
{
    const struct pg_target *target = session->target;
    const struct connect_request request =
        target_request(target, target->embedded ? SERVER_DATABASE : NULL, APPLICATION);
    *missing = connections_needed(session) + others - session->connection.reserved.count;
    for (; *missing > 0; (*missing)--) {
        PGconn *conn = NULL;
        if (!connect_open(&request, &conn, err)) {
            return false;
        }
        *VEC_PUSH(&session->arena, &session->connection.reserved) = conn;
    }
    return true;
}

bool pg_backend_reserve(struct backend *backend, struct error *err)
{
    size_t missing;
    return session_reserve(session_of(backend), 0, &missing, err);
}

void pg_backend_unreserve(struct backend *backend)
{
    struct session *session = session_of(backend);
    while (session->connection.reserved.count > 0) {
        PQfinish(session->connection.reserved.items[--session->connection.reserved.count]);
    }
}

/* Another connection to it. */
static bool discard_anew(const struct session *session)
{
    struct error ignored;
    struct wire wire;
    PGconn *conn = NULL;
    struct connect_request request = target_request(session->target, NULL, APPLICATION);
    request.hooks = &no_hooks;
    if (!connect_open(&request, &conn, &ignored)) {
        return false;
    }
    wire_open(&wire, conn, &no_hooks);
    bool done = own_discard(&wire);
    wire_close(&wire);
    return done;
}

/* A session that outlives its connection is that of whoever comes next: also where the connection
 * is of no use any more. */
void session_disconnect(struct session *session)
{
    struct wire *wire = &session->wire;
    bool stays = wire->conn && !session->target->embedded && !session->scratch.target;
    bool done = !stays || own_discard(wire);
    if (!done) {
        connect_close(wire->conn);
        wire->conn = NULL;
    }
    wire_close(wire);
    if (!done && session->connection.process == session->target->process) {
        (void)discard_anew(session);
    }
}
