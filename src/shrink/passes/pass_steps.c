/* Passes that remove, replace and reorder whole steps. */
#include "shrink/passes/passes.h"

#include <string.h>

enum {
    SLICE_MIN_STEPS = 5,
    CHUNKS_MIN_STEPS = 8,
    PAIRS_MAX = 91, /* tried at once: all of 14 steps, the nearest ones of a longer trace */
    CHANGE_MIN_STEPS = 3,
    CHANGE_ALL_STEPS = 12,
    TURN_MIN_STEPS = 5,
    TURNED_MAX = 4, /* alternatives of a choice that is turned */
    TRIPLES_MIN_STEPS = 6,
    TRIPLES_MAX_STEPS = 10, /* 120 triples */
};

/* Whether the step in which it failed is still there. */
static bool has_last_step(struct shrinker *shrinker, const struct trace *candidate)
{
    struct trace closed = edit_close(&shrinker->scratch, candidate, &shrinker->current);
    size_t count = closed.steps.count;
    return count > 0 && closed.steps.items[count - 1].id ==
                            shrinker->current.steps.items[shrinker_steps(shrinker) - 1].id;
}

/* Tries what is left after a removal. The steps before the last one ran and did not fail, so
 * without the last one there is little hope: that is left to pass_last_step. */
static bool try_removed(struct shrinker *shrinker, const struct trace *candidate)
{
    return (shrinker->target->at_end || has_last_step(shrinker, candidate)) &&
           shrinker_try(shrinker, candidate);
}

static bool try_remove(struct shrinker *shrinker, size_t from, size_t to)
{
    struct trace candidate = shrinker_without(shrinker, from, to);
    return try_removed(shrinker, &candidate);
}

/* Whether two steps drew the same thing. */
static bool share_a_choice(const struct trace_step *a, const struct trace_step *b)
{
    for (size_t i = 0; i < a->choices.items.count; i++) {
        for (size_t k = 0; k < b->choices.items.count; k++) {
            if (edit_same(&a->choices.items.items[i], &b->choices.items.items[k])) {
                return true;
            }
        }
    }
    return false;
}

/* Only the steps that drew what the failing one drew, and what those depend on: in one attempt. */
void pass_slice(struct shrinker *shrinker)
{
    size_t count = shrinker_steps(shrinker);
    size_t first = shrinker_first(shrinker);
    if (count < first + SLICE_MIN_STEPS) {
        return;
    }
    const struct trace_step *steps = shrinker->current.steps.items;
    bool *kept = ARENA_ARRAY(&shrinker->scratch, bool, count);
    for (size_t i = count; i > 0; i--) {
        kept[i - 1] = i == count || i <= first || share_a_choice(&steps[i - 1], &steps[count - 1]);
        for (size_t k = i; k < count && !kept[i - 1]; k++) {
            kept[i - 1] = kept[k] && step_refers_to(&steps[k], steps[i - 1].id);
        }
    }
    struct trace candidate = edit_keep(&shrinker->scratch, &shrinker->current, kept);
    (void)shrinker_try(shrinker, &candidate);
}

/* Whether the step refers to what is marked: one of the steps whose values matter. */
static bool refers_to_marked(const struct trace *trace, size_t step, const bool *marked)
{
    for (size_t i = 0; i < step; i++) {
        if (marked[i] && step_refers_to(&trace->steps.items[step], trace->steps.items[i].id)) {
            return true;
        }
    }
    return false;
}

/* The steps that can have had a part in the failure if steps touch nothing but what they refer to:
 * backwards from the last one, those that give a value that matters, and those that give no value
 * but refer to one; what a step refers to that is kept matters, too. In one attempt. */
void pass_values(struct shrinker *shrinker)
{
    const struct trace *trace = &shrinker->current;
    size_t count = trace->steps.count;
    size_t first = shrinker_first(shrinker);
    if (count < first + SLICE_MIN_STEPS) {
        return;
    }
    const bool *gives = reference_givers(trace, &shrinker->scratch);
    bool *marked = ARENA_ARRAY(&shrinker->scratch, bool, count);
    bool *kept = ARENA_ARRAY(&shrinker->scratch, bool, count);
    for (size_t i = count; i > 0; i--) {
        kept[i - 1] = i == count || i <= first || marked[i - 1] ||
                      (!gives[i - 1] && refers_to_marked(trace, i - 1, marked));
        for (size_t k = 0; k + 1 < i && kept[i - 1]; k++) {
            marked[k] =
                marked[k] || step_refers_to(&trace->steps.items[i - 1], trace->steps.items[k].id);
        }
    }
    struct trace candidate = edit_keep(&shrinker->scratch, trace, kept);
    if (candidate.steps.count > first + 1) { /* else it referred to nothing: no slice */
        (void)shrinker_try(shrinker, &candidate);
    }
}

