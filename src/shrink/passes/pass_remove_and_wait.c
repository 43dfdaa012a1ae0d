/* A step may be needed only because of the time: a lease that has expired need not be released, and
 * one paid twice expires later. So this pass removes the step and makes a wait longer or shorter.
 * Other passes then reduce the wait to the necessary time. */
#include "shrink/passes/passes.h"

enum { WAIT_ATTEMPTS = 60 }; /* per call */

/* The changes to try for a number: add a part of the distance to its upper bound, or subtract a
 * part of that to the lower one; `halved` says how often to halve it. The longest wait may be too
 * long, because other things must not happen meanwhile. */
static const struct change {
    bool longer;
    unsigned halved;
} changes[] = {
    {true, 0}, {false, 1}, {true, 2},  {false, 2}, {true, 4},
    {true, 6}, {false, 3}, {false, 0}, {true, 8},  {true, 10},
};
enum { CHANGES = sizeof changes / sizeof *changes };

static bool waits(const struct shrinker *shrinker, const struct trace_step *step)
{
    return !step->initialize && shrinker->target->advances[step->rule];
}

/* The step of the same rule that made the most choices in the original trace, if it made more than
 * this one: `timedeltas` where this one took an item of a list, days where this one took none.
 * Otherwise NULL. */
static const struct trace_step *one_that_drew_more(const struct shrinker *shrinker,
                                                   const struct trace_step *step)
{
    const struct trace_step *more = NULL;
    size_t most = step->choices.items.count;
    for (size_t i = trace_first(shrinker->failing); i < shrinker->failing->steps.count; i++) {
        const struct trace_step *other = &shrinker->failing->steps.items[i];
        if (other->rule == step->rule && other->choices.items.count > most) {
            more = other;
            most = other->choices.items.count;
        }
    }
    return more;
}

/* Changes the step's last number, which is the most significant one, also in a time. False if there
 * is none or it does not change. */
static bool change_last_number(struct shrinker *shrinker, struct trace *candidate, size_t step,
                               const struct change *change)
{
    size_t index = candidate->steps.items[step].choices.items.count;
    while (index > 0 &&
           candidate->steps.items[step].choices.items.items[index - 1].kind != CHOICE_INTEGER) {
        index--;
    }
    if (index == 0) {
        return false;
    }
    struct choice *choice = edit_choice(&shrinker->scratch, candidate, step, index - 1);
    uint64_t value = (uint64_t)choice->as.integer.value;
    uint64_t room = change->longer ? (uint64_t)choice->as.integer.max - value
                                   : value - (uint64_t)choice->as.integer.min;
    uint64_t by = room >> change->halved;
    choice->as.integer.value = (int64_t)(change->longer ? value + by : value - by);
    return by > 0;
}

/* Removes step `removed` and changes the time of step `wait`; `drawn`, if given, replaces its
 * choices first. */
static bool try_wait(struct shrinker *shrinker, size_t removed, size_t wait,
                     const struct trace_step *drawn, const struct change *change)
{
    struct trace candidate = shrinker_copy(shrinker);
    if (drawn) {
        candidate.steps.items[wait].choices = drawn->choices;
    }
    if (!change_last_number(shrinker, &candidate, wait, change)) {
        return false;
    }
    candidate = edit_remove(&shrinker->scratch, &candidate, removed, removed + 1);
    return shrinker_try(shrinker, &candidate);
}

/* Removes the step, with each of the waits changed in turn. */
static bool remove_and_wait(struct shrinker *shrinker, size_t removed, const struct change *change)
{
    for (size_t i = shrinker_steps(shrinker); i > shrinker_first(shrinker); i--) {
        const struct trace_step *wait = &shrinker->current.steps.items[i - 1];
        if (i - 1 == removed || !waits(shrinker, wait) || shrinker->stopped) {
            continue;
        }
        const struct trace_step *drawn = one_that_drew_more(shrinker, wait);
        if (try_wait(shrinker, removed, i - 1, NULL, change) ||
            (drawn && try_wait(shrinker, removed, i - 1, drawn, change))) {
            return true;
        }
    }
    return false;
}

/* True if the failing step would be removed, too. */
static bool is_needed(const struct shrinker *shrinker, size_t step)
{
    const struct trace_step *steps = shrinker->current.steps.items;
    size_t last = shrinker_steps(shrinker) - 1;
    return !shrinker->target->at_end &&
           (step == last || step_refers_to(&steps[last], steps[step].id));
}

void pass_remove_and_wait(struct shrinker *shrinker)
{
    uint64_t end = shrinker->stats->attempts + WAIT_ATTEMPTS;
    for (size_t change = 0; change < CHANGES && shrinker->target->advances; change++) {
        for (size_t i = shrinker_steps(shrinker); i > shrinker_first(shrinker); i--) {
            if (shrinker->stopped || shrinker->stats->attempts >= end ||
                (!is_needed(shrinker, i - 1) &&
                 remove_and_wait(shrinker, i - 1, &changes[change]))) {
                return; /* after the cheap passes */
            }
        }
    }
}
