/*
 * PostgreSQL: a server to test on, and the backend that the engine runs its examples on.
 *
 * A *target* is a server: the one that options or libpq's environment name, or, where nothing names
 * one, an embedded server made for this process and taken down with it. A *backend*
 * (example/backend.h) is one connection to one database of it, for one machine: a scratch database
 * where the machine has a schema (or the server is embedded), else the named database, in which
 * nothing is ever committed.
 *
 *     struct pg_target *target = NULL;
 *     struct backend *backend = NULL;
 *     if (!pg_target_open(&options, &target, err))
 *         goto out;
 *     backend = pg_backend_new(target, &backend_options);
 *     if (!backend->ops->open(backend, machine, &diagnostics, err))
 *         goto out;
 *     …
 * out:
 *     if (backend)
 *         backend->ops->close(backend);
 *     pg_target_close(target);
 *
 * A server that was killed, a connection that broke: ERROR_CONNECTION. The interrupt hook said so:
 * ERROR_INTERRUPTED. A schema file that does not load, a role that may not be assumed, a statement
 * that can't be prepared: mistakes of the machine, in the diagnostics of open().
 *
 * It knows nothing of rules, models and verdicts: it sends statements and decodes answers.
 */
#ifndef PG_PG_H
#define PG_PG_H

#include "base/error.h"
#include "example/backend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The major versions of PostgreSQL that are tested; an older server is refused. */
#define PG_VERSION_OLDEST 14
#define PG_VERSION_NEWEST 18

/* Which server. All texts are borrowed until pg_target_close; NULL: not given. */
struct pg_options {
    bool embedded; /* --embedded: an embedded server, whatever the rest and the environment name */
    const char *dbname; /* -d: a database's name, a conninfo string or a URI */
    const char *host;   /* -h */
    const char *port;   /* -p */
    const char *user;   /* -U */
    const char *bindir; /* --pg-bindir: PostgreSQL's programs; looked for where NULL */
    int64_t wait_ms; /* --wait: how long to try again a server that does not answer yet; 0: once */
    /* Asked at least ten times a second while something is waited for, from the thread that waits;
     * true cancels the statement that runs and ends with ERROR_INTERRUPTED. May be NULL. */
    bool (*interrupted)(void *host);
    /* Takes a line for the user, without its end: that a scratch database was kept and how to reach
     * it. May be NULL. */
    void (*note)(void *host, const char *line);
    void *hook; /* given to both as `host` */
};

/* Whether the options or libpq's environment name a server: if not, an embedded one is started. */
bool pg_options_name_server(const struct pg_options *options);

struct pg_target;

/* Finds the server: connects once to a named one (a wrong password, an unknown database and a
 * server that is too old show here), or starts the embedded one. `*out` is the caller's, for
 * pg_target_close; NULL where it fails. */
bool pg_target_open(const struct pg_options *options, struct pg_target **out, struct error *err);
/* Takes an embedded server down and removes its files. NULL is allowed. Backends are closed first.
 */
void pg_target_close(struct pg_target *target);
/* "embedded server, PostgreSQL 15.18" or "database app at 127.0.0.1:5432, PostgreSQL 15.18".
 * Borrowed. */
const char *pg_target_description(const struct pg_target *target);
bool pg_target_is_embedded(const struct pg_target *target);

/* How a machine is put on the server. Texts are borrowed until the backend is closed. */
struct pg_backend_options {
    const char *const *apply; /* --apply: SQL files loaded after the schema, in order */
    size_t apply_count;
    bool in_place; /* --in-place: everything inside the one transaction, no scratch database */
    bool keep;     /* --keep: the scratch database stays */
    bool coverage; /* find out what of the schema is touched, which costs a little */
    int64_t statement_timeout_ms; /* as resolved; 0: none */
    size_t clones; /* how many copies of the scratch database open() makes, for more backends */
};

/* A backend that has done nothing yet: its open() connects, makes the scratch database, loads the
 * schema and prepares the statements. Never NULL; the caller calls ops->close in any case. */
struct backend *pg_backend_new(struct pg_target *target, const struct pg_backend_options *options);

/* A backend for a copy of the scratch database of one that is open, as pg_backend_new gives it;
 * NULL where no more were made. Backends of one target may be used from different threads, each
 * from one at a time; they are opened and closed one after the other. */
struct backend *pg_backend_clone(struct backend *of);
/* Why fewer copies were made than wanted, or NULL; valid until close. */
const char *pg_backend_no_clones(const struct backend *backend);

/* A psql script that checks something: a failure's replay script. */
struct pg_script {
    const char *path;
    bool scratch; /* it wants an empty database: on a named server, too */
    /* Files to be loaded before it, outside of its transaction; `scratch`, as they stay. */
    const char *const *first;
    size_t first_count;
    bool loses; /* it asks whether the connection is lost: that it is is an answer */
};
struct pg_script_result {
    int status; /* psql's exit status: 0, or 3 where a statement failed, or 2 where `lost` */
    bool lost;  /* the connection; where the script `loses` it */
    struct strbuf output;
    struct strbuf errors;
};
/* Runs it to its end. False where it could not be run; mistakes of the files loaded before it go to
 * the diagnostics. `out` is to be freed either way. */
bool pg_script_run(const struct pg_target *target, const struct pg_script *script,
                   struct pg_script_result *out, struct diagnostics *diagnostics,
                   struct error *err);
void pg_script_result_free(struct pg_script_result *result);

#endif
