/*
 * Queries of our own on a session's connection: their names mean what is in pg_catalog (pg/own.h).
 * search_path is changed before the query, and a rollback to a savepoint puts it back, with all
 * that belongs to a setting, in the same flight.
 *
 * Most queries run with our path to the end, as they must if they call pg_get_viewdef or
 * pg_get_ruledef: these two look for `=` on it. Others are to name objects as the session would:
 * *described* queries. The server looks up a cursor's names when it is declared, and runs it when
 * it is fetched. Between the two, the session's path comes back from a setting of ours.
 */
#include "pg/own.h"
#include "pg/session/queries.h"
#include "pg/session/session.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#define SET_CONFIG "pg_catalog.set_config"
#define KEEP(name) SET_CONFIG "('pgfsm." name "', pg_catalog.current_setting('" name "'), true)"
#define TAKE_PATH                                                                                  \
    "SELECT " KEEP("search_path") ", " SET_CONFIG "('search_path', '" OWN_PATH "', true)"
/* The machine's limit is meant for its statements, and may be short: of ours it ends only those
 * that wait for somebody's lock. */
#define TAKE_LIMIT                                                                                 \
    ", " KEEP("lock_timeout") ", " KEEP(                                                           \
        "statement_timeout") ", " SET_CONFIG                                                       \
                             "('lock_timeout', pg_catalog.current_setting('statement_timeout'), "  \
                             "true), " SET_CONFIG "('statement_timeout', '0', true)"
#define GIVE_PATH                                                                                  \
    "SELECT " SET_CONFIG "('search_path', pg_catalog.current_setting('pgfsm.search_path'), true)"

static bool is_described(const char *sql)
{
    static const char *const described[] = {
        query_coverage, query_free,  query_init, query_keys,  query_lasting,
        query_literals, query_table, query_type, query_types, query_unseen,
    };
    for (size_t i = 0; i < sizeof described / sizeof *described; i++) {
        if (sql == described[i]) {
            return true;
        }
    }
    return false;
}

/* A query, and its answer. */
struct asking {
    struct wire *wire;
    const char *sql;
    const struct wire_params *params;
    PGresult *result;
    uint64_t item;
};

static bool send_asking(struct asking *asking, const char *sql, const struct wire_params *params,
                        struct error *err)
{
    const struct wire_call call = {.done = wire_keep, .owner = &asking->result};
    asking->item = asking->wire->sent;
    return wire_run(asking->wire, sql, params, call, err);
}

static bool send_after(struct asking *asking, const char *sql, struct error *err)
{
    return wire_run(asking->wire, sql, NULL, (struct wire_call){0}, err);
}

/* The cursor ends with the savepoint or the transaction. */
static bool send_described(struct asking *asking, struct error *err)
{
    struct strbuf sql = {0};
    strbuf_addf(&sql, "DECLARE pgfsm_described NO SCROLL CURSOR FOR %s", asking->sql);
    bool sent = send_asking(asking, strbuf_text(&sql), asking->params, err) &&
                send_asking(asking, GIVE_PATH, NULL, err) &&
                send_asking(asking, "FETCH ALL FROM pgfsm_described", NULL, err);
    strbuf_free(&sql);
    return sent;
}

static bool send_query(struct asking *asking, struct error *err)
{
    return send_asking(asking, TAKE_PATH TAKE_LIMIT, NULL, err) &&
           (is_described(asking->sql) ? send_described(asking, err)
                                      : send_asking(asking, asking->sql, asking->params, err));
}

static bool ask_inside(struct asking *asking, struct error *err)
{
    return send_asking(asking, "SAVEPOINT pgfsm_own", NULL, err) && send_query(asking, err) &&
           send_after(asking, "ROLLBACK TO SAVEPOINT pgfsm_own", err) &&
           send_after(asking, "RELEASE SAVEPOINT pgfsm_own", err) && wire_drain(asking->wire, err);
}

/* In a transaction of its own. A named database sees no COMMIT. */
static bool ask_outside(struct asking *asking, struct error *err)
{
    return send_asking(asking, "BEGIN", NULL, err) && send_query(asking, err) &&
           send_after(asking, "ROLLBACK", err) && wire_drain(asking->wire, err) &&
           (PQtransactionStatus(asking->wire->conn) == PQTRANS_IDLE ||
            (send_after(asking, "ROLLBACK", err) && wire_drain(asking->wire, err)));
}

static void name_limit(const struct session *session, struct error *err)
{
    int64_t limit_ms = session->options.statement_timeout_ms;
    if (strcmp(err->sqlstate, "55P03") == 0 && limit_ms > 0) {
        error_hint(err,
                   "a query of pgfsm's own took longer than statement_timeout, %" PRId64
                   " ms: give the machine more in its settings",
                   limit_ms);
    }
}

PGresult *session_query(struct session *session, const char *sql, const struct wire_params *params,
                        struct error *err)
{
    struct asking asking = {.wire = &session->wire, .sql = sql, .params = params};
    bool done = wire_drain(asking.wire, err) &&
                (PQtransactionStatus(asking.wire->conn) == PQTRANS_IDLE ? ask_outside(&asking, err)
                                                                        : ask_inside(&asking, err));
    if (done && wire_is_too_long(asking.wire, asking.item, asking.result)) {
        done = wire_too_long(err);
    } else if (done && wire_is_error(asking.result)) {
        done = wire_error(asking.result, err);
        name_limit(session, err);
    }
    if (!done) {
        PQclear(asking.result);
        return NULL;
    }
    return asking.result;
}

bool session_value(struct session *session, const char *sql, const char *param, struct arena *arena,
                   const char **out, struct error *err)
{
    const struct wire_params params = {.count = param ? 1 : 0, .values = &param};
    PGresult *result = session_query(session, sql, &params, err);
    if (!result) {
        return false;
    }
    *out = PQgetisnull(result, 0, 0) ? NULL : arena_strdup(arena, PQgetvalue(result, 0, 0));
    PQclear(result);
    return true;
}

PGresult *session_ask(struct session *session, const char *sql, const struct wire_params *params,
                      struct error *err)
{
    return session_settle(session, err) ? session_query(session, sql, params, err) : NULL;
}

PGresult *session_ask_texts(struct session *session, const char *sql, struct text_array *arrays,
                            size_t count, struct error *err)
{
    enum { ARRAYS_MAX = 4 };
    const char *values[ARRAYS_MAX];
    const struct wire_params params = {.count = (int)count, .values = values};
    assert(count <= ARRAYS_MAX);
    for (size_t i = 0; i < count; i++) {
        values[i] = text_array_finish(&session->types, &arrays[i]);
    }
    PGresult *result = session_ask(session, sql, &params, err);
    for (size_t i = 0; i < count; i++) {
        text_array_free(&arrays[i]);
    }
    return result;
}

/* In the DDL, names are printed as our path requires: pg_catalog's stand alone. The quoted body of
 * a function is the schema's own text: the server must check it with the session's path. */
bool session_do_ddl(struct session *session, const char *sql, struct error *err)
{
    struct strbuf text = {0};
    bool quoted = strncmp(sql, "CREATE OR REPLACE ", 18) == 0 && strstr(sql, "\nAS $");
    strbuf_adds(&text, quoted ? "" : TAKE_PATH "; ");
    strbuf_addf(&text, "%s", sql);
    strbuf_adds(&text, quoted ? "" : "; " GIVE_PATH);
    bool done = wire_do(&session->wire, strbuf_text(&text), err);
    strbuf_free(&text);
    return done;
}
