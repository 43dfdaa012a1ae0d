/*
 * The embedded server: a PostgreSQL server of this process, on a private Unix socket, with
 * durability off. It ends when we end, for any reason (supervisor.h).
 */
#ifndef PG_SERVER_H
#define PG_SERVER_H

#include "base/arena.h"
#include "base/error.h"
#include "pg/connect.h"
#include "pg/server/cache.h"
#include "pg/server/faketime.h"
#include "pg/server/supervisor.h"

#define SERVER_USER "postgres"      /* the superuser; no password is needed */
#define SERVER_CLOCK "pgfsm.clock"  /* a setting: the file of its time, if that is simulated */
#define SERVER_DATABASE "template1" /* the only database of a new server */

struct server_options {
    const char *bindir; /* the server's programs */
    const struct hooks *hooks;
    struct cache cache;   /* of new data directories; {0}: use none */
    struct cache loaded;  /* the entry to start from, if there is one */
    const char *faketime; /* libfaketime, for a server with a clock of its own; or NULL */
    int64_t now_us;       /* that it begins at */
};

struct server {
    const char *data;       /* path of the data directory */
    bool loaded;            /* it came from `loaded` */
    const char *socket_dir; /* also the run directory */
    const char *log;        /* path */
    struct address address;
    struct supervisor supervisor;
    struct faketime faketime;
    int lock;
};

/* Finds the server's programs; `bindir` may be NULL. Tells early that no server can start. */
bool server_find(const char *bindir, const struct hooks *hooks, struct arena *arena,
                 const char **found, struct error *err);
/* Starts one and waits until it answers. `*conn` is a connection to SERVER_DATABASE, the caller's.
 * Texts are in the arena. The first start of an installation initialises a data directory, which
 * takes a second or two; later ones copy it. */
bool server_start(const struct server_options *options, struct arena *arena, struct server *out,
                  PGconn **conn, struct error *err);
/* Adds the last lines of the server's log to the detail of err. */
void server_log_tail(const struct server *server, struct error *err);
/* Takes it down and removes its files. `{0}` is allowed. */
void server_stop(struct server *server);

#endif
