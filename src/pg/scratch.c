#include "pg/scratch.h"

#include "os/platform.h"
#include "pg/own.h"
#include "pg/pooler.h"
#include "pg/session/queries.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define SCRATCH_PREFIX "pgfsm_scratch_"
#define NO_SCRATCH                                                                                 \
    "--embedded starts a server of pgfsm's own, and --in-place needs no scratch database "         \
    "where no step is committed"
#define KEPT_PREFIX "pgfsm_kept_"
/* The names that random_name makes, as a regular expression of PostgreSQL. */
#define SCRATCH_NAMES "'^" SCRATCH_PREFIX "[0-9a-f]{16}$'"

static bool random_name(char *out, size_t size, struct error *err)
{
    unsigned char bytes[8];
    if (!random_bytes(bytes, sizeof bytes)) {
        return error_set(err, ERROR_SYSTEM, "the system gives no random numbers");
    }
    int used = snprintf(out, size, SCRATCH_PREFIX);
    for (size_t i = 0; i < sizeof bytes; i++) {
        used += snprintf(out + used, size - (size_t)used, "%02x", bytes[i]);
    }
    return true;
}

/* The connection for making and dropping. On a named server it is open for as long as the scratch
 * database is there; an embedded one has no other users, and a standing connection to its only
 * database would keep that from being copied. It does not hear the user's interrupt: what was made
 * is dropped all the same. */
static bool admin_open(struct scratch *scratch, struct error *err)
{
    const struct pg_target *target = scratch->target;
    struct connect_request request =
        target_request(target, target->embedded ? SERVER_DATABASE : NULL, scratch->name);
    request.hooks = &no_hooks;
    if (!own_connect(&request, &scratch->admin, err)) {
        return target_explain(target, err);
    }
    /* whatever the role or the database has set for others */
    bool ready = wire_do(&scratch->admin, "SET default_transaction_read_only = off", err) &&
                 wire_do(&scratch->admin, query_owner, err) &&
                 wire_do(&scratch->admin, without_limits(target->version), err);
    if (!ready) {
        own_close(&scratch->admin);
    }
    return ready;
}

/* One that the schema made a template can't be dropped. */
static bool is_template(struct wire *admin, const char *name)
{
    struct error ignored;
    const struct wire_params params = {.count = 1, .values = &name};
    PGresult *result = wire_query_ok(
        admin, "SELECT FROM pg_catalog.pg_database AS d WHERE d.datname = $1 AND d.datistemplate",
        &params, &ignored);
    bool is = PQntuples(result) > 0;
    PQclear(result);
    return is;
}

/* Ends the other connections to it, or waits for their end. */
static bool drop(struct wire *admin, const char *name, struct error *err)
{
    char sql[256];
    if (is_template(admin, name)) {
        (void)snprintf(sql, sizeof sql, "ALTER DATABASE %s IS_TEMPLATE false", name);
        (void)wire_do(admin, sql, err);
    }
    (void)snprintf(sql, sizeof sql, "DROP DATABASE IF EXISTS %s WITH (FORCE)", name);
    if (wire_do(admin, sql, err)) {
        return true;
    }
    /* A superuser's session, as of an agent that looks after a managed server, is not ours to end:
     * the server waits for it, five seconds at most. */
    (void)snprintf(sql, sizeof sql, "DROP DATABASE IF EXISTS %s", name);
    return strcmp(err->sqlstate, "42501") == 0 && wire_do(admin, sql, err);
}

/* Drops the databases that dead runs left. It keeps those of others, and those that have
 * connections. */
static void sweep(struct scratch *scratch)
{
    struct error ignored;
    PGresult *result =
        wire_query_ok(&scratch->admin,
                      "SELECT d.datname FROM pg_catalog.pg_database AS d "
                      "WHERE d.datname ~ " SCRATCH_NAMES " "
                      "AND pg_catalog.pg_has_role(d.datdba, 'USAGE') AND NOT EXISTS "
                      "(SELECT FROM pg_catalog.pg_stat_activity AS a "
                      "WHERE a.application_name = d.datname OR a.datname = d.datname)",
                      NULL, &ignored);
    for (int i = 0; i < PQntuples(result); i++) {
        const char *name = PQgetvalue(result, i, 0);
        if (drop(&scratch->admin, name, &ignored)) {
            char line[256];
            (void)snprintf(line, sizeof line,
                           "dropped the scratch database %s, which an earlier run left behind",
                           name);
            note_line(&scratch->target->hooks, line);
        }
    }
    PQclear(result);
}

/* A pooler keeps unused connections. We end them if the database must have none. */
static void end_idle(struct scratch *scratch, const char *name)
{
    struct error ignored;
    const struct wire_params params = {.count = 1, .values = &name};
    PQclear(wire_query_ok(&scratch->admin,
                          "SELECT pg_catalog.pg_terminate_backend(a.pid, 1000) "
                          "FROM pg_catalog.pg_stat_activity AS a "
                          "WHERE a.datname = $1 AND a.usename = current_user AND a.state = 'idle'",
                          &params, &ignored));
}

