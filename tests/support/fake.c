#include "support/fake.h"

#include "support/eval.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static _Noreturn void broken(const char *what)
{
    (void)fprintf(stderr, "fake backend: %s\n", what);
    abort();
}

static void must(bool holds, const char *what)
{
    if (!holds) {
        broken(what);
    }
}

/* Types of columns. */

static const struct fake_type {
    const char *name;
    uint32_t oid;
    enum column_class class;
    bool plain;
} types[] = {
    {"int4", 23, COLUMN_NUMBER, false},        {"int8", 20, COLUMN_NUMBER, false},
    {"numeric", 1700, COLUMN_NUMBER, false},   {"bool", 16, COLUMN_NUMBER, false},
    {"float4", 700, COLUMN_FLOAT, false},      {"float8", 701, COLUMN_FLOAT, false},
    {"text", 25, COLUMN_TEXT, false},          {"bytea", 17, COLUMN_BYTES, false},
    {"jsonb", 3802, COLUMN_JSON, false},       {"int4[]", 1007, COLUMN_CONTAINER, true},
    {"text[]", 1009, COLUMN_CONTAINER, true},  {"timestamptz[]", 1185, COLUMN_CONTAINER, false},
    {"pair", 90001, COLUMN_CONTAINER, true}, /* a composite of plain fields */
    {"record", 2249, COLUMN_CONTAINER, false}, {"timestamptz", 1184, COLUMN_OTHER, false},
    {"citext", 90002, COLUMN_OTHER, false},
};
enum { TYPES = sizeof types / sizeof types[0], OID_CITEXT = 90002 };

static const struct fake_type *type_of(const char *name, size_t size)
{
    for (size_t i = 0; i < TYPES; i++) {
        if (strlen(types[i].name) == size && strncmp(types[i].name, name, size) == 0) {
            return &types[i];
        }
    }
    broken("a column's type is not known");
}

void fake_columns(struct fake_reply *reply, const char *columns)
{
    struct arena *arena = &reply->fake->arena;
    VEC(struct answer_column) list = {0};
    while (*columns) {
        size_t name_size = strcspn(columns, " ");
        must(columns[name_size] == ' ', "a column is `name type`");
        const char *type = columns + name_size + 1;
        size_t type_size = strcspn(type, ",");
        const struct fake_type *known = type_of(type, type_size);
        *VEC_PUSH(arena, &list) = (struct answer_column){
            .name = arena_strndup(arena, columns, name_size),
            .type = known->oid,
            .type_name = known->name,
            .class = known->class,
            .plain = known->plain,
        };
        columns = type + type_size;
        columns += strspn(columns, ", ");
    }
    reply->answer.columns = list.items;
    reply->answer.column_count = list.count;
}

void fake_row(struct fake_reply *reply, const struct value *values, size_t count)
{
    struct arena *arena = &reply->fake->arena;
    must(count == reply->answer.column_count, "a row has another number of columns");
    const char **names = ARENA_ARRAY(arena, const char *, count);
    for (size_t i = 0; i < count; i++) {
        names[i] = reply->answer.columns[i].name;
    }
    *VEC_PUSH(arena, &reply->rows) = value_row(arena, values, names, count);
}

void fake_rows(struct fake_reply *reply, const char *columns, const char *rows)
{
    struct arena *arena = &reply->fake->arena;
    struct value list = test_eval(arena, rows);
    fake_columns(reply, columns);
    for (size_t i = 0; i < list.as.list->count; i++) {
        struct value row = list.as.list->items[i];
        must(row.type == VALUE_TUPLE, "a row is a tuple");
        fake_row(reply, row.as.tuple->items, row.as.tuple->count);
    }
}

void fake_count(struct fake_reply *reply, int64_t count) { reply->answer.count = count; }

void fake_error(struct fake_reply *reply, const char *sqlstate, const char *message,
                const char *constraint, const char *table)
{
    reply->answer.status = ANSWER_ERROR;
    reply->answer.error = (struct server_error){
        .severity = "ERROR", .message = message, .constraint = constraint, .table = table};
    (void)snprintf(reply->answer.error.sqlstate, sizeof reply->answer.error.sqlstate, "%s",
                   sqlstate);
    reply->answer.error.cancelled = strcmp(sqlstate, "57014") == 0;
}

