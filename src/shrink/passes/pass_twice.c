/* Replaces the step of one session by the step of the other, or by a step that ran before both. A
 * race of two different steps may need earlier steps that a race of two equal ones does not:
 * removing an entry needs one, adding one does not. The new step keeps one value of the old one,
 * because the server would refuse most repeated steps. */
#include "shrink/passes/passes.h"

enum { TWICE_ATTEMPTS = 60 }; /* per call */

/* Steps of two sessions: one becomes a copy of the other, except for one value. */
struct twice {
    struct shrinker *shrinker;
    size_t from, to;
    size_t place; /* index of the choice that keeps its value */
    size_t value; /* index of the kept value */
};

/* Removes step `before`, which runs before the sessions; NO_STEP: removes all of these. */
static bool try_without(const struct twice *twice, size_t before)
{
    struct shrinker *shrinker = twice->shrinker;
    struct arena *arena = &shrinker->scratch;
    struct trace candidate = shrinker_copy(shrinker);
    const struct trace_step *from = &candidate.steps.items[twice->from];
    struct trace_step *to = &candidate.steps.items[twice->to];
    const struct choice own = to->choices.items.items[twice->value];
    to->rule = from->rule;
    to->choices = choices_copy(arena, &from->choices);
    if (!edit_assign(arena, edit_choice(arena, &candidate, twice->to, twice->place), &own)) {
        return false;
    }
    bool *kept = ARENA_ARRAY(arena, bool, candidate.steps.count);
    for (size_t i = 0; i < candidate.steps.count; i++) {
        const struct trace_step *step = &candidate.steps.items[i];
        bool drops = before == NO_STEP ? step->session == 0 : i == before;
        kept[i] = step->initialize || !drops;
    }
    candidate = edit_keep(arena, &candidate, kept);
    return shrinker_try(shrinker, &candidate);
}

static bool try_pair(struct twice *twice, size_t *left)
{
    const struct trace *trace = &twice->shrinker->current;
    size_t places = trace->steps.items[twice->from].choices.items.count;
    size_t values = trace->steps.items[twice->to].choices.items.count;
    size_t first = shrinker_first(twice->shrinker);
    for (twice->place = 0; twice->place < places; twice->place++) {
        for (twice->value = 0; twice->value < values; twice->value++) {
            for (size_t i = first; i <= trace->steps.count; i++) {
                size_t before = i == first ? NO_STEP : i - 1;
                if (before != NO_STEP && trace->steps.items[before].session > 0) {
                    continue;
                }
                if (*left == 0 || twice->shrinker->stopped) {
                    return true;
                }
                --*left;
                if (try_without(twice, before)) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Replaces the session's step by one from before the sessions. */
static bool try_moved(struct shrinker *shrinker, size_t from, size_t to)
{
    struct trace candidate = shrinker_copy(shrinker);
    candidate.steps.items[to].rule = candidate.steps.items[from].rule;
    candidate.steps.items[to].choices = candidate.steps.items[from].choices;
    candidate = edit_remove(&shrinker->scratch, &candidate, from, from + 1);
    return shrinker_try(shrinker, &candidate);
}

static bool try_with(struct shrinker *shrinker, size_t from, size_t to, size_t *left)
{
    const struct trace_step *a = &shrinker->current.steps.items[from];
    const struct trace_step *b = &shrinker->current.steps.items[to];
    struct twice twice = {.shrinker = shrinker, .from = from, .to = to};
    if (a->rule == b->rule || a->session == b->session || *left == 0 || shrinker->stopped) {
        return false;
    }
    if (a->session > 0) {
        return try_pair(&twice, left);
    }
    --*left;
    return try_moved(shrinker, from, to);
}

static bool has_steps_before(const struct trace *trace, size_t first)
{
    size_t i = first;
    while (i < trace->steps.count && trace->steps.items[i].session > 0) {
        i++;
    }
    return i < trace->steps.count;
}

void pass_twice(struct shrinker *shrinker)
{
    const struct trace *trace = &shrinker->current;
    size_t first = shrinker_first(shrinker);
    size_t left = TWICE_ATTEMPTS;
    if (trace_sessions(trace) == 0 || !has_steps_before(trace, first)) {
        return;
    }
    for (size_t to = first; to < trace->steps.count; to++) {
        for (size_t from = first; from < trace->steps.count; from++) {
            if (trace->steps.items[to].session > 0 && try_with(shrinker, from, to, &left)) {
                return;
            }
        }
    }
}
