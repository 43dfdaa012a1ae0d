#include "pg/target.h"

#include "pg/own.h"
#include "pg/pooler.h"

#include <stdlib.h>
#include <string.h>

enum { WAIT_NAP_MS = 100, LOCK_WAIT_MS = 10000 };

static const char *server_version(PGconn *conn)
{
    const char *version = PQparameterStatus(conn, "server_version");
    return version ? version : "?";
}

/* "15.18" of "15.18 (Debian 15.18-0+deb12u1)". */
static const char *short_version(PGconn *conn, struct arena *arena)
{
    const char *version = server_version(conn);
    return arena_strndup(arena, version, strcspn(version, " "));
}

static const char *describe_named(PGconn *conn, struct arena *arena)
{
    const char *host = PQhost(conn);
    const char *version = short_version(conn, arena);
    if (!host || !*host || *host == '/' || *host == '@') {
        return arena_printf(arena, "database %s at %s, port %s, PostgreSQL %s", PQdb(conn),
                            host && *host ? host : "the local socket", PQport(conn), version);
    }
    const char *place =
        arena_printf(arena, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, PQport(conn));
    return arena_printf(arena, "database %s at %s, PostgreSQL %s", PQdb(conn), place, version);
}

/* libpq takes the user's name for a database that nobody named, and psql fails there. What every
 * server has is the database postgres, which createdb connects to, too. */
static bool open_maintenance(struct pg_target *target, struct connect_request *request,
                             PGconn **conn, struct error *err)
{
    struct error refusal = *err;
    if (strcmp(err->sqlstate, "3D000") != 0 || address_names_database(request->address)) {
        return false;
    }
    request->dbname = "postgres";
    if (!connect_open(request, conn, err)) {
        *err = refusal;
        return false;
    }
    note_line(&target->hooks, arena_printf(&target->arena,
                                           "no database was named, and user %s has none of that "
                                           "name: connected to the database postgres",
                                           PQuser(*conn)));
    return true;
}

static void note_connection(struct pg_target *target, PGconn *conn)
{
    target->dbname = arena_strdup(&target->arena, PQdb(conn));
    target->version = PQserverVersion(conn);
}

/* A standby answers queries, but nothing of a run is possible there. */
static bool check_writable(const struct pg_target *target, struct wire *wire, struct error *err)
{
    PGresult *result = wire_query_ok(wire, "SELECT pg_catalog.pg_is_in_recovery()", NULL, err);
    bool standby = result && *PQgetvalue(result, 0, 0) == 't';
    bool fits = result && !standby;
    PQclear(result);
    if (standby) {
        error_set(err, ERROR_CONNECTION, "the server is a standby, which can't be written to: %s",
                  target->description);
        error_hint(err, "name its primary; of several hosts, target_session_attrs=read-write in "
                        "the connection string chooses it");
    }
    return fits;
}

/* Ends the first connection to a named server. */
static bool check_named(struct pg_target *target, PGconn *conn, struct error *err)
{
    const struct connect_request request = target_request(target, NULL, "pgfsm");
    struct wire wire;
    note_connection(target, conn);
    wire_open(&wire, conn, &target->hooks);
    bool fits = pooler_process(&wire, &target->process, err) &&
                pooler_check(&request, &wire, err) && check_writable(target, &wire, err);
    wire_close(&wire);
    return fits;
}

static bool open_named(struct pg_target *target, const struct pg_options *options,
                       struct error *err)
{
    PGconn *conn = NULL;
    struct address wanted;
    if (!address_of_options(options, &target->arena, &wanted, err)) {
        return false;
    }
    struct connect_request request = {
        .address = &wanted,
        .application = "pgfsm",
        .deadline_ms = options->wait_ms > 0 ? clock_ms() + options->wait_ms : 0,
        .nap_ms = WAIT_NAP_MS,
        .hooks = &target->hooks,
    };
    if (!connect_open(&request, &conn, err) && !open_maintenance(target, &request, &conn, err)) {
        return false;
    }
    target->address = address_resolve(conn, &target->arena);
    target->description = describe_named(conn, &target->arena);
    return check_named(target, conn, err);
}

static bool is_running(const struct pg_target *target) { return target->server.log != NULL; }

static void stop_server(struct pg_target *target)
{
    server_stop(&target->server);
    target->server.log = NULL;
}