struct value fake_text(struct fake *fake, const char *text)
{
    return value_text(&fake->arena, text);
}

/* The backend. */

static struct fake *fake_of(struct backend *backend) { return (struct fake *)(void *)backend; }

static void log_line(struct fake *fake, const char *line) { strbuf_addf(&fake->log, "%s\n", line); }

static bool fake_open(struct backend *backend, const struct machine *machine,
                      struct diagnostics *diagnostics, struct error *err)
{
    (void)backend;
    (void)machine;
    (void)diagnostics;
    (void)err;
    return true;
}

static void save(const struct fake *fake, unsigned char *into)
{
    if (fake->state_size) {
        memcpy(into, fake->state, fake->state_size);
    }
}

static void restore(struct fake *fake, const unsigned char *from)
{
    if (fake->state_size) {
        memcpy(fake->state, from, fake->state_size);
    }
}

static bool fake_mark(struct backend *backend, struct error *err)
{
    struct fake *fake = fake_of(backend);
    (void)err;
    must(fake->out == 0, "mark with answers out");
    save(fake, fake->marked);
    log_line(fake, "mark");
    return true;
}

static void forget(struct fake *fake)
{
    arena_reset(&fake->arena);
    memset(&fake->answers, 0, sizeof fake->answers);
    fake->out = 0;
    fake->guarded = false;
    fake->failed = false;
    fake->failure_seen = false;
}

static bool lost(const struct fake *fake, struct error *err)
{
    if (fake->lost_after && fake->ran >= fake->lost_after) {
        (void)error_set(err, ERROR_CONNECTION, "the connection is lost");
        return true;
    }
    return false;
}

static bool fake_reset(struct backend *backend, struct error *err)
{
    struct fake *fake = fake_of(backend);
    if (lost(fake, err)) {
        return false;
    }
    forget(fake);
    restore(fake, fake->marked);
    fake->resets++;
    fake->since_restart++;
    log_line(fake, "reset");
    return true;
}

static bool skips(const struct fake *fake)
{
    return fake->failed || (fake->guarded && fake->guard_failed);
}

static void drop_checkpoints(struct fake *fake, size_t kept)
{
    while (fake->checkpoints.count > kept) {
        free(fake->checkpoints.items[--fake->checkpoints.count].state);
    }
}

static bool fake_checkpoint(struct backend *backend, size_t index, struct error *err)
{
    struct fake *fake = fake_of(backend);
    size_t count = fake->checkpoints.count;
    must(count == 0 || fake->checkpoints.items[count - 1].index < index, "checkpoints go back");
    must(!fake->guarded, "a checkpoint in a guard");
    if (lost(fake, err)) {
        return false;
    }
    if (skips(fake)) {
        return true;
    }
    struct fake_checkpoint checkpoint = {index, memory_alloc(fake->state_size)};
    save(fake, checkpoint.state);
    fake->checkpoints.items =
        memory_realloc(fake->checkpoints.items, (count + 1) * sizeof checkpoint);
    fake->checkpoints.items[count] = checkpoint;
    fake->checkpoints.count++;
    return true;
}

static bool fake_rewind(struct backend *backend, size_t *index, struct error *err)
{
    struct fake *fake = fake_of(backend);
    size_t kept = fake->checkpoints.count;
    while (kept > 0 && fake->checkpoints.items[kept - 1].index > *index) {
        kept--;
    }
    drop_checkpoints(fake, kept);
    *index = kept ? fake->checkpoints.items[kept - 1].index : 0;
    if (!fake_reset(backend, err)) {
        return false;
    }
    if (kept) {
        restore(fake, fake->checkpoints.items[kept - 1].state);
        fake->rewinds++;
    }
    return true;
}

static bool fake_reset_all(struct backend *backend, struct error *err)
{
    drop_checkpoints(fake_of(backend), 0);
    return fake_reset(backend, err);
}

