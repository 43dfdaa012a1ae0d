/* The texts of the schema that single faults are planted in. With gates, functions have others. */
#include "pg/catalog/catalog.h"
#include "pg/pg.h"
#include "pg/session/queries.h"

bool pg_bodies(struct backend *backend, struct arena *arena, struct pg_body **out, size_t *count,
               struct error *err)
{
    struct session *session = session_of(backend);
    PGresult *result = session_ask(session, query_bodies, NULL, err);
    bool read = result != NULL;
    int rows = PQntuples(result);
    *out = ARENA_ARRAY(arena, struct pg_body, (size_t)rows);
    *count = (size_t)rows;
    for (int row = 0; row < rows; row++) {
        struct pg_body *body = &(*out)[row];
        const char **columns[] = {
            &body->kind,   &body->object, &body->relation, &body->what,
            &body->source, &body->before, &body->after,    &body->others,
        };
        for (int i = 0; i < (int)(sizeof columns / sizeof *columns); i++) {
            *columns[i] = arena_strdup(arena, stops_original(session, PQgetvalue(result, row, i)));
        }
    }
    PQclear(result);
    return read;
}
