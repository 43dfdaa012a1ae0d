/* Passes over the steps' choices: items of lists, single values, groups of equal ones, pairs of
 * numbers. */
#include "shrink/ladder.h"
#include "shrink/passes/passes.h"

enum {
    RUNGS_MAX = 200,  /* for one value, between two successes */
    NUMBERS_MAX = 12, /* whose pairs are tried: 66 pairs */
};

/* Gives all places, which hold equal values, the same simpler value: the first on the ladder that
 * still fails. */
static bool lower_together(struct shrinker *shrinker, const struct place *places, size_t count)
{
    for (size_t rung = 0; rung < RUNGS_MAX && !shrinker->stopped; rung++) {
        struct choice lower;
        if (!ladder_rung(&shrinker->scratch, choice_at(shrinker, places[0]), rung, &lower)) {
            break;
        }
        struct trace candidate = shrinker_copy(shrinker);
        for (size_t i = 0; i < count; i++) {
            *edit_choice(&shrinker->scratch, &candidate, places[i].step, places[i].index) = lower;
        }
        if (shrinker_try(shrinker, &candidate)) {
            return true;
        }
    }
    return false;
}

/* Makes all choices of the step the simplest, in one attempt. */
static void simplify_whole_step(struct shrinker *shrinker, size_t step)
{
    const struct choices *choices = shrinker_choices(shrinker, step);
    size_t left = 0;
    for (size_t i = 0; i < choices->items.count; i++) {
        left += !choice_is_simplest(&choices->items.items[i]);
    }
    if (left > 1) {
        struct trace candidate = shrinker_copy(shrinker);
        edit_simplify_step(&shrinker->scratch, &candidate, step);
        (void)shrinker_try(shrinker, &candidate);
    }
}

/* Makes all choices in the trace the simplest, in one attempt, which is often enough. */
void pass_everything_simplest(struct shrinker *shrinker)
{
    struct trace candidate = shrinker_copy(shrinker);
    for (size_t step = 0; step < candidate.steps.count; step++) {
        edit_simplify_step(&shrinker->scratch, &candidate, step);
    }
    (void)shrinker_try(shrinker, &candidate);
}

/* Makes one argument of one rule the simplest in every step. */
static void simplify_column(struct shrinker *shrinker, struct place at)
{
    size_t rule = shrinker->current.steps.items[at.step].rule;
    struct trace candidate = shrinker_copy(shrinker);
    size_t changed = 0;
    for (size_t i = at.step; i < candidate.steps.count; i++) {
        const struct trace_step *other = &candidate.steps.items[i];
        if (other->rule == rule && !other->initialize && at.index < other->choices.items.count &&
            !choice_is_simplest(&other->choices.items.items[at.index])) {
            struct choice *choice = edit_choice(&shrinker->scratch, &candidate, i, at.index);
            choice_simplify(choice, &shrinker->scratch);
            changed++;
        }
    }
    if (changed > 1) {
        (void)shrinker_try(shrinker, &candidate);
    }
}

void pass_columns(struct shrinker *shrinker)
{
    for (size_t step = shrinker_first(shrinker); step < shrinker_steps(shrinker); step++) {
        for (struct place at = {step, 0}; shrinker_has(shrinker, at) && !shrinker->stopped;
             at.index++) {
            simplify_column(shrinker, at);
        }
    }
}

void pass_arguments(struct shrinker *shrinker)
{
    for (size_t step = 0; step < shrinker_steps(shrinker) && !shrinker->stopped; step++) {
        simplify_whole_step(shrinker, step);
        for (struct place at = {step, 0}; shrinker_has(shrinker, at) && !shrinker->stopped;
             at.index++) {
            while (shrinker_has(shrinker, at) && !choice_is_simplest(choice_at(shrinker, at)) &&
                   lower_together(shrinker, &at, 1)) {
            }
        }
    }
}

static void remove_items(struct shrinker *shrinker, size_t step)
{
    size_t span = shrinker_choices(shrinker, step)->spans.count;
    while (span > 0 && !shrinker->stopped) {
        span--;
        if (step >= shrinker_steps(shrinker) ||
            span >= shrinker_choices(shrinker, step)->spans.count) {
            continue;
        }
        struct choice_span item = shrinker_choices(shrinker, step)->spans.items[span];
        if (item.kind == SPAN_ITEM && item.end > item.start) {
            struct trace candidate = shrinker_copy(shrinker);
            edit_cut(&shrinker->scratch, &candidate, step, item.start, item.end);
            (void)shrinker_try(shrinker, &candidate);
        }
    }
}

void pass_items(struct shrinker *shrinker)
{
    for (size_t step = 0; step < shrinker_steps(shrinker) && !shrinker->stopped; step++) {
        remove_items(shrinker, step);
    }
}

static bool is_integer(const struct choice *choice) { return choice->kind == CHOICE_INTEGER; }

static bool same_bounds(const struct choice *a, const struct choice *b)
{
    return a->as.integer.min == b->as.integer.min && a->as.integer.max == b->as.integer.max &&
           a->as.integer.toward == b->as.integer.toward;
}

