/*
 * Removes steps by making another one do more: with a larger value (an order placed with four boxes
 * needs none added later), or with another rule (a label renamed by hand needs no box to be named
 * after). All other passes prefer simpler values and rules, and lead away from this.
 *
 * Replacing a step does not make the trace simpler. It is therefore tried aside: if the trace still
 * fails, steps are removed from it.
 */
#include "base/utf8.h"
#include "shrink/passes/passes.h"

enum {
    RAISE_ATTEMPTS = 40,   /* per call */
    REPLACE_ATTEMPTS = 60, /* the same */
    FEW_NUMBERS = 100,     /* small enough to try each */
};

/* The choices of the new step: the replaced step's values as far as they fit, with the simplest for
 * the rest; those of the step of its rule with the most choices in the original trace; or these
 * with the largest numbers. */
enum drawn { DRAWN_ALIKE, DRAWN_AS_FOUND, DRAWN_LARGEST, DRAWN_WAYS };

/* The replacement of a step by one of another rule, or with larger values. */
struct replacement {
    struct shrinker *shrinker;
    size_t index;
    const struct trace_step *template; /* a step of the rule in the original trace */
    enum drawn drawn;
};

static bool is_step_over(const struct shrinker *shrinker, uint64_t end)
{
    return shrinker->stopped || shrinker->stats->attempts >= end;
}

/* True if step `index` can be removed: only step `user` refers to its value, and it is not the
 * failing one. */
static bool may_go(const struct shrinker *shrinker, const struct trace *trace, size_t index,
                   size_t user)
{
    size_t count = trace->steps.count;
    bool needed = index == user || (index + 1 == count && !shrinker->target->at_end);
    for (size_t i = index + 1; i < count && !needed; i++) {
        needed = i != user && step_refers_to(&trace->steps.items[i], trace->steps.items[index].id);
    }
    return !needed;
}

/* --- larger values --- */

/* Adds `more` to the number, within its bounds; false if it does not change. */
static bool add_to_number(struct choice *choice, int64_t more)
{
    int64_t before = choice->as.integer.value;
    int64_t sum;
    if (__builtin_add_overflow(before, more, &sum)) {
        sum = more > 0 ? choice->as.integer.max : choice->as.integer.min;
    }
    sum = sum > choice->as.integer.max ? choice->as.integer.max : sum;
    choice->as.integer.value = sum < choice->as.integer.min ? choice->as.integer.min : sum;
    return choice->as.integer.value != before;
}

/* Makes a number with few values one larger, or a text one character longer. False if that is
 * impossible. */
static bool grow_choice(struct choice *choice, struct arena *arena)
{
    if (choice->kind == CHOICE_INTEGER) {
        uint64_t width = (uint64_t)choice->as.integer.max - (uint64_t)choice->as.integer.min;
        return width < FEW_NUMBERS &&
               add_to_number(choice, choice->as.integer.value < choice->as.integer.toward ? -1 : 1);
    }
    if (choice->kind != CHOICE_TEXT || choice->as.text.value->length >= choice->as.text.max_size) {
        return false;
    }
    char plain[UTF8_MAX + 1] = {0};
    (void)utf8_encode(choice_char_of_rank(choice->as.text.alphabet, 0), plain);
    choice->as.text.value =
        value_text(arena, arena_printf(arena, "%s%s", choice->as.text.value->data, plain))
            .as.string;
    return true;
}

/* True if the choice ends a list that could have another item. */
static bool ends_list(const struct choice *choice)
{
    return choice->kind == CHOICE_INTEGER && choice->as.integer.value == 0 &&
           choice->as.integer.min == 0 && choice->as.integer.max == 1;
}

/* Adds an item to the list that ends at `at`: the removed step's choices from `given` on. */
static void add_list_item(struct arena *arena, struct trace *candidate, struct place at,
                          const struct choices *removed, size_t given)
{
    const struct choices *choices = &candidate->steps.items[at.step].choices;
    struct choices added = {0};
    struct choice end = choices->items.items[at.index];
    *VEC_PUSH(arena, &added.items) = end;
    added.items.items[0].as.integer.value = 1;
    for (; given < removed->items.count; given++) {
        *VEC_PUSH(arena, &added.items) = removed->items.items[given];
    }
    *VEC_PUSH(arena, &added.items) = end;
    edit_replace(arena, candidate, at.step, (struct edit_range){at.index, at.index + 1},
                 added.items.items, added.items.count);
}

/* Removes step `removed`, and adds its choices from `given` on to a choice of another step. */
static bool remove_and_add_at(struct shrinker *shrinker, const struct trace *trace, size_t removed,
                              struct place at, size_t given)
{
    struct arena *arena = &shrinker->scratch;
    struct trace candidate = edit_copy(arena, trace);
    struct choice *choice = edit_choice(arena, &candidate, at.step, at.index);
    const struct choices *drawn = &trace->steps.items[removed].choices;
    const struct choice *by = &drawn->items.items[given];
    bool added = true;
    if (ends_list(choice)) {
        add_list_item(arena, &candidate, at, drawn, given);
    } else {
        added = choice->kind == CHOICE_INTEGER && by->kind == CHOICE_INTEGER &&
                add_to_number(choice, by->as.integer.value);
    }
    candidate = edit_remove(arena, &candidate, removed, removed + 1);
    return added && shrinker_try(shrinker, &candidate);
}

