#include "pg/blocker.h"

#include "pg/own.h"

#include <stdio.h>
#include <string.h>

enum { LOOK_EVERY_MS = 1000 };

static bool connect_watch(struct blocker_watch *watch)
{
    struct error ignored;
    struct connect_request request = target_request(watch->target, NULL, "pgfsm");
    request.hooks = &no_hooks;
    return own_connect(&request, &watch->wire, &ignored);
}

static void end_sleep(struct blocker_watch *watch)
{
    struct error ignored;
    const struct wire_params params = {.count = 1, .values = &watch->application};
    PGresult *result =
        wire_query_ok(&watch->wire,
                      "SELECT pg_catalog.pg_cancel_backend(pid) FROM pg_catalog.pg_stat_activity "
                      "WHERE application_name = $1 AND wait_event = 'PgSleep'",
                      &params, &ignored);
    watch->slept |= PQntuples(result) > 0;
    PQclear(result);
}

static void look_for_blocker(struct blocker_watch *watch)
{
    struct error ignored;
    if (!watch->wire.conn && !connect_watch(watch)) {
        return;
    }
    if (watch->target->server.faketime.path) {
        end_sleep(watch);
    }
    const struct wire_params params = {.count = 1, .values = &watch->application};
    PGresult *result = wire_query_ok(
        &watch->wire,
        "SELECT b.pid, b.usename, b.application_name, pg_catalog.left(b.query, 80) "
        "FROM pg_catalog.pg_stat_activity AS a "
        "CROSS JOIN LATERAL pg_catalog.unnest(pg_catalog.pg_blocking_pids(a.pid)) AS p (pid) "
        "JOIN pg_catalog.pg_stat_activity AS b ON b.pid = p.pid "
        "WHERE a.application_name = $1 LIMIT 1",
        &params, &ignored);
    if (PQntuples(result) > 0) {
        (void)snprintf(watch->found, sizeof watch->found, "process %s (user %s, %s): %s",
                       PQgetvalue(result, 0, 0), PQgetvalue(result, 0, 1), PQgetvalue(result, 0, 2),
                       PQgetvalue(result, 0, 3));
    }
    PQclear(result);
}

static bool ask_blocked(void *host)
{
    struct blocker_watch *watch = host;
    if (clock_ms() >= watch->next_ms) {
        look_for_blocker(watch);
        watch->next_ms = clock_ms() + LOOK_EVERY_MS;
    }
    return interrupt_wanted(&watch->target->hooks);
}

void blocker_watch_begin(struct blocker_watch *watch, const struct pg_target *target,
                         const char *application)
{
    *watch = (struct blocker_watch){
        .hooks = {.interrupted = ask_blocked, .host = watch},
        .target = target,
        .application = application,
        .next_ms = clock_ms() + LOOK_EVERY_MS,
    };
}

void blocker_watch_end(struct blocker_watch *watch) { own_close(&watch->wire); }
