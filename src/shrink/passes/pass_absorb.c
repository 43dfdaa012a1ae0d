/* Merges steps that differ only in numbers: ten payments of 1 become one of 10. A failure that
 * depends on a sum can't be shrunk by removals and smaller numbers alone. */
#include "shrink/passes/passes.h"

enum { ABSORB_ATTEMPTS = 40 }; /* per call */

/* True if the steps differ only in whole numbers. */
static bool do_the_same(const struct trace_step *a, const struct trace_step *b)
{
    if (a->rule != b->rule || a->initialize != b->initialize ||
        a->choices.items.count != b->choices.items.count) {
        return false;
    }
    for (size_t i = 0; i < a->choices.items.count; i++) {
        const struct choice *x = &a->choices.items.items[i];
        const struct choice *y = &b->choices.items.items[i];
        bool numbers = x->kind == CHOICE_INTEGER && y->kind == CHOICE_INTEGER;
        if (!numbers && !choice_equal(x, y)) {
            return false;
        }
    }
    return true;
}

/* Adds the step's numbers to those of the other, as far as their bounds go. */
static void add_numbers(struct trace *trace, size_t into, const struct trace_step *from,
                        struct arena *arena)
{
    for (size_t i = 0; i < from->choices.items.count; i++) {
        const struct choice *given = &from->choices.items.items[i];
        if (given->kind != CHOICE_INTEGER || given->as.integer.value == 0) {
            continue;
        }
        struct choice *choice = edit_choice(arena, trace, into, i);
        if (__builtin_add_overflow(choice->as.integer.value, given->as.integer.value,
                                   &choice->as.integer.value)) {
            choice->as.integer.value =
                given->as.integer.value > 0 ? choice->as.integer.max : choice->as.integer.min;
        }
        choice_clamp(choice, arena);
    }
}

/* Merges `count` similar steps into step `into`, the nearest before it first. False if there are
 * not enough, or if the result does not fail. */
static bool absorb_steps(struct shrinker *shrinker, size_t into, size_t count)
{
    struct arena *arena = &shrinker->scratch;
    struct trace candidate = edit_copy(arena, &shrinker->current);
    const struct trace_step *taker = &shrinker->current.steps.items[into];
    for (size_t i = into; i-- > shrinker_first(shrinker) && count > 0;) {
        const struct trace_step *step = &shrinker->current.steps.items[i];
        if (do_the_same(taker, step)) {
            add_numbers(&candidate, into, step, arena);
            candidate = edit_remove(arena, &candidate, i, i + 1);
            into--;
            count--;
        }
    }
    return count == 0 && shrinker_try(shrinker, &candidate);
}

static size_t count_alike(const struct shrinker *shrinker, size_t into)
{
    size_t count = 0;
    for (size_t i = shrinker_first(shrinker); i < into; i++) {
        count +=
            do_the_same(&shrinker->current.steps.items[into], &shrinker->current.steps.items[i]);
    }
    return count;
}

void pass_absorb(struct shrinker *shrinker)
{
    uint64_t end = shrinker->stats->attempts + ABSORB_ATTEMPTS;
    for (size_t into = shrinker_steps(shrinker); into-- > shrinker_first(shrinker);) {
        size_t count = count_alike(shrinker, into);
        while (count > 0 && !shrinker->stopped && shrinker->stats->attempts < end) {
            if (absorb_steps(shrinker, into, count)) {
                into -= count;
                count = count_alike(shrinker, into);
            } else {
                count /= 2;
            }
        }
    }
}
