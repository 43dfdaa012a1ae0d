#include "diff/constants.h"

/* It runs with the schema's search_path. pg_get_viewdef runs a query, whose operators would be
 * looked for there, so views are not read. */
static const char query[] =
    "SELECT DISTINCT pg_catalog.lower(m.found[1]) FROM (SELECT p.prosrc FROM pg_catalog.pg_proc AS "
    "p"
    " WHERE p.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid"
    " UNION ALL SELECT pg_catalog.pg_get_function_sqlbody(p.oid) FROM pg_catalog.pg_proc AS p"
    " WHERE p.oid OPERATOR(pg_catalog.>=) 16384::pg_catalog.oid AND p.prosqlbody IS NOT NULL"
    " UNION ALL SELECT t.typdefault FROM pg_catalog.pg_type AS t"
    " UNION ALL SELECT pg_catalog.pg_get_expr(d.adbin, d.adrelid) FROM pg_catalog.pg_attrdef AS d"
    " UNION ALL SELECT pg_catalog.pg_get_expr(c.conbin, c.conrelid)"
    " FROM pg_catalog.pg_constraint AS c"
    " UNION ALL SELECT pg_catalog.concat(pg_catalog.pg_get_expr(p.polqual, p.polrelid), ' ',"
    " pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid)) FROM pg_catalog.pg_policy AS p)"
    " AS t (text) CROSS JOIN LATERAL pg_catalog.regexp_matches(t.text,"
    " '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})', 'gi') AS m (found)";

static void note(const struct answer *answer, struct pairs *const *pairs, size_t count)
{
    for (size_t row = 0; row < answer->row_count; row++) {
        for (size_t i = 0; i < count; i++) {
            pairs_sent(pairs[i], answer->rows[row].as.tuple->items[0]);
        }
    }
}

bool constants_note(struct backend *const backends[2], struct pairs *const *pairs, size_t count,
                    struct error *err)
{
    struct arena arena = {0};
    backend_ticket tickets[2];
    struct answer answer;
    const char *const sql[] = {query};
    const struct backend_queries reads = {sql, 1, NULL};
    bool ok = true;
    for (size_t i = 0; i < 2 && ok; i++) {
        ok = backends[i]->ops->queue_reads(backends[i], &reads, &tickets[i], err);
    }
    for (size_t i = 0; i < 2 && ok; i++) {
        ok = backends[i]->ops->take(backends[i], tickets[i], &arena, &answer, err);
        if (ok && answer.status != ANSWER_OK) {
            ok = error_set(err, ERROR_SERVER, "the uuids that the schema names can't be read: %s",
                           answer.error.message);
        }
        if (ok) {
            note(&answer, pairs, count);
        }
    }
    arena_free(&arena);
    return ok;
}
