#include "pg/own.h"

#include "pg/pooler.h"

enum { LEAVE_MS = 2000 };

/* A role or a database may have others for every transaction. One that is serializable, read only
 * and deferrable waits until all others have ended: also those that wait for an answer of ours. */
static const char set_own[] = "RESET ROLE; SET search_path = " OWN_PATH
                              "; SET default_transaction_isolation = 'read committed'; "
                              "SET default_transaction_deferrable = off";

bool own_connect(const struct connect_request *request, struct wire *wire, struct error *err)
{
    PGconn *conn = NULL;
    if (!connect_open(request, &conn, err)) {
        return false;
    }
    wire_open(wire, conn, request->hooks);
    if (!wire_do(wire, set_own, err)) {
        wire_close(wire);
        return false;
    }
    return true;
}

bool own_discard(struct wire *wire)
{
    struct error ignored;
    struct patience patience;
    patience_begin(&patience, &no_hooks, LEAVE_MS);
    wire->hooks = &patience.hooks;
    wire->wait = NULL;
    return wire_drain(wire, &ignored) &&
           (PQtransactionStatus(wire->conn) == PQTRANS_IDLE ||
            wire_do(wire, "ROLLBACK", &ignored)) &&
           wire_do(wire, "DISCARD ALL", &ignored);
}

void own_close(struct wire *wire)
{
    if (wire->conn && !wire->lost) {
        (void)own_discard(wire);
    }
    wire_close(wire);
}
