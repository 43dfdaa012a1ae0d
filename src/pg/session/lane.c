/*
 * Lanes: sessions beside a session that commits, in the same copy of the scratch database. They
 * belong to it, and one more connection, the *controller*, which holds the locks that lanes wait
 * for at gates (sql/gates.sql) and knows who waits for whom.
 *
 * Each lane has two of these locks, which it stops at by turns, and the controller always holds the
 * one that it stops at next. To let it go on, it takes the other one, which the lane left behind
 * when it went on from there, and gives up this one. So a lane that has said that it stops, and
 * does not wait yet, can't be missed.
 */
#include "example/lanes.h"

#include "pg/session/queries.h"
#include "pg/session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As in sql/gates.sql. */
#define GATE_LOCKS "1885828717"
#define CROSSED "FSM01"
#define STOPPED "FSM02"

/* The server looks for deadlocks soon, if the user may set that. */
#define IMPATIENT "pg_catalog.set_config('deadlock_timeout', '10ms', false)"

/* Not that of the session that it belongs to. */
#define UNLIMITED "pg_catalog.set_config('statement_timeout', '0', false)"

/* Of calls of a lane, more than a call has crossings: the server counts on from one to the next. */
enum { CROSSINGS_BITS = 20 };

struct lanes {
    struct session *items[LANES_MAX]; /* NULL: not opened yet */
    struct wire controller;
    uint64_t calls;  /* that were given stops */
    uint64_t looked; /* for tables without gates: one more than the session's `schema` then */
    bool rows;       /* there are row gates */
    PGresult *answer;
};

bool gates_make(struct session *session, struct error *err)
{
    struct wire wire = {0};
    bool connected = connect_beside(&session->scratch, &wire, err);
    session->lane.gates =
        connected && wire_do(&wire, query_gates, err) && stops_make(session, &wire, err);
    wire_close(&wire);
    if (connected && !session->lane.gates && err->code == ERROR_SERVER) {
        session->lane.no_gates = arena_printf(
            &session->arena, "sessions %s: %s can't make gates: %s; run %s as a superuser",
            session->options.lanes ? "stop only between statements, not inside of them"
                                   : "end only between statements, not inside of them",
            session->target->embedded ? "pgfsm" : "the user", err->message,
            session->options.lanes ? "machines with sessions" : "the machine");
        *err = (struct error){0};
        return true;
    }
    return session->lane.gates;
}

void gates_drop(const struct scratch *scratch)
{
    struct error ignored;
    struct wire wire = {0};
    (void)(connect_beside(scratch, &wire, &ignored) &&
           wire_do(&wire,
                   "UPDATE pg_proc AS p SET prosrc = b.text FROM pg_pgfsm.bodies AS b "
                   "WHERE b.function = p.oid; DROP SCHEMA pg_pgfsm CASCADE",
                   &ignored));
    wire_close(&wire);
}

static bool is_connected(struct wire *wire)
{
    struct error ignored;
    return wire->conn && !wire->lost && wire_poll(wire, &ignored);
}

/* Only the controller's last answer is waited for. */
static void keep_answer(void *owner, uint64_t tag, PGresult *result)
{
    struct lanes *lanes = owner;
    (void)tag;
    PQclear(lanes->answer);
    lanes->answer = result;
}

static struct wire_call kept_call(struct lanes *lanes)
{
    return (struct wire_call){.done = keep_answer, .owner = lanes};
}

static const char sql_release[] = "SELECT pg_catalog.pg_advisory_lock(" GATE_LOCKS ", $1), "
                                  "pg_catalog.pg_advisory_unlock(" GATE_LOCKS ", $2)";
static const char sql_blocked[] =
    "SELECT coalesce(pg_catalog.sum(1 << (n - 1)::pg_catalog.int4), 0), "
    "(SELECT a.wait_event OPERATOR(pg_catalog.=) 'PgSleep' "
    "FROM pg_catalog.pg_stat_get_activity($1) AS a) "
    "FROM pg_catalog.unnest($2::pg_catalog.int4[]) WITH ORDINALITY AS others (pid, n) "
    "WHERE pg_catalog.pg_isolation_test_session_is_blocked($1, ARRAY[pid])";
