/* Asks the catalog about a type when the session first meets it. */
#include "pg/session/queries.h"
#include "pg/session/session.h"

/* "{1,2" of those that are not known. */
static void add_unknown(const struct session *session, uint32_t oid, struct strbuf *out)
{
    if (oid != 0 && !types_find(&session->types, oid)) {
        strbuf_addf(out, "%c%u", out->size ? ',' : '{', oid);
    }
}

static bool learn_unknown(struct session *session, struct strbuf *unknown, struct error *err)
{
    bool done = true;
    if (unknown->size > 0) {
        strbuf_addc(unknown, '}');
        const char *value = strbuf_text(unknown);
        const struct wire_params params = {.count = 1, .values = &value};
        PGresult *result = session_ask(session, query_types, &params, err);
        for (int i = 0; i < PQntuples(result); i++) {
            const char *row[TYPES_COLUMNS];
            for (int j = 0; j < TYPES_COLUMNS; j++) {
                row[j] = PQgetvalue(result, i, j);
            }
            types_add(&session->types, row);
        }
        done = result != NULL;
        PQclear(result);
    }
    strbuf_free(unknown);
    return done;
}

bool session_learn_type(struct session *session, uint32_t oid, struct error *err)
{
    struct strbuf unknown = {0};
    add_unknown(session, oid, &unknown);
    return learn_unknown(session, &unknown, err);
}

bool session_learn_types(struct session *session, const PGresult *result, struct error *err)
{
    struct strbuf unknown = {0};
    for (int i = 0; i < PQnparams(result); i++) {
        add_unknown(session, PQparamtype(result, i), &unknown);
    }
    for (int i = 0; i < PQnfields(result); i++) {
        add_unknown(session, PQftype(result, i), &unknown);
    }
    return learn_unknown(session, &unknown, err);
}
