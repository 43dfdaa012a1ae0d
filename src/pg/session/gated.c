#include "machine/sql/sql_study.h"
#include "pg/session/session.h"

/* Around a statement that locks rows: each goes through a gate when it is locked. */
bool gated_is(const struct session *session, const struct sql_template *sql)
{
    return session->lane.by_row && sql_locks_rows(&sql->snippet);
}

void gated_text(struct strbuf *text)
{
    struct strbuf gated = {0};
    strbuf_addf(&gated,
                "WITH pgfsm_rows AS MATERIALIZED (%s\n) SELECT * FROM pgfsm_rows WHERE "
                "pg_pgfsm.locked()",
                strbuf_text(text));
    strbuf_clear(text);
    strbuf_add(text, gated.data, gated.size);
    strbuf_free(&gated);
}
