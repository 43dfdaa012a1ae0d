#include "pg/session/context.h"

#include <string.h>
#include <strings.h>

#define CLAIMS "request.jwt.claims"

static struct context_name *add_name(struct contexts *contexts, const char *name)
{
    for (size_t i = 0; i < contexts->names.count; i++) {
        if (strcasecmp(contexts->names.items[i].name, name) == 0) {
            return &contexts->names.items[i];
        }
    }
    struct context_name *added = VEC_PUSH(contexts->arena, &contexts->names);
    *added = (struct context_name){.name = name, .base = "", .custom = strchr(name, '.') != NULL};
    return added;
}

static void add_context(struct contexts *contexts, const struct context *context)
{
    if (!context) {
        return;
    }
    contexts->session_users |= context->session_user || context->session_user_code;
    for (size_t i = 0; i < context->settings.count; i++) {
        (void)add_name(contexts, context->settings.items[i].name);
    }
    if (context->claims) {
        (void)add_name(contexts, CLAIMS);
    }
}

/* Also for the session user and the role. */
static void make_values(struct contexts *contexts)
{
    contexts->values = ARENA_ARRAY(contexts->arena, const char *, contexts->names.count + 2);
}

void contexts_init(struct contexts *contexts, const struct statements *statements,
                   struct arena *arena)
{
    *contexts = (struct contexts){.arena = arena, .role = "none"};
    for (size_t i = 0; i < statements->uses.count; i++) {
        add_context(contexts, statements->uses.items[i].context);
    }
    make_values(contexts);
}

void contexts_add_own(struct contexts *contexts, const char *names)
{
    while (*names) {
        size_t size = strcspn(names, ",");
        add_name(contexts, arena_strndup(contexts->arena, names, size))->own = true;
        names += size + (names[size] == ',');
    }
    make_values(contexts);
}

void contexts_list_own(struct contexts *contexts)
{
    for (size_t i = 0; i < contexts->names.count; i++) {
        const struct context_name *name = &contexts->names.items[i];
        if (name->own) {
            *VEC_PUSH(contexts->arena, &contexts->own) =
                (struct backend_setting){name->name, name->base};
        }
    }
}

void contexts_copy_names(struct contexts *contexts, const struct contexts *from)
{
    contexts->names.count = 0;
    for (size_t i = 0; i < from->names.count; i++) {
        *VEC_PUSH(contexts->arena, &contexts->names) = from->names.items[i];
    }
    make_values(contexts);
}

void contexts_free(struct contexts *contexts)
{
    strbuf_free(&contexts->current);
    strbuf_free(&contexts->wanted);
}

void contexts_start(struct contexts *contexts)
{
    contexts_want(contexts, NULL);
    contexts_sent(contexts);
}

size_t contexts_count(const struct contexts *contexts)
{
    return contexts->names.count + 1 + contexts->session_users;
}

static void add_call(struct strbuf *out, const char *name, size_t number, bool local)
{
    strbuf_adds(out, number > 1 ? ", " : "SELECT ");
    strbuf_adds(out, "pg_catalog.set_config('");
    for (; *name; name++) {
        strbuf_fill(out, *name, *name == '\'' ? 2 : 1);
    }
    strbuf_addf(out, "', $%zu, %s)", number, local ? "true" : "false");
}

void contexts_sql(const struct contexts *contexts, bool local, struct strbuf *out)
{
    size_t number = 1;
    if (contexts->session_users) {
        /* First: it takes the role back. */
        add_call(out, "session_authorization", number++, local);
    }
    add_call(out, "role", number++, local);
    for (size_t i = 0; i < contexts->names.count; i++) {
        add_call(out, contexts->names.items[i].name, number++, local);
    }
}

static const char *value_of(const struct context_name *name, const struct backend_context *context)
{
    for (size_t i = 0; context && i < context->setting_count; i++) {
        if (strcasecmp(context->settings[i].name, name->name) == 0) {
            return context->settings[i].value;
        }
    }
    return name->base;
}

static void add_value(struct strbuf *state, const char *value)
{
    strbuf_add(state, value, strlen(value) + 1);
}

static bool same_state(const struct strbuf *a, const struct strbuf *b)
{
    return a->size == b->size && memcmp(strbuf_text(a), strbuf_text(b), a->size) == 0;
}

const char *const *contexts_values(struct contexts *contexts, const char *state)
{
    for (size_t i = 0; i < contexts_count(contexts); i++) {
        contexts->values[i] = state;
        state += strlen(state) + 1;
    }
    return contexts->values;
}

bool contexts_want(struct contexts *contexts, const struct backend_context *context)
{
    struct strbuf *wanted = &contexts->wanted;
    strbuf_clear(wanted);
    if (contexts->session_users) {
        const char *user = context ? context->session_user : NULL;
        add_value(wanted, user ? user : contexts->user);
    }
    add_value(wanted, context && context->role ? context->role : contexts->role);
    for (size_t i = 0; i < contexts->names.count; i++) {
        add_value(wanted, value_of(&contexts->names.items[i], context));
    }
    (void)contexts_values(contexts, wanted->data);
    return contexts->doubtful || !same_state(wanted, &contexts->current);
}

void contexts_doubt(struct contexts *contexts) { contexts->doubtful = contexts->changed; }

void contexts_sent(struct contexts *contexts)
{
    contexts->doubtful = false;
    struct strbuf old = contexts->current;
    contexts->current = contexts->wanted;
    contexts->wanted = old;
}

bool context_changes_names(const struct context *context)
{
    for (size_t i = 0; i < context->settings.count; i++) {
        if (strcasecmp(context->settings.items[i].name, "search_path") == 0) {
            return true;
        }
    }
    return false;
}
