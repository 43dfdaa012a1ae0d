#include "pg/session/wire.h"

#include "example/failure/race.h"
#include "pg/connect.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

enum {
    ITEMS_MIN = 256,
    /* After so much is queued, what can go goes without waiting: little where the server has
     * nothing to do, then twice as much each time, so that it begins at once and few messages go
     * alone. */
    FLUSH_FIRST = 1 << 9,
    FLUSH_MOST = 1 << 14,
    CANCEL_MS = 5000,
    SILENCE_MS = 5000, /* of a server that may have answered */
    /* Most answers have come by then: they are not counted. */
    READINGS_UNCOUNTED = 4,
    READ_LEAST = 8192, /* libpq makes that much room before it reads */
};
static const uint64_t asked_nothing = UINT64_MAX;

void wire_open(struct wire *wire, PGconn *conn, const struct hooks *hooks)
{
    assert(conn != NULL && hooks != NULL);
    *wire = (struct wire){.conn = conn, .hooks = hooks, .synced = true, .flush_at = FLUSH_FIRST};
    PQenterPipelineMode(conn);
}

void wire_close(struct wire *wire)
{
    bool idle = !wire->lost && wire->sent == wire->received;
    (idle ? connect_close : PQfinish)(wire->conn);
    free(wire->items);
    *wire = (struct wire){.lost = true};
}

static struct wire_item *item_at(const struct wire *wire, uint64_t number)
{
    assert(number >= wire->received && number - wire->received < wire->capacity);
    return &wire->items[number & (wire->capacity - 1)];
}

static void push(struct wire *wire, struct wire_item item)
{
    if (wire->sent - wire->received == wire->capacity) {
        struct wire old = *wire;
        wire->capacity = old.capacity ? old.capacity * 2 : ITEMS_MIN;
        wire->items = memory_alloc(wire->capacity * sizeof *wire->items);
        for (uint64_t i = old.received; i < old.sent; i++) {
            *item_at(wire, i) = *item_at(&old, i);
        }
        free(old.items);
    }
    *item_at(wire, wire->sent++) = item;
}

/* The oldest item gets its answer. */
static void answer(struct wire *wire, PGresult *result)
{
    assert(wire->received < wire->sent);
    const struct wire_item *item = item_at(wire, wire->received);
    if (item->done) {
        item->done(item->owner, item->tag, result);
    } else {
        PQclear(result);
    }
}

/* Tells all items that still wait that no answer will come. */
static void give_up(struct wire *wire)
{
    wire->lost = true;
    while (wire->received < wire->sent) {
        if (!wire->answered) {
            answer(wire, NULL);
        }
        wire->answered = false;
        wire->received++;
    }
}

/* libpq failed, not the server: we can't tell what the next result answers. */
static bool break_off(struct wire *wire, const char *why)
{
    (void)snprintf(wire->broken, sizeof wire->broken, "%.*s", (int)strcspn(why, "\n"), why);
    give_up(wire);
    return false;
}

static bool lose(struct wire *wire, struct error *err)
{
    if (wire->broken[0]) {
        return error_set(err, ERROR_SYSTEM, "libpq can't continue: %s", wire->broken);
    }
    if (wire->interrupted && wire->lost) {
        return error_interrupted(err);
    }
    connect_lost(wire->conn, err);
    if (!wire->lost) {
        give_up(wire);
    }
    if (wire->explain) {
        wire->explain(wire->owner, err);
    }
    return false;
}

/* libpq did not take what was to be sent. */
static bool not_sent(struct wire *wire, struct error *err)
{
    if (PQstatus(wire->conn) == CONNECTION_OK) {
        (void)break_off(wire, PQerrorMessage(wire->conn));
    }
    return lose(wire, err);
}

/* The server says with FATAL or PANIC that it closes the connection. */
static bool is_farewell(const PGresult *result)
{
    const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
    return severity && (strcmp(severity, "FATAL") == 0 || strcmp(severity, "PANIC") == 0);
}

