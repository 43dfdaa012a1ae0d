#include "pg/own.h"

bool own_connect(const struct connect_request *request, struct wire *wire, struct error *err)
{
    PGconn *conn = NULL;
    if (!connect_open(request, &conn, err)) {
        return false;
    }
    wire_open(wire, conn, request->hooks);
    if (!wire_do(wire, "SET search_path = " OWN_PATH, err)) {
        wire_close(wire);
        return false;
    }
    return true;
}
