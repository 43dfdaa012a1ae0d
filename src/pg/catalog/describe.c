#include "machine/conditions.h"
#include "pg/catalog/catalog.h"
#include "pg/pg.h"
#include "pg/session/queries.h"

#include <string.h>

/* Adds the tables as the first array. */
static void add_tables(struct text_array *arrays, const char *const *tables, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text_array_add(&arrays[0], tables[i], strlen(tables[i]));
    }
}

static bool take_json(PGresult *result, struct arena *arena, const char **json)
{
    *json = result ? arena_strdup(arena, PQgetvalue(result, 0, 0)) : NULL;
    PQclear(result);
    return *json;
}

bool pg_describe(struct backend *backend, const char *const *tables, size_t count,
                 struct arena *arena, const char **json, struct error *err)
{
    struct text_array arrays[2] = {0};
    add_tables(arrays, tables, count);
    for (size_t i = 0; i < condition_count; i++) {
        text_array_add(&arrays[1], conditions[i].name, strlen(conditions[i].name));
    }
    return take_json(session_ask_texts(session_of(backend), query_init, arrays, 2, err), arena,
                     json);
}

bool pg_describe_tables(struct backend *backend, const char *const *tables, size_t count,
                        struct arena *arena, const char **json, struct error *err)
{
    struct text_array arrays[2] = {0};
    add_tables(arrays, tables, count);
    return take_json(session_ask_texts(session_of(backend), query_init, arrays, 2, err), arena,
                     json);
}

bool pg_describe_free(struct backend *backend, const char *const *tables, size_t count,
                      struct arena *arena, const char **json, struct error *err)
{
    struct text_array arrays[3] = {0};
    struct session *session = session_of(backend);
    PGresult *definitions = session_ask(session, query_definitions, NULL, err);
    if (!definitions) {
        return false;
    }
    add_tables(arrays, tables, count);
    for (int row = 0; row < PQntuples(definitions); row++) {
        for (int i = 0; i < 2; i++) {
            text_array_add(&arrays[1 + i], PQgetvalue(definitions, row, i),
                           (size_t)PQgetlength(definitions, row, i));
        }
    }
    PQclear(definitions);
    return take_json(session_ask_texts(session, query_free, arrays, 3, err), arena, json);
}
