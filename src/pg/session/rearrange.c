/*
 * Rows in another physical order than that in which they were written, which decides ties: for a
 * session that is perturbed, before each step. Only where a rollback undoes it, by a superuser, and
 * not where constraint triggers may still have to find their rows (see deferred.c).
 */
#include "pg/session/queries.h"
#include "pg/session/session.h"

static bool may_rearrange(struct session *session, struct error *err)
{
    static const char sql[] = "SELECT pg_catalog.current_setting('is_superuser') = 'on' AND EXISTS "
                              "(SELECT FROM pg_catalog.pg_language WHERE lanname = 'plpgsql')";
    PGresult *result = session_ask(session, sql, NULL, err);
    if (result) {
        session->rearranges =
            *PQgetvalue(result, 0, 0) == 't' ? REARRANGES_ROWS : REARRANGES_NOTHING;
    }
    PQclear(result);
    return result != NULL;
}

bool session_rearrange(struct session *session, struct error *err)
{
    if (!session->options.perturbed || session->commits || session->deferral.by_savepoint) {
        return true;
    }
    if (session->rearranges == REARRANGES_UNKNOWN && !may_rearrange(session, err)) {
        return false;
    }
    return session->rearranges == REARRANGES_NOTHING || session->failed ||
           session_own(session, query_rearrange, err);
}
