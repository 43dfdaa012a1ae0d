/* Swaps the values of two choices if that is simpler: two references of one or two steps, or two
 * values of one argument. */
#include "shrink/passes/passes.h"

enum { CHOICES_MAX = 24 }; /* 276 pairs, few of which are simpler when swapped */

/* True if each can have the other's value: both are of one collection, or of one argument of a
 * rule. */
static bool are_alike(const struct shrinker *shrinker, struct place a, struct place b)
{
    const struct choice *first = choice_at(shrinker, a);
    const struct choice *second = choice_at(shrinker, b);
    if (first->kind != second->kind || edit_same(first, second)) {
        return false;
    }
    if (first->kind == CHOICE_REFERENCE) {
        return reference_maker(&shrinker->current, &first->as.reference) ==
               reference_maker(&shrinker->current, &second->as.reference);
    }
    const struct trace_step *steps = shrinker->current.steps.items;
    return steps[a.step].rule == steps[b.step].rule && a.step != b.step && a.index == b.index &&
           steps[a.step].initialize == steps[b.step].initialize;
}

/* Tries the candidate if it is simpler and still has every step. */
static bool try_simpler(struct shrinker *shrinker, const struct trace *candidate)
{
    struct trace closed = edit_close(&shrinker->scratch, candidate, &shrinker->current);
    return closed.steps.count == shrinker_steps(shrinker) &&
           shrink_compare(&closed, &shrinker->current) < 0 && shrinker_try(shrinker, &closed);
}

/* The bounds are not swapped; a replay sets them. */
static bool swap_two(struct shrinker *shrinker, struct place a, struct place b)
{
    struct trace candidate = shrinker_copy(shrinker);
    *edit_choice(&shrinker->scratch, &candidate, a.step, a.index) = *choice_at(shrinker, b);
    *edit_choice(&shrinker->scratch, &candidate, b.step, b.index) = *choice_at(shrinker, a);
    return try_simpler(shrinker, &candidate);
}

/* Swaps the two values everywhere. */
static bool swap_everywhere(struct shrinker *shrinker, const struct places *all, struct place a,
                            struct place b)
{
    const struct choice *first = choice_at(shrinker, a);
    const struct choice *second = choice_at(shrinker, b);
    struct trace candidate = shrinker_copy(shrinker);
    for (size_t i = 0; i < all->items.count; i++) {
        struct place at = all->items.items[i];
        bool is_first = edit_same(choice_at(shrinker, at), first);
        if (is_first || edit_same(choice_at(shrinker, at), second)) {
            *edit_choice(&shrinker->scratch, &candidate, at.step, at.index) =
                is_first ? *second : *first;
        }
    }
    return try_simpler(shrinker, &candidate);
}

static bool swap_some(struct shrinker *shrinker, struct arena *arena)
{
    struct places found = shrinker_places(shrinker, NULL, arena);
    size_t count = found.items.count;
    for (size_t i = 0; i < count && count <= CHOICES_MAX; i++) {
        for (size_t k = i + 1; k < count && !shrinker->stopped; k++) {
            struct place a = found.items.items[i];
            struct place b = found.items.items[k];
            if (are_alike(shrinker, a, b) &&
                (swap_two(shrinker, a, b) || swap_everywhere(shrinker, &found, a, b))) {
                return true;
            }
        }
    }
    return false;
}

void pass_swap_values(struct shrinker *shrinker)
{
    struct arena arena = {0};
    while (!shrinker->stopped && swap_some(shrinker, &arena)) {
        arena_reset(&arena);
    }
    arena_free(&arena);
}
