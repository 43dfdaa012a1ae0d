/*
 * Each step in a transaction of its own, which is committed: another way with transactions, behind
 * the same operations of a backend.
 *
 * A step is BEGIN, what its context sets until the transaction's end, its statements, COMMIT. Its
 * COMMIT is what the deferred check is otherwise: an answer of the step. Checks that follow one
 * another share a transaction, and so do queries of our own. Nothing waits for a sync: after an
 * error the server skips what follows, as it has to. Only where an error is predicted a sync stands
 * behind the step, and a ROLLBACK, which does nothing where the COMMIT was what failed.
 *
 * It all happens in a copy of the scratch database. What an example wrote is put back (restore.c);
 * where that can't be done, and for a connection of its own, the copy is made anew.
 */
#include "pg/session/queries.h"
#include "pg/session/session.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

bool commit_allowed(const struct session *session, struct error *err)
{
    if (session->options.clock_us && !session->target->embedded) {
        error_set(err, ERROR_USAGE,
                  "the machine has a clock, which only an embedded server can have, not %s",
                  session->target->description);
        return error_hint(err, "use --embedded, or leave `clock` out of the machine");
    }
    bool named = !session->target->embedded && session->options.schema_count == 0;
    if (!session->options.in_place && !named) {
        return true;
    }
    error_set(err, ERROR_USAGE,
              "steps can't be committed %s: pgfsm commits only in a scratch database",
              session->options.in_place ? "with --in-place" : "in a database that you named");
    return error_hint(err, session->options.in_place
                               ? "leave out --in-place"
                               : "name the files of the schema in the machine, or load a dump: "
                                 "--schema-command 'pg_dump --schema-only DATABASE'");
}

/* The first time what was loaded is put aside: it is what all copies are made of.
 *
 * What is dropped is the copy before the last one. The server's process that worked in the last one
 * is ending just now, and a DROP DATABASE that meets it sleeps for a tenth of a second. */
bool commit_copy(struct session *session, struct error *err)
{
    if (!session->commit.base) {
        session->commit.loaded = session->scratch;
        session->commit.base = &session->commit.loaded;
        session->scratch = (struct scratch){0};
    }
    scratch_drop(&session->commit.retired);
    session->commit.retired = session->scratch;
    session->scratch = (struct scratch){0};
    return scratch_clone(&session->scratch, session->commit.base, err);
}

static bool set_isolation(struct session *session, struct error *err)
{
    const char *level = isolation_name(session->options.isolation);
    char sql[96];
    (void)snprintf(sql, sizeof sql, "SET default_transaction_isolation = '%s'", level ? level : "");
    return !level || wire_do(&session->wire, sql, err);
}

/* Sends LISTEN or UNLISTEN for each channel of the machine. */
static bool send_channels(struct session *session, const char *command, struct error *err)
{
    const struct machine *machine = session->machine;
    bool sent = true;
    for (size_t i = 0; i < machine->channels.count && sent; i++) {
        const char *channel = machine->channels.items[i];
        char *quoted = PQescapeIdentifier(session->wire.conn, channel, strlen(channel));
        strbuf_clear(&session->text);
        strbuf_addf(&session->text, "%s %s", command, quoted ? quoted : "");
        PQfreemem(quoted);
        sent = session_own(session, strbuf_text(&session->text), err);
    }
    return sent && (machine->channels.count == 0 || wire_sync(&session->wire, err));
}

/* For what is sent from now on: everything else is answered. */
static bool set_clock(struct session *session, int64_t now_us, struct error *err)
{
    session->commit.clock_us = now_us;
    return faketime_set(&session->target->server.faketime, now_us, err);
}