/* Removes runs of `size` steps, from the end to the front. */
static void remove_runs(struct shrinker *shrinker, size_t size)
{
    size_t first = shrinker_first(shrinker);
    size_t kept = shrinker->target->at_end ? 0 : 1; /* steps at the end that stay */
    size_t steps = shrinker_steps(shrinker);
    size_t to = steps > kept ? steps - kept : 0;
    while (to > first && !shrinker->stopped) {
        size_t from = to - first > size ? to - size : first;
        (void)try_remove(shrinker, from, to);
        size_t count = shrinker_steps(shrinker);
        to = from < count - kept ? from : count - kept;
    }
}

/* Only while the trace is long: later, single steps and pairs get what chunks would. */
void pass_chunks(struct shrinker *shrinker)
{
    size_t count = shrinker_steps(shrinker) - shrinker_first(shrinker);
    if (count < CHUNKS_MIN_STEPS) {
        return;
    }
    for (size_t size = count / 2; size >= 2 && !shrinker->stopped; size /= 2) {
        remove_runs(shrinker, size);
    }
}

void pass_single_steps(struct shrinker *shrinker) { remove_runs(shrinker, 1); }

/* Without a step, but with those that refer to it: they take an item equal to what it gave, as a
 * value may be there by other means, too; else what stands where that stood. */
static bool try_without_giver(struct shrinker *shrinker, size_t index)
{
    struct trace candidate = edit_bypass(&shrinker->scratch, &shrinker->current, index, NULL);
    return shrinker_try(shrinker, &candidate);
}

/* What the other passes leave out: the last step, and every step that it can't do without. With
 * pass_single_steps, all single steps were tried. */
void pass_last_step(struct shrinker *shrinker)
{
    for (size_t i = shrinker_steps(shrinker); i > shrinker_first(shrinker); i--) {
        struct trace candidate = shrinker_without(shrinker, i - 1, i);
        if (shrinker_try(shrinker, &candidate) || shrinker->stopped ||
            try_without_giver(shrinker, i - 1)) {
            return; /* the cheap passes first */
        }
    }
}

/* A copy without the steps whose indices are given, ascending. */
static struct trace without(struct shrinker *shrinker, const size_t *indices, size_t count)
{
    struct trace candidate = shrinker_copy(shrinker);
    for (size_t i = count; i > 0; i--) {
        candidate = edit_remove(&shrinker->scratch, &candidate, indices[i - 1], indices[i - 1] + 1);
    }
    return candidate;
}

/* Neighbours first: what belongs together mostly stands together. True where one was accepted. */
static bool remove_some_pair(struct shrinker *shrinker)
{
    size_t first = shrinker_first(shrinker);
    size_t count = shrinker_steps(shrinker);
    size_t tried = 0;
    for (size_t gap = 1; first + gap < count; gap++) {
        for (size_t i = count - gap; i > first && tried < PAIRS_MAX; i--, tried++) {
            size_t indices[] = {i - 1, i - 1 + gap};
            struct trace candidate = without(shrinker, indices, 2);
            if (try_removed(shrinker, &candidate)) {
                return true;
            }
            if (shrinker->stopped) {
                return false;
            }
        }
    }
    return false;
}

void pass_pairs_of_steps(struct shrinker *shrinker)
{
    while (remove_some_pair(shrinker)) {
    }
}

static bool remove_third(struct shrinker *shrinker, size_t i, size_t j)
{
    for (size_t k = j + 1; k < shrinker_steps(shrinker) && !shrinker->stopped; k++) {
        size_t indices[] = {i, j, k};
        struct trace candidate = without(shrinker, indices, 3);
        if (try_removed(shrinker, &candidate)) {
            return true;
        }
    }
    return false;
}

void pass_triples_of_steps(struct shrinker *shrinker)
{
    size_t first = shrinker_first(shrinker);
    size_t count = shrinker_steps(shrinker) - first;
    if (count < TRIPLES_MIN_STEPS || count > TRIPLES_MAX_STEPS) {
        return;
    }
    for (size_t i = first; i < shrinker_steps(shrinker); i++) {
        for (size_t j = i + 1; j < shrinker_steps(shrinker) && !shrinker->stopped; j++) {
            if (remove_third(shrinker, i, j)) {
                return; /* the cheap passes first */
            }
        }
    }
}

