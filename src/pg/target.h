/* A target from the inside; pg.h says what it is. Constant once open, so backends may share it. */
#ifndef PG_TARGET_H
#define PG_TARGET_H

#include "pg/connect.h"
#include "pg/pg.h"
#include "pg/server/server.h"

struct pg_target {
    struct arena arena;
    struct hooks hooks;
    const char *bindir;     /* as the user gave it, or the embedded server's; or NULL */
    struct address address; /* complete */
    const char *dbname;     /* that was named */
    int version;            /* of the server, as PQserverVersion gives it */
    int process;            /* of the first connection to a named server */
    int lock_wait_ms;       /* how long a statement of an SQL file waits for a lock */
    bool embedded;
    bool lazy;            /* of the options */
    struct cache cache;   /* if embedded: of its programs; {0} with --no-cache */
    struct server server; /* if embedded and started: its log is set */
    size_t users;         /* backends that are open, clones left aside */
    const char *description;
};

/* Starts the embedded server, unless it runs. If nobody uses it, starts it anew where earlier
 * machines have left something that belongs to all databases, such as roles; and from the cache's
 * copy with the files of that key loaded (`*loaded`), if there is one. `key`: NULL: none.
 * `clock_us`: the time that its clock is to begin at, microseconds since 2000-01-01 UTC; NULL: it
 * has the one on the wall. */
bool target_start(struct pg_target *target, const struct ingredients_key *key,
                  const int64_t *clock_us, bool *loaded, struct error *err);
/* Starts it again, without the cache's copy, which did not do. */
bool target_start_again(struct pg_target *target, const struct ingredients_key *key,
                        const int64_t *clock_us, struct error *err);
/* Keeps a copy of the server, with the files loaded into `database`, where that copy would be the
 * same as loading them again. Nobody may be connected to the server. */
/* Whether any table that is not initdb's has had rows. */
bool target_has_rows(struct pg_target *target, const char *database);
void target_keep(struct pg_target *target, const struct ingredients_key *key, const char *database);

/* A request for a connection to a database of the target (NULL: the named one); for connect_open,
 * to be changed at will. */
struct connect_request target_request(const struct pg_target *target, const char *dbname,
                                      const char *application);
/* Where err is a lost connection to an embedded server: adds what the server's log says. Returns
 * false. */
bool target_explain(const struct pg_target *target, struct error *err);

#endif
