#include "shrink/variation.h"

#include "shrink/edit.h"
#include "shrink/order.h"
#include "shrink/shrink.h"

#define NO_STEP SIZE_MAX
enum { EDITS_MAX = 4 };

static bool refers_to(const struct trace_step *step, uint32_t id)
{
    for (size_t i = 0; i < step->choices.items.count; i++) {
        const struct choice *choice = &step->choices.items.items[i];
        if (choice->kind == CHOICE_REFERENCE && choice->as.reference.step == id) {
            return true;
        }
    }
    return false;
}

static size_t index_of(const struct trace *trace, uint32_t id)
{
    for (size_t i = 0; i < trace->steps.count; i++) {
        if (trace->steps.items[i].id == id) {
            return i;
        }
    }
    return NO_STEP;
}

/* The step that gave what the choice stands for; NO_STEP: none, or it is no reference. */
static size_t giver_of(const struct trace *trace, const struct choice *choice)
{
    return choice->kind == CHOICE_REFERENCE ? index_of(trace, choice->as.reference.step) : NO_STEP;
}

static void unite(size_t *kind, size_t count, size_t a, size_t b)
{
    size_t from = kind[a];
    size_t to = kind[b];
    for (size_t i = 0; i < count; i++) {
        kind[i] = kind[i] == from ? to : kind[i];
    }
}

/* Values given to one argument of one rule are of one kind, and so are those of one rule. */
static void unite_arguments(const struct trace *trace, size_t *kind, const struct trace_step *a,
                            const struct trace_step *b)
{
    for (size_t i = 0; i < a->choices.items.count && i < b->choices.items.count; i++) {
        size_t x = giver_of(trace, &a->choices.items.items[i]);
        size_t y = giver_of(trace, &b->choices.items.items[i]);
        if (x != NO_STEP && y != NO_STEP) {
            unite(kind, trace->steps.count, x, y);
        }
    }
}

/* Whether both steps put what they give into one collection, as far as `collections` says. */
static bool fill_one_collection(const struct trace_step *a, const struct trace_step *b,
                                const size_t *collections)
{
    if (a->rule == b->rule && a->initialize == b->initialize) {
        return true;
    }
    return collections && !a->initialize && !b->initialize &&
           collections[a->rule] != SHRINK_NO_COLLECTION &&
           collections[a->rule] == collections[b->rule];
}

static const size_t *find_kinds(const struct trace *trace, const size_t *collections,
                                struct arena *arena)
{
    size_t count = trace->steps.count;
    size_t *kind = ARENA_ARRAY(arena, size_t, count);
    for (size_t i = 0; i < count; i++) {
        kind[i] = i;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k <= i; k++) {
            const struct trace_step *a = &trace->steps.items[i];
            const struct trace_step *b = &trace->steps.items[k];
            if (fill_one_collection(a, b, collections)) {
                unite(kind, count, i, k);
            }
            if (a->rule == b->rule && a->initialize == b->initialize) {
                unite_arguments(trace, kind, a, b);
            }
        }
    }
    return kind;
}

struct variation variation_of(const struct trace *trace, const size_t *collections,
                              struct arena *arena)
{
    struct variation variation = {.trace = trace};
    size_t count = trace->steps.count;
    while (variation.first < count && trace->steps.items[variation.first].initialize) {
        variation.first++;
    }
    bool *gives = ARENA_ARRAY(arena, bool, count);
    for (size_t i = 0; i < count; i++) {
        gives[i] = false;
        for (size_t k = i + 1; k < count; k++) {
            gives[i] = gives[i] || refers_to(&trace->steps.items[k], trace->steps.items[i].id);
        }
    }
    variation.gives = gives;
    variation.kind = find_kinds(trace, collections, arena);
    rng_seed(&variation.rng, trace_fingerprint(trace), trace->steps.count);
    return variation;
}