/* A transaction holds a lock of its own number. We ask first whether one is open, so that a session
 * which is just ending one does not count. */
static const char sql_kept[] =
    "SELECT coalesce(pg_catalog.sum(1 OPERATOR(pg_catalog.<<) (n OPERATOR(pg_catalog.-) "
    "1)::pg_catalog.int4), 0) "
    "FROM pg_catalog.unnest($2::pg_catalog.int4[]) WITH ORDINALITY AS others (pid, n) "
    "WHERE CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_locks AS l "
    "WHERE l.pid OPERATOR(pg_catalog.=) others.pid "
    "AND l.locktype OPERATOR(pg_catalog.=) 'virtualxid' AND l.mode OPERATOR(pg_catalog.=) "
    "'ExclusiveLock') THEN false "
    "ELSE pg_catalog.pg_isolation_test_session_is_blocked($1, ARRAY[others.pid]) END";
static const char sql_first_locks[] =
    "SELECT pg_catalog.pg_advisory_lock(" GATE_LOCKS ", 2 * n) "
    "FROM pg_catalog.generate_series(0, $1::pg_catalog.int4 - 1) AS n";

/* The locks must be held before a lane looks for them. That it waits for one itself would be a
 * mistake of ours. */
static bool open_controller(struct session *session, struct error *err)
{
    struct lanes *lanes = session->lane.lanes;
    struct wire *wire = &lanes->controller;
    char most[8];
    const char *count = most;
    const struct wire_params params = {.count = 1, .values = &count};
    (void)snprintf(most, sizeof most, "%d", LANES_MAX);
    lanes_leave(session);
    lanes->rows = false;
    if (!connect_beside(&session->scratch, wire, err) ||
        !wire_do(wire, without_limits(session->target->version), err) ||
        !wire_do(wire, "SET statement_timeout = '10s'", err) ||
        !wire_parse(wire, "pgfsm_release", sql_release, kept_call(lanes), err) ||
        !wire_parse(wire, "pgfsm_blocked", sql_blocked, kept_call(lanes), err) ||
        !wire_parse(wire, "pgfsm_kept", sql_kept, kept_call(lanes), err)) {
        return false;
    }
    PGresult *result = wire_query_ok(wire, sql_first_locks, &params, err);
    PQclear(result);
    return result != NULL;
}

static const char *notice_field(const PGresult *notice, int code)
{
    const char *text = PQresultErrorField(notice, code);
    return text ? text : "";
}

/* The server said something while the lane's socket was read. */
static void hear_gate(void *context, const PGresult *notice)
{
    struct session *session = context;
    const char *state = PQresultErrorField(notice, PG_DIAG_SQLSTATE);
    bool stopped = state && strcmp(state, STOPPED) == 0;
    if (stopped || (state && strcmp(state, CROSSED) == 0)) {
        session->lane.stopped = stopped;
        struct lane_gate gate = {.when = notice_field(notice, PG_DIAG_MESSAGE_PRIMARY),
                                 .schema = notice_field(notice, PG_DIAG_SCHEMA_NAME),
                                 .table = notice_field(notice, PG_DIAG_TABLE_NAME),
                                 .limited = *notice_field(notice, PG_DIAG_CONSTRAINT_NAME) != '\0'};
        const char *number = notice_field(notice, PG_DIAG_COLUMN_NAME);
        if (strcmp(gate.when, "BODY") == 0) {
            gate.kind = TRACE_GATE_BODY;
            gate.function = strtoul(notice_field(notice, PG_DIAG_DATATYPE_NAME), NULL, 10);
            gate.line = (unsigned)strtoul(number, NULL, 10);
            gate.name = stops_name(session->lane.of, gate.function);
        } else {
            gate.kind = strncmp(gate.when, "ROW", 3) == 0 ? TRACE_GATE_ROW : TRACE_GATE_WRITE;
            gate.number = strtoull(number, NULL, 10);
        }
        session->lane.host->crossed(session->lane.host, &gate, stopped);
    }
}

