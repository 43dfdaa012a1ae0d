/* `contexts` and `as`: the users of statements. A context is compiled for each rule or invariant
 * that uses it, because it may read that one's names. */
#include "machine/loader.h"

#include "base/names.h"
#include "base/utf8.h"

#include <string.h>

enum {
    CONTEXT_BASE,
    CONTEXT_ROLE,
    CONTEXT_SESSION_USER,
    CONTEXT_SETTINGS,
    CONTEXT_CLAIMS,
    CONTEXT_KEYS
};

static const struct key context_key_items[] = {
    [CONTEXT_BASE] = {"context", SHAPE_NAME, 0, NULL, "The context that this one extends."},
    [CONTEXT_ROLE] = {"role", SHAPE_ROLE, 0, NULL,
                      "The role (SET LOCAL ROLE): its name, :name for a variable or an argument "
                      "that holds it, or none."},
    [CONTEXT_SESSION_USER] = {"session_user", SHAPE_ROLE, 0, NULL,
                              "The session's user (SET LOCAL SESSION AUTHORIZATION)."},
    [CONTEXT_SETTINGS] = {"settings", SHAPE_BINDINGS, 0, NULL,
                          "Settings of the server: name to expression."},
    [CONTEXT_CLAIMS] =
        {"claims", SHAPE_EXPRESSION, 0, NULL,
         "An expression whose value is a dict, stored as JSON in request.jwt.claims."},
};
const struct keys context_keys = {.of = "a context",
                                  .where = "in a context, within `contexts` or `as`",
                                  .items = context_key_items,
                                  .count = CONTEXT_KEYS};

struct setting_draft {
    const char *name;
    const struct node *value;
};

/* A context merged with the contexts that it extends. */
struct layers {
    const struct node *values[CONTEXT_KEYS]; /* NULL if not given */
    VEC(struct setting_draft) settings;
};

/* More layers are only possible in a circle. */
enum { LAYERS_MAX = 50, NAME_SHOWN_MAX = 60 };

static struct context_draft *find_context(struct loader *loader, const struct node *name)
{
    size_t index;
    if (map_get_text(&loader->context_names, name->text, name->size, &index)) {
        loader->contexts.items[index].used = true;
        return &loader->contexts.items[index];
    }
    struct error *err = report(loader, name, "there is no context '%s'%s", name->text,
                               did_you_mean(loader, name->text, loader->contexts));
    err->missing = true;
    if (node_is(name, "none")) {
        error_hint(err, "for the connecting user write `as: {}`");
    } else {
        error_hint(err,
                   "contexts are defined under the top-level key `contexts`; for a role alone "
                   "write `as: {role: %s}`",
                   name->size < 100 ? name->text : "…");
    }
    return NULL;
}

static void add_setting(struct loader *loader, struct layers *layers, const struct entries *entry)
{
    size_t index = name_index(entry->name, ROWS_OF(layers->settings, name));
    if (index < layers->settings.count) {
        layers->settings.items[index].value = entry->value;
    } else if (index == NAMES_MAX) {
        (void)report(loader, entry->key, "more than 250 settings in one context");
    } else {
        *VEC_PUSH(loader->arena, &layers->settings) =
            (struct setting_draft){.name = entry->name, .value = entry->value};
    }
}

static void lay_settings(struct loader *loader, struct layers *layers, const struct node *map)
{
    struct entries entry = {.map = map, .spelling = SPELL_SETTING, .what = "a setting"};
    while (entries_next(loader, &entry)) {
        size_t next = split_text(loader, map, entry.next - 1);
        if (next > entry.next) {
            entry.next = next;
            continue;
        }
        bool is_role = !strcmp(entry.name, "role");
        if (is_role || !strcmp(entry.name, "session_authorization")) {
            error_hint(report(loader, entry.key, "'%s' can't be set under `settings`", entry.name),
                       "write the key `%s` beside `settings`", is_role ? "role" : "session_user");
        }
        if (shape_check(loader, SHAPE_EXPRESSION, entry.name, entry.value)) {
            add_setting(loader, layers, &entry);
        }
    }
}

/* Lays the context over the others. False if it extends itself. */
static bool lay(struct loader *loader, struct layers *layers, const struct node *map,
                unsigned depth)
{
    const struct node *values[CONTEXT_KEYS];
    keys_check(loader, &context_keys, map, 0, values);
    if (values[CONTEXT_BASE]) {
        const struct context_draft *base = find_context(loader, values[CONTEXT_BASE]);
        if (depth == LAYERS_MAX) {
            (void)report(loader, values[CONTEXT_BASE],
                         "these contexts extend each other in a circle");
            return false;
        }
        if (base && base->node && !lay(loader, layers, base->node, depth + 1)) {
            return false;
        }
    }
    for (size_t i = 0; i < CONTEXT_KEYS; i++) {
        layers->values[i] = values[i] ? values[i] : layers->values[i];
    }
    if (values[CONTEXT_SETTINGS]) {
        lay_settings(loader, layers, values[CONTEXT_SETTINGS]);
    }
    return true;
}

static void add_shown(struct strbuf *name, const struct node *node)
{
    if (node->kind == NODE_SCALAR) {
        strbuf_add(name, node->text, utf8_cut(node->text, strnlen(node->text, NAME_SHOWN_MAX)));
    } else {
        strbuf_adds(name, "…");
    }
}

/* The context's text for reports, `{role: authenticated, claims: {"sub": user}}`, cut and on one
 * line. */
