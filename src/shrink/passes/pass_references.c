/* Passes over references: use older values, merge two values, and avoid a removed step. */
#include "shrink/passes/passes.h"

static bool is_reference(const struct choice *choice) { return choice->kind == CHOICE_REFERENCE; }

static bool same_origin(const struct reference *a, const struct reference *b)
{
    if (a->step == REFERENCE_BY_POSITION) {
        return references_share_item(a, b);
    }
    return a->step == b->step && a->output == b->output;
}

/* The references of the current trace, and their distinct origins in the order of their first use.
 */
struct origins {
    struct places places;
    VEC(struct reference) items;
};

static struct origins find_origins(const struct shrinker *shrinker, struct arena *arena)
{
    struct origins origins = {.places = shrinker_places(shrinker, is_reference, arena)};
    for (size_t i = 0; i < origins.places.items.count; i++) {
        const struct choice *choice = choice_at(shrinker, origins.places.items.items[i]);
        bool known = false;
        for (size_t o = 0; o < origins.items.count && !known; o++) {
            known = same_origin(&origins.items.items[o], &choice->as.reference);
        }
        if (!known) {
            *VEC_PUSH(arena, &origins.items) = choice->as.reference;
        }
    }
    return origins;
}

static void set_position(struct shrinker *shrinker, struct trace *candidate, struct place at,
                         uint64_t position)
{
    edit_choice(&shrinker->scratch, candidate, at.step, at.index)->as.reference =
        (struct reference){.step = REFERENCE_BY_POSITION, .position = position};
}

/* Changes every reference with the origin `from` to `position` in its collection. */
static void move_references(struct shrinker *shrinker, struct trace *candidate,
                            const struct origins *origins, const struct reference *from,
                            uint64_t position)
{
    for (size_t i = 0; i < origins->places.items.count; i++) {
        struct place at = origins->places.items.items[i];
        if (same_origin(&choice_at(shrinker, at)->as.reference, from)) {
            set_position(shrinker, candidate, at, position);
        }
    }
}

/* Changes all references to one value to an older one, trying the oldest first. */
static bool lower_origin(struct shrinker *shrinker, const struct origins *origins,
                         const struct reference *origin)
{
    enum { OLDEST_TRIED = 4 };
    for (uint64_t position = 0; position < origin->position && position < OLDEST_TRIED;
         position++) {
        struct trace candidate = shrinker_copy(shrinker);
        move_references(shrinker, &candidate, origins, origin, position);
        if (shrinker_try(shrinker, &candidate)) {
            return true;
        }
        if (shrinker->stopped) {
            break;
        }
    }
    return false;
}

void pass_merge_references(struct shrinker *shrinker)
{
    struct arena arena = {0};
    struct origins origins = find_origins(shrinker, &arena);
    for (size_t i = origins.items.count; i > 0 && !shrinker->stopped; i--) {
        if (lower_origin(shrinker, &origins, &origins.items.items[i - 1])) {
            arena_reset(&arena);
            origins = find_origins(shrinker, &arena);
            i = origins.items.count + 1;
        }
    }
    arena_free(&arena);
}

/* Renumbers the referenced values to the oldest ones, in the order of their use. */
void pass_rank_references(struct shrinker *shrinker)
{
    struct arena arena = {0};
    struct origins origins = find_origins(shrinker, &arena);
    struct trace candidate = shrinker_copy(shrinker);
    for (size_t i = 0; i < origins.items.count; i++) {
        uint64_t rank = 0;
        for (size_t k = 0; k < i; k++) {
            rank += reference_maker(&shrinker->current, &origins.items.items[k]) ==
                    reference_maker(&shrinker->current, &origins.items.items[i]);
        }
        move_references(shrinker, &candidate, &origins, &origins.items.items[i], rank);
    }
    (void)shrinker_try(shrinker, &candidate);
    arena_free(&arena);
}

static bool is_referred_to(const struct trace *trace, size_t index)
{
    for (size_t i = 0; i < trace->steps.count; i++) {
        if (step_refers_to(&trace->steps.items[i], trace->steps.items[index].id)) {
            return true;
        }
    }
    return false;
}

/* Removes step `index`; references to its values become its own argument, or the oldest value. */
static bool bypass_step(struct shrinker *shrinker, size_t index)
{
    const struct reference oldest = {.step = REFERENCE_BY_POSITION};
    for (size_t k = 0; k < shrinker->current.steps.items[index].choices.items.count; k++) {
        const struct choice *choice = &shrinker->current.steps.items[index].choices.items.items[k];
        if (is_reference(choice)) {
            struct reference given = choice->as.reference;
            struct trace candidate =
                edit_bypass(&shrinker->scratch, &shrinker->current, index, &given);
            if (shrinker_try(shrinker, &candidate)) {
                return true;
            }
        }
    }
    struct trace candidate = edit_bypass(&shrinker->scratch, &shrinker->current, index, &oldest);
    return shrinker_try(shrinker, &candidate);
}

void pass_redirect_and_remove(struct shrinker *shrinker)
{
    size_t i = shrinker_steps(shrinker);
    while (i > shrinker_first(shrinker) && !shrinker->stopped) {
        i--;
        if (i < shrinker_steps(shrinker) && is_referred_to(&shrinker->current, i)) {
            (void)bypass_step(shrinker, i);
        }
    }
}

/* Tries values from the oldest on, and keeps the first that still fails. */
static void oldest_reference(struct shrinker *shrinker, struct place at)
{
    enum { OLDEST_TRIED = 8 };
    uint64_t now = choice_at(shrinker, at)->as.reference.position;
    for (uint64_t position = 0; position < now && position < OLDEST_TRIED; position++) {
        struct trace candidate = shrinker_copy(shrinker);
        set_position(shrinker, &candidate, at, position);
        if (shrinker_try(shrinker, &candidate) || shrinker->stopped) {
            return;
        }
    }
}

void pass_oldest_references(struct shrinker *shrinker)
{
    for (size_t i = 0; i < shrinker_steps(shrinker); i++) {
        for (struct place at = {i, 0}; shrinker_has(shrinker, at); at.index++) {
            if (is_reference(choice_at(shrinker, at))) {
                oldest_reference(shrinker, at);
            }
        }
    }
}
