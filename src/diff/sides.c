#include "diff/sides.h"

#include <string.h>

bool twin_is_on(const struct twin *twin, size_t side)
{
    return twin->sides[side].backend &&
           (!twin->marked || side == BEFORE || side == (size_t)twin->second);
}

bool twin_from_side(struct twin *twin, size_t side, bool ok, struct error *err)
{
    if (!ok && err->code == ERROR_CONNECTION) {
        twin->lost = side == AFTER || side == MIGRATING ? "new" : "old";
        error_context(err, "the %s database", twin->lost);
    }
    return ok;
}

struct comparing_sides twin_comparing(struct twin *twin, size_t side, struct arena *arena)
{
    return (struct comparing_sides){
        .arena = arena,
        .pairs = twin->sides[side].pairs,
        .natures = twin->options.natures,
        .constraints = &twin->constraints,
        .purpose = side == SAME ? LEARNS : COMPARES,
        .epoch_before = twin->sides[BEFORE].epoch,
        .epoch_after = twin->sides[side].epoch,
        .loaded = twin->sides[side].loaded,
        .messages = twin->options.messages,
        .accepted = side != SAME ? twin->options.accepted : NULL,
    };
}

const struct backend_context *twin_context_after(struct twin *twin, size_t side,
                                                 const struct backend_context *context)
{
    if (!context || context->setting_count == 0) {
        return context;
    }
    struct backend_context *out = arena_memdup(&twin->example, context, sizeof *context);
    struct backend_setting *settings =
        ARENA_ARRAY(&twin->example, struct backend_setting, context->setting_count);
    for (size_t i = 0; i < context->setting_count; i++) {
        struct value value = pairs_after(twin->sides[side].pairs, &twin->example,
                                         value_text(&twin->example, context->settings[i].value));
        settings[i] = (struct backend_setting){context->settings[i].name, value.as.string->data};
    }
    out->settings = settings;
    return out;
}

bool twin_compare_with(struct twin *twin, size_t side, const struct comparing_sides *sides,
                       const bool *wanted, const struct backend_context *context,
                       struct backend_compared *out, struct error *err)
{
    struct reader readers[] = {
        {twin->sides[BEFORE].backend, context, false},
        {twin->sides[side].backend, twin_context_after(twin, side, context), false},
    };
    bool ok = shared_compare(&twin->shared, wanted, sides, readers, out, err);
    return twin_from_side(twin, readers[0].failed ? (size_t)BEFORE : side, ok, err);
}

bool twin_compare_as(struct twin *twin, size_t side, const struct backend_context *context,
                     struct arena *arena, struct backend_compared *out, struct error *err)
{
    const struct comparing_sides sides = twin_comparing(twin, side, arena);
    return twin_compare_with(twin, side, &sides, NULL, context, out, err);
}

bool twin_has_learned(const struct twin *twin)
{
    return natures_changes(twin->options.natures) != twin->known;
}

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static bool same_context(const struct backend_context *a, const struct backend_context *b)
{
    bool same = same_text(a->role, b->role) && same_text(a->session_user, b->session_user) &&
                a->setting_count == b->setting_count;
    for (size_t i = 0; same && i < a->setting_count; i++) {
        same = same_text(a->settings[i].name, b->settings[i].name) &&
               same_text(a->settings[i].value, b->settings[i].value);
    }
    return same;
}

static const char *keep_text(struct twin *twin, const char *text)
{
    return text ? arena_strdup(&twin->example, text) : NULL;
}

static void add_context(struct twin *twin, const struct backend_context *context)
{
    struct backend_setting *settings =
        ARENA_ARRAY(&twin->example, struct backend_setting, context->setting_count);
    for (size_t i = 0; i < context->setting_count; i++) {
        settings[i] = (struct backend_setting){keep_text(twin, context->settings[i].name),
                                               keep_text(twin, context->settings[i].value)};
    }
    *VEC_PUSH(&twin->example, &twin->contexts) = (struct backend_context){
        .role = keep_text(twin, context->role),
        .session_user = keep_text(twin, context->session_user),
        .settings = settings,
        .setting_count = context->setting_count,
    };
}

void twin_note_context(struct twin *twin, const struct backend_context *context)
{
    if (!context || twin->contexts.count >= CONTEXTS_MAX) {
        return;
    }
    for (size_t i = 0; i < twin->contexts.count; i++) {
        if (same_context(&twin->contexts.items[i], context)) {
            return;
        }
    }
    add_context(twin, context);
}

void twin_keep_contexts(struct twin *twin, size_t count)
{
    const struct backend_context *contexts = twin->contexts.items;
    struct arena before = twin->example;
    twin->example = twin->example_before;
    twin->example_before = before;
    twin->asked.items = NULL;
    twin->asked.count = twin->asked.capacity = 0;
    twin->contexts.items = NULL;
    twin->contexts.count = twin->contexts.capacity = 0;
    for (size_t i = 0; i < count; i++) {
        add_context(twin, &contexts[i]);
    }
    arena_reset(&twin->example_before);
}
