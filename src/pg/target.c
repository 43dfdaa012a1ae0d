#include "pg/target.h"

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
        return arena_printf(arena, "database %s at %s, PostgreSQL %s", PQdb(conn),
                            host && *host ? host : "the local socket", version);
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

static bool open_named(struct pg_target *target, const struct pg_options *options, PGconn **conn,
                       struct error *err)
{
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
    if (!connect_open(&request, conn, err) && !open_maintenance(target, &request, conn, err)) {
        return false;
    }
    target->address = address_resolve(*conn, &target->arena);
    target->description = describe_named(*conn, &target->arena);
    return true;
}

static bool open_embedded(struct pg_target *target, PGconn **conn, struct error *err)
{
    if (!server_start(target->bindir, &target->hooks, &target->arena, &target->server, conn, err)) {
        return false;
    }
    target->embedded = true;
    target->bindir = target->server.bindir;
    target->address = address_resolve(*conn, &target->arena);
    target->description = arena_printf(&target->arena, "embedded server, PostgreSQL %s",
                                       short_version(*conn, &target->arena));
    return true;
}

bool pg_options_name_server(const struct pg_options *options)
{
    return !options->embedded && address_is_named(options);
}

bool pg_target_open(const struct pg_options *options, struct pg_target **out, struct error *err)
{
    PGconn *conn = NULL;
    struct pg_target *target = memory_alloc(sizeof *target);
    *target = (struct pg_target){
        .hooks = {.interrupted = options->interrupted,
                  .note = options->note,
                  .host = options->hook},
        .bindir = options->bindir,
        .lock_wait_ms = LOCK_WAIT_MS,
    };
    *out = NULL;
    bool open = pg_options_name_server(options) ? open_named(target, options, &conn, err)
                                                : open_embedded(target, &conn, err);
    if (!open) {
        pg_target_close(target);
        return false;
    }
    target->dbname = arena_strdup(&target->arena, PQdb(conn));
    target->version = PQserverVersion(conn);
    PQfinish(conn);
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

bool pg_target_is_embedded(const struct pg_target *target) { return target->embedded; }

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
