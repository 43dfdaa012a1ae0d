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

const struct divergence *divergence_copy(struct arena *arena, const struct divergence *divergence)
{
    struct divergence *out = arena_memdup(arena, divergence, sizeof *divergence);
    const char **columns = ARENA_ARRAY(arena, const char *, divergence->column_count);
    const char **const texts[] = {&out->place, &out->context, &out->before, &out->after};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i] = copy_text(arena, *texts[i]);
    }
    for (size_t i = 0; i < out->column_count; i++) {
        columns[i] = copy_text(arena, divergence->columns[i]);
    }
    out->columns = columns;
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
