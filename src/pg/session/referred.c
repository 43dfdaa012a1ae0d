/*
 * Rows that foreign keys may refer to, for column() and row(). They are asked for often, several
 * times for one step: an answer is kept until something else is sent, and the queries as prepared
 * statements, which run where the schema is that of the mark. The queries call nothing by name
 * (sql/keys.sql). Where steps are committed, other sessions may write, and nothing is kept.
 */
#include "pg/session/session.h"
#include "pg/types/decode.h"

#include <stdio.h>
#include <string.h>

/* A query about them. */
struct referred {
    char name[32]; /* of the prepared statement */
    bool prepared;
    PGresult *rows; /* owned; NULL: they are not known */
    uint64_t calls; /* the session's, when they were asked for */
};

static struct referred *find(struct session *session, const char *query)
{
    struct catalog_facts *facts = &session->catalog;
    size_t number;
    facts->referred_numbers.arena = &session->arena;
    if (map_get_text(&facts->referred_numbers, query, strlen(query), &number)) {
        return facts->referred.items[number];
    }
    number = facts->referred.count;
    query = arena_strdup(&session->arena, query);
    struct referred *referred = ARENA_NEW(&session->arena, struct referred);
    (void)snprintf(referred->name, sizeof referred->name, "pgfsm_referred_%zu", number);
    *VEC_PUSH(&session->arena, &facts->referred) = referred;
    (void)map_set_text(&facts->referred_numbers, query, strlen(query), number, NULL);
    return referred;
}

void session_forget_referred(struct session *session)
{
    for (size_t i = 0; i < session->catalog.referred.count; i++) {
        struct referred *referred = session->catalog.referred.items[i];
        PQclear(referred->rows);
        referred->rows = NULL;
        referred->prepared = false;
    }
}

/* NULL with `stale` set: the example is to be run again. */
static PGresult *ask_by_name(struct session *session, struct referred *referred, const char *query,
                             struct error *err)
{
    PGresult *result = NULL;
    PGresult *prepared = NULL;
    const struct wire_call prepare = {.done = wire_keep, .owner = &prepared};
    const struct wire_call call = {.done = wire_keep, .owner = &result};
    bool done =
        (referred->prepared || wire_parse(&session->wire, referred->name, query, prepare, err)) &&
        wire_execute(&session->wire, referred->name, NULL, call, err) &&
        wire_drain(&session->wire, err);
    const PGresult *answer = prepared && wire_is_error(prepared) ? prepared : result;
    referred->prepared = done && !wire_is_error(answer);
    if (done && !referred->prepared) {
        session->stale = session_was_deallocated(session, answer) || session_is_stale(answer);
        session->failed = session->failed || session->stale;
        done = session->stale || wire_error(answer, err);
    }
    PQclear(prepared);
    if (!referred->prepared) {
        PQclear(result);
        result = NULL;
    }
    return result;
}

/* As the connecting user, who sees all rows. */
static PGresult *ask(struct session *session, struct referred *referred, const char *query,
                     struct error *err)
{
    bool by_name = referred && !session->deallocated && !session->migrating.done &&
                   session->schema == session->at_mark.schema;
    contexts_doubt(&session->contexts);
    if (!session_context(session, NULL, err) || !session_settle(session, err)) {
        return NULL;
    }
    PGresult *result = by_name ? ask_by_name(session, referred, query, err)
                               : wire_query_ok(&session->wire, query, NULL, err);
    if (result && !session_learn_types(session, result, err)) {
        PQclear(result);
        return NULL;
    }
    return result;
}

static bool read(const struct session *session, const PGresult *result, struct arena *arena,
                 struct value *out, struct error *err)
{
    const struct decoder decoder = {&session->types, arena};
    size_t columns = (size_t)PQnfields(result);
    struct value *items = ARENA_ARRAY(arena, struct value, columns);
    for (int i = 0; i < PQntuples(result); i++) {
        if (!result_row(&decoder, result, i, items, err)) {
            return false;
        }
        list_append(out->as.list, value_tuple(arena, items, columns));
    }
    return true;
}

bool session_rows(struct backend *backend, const struct key_facts *key, struct arena *arena,
                  struct value *out, struct error *err)
{
    struct session *session = session_of(backend);
    *out = value_list(arena);
    if (session->failed) {
        return true; /* the example is over */
    }
    struct referred *referred = session->commits ? NULL : find(session, key->query);
    if (referred && referred->rows && referred->calls == session->calls) {
        return read(session, referred->rows, arena, out, err);
    }
    PGresult *result = ask(session, referred, key->query, err);
    bool done = result ? read(session, result, arena, out, err) : session->stale;
    if (referred) {
        PQclear(referred->rows);
        referred->rows = result;
        referred->calls = session->calls;
    } else {
        PQclear(result);
    }
    return done;
}
