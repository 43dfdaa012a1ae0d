/* Steps after which attempts share nothing (shrink_target.costly): all that follows runs anew in
 * each of them, so they are left out or moved to the end before anything else. */
#include "shrink/passes/passes.h"

enum { FEW = 8 /* steps */ };

static bool is_costly(const struct shrinker *shrinker, size_t step)
{
    const bool *costly = shrinker->target->costly;
    return costly && costly[shrinker->current.steps.items[step].rule];
}

/* Moves the step towards the end, by `gap` steps. */
static bool try_later(struct shrinker *shrinker, size_t step, size_t gap)
{
    struct trace candidate = shrinker_copy(shrinker);
    for (size_t i = step; i < step + gap; i++) {
        edit_swap(&candidate, i, i + 1);
    }
    return shrink_compare(&candidate, &shrinker->current) < 0 && shrinker_try(shrinker, &candidate);
}

/* Index of the last step that something may be moved behind. The failing step stays the last. */
static size_t last_place(const struct shrinker *shrinker)
{
    size_t count = shrinker_steps(shrinker);
    return shrinker->target->at_end || count < 2 ? count - 1 : count - 2;
}

/* Far first; in a long trace, nothing else: each attempt takes long there. */
static void move_later(struct shrinker *shrinker, size_t step)
{
    size_t count = shrinker_steps(shrinker);
    size_t last = last_place(shrinker);
    size_t gap = last - step;
    while (gap > 0 && !shrinker->stopped && shrinker_steps(shrinker) == count) {
        bool moved = try_later(shrinker, step, gap);
        step += moved ? gap : 0;
        gap = moved ? (last - step < gap ? last - step : gap) : count <= FEW + 1 ? gap / 2 : 0;
    }
}

void pass_costly_steps(struct shrinker *shrinker)
{
    for (size_t i = last_place(shrinker) + 1; i-- > shrinker_first(shrinker);) {
        if (shrinker->stopped || i > last_place(shrinker) || !is_costly(shrinker, i)) {
            continue;
        }
        struct trace candidate = shrinker_without(shrinker, i, i + 1);
        if (!shrinker_try(shrinker, &candidate)) {
            move_later(shrinker, i);
        }
    }
}
