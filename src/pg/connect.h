/*
 * Connecting: where to, with patience, and with clear words where it fails.
 *
 * An address is a list of libpq's keywords and values (manual, section 34.1.2). What it leaves out
 * libpq takes from the environment, a service file and the password file, as psql does. Once
 * connected, the address that libpq arrived at is read back (address_resolve), so that further
 * connections and psql itself go to the same server as the same user.
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

/* Whether options or the environment name a server at all. */
bool address_is_named(const struct pg_options *options);
/* The address that they name. A conninfo string or URI that can't be read: ERROR_USAGE. */
bool address_of_options(const struct pg_options *options, struct arena *arena, struct address *out,
                        struct error *err);
/* The address of an open connection, complete. */
struct address address_resolve(PGconn *conn, struct arena *arena);
/* Whether the address, or the environment, says which database; else libpq takes the user's name.
 */
bool address_names_database(const struct address *address);
/* The value of a keyword, or NULL. */
const char *address_get(const struct address *address, const char *keyword);
/* Environment for psql: reaches the same server as the same user, in database `dbname`, under the
 * name `application`, with `options` (like "-c lock_timeout=1s") after those of the address. */
struct address_env {
    const char *dbname;
    const char *application;
    const char *options;
};
const char *const *address_env(const struct address *address, const struct address_env *env,
                               struct arena *arena);

/* How a connection is made. */
struct connect_request {
    const struct address *address;
    const char *dbname;      /* NULL: the address's */
    const char *application; /* application_name */
    int64_t deadline_ms;     /* until then a server that does not answer is tried again; 0: once */
    int64_t nap_ms;          /* between two attempts */
    const struct hooks *hooks;
    /* Asked between attempts; true: no use in trying again, err is set. May be NULL. */
    bool (*hopeless)(void *context, struct error *err);
    void *context;
};

/* Opens a connection, non-blocking, encoding UTF-8, notices unheard. False: ERROR_CONNECTION with
 * what to do, or ERROR_INTERRUPTED. */
bool connect_open(const struct connect_request *request, PGconn **out, struct error *err);

/* Sets err from what libpq says of a broken connection: ERROR_CONNECTION. Returns false. */
bool connect_lost(const PGconn *conn, struct error *err);

/* The oldest server that will do, as PQserverVersion gives it. */
enum { SERVER_VERSION_MIN = PG_VERSION_OLDEST * 10000 };
/* The first that has the setting transaction_timeout. */
enum { VERSION_TRANSACTION_TIMEOUT = 170000 };

/* SQL that lifts the time limits which the role or the database has set for others: they would end
 * a run's long transaction, or a file that takes its time. `version` is the server's. */
const char *without_limits(int version);

#endif