static bool start_server(struct pg_target *target, const struct cache *loaded,
                         const int64_t *clock_us, struct error *err)
{
    PGconn *conn = NULL;
    struct server_options options = {
        .bindir = target->bindir,
        .hooks = &target->hooks,
        .cache = target->cache,
        .loaded = *loaded,
        .now_us = clock_us ? *clock_us : 0,
    };
    if (clock_us && !faketime_find(&target->arena, &options.faketime, err)) {
        return false;
    }
    if (!server_start(&options, &target->arena, &target->server, &conn, err)) {
        target->server.log = NULL;
        return false;
    }
    target->address = address_resolve(conn, &target->arena);
    target->description = arena_printf(&target->arena, "embedded server, PostgreSQL %s",
                                       short_version(conn, &target->arena));
    note_connection(target, conn);
    connect_close(conn);
    return true;
}

/* True if the query says so, and the command after it, if any, succeeds. */
static bool server_says(struct pg_target *target, const char *database, const char *sql,
                        const char *then)
{
    struct error ignored;
    struct wire wire;
    struct connect_request request = target_request(target, database, "pgfsm");
    request.hooks = &no_hooks;
    if (!own_connect(&request, &wire, &ignored)) {
        return false;
    }
    PGresult *result = wire_query_ok(&wire, sql, NULL, &ignored);
    bool so = PQntuples(result) == 1 && *PQgetvalue(result, 0, 0) == 't' &&
              (!then || wire_do(&wire, then, &ignored));
    PQclear(result);
    wire_close(&wire);
    return so;
}

/* True if libfaketime works. The loader passes over one of another architecture. */
static bool has_time(struct pg_target *target, const char *library, int64_t clock_us,
                     struct error *err)
{
    enum { EPOCH = 946684800 /* 2000-01-01 */, SECOND = 1000000 };
    struct arena arena = {0};
    const int64_t seconds = clock_us / SECOND + EPOCH;
    const char *query = arena_printf(
        &arena,
        "SELECT pg_catalog.abs(EXTRACT(epoch FROM pg_catalog.clock_timestamp()) - %lld) < 2",
        (long long)seconds);
    bool has = server_says(target, SERVER_DATABASE, query, NULL);
    arena_free(&arena);
    if (!has) {
        error_set(err, ERROR_SYSTEM, "the server does not take its time from %s", library);
        error_hint(err, "check that it is libfaketime for this machine's architecture");
        (void)server_log_tail(&target->server, err);
    }
    return has;
}

static bool start_target(struct pg_target *target, const struct cache *loaded,
                         const int64_t *clock_us, struct error *err)
{
    if (!start_server(target, loaded, clock_us, err)) {
        return false;
    }
    if (clock_us && !has_time(target, target->server.faketime.preload, *clock_us, err)) {
        stop_server(target);
        return false;
    }
    return true;
}

#define NO_ALTER_SYSTEM                                                                            \
    "NOT EXISTS (SELECT FROM pg_catalog.pg_file_settings WHERE sourcefile ~ 'auto.conf$')"

/* Asked in the only database of a new server, which is copied for each machine. The oids of what
 * initdb makes are smaller (FirstNormalObjectId). */
static const char query_is_untouched[] =
    "SELECT " NO_ALTER_SYSTEM " AND NOT EXISTS (SELECT FROM pg_catalog.pg_db_role_setting) "
    "AND NOT EXISTS (SELECT FROM pg_catalog.pg_authid WHERE oid >= 16384) "
    "AND NOT EXISTS (SELECT FROM pg_catalog.pg_database WHERE oid >= 16384) "
    "AND NOT EXISTS (SELECT FROM pg_catalog.pg_tablespace WHERE oid >= 16384) "
    "AND NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE oid >= 16384) "
    "AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend WHERE objid >= 16384)";

/* A copy of a running server's files starts as after a crash: unlogged tables would be empty. What
 * ALTER SYSTEM sets would hold from the start. A database of more than that is too large. */
static const char query_has_rows[] =
    "SELECT EXISTS (SELECT FROM pg_catalog.pg_class AS c WHERE c.relkind = 'r' AND c.oid >= 16384 "
    "AND pg_catalog.pg_relation_size(c.oid) > 0)";
static const char query_can_be_kept[] =
    "SELECT " NO_ALTER_SYSTEM
    " AND NOT EXISTS (SELECT FROM pg_catalog.pg_class WHERE relpersistence = 'u') "
    "AND NOT EXISTS (SELECT FROM pg_catalog.pg_prepared_xacts) "
    "AND (SELECT count(*) = 2 FROM pg_catalog.pg_tablespace) "
    "AND (SELECT count(*) = 2 FROM pg_catalog.pg_database) "
    "AND pg_catalog.pg_database_size(pg_catalog.current_database()) < 500000000";

