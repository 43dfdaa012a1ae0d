/* Clients that die. Either the connection is closed between two statements, or the server ends the
 * session itself, inside a statement, at a gate (sql/gates.sql). */
#include "pg/session/queries.h"
#include "pg/session/session.h"

#include <stdio.h>
#include <stdlib.h>

bool death_possible(const struct session *session, struct error *err)
{
    if (!session_is_pooled(session)) {
        return true;
    }
    error_set(err, ERROR_USAGE,
              "a pooler keeps the server's session when its client dies, so nothing would end");
    return error_hint(err, "connect to the server itself, or leave out --crash and `crash`");
}

bool death_settle(struct session *session, struct error *err)
{
    session->dying.lost = session->dying.gate > 0 && session->wire.lost;
    return session->dying.lost || (wire_drain(&session->wire, err) && death_possible(session, err));
}

/* Without gates the step goes on to its end. */
bool death_at(struct backend *backend, uint32_t gate, struct error *err)
{
    struct session *session = session_of(backend);
    (void)err;
    session->dying = (struct dying){.gate = session->lane.gates ? gate : 0};
    return true;
}

bool death_take(struct backend *backend, backend_ticket ticket, struct arena *arena,
                struct answer *out, struct error *err)
{
    struct session *session = session_of(backend);
    bool taken = session_take(backend, ticket, arena, out, err);
    if (session->dying.gate == 0 || !session->wire.lost || (taken && out->status != ANSWER_ERROR)) {
        return taken;
    }
    *out = (struct answer){.status = ANSWER_SKIPPED, .count = -1};
    return true;
}

bool death_tell(struct session *session, struct error *err)
{
    char sql[96];
    if (session->dying.gate == 0 || session->dying.told) {
        return true;
    }
    session->dying.told = true;
    (void)snprintf(sql, sizeof sql, "SELECT pg_catalog.setval('pg_pgfsm.pgfsm_died_%zu', 0, false)",
                   session->lane.number);
    if (!session_own(session, sql, err)) {
        return false;
    }
    (void)snprintf(sql, sizeof sql, "SET pgfsm.lane = %zu", session->lane.number);
    if (!session->lane.of && !session_own(session, sql, err)) {
        return false;
    }
    (void)snprintf(sql, sizeof sql, "SET pgfsm.dies = '{%u,0,0}'", session->dying.gate);
    return session_own(session, sql, err) && wire_sync(&session->wire, err);
}

bool death_was_at(struct backend *backend, struct backend_death *out, struct error *err)
{
    struct session *session = session_of(backend);
    const struct dying dying = session->dying;
    char sql[96];
    *out = (struct backend_death){0};
    session->dying = (struct dying){0};
    if (dying.gate == 0) {
        return true;
    }
    (void)snprintf(sql, sizeof sql,
                   "SELECT pg_catalog.pg_sequence_last_value('pg_pgfsm.pgfsm_died_%zu')",
                   session->lane.number);
    PGresult *result = wire_query_ok(&session->wire, sql, NULL, err);
    if (result && !PQgetisnull(result, 0, 0)) {
        out->within = true;
        out->commits = (uint32_t)strtoul(PQgetvalue(result, 0, 0), NULL, 10);
    }
    PQclear(result);
    return result && (!dying.lost || out->within ||
                      error_set(err, ERROR_CONNECTION, "the server closed the connection"));
}