static bool wait_as_told(void *owner, int fd, bool writing, struct error *err)
{
    struct lane_host *host = ((struct session *)owner)->lane.host;
    return host->wait(host, fd, writing, err);
}

/* A lane shares what its session knows of the database. The server's time limits don't count for a
 * lane: while it stands at a gate or behind a lock, others use the time. */
static void share_database(struct session *session)
{
    const struct session *of = session->lane.of;
    session->scratch = (struct scratch){.target = of->scratch.target};
    memcpy(session->scratch.name, of->scratch.name, sizeof session->scratch.name);
    session->options.statement_timeout_ms = 0; /* it is the host's to cancel what takes too long */
    session->prepare.has_ddl = of->prepare.has_ddl;
    session->prepare.mends = of->prepare.mends;
    session->prepare.changes = of->prepare.changes;
    session->deallocated |= of->deallocated;
    session->origins.items = of->origins.items;
    session->origins.count = of->origins.count;
    session->contexts.role = of->contexts.role;
    session->contexts.session_users = of->contexts.session_users;
    session->contexts.changed = of->contexts.changed;
    contexts_copy_names(&session->contexts, &of->contexts);
    session->schema = of->schema;
    session->prepare.left.arena = &session->arena;
}

/* Sets the settings to which a reset returns. */
static bool set_settings(struct session *session, struct error *err)
{
    const char *settings = session->lane.of->found.settings;
    struct strbuf sql = {0};
    strbuf_addf(&sql, "%s%s" UNLIMITED, settings ? settings : "SELECT ", settings ? ", " : "");
    PGresult *result = wire_query(&session->wire, "SELECT " IMPATIENT, NULL, err);
    if (result && !wire_is_error(result)) {
        strbuf_adds(&sql, ", " IMPATIENT);
    }
    session->found.failed = false;
    bool done = result && restore_prepare_session(session, strbuf_text(&sql), err) &&
                wire_drain(&session->wire, err);
    PQclear(result);
    strbuf_free(&sql);
    return done && (!session->found.failed ||
                    error_set(err, ERROR_SERVER, "a session's settings can't be restored"));
}

/* In the middle of an example, others may hold locks that it would wait for to prepare all
 * statements. */
static bool prepare_lane(struct session *session, bool in_example, struct error *err)
{
    struct arena arena = {0};
    struct diagnostics ignored = {.arena = &arena};
    statements_forget(&session->statements);
    contexts_start(&session->contexts);
    deferral_copy(&session->deferral, &session->lane.of->at_mark.deferral);
    bool done = session_prepare_fixed(session, err) &&
                (in_example || (session_prepare_rest(session, &ignored, err) &&
                                commit_end(session, true, err))) &&
                set_settings(session, err);
    arena_free(&arena);
    contexts_start(&session->contexts);
    snapshot_take(session, &session->at_mark);
    session->marked = true;
    return done;
}

static bool send_release(struct session *session, struct error *err)
{
    struct lanes *lanes = session->lane.of->lane.lanes;
    struct wire *wire = &lanes->controller;
    int lock = 2 * (int)session->lane.number + session->lane.lock;
    char numbers[2][16];
    const char *values[] = {numbers[0], numbers[1]};
    const struct wire_params params = {.count = 2, .values = values};
    (void)snprintf(numbers[0], sizeof numbers[0], "%d", lock ^ 1);
    (void)snprintf(numbers[1], sizeof numbers[1], "%d", lock);
    session->lane.lock ^= 1;
    session->lane.stopped = false;
    return wire_execute(wire, "pgfsm_release", &params, kept_call(lanes), err) &&
           wire_sync(wire, err) && wire_poll(wire, err);
}

/* The number of crossings that the next call with stops begins at, beyond those of all before. */
static unsigned long long next_start(struct lanes *lanes)
{
    return (unsigned long long)++lanes->calls << CROSSINGS_BITS;
}