void scratch_renew(struct scratch *scratch)
{
    if (scratch->target && !scratch->target->embedded) {
        end_idle(scratch, scratch->name);
    }
}

static bool create_from(struct scratch *scratch, const char *template, const char *options,
                        struct error *err)
{
    char sql[256];
    (void)snprintf(sql, sizeof sql, "CREATE DATABASE %s TEMPLATE %s%s", scratch->name, template,
                   options);
    return wire_do(&scratch->admin, sql, err);
}

static bool create(struct scratch *scratch, struct error *err)
{
    const char *template = scratch->target->embedded ? SERVER_DATABASE : "template0";
    if (create_from(scratch, template, " ENCODING 'UTF8'", err)) {
        return true;
    }
    /* The server's locale has an encoding of its own. */
    return strcmp(err->sqlstate, "22023") == 0 &&
           create_from(scratch, template, " ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'", err);
}

/* A pooler may lead each name to the same database, and PGlite has a single one: what a file
 * commits there is not dropped. */
static bool is_there(const struct scratch *scratch, struct wire *wire, struct error *err)
{
    PGresult *result = wire_query_ok(wire, "SELECT pg_catalog.current_database()", NULL, err);
    bool is = result && strcmp(PQgetvalue(result, 0, 0), scratch->name) == 0;
    if (result && !is) {
        error_set(err, ERROR_USAGE, "a connection to it leads to the database %s",
                  PQgetvalue(result, 0, 0));
        error_hint(err, "connect to the server itself; " NO_SCRATCH);
    }
    PQclear(result);
    return is;
}

static bool check(struct scratch *scratch, struct error *err)
{
    PGconn *conn = NULL;
    struct wire wire;
    struct connect_request request = target_request(scratch->target, scratch->name, scratch->name);
    if (!connect_open(&request, &conn, err)) {
        if (err->code == ERROR_CONNECTION) {
            error_hint(err, "it needs a second connection, to another database: connect to the "
                            "server itself; " NO_SCRATCH);
        }
        return false;
    }
    wire_open(&wire, conn, request.hooks);
    bool fits = is_there(scratch, &wire, err) && pooler_check(&request, &wire, err);
    wire_close(&wire);
    return fits;
}

/* Copies what a copy lacks. A database that differs in anything is no copy. */
static bool complete(struct scratch *scratch, const char *source, struct error *err)
{
    const char *names[] = {source, scratch->name};
    const struct wire_params params = {.count = 2, .values = names};
    PGresult *result = wire_query_ok(&scratch->admin, query_belongings, &params, err);
    bool done = result && (PQgetisnull(result, 0, 0) ||
                           wire_do(&scratch->admin, PQgetvalue(result, 0, 0), err));
    PQclear(result);
    return done;
}

static void explain(const struct scratch *scratch, struct error *err)
{
    error_context(err, "could not create a scratch database");
    if (strcmp(err->sqlstate, "42501") == 0) {
        err->code = ERROR_USAGE;
        error_hint(err, "ALTER ROLE %s CREATEDB lets the user create one; " NO_SCRATCH,
                   PQuser(scratch->admin.conn));
    }
}

/* A name, and a connection for making it. */
static bool begin_scratch(struct scratch *scratch, const struct pg_target *target,
                          struct error *err)
{
    *scratch = (struct scratch){0};
    if (!random_name(scratch->name, sizeof scratch->name, err)) {
        return false;
    }
    scratch->target = target;
    if (!admin_open(scratch, err)) {
        scratch->target = NULL;
        return false;
    }
    return true;
}

bool scratch_adopt(struct scratch *scratch, const struct pg_target *target, struct error *err)
{
    char sql[256];
    if (!begin_scratch(scratch, target, err)) {
        return false;
    }
    PGresult *result = wire_query_ok(&scratch->admin,
                                     "SELECT datname FROM pg_catalog.pg_database "
                                     "WHERE datname ~ " SCRATCH_NAMES,
                                     NULL, err);
    bool adopted = result && PQntuples(result) == 1;
    if (adopted) {
        (void)snprintf(sql, sizeof sql, "ALTER DATABASE %s RENAME TO %s", PQgetvalue(result, 0, 0),
                       scratch->name);
        adopted = wire_do(&scratch->admin, sql, err);
    }
    PQclear(result);
    own_close(&scratch->admin);
    if (!adopted) {
        *scratch = (struct scratch){0};
    }
    return adopted;
}

/* Of an embedded server the disk is memory, where copying files is quicker than to log each page
 * (which is what a server does by itself from PostgreSQL 15 on); a checkpoint costs it nothing. */
