/*
 * What all databases of a server share is not changed by steps that are committed: roles, settings
 * of roles and databases, databases, tablespaces. No copy of a database has that, so nothing would
 * bring it back, and on a server that somebody named it would stay.
 *
 * That a statement does it is mostly seen when the machine is read. This is for functions: their
 * transaction is looked at before its COMMIT, which fails then, and the run ends. It is looked at
 * only where some text has the words for it, and before the first mark, when that is not known.
 */
#include "pg/session/session.h"

#include <string.h>

#define SQLSTATE_FOUND "22P02" /* see sql/shared.sql */

static bool may_share(const struct session *session)
{
    const struct session *of = session->lane.of ? session->lane.of : session;
    return !of->marked || of->found.shares;
}

static void looked_at(void *owner, uint64_t tag, PGresult *result)
{
    struct session *session = owner;
    struct error err;
    (void)tag;
    if (wire_is_error(result)) {
        wire_error(result, &err);
    }
    if (wire_is_error(result) && strcmp(err.sqlstate, SQLSTATE_FOUND) == 0) {
        error_set(&err, ERROR_MACHINE,
                  "steps can't be committed: one of them changes what all databases of a server "
                  "share, such as roles, which a new copy does not undo");
        error_hint(&err, "create roles in a file of `schema`, or commit no steps");
        session_break(session, session->flight.first, &err);
    }
    PQclear(result);
}

bool session_keep_shared(struct session *session, struct error *err)
{
    const struct wire_call call = {.done = looked_at, .owner = session};
    return !may_share(session) || session->failed ||
           session_send_fixed(session, FIXED_SHARED, NULL, call, err);
}
