#include "example/divergence.h"

#include <assert.h>

static const char *copy_text(struct arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

static const struct server_error *copy_error(struct arena *arena, const struct server_error *error)
{
    struct server_error *copy = NULL;
    if (error) {
        copy = ARENA_NEW(arena, struct server_error);
        *copy = server_error_copy(arena, error);
    }
    return copy;
}

static const struct backend_context *copy_context(struct arena *arena,
                                                  const struct backend_context *context)
{
    if (!context) {
        return NULL;
    }
    struct backend_context *copy = ARENA_NEW(arena, struct backend_context);
    struct backend_setting *settings =
        ARENA_ARRAY(arena, struct backend_setting, context->setting_count);
    for (size_t i = 0; i < context->setting_count; i++) {
        settings[i].name = copy_text(arena, context->settings[i].name);
        settings[i].value = copy_text(arena, context->settings[i].value);
    }
    copy->role = copy_text(arena, context->role);
    copy->session_user = copy_text(arena, context->session_user);
    copy->settings = settings;
    copy->setting_count = context->setting_count;
    return copy;
}

const struct divergence *divergence_copy(struct arena *arena, const struct divergence *divergence)
{
    struct divergence *out = arena_memdup(arena, divergence, sizeof *divergence);
    const char **columns = ARENA_ARRAY(arena, const char *, divergence->column_count);
    const char **const texts[] = {&out->place,  &out->context, &out->sql,
                                  &out->before, &out->after,   &out->column};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i] = copy_text(arena, *texts[i]);
    }
    for (size_t i = 0; i < out->column_count; i++) {
        columns[i] = copy_text(arena, divergence->columns[i]);
    }
    out->columns = columns;
    out->as = copy_context(arena, divergence->as);
    out->error_before = copy_error(arena, divergence->error_before);
    out->error_after = copy_error(arena, divergence->error_after);
    VEC_OWN(arena, &out->settings);
    for (size_t i = 0; i < out->settings.count; i++) {
        out->settings.items[i].name = copy_text(arena, out->settings.items[i].name);
        out->settings.items[i].value = copy_text(arena, out->settings.items[i].value);
    }
    VEC_OWN(arena, &out->differences);
    for (size_t i = 0; i < out->differences.count; i++) {
        struct difference *difference = &out->differences.items[i];
        difference->expected = shown_cells_copy(arena, difference->expected, out->column_count);
        difference->actual = shown_cells_copy(arena, difference->actual, out->column_count);
    }
    return out;
}

const char *divergence_kind_name(enum divergence_kind kind)
{
    static const char *const names[] = {"error",  "rows",   "order",   "count",
                                        "column", "notify", "missing", "migrate"};
    _Static_assert(sizeof names / sizeof *names == DIVERGENCE_KINDS, "each kind has a name");
    assert(kind < DIVERGENCE_KINDS);
    return names[kind];
}
