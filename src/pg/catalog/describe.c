#include "machine/conditions.h"
#include "pg/catalog/catalog.h"
#include "pg/pg.h"
#include "pg/session/queries.h"

#include <string.h>

bool pg_describe(struct backend *backend, const char *const *tables, size_t count,
                 struct arena *arena, const char **json, struct error *err)
{
    struct text_array arrays[2] = {0};
    for (size_t i = 0; i < count; i++) {
        text_array_add(&arrays[0], tables[i], strlen(tables[i]));
    }
    for (size_t i = 0; i < condition_count; i++) {
        text_array_add(&arrays[1], conditions[i].name, strlen(conditions[i].name));
    }
    PGresult *result = session_ask_texts(session_of(backend), query_init, arrays, 2, err);
    *json = result ? arena_strdup(arena, PQgetvalue(result, 0, 0)) : NULL;
    PQclear(result);
    return *json;
}
