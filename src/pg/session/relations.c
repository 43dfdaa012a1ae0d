/* What of the schema can be read, what it consists of, and when: for comparing two databases. */
#include "pg/session/queries.h"
#include "pg/session/session.h"

#include <stdlib.h>
#include <string.h>

/* Columns of sql/readable.sql. */
enum { NAME, KIND, ID, COLUMN, COLUMN_SQL, TYPE };

static void add_column(struct backend_relation *relation, const PGresult *result, int row,
                       struct arena *arena)
{
    struct backend_relation_column *column = VEC_PUSH(arena, &relation->columns);
    column->name = arena_strdup(arena, PQgetvalue(result, row, COLUMN));
    column->sql = arena_strdup(arena, PQgetvalue(result, row, COLUMN_SQL));
    column->type = arena_strdup(arena, PQgetvalue(result, row, TYPE));
}

bool session_relations(struct backend *backend, struct arena *arena, struct backend_relations *out,
                       struct error *err)
{
    struct backend_relation *last = NULL;
    PGresult *result = session_ask(session_of(backend), query_readable, NULL, err);
    *out = (struct backend_relations){0};
    for (int i = 0; i < PQntuples(result); i++) {
        const char *name = PQgetvalue(result, i, NAME);
        if (!last || strcmp(last->name, name) != 0) {
            last = VEC_PUSH(arena, &out->items);
            last->name = arena_strdup(arena, name);
            last->kind = arena_strdup(arena, PQgetvalue(result, i, KIND));
            last->id = arena_strdup(arena, PQgetvalue(result, i, ID));
        }
        if (!PQgetisnull(result, i, COLUMN)) {
            add_column(last, result, i, arena);
        }
    }
    PQclear(result);
    return result != NULL;
}

bool session_parts(struct backend *backend, struct arena *arena, struct backend_parts *out,
                   struct error *err)
{
    enum { PART_OBJECT, PART_NAME, PART_KIND, PART_DEFINITION };
    PGresult *result = session_ask(session_of(backend), query_parts, NULL, err);
    *out = (struct backend_parts){0};
    for (int i = 0; i < PQntuples(result); i++) {
        *VEC_PUSH(arena, &out->items) = (struct backend_part){
            .object = arena_strdup(arena, PQgetvalue(result, i, PART_OBJECT)),
            .name = arena_strdup(arena, PQgetvalue(result, i, PART_NAME)),
            .kind = arena_strdup(arena, PQgetvalue(result, i, PART_KIND)),
            .definition = arena_strdup(arena, PQgetvalue(result, i, PART_DEFINITION)),
        };
    }
    PQclear(result);
    return result != NULL;
}

bool session_epoch(struct backend *backend, int64_t *now_us, struct error *err)
{
    static const char sql[] =
        "SELECT (EXTRACT(epoch FROM pg_catalog.now() - '2000-01-01 00:00:00+00'"
        "::pg_catalog.timestamptz) * 1000000)::pg_catalog.int8";
    PGresult *result = session_ask(session_of(backend), sql, NULL, err);
    if (result) {
        *now_us = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
    }
    PQclear(result);
    return result != NULL;
}
