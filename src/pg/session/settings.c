#include "pg/session/session.h"

#include <inttypes.h>

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

/* A machine whose server has a simulated clock has its limits from stuck.c. */
static void add_limit(const struct session *session, const char *each, struct strbuf *sql)
{
    strbuf_addf(sql, "%sstatement_timeout = %lld", each,
                session->options.clock_us ? 0LL : (long long)session->options.statement_timeout_ms);
}

bool session_limit(struct session *session, bool on, struct error *err)
{
    struct strbuf sql = {0};
    if (on) {
        add_limit(session, "SET ", &sql);
    } else {
        strbuf_adds(&sql, "SET statement_timeout = 0");
    }
    bool set = wire_do(&session->wire, strbuf_text(&sql), err);
    strbuf_free(&sql);
    return set;
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
    add_limit(session, each, &sql);
    bool set = wire_do(&session->wire, strbuf_text(&sql), err);
    strbuf_free(&sql);
    return set;
}

bool session_error(const struct session *session, const PGresult *result, struct error *err)
{
    int64_t limit_ms = session->options.statement_timeout_ms;
    wire_error(result, err);
    if (err && err->cut_short && limit_ms > 0) {
        error_hint(err,
                   "a query of pgfsm's own took longer than statement_timeout, %" PRId64
                   " ms: give the machine more in its settings",
                   limit_ms);
    }
    return false;
}