/* A lane that begins: what it was on an earlier connection is over. */
static bool begin_gates(struct session *session, struct error *err)
{
    char sql[128];
    if (!session->lane.gates) {
        return true;
    }
    (void)snprintf(sql, sizeof sql, "SELECT pg_catalog.setval('pg_pgfsm.pgfsm_lane_%zu', %llu)",
                   session->lane.number, 2 * next_start(session->lane.of->lane.lanes));
    return (session->lane.lock == 0 || send_release(session, err)) &&
           wire_do(&session->wire, sql, err);
}

static bool ask_isolation(struct session *session, struct error *err)
{
    PGresult *result = wire_query_ok(
        &session->wire, "SELECT pg_catalog.current_setting('default_transaction_isolation')", NULL,
        err);
    const char *level = result ? PQgetvalue(result, 0, 0) : "";
    session->lane.isolation = strcmp(level, "serializable") == 0      ? ISOLATION_SERIALIZABLE
                              : strcmp(level, "repeatable read") == 0 ? ISOLATION_REPEATABLE_READ
                                                                      : ISOLATION_READ_COMMITTED;
    PQclear(result);
    return result != NULL;
}

static bool connect_lane(struct session *session, bool in_example, struct error *err)
{
    flight_clear(&session->flight);
    wire_close(&session->wire);
    share_database(session);
    session->lane.stopped = session->lane.told = session->lane.spoilt = false;
    session->broken.known = false;
    if (session_connect(session, err) && commit_connected(session, err) &&
        prepare_lane(session, in_example, err) && begin_gates(session, err) &&
        ask_isolation(session, err)) {
        PQsetNoticeReceiver(session->wire.conn, hear_gate, session);
        session->wire.wait = wait_as_told;
        session->lane.clean = session->wire.sent;
        return true;
    }
    wire_close(&session->wire);
    return false;
}

/* A lane must not wait for what the session that it belongs to has open. */
static bool settle_owner(struct session *of, struct error *err)
{
    return (of->commit.open == BEGINS_NOTHING && of->wire.sent == of->wire.received) ||
           commit_end(of, true, err);
}

/* Gives back the locks of the session that ran the beginning. It has nothing left to do, so it
 * would keep them. */
static bool end_locks(struct session *of, struct error *err)
{
    return wire_do(&of->wire, "SELECT pg_catalog.pg_advisory_unlock_all()", err);
}

/* Follows the owner's changes of the schema since the mark, unless the lane itself changed it. */
static void follow_schema(struct session *session)
{
    if (session->schema == session->at_mark.schema) {
        session->schema = session->at_mark.schema = session->lane.of->schema;
    }
}

/* SET, and not a query: that would be the first of the transaction, whose snapshot is taken then,
 * and whose isolation can't be set any more. */
static bool begin_call(struct session *session, struct error *err)
{
    struct strbuf *stops = &session->lane.stops;
    if (!settle_owner(session->lane.of, err)) {
        return false;
    }
    follow_schema(session);
    session->stuck.cancelled = NULL;
    if (session->failed || (stops->size == 0 && !session->lane.told)) {
        return true;
    }
    bool sent =
        session_own(session, stops->size ? strbuf_text(stops) : "SET pgfsm.stops = ''", err) &&
        (session->commit.open != BEGINS_NOTHING || wire_sync(&session->wire, err));
    session->lane.told = true;
    strbuf_clear(stops);
    return sent;
}

static struct session *new_lane(struct session *of, size_t number)
{
    struct session *session = memory_alloc(sizeof *session);
    const char *options = address_get(&of->target->address, "options");
    *session = (struct session){
        .backend = {.ops = of->lane.ops},
        .target = of->target,
        .options = of->options,
        .user = of->user,
        .lane = {.of = of, .number = number, .gates = of->lane.gates},
        .commit = {.before_call = begin_call},
    };
    session_make(session, of->machine);
    session->connection.options =
        arena_printf(&session->arena, "%s%s-c pgfsm.lane=%zu -c lock_timeout=0",
                     options ? options : "", options ? " " : "", number);
    return session;
}

/* Whether there are tables without gates: once for each state of the schema. Those that a migration
 * makes have none, which is documented. */
