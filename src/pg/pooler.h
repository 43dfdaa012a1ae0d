/*
 * Poolers: whether a connection has a session to itself.
 *
 * pgfsm keeps settings, prepared statements and a transaction in its session. A pooler that gives
 * each transaction, or each statement, whichever session is free would spread them over the
 * sessions of others. No pooler says how it pools, so two connections find out: two that are open
 * at the same time never share a session of their own, and none changes it.
 */
#ifndef PG_POOLER_H
#define PG_POOLER_H

#include "pg/connect.h"
#include "pg/session/wire.h"

/* The user's hooks, with an end: what waits for longer is interrupted. */
struct patience {
    struct hooks hooks;
    const struct hooks *user;
    int64_t until_ms;
};
void patience_begin(struct patience *patience, const struct hooks *user, int64_t limit_ms);

/* Checks that a connection, which `request` opened, has a session to itself. Opens another one to
 * find out. False: ERROR_CONNECTION with a hint, or the connection was lost. */
bool pooler_check(const struct connect_request *request, struct wire *wire, struct error *err);

/* The process of the server that answers now; PQbackendPID gives a pooler's own number. */
bool pooler_process(struct wire *wire, int *pid, struct error *err);

#endif