static const char *inline_name(struct loader *loader, const struct node *map)
{
    struct strbuf name = {0};
    strbuf_addc(&name, '{');
    for (size_t i = 0; i < map->entries.count && name.size <= NAME_SHOWN_MAX; i++) {
        strbuf_adds(&name, i ? ", " : "");
        add_shown(&name, map->entries.items[i].key);
        strbuf_adds(&name, ": ");
        add_shown(&name, map->entries.items[i].value);
    }
    strbuf_addc(&name, '}');
    for (size_t i = 0; i < name.size; i++) {
        name.data[i] = name.data[i] == '\n' ? ' ' : name.data[i];
    }
    if (name.size > NAME_SHOWN_MAX) {
        strbuf_truncate(&name, utf8_cut(name.data, NAME_SHOWN_MAX));
        strbuf_adds(&name, "…}");
    }
    return strbuf_take(&name, loader->arena);
}

static const char *explain_name(const void *with, const char *name)
{
    (void)with;
    (void)name;
    return "a context sees the variables of the model and the names of the rule or invariant that "
           "uses it; a text needs quotes within quotes: '\"…\"'";
}

/* The job for an expression of a context, in the scope of its user. */
static struct compile_job job_in(const struct scope *scope, const struct node *node)
{
    return (struct compile_job){.locals = scope->locals,
                                .mode = LANG_EXPRESSION,
                                .node = node,
                                .context = scope->what,
                                .explain = explain_name};
}

static struct lang_code *compile_in(struct loader *loader, const struct scope *scope,
                                    const struct node *node, enum use use)
{
    struct compile_job job = job_in(scope, node);
    struct lang_code *code = compile(loader, &job);
    foresee(loader, code, use);
    return code;
}

/* Reads `role: authenticated` or `role: :actor`; `none` is the connecting user. */
static void read_role(struct loader *loader, const struct scope *scope, const struct node *node,
                      const char **name, struct lang_code **code)
{
    if (!node || node_is(node, "none")) {
        return;
    }
    if (node->text[0] != ':') {
        *name = node->text;
        return;
    }
    if (!lang_is_name(node->text + 1, node->size - 1)) {
        (void)report(loader, node, "a role that begins with a colon needs a name after it");
        return;
    }
    struct node *argument = arena_memdup(loader->arena, node, sizeof *node);
    argument->text++;
    argument->size--;
    struct compile_job job = job_in(scope, argument);
    job.named = true;
    *code = compile(loader, &job);
}

static struct context *compile_context(struct loader *loader, const struct scope *scope,
                                       const char *name, const struct layers *layers)
{
    struct context *context = ARENA_NEW(loader->arena, struct context);
    context->name = name;
    read_role(loader, scope, layers->values[CONTEXT_ROLE], &context->role, &context->role_code);
    read_role(loader, scope, layers->values[CONTEXT_SESSION_USER], &context->session_user,
              &context->session_user_code);
    if (layers->values[CONTEXT_CLAIMS]) {
        context->claims = compile_in(loader, scope, layers->values[CONTEXT_CLAIMS], USE_CLAIMS);
    }
    for (size_t i = 0; i < layers->settings.count; i++) {
        const struct setting_draft *setting = &layers->settings.items[i];
        *VEC_PUSH(loader->arena, &context->settings) = (struct context_setting){
            .name = setting->name, .code = compile_in(loader, scope, setting->value, USE_SETTING)};
    }
    return context;
}

static const struct context *make_context(struct loader *loader, const struct scope *scope,
                                          const struct node *as)
{
    struct layers layers = {0};
    const struct node *map = as;
    const char *name;
    if (as->kind == NODE_SCALAR) {
        const struct context_draft *draft = find_context(loader, as);
        if (!draft || !draft->node) {
            return NULL;
        }
        map = draft->node;
        name = draft->name;
    } else {
        name = inline_name(loader, as);
    }
    if (!take_code(loader, map) || !lay(loader, &layers, map, 0)) {
        return NULL;
    }
    struct context *context = compile_context(loader, scope, name, &layers);
    context->pos = node_pos(loader->source, as);
    return context;
}

const struct context *context_for(struct loader *loader, struct scope *scope, const struct node *as)
{
    if (!as || (as->kind == NODE_MAP && !as->entries.count)) {
        return NULL; /* `as: {}` is the connecting user, whatever the default is */
    }
    for (size_t i = 0; i < scope->contexts.count; i++) {
        if (scope->contexts.items[i].as == as) {
            return scope->contexts.items[i].context;
        }
    }
    const struct context *context = make_context(loader, scope, as);
    *VEC_PUSH(loader->arena, &scope->contexts) =
        (struct context_instance){.as = as, .context = context};
    return context;
}

void read_contexts(struct loader *loader, void *into, const struct node *map)
{
    (void)into;
    struct entries entry = {.map = map, .spelling = SPELL_NAME, .what = "a context"};
    while (entries_next(loader, &entry)) {
        bool ok = entry.value->kind == NODE_MAP;
        if (!ok) {
            struct error *err =
                report(loader, entry.value, "the context '%s' must be a mapping, not %s",
                       entry.name, node_kind_name(entry.value));
            error_hint(err, "for a role alone write {role: %s}",
                       entry.value->kind == NODE_SCALAR && entry.value->size &&
                               entry.value->size < 64
                           ? entry.value->text
                           : "…");
        }
        (void)map_set_text(&loader->context_names, entry.name, strlen(entry.name),
                           loader->contexts.count, NULL);
        *VEC_PUSH(loader->arena, &loader->contexts) =
            (struct context_draft){.name = entry.name, .node = ok ? entry.value : NULL};
    }
}

/* Checks at least the keys, the names and the base contexts of contexts that are not used. */
void check_unused_contexts(struct loader *loader)
{
    for (size_t i = 0; i < loader->contexts.count; i++) {
        struct layers layers = {0};
        if (!loader->contexts.items[i].used && loader->contexts.items[i].node) {
            (void)lay(loader, &layers, loader->contexts.items[i].node, 0);
        }
    }
}
