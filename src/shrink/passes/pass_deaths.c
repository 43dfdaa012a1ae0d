/* Lets clients live that died, or die before their COMMIT instead of after it, or sooner. */
#include "shrink/passes/passes.h"

static bool with_death(struct shrinker *shrinker, size_t step, enum trace_death death,
                       uint32_t gate)
{
    struct trace candidate = shrinker_copy(shrinker);
    candidate.steps.items[step].death = death;
    candidate.steps.items[step].gate = gate;
    return shrinker_try(shrinker, &candidate);
}

/* At the first gate at which it still fails. */
static void die_sooner(struct shrinker *shrinker, size_t step)
{
    uint32_t low = 1;
    while (step < shrinker_steps(shrinker) && !shrinker->stopped &&
           shrinker->current.steps.items[step].death == DEATH_WITHIN &&
           low < shrinker->current.steps.items[step].gate) {
        uint32_t gate = low + (shrinker->current.steps.items[step].gate - low) / 2;
        low = with_death(shrinker, step, DEATH_WITHIN, gate) ? low : gate + 1;
    }
}

void pass_deaths(struct shrinker *shrinker)
{
    for (size_t i = shrinker_steps(shrinker); i-- > 0 && !shrinker->stopped;) {
        enum trace_death death =
            i < shrinker_steps(shrinker) ? shrinker->current.steps.items[i].death : DEATH_NONE;
        if (death == DEATH_NONE || with_death(shrinker, i, DEATH_NONE, 0)) {
            continue;
        }
        if (death == DEATH_AFTER) {
            (void)with_death(shrinker, i, DEATH_BEFORE, 0);
        } else if (death == DEATH_WITHIN && !with_death(shrinker, i, DEATH_AFTER, 0)) {
            die_sooner(shrinker, i);
        }
    }
}