static bool remove_and_add(struct shrinker *shrinker, const struct trace *trace, size_t removed,
                           size_t step)
{
    size_t drawn = trace->steps.items[removed].choices.items.count;
    size_t choices = trace->steps.items[step].choices.items.count;
    for (struct place at = {step, 0}; at.index < choices; at.index++) {
        for (size_t given = 0; given < drawn && !shrinker->stopped; given++) {
            if (remove_and_add_at(shrinker, trace, removed, at, given)) {
                return true;
            }
        }
    }
    return false;
}

/* Removes step `removed`, and makes a choice of another step larger. */
static bool remove_and_grow(struct shrinker *shrinker, size_t removed, size_t step)
{
    struct arena *arena = &shrinker->scratch;
    for (struct place at = {step, 0}; shrinker_has(shrinker, at); at.index++) {
        struct trace candidate = shrinker_copy(shrinker);
        bool grown = grow_choice(edit_choice(arena, &candidate, at.step, at.index), arena);
        candidate = edit_remove(arena, &candidate, removed, removed + 1);
        if (grown && shrinker_try(shrinker, &candidate)) {
            return true;
        }
    }
    return false;
}

void pass_remove_and_raise(struct shrinker *shrinker)
{
    uint64_t end = shrinker->stats->attempts + RAISE_ATTEMPTS;
    size_t first = shrinker_first(shrinker);
    for (size_t removed = shrinker_steps(shrinker); removed-- > first;) {
        if (!may_go(shrinker, &shrinker->current, removed, NO_STEP)) {
            continue;
        }
        for (size_t step = first; step < shrinker_steps(shrinker); step++) {
            if (is_step_over(shrinker, end) ||
                (step != removed && (remove_and_add(shrinker, &shrinker->current, removed, step) ||
                                     remove_and_grow(shrinker, removed, step)))) {
                return; /* after the cheap passes */
            }
        }
    }
}

/* --- other steps --- */

/* The origin of a value: its collection or its producer. */
static size_t origin_of(const struct shrinker *shrinker, const struct trace *trace,
                        const struct choice *choice)
{
    const size_t *collections = shrinker->target->collections;
    size_t producer = reference_producer(trace, choice);
    const struct trace_step *step = producer == NO_STEP ? NULL : &trace->steps.items[producer];
    return collections && step && !step->initialize ? collections[step->rule]
                                                    : reference_maker(trace, &choice->as.reference);
}

/* The first of the choices from `*next` on that can replace `to`, a choice of the original trace;
 * NULL if there is none. */
static const struct choice *next_alike(const struct shrinker *shrinker, const struct choice *to,
                                       const struct choices *choices, size_t *next)
{
    for (size_t i = *next; i < choices->items.count; i++) {
        const struct choice *choice = &choices->items.items[i];
        if (choice->kind == to->kind &&
            (to->kind != CHOICE_REFERENCE || origin_of(shrinker, shrinker->failing, to) ==
                                                 origin_of(shrinker, &shrinker->current, choice))) {
            *next = i + 1;
            return choice;
        }
    }
    return NULL;
}

/* Takes a value of the replaced step; otherwise the oldest of a collection, or as `drawn` says. */
static void draw_choice(const struct replacement *replacement, struct choice *choice,
                        const struct choice *alike)
{
    struct arena *arena = &replacement->shrinker->scratch;
    if (choice->kind == CHOICE_REFERENCE) {
        const struct reference oldest = {.step = REFERENCE_BY_POSITION};
        choice->as.reference = alike ? alike->as.reference : oldest;
    } else if (replacement->drawn == DRAWN_ALIKE) {
        choice_simplify(choice, arena);
        (void)(alike && edit_assign(arena, choice, alike));
    } else if (replacement->drawn == DRAWN_LARGEST && choice->kind == CHOICE_INTEGER) {
        choice->as.integer.value = choice->as.integer.max;
    }
}

/* The step of the rule with the most choices in the original trace; NULL if there is none. */
static const struct trace_step *find_template(const struct trace *failing, size_t rule)
{
    const struct trace_step *most = NULL;
    for (size_t i = trace_first(failing); i < failing->steps.count; i++) {
        const struct trace_step *step = &failing->steps.items[i];
        if (step->rule == rule && (!most || step_compare_simplicity(step, most) > 0)) {
            most = step;
        }
    }
    return most;
}