/* A commit need not be on a disk: the database ends with the run. */
bool commit_connected(struct session *session, struct error *err)
{
    session->marked = session->failed = session->stale = session->commit.spoilt = false;
    session_unmigrate(session);
    session->commit.open = BEGINS_NOTHING;
    session->guard = (struct guard){.number = session->guard.number};
    session->outer.resets = 0;
    session->commit.outdated = false;
    session->outside = false;
    bool has_clock = session->options.clock_us && !session->lane.of;
    return (!has_clock || set_clock(session, *session->options.clock_us, err)) &&
           wire_do(&session->wire,
                   "SET default_transaction_read_only = off; SET synchronous_commit = off", err) &&
           set_isolation(session, err) &&
           (session->target->embedded || session->lane.of ||
            wire_do(&session->wire, query_calm, err)) &&
           wire_do(&session->wire, without_limits(session->target->version), err) &&
           session_set_up(session, "SET ", err) && send_channels(session, "LISTEN", err) &&
           wire_drain(&session->wire, err);
}

/* The server sends what a session told itself before it is ready for another statement, so all of
 * it is there once that is waited for. Others may tell it something at any time. */
static bool keep_notifications(struct session *session, backend_ticket ticket, struct error *err)
{
    PGnotify *note;
    if (session->machine->channels.count == 0) {
        return true;
    }
    if (!wire_drain(&session->wire, err)) {
        return false;
    }
    while ((note = PQnotifies(session->wire.conn))) {
        if (note->be_pid == session->connection.process) {
            flight_note(flight_slot(&session->flight, ticket), note);
        } else {
            PQfreemem(note);
        }
    }
    return true;
}

/* Ends the transaction of checks or of our own that is open. */
static bool finish(struct session *session, struct error *err)
{
    bool open = session->commit.open != BEGINS_NOTHING;
    session->commit.open = BEGINS_NOTHING;
    return !open ||
           (session_keep_shared(session, err) && session_fixed(session, FIXED_COMMIT, err));
}

/* The settings of the last transaction's context ended with that transaction. */
static bool begin_step(struct session *session, const struct backend_call *call, struct error *err)
{
    const char *level = isolation_name(call->isolation);
    char sql[96];
    if (session->commit.open == BEGINS_CHECK && call->begins == BEGINS_CHECK) {
        return true;
    }
    if (!finish(session, err)) {
        return false;
    }
    session->commit.open = call->begins;
    contexts_start(&session->contexts);
    (void)snprintf(sql, sizeof sql, "BEGIN READ WRITE, ISOLATION LEVEL %s", level ? level : "");
    return level ? session_own(session, sql, err) : session_fixed(session, FIXED_BEGIN, err);
}

/* Outside of a transaction each statement is waited for: the server would run what is behind an
 * error. That it closed the connection shows at the step's end, when all of it is recorded. */
static bool queue_outside(struct session *session, const struct backend_call *call,
                          backend_ticket *ticket, struct error *err)
{
    if (session->outside && session->wire.lost) {
        flight_add(&session->flight, ticket)->state = SLOT_SKIPPED;
        return true;
    }
    if (!session->outside && (!finish(session, err) || !wire_drain(&session->wire, err))) {
        return false;
    }
    session->outside = true;
    session->guard.outside = session->guard.open;
    return (!session->commit.before_call || session->commit.before_call(session, err)) &&
           death_tell(session, err) && session_queue(&session->backend, call, ticket, err) &&
           (wire_drain(&session->wire, err) || session->wire.lost);
}

/* Unset what the step's context has set, even after an error. */
static bool end_outside(struct session *session, backend_ticket *ticket, struct error *err)
{
    flight_add(&session->flight, ticket)->state = SLOT_NOTHING;
    contexts_doubt(&session->contexts);
    bool ended = wire_drain(&session->wire, err) && session_context(session, NULL, err) &&
                 wire_drain(&session->wire, err);
    session->outside = false;
    return ended && keep_notifications(session, *ticket, err);
}

bool commit_queue(struct backend *backend, const struct backend_call *call, backend_ticket *ticket,
                  struct error *err)
{
    struct session *session = session_of(backend);
    if (call->outside) {
        return queue_outside(session, call, ticket, err);
    }
    if (call->begins != BEGINS_NOTHING && !session->failed && !begin_step(session, call, err)) {
        return false;
    }
    return (!session->commit.before_call || session->commit.before_call(session, err)) &&
           session_queue(backend, call, ticket, err);
}

