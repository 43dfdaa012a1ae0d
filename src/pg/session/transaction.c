#include "base/names.h"
#include "pg/session/queries.h"
#include "pg/session/session.h"

#include <stdio.h>

/* A longer transaction gets slow, by dead rows, locks and memory: how long is counted in calls, as
 * examples may be short or long. Beginning anew costs more if files are loaded again, and if there
 * are many statements: the VACUUM of a table makes the server plan again what reads the table. */
enum {
    CALLS_PER_TRANSACTION = 5000,
    CALLS_WHERE_FILES_ARE_LOADED = 10000,
    CALLS_PER_STATEMENT = 10, /* of the machine, at least */
    EXAMPLES_PER_TRANSACTION = 150,
    TRANSACTIONS_PER_CONNECTION = 10, /* where each makes types of its own */
};

/* As a new connection begins: files may leave anything set. What they set for the database or the
 * role such a connection would have, though this one was there before; the server gives it to
 * nobody inside the transaction. */
bool session_renew(struct session *session, struct error *err)
{
    bool connects = session->loads || session->migrating.files.shared;
    struct strbuf sql = {0};
    strbuf_addf(&sql,
                "RESET ALL; RESET SESSION AUTHORIZATION; RESET ROLE;"
                "SET client_encoding = 'UTF8'; SET default_transaction_read_only = on;%s\n;%s",
                connects ? query_connected : "", without_limits(session->target->version));
    bool done = wire_do(&session->wire, strbuf_text(&sql), err);
    strbuf_free(&sql);
    return done;
}

/* Each as if on a connection of its own, as psql loads it. */
static bool load_file(struct session *session, const char *path, struct diagnostics *diagnostics,
                      struct error *err)
{
    char sql[64];
    (void)snprintf(sql, sizeof sql, "SET LOCAL lock_timeout = %d", session->target->lock_wait_ms);
    return session_renew(session, err) && wire_do(&session->wire, sql, err) &&
           load_in_transaction(session->target, &session->wire, path, diagnostics, err);
}

/* Of a file of a pattern, whose order decides what is there before it. */
static void explain_order(const struct session *session, size_t index,
                          struct diagnostics *diagnostics)
{
    static const char *const missing[] = {"42P01", "42703", "42704", "42883", "3F000"};
    const struct machine *machine = session->machine;
    struct error *err = diagnostics->errors.count
                            ? &diagnostics->errors.items[diagnostics->errors.count - 1]
                            : NULL;
    if (err && session->options.schema == machine->schema.items && index < machine->schema.count &&
        machine->schema_orders.items[index] && name_is_in(err->sqlstate, NAMES_IN(missing))) {
        error_detail(err, "files of %s", machine->schema_orders.items[index]);
    }
}

bool session_load_files(struct session *session, session_load_fn *load,
                        struct diagnostics *diagnostics, struct error *err)
{
    const struct pg_backend_options *options = &session->options;
    size_t first = session->scratch_has_files ? options->loaded : 0;
    for (size_t i = first; i < options->schema_count + options->apply_count; i++) {
        const char *path = i < options->schema_count ? options->schema[i]
                                                     : options->apply[i - options->schema_count];
        if (!load(session, path, diagnostics, err)) {
            explain_order(session, i, diagnostics);
            return false;
        }
    }
    return true;
}

/* From outside of a transaction to where statements can run. A write that slips out of the
 * transaction would fail: the session's default is read only. */
bool session_begin(struct session *session, struct diagnostics *diagnostics, struct error *err)
{
    if (!wire_do(&session->wire, "SET default_transaction_read_only = on", err) ||
        !wire_do(&session->wire, without_limits(session->target->version), err) ||
        !wire_do(&session->wire, "BEGIN READ WRITE", err) ||
        (session->in_place && !session_load_files(session, load_file, diagnostics, err))) {
        return false;
    }
    session->marked = session->failed = session->stale = false;
    session_unmigrate(session);
    session->checkpoints.open = 0;
    session->guard = (struct guard){.number = session->guard.number};
    session->outer.resets = 0;
    session->calls++;
    session->commit.outdated = false;
    return session_renew(session, err) && session_set_up(session, "SET LOCAL ", err);
}

/* Statements stay prepared as they are for the schema without the fault: a plan that no longer fits
 * is ANSWER_STALE. What is deferred at first in the faulty schema is deferred from now on. */
bool session_plant(struct backend *backend, const char *sql, struct error *err)
{
    struct session *session = session_of(backend);
    session->planted = true;
    if (!session_context(session, NULL, err) || !wire_drain(&session->wire, err)) {
        return false;
    }
    session->failed = !session_do_ddl(session, sql, err);
    return !session->failed && session_renew_deferral(session, err) &&
           (session->deferral.restore.size == 0 ||
            wire_do(&session->wire, strbuf_text(&session->deferral.restore), err));
}

