#include "pg/catalog/catalog.h"
#include "pg/session/queries.h"
#include "pg/types/encode.h"

#include <stdlib.h>
#include <string.h>

static bool changes_shared(const struct machine *machine)
{
    for (size_t i = 0; i < machine->templates.count; i++) {
        if (machine->templates.items[i]->is_shared) {
            return true;
        }
    }
    return false;
}

static bool load_file(struct session *session, const char *path, struct diagnostics *diagnostics,
                      struct error *err)
{
    bool loaded = load_by_psql(session->target, session->scratch.name, path, diagnostics, err);
    scratch_renew(&session->scratch);
    return loaded;
}

static void drop_clones(struct session *session, size_t count)
{
    for (; count > 0 && session->clones.made.count > 0; count--) {
        scratch_drop(&session->clones.made.items[--session->clones.made.count]);
    }
}

/* Each copy has a connection; those that the session itself needs come before them. */
static void leave_room(struct session *session)
{
    struct error err = {0};
    size_t missing;
    size_t others = session->target->embedded ? 0 : session->options.room;
    while (session->clones.made.count > 0 && !session_reserve(session, others, &missing, &err)) {
        drop_clones(session, missing);
        session->clones.why_fewer = arena_strdup(&session->arena, err.message);
    }
    pg_backend_unreserve(&session->backend);
}

/* Makes the clones now, while no session is connected to the database. If one can't be made, the
 * run goes on. */
static void make_clones(struct session *session)
{
    for (size_t i = 0; i < session->options.clones && !session->clones.why_fewer; i++) {
        struct scratch clone;
        struct error err = {0};
        if (scratch_clone(&clone, &session->scratch, &err)) {
            *VEC_PUSH(&session->arena, &session->clones.made) = clone;
        } else {
            session->clones.why_fewer = arena_strdup(&session->arena, err.message);
        }
    }
    leave_room(session);
}

/* A database of the run's own, unless it is to be the named one; with the files in it, unless they
 * are loaded in the transaction. */
static bool make_database(struct session *session, struct diagnostics *diagnostics,
                          struct error *err)
{
    const struct machine *machine = session->machine;
    if (session->scratch.target) {
        return true; /* a clone */
    }
    if (session->in_place && !session->target->embedded) {
        session->clones.why_fewer = "the named database is tested as it is";
        return true;
    }
    if (session->loads) {
        session->clones.why_fewer = "the schema is loaded inside the transaction";
    } else if (session->options.clock_us && session->commits) {
        session->clones.why_fewer = "all databases of a server have the same clock";
    } else if (session->migrating.files.shared) {
        session->clones.why_fewer =
            "the migration changes roles, which all databases of a server share";
    } else if (changes_shared(machine)) {
        session->clones.why_fewer =
            "the machine changes roles, which all databases of a server share";
    }
    if (!loaded_open(session, load_file, diagnostics, err) ||
        (session->options.gates && session->commits && !gates_make(session, err))) {
        return false;
    }
    make_clones(session); /* not of what was loaded inside the transaction: one would wait for the
                             other where it makes a role */
    return true;
}

/* If steps are committed, this database stays as it is, and the session works in a copy. */
static bool make_working(struct session *session, struct diagnostics *diagnostics,
                         struct error *err)
{
    if (!session->commits) {
        return make_database(session, diagnostics, err);
    }
    if (!commit_allowed(session, err)) {
        return false;
    }
    if (changes_shared(session->machine)) {
        error_set(err, ERROR_MACHINE,
                  "steps can't be committed: the machine changes what all databases of a server "
                  "share, such as roles, which a new copy does not undo");
        return error_hint(err, "create roles in a file of `schema`, or commit no steps");
    }
    return session->commit.base ||
           (make_database(session, diagnostics, err) && commit_copy(session, err));
}

/* Of a scratch database, before the transaction. An embedded server has no autovacuum. */
static bool calm(struct session *session, struct error *err)
{
    return !session->scratch.target || session->commits ||
           (wire_do(&session->wire, "SET default_transaction_read_only = off", err) &&
            (session->target->embedded || wire_do(&session->wire, query_calm, err)));
}