static const char *strategy(const struct pg_target *target)
{
    return target->embedded && target->version >= 150000 ? " STRATEGY file_copy" : "";
}

/* The standing connection, or another one if it is gone. */
static bool admin_ready(struct scratch *scratch, struct error *err)
{
    if (scratch->admin.conn && !scratch->admin.lost &&
        PQstatus(scratch->admin.conn) == CONNECTION_OK) {
        return true;
    }
    own_close(&scratch->admin);
    return admin_open(scratch, err);
}

void scratch_drop(struct scratch *scratch)
{
    struct error err;
    if (!scratch->target) {
        return;
    }
    if (!admin_ready(scratch, &err) ||
        (!drop(&scratch->admin, scratch->name, &err) &&
         !(admin_ready(scratch, &err) && drop(&scratch->admin, scratch->name, &err)))) {
        char line[256];
        (void)snprintf(line, sizeof line, "the scratch database %s %s left behind: %.120s",
                       scratch->name, scratch->unsure ? "may be" : "is", err.message);
        if (!scratch->target->embedded) {
            note_line(&scratch->target->hooks, line);
        }
    }
    own_close(&scratch->admin);
    *scratch = (struct scratch){0};
}

/* Ends the server's process that was creating the database when the connection was lost: it may not
 * know that yet. */
static void end_creation(struct scratch *scratch)
{
    struct error ignored;
    const char *name = scratch->name;
    const struct wire_params params = {.count = 1, .values = &name};
    if (admin_ready(scratch, &ignored)) {
        PQclear(wire_query_ok(&scratch->admin,
                              "SELECT pg_catalog.pg_terminate_backend(a.pid, 5000) "
                              "FROM pg_catalog.pg_stat_activity AS a "
                              "WHERE a.application_name = $1 "
                              "AND a.pid <> pg_catalog.pg_backend_pid()",
                              &params, &ignored));
    }
}

/* If the connection is lost, we can't know whether the database exists. */
static void abandon(struct scratch *scratch)
{
    scratch->unsure = scratch->admin.lost;
    if (scratch->unsure) {
        end_creation(scratch);
    }
    scratch_drop(scratch);
}

static bool make_scratch(struct scratch *scratch, const struct pg_target *target,
                         const char *source, struct error *err)
{
    if (!begin_scratch(scratch, target, err)) {
        return false;
    }
    if (!target->embedded && source) {
        end_idle(scratch, source);
    } else if (!target->embedded) {
        sweep(scratch);
    }
    bool created =
        source ? create_from(scratch, source, strategy(target), err) : create(scratch, err);
    if (created &&
        (source ? complete(scratch, source, err) : target->embedded || check(scratch, err))) {
        if (target->embedded) {
            own_close(&scratch->admin);
        }
        return true;
    }
    explain(scratch, err);
    if (created || scratch->admin.lost) {
        abandon(scratch);
    }
    own_close(&scratch->admin);
    scratch->target = NULL;
    return false;
}

bool scratch_make(struct scratch *scratch, const struct pg_target *target, struct error *err)
{
    return make_scratch(scratch, target, NULL, err);
}

bool scratch_clone(struct scratch *scratch, const struct scratch *source, struct error *err)
{
    assert(source->target != NULL);
    return make_scratch(scratch, source->target, source->name, err);
}

/* How to reach it, in psql's words. */
static void tell_kept(const struct scratch *scratch, const char *name)
{
    struct strbuf line = {0};
    const struct address *address = &scratch->target->address;
    static const struct {
        const char *keyword;
        const char *option;
    } options[] = {{"host", "-h"}, {"port", "-p"}, {"user", "-U"}};
    strbuf_addf(&line, "kept the scratch database: psql -d %s", name);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *value = address_get(address, options[i].keyword);
        if (value) {
            strbuf_addf(&line, " %s %s", options[i].option, value);
        }
    }
    note_line(&scratch->target->hooks, strbuf_text(&line));
    strbuf_free(&line);
}

void scratch_keep(struct scratch *scratch)
{
    struct error err;
    char kept[64];
    char sql[256];
    if (!scratch->target) {
        return;
    }
    if (scratch->target->embedded) {
        note_line(
            &scratch->target->hooks,
            "nothing is kept: the embedded server is removed with its databases; name a server");
        scratch_drop(scratch);
        return;
    }
    (void)snprintf(kept, sizeof kept, KEPT_PREFIX "%s", scratch->name + strlen(SCRATCH_PREFIX));
    (void)snprintf(sql, sizeof sql, "ALTER DATABASE %s RENAME TO %s", scratch->name, kept);
    bool renamed = admin_ready(scratch, &err);
    if (renamed) {
        end_idle(scratch, scratch->name);
        renamed = wire_do(&scratch->admin, sql, &err);
    }
    tell_kept(scratch, renamed ? kept : scratch->name);
    own_close(&scratch->admin);
    *scratch = (struct scratch){0};
}