static bool look_for_ungated(struct session *session, struct error *err)
{
    bool migrated = session->machine->migration && session->schema != session->at_mark.schema;
    if (!session->lane.gates || migrated || session->lane.no_gates ||
        session->lane.lanes->looked == session->schema + 1) {
        return true;
    }
    session->lane.lanes->looked = session->schema + 1;
    PGresult *result = wire_query_ok(&session->wire, query_ungated, NULL, err);
    if (result && !PQgetisnull(result, 0, 0)) {
        session->lane.no_gates = arena_printf(
            &session->arena,
            "sessions don't stop inside statements that write to %s: `initialize` or a rule made "
            "%s after the schema was loaded; make tables in a file of `schema`",
            PQgetvalue(result, 0, 0), strcmp(PQgetvalue(result, 0, 1), "1") == 0 ? "it" : "them");
    }
    PQclear(result);
    return result != NULL;
}

/* Lanes ask the server for their settings as they connect, and for its processes. */
static bool check_direct(const struct session *of, struct error *err)
{
    if (!session_is_pooled(of)) {
        return true;
    }
    error_set(err, ERROR_USAGE, "sessions side by side can't go through a pooler");
    return error_hint(err, "connect to the server itself, or leave out --sessions and `sessions`");
}

static bool open_lanes(struct backend *backend, size_t count, struct lane_host *const *hosts,
                       struct backend **out, struct error *err)
{
    struct session *of = session_of(backend);
    if (!of->lane.lanes) {
        of->lane.lanes = memory_alloc(sizeof *of->lane.lanes);
        *of->lane.lanes = (struct lanes){0};
    }
    if (!check_direct(of, err) || !settle_owner(of, err) || !end_locks(of, err) ||
        !look_for_ungated(of, err) ||
        (!is_connected(&of->lane.lanes->controller) && !open_controller(of, err))) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct session **lane = &of->lane.lanes->items[i];
        *lane = *lane ? *lane : new_lane(of, i);
        (*lane)->lane.host = hosts[i];
        if (((*lane)->lane.spoilt || !is_connected(&(*lane)->wire)) &&
            !connect_lane(*lane, false, err)) {
            return false;
        }
        follow_schema(*lane);
        out[i] = &(*lane)->backend;
    }
    return true;
}

static enum isolation lane_isolation(struct backend *backend)
{
    return session_of(backend)->lane.isolation;
}

static bool release_lane(struct backend *backend, struct error *err)
{
    struct session *session = session_of(backend);
    return !session->lane.stopped || send_release(session, err);
}

static const char *lane_body(struct backend *backend, unsigned long function, struct arena *arena)
{
    return stops_definition(session_of(backend)->lane.of, function, arena);
}

/* As sql/gates.sql has it. */
static long long stop_number(const struct lane_stop *stop)
{
    long long end = (long long)stop->times_out << 2 * CROSSINGS_BITS;
    if (stop->gate == TRACE_GATE_BODY) {
        return -(end | (long long)stop->crossing << CROSSINGS_BITS | stop->nth);
    }
    return end | (long long)stop->nth << CROSSINGS_BITS | stop->crossing;
}

static bool lane_stop_at(struct backend *backend, const struct lane_stop *stops, size_t count,
                         struct error *err)
{
    struct session *session = session_of(backend);
    struct strbuf *sql = &session->lane.stops;
    if (!release_lane(backend, err)) { /* it was cancelled where it stopped */
        return false;
    }
    strbuf_clear(sql);
    session->lane.by_row = false;
    if (!session->lane.gates || count == 0) {
        return true;
    }
    strbuf_addf(sql, "SET pgfsm.stops = '{%llu", next_start(session->lane.of->lane.lanes));
    for (size_t i = 0; i < count; i++) {
        strbuf_addf(sql, ",%lld", stop_number(&stops[i]));
        session->lane.by_row = session->lane.by_row || stops[i].gate == TRACE_GATE_ROW;
    }
    strbuf_adds(sql, "}'");
    return true;
}