/* Not by session_value, which has a search_path of its own. */
static bool read_base(struct session *session, const char *name, const char **out,
                      struct error *err)
{
    const struct wire_params params = {.count = 1, .values = &name};
    PGresult *result =
        wire_query_ok(&session->wire, "SELECT pg_catalog.current_setting($1, true)", &params, err);
    *out = result ? arena_strdup(&session->arena, PQgetvalue(result, 0, 0)) : "";
    PQclear(result);
    return result != NULL;
}

/* Asks whether a new connection has settings of the database or the role. */
static bool read_connected(struct session *session, struct error *err)
{
    const char *is = NULL;
    if (!session_value(session,
                       "SELECT EXISTS (SELECT FROM pg_catalog.pg_db_role_setting AS s LEFT JOIN "
                       "pg_catalog.pg_database AS d ON d.oid = s.setdatabase LEFT JOIN "
                       "pg_catalog.pg_roles AS r ON r.oid = s.setrole WHERE "
                       "(s.setdatabase = 0 OR d.datname = pg_catalog.current_database()) "
                       "AND (s.setrole = 0 OR r.rolname = session_user))::pg_catalog.text",
                       NULL, &session->arena, &is, err)) {
        return false;
    }
    session->connection.configured = *is == 't';
    return true;
}

/* Reads the values that settings return to if a context does not mention them. */
static bool read_bases(struct session *session, struct error *err)
{
    struct contexts *contexts = &session->contexts;
    bool read = read_connected(session, err) && read_base(session, "role", &contexts->role, err);
    for (size_t i = 0; i < contexts->names.count && read; i++) {
        struct context_name *name = &contexts->names.items[i];
        read = read_base(session, name->name, &name->base, err);
    }
    if (read) {
        contexts_list_own(contexts);
        contexts_start(contexts);
    }
    return read;
}

/* Tables and columns that strategies name must exist, unless dataset or initialize may create them.
 * They were looked for in what this is a copy of, and nobody draws from a database that is
 * tolerant.
 */
static bool check_names(struct session *session, struct diagnostics *diagnostics, struct error *err)
{
    struct arena arena = {0};
    if (session->copied || session->options.tolerant) {
        return true;
    }
    struct diagnostics later = {.arena = &arena};
    bool done = session_check_names(session, session->prepare.sets_up ? &later : diagnostics, err);
    session->prepare.pending |= later.errors.count > 0;
    arena_free(&arena);
    return done;
}

static bool begin_transaction(struct session *session, struct diagnostics *diagnostics,
                              struct error *err)
{
    return session->commits ? commit_connected(session, err)
                            : session_begin(session, diagnostics, err);
}

static bool pg_open(struct backend *backend, const struct machine *machine,
                    struct diagnostics *diagnostics, struct error *err)
{
    struct session *session = session_of(backend);
    *err = (struct error){0};
    session_make(session, machine);
    if (!session_read_migration(session, err) || !make_working(session, diagnostics, err) ||
        !session_connect(session, err) ||
        (session->options.dies && !death_possible(session, err)) || !calm(session, err) ||
        !session_note_sequences(session, err) || !session_prepare_coverage(session, err) ||
        !session_note_columns(session, err) || !begin_transaction(session, diagnostics, err) ||
        !session_read_changes(session, err) || !session_find_makers(session, err) ||
        !read_bases(session, err) || !session_prepare_fixed(session, err) ||
        !session_prepare_all(session, diagnostics, err) ||
        !check_names(session, diagnostics, err) || diagnostics->errors.count > 0) {
        session_explain_empty(session, diagnostics);
        return false;
    }
    if (!session_read_deferral(session, err) || !session_read_catalog(session, err)) {
        return false;
    }
    snapshot_take(session, &session->at_mark);
    return true;
}

static bool pg_pending(struct backend *backend) { return session_of(backend)->prepare.pending; }

static bool pg_prepare(struct backend *backend, struct diagnostics *diagnostics, struct error *err)
{
    struct session *session = session_of(backend);
    return (!session->prepare.pending && session->schema == 0) ||
           (session_prepare_rest(session, diagnostics, err) &&
            (!diagnostics || session->copied || session->options.tolerant ||
             session_check_names(session, diagnostics, err)));
}

static void pg_limit(struct backend *backend, int64_t timeout_ms)
{
    struct session *session = session_of(backend);
    session->commit.outdated = session->options.statement_timeout_ms != timeout_ms;
    session->options.statement_timeout_ms = timeout_ms;
}

