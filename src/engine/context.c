#include "engine/context.h"

#include "value/json.h"

#include <string.h>

struct evaluating {
    struct lang_state *state;
    struct value *locals;
    struct arena *arena;
    /* With room for all of them: */
    struct backend_setting *settings;
    struct value *given;
    size_t count;
};

/* Where the code stands, for an error about what it gave. */
static struct source_pos code_pos(const struct lang_code *code)
{
    return snippet_pos(lang_snippet(code), 0);
}

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
    struct strbuf text = {0};
    struct value *given = &evaluating->given[evaluating->count];
    bool ok =
        lang_look(evaluating->state, code, evaluating->locals, evaluating->arena, given, err) &&
        located(setting_text(*given, &text, err), code, err);
    evaluating->settings[evaluating->count++] =
        (struct backend_setting){name, strbuf_copy(&text, evaluating->arena)};
    strbuf_free(&text);
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

bool context_eval(struct lang_state *state, const struct context *context, struct value *locals,
                  struct arena *arena, struct backend_context *out, struct error *err)
{
    struct evaluating evaluating = {.state = state, .locals = locals, .arena = arena};
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

const char *context_text(struct arena *arena, const struct context *context)
{
    return context && context->name ? arena_printf(arena, "as %s", context->name) : NULL;
}