static bool fake_wants_restart(struct backend *backend)
{
    const struct fake *fake = fake_of(backend);
    return fake->outdated || (fake->restart_every && fake->since_restart >= fake->restart_every);
}

static void fake_limit(struct backend *backend, int64_t timeout_ms)
{
    struct fake *fake = fake_of(backend);
    fake->outdated = true;
    fake->next_limit_ms = timeout_ms;
}

static void begin_anew(struct fake *fake, const char *how)
{
    fake->outdated = false;
    fake->limit_ms = fake->next_limit_ms;
    forget(fake);
    drop_checkpoints(fake, 0);
    restore(fake, fake->marked + fake->state_size); /* as it was when the test began */
    fake->since_restart = 0;
    log_line(fake, how);
}

static bool fake_restart(struct backend *backend, struct error *err)
{
    struct fake *fake = fake_of(backend);
    if (fake->restart_lost) {
        return error_set(err, ERROR_CONNECTION, "the connection is lost");
    }
    fake->restarts++;
    begin_anew(fake, "restart");
    return true;
}

static bool fake_reconnect(struct backend *backend, struct error *err)
{
    struct fake *fake = fake_of(backend);
    if (lost(fake, err)) {
        return false;
    }
    fake->reconnects++;
    begin_anew(fake, "reconnect");
    return true;
}

static fake_handler *find(const struct fake *fake, const char *sql)
{
    for (const struct fake_script *line = fake->script; line->sql; line++) {
        size_t size = strlen(line->sql);
        bool prefix = size > 0 && line->sql[size - 1] == '*';
        if (prefix ? strncmp(line->sql, sql, size - 1) == 0 : strcmp(line->sql, sql) == 0) {
            return line->handler;
        }
    }
    (void)fprintf(stderr, "no handler for: %s\n", sql);
    broken("a statement is not in the script");
}

static void log_context(struct fake *fake, const struct backend_context *context)
{
    if (!context) {
        return;
    }
    if (fake->log_contexts && context->session_user) {
        strbuf_addf(&fake->log, "%s/", context->session_user);
    }
    strbuf_adds(&fake->log, context->role ? context->role : "");
    for (size_t i = 0; fake->log_contexts && i < context->setting_count; i++) {
        strbuf_addf(&fake->log, " %s=%s", context->settings[i].name, context->settings[i].value);
    }
    strbuf_adds(&fake->log, ": ");
}

static void log_begin(struct fake *fake, bool begins)
{
    strbuf_adds(&fake->log, fake->log_begins && begins ? "+ " : "");
}

static void log_call(struct fake *fake, const struct fake_call *call)
{
    log_begin(fake, call->begins);
    log_context(fake, call->context);
    strbuf_adds(&fake->log, call->sql);
    for (size_t i = 0; i < call->value_count; i++) {
        strbuf_adds(&fake->log, i ? ", " : " <- ");
        value_repr(call->values[i], &fake->log);
    }
    strbuf_addc(&fake->log, '\n');
}

static backend_ticket answered(struct fake *fake, const struct answer *answer)
{
    *VEC_PUSH(&fake->arena, &fake->answers) = (struct fake_answer){.answer = *answer};
    fake->out++;
    fake->max_out = fake->out > fake->max_out ? fake->out : fake->max_out;
    return fake->answers.count - 1;
}

static void note_error(struct fake *fake)
{
    if (fake->guarded) {
        fake->guard_failed = true;
    } else {
        fake->failed = true;
    }
}

static void run(struct fake *fake, const struct fake_call *call, struct fake_reply *reply)
{
    log_call(fake, call);
    fake->ran++;
    find(fake, call->sql)(fake, call, reply);
    reply->answer.rows = reply->rows.items;
    reply->answer.row_count = reply->rows.count;
    reply->answer.time_us = fake->time_us;
    if (reply->answer.column_count) {
        reply->answer.count = (int64_t)reply->rows.count;
    }
    if (reply->answer.status == ANSWER_ERROR) {
        note_error(fake);
    }
}