/* The trace with a step like the template in place of another. */
static struct trace replaced_trace(const struct replacement *replacement)
{
    struct shrinker *shrinker = replacement->shrinker;
    const struct trace_step *template = replacement->template;
    const struct choices *old = shrinker_choices(shrinker, replacement->index);
    size_t next = 0;
    struct trace candidate = shrinker_copy(shrinker);
    struct trace_step *step = &candidate.steps.items[replacement->index];
    step->rule = template->rule;
    step->choices = choices_copy(&shrinker->scratch, &template->choices);
    for (size_t i = 0; i < step->choices.items.count; i++) {
        struct choice *choice = &step->choices.items.items[i];
        draw_choice(replacement, choice, next_alike(shrinker, choice, old, &next));
    }
    return candidate;
}

/* True if the template and the step have a common reference, or the step has none. */
static bool does_it_to_the_same(const struct replacement *replacement,
                                const struct trace_step *step)
{
    const struct choices *drawn = &replacement->template->choices;
    bool refers = false;
    for (size_t i = 0; i < step->choices.items.count; i++) {
        refers = refers || step->choices.items.items[i].kind == CHOICE_REFERENCE;
    }
    for (size_t i = 0; i < drawn->items.count; i++) {
        const struct choice *choice = &drawn->items.items[i];
        size_t next = 0;
        if (choice->kind == CHOICE_REFERENCE &&
            next_alike(replacement->shrinker, choice, &step->choices, &next)) {
            return true;
        }
    }
    return !refers;
}

/* True if a step like the template can replace another: their values are of the same collection or,
 * if no step uses them, both refer to the same values. */
static bool rule_fits(const struct replacement *replacement)
{
    const struct shrinker *shrinker = replacement->shrinker;
    const struct shrink_target *target = shrinker->target;
    const struct trace_step *old = &shrinker->current.steps.items[replacement->index];
    size_t rule = replacement->template->rule;
    bool last = replacement->index + 1 == shrinker_steps(shrinker);
    bool used = !last && !may_go(shrinker, &shrinker->current, replacement->index, NO_STEP);
    if (rule == old->rule) {
        return replacement->drawn != DRAWN_ALIKE;
    }
    if (target->rules_off && target->rules_off[rule]) {
        return false;
    }
    if (last && target->last_rule_fails) {
        return false;
    }
    return used
               ? !target->collections || target->collections[rule] == target->collections[old->rule]
               : does_it_to_the_same(replacement, old);
}

/* True if a step may be removable after another one is replaced. */
static bool makes_room(const struct shrinker *shrinker, size_t index)
{
    bool room = false;
    for (size_t i = shrinker_first(shrinker); i < shrinker_steps(shrinker) && !room; i++) {
        room = may_go(shrinker, &shrinker->current, i, index) && i != index;
    }
    return room;
}

/* Removes a step from a trace that fails like the current one. Its step `index` was replaced, and
 * can take over numbers. */
static bool leave_out_step(struct shrinker *shrinker, const struct trace *aside, size_t index)
{
    for (size_t i = aside->steps.count; i-- > shrinker_first(shrinker) && !shrinker->stopped;) {
        if (i == index || !may_go(shrinker, aside, i, NO_STEP)) {
            continue;
        }
        struct trace candidate = edit_remove(&shrinker->scratch, aside, i, i + 1);
        if (shrinker_try(shrinker, &candidate) ||
            (index < aside->steps.count && remove_and_add(shrinker, aside, i, index))) {
            return true;
        }
    }
    return false;
}

/* Returns true if the trace changed. */
static bool try_replaced(const struct replacement *replacement)
{
    struct shrinker *shrinker = replacement->shrinker;
    struct arena arena = {0};
    struct trace aside;
    struct trace candidate = replaced_trace(replacement);
    bool accepted = shrinker_try_aside(shrinker, &candidate, &arena, &aside) ||
                    (aside.steps.count > 0 && leave_out_step(shrinker, &aside, replacement->index));
    arena_free(&arena);
    return accepted;
}

static bool replace_some(struct shrinker *shrinker, enum drawn drawn, uint64_t end)
{
    for (size_t i = shrinker_steps(shrinker); i-- > shrinker_first(shrinker);) {
        size_t rules = makes_room(shrinker, i) ? shrinker->target->rule_count : 0;
        for (size_t rule = 0; rule < rules && !is_step_over(shrinker, end); rule++) {
            const struct replacement replacement = {shrinker, i,
                                                    find_template(shrinker->failing, rule), drawn};
            if (replacement.template && rule_fits(&replacement) && try_replaced(&replacement)) {
                return true;
            }
        }
    }
    return false;
}

void pass_replace_and_remove(struct shrinker *shrinker)
{
    uint64_t end = shrinker->stats->attempts + REPLACE_ATTEMPTS;
    for (enum drawn drawn = 0; drawn < DRAWN_WAYS && !is_step_over(shrinker, end); drawn++) {
        if (replace_some(shrinker, drawn, end)) {
            return; /* after the cheap passes */
        }
    }
}
