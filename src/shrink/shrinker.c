#include "shrink/shrinker.h"

#include <assert.h>

static void keep_trace(struct shrinker *shrinker, const struct trace *trace,
                       const struct shrink_points *points)
{
    assert(shrinker->kept < 2);
    unsigned other = 1 - shrinker->kept;
    arena_reset(&shrinker->keep[other]);
    shrinker->current = trace_copy(&shrinker->keep[other], trace);
    shrinker->points = *points;
    VEC_OWN(&shrinker->keep[other], &shrinker->points.items);
    shrinker->kept = other;
}

/* True if the budget allows another attempt; otherwise stops the shrinker. */
static bool may_attempt(struct shrinker *shrinker)
{
    const struct shrink_target *target = shrinker->target;
    if (shrinker->stats->attempts >= shrinker->limit ||
        (target->expired && target->expired(target->host))) {
        shrinker->stats->cut_short = true;
        shrinker->stopped = true;
    }
    return !shrinker->stopped;
}

bool shrinker_run(struct shrinker *shrinker, const struct trace *trace, struct shrink_attempt *out)
{
    assert(shrinker->stats != NULL && shrinker->stats->attempts <= shrinker->limit);
    const struct shrink_target *target = shrinker->target;
    *out = (struct shrink_attempt){0};
    if (!may_attempt(shrinker)) {
        return false;
    }
    shrinker->stats->attempts++;
    if (!target->attempt(target->host, trace, &shrinker->scratch, out, shrinker->err)) {
        shrinker->stopped = true;
        shrinker->failed = true;
    }
    return !shrinker->stopped;
}

bool shrinker_batch_anew(struct shrinker *shrinker, const struct trace *candidate)
{
    uint64_t key = trace_fingerprint(candidate);
    bool known = map_find(&shrinker->tried, key) || map_find(&shrinker->batched, key);
    (void)map_add(&shrinker->batched, key);
    return !known;
}

struct places shrinker_places(const struct shrinker *shrinker,
                              bool (*wanted)(const struct choice *choice), struct arena *arena)
{
    struct places places = {0};
    for (size_t step = 0; step < shrinker_steps(shrinker); step++) {
        const struct choices *choices = shrinker_choices(shrinker, step);
        for (size_t i = 0; i < choices->items.count; i++) {
            if (!wanted || wanted(&choices->items.items[i])) {
                *VEC_PUSH(arena, &places.items) = (struct place){step, i};
            }
        }
    }
    return places;
}

/* True if the choice refers to an item at any position. */
static bool wants_item(const struct choice *choice)
{
    return choice_refers_to(choice, REFERENCE_BY_POSITION) && choice->as.reference.item;
}

/* True if an item of the step was at another position; `executed` is NULL if the step could not
 * run. */
static bool item_moved(const struct trace_step *step, const struct trace_step *executed)
{
    for (size_t i = 0; i < step->choices.items.count; i++) {
        const struct choice *from = &step->choices.items.items[i];
        const struct choice *to = executed && i < executed->choices.items.count
                                      ? &executed->choices.items.items[i]
                                      : NULL;
        if (wants_item(from) &&
            (!executed || (to && to->kind == CHOICE_REFERENCE &&
                           to->as.reference.position != from->as.reference.position))) {
            return true;
        }
    }
    return false;
}

/* Steps keep their order, so both lists are walked together. A step that could not run might run
 * with another item. */
static bool items_moved(const struct trace *candidate, const struct trace *executed)
{
    size_t at = 0;
    bool moved = false;
    for (size_t i = 0; i < candidate->steps.count && !moved; i++) {
        const struct trace_step *step = &candidate->steps.items[i];
        bool ran = at < executed->steps.count && executed->steps.items[at].id == step->id;
        moved = item_moved(step, ran ? &executed->steps.items[at] : NULL);
        at += ran;
    }
    return moved;
}

/* The result of a rejected attempt. */
struct rejected {
    /* Items drawn by position were elsewhere, so that the candidate without its items differs. */
    bool moved;
    struct arena *arena; /* of `aside`; NULL if that is not wanted */
    struct trace *aside; /* the executed trace, if it failed in the same way */
};

static bool run_attempt(struct shrinker *shrinker, const struct trace *candidate,
                        struct rejected *rejected)
{
    uint64_t key = trace_fingerprint(candidate);
    rejected->moved = false;
    if (map_find(&shrinker->tried, key)) {
        return false;
    }
    struct shrink_attempt result;
    if (!shrinker_run(shrinker, candidate, &result)) {
        return false;
    }
    (void)map_add(&shrinker->tried, key);
    if (result.trace.steps.count) {
        (void)map_add(&shrinker->tried, trace_fingerprint(&result.trace));
    }
    rejected->moved = items_moved(candidate, &result.trace);
    if (!result.same || shrink_compare(&result.trace, &shrinker->current) >= 0) {
        if (result.same && rejected->arena) {
            *rejected->aside = trace_copy(rejected->arena, &result.trace);
        }
        return false;
    }
    keep_trace(shrinker, &result.trace, &result.points);
    shrinker->stats->accepted++;
    return true;
}

static bool try_candidate(struct shrinker *shrinker, const struct trace *candidate,
                          struct rejected *rejected)
{
    struct trace closed = edit_close(&shrinker->scratch, candidate, &shrinker->current);
    bool accepted = !shrinker->stopped && run_attempt(shrinker, &closed, rejected);
    if (rejected->moved && !accepted && !shrinker->stopped) {
        edit_drop_items(&shrinker->scratch, &closed);
        accepted = run_attempt(shrinker, &closed, rejected);
    }
    arena_reset(&shrinker->scratch);
    return accepted;
}

bool shrinker_try(struct shrinker *shrinker, const struct trace *candidate)
{
    struct rejected rejected = {0};
    return try_candidate(shrinker, candidate, &rejected);
}

bool shrinker_try_aside(struct shrinker *shrinker, const struct trace *candidate,
                        struct arena *arena, struct trace *aside)
{
    struct rejected rejected = {.arena = arena, .aside = aside};
    *aside = (struct trace){0};
    return try_candidate(shrinker, candidate, &rejected);
}

void shrinker_begin(struct shrinker *shrinker, const struct shrink_target *target,
                    const struct trace *failing)
{
    *shrinker = (struct shrinker){.target = target, .failing = failing};
    keep_trace(shrinker, failing, &target->points);
    (void)map_add(&shrinker->tried, trace_fingerprint(failing));
}

void shrinker_end(struct shrinker *shrinker)
{
    map_free(&shrinker->tried);
    map_free(&shrinker->batched);
    arena_free(&shrinker->scratch);
    arena_free(&shrinker->keep[0]);
    arena_free(&shrinker->keep[1]);
}
