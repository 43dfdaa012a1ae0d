/*
 * SQL of our own. Whoever may create objects in a database can put an operator or a function there
 * that fits our operands better than pg_catalog's, or a type or a relation of the same name, and
 * would have it called by whoever runs pgfsm. So our SQL must find nothing outside of pg_catalog:
 *
 * - connections for our own SQL set search_path (own_connect);
 * - a session that runs SQL under test, whose search_path must stay, has it changed for as long as
 *   a query of ours is parsed (session/own.c);
 * - what is sent with every step or example names its operators: OPERATOR(pg_catalog.=).
 *
 * pg_temp stands last: where it is not named, the server looks there first for relations and types.
 */
#ifndef PG_OWN_H
#define PG_OWN_H

#include "pg/connect.h"
#include "pg/session/wire.h"

#define OWN_PATH "pg_catalog, pg_temp"

/* Connects for SQL of our own; the wire's hooks are the request's. */
bool own_connect(const struct connect_request *request, struct wire *wire, struct error *err);
/* Closes such a connection. A session that outlives it, behind a pooler or in PGlite, is left as if
 * it were new. `{0}` is allowed. */
void own_close(struct wire *wire);

/* Rolls back and discards what the session holds, for whoever comes next. Waits for two seconds at
 * most, whatever the user does. False: it could not. */
bool own_discard(struct wire *wire);

#endif
