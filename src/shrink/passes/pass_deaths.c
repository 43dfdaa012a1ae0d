/* Lets clients live that died, or die before their COMMIT instead of after it. */
#include "shrink/passes/passes.h"

static bool with_death(struct shrinker *shrinker, size_t step, enum trace_death death)
{
    struct trace candidate = shrinker_copy(shrinker);
    candidate.steps.items[step].death = death;
    return shrinker_try(shrinker, &candidate);
}

void pass_deaths(struct shrinker *shrinker)
{
    for (size_t i = shrinker_steps(shrinker); i-- > 0 && !shrinker->stopped;) {
        enum trace_death death =
            i < shrinker_steps(shrinker) ? shrinker->current.steps.items[i].death : DEATH_NONE;
        if (death != DEATH_NONE && !with_death(shrinker, i, DEATH_NONE) && death == DEATH_AFTER) {
            (void)with_death(shrinker, i, DEATH_BEFORE);
        }
    }
}