/* The number of distinct smaller values with the same bounds among the places. */
static int64_t rank_of(const struct shrinker *shrinker, const struct places *places,
                       const struct choice *choice)
{
    int64_t rank = 0;
    for (size_t i = 0; i < places->items.count; i++) {
        const struct choice *other = choice_at(shrinker, places->items.items[i]);
        bool smaller =
            same_bounds(choice, other) && other->as.integer.value < choice->as.integer.value;
        for (size_t k = 0; k < i && smaller; k++) { /* not counted before */
            const struct choice *counted = choice_at(shrinker, places->items.items[k]);
            smaller = !same_bounds(choice, counted) ||
                      counted->as.integer.value != other->as.integer.value;
        }
        rank += smaller;
    }
    return rank;
}

/* Replaces all numbers by their ranks, counted from the simplest: if only their order matters, one
 * attempt gives the simplest form. */
void pass_ranks(struct shrinker *shrinker)
{
    enum { RANKED_MAX = 64 };
    struct arena arena = {0};
    struct places places = shrinker_places(shrinker, is_integer, &arena);
    struct trace candidate = shrinker_copy(shrinker);
    for (size_t i = 0; i < places.items.count && places.items.count <= RANKED_MAX; i++) {
        struct place place = places.items.items[i];
        struct choice *choice =
            edit_choice(&shrinker->scratch, &candidate, place.step, place.index);
        int64_t ranked;
        if (!__builtin_add_overflow(choice->as.integer.toward, rank_of(shrinker, &places, choice),
                                    &ranked) &&
            ranked <= choice->as.integer.max) {
            choice->as.integer.value = ranked;
        }
    }
    (void)shrinker_try(shrinker, &candidate);
    arena_free(&arena);
}

static bool is_lowerable(const struct choice *choice)
{
    return choice->kind != CHOICE_REFERENCE && !choice_is_simplest(choice);
}

static bool equal_values(const struct choice *a, const struct choice *b)
{
    return a->kind == b->kind && choice_compare_simplicity(a, b) == 0 && choice_equal(a, b);
}

/* Tries the groups of equal values. Returns true after the first success, because the places are
 * then invalid. */
static bool lower_some_group(struct shrinker *shrinker, struct arena *arena)
{
    struct places all = shrinker_places(shrinker, is_lowerable, arena);
    for (size_t i = 0; i < all.items.count && !shrinker->stopped; i++) {
        const struct choice *first = choice_at(shrinker, all.items.items[i]);
        struct places group = {0};
        bool seen = false;
        for (size_t k = 0; k < all.items.count && !seen; k++) {
            if (equal_values(first, choice_at(shrinker, all.items.items[k]))) {
                seen = k < i; /* this group was tried */
                *VEC_PUSH(arena, &group.items) = all.items.items[k];
            }
        }
        if (!seen && group.items.count > 1 &&
            lower_together(shrinker, group.items.items, group.items.count)) {
            return true;
        }
    }
    return false;
}

void pass_equal_values(struct shrinker *shrinker)
{
    struct arena arena = {0};
    while (!shrinker->stopped && lower_some_group(shrinker, &arena)) {
        arena_reset(&arena);
    }
    arena_free(&arena);
}

static bool is_lowerable_number(const struct choice *choice)
{
    return choice->kind == CHOICE_INTEGER && !choice_is_simplest(choice);
}

/* Moves `value` by `by`, if the result is within the choice's bounds. */
static bool move_integer(struct choice *choice, int64_t by)
{
    int64_t moved;
    if (__builtin_add_overflow(choice->as.integer.value, by, &moved) ||
        moved < choice->as.integer.min || moved > choice->as.integer.max) {
        return false;
    }
    choice->as.integer.value = moved;
    return true;
}

/* Moves one number by `by`, and the other by `by` or `-by`. */
static bool try_moved(struct shrinker *shrinker, struct place a, int64_t by_a, struct place b,
                      int64_t by_b)
{
    struct trace candidate = shrinker_copy(shrinker);
    return move_integer(edit_choice(&shrinker->scratch, &candidate, a.step, a.index), by_a) &&
           move_integer(edit_choice(&shrinker->scratch, &candidate, b.step, b.index), by_b) &&
           shrinker_try(shrinker, &candidate);
}

static bool lower_pair(struct shrinker *shrinker, struct place a, struct place b)
{
    const struct choice *first = choice_at(shrinker, a);
    int64_t all;
    if (__builtin_sub_overflow(first->as.integer.toward, first->as.integer.value, &all)) {
        return false;
    }
    int64_t one = all < 0 ? -1 : 1;
    int64_t by[] = {all, one};
    for (size_t i = 0; i < 2; i++) {
        if (by[i] != INT64_MIN &&
            (try_moved(shrinker, a, by[i], b, by[i]) || try_moved(shrinker, a, by[i], b, -by[i]))) {
            return true;
        }
    }
    return false;
}

static bool lower_some_pair(struct shrinker *shrinker, struct arena *arena)
{
    struct places numbers = shrinker_places(shrinker, is_lowerable_number, arena);
    size_t count = numbers.items.count < NUMBERS_MAX ? numbers.items.count : NUMBERS_MAX;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = i + 1; k < count && !shrinker->stopped; k++) {
            if (lower_pair(shrinker, numbers.items.items[i], numbers.items.items[k])) {
                return true;
            }
        }
    }
    return false;
}

void pass_pairs_of_numbers(struct shrinker *shrinker)
{
    enum { ROUNDS_MAX = 40 }; /* steps of 1 could take forever */
    struct arena arena = {0};
    for (int i = 0; i < ROUNDS_MAX && !shrinker->stopped; i++) {
        if (!lower_some_pair(shrinker, &arena)) {
            break;
        }
        arena_reset(&arena);
    }
    arena_free(&arena);
}
