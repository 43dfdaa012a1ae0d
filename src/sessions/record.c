#include "sessions/record.h"

#include <string.h>

struct recorded_step *record_find(const struct record *record, uint32_t id)
{
    for (size_t i = 0; i < record->steps.count; i++) {
        if (record->steps.items[i]->id == id) {
            return record->steps.items[i];
        }
    }
    return NULL;
}

struct recorded_step *record_step(struct record *record, struct arena *arena, uint32_t id)
{
    struct recorded_step *step = ARENA_NEW(arena, struct recorded_step);
    step->id = id;
    *VEC_PUSH(arena, &record->steps) = step; /* NOLINT(bugprone-sizeof-expression) */
    return step;
}

static const char *copy_text(struct arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

static const struct backend_context *copy_context(struct arena *arena,
                                                  const struct backend_context *context)
{
    if (!context) {
        return NULL;
    }
    size_t count = context->setting_count;
    struct backend_setting *settings = ARENA_ARRAY(arena, struct backend_setting, count);
    struct value *given = ARENA_ARRAY(arena, struct value, count);
    for (size_t i = 0; i < count; i++) {
        settings[i] = (struct backend_setting){copy_text(arena, context->settings[i].name),
                                               copy_text(arena, context->settings[i].value)};
        given[i] = context->given ? value_copy(arena, context->given[i]) : value_none();
    }
    struct backend_context *copy = ARENA_NEW(arena, struct backend_context);
    *copy = (struct backend_context){.role = copy_text(arena, context->role),
                                     .session_user = copy_text(arena, context->session_user),
                                     .settings = settings,
                                     .setting_count = count,
                                     .given = given};
    return copy;
}

/* As struct backend_call has values. */
static size_t value_count(const struct sql_template *sql)
{
    size_t count = 0;
    for (size_t i = 0; i < sql->pieces.count; i++) {
        count += sql->pieces.items[i].kind != SQL_TEXT;
    }
    return count;
}

struct recorded_call *record_call(struct recorded_step *step, struct arena *arena,
                                  const struct backend_call *call,
                                  const struct backend_context *context)
{
    struct recorded_call *out = VEC_PUSH(arena, &step->calls);
    out->context = copy_context(arena, context);
    if (!call) {
        return out;
    }
    size_t count = value_count(call->sql);
    struct value *values = ARENA_ARRAY(arena, struct value, count);
    for (size_t i = 0; i < count; i++) {
        values[i] = value_copy(arena, call->values[i]);
    }
    out->sql = call->sql;
    out->begins = call->begins;
    out->isolation = call->isolation;
    out->outside = call->outside;
    out->prepared = call->prepared;
    out->values = values;
    out->types = ARENA_ARRAY(arena, uint32_t, count);
    return out;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_context(const struct backend_context *a, const struct backend_context *b)
{
    if (!a || !b) {
        return a == b;
    }
    if (a->setting_count != b->setting_count || !same_text(a->role, b->role) ||
        !same_text(a->session_user, b->session_user)) {
        return false;
    }
    for (size_t i = 0; i < a->setting_count; i++) {
        if (!same_text(a->settings[i].name, b->settings[i].name) ||
            !same_text(a->settings[i].value, b->settings[i].value)) {
            return false;
        }
    }
    return true;
}

void recorded_types(const struct recorded_call *recorded, const struct backend_call *call)
{
    for (size_t i = 0; call && call->types && i < value_count(recorded->sql); i++) {
        call->types[i] = recorded->types[i];
    }
}

bool recorded_is(const struct recorded_call *recorded, const struct backend_call *call,
                 const struct backend_context *context)
{
    if (recorded->sql != (call ? call->sql : NULL) || !same_context(recorded->context, context)) {
        return false;
    }
    size_t count = call ? value_count(call->sql) : 0;
    for (size_t i = 0; i < count; i++) {
        if (!value_equal(recorded->values[i], call->values[i])) {
            return false;
        }
    }
    return true;
}