static size_t pg_held(struct backend *backend) { return session_of(backend)->flight.held; }

static bool pg_encode(struct backend *backend, uint32_t type, struct value value,
                      struct strbuf *out, bool *null, struct error *err)
{
    const struct session *session = session_of(backend);
    enum encoded encoded =
        type == 0
            ? encode_pasted(value, out, err)
            : encode_value(&session->types, types_get(&session->types, type), value, out, err);
    *null = encoded == ENCODED_NULL;
    return encoded != ENCODED_FAILED;
}

static const char *pg_type_name(struct backend *backend, uint32_t type)
{
    return types_get(&session_of(backend)->types, type)->name;
}

static struct backend_deferral pg_deferral(struct backend *backend)
{
    const struct deferral *deferral = &session_of(backend)->deferral;
    return (struct backend_deferral){
        .any = deferral->any,
        .restore = deferral->restore.size > 0 ? strbuf_text(&deferral->restore) : NULL,
        .by_savepoint = deferral->by_savepoint,
    };
}

static struct backend_changes pg_changes(struct backend *backend)
{
    const struct contexts *contexts = &session_of(backend)->contexts;
    return (struct backend_changes){
        .settings = contexts->changed,
        .session_user = contexts->changed && contexts->session_users,
        .connected = session_of(backend)->connection.configured ? query_connected : NULL,
        .own = contexts->own.items,
        .own_count = contexts->own.count,
    };
}

static const char *const *pg_warnings(struct backend *backend)
{
    struct session *session = session_of(backend);
    VEC(const char *) all = {0};
    if (session->lane.no_gates) {
        *VEC_PUSH(&session->arena, &all) = session->lane.no_gates;
    }
    if (session->migrating.files.otherwise && !session->commits) {
        *VEC_PUSH(&session->arena, &all) = session->migrating.files.otherwise;
    }
    for (size_t i = 0; session->catalog.warnings && session->catalog.warnings[i]; i++) {
        *VEC_PUSH(&session->arena, &all) = session->catalog.warnings[i];
    }
    *VEC_PUSH(&session->arena, &all) = NULL;
    return all.items;
}

static const struct value *pg_pool_strings(struct backend *backend, size_t *count)
{
    *count = session_of(backend)->catalog.strings.count;
    return session_of(backend)->catalog.strings.items;
}

static const struct value *pg_pool_ints(struct backend *backend, size_t *count)
{
    *count = session_of(backend)->catalog.ints.count;
    return session_of(backend)->catalog.ints.items;
}

static bool pg_coverage(struct backend *backend, struct arena *arena, struct backend_coverage *out,
                        struct error *err)
{
    struct session *session = session_of(backend);
    if (!coverage_is_known(session)) {
        return error_set(err, ERROR_USAGE,
                         "where steps are committed, it needs PostgreSQL 15 or later");
    }
    if (!session->commits && !session_cover(session, err)) {
        return false;
    }
    for (size_t i = 0; i < session->coverage.objects.count; i++) {
        coverage_add(out, arena, &session->coverage.objects.items[i]);
    }
    if (session->coverage.no_functions) {
        out->no_functions = arena_strdup(arena, session->coverage.no_functions);
    }
    return true;
}

static void pg_leave(struct backend *backend)
{
    struct session *session = session_of(backend);
    lanes_leave(session);
    wire_close(&session->commit.restorer);
    session_disconnect(session);
}

static void pg_close(struct backend *backend)
{
    struct session *session = session_of(backend);
    session->target->users -= session->counted;
    session_tell_stuck(session);
    pg_leave(backend);
    lanes_free(session);
    drop_clones(session, session->clones.made.count);
    pg_backend_unreserve(backend);
    struct scratch *kept =
        session->commit.loaded.target ? &session->commit.loaded : &session->scratch;
    if (session->options.keep) {
        if (session->lane.gates) {
            gates_drop(kept);
        }
        scratch_keep(kept);
    }
    scratch_drop(&session->scratch);
    scratch_drop(&session->commit.retired);
    scratch_drop(&session->commit.loaded);
    session_free(session);
}

/* Operations that do not depend on how steps relate to transactions: those of lanes, and of others.
 */
#define LANE_OPS                                                                                   \
    .take = death_take, .ready = session_ready, .held = pg_held, .equal = session_equal,           \
    .encode = pg_encode, .type_name = pg_type_name, .deferral = pg_deferral,                       \
    .changes = pg_changes, .leave = pg_leave
