#include "pg/catalog/catalog.h"
#include "pg/pg.h"
#include "pg/session/queries.h"

#include <string.h>

bool pg_describe(struct backend *backend, const char *const *tables, size_t count,
                 struct arena *arena, const char **json, struct error *err)
{
    struct session *session = session_of(backend);
    struct text_array names = {0};
    for (size_t i = 0; i < count; i++) {
        text_array_add(&names, tables[i], strlen(tables[i]));
    }
    bool read = session_value(session, query_init, text_array_finish(&session->types, &names),
                              arena, json, err);
    text_array_free(&names);
    return read;
}
