#include "example/step/context.h"

#include "example/engine.h"

#include "value/json/json.h"

struct evaluating {
    struct example *example;
    struct value *locals;
    /* With room for all settings: */
    struct backend_setting *settings;
    struct value *given;
    size_t count;
};

static bool eval_name(const struct evaluating *evaluating, const char *key,
                      const struct lang_code *code, const char **out, struct error *err)
{
    struct value value;
    if (!code) {
        return true;
    }
    if (!example_look(evaluating->example, code, evaluating->locals, &value, err)) {
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

static bool eval_setting(struct evaluating *evaluating, const char *name,
                         const struct lang_code *code, struct error *err)
{
    struct example *example = evaluating->example;
    struct strbuf *text = &example->engine->text;
    struct value *given = &evaluating->given[evaluating->count];
    bool ok = example_look(example, code, evaluating->locals, given, err) &&
              located(setting_text(*given, text, err), code_pos(code), err);
    evaluating->settings[evaluating->count++] =
        (struct backend_setting){name, strbuf_copy(text, &example->flying)};
    strbuf_clear(text);
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

bool example_context(struct example *example, const struct context *context, struct value *locals,
                     struct backend_context *out, struct error *err)
{
    *out = (struct backend_context){0};
    if (!context) {
        return true;
    }
    size_t most = context->settings.count + 1;
    struct evaluating evaluating = {
        .example = example,
        .locals = locals,
        .settings = ARENA_ARRAY(&example->flying, struct backend_setting, most),
        .given = ARENA_ARRAY(&example->flying, struct value, most),
    };
    out->role = context->role;
    out->session_user = context->session_user;
    bool ok =
        eval_name(&evaluating, "role", context->role_code, &out->role, err) &&
        eval_name(&evaluating, "session_user", context->session_user_code, &out->session_user, err);
    for (size_t i = 0; i < context->settings.count && ok; i++) {
        const struct context_setting *setting = &context->settings.items[i];
        ok = eval_setting(&evaluating, setting->name, setting->code, err);
    }
    ok = ok && (!context->claims || eval_claims(&evaluating, context->claims, err));
    out->settings = evaluating.settings;
    out->given = evaluating.given;
    out->setting_count = evaluating.count;
    return ok;
}
