/* Passes that remove, replace and reorder whole steps. */
#include "shrink/passes/passes.h"

#include <string.h>

enum {
    SLICE_MIN_STEPS = 5,
    CHUNKS_MIN_STEPS = 8,
    PAIRS_MAX = 91, /* per call: all pairs of 14 steps, or the nearest ones of a longer trace */
    CHANGE_MIN_STEPS = 3,
    CHANGE_ALL_STEPS = 12,
    TURN_MIN_STEPS = 5,
    TURNED_MAX = 4, /* alternatives to try for a choice */
    TRIPLES_MIN_STEPS = 6,
    TRIPLES_MAX_STEPS = 10, /* 120 triples */
};

/* True if the candidate still has the failing step. */
static bool has_last_step(struct shrinker *shrinker, const struct trace *candidate)
{
    struct trace closed = edit_close(&shrinker->scratch, candidate, &shrinker->current);
    size_t count = closed.steps.count;
    return count > 0 && closed.steps.items[count - 1].id ==
                            shrinker->current.steps.items[shrinker_steps(shrinker) - 1].id;
}

/* Tries a trace after a removal. The steps before the last one ran without the failure, so a trace
 * without the last one is left to pass_last_step. */
static bool try_removed(struct shrinker *shrinker, const struct trace *candidate)
{
    return (shrinker->target->at_end || has_last_step(shrinker, candidate)) &&
           shrinker_try(shrinker, candidate);
}

/* True if two steps have an equal value. */
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

/* Keeps only the steps that share a value with the failing one, and the steps that these depend on,
 * in one attempt. */
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

/* True if the step refers to a marked step, whose values matter. */
static bool refers_to_marked(const struct trace *trace, size_t step, const bool *marked)
{
    for (size_t i = 0; i < step; i++) {
        if (marked[i] && step_refers_to(&trace->steps.items[step], trace->steps.items[i].id)) {
            return true;
        }
    }
    return false;
}

/* Keeps the steps that can contribute to the failure if steps only touch the values that they refer
 * to. Backwards from the last one, these are the steps that produce a value that matters, and those
 * without a value that refer to one. Values that a kept step refers to matter, too. One attempt. */
void pass_values(struct shrinker *shrinker)
{
    const struct trace *trace = &shrinker->current;
    size_t count = trace->steps.count;
    size_t first = shrinker_first(shrinker);
    if (count < first + SLICE_MIN_STEPS) {
        return;
    }
    const bool *gives = reference_producers(trace, &shrinker->scratch);
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
    if (candidate.steps.count >
        first + 1) { /* otherwise it has no references, so there is no slice */
        (void)shrinker_try(shrinker, &candidate);
    }
}

/* Removes runs of `size` steps, from the end to the front. */
static void remove_runs(struct shrinker *shrinker, size_t size)
{
    size_t first = shrinker_first(shrinker);
    size_t kept = shrinker->target->at_end ? 0 : 1; /* steps to keep at the end */
    size_t steps = shrinker_steps(shrinker);
    size_t to = steps > kept ? steps - kept : 0;
    while (to > first && !shrinker->stopped) {
        size_t from = to - first > size ? to - size : first;
        struct trace candidate = shrinker_without(shrinker, from, to);
        (void)try_removed(shrinker, &candidate);
        size_t count = shrinker_steps(shrinker);
        to = from < count - kept ? from : count - kept;
    }
}

/* Only for long traces; for shorter ones, removing single steps and pairs is as good. */
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

/* Tries what the other passes don't: removing the last step, and every step that it needs. Together
 * with pass_single_steps, this tries all single steps. */
void pass_last_step(struct shrinker *shrinker)
{
    for (size_t i = shrinker_steps(shrinker); i > shrinker_first(shrinker); i--) {
        struct trace candidate = shrinker_without(shrinker, i - 1, i);
        if (shrinker_try(shrinker, &candidate) || shrinker->stopped) {
            return; /* after the cheap passes */
        }
        /* Keep the steps that refer to it: they take an equal item, if there is one from elsewhere,
         * or the item at the same position. */
        candidate = edit_bypass(&shrinker->scratch, &shrinker->current, i - 1, NULL);
        if (shrinker_try(shrinker, &candidate)) {
            return;
        }
    }
}

/* A copy without the steps at the given indexes, which are ascending. */
static struct trace without_steps(struct shrinker *shrinker, const size_t *indices, size_t count)
{
    struct trace candidate = shrinker_copy(shrinker);
    for (size_t i = count; i > 0; i--) {
        candidate = edit_remove(&shrinker->scratch, &candidate, indices[i - 1], indices[i - 1] + 1);
    }
    return candidate;
}