bool session_mark(struct backend *backend, struct error *err)
{
    struct session *session = session_of(backend);
    if (!session_keep_sequences(session, err)) {
        return false;
    }
    snapshot_take(session, &session->at_mark);
    session->marked = true;
    session->outer.taken_before = session->flight.taken;
    return session_fixed(session, FIXED_MARK, err);
}

bool session_end_example(struct session *session, struct error *err)
{
    if (!wire_drain(&session->wire, err)) {
        return false;
    }
    flight_clear(&session->flight);
    session_forget_tables(session);
    session->guard.open = false;
    session->failed = session->stale = false;
    session->broken.known = session->broken.known && session->broken.error.code != ERROR_MACHINE;
    session->migrating.undone = session->migrating.undone || session->migrating.done;
    session_unmigrate(session);
    session->outer.resets++;
    session->calls++;
    return true;
}

/* After a rollback that undid a migration: the plans of functions may be about types that are gone,
 * which the server does not notice ("cache lookup failed"). */
static bool forget_plans(struct session *session, struct error *err)
{
    bool forgets = session->migrating.undone;
    session->migrating.undone = false;
    return !forgets || session_own(session, "DISCARD PLANS", err);
}

static bool back_to_mark(struct session *session, struct error *err)
{
    session->checkpoints.open = 0;
    snapshot_restore(session, &session->at_mark);
    return session_fixed(session, FIXED_RESET, err) && session_sequences_back(session, err) &&
           forget_plans(session, err);
}

/* Sent at once: what the example has locked in catalogs that all databases share keeps others who
 * work beside it waiting, and it may be long until something else is sent. */
bool session_reset(struct backend *backend, struct error *err)
{
    struct session *session = session_of(backend);
    return session_end_example(session, err) && back_to_mark(session, err) &&
           wire_poll(&session->wire, err);
}

/* Runs a statement about a savepoint of an example. */
static bool run_savepoint(struct session *session, const char *command, size_t index,
                          struct error *err)
{
    char sql[64];
    (void)snprintf(sql, sizeof sql, "%s pgfsm_step_%zu", command, index);
    return session_own(session, sql, err);
}

bool session_checkpoint(struct backend *backend, size_t index, struct error *err)
{
    struct session *session = session_of(backend);
    size_t open = session->checkpoints.open;
    if (session->failed || session->schema != session->at_mark.schema) {
        return true; /* a migration or DDL may have dropped or made sequences */
    }
    if (!session_keep_sequences(session, err)) {
        return false;
    }
    if (open == session->checkpoints.kept.count) {
        *VEC_PUSH(&session->arena, &session->checkpoints.kept) = (struct checkpoint){0};
    }
    struct checkpoint *checkpoint = &session->checkpoints.kept.items[open];
    checkpoint->index = index;
    snapshot_take(session, &checkpoint->snapshot);
    session->checkpoints.open++;
    return run_savepoint(session, "SAVEPOINT", index, err);
}

bool session_rewind(struct backend *backend, size_t *index, struct error *err)
{
    struct session *session = session_of(backend);
    if (!session_end_example(session, err)) {
        return false;
    }
    size_t open = session->checkpoints.open;
    while (open > 0 && session->checkpoints.kept.items[open - 1].index > *index) {
        open--;
    }
    session->checkpoints.open = open;
    if (open == 0) {
        *index = 0;
        return back_to_mark(session, err);
    }
    const struct checkpoint *checkpoint = &session->checkpoints.kept.items[open - 1];
    *index = checkpoint->index;
    snapshot_restore(session, &checkpoint->snapshot);
    return run_savepoint(session, "ROLLBACK TO SAVEPOINT", checkpoint->index, err) &&
           session_sequences_back(session, err) && forget_plans(session, err);
}

/* How many calls were sent beyond a failure is a matter of time. When the transaction begins anew,
 * and draws other random values, must not be: answers that were taken count. */
bool session_wants_restart(struct backend *backend)
{
    const struct session *session = session_of(backend);
    uint64_t calls = session->flight.taken - session->outer.taken_before;
    return session->commit.outdated || session->outer.resets >= EXAMPLES_PER_TRANSACTION ||
           (calls >= (uint64_t)CALLS_PER_STATEMENT * session->statements.uses.count &&
            calls >= (session->loads ? CALLS_WHERE_FILES_ARE_LOADED : CALLS_PER_TRANSACTION));
}

/* The tables that the transaction wrote to, which have dead rows by now, as an array of OIDs. */
static const char query_touched[] =
    "SELECT pg_catalog.array_agg(relid) FROM pg_catalog.pg_stat_xact_all_tables "
    "WHERE n_tup_ins + n_tup_upd + n_tup_del > 0 AND schemaname <> 'pg_toast'";

