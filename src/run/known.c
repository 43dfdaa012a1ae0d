#include "run/known.h"

#include <assert.h>

static bool is_pin_marked(const struct failure *failure)
{
    return failure->pinned && failure->pinned->xfail;
}

/* The invariant of a failure is that whose query raised an error, which ended the example. */
bool known_has(const struct engine *engine, const struct failure *failure)
{
    if (failure->kind == FAILURE_CONNECTION || engine->options.strict) {
        return false;
    }
    return is_pin_marked(failure) || (failure->invariant ? failure->invariant->xfail != NULL
                                                         : failure->rule && failure->rule->xfail);
}

void known_count(struct run_stats *stats, const struct engine *engine,
                 const struct failure *failure)
{
    if (!known_has(engine, failure) || is_pin_marked(failure)) {
        return;
    }
    if (failure->invariant) {
        stats->invariants[failure->invariant->index].known++;
    } else {
        stats->rules[failure->rule->index].known++;
    }
}

bool known_seen(const struct machine *machine, const struct run_stats *stats)
{
    for (size_t i = 0; i < machine->invariants.count; i++) {
        if (stats->invariants[i].known) {
            return true;
        }
    }
    return false;
}

/* Sets the verdict of one mark. */
static void judge_known(struct run_result *result, bool whole, struct known_result known,
                        struct arena *arena)
{
    if (!known.mark) {
        return;
    }
    bool holds = whole && known.tried > 0 && known.mark->strict;
    known.verdict = known.failed ? KNOWN_FAILED : holds ? KNOWN_PASSES : KNOWN_UNSEEN;
    *VEC_PUSH(arena, &result->known) = known;
}

void known_judge(struct run_result *result, const struct machine *machine, bool whole,
                 struct arena *arena)
{
    assert(result->known.count == 0);
    for (size_t i = 0; i < machine->rules.count; i++) {
        const struct rule_stats *stats = &result->stats.rules[i];
        judge_known(result, whole,
                    (struct known_result){
                        .mark = machine->rules.items[i].xfail,
                        .what = arena_printf(arena, "rule %s", machine->rules.items[i].name),
                        .noun = "step",
                        .failed = stats->known,
                        .tried = stats->ran},
                    arena);
    }
    for (size_t i = 0; i < machine->invariants.count; i++) {
        const struct invariant *invariant = &machine->invariants.items[i];
        const struct invariant_stats *stats = &result->stats.invariants[i];
        judge_known(
            result, whole,
            (struct known_result){.mark = invariant->xfail,
                                  .what = arena_printf(arena, "invariant %s", invariant->name),
                                  .noun = "check",
                                  .failed = stats->known,
                                  .tried = stats->checked},
            arena);
    }
    for (size_t i = 0; i < machine->pinned.count && result->pinned_ran; i++) {
        const struct pinned_example *pinned = &machine->pinned.items[i];
        judge_known(result, true,
                    (struct known_result){.mark = pinned->xfail,
                                          .what = arena_printf(arena, "example '%s'", pinned->name),
                                          .noun = "example",
                                          .failed = result->pinned_failed[i],
                                          .tried = result->pinned_ran[i]},
                    arena);
    }
}