bool commit_queue_deferred(struct backend *backend, const struct backend_context *context,
                           bool begins, backend_ticket *ticket, struct error *err)
{
    struct session *session = session_of(backend);
    (void)context;
    (void)begins;
    if (session->outside) {
        return end_outside(session, ticket, err);
    }
    struct slot *slot = flight_add(&session->flight, ticket);
    session->calls++;
    slot->guard = session->guard.open ? session->guard.number : 0;
    if (session->failed) {
        slot->state = SLOT_SKIPPED;
        return true;
    }
    if (session->commit.open == BEGINS_NOTHING) {
        slot->state = SLOT_NOTHING;
        return true;
    }
    if (session->commit.before_call && !session->commit.before_call(session, err)) {
        return false;
    }
    session->commit.open = BEGINS_NOTHING;
    if (!session_keep_shared(session, err)) {
        return false;
    }
    slot->item = session->wire.sent;
    slot->sent_us = clock_us();
    const struct wire_call call = {.done = session_arrived, .owner = session, .tag = *ticket};
    return session_send_fixed(session, FIXED_COMMIT, NULL, call, err) &&
           keep_notifications(session, *ticket, err);
}

bool commit_guard_begin(struct backend *backend, enum backend_guard guard, struct error *err)
{
    struct session *session = session_of(backend);
    (void)err;
    session->guard =
        (struct guard){.open = true, .number = session->guard.number + 1, .kind = guard};
    snapshot_take(session, &session->at_guard);
    return true;
}

bool commit_guard_end(struct backend *backend, struct error *err)
{
    struct session *session = session_of(backend);
    bool undo = session->guard.kind == GUARD_MUST_FAIL;
    if (session->failed || session->guard.outside) {
        session->guard.open = false;
        return true;
    }
    if (session->guard.kind == GUARD_MAY_FAIL) {
        /* Only the answers tell which way it goes. */
        if (!wire_drain(&session->wire, err)) {
            return false;
        }
        undo = session->guard.failed;
    }
    session->guard.open = false;
    if (!undo || session->failed) {
        return true;
    }
    snapshot_restore(session, &session->at_guard);
    session->commit.open = BEGINS_NOTHING;
    return wire_sync(&session->wire, err) && session_fixed(session, FIXED_ROLLBACK, err);
}

bool commit_end(struct session *session, bool keep, struct error *err)
{
    if ((keep && !finish(session, err)) || !wire_drain(&session->wire, err)) {
        return false;
    }
    session->commit.open = BEGINS_NOTHING;
    return PQtransactionStatus(session->wire.conn) == PQTRANS_IDLE ||
           (session_fixed(session, FIXED_ROLLBACK, err) && wire_drain(&session->wire, err));
}

bool commit_clock(struct backend *backend, int64_t now_us, struct error *err)
{
    struct session *session = session_of(backend);
    return session->failed || !session->options.clock_us ||
           (finish(session, err) && wire_drain(&session->wire, err) &&
            set_clock(session, now_us, err));
}

bool commit_plant(struct backend *backend, const char *sql, struct error *err)
{
    struct session *session = session_of(backend);
    session->planted = session->commit.spoilt = true;
    if (!commit_end(session, true, err)) {
        return false;
    }
    session->failed = !session_do_ddl(session, sql, err);
    return !session->failed && session_renew_deferral(session, err);
}

/* libpq keeps notifications until we ask for them. */
static void forget_notifications(const struct session *session)
{
    PGnotify *notification;
    while ((notification = PQnotifies(session->wire.conn))) {
        PQfreemem(notification);
    }
}

/* The query leaves a transaction of ours open. */
static bool cover_example(struct session *session, struct error *err)
{
    return session_cover_example(session, err) &&
           (!session->options.coverage || commit_end(session, true, err));
}

/* To restore.c, a session that listens has something that can't be had again. */
bool commit_mark(struct backend *backend, struct error *err)
{
    struct session *session = session_of(backend);
    if (!commit_end(session, true, err)) {
        return false;
    }
    contexts_start(&session->contexts);
    snapshot_take(session, &session->at_mark);
    session->marked = true;
    session->commit.clock_at_mark = session->commit.clock_us;
    session->commit.spoilt = false;
    if (session->broken.known) {
        *err = session->broken.error;
        return false;
    }
    forget_notifications(session);
    return send_channels(session, "UNLISTEN", err) && wire_drain(&session->wire, err) &&
           cover_example(session, err) && restore_mark(session, err) &&
           session_cover_next(session, err) && send_channels(session, "LISTEN", err);
}