/* A server has one clock, so that others of it are not in its way. */
static bool stop_other_clock(struct pg_target *target, const int64_t *clock_us, struct error *err)
{
    bool has_clock = target->server.faketime.path != NULL;
    if (!is_running(target) || (has_clock ? clock_us != NULL : clock_us == NULL)) {
        return true;
    }
    if (target->users > 0) {
        error_set(err, ERROR_USAGE, "the embedded server is in use %s a clock of its own",
                  has_clock ? "with" : "without");
        return error_hint(err, "use another one: run machines with and without a clock one after "
                               "the other");
    }
    stop_server(target);
    return true;
}

bool target_start(struct pg_target *target, const struct ingredients_key *key,
                  const int64_t *clock_us, bool *loaded, struct error *err)
{
    struct cache entry = {0};
    *loaded = false;
    if (!target->embedded) {
        return true;
    }
    if (!stop_other_clock(target, clock_us, err)) {
        return false;
    }
    if (key) {
        entry = cache_of_loaded(&target->cache, key, &target->arena);
    }
    if (is_running(target) && target->lazy && target->users == 0 &&
        (cache_has(&entry) || !server_says(target, SERVER_DATABASE, query_is_untouched, NULL))) {
        stop_server(target);
    }
    if (is_running(target)) {
        return !clock_us || faketime_set(&target->server.faketime, *clock_us, err);
    }
    bool started = start_target(target, &entry, clock_us, err);
    *loaded = started && target->server.loaded;
    return started;
}

bool target_start_again(struct pg_target *target, const struct ingredients_key *key,
                        const int64_t *clock_us, struct error *err)
{
    const struct cache none = {0};
    struct cache entry = cache_of_loaded(&target->cache, key, &target->arena);
    cache_forget(&entry);
    stop_server(target);
    return start_target(target, &none, clock_us, err);
}

bool target_has_rows(struct pg_target *target, const char *database)
{
    return server_says(target, database, query_has_rows, NULL);
}

void target_keep(struct pg_target *target, const struct ingredients_key *key, const char *database)
{
    struct cache entry = cache_of_loaded(&target->cache, key, &target->arena);
    if (entry.entry && server_says(target, database, query_can_be_kept, "CHECKPOINT")) {
        cache_store(&entry, target->server.data, &target->arena);
    }
}

static bool open_embedded(struct pg_target *target, const struct pg_options *options,
                          struct error *err)
{
    const struct cache none = {0};
    if (!server_find(options->bindir, &target->hooks, &target->arena, &target->bindir, err)) {
        return false;
    }
    target->cache = options->no_cache ? none : cache_find(target->bindir, &target->arena);
    target->description = "embedded server";
    return options->lazy || start_target(target, &none, NULL, err);
}

bool pg_options_name_server(const struct pg_options *options)
{
    return !options->embedded && address_is_named(options);
}

bool pg_target_open(const struct pg_options *options, struct pg_target **out, struct error *err)
{
    struct pg_target *target = memory_alloc(sizeof *target);
    *target = (struct pg_target){
        .hooks = {.interrupted = options->interrupted,
                  .note = options->note,
                  .host = options->hook},
        .bindir = options->bindir,
        .lazy = options->lazy,
        .lock_wait_ms = LOCK_WAIT_MS,
    };
    *out = NULL;
    target->embedded = !pg_options_name_server(options);
    bool open =
        target->embedded ? open_embedded(target, options, err) : open_named(target, options, err);
    if (!open) {
        pg_target_close(target);
        return false;
    }
    *out = target;
    return true;
}

void pg_target_close(struct pg_target *target)
{
    if (!target) {
        return;
    }
    server_stop(&target->server);
    arena_free(&target->arena);
    free(target);
}

const char *pg_target_description(const struct pg_target *target) { return target->description; }

int pg_target_version(const struct pg_target *target) { return target->version; }

bool pg_target_is_embedded(const struct pg_target *target) { return target->embedded; }

bool pg_target_has_clock(const struct pg_target *target)
{
    struct arena arena = {0};
    struct error ignored;
    const char *library = NULL;
    bool has = target->embedded && faketime_find(&arena, &library, &ignored);
    arena_free(&arena);
    return has;
}

struct connect_request target_request(const struct pg_target *target, const char *dbname,
                                      const char *application)
{
    return (struct connect_request){
        .address = &target->address,
        .dbname = dbname,
        .application = application,
        .hooks = &target->hooks,
    };
}

bool target_explain(const struct pg_target *target, struct error *err)
{
    if (target->embedded && err && err->code == ERROR_CONNECTION) {
        server_log_tail(&target->server, err);
    }
    return false;
}
