/*
 * PostgreSQL: a server to test on, and the backend that runs the examples.
 *
 * A *target* is a server: the one that options or libpq's environment name, or if nothing names
 * one, an embedded server, which ends with this process. A *backend* (example/backend.h) is one
 * connection to one database of it, for one machine: a scratch database if the machine has a schema
 * or the server is embedded, otherwise the named database, in which nothing is ever committed.
 *
 * struct pg_target *target = NULL; struct backend *backend = NULL; if (!pg_target_open(&options,
 * &target, err)) goto out; backend = pg_backend_new(target, &backend_options); if
 * (!backend->ops->open(backend, machine, &diagnostics, err)) goto out; … out: if (backend)
 * backend->ops->close(backend); pg_target_close(target);
 *
 * A killed server or broken connection gives ERROR_CONNECTION, an interrupt ERROR_INTERRUPTED. A
 * schema file that does not load, a role that may not be assumed and a statement that can't be
 * prepared are mistakes of the machine, in the diagnostics of open().
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
    bool embedded;      /* --embedded: an embedded server, even if the environment names one */
    const char *dbname; /* -d: database name, conninfo string or URI */
    const char *host;   /* -h */
    const char *port;   /* -p */
    const char *user;   /* -U */
    const char *bindir; /* --pg-bindir: folder of PostgreSQL's programs; NULL: look for it */
    bool no_cache;      /* --no-cache: an embedded server starts from nothing that is kept */
    /* An embedded server starts when a backend opens or a script runs, with the files already
     * loaded if the cache has them. It may be another server for each backend. */
    bool lazy;
    int64_t wait_ms; /* --wait: how long to retry a server that does not answer yet; 0: try once */
    /* Asked at least ten times a second during a wait, on the thread that waits. If it returns
     * true, the current statement is cancelled, and the call fails with ERROR_INTERRUPTED. May be
     * NULL. */
    bool (*interrupted)(void *host);
    /* Called with a line for the user, without its newline: for example how to reach a scratch
     * database that was kept. May be NULL. */
    void (*note)(void *host, const char *line);
    void *hook; /* passed to both as `host` */
};

/* True if the options or libpq's environment name a server. Otherwise an embedded one is started.
 */
bool pg_options_name_server(const struct pg_options *options);

struct pg_target;

/* Two backends that do the same at once, as for a diff, have a target each where it is embedded:
 * two schemas that make the same role do not fit one server, two examples that make it would wait
 * for each other, and each server starts with its files already loaded. A second server takes a
 * tenth of a second, and 30 MB.
 *
 * Connects once to a named server, to detect a wrong password, an unknown database or a server that
 * is too old; or starts the embedded one. Free `*out` with pg_target_close; it is NULL on
 * failure. */
bool pg_target_open(const struct pg_options *options, struct pg_target **out, struct error *err);
/* Stops an embedded server and removes its files. Ignores NULL. Close the backends first. */
void pg_target_close(struct pg_target *target);
/* "embedded server, PostgreSQL 15.18" or "database app at 127.0.0.1:5432, PostgreSQL 15.18".
 * Borrowed. */
const char *pg_target_description(const struct pg_target *target);
/* As PQserverVersion gives it; 0: no server of it has run yet. */
int pg_target_version(const struct pg_target *target);
bool pg_target_is_embedded(const struct pg_target *target);
/* Whether its backends can have a clock that stands still: it is embedded, and libfaketime is
 * installed. That the library is of use shows only as a backend opens. */
bool pg_target_has_clock(const struct pg_target *target);

/* Calls `each` with the files, and those that they include by \i and \ir, as far as these can be
 * read. */
void pg_files(const char *const *files, size_t count, void (*each)(void *host, const char *path),
              void *host);

/* The cache of embedded servers. */
struct pg_cache {
    const char *dir; /* in the arena */
    size_t count;    /* of databases in it, or removed */
    uint64_t bytes;
};
bool pg_cache(struct pg_cache *out, bool clear, struct arena *arena, struct error *err);

/* How to set up a machine on the server. Texts are borrowed until the backend is closed. */
struct pg_backend_options {
    const char *const *schema; /* SQL files to load instead of the machine's; NULL: the machine's */
    size_t schema_count;
    const char *const *apply; /* --apply: SQL files loaded after the schema, in order */
    size_t apply_count;
    bool in_place; /* --in-place: everything inside one transaction, no scratch database */
    bool commit;   /* each step is a transaction that is committed, in a scratch database only */
    enum isolation isolation; /* of their transactions */
    bool gates;               /* and that has gates, for sessions side by side (example/lanes.h) */
    bool keep;                /* --keep: do not drop the scratch database */
    bool coverage; /* measure which objects of the schema are touched; this costs some time */
    /* The time at which the clock of an embedded server stands, in microseconds since 2000-01-01
     * UTC; with `commit`, until it is set. All backends of a target have the same one. NULL: time
     * passes. */
    const int64_t *clock_us;
    int64_t statement_timeout_ms; /* as resolved; 0: none */
    size_t
        clones; /* number of copies of the scratch database that open() makes, for more backends */
    bool dies;  /* its clients may die, so that a session must end with its connection */
    size_t lanes; /* most sessions side by side that are opened later; 0: none */
    size_t room;  /* of a named server: connections that copies leave to others, opened later */
    /* SQL files that the backend's migrate() runs, in order; borrowed. With `commit`, psql runs
     * them in the copy, on what the example has committed: that confirms a failure of the
     * migration, and runs what a transaction can't. */
    const char *const *migration;
    size_t migration_count;
    /* Plans, and so the order of rows that no ORDER BY decides, are to be other ones than usual, to
     * find out what a query answers by chance. So is the physical order of rows, which decides
     * ties: align() reverses it in a scratch database of a superuser, without `commit`. */
    bool perturbed;
    /* Statements that the server refuses to prepare are no mistakes of the machine: they raise
     * their error whenever they run. */
    bool tolerant;
    /* Rows that files make at random are to be the same in two databases. The first is opened with
     * `shared`. The second has the same `loaded` files first: open() takes one of the copies of
     * `from`, a backend of the same target (NULL: it has another target), or what the first left in
     * the cache, and loads the other files only. Where it finds neither, it loads all. */
    bool shared;
    struct backend *from;
    size_t loaded;
};

