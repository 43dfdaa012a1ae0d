/* Stops between the statements of functions: their texts in a database with gates have calls of
 * pg_pgfsm.stop (sql/gates.sql). Where the server refuses such a text, the function stays. */
#include "sql/stops.h"

#include "pg/session/queries.h"
#include "pg/session/session.h"

#include <stdlib.h>
#include <string.h>

/* A session that is to stop: a lane, and one of a replay script. */
#define IS_LANE "pg_catalog.current_setting('pgfsm.lane', true) OPERATOR(pg_catalog.<>) ''"
#define IS_STOPPED "pg_catalog.current_setting('pgfsm.stops', true) OPERATOR(pg_catalog.<>) ''"

#define STOP "pg_pgfsm.stop("

struct stopped_body {
    unsigned long oid;
    const char *name;   /* "total()" */
    const char *before; /* CREATE OR REPLACE FUNCTION … AS $function$ */
    const char *text;   /* as the schema has it */
    const char *after;  /* $function$ */
    const char *digest; /* md5 of `text` */
    struct stops stops;
};

struct stopped_bodies {
    VEC(struct stopped_body) items;
};

/* Whether the machine reads the texts of functions. */
static bool reads_texts(const struct machine *machine)
{
    static const char *const words[] = {"prosrc", "pg_get_functiondef", "routine_definition"};
    for (size_t i = 0; i < machine->templates.count; i++) {
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            if (strcasestr(machine->templates.items[i]->snippet.text, words[k])) {
                return true;
            }
        }
    }
    return false;
}

static char *body_with_stops(const struct stopped_body *body, const char *when, const char *call,
                             struct arena *arena)
{
    struct stops stops = body->stops;
    stops.when = when;
    stops.call = call;
    return stops_add(&stops, body->text, arena);
}

/* Gives the function its new text. */
static bool put_text(struct wire *wire, const struct stopped_body *body, bool *put,
                     struct error *err)
{
    struct arena arena = {0};
    const char *oid = arena_printf(&arena, "%lu", body->oid);
    const char *call = arena_printf(&arena, STOP "%lu, ", body->oid);
    const char *values[] = {oid, body_with_stops(body, IS_LANE, call, &arena)};
    const struct wire_params params = {.count = 2, .values = values};
    PGresult *result =
        values[1] ? wire_query_ok(wire, "SELECT pg_pgfsm.put($1, $2)", &params, err) : NULL;
    bool done = !values[1] || result;
    *put = result && *PQgetvalue(result, 0, 0) == 't';
    PQclear(result);
    arena_free(&arena);
    return done;
}

static void read_names(const PGresult *result, struct arena *arena, struct stops *stops)
{
    stops->name_count = (size_t)PQntuples(result);
    const char **names = ARENA_ARRAY(arena, const char *, stops->name_count);
    for (size_t i = 0; i < stops->name_count; i++) {
        names[i] = arena_strdup(arena, PQgetvalue(result, (int)i, 0));
    }
    stops->names = names;
}

static bool put_all(struct session *session, struct wire *wire, const PGresult *rows,
                    struct stops stops, struct error *err)
{
    struct stopped_bodies *all = ARENA_NEW(&session->arena, struct stopped_bodies);
    for (int i = 0; i < PQntuples(rows); i++) {
        bool put = false;
        struct stopped_body body = {.oid = strtoul(PQgetvalue(rows, i, 0), NULL, 10),
                                    .text = PQgetvalue(rows, i, 5),
                                    .stops = stops};
        body.stops.language =
            strcmp(PQgetvalue(rows, i, 1), "sql") == 0 ? STOPS_SQL : STOPS_PLPGSQL;
        body.stops.first = *PQgetvalue(rows, i, 2) == 't';
        if (!put_text(wire, &body, &put, err)) {
            return false;
        }
        if (put) {
            body.name = arena_strdup(&session->arena, PQgetvalue(rows, i, 3));
            body.before = arena_strdup(&session->arena, PQgetvalue(rows, i, 4));
            body.text = arena_strdup(&session->arena, body.text);
            body.after = arena_strdup(&session->arena, PQgetvalue(rows, i, 6));
            body.digest = arena_strdup(&session->arena, PQgetvalue(rows, i, 7));
            *VEC_PUSH(&session->arena, &all->items) = body;
        }
    }
    session->lane.bodies = all;
    return true;
}

/* What is left must not look as if it changed the catalog (sql/state.sql). */
static bool drop_put(struct wire *wire, struct error *err)
{
    return wire_do(wire, "DROP FUNCTION pg_pgfsm.put", err);
}

bool stops_make(struct session *session, struct wire *wire, struct error *err)
{
    if (reads_texts(session->machine)) {
        return drop_put(wire, err);
    }
    struct stops stops = {0};
    PGresult *names = wire_query_ok(wire, query_stops_names, NULL, err);
    PGresult *rows = names ? wire_query_ok(wire, query_stops, NULL, err) : NULL;
    if (rows) {
        read_names(names, &session->arena, &stops);
    }
    bool done = rows && put_all(session, wire, rows, stops, err) && drop_put(wire, err);
    PQclear(rows);
    PQclear(names);
    return done;
}

static const struct stopped_body *find_body(const struct session *session, unsigned long oid)
{
    const struct stopped_bodies *bodies = session->lane.bodies;
    for (size_t i = 0; bodies && i < bodies->items.count; i++) {
        if (bodies->items.items[i].oid == oid) {
            return &bodies->items.items[i];
        }
    }
    return NULL;
}

const char *stops_original(const struct session *session, const char *text)
{
    const char *stop = session->lane.bodies ? strstr(text, STOP) : NULL;
    const struct stopped_body *body =
        stop ? find_body(session, strtoul(stop + strlen(STOP), NULL, 10)) : NULL;
    return body ? body->text : text;
}

const char *stops_name(const struct session *session, unsigned long oid)
{
    const struct stopped_body *body = find_body(session, oid);
    return body ? body->name : "";
}

const char *stops_definition(const struct session *session, unsigned long oid, struct arena *arena)
{
    /* A function that was mended since stays as it is. */
    static const char as_it_was[] =
        "DO $pgfsm_do$ BEGIN IF EXISTS (SELECT FROM pg_catalog.pg_proc AS p "
        "WHERE pg_catalog.md5(p.prosrc) OPERATOR(pg_catalog.=) '%s') THEN\n"
        "EXECUTE $pgfsm_text$%s%s%s$pgfsm_text$;\nEND IF; END $pgfsm_do$";
    const struct stopped_body *body = find_body(session, oid);
    return body ? arena_printf(arena, as_it_was, body->digest, body->before,
                               body_with_stops(body, IS_STOPPED, "pgfsm.stop(", arena), body->after)
                : NULL;
}