/* Whether the step makes a value out of others. */
static bool makes_of_others(const struct variation *variation, size_t index)
{
    const struct trace_step *step = &variation->trace->steps.items[index];
    for (size_t i = 0; i < step->choices.items.count; i++) {
        if (giver_of(variation->trace, &step->choices.items.items[i]) != NO_STEP) {
            return variation->gives[index];
        }
    }
    return false;
}

static size_t below(struct variation *variation, size_t bound)
{
    return (size_t)rng_below(&variation->rng, bound);
}

/* A copy with room for one more step. */
static struct trace copy_with_room(struct arena *arena, const struct trace *trace)
{
    struct trace copy = {0};
    for (size_t i = 0; i < trace->steps.count; i++) {
        *VEC_PUSH(arena, &copy.steps) = trace->steps.items[i];
    }
    return copy;
}

static void insert(struct arena *arena, struct trace *trace, size_t index, struct trace_step step)
{
    *VEC_PUSH(arena, &trace->steps) = step;
    for (size_t i = trace->steps.count - 1; i > index; i--) {
        edit_swap(trace, i, i - 1);
    }
}

/* The kind of what a step of the candidate gives; a copy has the kind of nothing. */
static size_t kind_of(const struct variation *variation, const struct trace_step *step)
{
    size_t index = index_of(variation->trace, step->id);
    return index == NO_STEP || !variation->gives[index] ? NO_STEP : variation->kind[index];
}

/* A step before `end` that gives something of the kind; NO_STEP: there is none. */
static size_t some_giver(struct variation *variation, const struct trace *candidate, size_t end,
                         size_t kind)
{
    size_t found = NO_STEP;
    size_t count = 0;
    for (size_t i = 0; i < end; i++) {
        if (kind_of(variation, &candidate->steps.items[i]) == kind &&
            below(variation, ++count) == 0) {
            found = i;
        }
    }
    return found;
}

/* The references of step `index` go to any values of their kinds that stand before it; often to
 * one and the same. */
static bool choose_references(struct variation *variation, struct arena *arena,
                              struct trace *candidate, size_t index)
{
    size_t before = NO_STEP; /* the one chosen last */
    for (size_t i = 0; i < candidate->steps.items[index].choices.items.count; i++) {
        const struct choice *choice = &candidate->steps.items[index].choices.items.items[i];
        size_t giver = giver_of(variation->trace, choice);
        if (giver == NO_STEP) {
            continue;
        }
        size_t kind = variation->kind[giver];
        bool again = before != NO_STEP &&
                     kind_of(variation, &candidate->steps.items[before]) == kind &&
                     below(variation, 2) == 0;
        before = again ? before : some_giver(variation, candidate, index, kind);
        if (before == NO_STEP) {
            return false;
        }
        edit_choice(arena, candidate, index, i)->as.reference.step =
            candidate->steps.items[before].id;
    }
    return true;
}

/* One of the steps for which `wanted` holds. */
typedef bool wanted_step(const struct variation *variation, size_t index, size_t kind);

static size_t some_step(struct variation *variation, wanted_step *wanted, size_t kind)
{
    size_t found = NO_STEP;
    size_t count = 0;
    for (size_t i = variation->first; i < variation->trace->steps.count; i++) {
        if (wanted(variation, i, kind) && below(variation, ++count) == 0) {
            found = i;
        }
    }
    return found;
}

static bool gives(const struct variation *variation, size_t index, size_t kind)
{
    (void)kind;
    return variation->gives[index];
}

static bool makes_kind_of_others(const struct variation *variation, size_t index, size_t kind)
{
    return variation->kind[index] == kind && makes_of_others(variation, index);
}

/* A value is made another way: by a step that makes one of its kind out of others. What was done to
 * it is left out, or is done to the new one. */