static bool set_row_gates(struct backend *backend, bool there, struct error *err)
{
    struct session *session = session_of(backend);
    struct lanes *lanes = session->lane.lanes;
    if (!session->lane.gates || lanes->rows == there || !is_connected(&lanes->controller)) {
        return true;
    }
    lanes->rows = there;
    return settle_owner(session, err) &&
           wire_do(&lanes->controller,
                   there ? "SELECT pg_pgfsm.rows(true)" : "SELECT pg_pgfsm.rows(false)", err);
}

/* Asks the controller about the lane and those who may hold it up. */
static bool ask_who(struct session *session, const char *statement, unsigned *by, struct error *err)
{
    struct session *of = session->lane.of;
    struct lanes *lanes = of->lane.lanes;
    struct strbuf others = {0};
    char pid[16];
    enum { NOBODY = -1 }; /* 0 is that of a prepared transaction */
    (void)snprintf(pid, sizeof pid, "%d", session->connection.process);
    strbuf_addf(&others, "{%d", of->connection.process);
    for (size_t i = 0; i < LANES_MAX; i++) {
        const struct session *lane = lanes->items[i];
        bool other = lane && lane != session && lane->wire.conn;
        strbuf_addf(&others, ",%d", other ? lane->connection.process : NOBODY);
    }
    strbuf_addc(&others, '}');
    const char *values[] = {pid, strbuf_text(&others)};
    const struct wire_params params = {.count = 2, .values = values};
    bool asked = wire_execute(&lanes->controller, statement, &params, kept_call(lanes), err) &&
                 wire_drain(&lanes->controller, err);
    strbuf_free(&others);
    if (asked && wire_is_error(lanes->answer)) {
        return wire_error(lanes->answer, err);
    }
    *by = asked ? (unsigned)strtoul(PQgetvalue(lanes->answer, 0, 0), NULL, 10) : 0;
    return asked;
}

static bool lane_waits_for(struct backend *backend, unsigned *by, struct error *err)
{
    struct session *session = session_of(backend);
    if (!ask_who(session, "pgfsm_blocked", by, err)) {
        return false;
    }
    bool sleeps = strcmp(PQgetvalue(session->lane.of->lane.lanes->answer, 0, 1), "t") == 0;
    *by = sleeps && *by == 0 ? LANE_SLEEPS : *by;
    return true;
}

static bool lane_kept_by(struct backend *backend, unsigned *by, struct error *err)
{
    return ask_who(session_of(backend), "pgfsm_kept", by, err);
}

/* The number of the process's lane, from 1; 0 if the process is no lane. */
static unsigned lane_of_pid(const struct lanes *lanes, unsigned long pid)
{
    for (unsigned i = 0; i < LANES_MAX; i++) {
        const struct session *lane = lanes->items[i];
        if (lane && lane->wire.conn && (unsigned long)PQbackendPID(lane->wire.conn) == pid) {
            return i + 1;
        }
    }
    return 0;
}

/* "Process 71 waits for ShareLock on transaction 766; blocked by process 72.", a line each: in
 * every language, who waits is the first number of the line, and for whom the last. */
static void read_deadlock(struct backend *backend, const char *detail, unsigned *by)
{
    static const char digits[] = "0123456789";
    const struct lanes *lanes = session_of(backend)->lane.of->lane.lanes;
    while (*detail) {
        const char *end = detail + strcspn(detail, "\n");
        unsigned long first = 0;
        unsigned long last = 0;
        for (const char *at = detail + strcspn(detail, digits); at < end;
             at += strcspn(at, digits)) {
            last = strtoul(at, NULL, 10);
            first = first ? first : last;
            at += strspn(at, digits);
        }
        unsigned waits = lane_of_pid(lanes, first);
        unsigned next = lane_of_pid(lanes, last);
        if (waits && next) {
            by[waits - 1] = 1U << next;
        }
        detail = *end ? end + 1 : end;
    }
}

static bool cancel_lane(struct backend *backend, const char *why, struct error *err)
{
    struct session *session = session_of(backend);
    (void)err;
    session->stuck.cancelled = why;
    wire_cancel(&session->wire);
    return true;
}

