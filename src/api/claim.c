#include "api/sharing.h"

#include <string.h>

/* Asks once. The trace of another process is checked like that of a file. */
static bool ask(struct run_session *session, const struct pg_store_failure *row, bool stale,
                bool again, struct claimed *out, struct error *err)
{
    struct sharing *sharing = session->sharing;
    struct arena *arena = &session->run->arena;
    const struct known *before = sharing_find(sharing, row->identity, NULL);
    struct pg_store_claimed claimed;
    if (!pg_store_claim(sharing->store, row, stale && before ? before->epoch : 0, again, arena,
                        &claimed, err)) {
        return false;
    }
    struct known *known = sharing_add(sharing, row->identity, row->name);
    known->epoch = claimed.epoch;
    known->mine = claimed.how == STORE_MINE;
    *out = (struct claimed){.how = claimed.how == STORE_MINE ? CLAIM_MINE : CLAIM_TAKEN,
                            .by = claimed.holder};
    if (claimed.how != STORE_KNOWN) {
        return true;
    }
    const struct store_text text = {
        .path = row->name, .text = claimed.trace, .size = strlen(claimed.trace)};
    struct stored_trace *read = ARENA_NEW(arena, struct stored_trace);
    struct error wrong = {0};
    if (store_read_text(&text, session->machine, TRACE_WHOLE, arena, read, &wrong)) {
        out->how = CLAIM_KNOWN;
        out->trace = &read->trace;
        return true;
    }
    return stale || ask(session, row, true, true, out, err);
}

void sharing_claim(void *host, const struct failure *failure, bool wait, bool stale,
                   struct claimed *out)
{
    struct run_session *session = host;
    struct sharing *sharing = session->sharing;
    struct error err = {0};
    int64_t nap_ms = 0;
    const struct stored_trace found = keep_trace(session, failure);
    const struct pg_store_failure row = sharing_row(session->machine, &found, &session->run->arena);
    bool ok = !sharing->lost && ask(session, &row, stale, stale || wait, out, &err);
    while (ok && out->how == CLAIM_TAKEN && wait &&
           sharing_wait(session, out->by, "shrinks a failure", &nap_ms)) {
        bool taken = false;
        ok = pg_store_is_taken(sharing->store, &row, &taken, &err) &&
             (taken || ask(session, &row, stale, true, out, &err));
    }
    if (!ok) { /* then everybody shrinks for himself */
        out->how = CLAIM_MINE;
        sharing_lose(session, &err);
    }
}