static void make_another_way(struct variation *variation, struct arena *arena,
                             struct trace *candidate)
{
    const struct trace_step *steps = variation->trace->steps.items;
    size_t made = some_step(variation, gives, 0);
    size_t maker = made == NO_STEP
                       ? NO_STEP
                       : some_step(variation, makes_kind_of_others, variation->kind[made]);
    if (maker == NO_STEP) {
        return;
    }
    uint32_t id = steps[made].id;
    bool bare = below(variation, 2) == 0;
    struct trace rest = {0};
    for (size_t i = 0; i < candidate->steps.count; i++) {
        const struct trace_step *step = &candidate->steps.items[i];
        size_t index = index_of(variation->trace, step->id);
        bool done_to_it = refers_to(step, id) && index != NO_STEP && !variation->gives[index];
        if (step->id != id && !(bare && done_to_it)) {
            *VEC_PUSH(arena, &rest.steps) = *step;
        }
    }
    size_t place = variation->first + below(variation, rest.steps.count - variation->first + 1);
    struct trace_step step = steps[maker];
    step.id = id;
    insert(arena, &rest, place, step);
    if (choose_references(variation, arena, &rest, place)) {
        *candidate = rest;
    }
}

/* Another value of the kind stands for one whose step is left out. */
static void leave_out_value(struct variation *variation, struct arena *arena,
                            struct trace *candidate)
{
    size_t count = candidate->steps.count - variation->first;
    size_t index = variation->first + below(variation, count);
    uint32_t id = candidate->steps.items[index].id;
    size_t kind = kind_of(variation, &candidate->steps.items[index]);
    size_t other = kind == NO_STEP ? NO_STEP : some_giver(variation, candidate, index, kind);
    if (other == NO_STEP) {
        return;
    }
    for (size_t i = index + 1; i < candidate->steps.count; i++) {
        for (size_t k = 0; k < candidate->steps.items[i].choices.items.count; k++) {
            const struct choice *choice = &candidate->steps.items[i].choices.items.items[k];
            if (choice->kind == CHOICE_REFERENCE && choice->as.reference.step == id) {
                edit_choice(arena, candidate, i, k)->as.reference.step =
                    candidate->steps.items[other].id;
            }
        }
    }
    *candidate = edit_remove(arena, candidate, index, index + 1);
}

/* Two steps of one rule trade what they drew. */
static void trade_choices(struct variation *variation, struct arena *arena, struct trace *candidate)
{
    struct trace_step *a = NULL;
    struct trace_step *b = NULL;
    size_t pairs = 0;
    (void)arena;
    for (size_t i = variation->first; i < candidate->steps.count; i++) {
        for (size_t k = i + 1; k < candidate->steps.count; k++) {
            struct trace_step *x = &candidate->steps.items[i];
            struct trace_step *y = &candidate->steps.items[k];
            if (x->rule == y->rule && !choices_equal(&x->choices, &y->choices) &&
                below(variation, ++pairs) == 0) {
                a = x;
                b = y;
            }
        }
    }
    if (a && b) {
        struct choices choices = a->choices;
        a->choices = b->choices;
        b->choices = choices;
    }
}

/* The references of a step change places, or one goes elsewhere. */
static void change_references(struct variation *variation, struct arena *arena,
                              struct trace *candidate)
{
    size_t count = candidate->steps.count - variation->first;
    size_t index = variation->first + below(variation, count);
    struct trace changed = copy_with_room(arena, candidate);
    if (choose_references(variation, arena, &changed, index)) {
        *candidate = changed;
    }
}

/* A step that gives nothing is done once more, anywhere. */
static void repeat_step(struct variation *variation, struct arena *arena, struct trace *candidate)
{
    size_t count = candidate->steps.count - variation->first;
    struct trace_step step = candidate->steps.items[variation->first + below(variation, count)];
    if (kind_of(variation, &step) != NO_STEP) {
        return;
    }
    step.id = 0;
    for (size_t i = 0; i < candidate->steps.count; i++) {
        uint32_t id = candidate->steps.items[i].id;
        step.id = id >= step.id ? id + 1 : step.id;
    }
    insert(arena, candidate, variation->first + below(variation, count), step);
}

