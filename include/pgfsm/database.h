#ifndef PGFSM_DATABASE_H
#define PGFSM_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include <pgfsm/callbacks.h>
#include <pgfsm/errors.h>
#include <pgfsm/export.h>

PGFSM_BEGIN

/*
 * Where machines are run: a server that is named, or an embedded one that lives as long as this
 * object. Nothing is ever committed to a database that was named (docs/COMMAND-LINE.md says what no
 * rollback takes back); a machine with a schema gets a scratch database of its own beside it.
 */
struct pgfsm_database;

/* {0} is the default of everything: the database that libpq's environment names, else an embedded
 * server. The texts are borrowed for the call. */
struct pgfsm_database_options {
    bool embedded;      /* an embedded server, whatever is named */
    const char *dbname; /* a database's name, a connection string or a URI, as libpq takes it */
    const char *host;   /* lays itself over what dbname says, as the next two */
    const char *port;
    const char *user;
    const char *bindir; /* where initdb and postgres are, for an embedded server */
    int64_t wait_ms;    /* how long to try again while a server is coming up */
};

/* Whether the options or the environment (PGHOST, PGSERVICE, DATABASE_URL, …) name a database; if
 * not, pgfsm_database_open starts an embedded server. */
bool pgfsm_database_is_named(const struct pgfsm_database_options *options);

/* Starts the embedded server, or tries the connection. false: `errors` says why, and *out is NULL.
 * The database is yours. `callbacks` may be NULL; only `interrupted` and `note` are used. An
 * embedded server is reached by libpq, which heeds PGOPTIONS, PGHOSTADDR, PGTZ and their like even
 * then: a program whose environment has them takes them out before (the command line does). */
bool pgfsm_database_open(struct pgfsm_database **out, const struct pgfsm_database_options *options,
                         const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors);
/* Takes an embedded server down and removes its directory. NULL is fine. */
void pgfsm_database_free(struct pgfsm_database *database);

/* "the embedded server (PostgreSQL 15.6)", "app on db.example.com:5432 as ann (PostgreSQL 15.6)".
 */
const char *pgfsm_database_description(const struct pgfsm_database *database);

PGFSM_END

#endif
