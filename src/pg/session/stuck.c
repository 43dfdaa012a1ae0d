/*
 * A statement that waits for itself: by dblink or a foreign table it has another session wait for a
 * lock of this one. The server sees no deadlock there, and statement_timeout ends no call of dblink
 * before PostgreSQL 17. In a scratch database the other session is cancelled; one of a database
 * that was named may be anybody's, so the user is told.
 *
 * The session's hooks are in place of the user's: they pass each question on, and look when no
 * answer has come for long. Where the server's clock is simulated, none of its time limits ends a
 * statement: they do.
 */
#include "pg/own.h"
#include "pg/session/session.h"

#include <stdio.h>

enum { PATIENCE_MS = 5000, GRACE_MS = 1000, SLEEP_MS = 200 };

static const char query_waiting[] =
    "SELECT a.pid, pg_catalog.regexp_replace(pg_catalog.left(a.query, 80), "
    "'[[:cntrl:]]+', ' ', 'g'), "
    "CASE WHEN $3 THEN pg_catalog.pg_cancel_backend(a.pid) END "
    "FROM pg_catalog.pg_stat_activity AS a WHERE a.datname = $2 AND a.wait_event_type = 'Lock' "
    "AND $1::pg_catalog.int4 = ANY (pg_catalog.pg_blocking_pids(a.pid)) LIMIT 1";

static const char query_sleeping[] =
    "SELECT FROM pg_catalog.pg_stat_activity AS a "
    "WHERE a.pid = $1::pg_catalog.int4 AND a.wait_event = 'PgSleep'";

static void tell_sleeper(struct session *session, const PGresult *waiting)
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

/* Asks another connection about this one. The result has rows, or is NULL. */
static PGresult *ask_beside(struct session *session, const char *sql, int count)
{
    struct error ignored;
    struct wire wire;
    char pid[16];
    struct connect_request request = target_request(session->target, NULL, "pgfsm");
    request.hooks = &no_hooks;
    if (!own_connect(&request, &wire, &ignored)) {
        return NULL;
    }
    (void)snprintf(pid, sizeof pid, "%d", session->connection.process);
    const char *values[] = {pid, PQdb(session->wire.conn), session->scratch.target ? "t" : "f"};
    const struct wire_params params = {.count = count, .values = values};
    PGresult *result = wire_query_ok(&wire, sql, &params, &ignored);
    own_close(&wire);
    if (PQntuples(result) == 0) {
        PQclear(result);
        return NULL;
    }
    return result;
}

static void look_for_sleeper(struct session *session)
{
    PGresult *waiting = ask_beside(session, query_waiting, 3);
    if (waiting && !session->stuck.said) {
        tell_sleeper(session, waiting);
    }
    PQclear(waiting);
}

static bool sleeps(struct session *session)
{
    PGresult *sleeping = ask_beside(session, query_sleeping, 1);
    PQclear(sleeping);
    return sleeping != NULL;
}

/* No time limit of a server whose clock stands still ends anything, and pg_sleep never does: what
 * runs for too long is cancelled, and what sleeps at once. */
static void cancel_session(struct session *session, const char *why)
{
    char ignored[256];
    PGcancel *request = PQgetCancel(session->wire.conn);
    session->stuck.cancelled = why;
    session->stuck.cancels = false;
    if (request) {
        (void)PQcancel(request, ignored, sizeof ignored);
    }
    PQfreeCancel(request);
}

/* A busy machine may look for the first time when the time is up. */
static void end_late(struct session *session, int64_t waited_ms, int64_t limit_ms)
{
    struct stuck *stuck = &session->stuck;
    bool late = limit_ms > 0 && waited_ms > limit_ms;
    if (!late && waited_ms <= stuck->looked_ms + SLEEP_MS) {
        return;
    }
    stuck->looked_ms = waited_ms;
    if (sleeps(session)) {
        cancel_session(
            session,
            "pg_sleep never ends, as the clock stands still: a rule moves it with `advance`");
    } else if (late) {
        cancel_session(session, "canceling statement due to statement timeout");
    }
}

static bool ask_stuck(void *host)
{
    struct session *session = host;
    struct stuck *stuck = &session->stuck;
    int64_t limit = session->options.statement_timeout_ms;
    int64_t now = clock_ms();
    uint64_t progress = session->wire.sent + session->wire.received;
    if (progress != stuck->progress) {
        stuck->progress = progress;
        stuck->since_ms = now;
        stuck->looked_ms = 0;
        stuck->cancels = session->options.clock_us != NULL;
    } else if (stuck->cancels) {
        end_late(session, now - stuck->since_ms, limit);
    } else if (now - stuck->since_ms > GRACE_MS + (limit > 0 ? limit : PATIENCE_MS)) {
        look_for_sleeper(session);
        stuck->since_ms = clock_ms();
    }
    return interrupt_wanted(&session->target->hooks);
}

const struct hooks *session_hooks(struct session *session)
{
    session->stuck = (struct stuck){
        .hooks = {.interrupted = ask_stuck, .host = session},
        .since_ms = clock_ms(),
        .cancels = session->options.clock_us != NULL,
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
