#include "base/words.h"
#include "pg/session/queries.h"
#include "pg/session/session.h"
#include "pg/way_out.h"

#include <stdlib.h>
#include <string.h>

/* The type of what a function without a result returns (pg_type.dat). */
enum { OID_VOID = 2278 };

/* The answers for one statement that is being prepared. */
struct preparing {
    struct statement *statement;
    PGresult *result; /* its description, or why the server refuses it */
};

/* The answers for an actor whose statements are being prepared. */
struct assuming {
    const struct context *context; /* that names the actor; NULL: the connecting user */
    PGresult *result;
    bool known; /* some statement is prepared for it */
};

static struct wire_call keep_in(PGresult **kept)
{
    return (struct wire_call){.done = wire_keep, .owner = kept};
}

/* Parse and Describe in a segment and a savepoint of their own, so that a refusal leaves no trace.
 */
static bool send_prepare(struct session *session, struct preparing *preparing, struct error *err)
{
    const struct statement_sink sink = {.text = &session->text};
    struct wire *wire = &session->wire;
    const char *name = preparing->statement->name;
    strbuf_clear(&session->text);
    return statement_text(preparing->statement->sql, NULL, &sink, err) &&
           session_fixed(session, FIXED_TRY, err) &&
           wire_parse(wire, name, strbuf_text(&session->text), keep_in(&preparing->result), err) &&
           wire_describe(wire, name, keep_in(&preparing->result), err) && wire_sync(wire, err) &&
           session_fixed(session, FIXED_TRY_BACK, err) &&
           session_fixed(session, FIXED_TRY_DONE, err);
}

static uint32_t *param_types(const PGresult *described, struct arena *arena, size_t *count)
{
    *count = (size_t)PQnparams(described);
    uint32_t *types = ARENA_ARRAY(arena, uint32_t, *count);
    for (size_t i = 0; i < *count; i++) {
        types[i] = PQparamtype(described, (int)i);
    }
    return types;
}

static bool was_prepared(const struct preparing *preparing)
{
    return PQresultStatus(preparing->result) == PGRES_COMMAND_OK;
}

/* A statement that the server took. */
static bool finish(struct session *session, const struct preparing *preparing, struct error *err)
{
    struct statement *statement = preparing->statement;
    if (!session_learn_types(session, preparing->result, err)) {
        return false;
    }
    size_t count = (size_t)PQnparams(preparing->result);
    if (!statement->params || statement->param_count != count) {
        statement->params = ARENA_ARRAY(&session->arena, uint32_t, count);
        statement->param_count = count;
    }
    for (size_t i = 0; i < count; i++) {
        statement->params[i] = PQparamtype(preparing->result, (int)i);
    }
    statement->no_value =
        !PQnfields(preparing->result) || PQftype(preparing->result, 0) == OID_VOID;
    statement->state = STATEMENT_PREPARED;
    statement->schema = session->schema;
    if (!session->marked || session->schema == session->at_mark.schema) {
        (statement->base ? statement->base : statement)->taken = true;
    }
    return true;
}

static bool parse_once(struct session *session, const char *sql, PGresult **result,
                       struct error *err)
{
    return wire_parse(&session->wire, "", sql, keep_in(result), err) &&
           wire_describe(&session->wire, "", keep_in(result), err) &&
           wire_drain(&session->wire, err);
}

bool session_parse(struct session *session, const char *sql, struct arena *arena,
                   struct parsed *out, struct error *err)
{
    PGresult *result = NULL;
    *out = (struct parsed){0};
    bool done = parse_once(session, sql, &result, err);
    if (done && !wire_is_error(result)) {
        size_t known = session->types.by_oid.count;
        out->params = param_types(result, arena, &out->param_count);
        done = session_learn_types(session, result, err);
        if (done && session->types.by_oid.count != known) {
            /* Learning took the unnamed statement's place. */
            done = parse_once(session, sql, &result, err);
        }
    }
    if (done && wire_is_error(result)) {
        out->refused = result;
    } else {
        PQclear(result);
    }
    return done;
}

