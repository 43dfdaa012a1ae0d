/*
 * Connecting to a server: its address, retries, and clear messages on failure.
 *
 * An address is a list of libpq's keywords and values (manual, section 34.1.2). libpq takes what is
 * missing from the environment, a service file and the password file, as psql does. After
 * connecting, address_resolve reads back the address that libpq used, so that further connections
 * and psql reach the same server as the same user.
 */
#ifndef PG_CONNECT_H
#define PG_CONNECT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "os/process.h"
#include "os/wait.h"
#include "pg/pg.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>

struct address_item {
    const char *keyword;
    const char *value;
};
struct address {
    struct arena *arena;
    VEC(struct address_item) items; /* later ones win */
    bool complete;                  /* read back: its dbname is a name, never a conninfo string */
};

/* True if options or the environment name a server. */
bool address_is_named(const struct pg_options *options);
/* The address that they name. Fails with ERROR_USAGE if a conninfo string or URI can't be read. */
bool address_of_options(const struct pg_options *options, struct arena *arena, struct address *out,
                        struct error *err);
/* The address of an open connection, complete. */
struct address address_resolve(PGconn *conn, struct arena *arena);
/* True if the address or the environment names a database. Otherwise libpq takes the user's name.
 */
bool address_names_database(const struct address *address);
/* The value of a keyword, or NULL. */
const char *address_get(const struct address *address, const char *keyword);
/* Environment for psql: reaches the same server as the same user, in database `dbname`, under the
 * name `application`. */
struct address_env {
    const char *dbname;
    const char *application;
};
const char *const *address_env(const struct address *address, const struct address_env *env,
                               struct arena *arena);

/* How to connect. */
struct connect_request {
    const struct address *address;
    const char *dbname;      /* NULL: the address's */
    const char *application; /* application_name */
    const char *options;     /* for the server's command line; NULL: the address's */
    int64_t deadline_ms;     /* until when to retry a server that does not answer; 0: try once */
    int64_t nap_ms;          /* pause between two attempts */
    const struct hooks *hooks;
    /* Asked between attempts; returns true, with err set, if a retry is useless. May be NULL. */
    bool (*hopeless)(void *context, struct error *err);
    void *context;
};

/* Opens a connection: non-blocking, encoding UTF-8, notices ignored. False: ERROR_CONNECTION with a
 * hint, or ERROR_INTERRUPTED. */
bool connect_open(const struct connect_request *request, PGconn **out, struct error *err);

/* Closes the connection, and waits for a moment until the server has ended its session: until then
 * it counts among those that a server, a role or a pooler may have. NULL: nothing. */
void connect_close(PGconn *conn);

/* Sets err to ERROR_CONNECTION with libpq's message about a broken connection. Returns false. */
bool connect_lost(const PGconn *conn, struct error *err);

/* True if an error of that SQLSTATE says that the server lacks room, memory or a sound disk. */
bool connect_lacks(const char *sqlstate);

/* The oldest supported server, as PQserverVersion gives it. */
enum { SERVER_VERSION_MIN = PG_VERSION_OLDEST * 10000 };
/* The first that has the setting transaction_timeout. */
enum { VERSION_TRANSACTION_TIMEOUT = 170000 };

/* SQL that lifts time limits of the role or the database: they would end a run's long transaction,
 * or a slow file. `version` is the server's. */
const char *without_limits(int version);

#endif
