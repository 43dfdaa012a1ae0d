/* Single faults to plant in the schema: each family is a query of sql/mutate/. */
#include "pg/catalog/catalog.h"
#include "pg/pg.h"
#include "pg/session/queries.h"

static const char *const families[] = {
    query_mutate_constraints, query_mutate_columns,  query_mutate_security, query_mutate_privileges,
    query_mutate_functions,   query_mutate_triggers, query_mutate_indexes,
};

struct mutants {
    VEC(struct pg_mutant) items;
};

static bool read_family(struct session *session, const char *query, struct arena *arena,
                        struct mutants *out, struct error *err)
{
    PGresult *result = session_ask(session, query, NULL, err);
    for (int row = 0; row < PQntuples(result); row++) {
        struct pg_mutant *mutant = VEC_PUSH(arena, &out->items);
        const char **columns[] = {
            &(mutant->operator), &mutant->kind,    &mutant->object, &mutant->relation,
            &mutant->was,        &mutant->becomes, &mutant->ddl,    &mutant->equivalent,
        };
        for (int i = 0; i < (int)(sizeof columns / sizeof *columns); i++) {
            *columns[i] = PQgetisnull(result, row, i)
                              ? NULL
                              : arena_strdup(arena, PQgetvalue(result, row, i));
        }
    }
    bool read = result != NULL;
    PQclear(result);
    return read;
}

bool pg_mutants(struct backend *backend, struct arena *arena, struct pg_mutant **out, size_t *count,
                struct error *err)
{
    struct session *session = session_of(backend);
    struct mutants found = {0};
    bool read = true;
    for (size_t i = 0; read && i < sizeof families / sizeof *families; i++) {
        read = read_family(session, families[i], arena, &found, err);
    }
    *out = found.items.items;
    *count = found.items.count;
    return read;
}
