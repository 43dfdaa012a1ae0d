#include "example/step/context.h"

#include "example/engine.h"

#include "value/json/json.h"

#include <string.h>

struct evaluating {
    struct lang_state *state;
    struct value *locals;
    struct arena *arena;
    struct strbuf *text; /* for what is being written */
    /* With room for all of them: */
    struct backend_setting *settings;
    struct value *given;
    size_t count;
};

static bool eval_name(const struct evaluating *evaluating, const char *key,
                      const struct lang_code *code, const char **out, struct error *err)
{
    struct value value;
    if (!lang_look(evaluating->state, code, evaluating->locals, evaluating->arena, &value, err)) {
        return false;
    }
    if (value.type != VALUE_STRING || value.as.string->size == 0) {
        return error_at(err, ERROR_MACHINE, code_pos(code),
                        "%s must be given a role's name, not a value of type %s", key,
                        value_type_name(value));
    }
    *out = value_cstr(value);
    return true;
}

bool setting_text(struct value value, struct strbuf *out, struct error *err)
{
    if (value.type == VALUE_NONE) {
        return true;
    }
    if (value.type == VALUE_BOOL) {
        strbuf_adds(out, value.as.boolean ? "true" : "false");
        return true;
    }
    if (value.type == VALUE_STRING || value_is_number(value)) {
        value_str(value, out);
        return true;
    }
    return json_encode(value, out, err);
}

static bool located(bool ok, const struct lang_code *code, struct error *err)
{
    if (!ok && err && !err->pos.source) {
        err->pos = code_pos(code);
    }
    return ok;
}

static bool eval_setting(struct evaluating *evaluating, const char *name,
                         const struct lang_code *code, struct error *err)
{
    struct strbuf *text = evaluating->text;
    struct value *given = &evaluating->given[evaluating->count];
    strbuf_clear(text);
    bool ok =
        lang_look(evaluating->state, code, evaluating->locals, evaluating->arena, given, err) &&
        located(setting_text(*given, text, err), code, err);
    evaluating->settings[evaluating->count++] =
        (struct backend_setting){name, strbuf_copy(text, evaluating->arena)};
    return ok;
}

static bool eval_claims(struct evaluating *evaluating, const struct lang_code *code,
                        struct error *err)
{
    if (!eval_setting(evaluating, "request.jwt.claims", code, err)) {
        return false;
    }
    struct value given = evaluating->given[evaluating->count - 1];
    return given.type == VALUE_DICT ||
           error_at(err, ERROR_MACHINE, code_pos(code),
                    "claims must be a dict, not a value of type %s", value_type_name(given));
}

/* Evaluates a context against a rule's or invariant's locals; texts are in `arena`. A value that
 * has no text form, claims that are no dict, a role that is no name: the machine's mistake. */
static bool eval_context(struct example *example, const struct context *context,
                         struct value *locals, struct arena *arena, struct backend_context *out,
                         struct error *err)
{
    struct evaluating evaluating = {
        .state = &example->state,
        .locals = locals,
        .arena = arena,
        .text = &example->engine->text,
    };
    *out = (struct backend_context){.role = context->role, .session_user = context->session_user};
    if (context->role_code &&
        !eval_name(&evaluating, "role", context->role_code, &out->role, err)) {
        return false;
    }
    if (context->session_user_code &&
        !eval_name(&evaluating, "session_user", context->session_user_code, &out->session_user,
                   err)) {
        return false;
    }
    size_t most = context->settings.count + 1;
    evaluating.settings = ARENA_ARRAY(arena, struct backend_setting, most);
    evaluating.given = ARENA_ARRAY(arena, struct value, most);
    for (size_t i = 0; i < context->settings.count; i++) {
        const struct context_setting *setting = &context->settings.items[i];
        if (!eval_setting(&evaluating, setting->name, setting->code, err)) {
            return false;
        }
    }
    if (context->claims && !eval_claims(&evaluating, context->claims, err)) {
        return false;
    }
    out->settings = evaluating.settings;
    out->given = evaluating.given;
    out->setting_count = evaluating.count;
    return true;
}

/* Whether nobody can change the value where it lies: the same value is the same for ever. */
static bool is_scalar(struct value value)
{
    return value.type == VALUE_NONE || value.type == VALUE_BOOL || value.type == VALUE_INT ||
           value.type == VALUE_STRING;
}

/* The same scalar at the same place, without a look at what it holds. */
static bool is_same(struct value a, struct value b)
{
    if (a.type != b.type || a.flags != b.flags) {
        return false;
    }
    if (a.type == VALUE_BOOL) {
        return a.as.boolean == b.as.boolean;
    }
    if (a.type == VALUE_INT && !(a.flags & VALUE_BIG)) {
        return a.as.integer == b.as.integer;
    }
    return a.type == VALUE_NONE ||
           (a.type == VALUE_INT ? a.as.big == b.as.big : a.as.string == b.as.string);
}

static bool still_fits(const struct example *example, const struct context_analysis *analysis,
                       const struct kept_context *kept)
{
    for (size_t i = 0; i < analysis->global_count; i++) {
        struct value value;
        if (!lang_get_global(&example->state, analysis->globals[i], &value) ||
            !is_same(value, kept->seen[i])) {
            return false;
        }
    }
    return true;
}

/* The globals that it reads, or NULL where they may change without being assigned. */
static struct value *what_it_sees(struct example *example, const struct context_analysis *analysis)
{
    struct value value;
    for (size_t i = 0; i < analysis->global_count; i++) {
        if (!lang_get_global(&example->state, analysis->globals[i], &value) || !is_scalar(value)) {
            return NULL;
        }
    }
    struct value *seen = ARENA_ARRAY(&example->arena, struct value, analysis->global_count + 1);
    for (size_t i = 0; i < analysis->global_count; i++) {
        (void)lang_get_global(&example->state, analysis->globals[i], &seen[i]);
    }
    return seen;
}

bool example_context(struct example *example, const struct context *context, struct value *locals,
                     struct backend_context *out, struct error *err)
{
    *out = (struct backend_context){0};
    if (!context) {
        return true;
    }
    const struct context_analysis *analysis = &example->engine->analysis.contexts[context->index];
    struct kept_context *kept = &example->contexts[context->index];
    if (kept->seen && still_fits(example, analysis, kept)) {
        *out = kept->context;
        return true;
    }
    kept->seen = analysis->steady ? what_it_sees(example, analysis) : NULL;
    struct arena *arena = kept->seen ? &example->arena : &example->flying;
    if (!eval_context(example, context, locals, arena, out, err)) {
        kept->seen = NULL;
        return false;
    }
    kept->context = *out;
    return true;
}

const char *context_text(struct arena *arena, const struct context *context)
{
    return context && context->name ? arena_printf(arena, "as %s", context->name) : NULL;
}