static struct fake_call call_of(struct fake *fake, const struct backend_call *call)
{
    struct fake_call out = {
        .sql = arena_strndup(&fake->arena, call->sql->snippet.text, call->sql->snippet.size)};
    for (size_t i = 0; i < call->sql->pieces.count; i++) {
        out.value_count += call->sql->pieces.items[i].kind != SQL_TEXT;
    }
    struct value *values = ARENA_ARRAY(&fake->arena, struct value, out.value_count);
    for (size_t i = 0; i < out.value_count; i++) {
        values[i] = value_copy(&fake->arena, call->values[i]);
    }
    out.values = values;
    out.context = call->context;
    out.begins = call->begins;
    return out;
}

static bool fake_queue(struct backend *backend, const struct backend_call *call,
                       backend_ticket *ticket, struct error *err)
{
    struct fake *fake = fake_of(backend);
    must(!fake->failure_seen, "queued after an error was seen");
    if (lost(fake, err)) {
        return false;
    }
    struct fake_reply reply = {.fake = fake, .answer.command = "FAKE"};
    struct fake_call given = call_of(fake, call);
    if (skips(fake)) {
        reply.answer.status = ANSWER_SKIPPED;
    } else {
        run(fake, &given, &reply);
    }
    *ticket = answered(fake, &reply.answer);
    return true;
}

static bool fake_queue_deferred(struct backend *backend, const struct backend_context *context,
                                bool begins, backend_ticket *ticket, struct error *err)
{
    struct fake *fake = fake_of(backend);
    (void)err;
    struct fake_reply reply = {.fake = fake, .answer.count = -1};
    must(!fake->failure_seen, "queued after an error was seen");
    if (skips(fake)) {
        reply.answer.status = ANSWER_SKIPPED;
    } else {
        log_begin(fake, begins);
        log_context(fake, context);
        log_line(fake, "deferred");
        if (fake->deferred_error) {
            fake_error(&reply, fake->deferred_error, "deferred", NULL, NULL);
            fake->deferred_error = NULL;
            note_error(fake);
        }
    }
    *ticket = answered(fake, &reply.answer);
    return true;
}

static bool fake_guard_begin(struct backend *backend, enum backend_guard guard, struct error *err)
{
    struct fake *fake = fake_of(backend);
    (void)err;
    must(!fake->guarded, "guards nest");
    fake->guarded = true;
    fake->guard = guard;
    fake->guard_failed = false;
    save(fake, fake->saved);
    return true;
}

static bool fake_guard_end(struct backend *backend, struct error *err)
{
    struct fake *fake = fake_of(backend);
    (void)err;
    must(fake->guarded, "a guard ends that did not begin");
    fake->guarded = false;
    if (fake->guard == GUARD_MUST_FAIL || fake->guard_failed) {
        restore(fake, fake->saved);
    }
    return true;
}

static bool fake_take(struct backend *backend, backend_ticket ticket, struct arena *arena,
                      struct answer *out, struct error *err)
{
    struct fake *fake = fake_of(backend);
    if (lost(fake, err)) {
        return false;
    }
    must(ticket < fake->answers.count, "a ticket that was never given");
    struct fake_answer *answer = &fake->answers.items[ticket];
    must(!answer->taken, "a ticket is taken twice");
    answer->taken = true;
    fake->out--;
    *out = answer->answer;
    struct answer_column *columns =
        arena_memdup(arena, out->columns, out->column_count * sizeof *columns);
    for (size_t i = 0; i < out->column_count; i++) {
        columns[i].name = arena_strdup(arena, columns[i].name);
    }
    out->columns = columns;
    struct value *rows = ARENA_ARRAY(arena, struct value, out->row_count);
    for (size_t i = 0; i < out->row_count; i++) {
        rows[i] = value_copy(arena, out->rows[i]);
    }
    out->rows = rows;
    fake->failure_seen = fake->failure_seen || (out->status == ANSWER_ERROR && fake->failed);
    return true;
}

static bool fake_ready(struct backend *backend, backend_ticket ticket)
{
    (void)backend;
    (void)ticket;
    return true;
}

/* citext: letters' case is no matter; any other type: one text begins with the other, as
 * "2020-01-01" and "2020-01-01 00:00:00+00". */
