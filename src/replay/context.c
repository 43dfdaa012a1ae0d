#include "base/names.h"
#include "replay/quote.h"
#include "replay/script.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

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
    size_t index = context ? name_index(name, ROWS_OF(context->settings, name)) : 0;
    return context && index < context->settings.count ? &context->settings.items[index].value
                                                      : NULL;
}

bool context_is_custom(const char *setting) { return strchr(setting, '.') != NULL; }

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

struct setting {
    const char *name;
    const char *value; /* as SQL */
};

/* SELECT pg_catalog.set_config('name', value, true) */
static void add_setting(const struct script *script, struct setting setting, const char *end,
                        struct strbuf *out)
{
    strbuf_adds(out, "SELECT pg_catalog.set_config(");
    quote_literal(out, setting.name, strlen(setting.name));
    strbuf_addf(out, ", %s, %s)%s", setting.value, script->session ? "false" : "true", end);
}

/* The variable for the default of a setting, by its index in script->settings; the index after them
 * is the role. It is in upper case, because variables with results are in lower case. */
static const char *default_name(struct script *script, size_t index)
{
    return arena_printf(&script->arena, "DEFAULT_%zu", index + 1);
}

void context_note_defaults(struct script *script)
{
    for (size_t i = 0; script->recording->changes.connected && i <= script->settings.count; i++) {
        const char *name = i < script->settings.count ? script->settings.items[i] : "role";
        strbuf_adds(script->out,
                    "SELECT pg_catalog.quote_literal(coalesce(pg_catalog.current_setting(");
        quote_literal(script->out, name, strlen(name));
        strbuf_addf(script->out, ", true), '')) AS \"%s\" \\gset\n", default_name(script, i));
    }
}

static void write_default(struct script *script, size_t index, const char *name, const char *end,
                          struct strbuf *out)
{
    const char *value = arena_printf(&script->arena, ":%s", default_name(script, index));
    add_setting(script, (struct setting){name, value}, end, out);
}

/* The value that our session sets (session.c); or NULL. */
static const struct backend_setting *own_of(const struct script *script, const char *name)
{
    const struct backend_changes *changes = &script->recording->changes;
    for (size_t i = 0; i < changes->own_count; i++) {
        if (strcasecmp(changes->own[i].name, name) == 0) {
            return &changes->own[i];
        }
    }
    return NULL;
}

static void write_own(const struct script *script, const struct backend_setting *own,
                      const char *end, struct strbuf *out)
{
    struct strbuf value = {0};
    quote_literal(&value, own->value, strlen(own->value));
    add_setting(script, (struct setting){own->name, strbuf_text(&value)}, end, out);
    strbuf_free(&value);
}

/* Unless something sets it for new connections, a custom setting is '', and a server's setting has
 * its default. */
void context_write_unset(struct script *script, size_t index, const char *end, struct strbuf *out)
{
    assert(index < script->settings.count);
    const char *name = script->settings.items[index];
    if (script->recording->changes.connected) {
        write_default(script, index, name, end, out);
    } else if (context_is_custom(name)) {
        add_setting(script, (struct setting){name, "''"}, end, out);
    } else if (own_of(script, name)) {
        write_own(script, own_of(script, name), end, out);
    } else {
        strbuf_adds(out, script->session ? "SET " : "SET LOCAL ");
        quote_identifier(out, name);
        strbuf_addf(out, " TO DEFAULT%s", end);
    }
}

/* Sets the user that it runs as. */
static void write_actor(struct script *script, const struct recorded_context *context,
                        const char *end, struct strbuf *out)
{
    const struct recorded_context *before = script->context;
    const char *user = session_user_of(context);
    const char *role = role_of(context);
    bool user_set = !same_text(session_user_of(before), user) ||
                    (script->doubtful && script->recording->changes.session_user);
    if (user_set) {
        add_named(out,
                  script->session ? "SET SESSION AUTHORIZATION" : "SET LOCAL SESSION AUTHORIZATION",
                  "RESET SESSION AUTHORIZATION", user, end);
    }
    /* This resets the role. */
    bool own = script->recording->changes.connected !=
               NULL; /* a session may have a role without a context */
    bool role_set = user_set ? role || own : script->doubtful || !same_text(role_of(before), role);
    if (role_set && !role && own) {
        write_default(script, script->settings.count, "role", end, out);
    } else if (role_set) {
        add_named(out, script->session ? "SET ROLE" : "SET LOCAL ROLE", "RESET ROLE", role, end);
    }
}

void context_write_connecting(struct script *script, const char *end, struct strbuf *out)
{
    bool doubtful = script->doubtful;
    write_actor(script, NULL, end, out);
    if (script->context && (script->context->role || script->context->session_user)) {
        struct recorded_context *context = ARENA_NEW(&script->arena, struct recorded_context);
        *context = *script->context;
        context->role = context->session_user = NULL;
        script->context = context;
    }
    script->doubtful = doubtful;
}

void context_write(struct script *script, const struct recorded_context *context, const char *end,
                   struct strbuf *out)
{
    const struct recorded_context *before = script->context;
    write_actor(script, context, end, out);
    for (size_t i = 0; context && i < context->settings.count; i++) {
        const struct recorded_setting *setting = &context->settings.items[i];
        const struct recorded_value *old = setting_of(before, setting->name);
        if (script->doubtful || !old || !same_value(old, &setting->value)) {
            struct strbuf value = {0};
            value_write(script, &setting->value, &value);
            add_setting(script, (struct setting){setting->name, strbuf_text(&value)}, end, out);
            strbuf_free(&value);
        }
    }
    for (size_t i = 0; i < script->settings.count; i++) {
        const char *name = script->settings.items[i];
        if (!setting_of(context, name) && (script->doubtful || setting_of(before, name))) {
            context_write_unset(script, i, end, out);
        }
    }
    script->context = context;
    script->doubtful = false;
}

static void collect_setting(struct script *script, const char *name)
{
    if (!name_is_in(name, NAMES_OF(script->settings))) {
        *VEC_PUSH(&script->arena, &script->settings) = name;
    }
}

static void collect_from(struct script *script, const struct machine_statement *statements,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct context *context = statements[i].context;
        for (size_t j = 0; context && j < context->settings.count; j++) {
            collect_setting(script, context->settings.items[j].name);
        }
        if (context && context->claims) {
            collect_setting(script, "request.jwt.claims");
        }
    }
}

void context_collect_settings(struct script *script)
{
    const struct machine *machine = script->machine;
    const struct backend_changes *changes = &script->recording->changes;
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
    for (size_t i = 0; i < changes->own_count; i++) {
        collect_setting(script, changes->own[i].name);
    }
}