/* When a batch is prepared. */
enum stage {
    STAGE_OPEN,  /* on the bare schema */
    STAGE_PART,  /* a part of what runs before the rules has run */
    STAGE_RULES, /* all of it */
};

/* Everything that is prepared at once. */
struct batch {
    struct session *session;
    enum stage stage;
    struct arena arena;
    VEC(struct preparing) statements;
    VEC(struct assuming) actors; /* by index of session->statements.actors */
};

static bool is_listed(const struct batch *batch, const struct statement *statement)
{
    for (size_t i = 0; i < batch->statements.count; i++) {
        if (batch->statements.items[i].statement == statement) {
            return true;
        }
    }
    return false;
}

/* Lists a statement unless its text, its actor or what its names mean is known only when it runs;
 * what runs before the rules did so, or will. */
static void list(struct batch *batch, const struct use *use)
{
    struct actor actor;
    if (!use_actor(use, &actor) || (use->context && context_changes_names(use->context)) ||
        (batch->stage != STAGE_OPEN && use_sets_up(use))) {
        return;
    }
    size_t index = statements_actor(&batch->session->statements, &actor);
    while (batch->actors.count <= index) {
        (void)VEC_PUSH(&batch->arena, &batch->actors);
    }
    struct assuming *assuming = &batch->actors.items[index];
    if (!assuming->known) {
        *assuming = (struct assuming){.context = use->context, .known = true};
    }
    struct statement *statement = statements_get(&batch->session->statements, use->sql, index);
    if (batch->stage != STAGE_OPEN) {
        statement =
            statements_in_schema(&batch->session->statements, statement, batch->session->schema);
    }
    if (statement->state == STATEMENT_NEW && !is_listed(batch, statement)) {
        *VEC_PUSH(&batch->arena, &batch->statements) = (struct preparing){.statement = statement};
    }
}

/* All statements of an actor, in its context: within a savepoint, in one flight. */
static bool send_actor(struct batch *batch, size_t index, struct error *err)
{
    struct session *session = batch->session;
    const struct actor *actor = &session->statements.actors.items[index];
    const struct backend_context context = {.role = actor->role,
                                            .session_user = actor->session_user};
    bool differs = contexts_want(&session->contexts, &context);
    const struct wire_params params = {
        .count = (int)contexts_count(&session->contexts),
        .values = session->contexts.values,
    };
    if (!session_fixed(session, FIXED_GUARD, err) ||
        (differs && !session_send_fixed(session, FIXED_CONTEXT, &params,
                                        keep_in(&batch->actors.items[index].result), err)) ||
        !wire_sync(&session->wire, err)) {
        return false;
    }
    for (size_t i = 0; i < batch->statements.count; i++) {
        struct preparing *preparing = &batch->statements.items[i];
        if (preparing->statement->actor == index && !send_prepare(session, preparing, err)) {
            return false;
        }
    }
    /* if the actor may not be assumed, that failed segment must not take this along */
    return wire_sync(&session->wire, err) && session_fixed(session, FIXED_GUARD_BACK, err) &&
           session_fixed(session, FIXED_GUARD_DONE, err);
}

static const char *server_state(const PGresult *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    return state ? state : "";
}

static void complain_actor(const struct batch *batch, size_t index, struct diagnostics *diagnostics)
{
    const struct assuming *assuming = &batch->actors.items[index];
    const struct actor *actor = &batch->session->statements.actors.items[index];
    const char *user = batch->session->user;
    struct error err;
    wire_error(assuming->result, &err);
    if (strcmp(err.sqlstate, "42501") == 0 && actor->role) {
        error_set(&err, ERROR_MACHINE, "%s may not assume the role %s", user, actor->role);
        memcpy(err.sqlstate, "42501", sizeof err.sqlstate);
        error_hint(&err, "GRANT %s TO %s allows it", actor->role, user);
    } else {
        way_out_add(&err, batch->session->target->embedded);
        error_context(&err, "the context can't be set");
    }
    err.code = ERROR_MACHINE;
    err.pos = assuming->context->pos;
    diagnostics_add(diagnostics, &err);
}

