/*
 * Coverage: what of the schema was touched, by the server's counters of the transaction under way.
 * They are asked before it is rolled back, never between steps, and added up here by name.
 *
 * Where steps are committed, the database's counters are asked after each example, before it is
 * undone, and reset after that. A session hands in what it counted when it is told to, which it can
 * be from PostgreSQL 15 on.
 */
#include "pg/session/queries.h"
#include "pg/session/session.h"

#include <stdlib.h>
#include <string.h>

#define SQLSTATE_DENIED "42501"

/* Setting it takes a superuser, or a grant (manual, section 20.9). */
bool session_prepare_coverage(struct session *session, struct error *err)
{
    struct error refusal = {0};
    if (!session->options.coverage) {
        return true;
    }
    session->counts_functions = wire_do(&session->wire, "SET track_functions = 'all'", &refusal);
    if (session->counts_functions) {
        return true;
    }
    if (strcmp(refusal.sqlstate, SQLSTATE_DENIED) != 0) {
        *err = refusal;
        return false;
    }
    const char *setting = NULL;
    if (!session_value(session, "SELECT pg_catalog.current_setting('track_functions')", NULL,
                       &session->arena, &setting, err)) {
        return false;
    }
    if (strcmp(setting, "all") != 0) {
        session->coverage.no_functions =
            arena_printf(&session->arena, "track_functions is %s, and %s may not set it", setting,
                         session->user);
    }
    return true;
}

void coverage_add(struct backend_coverage *coverage, struct arena *arena,
                  const struct backend_object *object)
{
    for (size_t i = 0; i < coverage->objects.count; i++) {
        struct backend_object *known = &coverage->objects.items[i];
        if (known->kind == object->kind && strcmp(known->name, object->name) == 0) {
            known->touched = known->touched || object->touched;
            if (object->reached && !known->reached) {
                known->reached = true;
                known->note = object->note ? arena_strdup(arena, object->note) : NULL;
            }
            return;
        }
    }
    *VEC_PUSH(arena, &coverage->objects) = (struct backend_object){
        .kind = object->kind,
        .name = arena_strdup(arena, object->name),
        .touched = object->touched,
        .note = object->note ? arena_strdup(arena, object->note) : NULL,
        .reached = object->reached,
    };
}

static struct backend_object object_of(const PGresult *result, int row)
{
    return (struct backend_object){
        .kind = (enum backend_object_kind)strtoul(PQgetvalue(result, row, 0), NULL, 10),
        .name = PQgetvalue(result, row, 1),
        .touched = *PQgetvalue(result, row, 2) == 't',
        .note = PQgetisnull(result, row, 3) ? NULL : PQgetvalue(result, row, 3),
        .reached = *PQgetvalue(result, row, 4) == 't',
    };
}

static void add_rows(struct session *session, const PGresult *result)
{
    for (int i = 0; i < PQntuples(result); i++) {
        const struct backend_object object = object_of(result, i);
        bool function = object.kind == OBJECT_FUNCTION || object.kind == OBJECT_TRIGGER_FUNCTION;
        if (!function || !session->coverage.no_functions) {
            coverage_add(&session->coverage, &session->arena, &object);
        }
    }
}

bool session_cover(struct session *session, struct error *err)
{
    struct text_array arrays[2] = {0}; /* users; whether of all transactions */
    if (!session->options.coverage || session->looked) {
        return true;
    }
    if (session->commits) {
        text_array_add(&arrays[1], "", 0);
    }
    for (size_t i = 0; i < session->statements.actors.count; i++) {
        const char *name = actor_name(session, i);
        if (session->statements.actors.items[i].ran) {
            text_array_add(&arrays[0], name, strlen(name));
        }
    }
    PGresult *result = session_ask_texts(session, query_coverage, arrays, 2, err);
    if (result) {
        add_rows(session, result);
    }
    bool told = result != NULL;
    PQclear(result);
    return told;
}

bool coverage_is_known(const struct session *session)
{
    return !session->commits || session->target->version >= 150000;
}

static bool hand_in(struct session *session, struct error *err)
{
    static const char sql[] = "SELECT pg_catalog.pg_stat_force_next_flush()";
    return wire_do(&session->wire, sql, err) &&
           (!session->commit.restorer.conn || wire_do(&session->commit.restorer, sql, err));
}

bool session_cover_example(struct session *session, struct error *err)
{
    return !session->options.coverage || !coverage_is_known(session) ||
           (hand_in(session, err) && session_cover(session, err));
}

bool session_cover_next(struct session *session, struct error *err)
{
    /* if rows can't be restored, none were read for that, and the counters may not be reset */
    bool read = session->options.coverage && session->found.restorable;
    session->looked = false;
    return !read || !coverage_is_known(session) ||
           (hand_in(session, err) &&
            wire_do(&session->wire, "SELECT pg_catalog.pg_stat_reset()", err));
}
