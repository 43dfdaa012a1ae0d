#include "replay/quote.h"
#include "replay/script.h"

#include <string.h>

static const char *role_of(const struct recorded_context *context)
{
    return context ? context->role : NULL;
}

static const char *session_user_of(const struct recorded_context *context)
{
    return context ? context->session_user : NULL;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_value(const struct recorded_value *a, const struct recorded_value *b)
{
    if (a->parts.count != b->parts.count) {
        return false;
    }
    for (size_t i = 0; i < a->parts.count; i++) {
        const struct recorded_part *x = &a->parts.items[i];
        const struct recorded_part *y = &b->parts.items[i];
        if (x->cell != y->cell || x->size != y->size || memcmp(x->text, y->text, x->size) != 0) {
            return false;
        }
    }
    return true;
}

static const struct recorded_value *setting_of(const struct recorded_context *context,
                                               const char *name)
{
    for (size_t i = 0; context && i < context->settings.count; i++) {
        if (strcmp(context->settings.items[i].name, name) == 0) {
            return &context->settings.items[i].value;
        }
    }
    return NULL;
}

static bool is_custom(const char *setting) { return strchr(setting, '.') != NULL; }

static void add_named(struct strbuf *out, const char *set, const char *reset, const char *name,
                      const char *end)
{
    strbuf_adds(out, name ? set : reset);
    if (name) {
        strbuf_addc(out, ' ');
        quote_identifier(out, name);
    }
    strbuf_adds(out, end);
}

static void add_setting(struct script *script, const char *name, const struct recorded_value *value,
                        const char *end, struct strbuf *out)
{
    strbuf_adds(out, "SELECT set_config(");
    quote_literal(out, name, strlen(name));
    strbuf_adds(out, ", ");
    value_write(script, value, out);
    strbuf_addf(out, ", true)%s", end);
}

/* A setting of the machine's own has no value but ''; one of the server's has its default. */
static void add_unset(const char *name, const char *end, struct strbuf *out)
{
    if (is_custom(name)) {
        strbuf_adds(out, "SELECT set_config(");
        quote_literal(out, name, strlen(name));
        strbuf_addf(out, ", '', true)%s", end);
    } else {
        strbuf_adds(out, "SET LOCAL ");
        quote_identifier(out, name);
        strbuf_addf(out, " TO DEFAULT%s", end);
    }
}

void context_write(struct script *script, const struct recorded_context *context, const char *end,
                   struct strbuf *out)
{
    const struct recorded_context *before = script->context;
    const char *role = role_of(before);
    if (!same_text(session_user_of(before), session_user_of(context))) {
        add_named(out, "SET LOCAL SESSION AUTHORIZATION", "RESET SESSION AUTHORIZATION",
                  session_user_of(context), end);
        role = NULL; /* that takes the role back */
    }
    if (!same_text(role, role_of(context))) {
        add_named(out, "SET LOCAL ROLE", "RESET ROLE", role_of(context), end);
    }
    for (size_t i = 0; context && i < context->settings.count; i++) {
        const struct recorded_setting *setting = &context->settings.items[i];
        const struct recorded_value *old = setting_of(before, setting->name);
        if (!old || !same_value(old, &setting->value)) {
            add_setting(script, setting->name, &setting->value, end, out);
        }
    }
    for (size_t i = 0; before && i < before->settings.count; i++) {
        if (!setting_of(context, before->settings.items[i].name)) {
            add_unset(before->settings.items[i].name, end, out);
        }
    }
    script->context = context;
}

/* Settings of the machine's own. */

static void collect(struct script *script, const char *name)
{
    for (size_t i = 0; i < script->custom.count; i++) {
        if (strcmp(script->custom.items[i], name) == 0) {
            return;
        }
    }
    if (is_custom(name)) {
        *VEC_PUSH(&script->arena, &script->custom) = name;
    }
}

static void collect_from(struct script *script, const struct machine_statement *statements,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct context *context = statements[i].context;
        for (size_t j = 0; context && j < context->settings.count; j++) {
            collect(script, context->settings.items[j].name);
        }
        if (context && context->claims) {
            collect(script, "request.jwt.claims");
        }
    }
}

void context_collect_custom(struct script *script)
{
    const struct machine *machine = script->machine;
    for (size_t i = 0; i < machine->initialize.count; i++) {
        const struct rule *rule = &machine->initialize.items[i];
        collect_from(script, rule->statements.items, rule->statements.count);
    }
    for (size_t i = 0; i < machine->rules.count; i++) {
        const struct rule *rule = &machine->rules.items[i];
        collect_from(script, rule->statements.items, rule->statements.count);
    }
    for (size_t i = 0; i < machine->invariants.count; i++) {
        const struct invariant *invariant = &machine->invariants.items[i];
        collect_from(script, invariant->statements.items, invariant->statements.count);
    }
}
