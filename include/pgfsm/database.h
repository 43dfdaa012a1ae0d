#ifndef PGFSM_DATABASE_H
#define PGFSM_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pgfsm/callbacks.h>
#include <pgfsm/errors.h>
#include <pgfsm/export.h>

PGFSM_BEGIN

/*
 * The server that machines run on: one that you name, or an embedded one that lives as long as this
 * object. pgfsm never commits in a database that you name (docs/COMMAND-LINE.md lists the effects
 * that no rollback removes). A machine with a schema gets a scratch database of its own on that
 * server.
 */
struct pgfsm_database;

/* PGFSM_DATABASE_OPTIONS_INIT gives the defaults, and so does NULL: the database that libpq's
 * environment names, or else an embedded server. The texts are borrowed for the call. */
struct pgfsm_database_options {
    size_t struct_size;
    bool embedded;      /* use an embedded server, even if the environment names a database */
    const char *dbname; /* database name, connection string or URI, as in libpq */
    const char *host;   /* this and the next two override what dbname says */
    const char *port;
    const char *user;
    const char *bindir; /* folder with initdb and postgres, for an embedded server */
    int64_t wait_ms;    /* how long to retry while the server starts */
    bool no_cache;      /* an embedded server neither uses the cache nor adds to it */
};
PGFSM_SIZED(pgfsm_database_options)
#define PGFSM_DATABASE_OPTIONS_INIT PGFSM_SIZED_INIT(pgfsm_database_options)

/* Returns true if the options or the environment (PGHOST, PGSERVICE, DATABASE_URL, …) name a
 * database. Otherwise pgfsm_database_open starts an embedded server. */
bool pgfsm_database_is_named(const struct pgfsm_database_options *options);

/* Tries the connection to a named database. For an embedded server, it finds the programs; the
 * server itself starts when it is first needed. Returns false, with the reason in `errors` and *out
 * NULL, if that fails. Free the database with pgfsm_database_free. `callbacks` may be NULL; only
 * `interrupted` and `note` are used. libpq heeds PGOPTIONS, PGHOSTADDR, PGTZ and the like for an
 * embedded server, too: remove them from the environment first, as the command line does. */
bool pgfsm_database_open(struct pgfsm_database **out, const struct pgfsm_database_options *options,
                         const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors);
/* Stops an embedded server and removes its directory. Ignores NULL. */
void pgfsm_database_free(struct pgfsm_database *database);

/* The cache: the data directories that embedded servers start from, and databases with their schema
 * loaded. */
struct pgfsm_cache {
    const char *folder;
    size_t count; /* databases in the cache, or those removed */
    uint64_t bytes;
};
/* Describes this user's cache, and with `clear` empties it. Other runs may go on at the same time.
 * Returns false, with the reason in `errors`, if that fails. Free *out with pgfsm_cache_free. */
bool pgfsm_cache_look(struct pgfsm_cache **out, bool clear, struct pgfsm_errors *errors);
/* Ignores NULL. */
void pgfsm_cache_free(struct pgfsm_cache *cache);

/* "the embedded server (PostgreSQL 15.6)", "app on db.example.com:5432 as ann (PostgreSQL 15.6)".
 */
const char *pgfsm_database_description(const struct pgfsm_database *database);

PGFSM_END

#endif