/* Removes pairs, neighbours first, because related steps are usually close. Returns true if one was
 * accepted. */
static bool remove_some_pair(struct shrinker *shrinker)
{
    size_t first = shrinker_first(shrinker);
    size_t count = shrinker_steps(shrinker);
    size_t tried = 0;
    for (size_t gap = 1; first + gap < count; gap++) {
        for (size_t i = count - gap; i > first && tried < PAIRS_MAX; i--, tried++) {
            size_t indices[] = {i - 1, i - 1 + gap};
            struct trace candidate = without_steps(shrinker, indices, 2);
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
        struct trace candidate = without_steps(shrinker, indices, 3);
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
                return; /* after the cheap passes */
            }
        }
    }
}

/* True if swapping the steps makes the trace simpler; otherwise an attempt is pointless. */
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
        /* after a swap, the step may move further to the front */
        i = moved && i > shrinker_first(shrinker) ? i - 1 : i + 1;
    }
}

/* The trace with a step of another rule without choices; the replay uses the simplest. */
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

/* True if two steps of one rule have different choices. */
static bool choices_differ(const struct trace_step *a, const struct trace_step *b)
{
    return a->rule == b->rule && a->initialize == b->initialize &&
           !choices_equal(&a->choices, &b->choices);
}

/* True if a step of another rule is between two of one rule. */
static bool are_separated(const struct trace_step *steps, size_t a, size_t b)
{
    for (size_t i = a < b ? a : b; i < (a < b ? b : a); i++) {
        if (steps[i].rule != steps[a].rule) {
            return true;
        }
    }
    return false;
}

/* Removes step `removed`, and gives its choices to step `kept`. Between adjacent steps of one rule,
 * this would only reorder the rest. */
static bool remove_and_take_over(struct shrinker *shrinker, size_t removed, size_t kept)
{
    const struct trace_step *steps = shrinker->current.steps.items;
    if (!choices_differ(&steps[removed], &steps[kept]) || !are_separated(steps, removed, kept)) {
        return false;
    }
    struct trace candidate = shrinker_copy(shrinker);
    candidate.steps.items[kept].choices = steps[removed].choices;
    candidate = edit_remove(&shrinker->scratch, &candidate, removed, removed + 1);
    return shrinker_try(shrinker, &candidate);
}

/* The first of the step's choices from `from` on that can take the value unchanged; their number if
 * there is none. */
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

/* Removes step `removed`, and gives its values to step `kept`, of another rule: from choice `from`
 * on, each to the next choice of its kind. */
static bool remove_and_hand_over(struct shrinker *shrinker, size_t removed, size_t kept,
                                 size_t from)
{
    const struct trace_step *producer = &shrinker->current.steps.items[removed];
    const struct trace_step *taker = &shrinker->current.steps.items[kept];
    struct trace candidate = shrinker_copy(shrinker);
    for (size_t i = 0; i < producer->choices.items.count; i++) {
        const struct choice *value = &producer->choices.items.items[i];
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

/* Merges a step that created something, and this one that changed it, into one that creates it with
 * the final values. */
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

/* The number of alternatives to try for a choice: the values of a small range, or the oldest values
 * for a reference. */
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

/* Sets the choice to its alternative number `to`; false if it has that value already. */
static bool turn_choice(struct choice *choice, int64_t to)
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

/* Removes step `removed`, whose values become the oldest ones of their kind, and changes a choice
 * with few alternatives in another step. */
static bool remove_and_turn(struct shrinker *shrinker, size_t removed, size_t step, size_t index)
{
    const struct reference oldest = {.step = REFERENCE_BY_POSITION};
    const struct choices *choices = &shrinker->current.steps.items[step].choices;
    const struct choice *choice = &choices->items.items[index];
    if (choice->kind == CHOICE_REFERENCE && choice->as.reference.step != REFERENCE_BY_POSITION &&
        step + 1 != removed && step != removed + 1) {
        return false; /* related steps are usually close, and there are many references */
    }
    int64_t turns = turns_of(choice);
    size_t place = step > removed ? step - 1 : step;
    for (int64_t i = 0; i < turns && !shrinker->stopped; i++) {
        struct trace candidate =
            edit_bypass(&shrinker->scratch, &shrinker->current, removed, &oldest);
        struct choice *turned = edit_choice(&shrinker->scratch, &candidate, place, index);
        if (turn_choice(turned, i) && shrinker_try(shrinker, &candidate)) {
            return true;
        }
    }
    return false;
}

/* In a long trace, only the steps that the removed one refers to are changed. */
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
            return; /* after the cheap passes */
        }
    }
}
