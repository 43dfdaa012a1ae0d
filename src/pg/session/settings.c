#include "pg/session/session.h"

/* Settings that fix the text forms which decode.c reads and docs/MACHINES.md promises, and settings
 * that keep a run quick and quiet. */
bool session_set_up(struct session *session, const char *each, struct error *err)
{
    static const char *const settings[] = {
        "jit = off",
        "TimeZone = 'UTC'",
        "DateStyle = 'ISO'",
        "IntervalStyle = 'postgres'",
        "bytea_output = 'hex'",
        "extra_float_digits = 1",
        "standard_conforming_strings = on",
        "row_security = on",
        "client_min_messages = error",
    };
    struct strbuf sql = {0};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        strbuf_addf(&sql, "%s%s;", each, settings[i]);
    }
    if (session->counts_functions) {
        strbuf_addf(&sql, "%strack_functions = 'all';", each);
    }
    strbuf_addf(&sql, "%sstatement_timeout = %lld", each,
                session->options.clock_us ? 0LL : (long long)session->options.statement_timeout_ms);
    bool set = wire_do(&session->wire, strbuf_text(&sql), err);
    strbuf_free(&sql);
    return set;
}