/* An error that libpq made up: each of the server's has an SQLSTATE. */
static bool is_of_libpq(const PGresult *result)
{
    return PQresultStatus(result) == PGRES_FATAL_ERROR &&
           !PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

/* COPY from or to the client. In a pipeline libpq returns this result again and again. */
static bool is_copy(const PGresult *result)
{
    ExecStatusType status = PQresultStatus(result);
    return status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH;
}

bool wire_cancelled(const PGresult *result)
{
    const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *function = PQresultErrorField(result, PG_DIAG_SOURCE_FUNCTION);
    return sqlstate && strcmp(sqlstate, "57014") == 0 && function &&
           strcmp(function, "ProcessInterrupts") == 0;
}

/* A cancelled item got no answer of its own. */
static void note_cancelled(struct wire *wire, const PGresult *result)
{
    const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    bool cancelled = sqlstate && strcmp(sqlstate, QUERY_CANCELED) == 0; /* also if raised again */
    if (cancelled && wire->received < wire->cut) {
        wire->cut = wire->received;
    }
}

/* Takes one of libpq's results for the oldest item. False if the connection is gone. */
static bool take_result(struct wire *wire)
{
    PGresult *result = PQgetResult(wire->conn);
    if (!result) {
        /* The end of an item's results. A sync has none. */
        bool expected = wire->answered;
        wire->received += expected;
        wire->answered = false;
        return expected && PQstatus(wire->conn) == CONNECTION_OK;
    }
    if (is_farewell(result) || PQstatus(wire->conn) == CONNECTION_BAD) {
        PQclear(result);
        return false;
    }
    if (is_of_libpq(result)) {
        (void)break_off(wire, PQresultErrorMessage(result));
        PQclear(result);
        return false;
    }
    if (is_copy(result)) {
        PQclear(result);
        return break_off(wire, "a statement is a COPY from or to the client, which needs a data "
                               "stream");
    }
    bool sync = PQresultStatus(result) == PGRES_PIPELINE_SYNC;
    if (sync != item_at(wire, wire->received)->sync) { /* see look_for_an_end */
        PQclear(result);
        return break_off(wire, "out of memory");
    }
    if (sync) {
        PQclear(result);
        wire->received++;
    } else if (wire->answered) {
        PQclear(result);
    } else {
        if (wire->interrupted) {
            note_cancelled(wire, result);
        }
        wire->answered = true;
        answer(wire, result);
    }
    return true;
}

/* Handles what has arrived, up to item `until`. */
static bool take_results(struct wire *wire, uint64_t until, struct error *err)
{
    while (wire->received < until && !PQisBusy(wire->conn)) {
        if (!take_result(wire)) {
            return lose(wire, err);
        }
    }
    return true;
}

static bool check_open(struct wire *wire, struct error *err)
{
    return !wire->lost || lose(wire, err);
}

/* Bookkeeping of every sending: `sent` is what libpq said. */
static bool queued(struct wire *wire, int sent, struct wire_item item, size_t size,
                   struct error *err)
{
    if (!sent) {
        return not_sent(wire, err);
    }
    push(wire, item);
    wire->synced = item.sync;
    wire->unflushed += size + 64;
    if (wire->unflushed < wire->flush_at) {
        return true;
    }
    if (wire->flush_at < FLUSH_MOST) {
        wire->flush_at *= 2;
    }
    return wire_poll(wire, err);
}

static struct wire_item item_of(struct wire_call call)
{
    return (struct wire_item){.done = call.done, .owner = call.owner, .tag = call.tag};
}

static size_t params_size(const struct wire_params *params)
{
    size_t size = 0;
    for (int i = 0; params && i < params->count; i++) {
        if (params->values[i]) {
            size += params->formats && params->formats[i] ? (size_t)params->sizes[i]
                                                          : strlen(params->values[i]);
        }
    }
    return size;
}

static const struct wire_params no_params = {0};

bool wire_parse(struct wire *wire, const char *name, const char *sql, struct wire_call call,
                struct error *err)
{
    return check_open(wire, err) && queued(wire, PQsendPrepare(wire->conn, name, sql, 0, NULL),
                                           item_of(call), strlen(sql), err);
}

bool wire_describe(struct wire *wire, const char *name, struct wire_call call, struct error *err)
{
    return check_open(wire, err) &&
           queued(wire, PQsendDescribePrepared(wire->conn, name), item_of(call), 0, err);
}

bool wire_execute(struct wire *wire, const char *name, const struct wire_params *params,
                  struct wire_call call, struct error *err)
{
    const struct wire_params *p = params ? params : &no_params;
    return check_open(wire, err) && queued(wire,
                                           PQsendQueryPrepared(wire->conn, name, p->count,
                                                               p->values, p->sizes, p->formats, 0),
                                           item_of(call), params_size(p), err);
}

bool wire_run(struct wire *wire, const char *sql, const struct wire_params *params,
              struct wire_call call, struct error *err)
{
    const struct wire_params *p = params ? params : &no_params;
    return check_open(wire, err) && queued(wire,
                                           PQsendQueryParams(wire->conn, sql, p->count, p->types,
                                                             p->values, p->sizes, p->formats, 0),
                                           item_of(call), strlen(sql) + params_size(p), err);
}

bool wire_sync(struct wire *wire, struct error *err)
{
    return check_open(wire, err) &&
           queued(wire, PQpipelineSync(wire->conn), (struct wire_item){.sync = true}, 0, err);
}

static size_t bytes_to_read(const struct wire *wire)
{
    int size = 0;
    return ioctl(PQsocket(wire->conn), FIONREAD, &size) == 0 && size > 0 ? (size_t)size : 0;
}

/* Reads what has come, and counts it: never too much, for more may come in the meantime. */
static bool read_some(struct wire *wire)
{
    if (wire->reading != wire->received) {
        wire->reading = wire->received;
        wire->readings = 0;
        wire->read = 0;
    }
    if (wire->readings++ < READINGS_UNCOUNTED) {
        return PQconsumeInput(wire->conn);
    }
    size_t before = bytes_to_read(wire);
    if (!PQconsumeInput(wire->conn)) {
        return false;
    }
    size_t after = bytes_to_read(wire);
    size_t least = before < READ_LEAST ? before : READ_LEAST;
    wire->read += before > after + least ? before - after : least;
    return true;
}

void wire_cancel(const struct wire *wire)
{
    char reason[256];
    PGcancel *request = PQgetCancel(wire->conn);
    if (request) {
        PQcancel(request, reason, sizeof reason);
        PQfreeCancel(request);
    }
}

/* Does something about an answer that is too long, and has not ended. */
static bool bound_answer(struct wire *wire, struct error *err)
{
    if (wire->read <= ANSWER_BYTES_MAX || wire->reading != wire->received) {
        return true;
    }
    if (wire->too_long == wire->received + 1) {
        (void)break_off(wire, "the server's answer is too long");
        return lose(wire, err);
    }
    wire->too_long = wire->received + 1;
    wire->read = 0;
    wire_cancel(wire);
    return true;
}

/* Writes what can be written, reads what has come. `*pending`: more is to be written. */
static bool exchange(struct wire *wire, uint64_t until, bool *pending, struct error *err)
{
    int flushed = PQflush(wire->conn);
    if (flushed < 0 || !read_some(wire)) {
        /* What the server said before it went, say why it does. */
        return take_results(wire, until, err) && lose(wire, err);
    }
    wire->unflushed = 0;
    *pending = flushed > 0;
    return take_results(wire, until, err) && bound_answer(wire, err);
}

bool wire_poll(struct wire *wire, struct error *err)
{
    bool pending = false;
    return check_open(wire, err) && exchange(wire, wire->sent, &pending, err);
}

/* True if we wait only for ends of requests. */
static bool waits_for_ends(const struct wire *wire)
{
    bool ends = true;
    for (uint64_t i = wire->received; i < wire->sent && ends; i++) {
        ends = item_at(wire, i)->sync;
    }
    return ends;
}

/* Where libpq lacks memory for the result that stands for the end of a request, it goes on waiting
 * for that end, which it has read (pqParseInput3, ReadyForQuery). So after each while of silence it
 * is asked for another end: a server that is busy answers all of them later; one that is not
 * answers the last one, which libpq takes for an earlier one, unless it lacks memory for that, too.
 * `*asked`: what was received when it was last asked; asked_nothing: it was not. */
static bool look_for_an_end(struct wire *wire, uint64_t *asked, struct error *err)
{
    bool came = *asked != asked_nothing && wire->received > *asked;
    *asked = wire->received;
    if (came && waits_for_ends(wire)) {
        (void)break_off(wire, "out of memory");
        return lose(wire, err);
    }
    return wire_sync(wire, err);
}

/* When to stop waiting: at the deadline, or to look for an end. */
static int64_t soonest(int64_t deadline_ms)
{
    int64_t silent = clock_ms() + SILENCE_MS;
    return deadline_ms == NO_DEADLINE || silent < deadline_ms ? silent : deadline_ms;
}

/* Until there is something to read, or to write where that is `pending`. */
static enum wait_result wait_for_more(const struct wire *wire, bool pending, int64_t limit_ms,
                                      const struct hooks *hooks, struct error *err)
{
    struct pollfd fd = {
        .fd = PQsocket(wire->conn),
        .events = (short)(POLLIN | (pending ? POLLOUT : 0)),
    };
    if (!wire->wait || hooks != wire->hooks) {
        return wait_for(&fd, 1, limit_ms, hooks);
    }
    if (!wire->wait(wire->owner, fd.fd, pending, err)) {
        return WAIT_INTERRUPTED;
    }
    /* It may have stood still for long, by its host's will: what came meanwhile is no silence. */
    return clock_ms() < limit_ms || poll(&fd, 1, 0) > 0 ? WAIT_READY : WAIT_TIMEOUT;
}

/* Reads up to `until`, with patience up to the deadline. What was read before is looked at first:
 * asking the system for each answer costs more than the answer. */
static enum wait_result read_until(struct wire *wire, uint64_t until, int64_t deadline_ms,
                                   const struct hooks *hooks, struct error *err)
{
    if (!take_results(wire, until, err)) {
        return WAIT_FAILED;
    }
    uint64_t asked = asked_nothing;
    while (wire->received < until) {
        bool pending = false;
        if (!exchange(wire, until, &pending, err)) {
            return WAIT_FAILED;
        }
        if (wire->received >= until) {
            break;
        }
        int64_t limit = soonest(deadline_ms);
        enum wait_result result = wait_for_more(wire, pending, limit, hooks, err);
        if (result == WAIT_TIMEOUT && limit != deadline_ms) {
            result = look_for_an_end(wire, &asked, err) ? WAIT_READY : WAIT_FAILED;
            until = wire->sent;
        } else if (result == WAIT_FAILED) {
            lose(wire, err);
        }
        if (result != WAIT_READY) {
            return result;
        }
    }
    if (wire->received == wire->sent) {
        wire->flush_at = FLUSH_FIRST;
    }
    return WAIT_READY;
}

/* Has the server stop what it does, and hears it out: what it had done before is answered. */
static void cancel_wire(struct wire *wire)
{
    struct error ignored;
    wire->interrupted = true;
    wire->cut = wire->sent;
    wire_cancel(wire);
    read_until(wire, wire->sent, clock_ms() + CANCEL_MS, &no_hooks, &ignored);
    wire->cut = wire->received < wire->cut ? wire->received : wire->cut;
    give_up(wire);
}

bool wire_wait(struct wire *wire, uint64_t item, struct error *err)
{
    assert(item < wire->sent);
    if (item < (wire->interrupted ? wire->cut : wire->received)) {
        return true;
    }
    if (!check_open(wire, err) || (!wire->synced && !wire_sync(wire, err))) {
        return false;
    }
    enum wait_result result = read_until(wire, item + 1, NO_DEADLINE, wire->hooks, err);
    if (result == WAIT_INTERRUPTED) {
        cancel_wire(wire);
        return item < wire->cut || (!wire->wait && error_interrupted(err));
    }
    return result == WAIT_READY;
}

bool wire_drain(struct wire *wire, struct error *err)
{
    if (wire->sent == wire->received && wire->synced) {
        return check_open(wire, err);
    }
    if (!wire->synced && !wire_sync(wire, err)) {
        return false;
    }
    return wire_wait(wire, wire->sent - 1, err);
}

static void keep_result(void *owner, uint64_t tag, PGresult *result)
{
    (void)tag;
    *(PGresult **)owner = result;
}

void wire_keep(void *owner, uint64_t tag, PGresult *result)
{
    PGresult **kept = owner;
    bool failed = wire_is_error(*kept);
    (void)tag;
    PQclear(failed ? result : *kept);
    *kept = failed ? *kept : result;
}

PGresult *wire_query(struct wire *wire, const char *sql, const struct wire_params *params,
                     struct error *err)
{
    PGresult *result = NULL;
    struct wire_call call = {.done = keep_result, .owner = &result};
    uint64_t item = wire->sent;
    if (wire_run(wire, sql, params, call, err) && wire_drain(wire, err) &&
        (!wire_is_too_long(wire, item, result) || wire_too_long(err))) {
        return result;
    }
    PQclear(result);
    return NULL;
}

PGresult *wire_query_ok(struct wire *wire, const char *sql, const struct wire_params *params,
                        struct error *err)
{
    PGresult *result = wire_query(wire, sql, params, err);
    if (result && wire_is_error(result)) {
        wire_error(result, err);
        PQclear(result);
        return NULL;
    }
    return result;
}

/* Reads the results of a script. COPY from the client has nothing to read: it is told so. Not in
 * single-row mode: libpq would stay in it for the first statement of the pipeline that follows, of
 * whose rows all but one were lost then. */
static PGresult *script_result(struct wire *wire, struct error *err)
{
    PGresult *kept = NULL;
    for (;;) {
        while (PQisBusy(wire->conn)) {
            enum wait_result result =
                wait_for_more(wire, false, wire->wait ? INT64_MAX : NO_DEADLINE, wire->hooks, err);
            if (result != WAIT_READY || !PQconsumeInput(wire->conn)) {
                PQclear(kept);
                if (result == WAIT_INTERRUPTED) {
                    cancel_wire(wire);
                }
                (void)lose(wire, err);
                return NULL;
            }
        }
        PGresult *result = PQgetResult(wire->conn);
        if (!result) {
            return kept;
        }
        ExecStatusType status = PQresultStatus(result);
        if (status == PGRES_COPY_IN) {
            PQputCopyEnd(wire->conn, "data for COPY can only be read by psql");
        } else if (status == PGRES_COPY_OUT) {
            char *row = NULL;
            while (PQgetCopyData(wire->conn, &row, 0) > 0) {
                PQfreemem(row);
            }
        }
        if (wire_is_error(kept)) {
            PQclear(result);
        } else {
            PQclear(kept);
            kept = result;
        }
    }
}

static int send_one(PGconn *conn, const char *sql)
{
    return PQsendQueryParams(conn, sql, 0, NULL, NULL, NULL, NULL, 0);
}

/* Sends a text by one of libpq's functions, and reads what comes, outside of pipeline mode. */
static PGresult *run_alone(struct wire *wire, int (*send)(PGconn *, const char *), const char *sql,
                           struct error *err)
{
    if (!wire_drain(wire, err)) {
        return NULL;
    }
    PQexitPipelineMode(wire->conn);
    if (!send(wire->conn, sql)) {
        (void)not_sent(wire, err);
        return NULL;
    }
    while (PQflush(wire->conn) > 0) {
        struct pollfd fd = {.fd = PQsocket(wire->conn), .events = POLLIN | POLLOUT};
        if (wait_for(&fd, 1, NO_DEADLINE, &no_hooks) != WAIT_READY || !PQconsumeInput(wire->conn)) {
            lose(wire, err);
            return NULL;
        }
    }
    PGresult *result = script_result(wire, err);
    bool lost = result && PQstatus(wire->conn) == CONNECTION_BAD;
    if (!lost && is_of_libpq(result)) {
        lost = true;
        (void)break_off(wire, PQresultErrorMessage(result));
    }
    if (lost) {
        PQclear(result);
        lose(wire, err);
        return NULL;
    }
    if (result) {
        PQenterPipelineMode(wire->conn);
    }
    return result;
}

PGresult *wire_script(struct wire *wire, const char *sql, struct error *err)
{
    return run_alone(wire, PQsendQuery, sql, err);
}

PGresult *wire_statement(struct wire *wire, const char *sql, struct error *err)
{
    return run_alone(wire, send_one, sql, err);
}

bool wire_do(struct wire *wire, const char *sql, struct error *err)
{
    PGresult *result = wire_script(wire, sql, err);
    bool done = result && !wire_is_error(result);
    if (result && !done) {
        wire_error(result, err);
    }
    PQclear(result);
    return done;
}

bool wire_is_error(const PGresult *result)
{
    ExecStatusType status = PQresultStatus(result);
    return result && (status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE ||
                      status == PGRES_PIPELINE_ABORTED);
}

bool wire_is_too_long(const struct wire *wire, uint64_t item, const PGresult *result)
{
    return wire->too_long == item + 1 || PQresultMemorySize(result) > ANSWER_BYTES_MAX;
}

bool wire_too_long(struct error *err)
{
    error_set(err, ERROR_LIMIT, "the server's answer is longer than %d MiB", ANSWER_MIB_MAX);
    err->too_large = true;
    return error_hint(
        err, "make the statement return less: with a LIMIT, fewer columns, or an aggregate "
             "such as count(*)");
}

/* An error that PL/pgSQL's RAISE gives one of these codes is the schema's own. */
bool wire_lacks(const PGresult *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *function = PQresultErrorField(result, PG_DIAG_SOURCE_FUNCTION);
    return state && connect_lacks(state) && !(function && strcmp(function, "exec_stmt_raise") == 0);
}

bool wire_error(const PGresult *result, struct error *err)
{
    const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *detail = PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
    const char *hint = PQresultErrorField(result, PG_DIAG_MESSAGE_HINT);
    const char *context = PQresultErrorField(result, PG_DIAG_CONTEXT);
    error_set(err, wire_lacks(result) ? ERROR_SYSTEM : ERROR_SERVER, "%s",
              message ? message : "the server gave no reason");
    if (err && state) {
        memcpy(err->sqlstate, state, strnlen(state, sizeof err->sqlstate - 1) + 1);
    }
    if (detail) {
        error_detail(err, "%s", detail);
    }
    if (context) {
        error_detail(err, "%s", context);
    }
    if (hint) {
        error_hint(err, "%s", hint);
    }
    return false;
}