/* A parameter whose type the server can't tell, or tells differently in two places. */
static bool wants_cast(const char *state) { return word_is_in(state, "42P08|42P18"); }

/* The statement names what is not there. */
static bool is_undefined(const char *state)
{
    return word_is_in(state, "42P01|42703|42883|42704|3F000|42P10");
}

/* A syntax error at what other tools write for a parameter: ?, %s, %(name)s. */
static bool is_placeholder(const struct error *err)
{
    const struct source *source = err->pos.source;
    char c = source && err->pos.offset < source->size ? source->text[err->pos.offset] : '\0';
    return strcmp(err->sqlstate, "42601") == 0 && (c == '?' || c == '%');
}

static struct error mistake_of(const struct preparing *preparing)
{
    const struct sql_template *sql = preparing->statement->sql;
    const PGresult *refusal = preparing->result;
    const char *position = PQresultErrorField(refusal, PG_DIAG_STATEMENT_POSITION);
    struct error err;
    wire_error(refusal, &err);
    err.code = ERROR_MACHINE;
    err.pos = statement_place(sql, statement_position(sql, position ? atoi(position) : 0, NULL));
    err.missing = is_undefined(err.sqlstate);
    if (is_placeholder(&err)) {
        error_hint(&err, "write a parameter as :name");
    } else if (wants_cast(err.sqlstate)) {
        error_hint(&err, "add a cast, as in :x::int");
    }
    return err;
}

static bool sets_up(const struct session *session, const struct sql_template *sql)
{
    for (size_t i = 0; i < session->statements.uses.count; i++) {
        const struct use *use = &session->statements.uses.items[i];
        if (use->sql == sql) {
            return use_sets_up(use);
        }
    }
    return false;
}

/* A right is missing, or policies, views or rules lead back to where they are used: of the schema,
 * not of the machine. */
static bool is_fault(const char *state) { return word_is_in(state, "42501|42P17"); }

/* A statement that runs before the rules could be prepared neither on the bare schema nor now. That
 * is a mistake, unless an error is predicted or the schema is at fault. */
static void refuse_set_up(struct session *session, const struct preparing *preparing)
{
    struct error mistake = mistake_of(preparing);
    if (session->prepare.pending && !session->options.tolerant && !session->guard.open &&
        !is_fault(mistake.sqlstate) && sets_up(session, preparing->statement->sql)) {
        session_break(session, session->flight.next - 1, &mistake);
    }
}

bool session_prepare_one(struct session *session, struct statement *statement, struct error *err)
{
    struct preparing preparing = {.statement = statement};
    bool drained = wire_drain(&session->wire, err);
    bool runs = drained && session_runs(session);
    bool done = drained;
    if (runs) {
        done = send_prepare(session, &preparing, err) && wire_drain(&session->wire, err);
        if (done && was_prepared(&preparing)) {
            done = finish(session, &preparing, err);
        } else if (done) {
            statement_refused(statement, session->prepare.has_ddl);
            refuse_set_up(session, &preparing);
        }
    }
    PQclear(preparing.result);
    return done;
}

/* Whether a machine's migration may put it right: what it makes may be of other types, too, and an
 * enum may get another value. */
static bool may_migrate(const struct session *session, const char *state)
{
    return session->machine->migration && strcmp(state, "42601") != 0 &&
           (strncmp(state, "42", 2) == 0 || strcmp(state, "22P02") == 0);
}

/* Whether a rule may put right what the server refuses now, or predict it, as one does of which no
 * error is a failure; a fault of the schema is for a rule to find. No DDL brings a table to
 * a FROM that lacks it, though that has the error of one that is not there. */
static bool is_left(const struct session *session, const PGresult *refusal)
{
    const char *state = server_state(refusal);
    const char *function = PQresultErrorField(refusal, PG_DIAG_SOURCE_FUNCTION);
    bool no_from = function && strcmp(function, "errorMissingRTE") == 0;
    bool written_wrongly = strcmp(state, "42601") == 0 || wants_cast(state) || is_undefined(state);
    bool any_error = session->machine->settings.errors == ERRORS_ANY;
    return is_fault(state) || (may_migrate(session, state) && !no_from) ||
           (any_error && !written_wrongly) ||
           (session->prepare.mends && is_undefined(state) && !no_from &&
            strstr(session->prepare.mends, state) != NULL);
}

