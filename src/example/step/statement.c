#include "example/step/statement.h"

#include "example/engine.h"
#include "example/observer.h"
#include "example/step/context.h"

#include "base/utf8.h"

#include <assert.h>
#include <string.h>

const struct machine_statement *sending_at(const struct sending *sending, size_t index)
{
    return index < sending->count ? sending->items[index].statement : NULL;
}

const struct machine_statement *sending_last(const struct sending *sending)
{
    return sending->count ? sending->items[sending->count - 1].statement : NULL;
}

struct source_pos statement_error_pos(const struct machine_statement *statement,
                                      const struct server_error *error)
{
    assert(statement != NULL && statement->sql != NULL);
    const struct snippet *snippet = &statement->sql->snippet;
    size_t at = 0;
    if (error->position > 0) {
        at = utf8_offset(snippet->text, snippet->size, (size_t)error->position - 1);
    }
    return snippet_pos(snippet, at);
}

/* Gets the value of a parameter. */
static bool piece_value(const struct example *example, const struct sql_template *sql,
                        const struct sql_piece *piece, const struct value *locals,
                        struct value *out, struct error *err)
{
    if (!piece->global) {
        *out = locals[piece->slot];
        return true;
    }
    if (lang_get_global(&example->state, piece->slot, out)) {
        return true;
    }
    return error_at(err, ERROR_MACHINE, snippet_pos(&sql->snippet, piece->offset),
                    "the model variable '%s' has no value here", piece->text);
}

bool statement_values(struct example *example, const struct sql_template *sql,
                      const struct value *locals, struct items *out, struct error *err)
{
    struct value *values = ARENA_ARRAY(&example->flying, struct value, sql->pieces.count);
    size_t count = 0;
    for (size_t i = 0; i < sql->pieces.count; i++) {
        const struct sql_piece *piece = &sql->pieces.items[i];
        if (piece->kind != SQL_TEXT &&
            !piece_value(example, sql, piece, locals, &values[count++], err)) {
            return false;
        }
    }
    *out = (struct items){values, count};
    return true;
}

bool send_call(struct example *example, struct backend_call *call, backend_ticket *ticket,
               struct error *err)
{
    struct backend *backend = example->engine->backend;
    struct observer *observer = example->plan.observer;
    if (observer && observer->ops->call) {
        call->types = ARENA_ARRAY(&example->flying, uint32_t, call->sql->pieces.count);
    }
    return backend->ops->queue(backend, call, ticket, err) &&
           OBSERVE_OK(observer, call, example, call, err);
}

static enum backend_begins begins_of(const struct sending *sending, size_t index)
{
    return index > 0 ? BEGINS_NOTHING : sending->checks ? BEGINS_CHECK : BEGINS_STEP;
}

/* Two databases are compared by what they answer, not by how they are asked. */
static bool is_prepared(const struct example *example, const struct rule *rule)
{
    const struct engine_options *options = &example->engine->options;
    bool set = rule->prepared == RULE_PREPARED_AS_SET && options->settings->prepared == PREPARED_ON;
    return (set || rule->prepared == RULE_IS_PREPARED) && !rule->migrates && !options->differs;
}

void sending_begin(struct example *example, size_t count, struct sending *out)
{
    out->items = ARENA_ARRAY(&example->arena, struct sent, count);
}

bool statement_send(struct example *example, const struct machine_statement *statement,
                    struct value *locals, struct sending *out, struct error *err)
{
    struct sent *sent = &out->items[out->count];
    bool same = out->count > 0 && statement->context == sent[-1].statement->context;
    struct backend_call call = {
        .sql = statement->sql,
        .begins = begins_of(out, out->count),
        .isolation = out->rule ? out->rule->isolation : ISOLATION_DEFAULT,
        .outside = out->rule && out->rule->outside,
        .prepared = out->rule && is_prepared(example, out->rule),
        .asker = out->asker,
    };
    sent->statement = statement;
    sent->context = same ? sent[-1].context : (struct backend_context){0};
    if (!same && !example_context(example, statement->context, locals, &sent->context, err)) {
        return false;
    }
    struct items values;
    call.context = statement->context ? &sent->context : NULL;
    if (!statement_values(example, statement->sql, locals, &values, err)) {
        return false;
    }
    call.values = values.items;
    if (!send_call(example, &call, &sent->ticket, err)) {
        return false;
    }
    out->count++;
    return true;
}