#define SHARED_OPS                                                                                 \
    LANE_OPS, .open = pg_open, .pending = pg_pending, .prepared = session_prepared,                \
              .prepare = pg_prepare, .limit = pg_limit, .warnings = pg_warnings,                   \
              .pool_strings = pg_pool_strings, .pool_ints = pg_pool_ints, .table = session_table,  \
              .rows = session_rows, .tables = session_tables, .relations = session_relations,      \
              .parts = session_parts, .written = session_written,                                  \
              .queue_reads = session_queue_reads, .align = session_align, .epoch = session_epoch,  \
              .close = pg_close

/* Lanes are on the copy that goes away. */
static bool restart_committed(struct backend *backend, struct error *err)
{
    lanes_leave(session_of(backend));
    return commit_restart(backend, err);
}

struct backend *pg_backend_new(struct pg_target *target, const struct pg_backend_options *options)
{
    static const struct backend_ops rolled_back = {
        SHARED_OPS,
        .plant = session_plant,
        .mark = session_mark,
        .reset = session_reset,
        .checkpoint = session_checkpoint,
        .rewind = session_rewind,
        .wants_restart = session_wants_restart,
        .restart = session_restart,
        .reconnect = session_reconnect,
        .queue = session_queue,
        .queue_deferred = session_queue_deferred,
        .guard_begin = session_guard_begin,
        .guard_end = session_guard_end,
        .guard_undo = session_guard_undo,
        .reads = session_reads,
        .watch = session_watch,
        .queue_written = session_queue_written,
        .take_written = session_take_written,
        .migrate = session_migrate,
        .coverage = pg_coverage,
    };
    static const struct backend_ops committed = {
        SHARED_OPS,
        .plant = commit_plant,
        .mark = commit_mark,
        .reset = commit_reset,
        .wants_restart = commit_wants_restart,
        .restart = restart_committed,
        .reconnect = restart_committed,
        .die = commit_die,
        .die_at = death_at,
        .died_at = death_was_at,
        .queue = commit_queue,
        .queue_deferred = commit_queue_deferred,
        .guard_begin = commit_guard_begin,
        .guard_end = commit_guard_end,
        .guard_undo = session_guard_undo,
        .clock = commit_clock,
        .migrate = commit_migrate,
        .coverage = pg_coverage,
        .lanes = &session_lanes,
    };
    static const struct backend_ops lane = {
        LANE_OPS,
        .reset = lane_reset,
        .die = lane_die,
        .die_at = death_at,
        .died_at = death_was_at,
        .queue = commit_queue,
        .queue_deferred = commit_queue_deferred,
        .guard_begin = commit_guard_begin,
        .guard_end = commit_guard_end,
        .guard_undo = session_guard_undo,
        .close = pg_leave,
    };
    struct session *session = memory_alloc(sizeof *session);
    *session = (struct session){
        .backend = {.ops = options->commit ? &committed : &rolled_back},
        .target = target,
        .options = *options,
        .lane = {.ops = &lane},
    };
    return &session->backend;
}

struct backend *pg_backend_clone(struct backend *of)
{
    struct session *source = session_of(of);
    if (source->clones.made.count == 0) {
        return NULL;
    }
    struct pg_backend_options options = source->options;
    options.keep = false;
    options.clones = 0;
    struct backend *backend = pg_backend_new(source->target, &options);
    session_of(backend)->scratch = source->clones.made.items[--source->clones.made.count];
    session_of(backend)->copied = true;
    session_of(backend)->commit.base = source->commit.base;
    session_of(backend)->lane.gates = source->lane.gates;
    session_of(backend)->lane.bodies = source->lane.bodies;
    return backend;
}

void pg_backend_perturb(struct backend *backend) { session_of(backend)->options.perturbed = true; }

const char *pg_backend_no_clones(const struct backend *backend)
{
    return ((const struct session *)backend)->clones.why_fewer;
}

bool pg_backend_lacks(struct backend *backend, const struct error *err)
{
    struct session *session = session_of(backend);
    bool lacks = connect_lacks(err->sqlstate);
    if (lacks) {
        session->clones.why_fewer = arena_strdup(&session->arena, err->message);
    }
    return lacks;
}
