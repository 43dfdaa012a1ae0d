/* The columns before a machine's migration: a value that is missing in another one is a fault of
 * the migration, whatever errors the machine accepts. */
#include "pg/session/session.h"

#include <string.h>

static const char *key_of(struct arena *arena, const char *schema, const char *table,
                          const char *column)
{
    return arena_printf(arena, "%zu %s %zu %s %s", strlen(schema), schema, strlen(table), table,
                        column);
}

bool session_note_columns(struct session *session, struct error *err)
{
    if (!session->machine->migration || session->machine->settings.errors != ERRORS_ANY) {
        return true;
    }
    PGresult *result = wire_query_ok(
        &session->wire,
        "SELECT n.nspname, c.relname, a.attname FROM pg_catalog.pg_attribute AS a "
        "JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) a.attrelid "
        "JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace "
        "WHERE a.attnum OPERATOR(pg_catalog.>) 0",
        NULL, err);
    session->columns = (struct map){.arena = &session->arena};
    for (int i = 0; result && i < PQntuples(result); i++) {
        const char *key = key_of(&session->arena, PQgetvalue(result, i, 0),
                                 PQgetvalue(result, i, 1), PQgetvalue(result, i, 2));
        (void)map_set_text(&session->columns, key, strlen(key), 1, NULL);
    }
    PQclear(result);
    return result != NULL;
}

bool session_column_is_new(const struct session *session, const struct server_error *error)
{
    const struct map *columns = &(session->lane.of ? session->lane.of : session)->columns;
    struct arena arena = {0};
    size_t number;
    if (!columns->count || strcmp(error->sqlstate, "23502") != 0 || !error->schema ||
        !error->table || !error->column) {
        return false;
    }
    const char *key = key_of(&arena, error->schema, error->table, error->column);
    bool known = map_get_text(columns, key, strlen(key), &number);
    arena_free(&arena);
    return !known;
}