static bool same_text(uint32_t type, const char *a, const char *b)
{
    if (type == OID_CITEXT) {
        return strcasecmp(a, b) == 0;
    }
    return strncmp(a, b, strlen(a)) == 0 || strncmp(b, a, strlen(b)) == 0;
}

static bool fake_equal(struct backend *backend, uint32_t type, const struct value *expected,
                       const struct value *actual, size_t count, bool *same, struct error *err)
{
    struct fake *fake = fake_of(backend);
    (void)err;
    struct strbuf a = {0};
    struct strbuf b = {0};
    for (size_t i = 0; i < count; i++) {
        strbuf_clear(&a);
        strbuf_clear(&b);
        value_str(expected[i], &a);
        value_str(actual[i], &b);
        size_t end = strcspn(strbuf_text(&a), "]"); /* a list: up to its end */
        if (expected[i].type == VALUE_LIST && end < a.size) {
            strbuf_truncate(&a, end - 1);
        }
        same[i] = same_text(type, strbuf_text(&a), strbuf_text(&b));
    }
    fake->asked++;
    strbuf_free(&a);
    strbuf_free(&b);
    return true;
}

static void fake_close(struct backend *backend) { (void)backend; }

/* Nobody reads what is recorded of it but for the steps. */
static bool fake_encode(struct backend *backend, uint32_t type, struct value value,
                        struct strbuf *out, bool *null, struct error *err)
{
    (void)backend;
    (void)type;
    (void)err;
    *null = value.type == VALUE_NONE;
    value_repr(value, out);
    return true;
}

static const char *fake_type_name(struct backend *backend, uint32_t type)
{
    (void)backend;
    (void)type;
    return "text";
}

static struct backend_deferral fake_deferral(struct backend *backend)
{
    (void)backend;
    return (struct backend_deferral){0};
}

static struct backend_changes fake_changes(struct backend *backend)
{
    (void)backend;
    return (struct backend_changes){0};
}

static const struct backend_ops fake_ops = {
    .open = fake_open,
    .mark = fake_mark,
    .reset = fake_reset,
    .wants_restart = fake_wants_restart,
    .limit = fake_limit,
    .restart = fake_restart,
    .reconnect = fake_reconnect,
    .queue = fake_queue,
    .queue_deferred = fake_queue_deferred,
    .guard_begin = fake_guard_begin,
    .guard_end = fake_guard_end,
    .take = fake_take,
    .ready = fake_ready,
    .equal = fake_equal,
    .encode = fake_encode,
    .type_name = fake_type_name,
    .deferral = fake_deferral,
    .changes = fake_changes,
    .close = fake_close,
};

void fake_with_checkpoints(struct fake *fake)
{
    fake->ops = fake_ops;
    fake->ops.reset = fake_reset_all;
    fake->ops.checkpoint = fake_checkpoint;
    fake->ops.rewind = fake_rewind;
    fake->backend.ops = &fake->ops;
}

void fake_init(struct fake *fake, const struct fake_script *script, void *state, size_t size)
{
    *fake = (struct fake){.script = script, .state = state, .state_size = size};
    fake->backend.ops = &fake_ops;
    fake->marked = memory_alloc(2 * size);
    fake->saved = memory_alloc(size);
    save(fake, fake->marked);
    save(fake, fake->marked + size);
}

void fake_begin(struct fake *fake)
{
    forget(fake);
    restore(fake, fake->marked + fake->state_size);
    strbuf_clear(&fake->log);
    fake->max_out = 0;
    fake->ran = 0;
    fake->resets = 0;
    fake->restarts = 0;
    fake->reconnects = 0;
    fake->asked = 0;
    fake->since_restart = 0;
}

const char *fake_log(const struct fake *fake) { return strbuf_text(&fake->log); }

void fake_free(struct fake *fake)
{
    strbuf_free(&fake->log);
    arena_free(&fake->arena);
    free(fake->marked);
    free(fake->saved);
    drop_checkpoints(fake, 0);
    free(fake->checkpoints.items);
}