/* Whether trading places makes the trace simpler: only then is it worth an attempt. */
static bool swap_is_simpler(struct shrinker *shrinker, size_t i, struct trace *out)
{
    *out = shrinker_copy(shrinker);
    edit_swap(out, i, i + 1);
    return shrink_compare(out, &shrinker->current) < 0;
}

void pass_swap_steps(struct shrinker *shrinker)
{
    size_t i = shrinker_first(shrinker);
    while (i + 1 < shrinker_steps(shrinker) && !shrinker->stopped) {
        struct trace candidate;
        bool moved = swap_is_simpler(shrinker, i, &candidate) && shrinker_try(shrinker, &candidate);
        /* after a swap the step may go further to the front */
        i = moved && i > shrinker_first(shrinker) ? i - 1 : i + 1;
    }
}

/* A step of another rule with nothing chosen: the replay fills in the simplest. */
static struct trace with_rule(struct shrinker *shrinker, size_t step, size_t rule)
{
    struct trace candidate = shrinker_copy(shrinker);
    struct trace_step *changed = &candidate.steps.items[step];
    changed->rule = rule;
    changed->choices = (struct choices){0};
    return candidate;
}

void pass_simpler_rules(struct shrinker *shrinker)
{
    for (size_t i = shrinker_first(shrinker); i < shrinker_steps(shrinker); i++) {
        for (size_t rule = 0; i < shrinker_steps(shrinker) && !shrinker->stopped &&
                              rule < shrinker->current.steps.items[i].rule;
             rule++) {
            const bool *off = shrinker->target->rules_off;
            if (off && off[rule]) {
                continue;
            }
            struct trace candidate = with_rule(shrinker, i, rule);
            if (shrinker_try(shrinker, &candidate)) {
                break;
            }
        }
    }
}

/* Whether two steps of one rule drew different things. */
static bool differ(const struct trace_step *a, const struct trace_step *b)
{
    return a->rule == b->rule && a->initialize == b->initialize &&
           !choices_equal(&a->choices, &b->choices);
}

/* Whether a step of another rule stands between two of one rule. */
static bool apart(const struct trace_step *steps, size_t a, size_t b)
{
    for (size_t i = a < b ? a : b; i < (a < b ? b : a); i++) {
        if (steps[i].rule != steps[a].rule) {
            return true;
        }
    }
    return false;
}

/* Without step `removed`, whose choices step `kept` takes over. In a row of steps of one rule that
 * would be no more than another order of what is left. */
static bool remove_and_take_over(struct shrinker *shrinker, size_t removed, size_t kept)
{
    const struct trace_step *steps = shrinker->current.steps.items;
    if (!differ(&steps[removed], &steps[kept]) || !apart(steps, removed, kept)) {
        return false;
    }
    struct trace candidate = shrinker_copy(shrinker);
    candidate.steps.items[kept].choices = steps[removed].choices;
    candidate = edit_remove(&shrinker->scratch, &candidate, removed, removed + 1);
    return shrinker_try(shrinker, &candidate);
}

/* The first of the step's choices, from `from` on, that can take over the value as it is; their
 * count where there is none. */
static size_t next_taker(const struct trace_step *step, size_t from, const struct choice *value)
{
    for (; from < step->choices.items.count; from++) {
        const struct choice *choice = &step->choices.items.items[from];
        if (choice->kind == value->kind &&
            (value->kind != CHOICE_REFERENCE || (choice_refers_to(choice, REFERENCE_BY_POSITION) &&
                                                 choice_refers_to(value, REFERENCE_BY_POSITION)))) {
            break;
        }
    }
    return from;
}

/* Without step `removed`, whose values are drawn by step `kept` instead, of another rule: from
 * `from` on, each by the next choice of its kind. */
static bool remove_and_hand_over(struct shrinker *shrinker, size_t removed, size_t kept,
                                 size_t from)
{
    const struct trace_step *giver = &shrinker->current.steps.items[removed];
    const struct trace_step *taker = &shrinker->current.steps.items[kept];
    struct trace candidate = shrinker_copy(shrinker);
    for (size_t i = 0; i < giver->choices.items.count; i++) {
        const struct choice *value = &giver->choices.items.items[i];
        size_t place = next_taker(taker, from, value);
        if (place < taker->choices.items.count) {
            struct choice *choice = edit_choice(&shrinker->scratch, &candidate, kept, place);
            (void)edit_assign(&shrinker->scratch, choice, value);
            from = place + 1;
        }
    }
    bool changed = !choices_equal(&candidate.steps.items[kept].choices, &taker->choices);
    candidate = edit_remove(&shrinker->scratch, &candidate, removed, removed + 1);
    return changed && shrinker_try(shrinker, &candidate);
}