bool commit_end_example(struct session *session, struct error *err)
{
    if (!session_end_example(session, err) || !commit_end(session, false, err) ||
        (session->options.clock_us && !set_clock(session, session->commit.clock_at_mark, err))) {
        return false;
    }
    session->outside = false; /* a mistake may have ended the step before its end */
    forget_notifications(session);
    snapshot_restore(session, &session->at_mark);
    contexts_start(&session->contexts);
    return true;
}

bool commit_listen(struct session *session, struct error *err)
{
    return send_channels(session, "LISTEN", err);
}

/* Nothing is asked of the session's connection while another one restores. If it has something to
 * say then, it may be its end: that is said here, or the next example would put it down to its own
 * first statement. */
static bool still_connected(struct session *session, struct error *err)
{
    struct pollfd news = {.fd = PQsocket(session->wire.conn), .events = POLLIN};
    return poll(&news, 1, 0) <= 0 ||
           (wire_sync(&session->wire, err) && wire_drain(&session->wire, err)) ||
           error_context(err, "between two examples");
}

bool commit_reset(struct backend *backend, struct error *err)
{
    struct session *session = session_of(backend);
    return commit_end_example(session, err) && cover_example(session, err) &&
           (session->commit.spoilt ||
            (restore_back(session, &session->commit.spoilt, err) &&
             (session->commit.spoilt ||
              (still_connected(session, err) && session_cover_next(session, err) &&
               commit_listen(session, err)))));
}

bool commit_wants_restart(struct backend *backend)
{
    const struct session *session = session_of(backend);
    return session->commit.outdated || session->commit.spoilt;
}

/* What the new connection is to know, in the middle of an example. */
static bool learn_in_example(struct session *session, struct error *err)
{
    struct arena arena = {0};
    struct diagnostics ignored = {.arena = &arena};
    statements_forget(&session->statements);
    session_forget_alignments(session);
    session->reads.prepared = false;
    bool done = session_prepare_fixed(session, err) &&
                session_prepare_rest(session, &ignored, err) && commit_end(session, true, err) &&
                session_prepare_written(session, err) && restore_connected(session, err) &&
                wire_drain(&session->wire, err);
    arena_free(&arena);
    contexts_start(&session->contexts);
    return done;
}

/* Closing waits for the end of the server's process, which gives its locks back before. */
bool commit_die(struct backend *backend, struct error *err)
{
    struct session *session = session_of(backend);
    bool marked = session->marked;
    bool spoilt = session->commit.spoilt;
    bool outdated = session->commit.outdated;
    uint64_t resets = session->outer.resets;
    int64_t now_us = session->commit.clock_us;
    if (!death_settle(session, err)) {
        return false;
    }
    flight_clear(&session->flight);
    wire_close(&session->wire);
    session->broken.known = false;
    bool connected =
        session_connect(session, err) && commit_connected(session, err) &&
        (!session->options.clock_us || session->lane.of || set_clock(session, now_us, err));
    session->marked = marked;
    session->commit.spoilt = spoilt;
    session->commit.outdated = outdated;
    session->outer.resets = resets;
    contexts_start(&session->contexts);
    return connected && learn_in_example(session, err);
}

/* A new copy and a new connection keep nothing of earlier examples. */
bool commit_restart(struct backend *backend, struct error *err)
{
    struct session *session = session_of(backend);
    flight_clear(&session->flight);
    wire_close(&session->commit.restorer);
    wire_close(&session->wire);
    if (!commit_copy(session, err) || !session_connect(session, err) ||
        !commit_connected(session, err)) {
        return false;
    }
    contexts_start(&session->contexts);
    session->schema = 0;
    if (session->planted) {
        session->planted = false;
        if (!session_renew_deferral(session, err)) {
            return false;
        }
    }
    return session_learn_again(session, err);
}
