/*
 * A statement that waits for itself: by dblink or a foreign table it has another session wait for a
 * lock of this one. The server sees no deadlock there, and statement_timeout ends no call of dblink
 * before PostgreSQL 17. In a scratch database the other session is cancelled; one of a database
 * that was named may be anybody's, so the user is told.
 *
 * The session's hooks are in place of the user's: they pass each question on, and look when no
 * answer has come for long.
 */
#include "pg/session/session.h"

#include <stdio.h>

enum { PATIENCE_MS = 5000, GRACE_MS = 1000 };

static const char query_waiting[] =
    "SELECT a.pid, pg_catalog.regexp_replace(pg_catalog.left(a.query, 80), "
    "'[[:cntrl:]]+', ' ', 'g'), "
    "CASE WHEN $3 THEN pg_catalog.pg_cancel_backend(a.pid) END "
    "FROM pg_catalog.pg_stat_activity AS a WHERE a.datname = $1 AND a.wait_event_type = 'Lock' "
    "AND $2::pg_catalog.int4 = ANY (pg_catalog.pg_blocking_pids(a.pid)) LIMIT 1";

static void tell(struct session *session, const PGresult *waiting)
{
    const char *pid = PQgetvalue(waiting, 0, 0);
    const char *sql = PQgetvalue(waiting, 0, 1);
    if (session->scratch.target) {
        session->stuck.said =
            arena_printf(&session->arena,
                         "a statement waited for itself, as with dblink: another session, which "
                         "waited for a lock of the example, was cancelled: %s",
                         sql);
        return;
    }
    session->stuck.said = "";
    note_line(&session->target->hooks,
              arena_printf(&session->arena,
                           "no answer comes, and process %s waits for a lock of the example: %s; "
                           "if the example waits for that, as with dblink, end it: SELECT "
                           "pg_cancel_backend(%s)",
                           pid, sql, pid));
}

static void look(struct session *session)
{
    struct error ignored;
    PGconn *conn = NULL;
    struct wire wire;
    char pid[16];
    struct connect_request request = target_request(session->target, NULL, "pgfsm");
    request.hooks = &no_hooks;
    if (!connect_open(&request, &conn, &ignored)) {
        return;
    }
    wire_open(&wire, conn, &no_hooks);
    (void)snprintf(pid, sizeof pid, "%d", PQbackendPID(session->wire.conn));
    const char *values[] = {PQdb(session->wire.conn), pid, session->scratch.target ? "t" : "f"};
    const struct wire_params params = {.count = 3, .values = values};
    PGresult *waiting = wire_query_ok(&wire, query_waiting, &params, &ignored);
    if (PQntuples(waiting) > 0 && !session->stuck.said) {
        tell(session, waiting);
    }
    PQclear(waiting);
    wire_close(&wire);
}

static bool ask(void *host)
{
    struct session *session = host;
    struct stuck *stuck = &session->stuck;
    int64_t limit = session->options.statement_timeout_ms;
    int64_t now = clock_ms();
    uint64_t progress = session->wire.sent + session->wire.received;
    if (progress != stuck->progress) {
        stuck->progress = progress;
        stuck->since_ms = now;
    } else if (now - stuck->since_ms > GRACE_MS + (limit > 0 ? limit : PATIENCE_MS)) {
        look(session);
        stuck->since_ms = clock_ms();
    }
    return interrupt_wanted(&session->target->hooks);
}

const struct hooks *session_hooks(struct session *session)
{
    session->stuck = (struct stuck){
        .hooks = {.interrupted = ask, .host = session},
        .since_ms = clock_ms(),
        .said = session->stuck.said,
    };
    return &session->stuck.hooks;
}

void session_tell_stuck(const struct session *session)
{
    const char *said = session->stuck.said;
    if (said && *said) {
        note_line(&session->target->hooks, said);
    }
}
