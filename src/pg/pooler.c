#include "pg/pooler.h"

#include <stdlib.h>

/* A pooler of sessions may have none for the second connection, and lets it wait. */
enum { ROUNDS = 3, PATIENCE_MS = 3000 };

static bool ask_patience(void *host)
{
    const struct patience *patience = host;
    return interrupt_wanted(patience->user) || clock_ms() >= patience->until_ms;
}

void patience_begin(struct patience *patience, const struct hooks *user, int64_t limit_ms)
{
    *patience = (struct patience){
        .hooks = {.interrupted = ask_patience, .host = patience},
        .user = user,
        .until_ms = clock_ms() + limit_ms,
    };
}

bool pooler_process(struct wire *wire, int *pid, struct error *err)
{
    PGresult *result = wire_query_ok(wire, "SELECT pg_catalog.pg_backend_pid()", NULL, err);
    *pid = result ? (int)strtol(PQgetvalue(result, 0, 0), NULL, 10) : 0;
    PQclear(result);
    return result != NULL;
}

static bool refuse(struct error *err, const char *what)
{
    error_set(err, ERROR_CONNECTION, "the server's pooler gives each %s another session", what);
    return error_hint(err, "connect to the server itself, or to a pooler of sessions: pgfsm keeps "
                           "settings and a transaction in its session");
}

/* What the connections see of each other's sessions, while the other one is in a transaction. */
static bool compare(struct wire *wire, struct wire *other, int pid, struct error *err)
{
    int beside = 0;
    int now = 0;
    if (!wire_do(other, "BEGIN", err)) {
        return err->code == ERROR_INTERRUPTED || refuse(err, "statement");
    }
    if (!pooler_process(other, &beside, err)) {
        return true;
    }
    if (beside != pid && !pooler_process(wire, &now, err)) {
        return false;
    }
    return (beside != pid && now == pid) ? wire_do(other, "ROLLBACK", err)
                                         : refuse(err, "transaction");
}

bool pooler_check(const struct connect_request *request, struct wire *wire, struct error *err)
{
    struct patience patience;
    struct connect_request again = *request;
    struct wire other = {0};
    struct error ignored;
    PGconn *conn = NULL;
    int pid = 0;
    patience_begin(&patience, request->hooks, PATIENCE_MS);
    again.hooks = &patience.hooks;
    again.deadline_ms = 0;
    if (!pooler_process(wire, &pid, err)) {
        return false;
    }
    if (pid == PQbackendPID(wire->conn) || !connect_open(&again, &conn, &ignored)) {
        return true;
    }
    wire_open(&other, conn, &patience.hooks);
    bool alone = true;
    for (int i = 0; i < ROUNDS && alone && !other.lost; i++) {
        alone = compare(wire, &other, pid, err);
    }
    wire_close(&other);
    return alone && (!interrupt_wanted(request->hooks) || error_interrupted(err));
}