/* Outside of a transaction: VACUUM of those that are still there. That one of them can't be (it is
 * locked, or not ours) costs speed only. */
bool session_vacuum(struct session *session, const char *oids, struct error *err)
{
    static const char query_vacuum[] =
        "SELECT 'VACUUM ' || pg_catalog.string_agg(pg_catalog.format('%I.%I', n.nspname, "
        "c.relname), "
        "', ') FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = "
        "c.relnamespace WHERE c.oid = ANY ($1::pg_catalog.oid[])";
    struct arena arena = {0};
    const char *sql = NULL;
    bool done = session_value(session, query_vacuum, oids, &arena, &sql, err);
    if (done && sql) {
        PGresult *vacuumed = wire_script(&session->wire, sql, err);
        done = vacuumed != NULL;
        PQclear(vacuumed);
    }
    arena_free(&arena);
    return done;
}

/* The files were loaded before, so what they complain of now came from elsewhere. */
static bool begin_again(struct session *session, struct error *err)
{
    struct arena arena = {0};
    struct diagnostics diagnostics = {.arena = &arena};
    bool done = session_begin(session, &diagnostics, err);
    if (!done && diagnostics.errors.count > 0) {
        *err = diagnostics.errors.items[0];
        err->pos = (struct source_pos){0};
    }
    arena_free(&arena);
    return done;
}

/* Whether a transaction makes tables and types that no later one will see: files that are loaded
 * again, and rules that change the schema, make new OIDs each time. What the client knows of them
 * is forgotten with the transaction; what the server's process keeps for as long as it lives goes
 * with the connection. */
static bool makes_types(const struct session *session)
{
    return session->loads || session->prepare.has_ddl;
}

/* Statements that have to be prepared anew. */
bool session_learn_again(struct session *session, struct error *err)
{
    struct arena arena = {0};
    struct diagnostics diagnostics = {.arena = &arena};
    if (makes_types(session)) {
        types_clear(&session->types);
        types_clear(&session->migrating.types);
    }
    statements_forget(&session->statements);
    session_forget_readings(session);
    session_forget_referred(session);
    session_forget_alignments(session);
    session->sequences.known = session->reads.prepared = false;
    bool done =
        session_prepare_fixed(session, err) && session_prepare_all(session, &diagnostics, err);
    arena_free(&arena);
    return done;
}

/* Ends the transaction, and what it left in a scratch database. */
static bool end_transaction(struct session *session, const char *rollback, struct error *err)
{
    struct arena arena = {0};
    const char *touched = NULL;
    bool done = wire_drain(&session->wire, err);
    if (done && session_runs(session)) {
        done = session_cover(session, err) &&
               (!session->scratch.target ||
                session_value(session, query_touched, NULL, &arena, &touched, err));
    }
    flight_clear(&session->flight);
    done = done && wire_do(&session->wire, rollback, err) &&
           (!touched || session_vacuum(session, touched, err));
    arena_free(&arena);
    return done;
}

static bool begin_over(struct session *session, struct error *err)
{
    bool done = begin_again(session, err);
    contexts_start(&session->contexts);
    session->schema = 0;
    if (done && session->planted) {
        session->planted = false;
        done = session_renew_deferral(session, err);
    }
    return done;
}

/* With what a rollback leaves in the session: locks that others wait for, and what currval says. */
#define ROLLBACK_SESSION "ROLLBACK; SELECT pg_catalog.pg_advisory_unlock_all(); DISCARD SEQUENCES"

bool session_restart(struct backend *backend, struct error *err)
{
    struct session *session = session_of(backend);
    bool anew = makes_types(session);
    if (anew && ++session->outer.with_types % TRANSACTIONS_PER_CONNECTION == 0) {
        return session_reconnect(backend, err);
    }
    return end_transaction(session, anew ? ROLLBACK_SESSION "; DEALLOCATE ALL" : ROLLBACK_SESSION,
                           err) &&
           session_restore_sequences(session, err) && begin_over(session, err) &&
           (!anew || session_learn_again(session, err));
}

bool session_reconnect(struct backend *backend, struct error *err)
{
    struct session *session = session_of(backend);
    /* The old connection's process ends some time after the connection is closed, so its advisory
     * locks are given back now. An interrupt has left nothing to end. */
    bool done = session->wire.lost || (end_transaction(session, "ROLLBACK", err) &&
                                       wire_do(&session->wire, "DISCARD ALL", err));
    flight_clear(&session->flight);
    wire_close(&session->wire);
    return done && session_connect(session, err) && session_restore_sequences(session, err) &&
           begin_over(session, err) && session_learn_again(session, err);
}
