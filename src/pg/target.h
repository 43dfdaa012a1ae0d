/* A target from the inside; pg.h says what it is. Constant once open, so backends may share it. */
#ifndef PG_TARGET_H
#define PG_TARGET_H

#include "pg/connect.h"
#include "pg/pg.h"
#include "pg/server/server.h"

struct pg_target {
    struct arena arena;
    struct hooks hooks;
    const char *bindir;     /* as the user gave it, or the embedded server's; NULL: none */
    struct address address; /* complete */
    const char *dbname;     /* that was named */
    int version;            /* of the server, as PQserverVersion gives it */
    int lock_wait_ms;       /* how long a statement of an SQL file waits for a lock */
    bool embedded;
    struct server server; /* if embedded */
    const char *description;
};

/* A request for a connection to a database of the target (NULL: the named one); for connect_open,
 * to be changed at will. */
struct connect_request target_request(const struct pg_target *target, const char *dbname,
                                      const char *application);
/* Where err is a lost connection to an embedded server: adds what the server's log says. Returns
 * false. */
bool target_explain(const struct pg_target *target, struct error *err);

#endif
