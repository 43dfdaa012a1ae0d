/* Statements of the machine that change what names mean, though they do not look so: they call a
 * function that makes tables, write to a table whose trigger does, or set search_path. */
#include "pg/queries.h"
#include "pg/session.h"
#include "pg/text_array.h"

#include <string.h>

struct makers {
    struct arena arena;
    VEC(const char *) names;
};

/* What is found through those that are known; false also where nothing is, without err. */
static bool find_more(struct session *session, struct makers *makers, bool *more, struct error *err)
{
    struct text_array known = {0};
    for (size_t i = 0; i < makers->names.count; i++) {
        text_array_add(&known, makers->names.items[i], strlen(makers->names.items[i]));
    }
    const char *value = text_array_finish(&session->types, &known);
    const struct wire_params params = {.count = 1, .values = &value};
    PGresult *result = session_ask(session, query_makers, &params, err);
    int count = PQntuples(result);
    for (int i = 0; i < count; i++) {
        *VEC_PUSH(&makers->arena, &makers->names) =
            arena_strdup(&makers->arena, PQgetvalue(result, i, 0));
    }
    *more = count > 0;
    bool done = result != NULL;
    PQclear(result);
    text_array_free(&known);
    return done;
}

static bool changes_names(const struct makers *makers, const struct sql_template *sql)
{
    bool does = sql->is_ddl || sql_mentions(&sql->snippet, "search_path");
    for (size_t i = 0; i < makers->names.count && !does; i++) {
        does = sql_mentions(&sql->snippet, makers->names.items[i]);
    }
    return does;
}

bool session_find_makers(struct session *session, struct error *err)
{
    struct makers makers = {0};
    bool more = true;
    bool done = true;
    while (done && more) {
        done = find_more(session, &makers, &more, err);
    }
    session->changes = ARENA_ARRAY(&session->arena, bool, session->machine->templates.count);
    for (size_t i = 0; i < session->statements.uses.count && done; i++) {
        const struct use *use = &session->statements.uses.items[i];
        bool sets_up = use->place == USE_DATASET || use->place == USE_INITIALIZE;
        bool does = changes_names(&makers, use->sql);
        session->changes[use->sql->id] = does;
        session->has_ddl |= does;
        session->rules_change |= does && !sets_up;
        session->sets_up |= sets_up;
    }
    arena_free(&makers.arena);
    return done;
}