/* A step that gives nothing becomes another such step, done to what it is done to. */
static void do_otherwise(struct variation *variation, struct arena *arena, struct trace *candidate)
{
    size_t count = candidate->steps.count - variation->first;
    struct trace_step *step = &candidate->steps.items[variation->first + below(variation, count)];
    const struct trace_step *other =
        &candidate->steps.items[variation->first + below(variation, count)];
    if (kind_of(variation, step) != NO_STEP || kind_of(variation, other) != NO_STEP) {
        return;
    }
    struct choices choices = step->choices;
    step->rule = other->rule;
    step->choices = choices_copy(arena, &other->choices);
    for (size_t i = 0; i < step->choices.items.count && i < choices.items.count; i++) {
        struct choice *choice = &step->choices.items.items[i];
        size_t now = giver_of(variation->trace, choice);
        size_t before = giver_of(variation->trace, &choices.items.items[i]);
        if (now != NO_STEP && before != NO_STEP &&
            variation->kind[now] == variation->kind[before]) {
            *choice = choices.items.items[i];
        }
    }
}

/* Whether every step can have a part in what the last one shows: it is done to a value that
 * matters, or gives one. */
static bool all_matter(const struct variation *variation, const struct trace *trace,
                       struct arena *arena)
{
    size_t count = trace->steps.count;
    bool *matters = ARENA_ARRAY(arena, bool, count);
    for (size_t i = 0; i < count; i++) {
        matters[i] = false;
    }
    for (size_t i = count; i > variation->first; i--) {
        const struct trace_step *step = &trace->steps.items[i - 1];
        bool part = i == count || matters[i - 1];
        bool any = false; /* refers to something */
        for (size_t k = 0; k + 1 < i; k++) {
            bool referred = refers_to(step, trace->steps.items[k].id);
            any = any || referred;
            part = part || (referred && matters[k] && kind_of(variation, step) == NO_STEP);
        }
        for (size_t k = 0; k + 1 < i && part; k++) {
            matters[k] = matters[k] || refers_to(step, trace->steps.items[k].id);
        }
        if (!part || (i == count && !any)) {
            return false;
        }
    }
    return true;
}

bool variation_pays(const struct variation *variation, struct arena *arena)
{
    bool any = false;
    for (size_t i = variation->first; i < variation->trace->steps.count; i++) {
        any = any || makes_of_others(variation, i);
    }
    return any && all_matter(variation, variation->trace, arena);
}

/* Edits and how many of a hundred are of each: a variation has up to EDITS_MAX, in any order. */
typedef void edit(struct variation *variation, struct arena *arena, struct trace *candidate);
static const struct {
    edit *edit;
    unsigned percent;
} edits[] = {
    {trade_choices, 25},   {make_another_way, 30}, {change_references, 15},
    {leave_out_value, 10}, {repeat_step, 12},      {do_otherwise, 8},
};

bool variation_next(struct variation *variation, struct arena *arena, struct trace *out)
{
    const struct trace *trace = variation->trace;
    uint32_t last = trace->steps.items[trace->steps.count - 1].id;
    struct trace candidate = copy_with_room(arena, trace);
    for (size_t i = 1 + below(variation, EDITS_MAX); i > 0; i--) {
        size_t at = below(variation, 100);
        size_t chosen = 0;
        while (at >= edits[chosen].percent) {
            at -= edits[chosen++].percent;
        }
        edits[chosen].edit(variation, arena, &candidate);
    }
    candidate = edit_close(arena, &candidate, trace);
    while (candidate.steps.count >= trace->steps.count) {
        size_t count = candidate.steps.count - variation->first;
        size_t index = variation->first + below(variation, count);
        candidate = edit_remove(arena, &candidate, index, index + 1);
        candidate = edit_close(arena, &candidate, trace);
    }
    *out = candidate;
    return candidate.steps.count > variation->first &&
           candidate.steps.items[candidate.steps.count - 1].id == last &&
           all_matter(variation, &candidate, arena);
}