/* Whether what the server refuses now is taken later: by what the machine runs before its rules. */
static bool may_come(struct batch *batch)
{
    bool may = batch->stage != STAGE_RULES && batch->session->prepare.sets_up;
    batch->session->prepare.pending |= may;
    return may;
}

/* Judges one: prepared, refused for good, or to be parsed when it runs, which is noted. A statement
 * is complained of once, whoever runs it. */
static bool settle(struct batch *batch, size_t index, struct diagnostics *diagnostics,
                   struct error *err)
{
    struct preparing *preparing = &batch->statements.items[index];
    if (was_prepared(preparing)) {
        return finish(batch->session, preparing, err);
    }
    const PGresult *refusal = preparing->result;
    const char *state = server_state(refusal);
    bool syntax = strcmp(state, "42601") == 0;
    bool later = !syntax && may_come(batch);
    if (batch->stage != STAGE_PART) {
        statement_refused(preparing->statement, later || batch->session->prepare.has_ddl);
    }
    if (later) {
        return true;
    }
    bool left = batch->session->options.tolerant || is_left(batch->session, refusal);
    for (size_t i = 0; i < index; i++) {
        const struct preparing *earlier = &batch->statements.items[i];
        if (earlier->statement->sql == preparing->statement->sql && !was_prepared(earlier) &&
            is_left(batch->session, earlier->result) == left) {
            return true;
        }
    }
    struct error mistake = mistake_of(preparing);
    diagnostics_add(left ? &batch->session->prepare.left : diagnostics, &mistake);
    return true;
}

static bool settle_all(struct batch *batch, struct diagnostics *diagnostics, struct error *err)
{
    for (size_t i = 0; i < batch->actors.count; i++) {
        if (wire_is_error(batch->actors.items[i].result) && !batch->session->options.tolerant &&
            !may_come(batch)) {
            complain_actor(batch, i, diagnostics);
        }
    }
    for (size_t i = 0; i < batch->statements.count; i++) {
        size_t actor = batch->statements.items[i].statement->actor;
        if (!wire_is_error(batch->actors.items[actor].result) &&
            !settle(batch, i, diagnostics, err)) {
            return false;
        }
    }
    return true;
}

/* An actor that may not be assumed: what was sent for it behind the refusal failed, too. */
static bool some_actor_refused(const struct batch *batch)
{
    for (size_t i = 0; i < batch->actors.count; i++) {
        if (wire_is_error(batch->actors.items[i].result)) {
            return true;
        }
    }
    return false;
}

static bool prepare_batch(struct session *session, enum stage stage,
                          struct diagnostics *diagnostics, struct error *err)
{
    struct batch batch = {.session = session, .stage = stage};
    bool done = true;
    for (size_t i = 0; i < session->statements.uses.count; i++) {
        list(&batch, &session->statements.uses.items[i]);
    }
    for (size_t i = 0; i < batch.actors.count && done; i++) {
        done = !batch.actors.items[i].known || send_actor(&batch, i, err);
    }
    done = done && wire_drain(&session->wire, err) && settle_all(&batch, diagnostics, err);
    diagnostics_merge(diagnostics, 0);
    session->broken.known = session->broken.known && !some_actor_refused(&batch);
    for (size_t i = 0; i < batch.statements.count; i++) {
        PQclear(batch.statements.items[i].result);
    }
    for (size_t i = 0; i < batch.actors.count; i++) {
        PQclear(batch.actors.items[i].result);
    }
    arena_free(&batch.arena);
    if (done && session->broken.known) {
        *err = session->broken.error;
        return false;
    }
    return done;
}

bool session_prepare_all(struct session *session, struct diagnostics *diagnostics,
                         struct error *err)
{
    session->prepare.left.arena = &session->arena;
    return session_settle(session, err) && prepare_batch(session, STAGE_OPEN, diagnostics, err);
}

