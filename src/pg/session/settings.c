#include "pg/session/session.h"

static void add_all(struct strbuf *sql, const char *each, const char *const *settings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        strbuf_addf(sql, "%s%s;", each, settings[i]);
    }
}

/* Other plans than usual for small tables: groups by sorting instead of by hashes, joins by loops,
 * rows by an index, so that where no ORDER BY decides other rows come first. No plan is ruled out:
 * the server takes one that is off where there is no other. */
static void add_perturbed(struct strbuf *sql, const char *each)
{
    static const char *const settings[] = {
        "enable_hashagg = off",
        "enable_hashjoin = off",
        "enable_seqscan = off",
        "enable_bitmapscan = off",
        "enable_partitionwise_aggregate = on",
        "enable_partitionwise_join = on",
        "from_collapse_limit = 1",
        "join_collapse_limit = 1",
    };
    add_all(sql, each, settings, sizeof settings / sizeof *settings);
}

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
        "array_nulls = on",
        "quote_all_identifiers = off",
        "row_security = on",
        "client_min_messages = error",
    };
    struct strbuf sql = {0};
    add_all(&sql, each, settings, sizeof settings / sizeof *settings);
    if (session->options.perturbed) {
        add_perturbed(&sql, each);
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