static bool read_rows(struct backend *backend, struct arena *arena, struct lane_rows *out,
                      struct error *err)
{
    struct wire *wire = &session_of(backend)->lane.lanes->controller;
    const char *most = "4194304"; /* bytes */
    const struct wire_params params = {.count = 1, .values = &most};
    /* raises instead of hiding rows */
    if (!wire_do(wire, "SET row_security = off", err)) {
        return false;
    }
    PGresult *result = wire_query_ok(wire, query_rows, &params, err);
    if (result && PQgetisnull(result, 0, 0)) {
        error_set(err, ERROR_LIMIT, "the tables are too large to compare them");
        PQclear(result);
        return false;
    }
    PGresult *rows = result ? wire_query_ok(wire, PQgetvalue(result, 0, 0), NULL, err) : NULL;
    for (int i = 0; rows && i < PQntuples(rows); i++) {
        *VEC_PUSH(arena, &out->items) =
            (struct lane_row){arena_strdup(arena, PQgetvalue(rows, i, 0)),
                              arena_strdup(arena, PQgetvalue(rows, i, 1)),
                              arena_strdup(arena, PQgetvalue(rows, i, 2))};
    }
    bool read = rows != NULL;
    PQclear(rows);
    PQclear(result);
    return read;
}

/* When this is answered, the session keeps nothing of the example. */
static bool send_reset(struct session *session, struct error *err)
{
    strbuf_clear(&session->lane.stops);
    session->lane.told = false;
    return commit_end_example(session, err) && restore_session(session, err);
}

/* A lane that lost its connection holds nothing. It gets another one when it is opened. */
static bool is_lost(const struct session *session, const struct error *err)
{
    return session->wire.lost || err->code == ERROR_CONNECTION;
}

static bool tidy_lane(struct backend *backend, struct error *err)
{
    struct session *session = session_of(backend);
    if (session->wire.lost || session->wire.sent == session->lane.clean || session->lane.tidied) {
        return true;
    }
    session->lane.tidied = true;
    return release_lane(backend, err) && (send_reset(session, err) || is_lost(session, err));
}

static bool take_reset(struct session *session, struct error *err)
{
    if (!session->lane.tidied) {
        return session_end_example(session, err);
    }
    bool drained = wire_drain(&session->wire, err);
    session->lane.spoilt |= session->found.failed;
    return drained && commit_listen(session, err);
}

bool lane_reset(struct backend *backend, struct error *err)
{
    struct session *session = session_of(backend);
    bool done = tidy_lane(backend, err) && (take_reset(session, err) || is_lost(session, err));
    session->lane.tidied = false;
    session->lane.clean = session->wire.sent;
    return done;
}

bool lane_die(struct backend *backend, struct error *err)
{
    struct session *session = session_of(backend);
    return death_settle(session, err) && connect_lane(session, true, err);
}

const struct lane_ops session_lanes = {
    .open = open_lanes,
    .isolation = lane_isolation,
    .stop_at = lane_stop_at,
    .body = lane_body,
    .row_gates = set_row_gates,
    .release = release_lane,
    .waits_for = lane_waits_for,
    .kept_by = lane_kept_by,
    .deadlock = read_deadlock,
    .cancel = cancel_lane,
    .tidy = tidy_lane,
    .rows = read_rows,
};

void lanes_leave(struct session *session)
{
    for (size_t i = 0; session->lane.lanes && i < LANES_MAX; i++) {
        if (session->lane.lanes->items[i]) {
            wire_close(&session->lane.lanes->items[i]->wire);
            session->lane.lanes->items[i]->lane.lock = 0;
        }
    }
    if (session->lane.lanes) {
        wire_close(&session->lane.lanes->controller);
    }
}

void lanes_free(struct session *session)
{
    for (size_t i = 0; session->lane.lanes && i < LANES_MAX; i++) {
        if (session->lane.lanes->items[i]) {
            session_tell_stuck(session->lane.lanes->items[i]);
            session_free(session->lane.lanes->items[i]);
        }
    }
    if (session->lane.lanes) {
        PQclear(session->lane.lanes->answer);
    }
    free(session->lane.lanes);
}