/* Returns a backend that has done nothing yet: its open() connects, creates the scratch database,
 * loads the schema and prepares the statements. Never NULL; call ops->close in any case. */
struct backend *pg_backend_new(struct pg_target *target, const struct pg_backend_options *options);

/* Whether the backend's migrate() would refuse the migration of these options, by what its files
 * say: `*why`, with the place, in `arena`; NULL: it would not. With `commit` more is possible.
 * False if a file can't be read. */
bool pg_migration_refused(const struct pg_backend_options *options, struct arena *arena,
                          const char **why, struct error *err);

/* Returns a backend, as pg_backend_new does, for a copy of an open one's scratch database; NULL if
 * there are no more copies. Different threads may use backends of one target, each backend on one
 * thread at a time. Open and close them one after the other. */
struct backend *pg_backend_clone(struct backend *of);
/* Sets the option `perturbed` of a backend that is not open yet. */
void pg_backend_perturb(struct backend *backend);
/* Why there are fewer copies than requested, or NULL; valid until close. */
const char *pg_backend_no_clones(const struct backend *backend);
/* Whether `err`, of a copy's backend, says that the server lacks what it needs, such as a
 * connection: pg_backend_no_clones says so from then on. */
bool pg_backend_lacks(struct backend *backend, const struct error *err);

/* Opens as many connections as an open backend may open later, beside its own, so that what others
 * take until pg_backend_unreserve is not what it needs. */
bool pg_backend_reserve(struct backend *backend, struct error *err);
void pg_backend_unreserve(struct backend *backend);

/* What a first machine has to know of the schema, as JSON in `arena`; sql/init.sql says what there
 * is in it. `tables`: as the user names them; none: all. After open(). */
bool pg_describe(struct backend *backend, const char *const *tables, size_t count,
                 struct arena *arena, const char **json, struct error *err);

/* The same of tables alone, which is faster. */
bool pg_describe_tables(struct backend *backend, const char *const *tables, size_t count,
                        struct arena *arena, const char **json, struct error *err);

/* What a machine without a model needs beside these; see sql/free.sql. */
bool pg_describe_free(struct backend *backend, const char *const *tables, size_t count,
                      struct arena *arena, const char **json, struct error *err);

/* A single fault to plant in the schema. */
struct pg_mutant {
    const char *operator;   /* its kind: "drop-check" */
    const char *kind;       /* of the object: "constraint" */
    const char *object;     /* as a person names it: "members.members_role_check" */
    const char *relation;   /* the table or function that rules touch where it matters: "members" */
    const char *was;        /* the definition before: "CHECK (role <> ''::text)" */
    const char *becomes;    /* and after; "": there is none any more */
    const char *ddl;        /* statements for the owner, with `;` between them */
    const char *equivalent; /* why it can't change what the schema does; NULL: it may */
};

/* The mutants that the catalog gives, in a fixed order, in `arena`. After open(). */
bool pg_mutants(struct backend *backend, struct arena *arena, struct pg_mutant **out, size_t *count,
                struct error *err);

/* A text of the schema that faults can be planted in: a function's, a policy's, a view's, … Put
 * between `before` and `after`, changed or not, it is the DDL that replaces the object: statements
 * for the owner, with `;` between them. */
struct pg_body {
    const char *kind;     /* "function", "USING of policy", "constraint", "view", … */
    const char *object;   /* as a person names it: "leave(uuid)", "own on members" */
    const char *relation; /* the table, view or function concerned: "members" */
    const char *what;     /* how to read it: "expression", "query", "view", "plpgsql" */
    const char *source;
    const char *before;
    const char *after;
    const char *others; /* names that can be mistaken for one another: see body_edits */
};

/* All of them, in a fixed order, in `arena`. After open(). */
bool pg_bodies(struct backend *backend, struct arena *arena, struct pg_body **out, size_t *count,
               struct error *err);

/* A psql script that checks a property: a failure's replay script. */
struct pg_script {
    const char *path;
    bool scratch; /* it needs an empty database, also on a named server */
    /* Files to load before it, outside its transaction. They are not rolled back, so `scratch` must
     * be set. */
    const char *const *first;
    size_t first_count;
    const int64_t *clock_us; /* as of a backend */
    const char *variable;    /* "after=1", for psql; or NULL */
    bool loses; /* it checks whether the connection is lost, so a lost connection is a result */
};
struct pg_script_result {
    int status; /* psql's exit status: 0; 3: a statement failed; 2: `lost` */
    bool lost;  /* the connection was lost, and the script `loses` it */
    struct strbuf output;
    struct strbuf errors;
};
/* Runs it until it ends. Returns false if it could not be run; mistakes in the files loaded before
 * it go to the diagnostics. Free `out` in any case. */
bool pg_script_run(struct pg_target *target, const struct pg_script *script,
                   struct pg_script_result *out, struct diagnostics *diagnostics,
                   struct error *err);
void pg_script_result_free(struct pg_script_result *result);

#endif