/* A step that something was made with, and then changed by this one, has what this one changed it
 * to. */
static bool make_as_changed(struct shrinker *shrinker, size_t removed, size_t made)
{
    for (size_t from = 0;; from++) {
        const struct trace_step *steps = shrinker->current.steps.items;
        if (from >= steps[made].choices.items.count || steps[made].rule == steps[removed].rule ||
            (!step_refers_to(&steps[removed], steps[made].id) &&
             !share_a_choice(&steps[made], &steps[removed]))) {
            return false;
        }
        if (remove_and_hand_over(shrinker, removed, made, from)) {
            return true;
        }
    }
}

/* How many alternatives of a choice are worth trying: those of a number of few, and the oldest
 * values that could be referred to. */
static int64_t turns_of(const struct choice *choice)
{
    if (choice->kind == CHOICE_REFERENCE) {
        return TURNED_MAX;
    }
    if (choice->kind == CHOICE_INTEGER &&
        (uint64_t)choice->as.integer.max - (uint64_t)choice->as.integer.min < TURNED_MAX) {
        return choice->as.integer.max - choice->as.integer.min + 1;
    }
    return 0;
}

/* Makes the choice its alternative number `to`; false where it is that already. */
static bool turn(struct choice *choice, int64_t to)
{
    if (choice->kind == CHOICE_REFERENCE) {
        bool other = choice->as.reference.position != (uint64_t)to;
        choice->as.reference =
            (struct reference){.step = REFERENCE_BY_POSITION, .position = (uint64_t)to};
        return other;
    }
    bool other = choice->as.integer.value != choice->as.integer.min + to;
    choice->as.integer.value = choice->as.integer.min + to;
    return other;
}

/* Without step `removed`, whose values become the oldest ones of their kind, while a choice of few
 * alternatives in another step becomes another one. */
static bool remove_and_turn(struct shrinker *shrinker, size_t removed, size_t step, size_t index)
{
    const struct reference oldest = {.step = REFERENCE_BY_POSITION};
    const struct choices *choices = &shrinker->current.steps.items[step].choices;
    const struct choice *choice = &choices->items.items[index];
    if (choice->kind == CHOICE_REFERENCE && choice->as.reference.step != REFERENCE_BY_POSITION &&
        step + 1 != removed && step != removed + 1) {
        return false; /* what belongs together mostly stands together, and references are many */
    }
    int64_t turns = turns_of(choice);
    size_t place = step > removed ? step - 1 : step;
    for (int64_t i = 0; i < turns && !shrinker->stopped; i++) {
        struct trace candidate =
            edit_bypass(&shrinker->scratch, &shrinker->current, removed, &oldest);
        struct choice *turned = edit_choice(&shrinker->scratch, &candidate, place, index);
        if (turn(turned, i) && shrinker_try(shrinker, &candidate)) {
            return true;
        }
    }
    return false;
}

/* In a long trace only what a step refers to is changed as the step goes. */
static bool may_change(struct shrinker *shrinker, size_t removed, size_t step)
{
    const struct trace_step *steps = shrinker->current.steps.items;
    return shrinker_steps(shrinker) - shrinker_first(shrinker) <= CHANGE_ALL_STEPS ||
           step_refers_to(&steps[removed], steps[step].id);
}

static bool remove_with_change(struct shrinker *shrinker, size_t removed)
{
    for (size_t step = shrinker_first(shrinker); step < shrinker_steps(shrinker); step++) {
        if (may_change(shrinker, removed, step) &&
            (remove_and_take_over(shrinker, removed, step) ||
             (step < removed && make_as_changed(shrinker, removed, step)))) {
            return true;
        }
    }
    if (shrinker_steps(shrinker) < shrinker_first(shrinker) + TURN_MIN_STEPS) {
        return false;
    }
    for (size_t step = shrinker_first(shrinker); step < shrinker_steps(shrinker); step++) {
        size_t count = shrinker->current.steps.items[step].choices.items.count;
        for (size_t i = 0; i < count && step != removed && may_change(shrinker, removed, step);
             i++) {
            if (remove_and_turn(shrinker, removed, step, i)) {
                return true;
            }
        }
    }
    return false;
}

void pass_remove_and_change(struct shrinker *shrinker)
{
    size_t first = shrinker_first(shrinker);
    size_t count = shrinker_steps(shrinker);
    if (count - first < CHANGE_MIN_STEPS) {
        return;
    }
    for (size_t removed = count; removed > first && !shrinker->stopped; removed--) {
        if (remove_with_change(shrinker, removed - 1)) {
            return; /* the cheap passes first */
        }
    }
}