bool statements_send(struct example *example, const struct machine_statement *statements,
                     size_t count, struct value *locals, struct sending *out, struct error *err)
{
    sending_begin(example, count, out);
    for (size_t i = 0; i < count; i++) {
        if (!statement_send(example, &statements[i], locals, out, err)) {
            return false;
        }
    }
    return true;
}

bool deferred_send(struct example *example, const struct machine_statement *statements,
                   size_t count, struct value *locals, struct sending *out, struct error *err)
{
    struct backend *backend = example->engine->backend;
    struct backend_context context = {0};
    const struct context *last = count ? statements[count - 1].context : NULL;
    bool begins = out->count == 0; /* after the step's statements, it sees their effects */
    if (!example_context(example, last, locals, &context, err) ||
        !backend->ops->queue_deferred(backend, last ? &context : NULL, begins, &out->deferred,
                                      err) ||
        !OBSERVE_OK(example->plan.observer, deferred_call, last ? &context : NULL, err)) {
        return false;
    }
    out->has_deferred = true;
    return true;
}

/* Adds one answer to the joint result of the statements. */
static void receive(struct example *example, const struct machine_statement *statement,
                    const struct answer *answer, struct received *out)
{
    uint64_t time_us = answer->time_us > 0 ? (uint64_t)answer->time_us : 0;
    out->time_us += time_us;
    if (answer->divergence && !out->divergence) {
        out->divergence = answer->divergence;
        out->diverged = statement;
    }
    out->parts = out->parts || answer->parts;
    out->undone = out->undone || answer->undone;
    example->slowest_us = time_us > example->slowest_us ? time_us : example->slowest_us;
    if (answer->status == ANSWER_STALE) {
        example->stale = true;
    } else if (answer->status == ANSWER_ERROR && !out->raised) {
        out->raised = true;
        out->error = answer->error;
        out->statement = statement;
    } else if (answer->status == ANSWER_OK && statement) {
        out->answer = *answer;
    }
    if (statement && answer->status != ANSWER_SKIPPED) {
        out->statements++;
    }
}

bool statement_take(struct example *example, struct sending *sending, size_t index,
                    struct arena *arena, struct error *err)
{
    struct backend *backend = example->engine->backend;
    struct sent *sent = &sending->items[index];
    if (sent->taken) {
        return true;
    }
    if (!backend->ops->take(backend, sent->ticket, arena, &sent->answer, err)) {
        bool unread =
            err->code == ERROR_SERVER || err->code == ERROR_MACHINE || err->code == ERROR_LIMIT;
        return unread ? located(false, snippet_pos(&sent->statement->sql->snippet, 0), err) : false;
    }
    sent->taken = true;
    OBSERVE(example->plan.observer, answer, example, index, arena, &sent->answer);
    return true;
}

bool statements_receive(struct example *example, struct sending *sending, struct arena *arena,
                        struct received *out, struct error *err)
{
    struct backend *backend = example->engine->backend;
    struct observer *observer = example->plan.observer;
    struct answer answer = {0};
    *out = (struct received){0};
    for (size_t i = 0; i < sending->count; i++) {
        const struct sent *sent = &sending->items[i];
        if (!statement_take(example, sending, i, arena, err)) {
            return false;
        }
        receive(example, sent->statement, &sent->answer, out);
    }
    if (!sending->has_deferred) {
        return true;
    }
    if (!backend->ops->take(backend, sending->deferred, arena, &answer, err)) {
        return false;
    }
    OBSERVE(observer, deferred_answer, example, &answer);
    receive(example, NULL, &answer, out);
    out->answer.listens = answer.listens;
    out->answer.notification_count = answer.notification_count;
    out->answer.notifications = answer.notifications;
    return true;
}