bool session_prepare_rest(struct session *session, struct diagnostics *diagnostics,
                          struct error *err)
{
    struct arena arena = {0};
    struct diagnostics ignored = {.arena = &arena};
    bool done = session_settle(session, err);
    if (done && diagnostics) {
        done = prepare_batch(session, STAGE_RULES, diagnostics, err);
    } else if (done) {
        done = prepare_batch(session, STAGE_PART, &ignored, err);
    }
    arena_free(&arena);
    return done;
}

static bool is_prepared(const struct statement *statement)
{
    bool prepared = statement->state == STATEMENT_PREPARED;
    for (const struct statement *each = statement->variants; each && !prepared; each = each->next) {
        prepared = each->state == STATEMENT_PREPARED;
    }
    return prepared;
}

/* A target takes the first column, which may be void: a function that returns nothing. */
static void doubt_target(struct session *session, const struct use *use,
                         const struct statement *statement)
{
    if (use->feeds && statement && statement->state == STATEMENT_PREPARED && statement->no_value) {
        error_hint(diagnostics_at(&session->prepare.doubts, snippet_pos(&use->sql->snippet, 0),
                                  "the target gets no value: this statement returns none"),
                   "select a column for it, or give the value with `returns`");
    }
}

struct backend_prepared session_prepared(struct backend *backend)
{
    struct session *session = session_of(backend);
    struct backend_prepared prepared = {.left = &session->prepare.left,
                                        .doubts = &session->prepare.doubts};
    session->prepare.doubts = (struct diagnostics){.arena = &session->arena};
    for (size_t i = 0; i < session->statements.uses.count; i++) {
        const struct use *use = &session->statements.uses.items[i];
        const struct statement *statement = session->statements.by_template[use->sql->id];
        bool all = statement != NULL;
        doubt_target(session, use, statement);
        for (; statement && all; statement = statement->next) {
            all = is_prepared(statement);
        }
        prepared.statements += use->kind != USE_DATASET;
        prepared.prepared += use->kind != USE_DATASET && all;
    }
    return prepared;
}

static const char *fixed_sql(enum fixed fixed)
{
    static const char *const texts[FIXED_COUNT] = {
        [FIXED_MARK] = "SAVEPOINT pgfsm_example",
        [FIXED_RESET] = "ROLLBACK TO SAVEPOINT pgfsm_example",
        [FIXED_GUARD] = "SAVEPOINT pgfsm_guard",
        [FIXED_GUARD_BACK] = "ROLLBACK TO SAVEPOINT pgfsm_guard",
        [FIXED_GUARD_DONE] = "RELEASE SAVEPOINT pgfsm_guard",
        [FIXED_CHECK] = "SET CONSTRAINTS ALL IMMEDIATE",
        [FIXED_TRY] = "SAVEPOINT pgfsm_try",
        [FIXED_TRY_BACK] = "ROLLBACK TO SAVEPOINT pgfsm_try",
        [FIXED_TRY_DONE] = "RELEASE SAVEPOINT pgfsm_try",
        [FIXED_BEGIN] = "BEGIN READ WRITE",
        [FIXED_COMMIT] = "COMMIT",
        [FIXED_SHARED] = query_shared,
        [FIXED_ROLLBACK] = "ROLLBACK",
    };
    return texts[fixed];
}

bool session_prepare_fixed(struct session *session, struct error *err)
{
    PGresult *results[FIXED_COUNT] = {0};
    bool done = true;
    for (enum fixed i = 0; i < FIXED_PREPARED && done; i++) {
        const char *sql = fixed_sql(i);
        if (i == FIXED_CONTEXT) {
            strbuf_clear(&session->text);
            contexts_sql(&session->contexts, true, &session->text);
            sql = strbuf_text(&session->text);
        }
        done = session_prepare_own(session, i, sql, keep_in(&results[i]), err);
    }
    done = done && wire_drain(&session->wire, err);
    for (enum fixed i = 0; i < FIXED_PREPARED; i++) {
        if (done && wire_is_error(results[i])) {
            done = wire_error(results[i], err);
        }
        PQclear(results[i]);
    }
    return done;
}
