#include "shrink/enumerate.h"

#include "shrink/edit.h"
#include "shrink/order.h"
#include "shrink/shrink.h"

#include <assert.h>

enum {
    ALIKE_MAX = 2,       /* steps of one rule to choose from */
    MADE_MAX = 2,        /* values made from others */
    PLACED_MAX = 100000, /* steps placed, most of them in vain: less than a tenth of a second */
};

static void unite_kinds(size_t *kind, size_t count, size_t a, size_t b)
{
    size_t from = kind[a];
    size_t to = kind[b];
    for (size_t i = 0; i < count; i++) {
        kind[i] = kind[i] == from ? to : kind[i];
    }
}

/* Unites the kinds of values given to one argument of a rule, and of those of one rule. */
static void unite_arguments(const struct trace *trace, size_t *kind, const struct trace_step *a,
                            const struct trace_step *b)
{
    for (size_t i = 0; i < a->choices.items.count && i < b->choices.items.count; i++) {
        size_t x = reference_producer(trace, &a->choices.items.items[i]);
        size_t y = reference_producer(trace, &b->choices.items.items[i]);
        if (x != NO_STEP && y != NO_STEP) {
            unite_kinds(kind, trace->steps.count, x, y);
        }
    }
}

/* True if both steps put their values into the same collection, by `collections`. */
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
                unite_kinds(kind, count, i, k);
            }
            if (a->rule == b->rule && a->initialize == b->initialize) {
                unite_arguments(trace, kind, a, b);
            }
        }
    }
    return kind;
}

/* The number of steps like the last one: of its rule, without a value that others use. */
static size_t count_like_last(const struct enumeration *all)
{
    const struct trace *trace = all->trace;
    size_t like = 0;
    for (size_t i = all->first; i < trace->steps.count; i++) {
        like += trace->steps.items[i].rule == trace->steps.items[trace->steps.count - 1].rule &&
                !all->gives[i];
    }
    return like;
}

/* The order of steps of one rule, without their references. */
static int compare_values(const struct trace_step *a, const struct trace_step *b)
{
    size_t n = a->choices.items.count;
    size_t m = b->choices.items.count;
    int order = (n > m) - (n < m);
    for (size_t i = 0; i < n && order == 0; i++) {
        const struct choice *x = &a->choices.items.items[i];
        const struct choice *y = &b->choices.items.items[i];
        bool referring = x->kind == CHOICE_REFERENCE && y->kind == CHOICE_REFERENCE &&
                         x->as.reference.step != REFERENCE_BY_POSITION &&
                         y->as.reference.step != REFERENCE_BY_POSITION;
        order = referring ? 0 : choice_compare_simplicity(x, y);
    }
    return order;
}

static int compare_steps(const struct trace_step *a, const struct trace_step *b)
{
    int order = (a->rule > b->rule) - (a->rule < b->rule);
    return order != 0 ? order : compare_values(a, b);
}

static bool has_references(const struct trace *trace, const struct trace_step *step)
{
    for (size_t i = 0; i < step->choices.items.count; i++) {
        if (reference_producer(trace, &step->choices.items.items[i]) != NO_STEP) {
            return true;
        }
    }
    return false;
}

/* Inserts the step at its place, unless there is one like it. */
static void add_step(struct enumeration *all, struct arena *arena,
                     const struct enumerated_step *added)
{
    size_t place = 0;
    int order = 1;
    while (place < all->steps.count && order > 0) {
        order = compare_steps(added->step, all->steps.items[place].step);
        place += order > 0;
    }
    if (order == 0) {
        return;
    }
    (void)VEC_PUSH(arena, &all->steps);
    for (size_t i = all->steps.count - 1; i > place; i--) {
        all->steps.items[i] = all->steps.items[i - 1];
    }
    all->steps.items[place] = *added;
}

static void keep_simplest(struct enumeration *all)
{
    struct enumerated_step *steps = all->steps.items;
    size_t kept = 0;
    size_t alike = 0; /* earlier steps of its rule */
    for (size_t i = 0; i < all->steps.count; i++) {
        alike = i > 0 && steps[i].step->rule == steps[i - 1].step->rule ? alike + 1 : 0;
        steps[kept] = steps[i];
        kept += alike < ALIKE_MAX;
    }
    all->steps.count = kept;
}

struct enumeration enumeration_of(const struct trace *trace, const size_t *collections,
                                  struct arena *arena)
{
    assert(trace_first(trace) < trace->steps.count);
    size_t count = trace->steps.count;
    struct enumeration all = {.trace = trace, .first = trace_first(trace)};
    all.gives = reference_producers(trace, arena);
    all.kind = find_kinds(trace, collections, arena);
    all.tail = count_like_last(&all);
    for (size_t i = all.first; i + 1 < count; i++) {
        const struct trace_step *step = &trace->steps.items[i];
        bool gives = all.gives[i];
        if (gives || step->rule != trace->steps.items[count - 1].rule) {
            add_step(&all, arena,
                     &(struct enumerated_step){.step = step,
                                               .gives = gives,
                                               .makes = gives && has_references(trace, step),
                                               .kind = all.kind[i]});
        }
    }
    keep_simplest(&all);
    return all;
}

/* True if every step can contribute to the last one: it refers to a value that matters, or produces
 * one. `gives` is by step. */
static bool all_matter(const struct trace_step *steps, size_t first, size_t count,
                       const bool *gives, struct arena *arena)
{
    bool *matters = ARENA_ARRAY(arena, bool, count);
    for (size_t i = 0; i < count; i++) {
        matters[i] = false;
    }
    for (size_t i = count; i > first; i--) {
        const struct trace_step *step = &steps[i - 1];
        bool part = i == count || matters[i - 1];
        bool any = false; /* it has references */
        for (size_t k = 0; k + 1 < i; k++) {
            bool referred = step_refers_to(step, steps[k].id);
            any = any || referred;
            part = part || (referred && matters[k] && !gives[i - 1]);
        }
        for (size_t k = 0; k + 1 < i && part; k++) {
            matters[k] = matters[k] || step_refers_to(step, steps[k].id);
        }
        if (!part || (i == count && !any)) {
            return false;
        }
    }
    return true;
}

bool enumeration_pays(const struct enumeration *all, struct arena *arena)
{
    bool any = false;
    for (size_t i = 0; i < all->steps.count; i++) {
        any = any || all->steps.items[i].makes;
    }
    return any && all_matter(all->trace->steps.items, all->first, all->trace->steps.count,
                             all->gives, arena);
}

/* --- going through them --- */

struct walk {
    const struct enumeration *all;
    struct arena arena;
    struct trace candidate;
    struct enumerated_step *chosen; /* by step of `candidate` */
    bool *gives;                    /* by step of `candidate` */
    size_t end;                     /* index of the last step */
    size_t tail;
    size_t made;
    size_t placed; /* steps so far */
    enumerate_visit *visit;
    void *context;
};

static bool choose_step(struct walk *walk, size_t index);

/* True if the step depends on an earlier one. */
static bool depends_on(const struct walk *walk, size_t index, size_t before)
{
    const struct trace_step *step = &walk->candidate.steps.items[index];
    const struct trace_step *other = &walk->candidate.steps.items[before];
    bool share = false;
    for (size_t i = 0; i < step->choices.items.count && !share; i++) {
        const struct choice *choice = &step->choices.items.items[i];
        share =
            choice->kind == CHOICE_REFERENCE && step_refers_to(other, choice->as.reference.step);
    }
    return step_refers_to(step, other->id) ||
           (share && !(walk->gives[index] && walk->gives[before]));
}

static int compare_candidate_steps(const struct trace_step *a, const struct trace_step *b)
{
    int order = compare_steps(a, b);
    for (size_t i = 0; order == 0 && i < a->choices.items.count; i++) {
        const struct choice *x = &a->choices.items.items[i];
        const struct choice *y = &b->choices.items.items[i];
        if (x->kind == CHOICE_REFERENCE) {
            order = (x->as.reference.step > y->as.reference.step) -
                    (x->as.reference.step < y->as.reference.step);
        }
    }
    return order;
}

/* Accepts one of several equivalent orders: the one in which no step could move before its
 * predecessor and would sort lower. */
static bool in_order(const struct walk *walk, size_t index)
{
    for (size_t i = index; i > walk->all->first && !depends_on(walk, index, i - 1); i--) {
        if (compare_candidate_steps(&walk->candidate.steps.items[index],
                                    &walk->candidate.steps.items[i - 1]) < 0) {
            return false;
        }
    }
    return true;
}

static bool visit_candidate(struct walk *walk)
{
    struct arena_mark mark = arena_mark(&walk->arena);
    bool part = all_matter(walk->candidate.steps.items, walk->all->first, walk->end + 1,
                           walk->gives, &walk->arena);
    arena_rewind(&walk->arena, mark);
    if (!part) {
        return true;
    }
    for (size_t i = 1; i < walk->tail; i++) {
        struct trace_step *step = &walk->candidate.steps.items[walk->end + i];
        *step = walk->candidate.steps.items[walk->end];
        step->id += (uint32_t)i;
    }
    walk->candidate.steps.count = walk->end + walk->tail;
    return walk->visit(walk->context, &walk->candidate);
}

/* Tries all references for the choices of step `index` from `from` on. */
static bool choose_references(struct walk *walk, size_t index, size_t from)
{
    const struct enumeration *all = walk->all;
    struct trace_step *step = &walk->candidate.steps.items[index];
    size_t producer = NO_STEP;
    while (from < step->choices.items.count && producer == NO_STEP) {
        producer =
            reference_producer(all->trace, &walk->chosen[index].step->choices.items.items[from]);
        from += producer == NO_STEP;
    }
    if (producer == NO_STEP) {
        return index == walk->end ? visit_candidate(walk)
                                  : !in_order(walk, index) || choose_step(walk, index + 1);
    }
    for (size_t i = 0; i < index; i++) {
        bool fits = i < all->first ? all->kind[i] == all->kind[producer] && all->gives[i]
                                   : walk->gives[i] && walk->chosen[i].kind == all->kind[producer];
        step->choices.items.items[from].as.reference.step = walk->candidate.steps.items[i].id;
        if (fits && !choose_references(walk, index, from + 1)) {
            return false;
        }
    }
    return true;
}

static bool place_step(struct walk *walk, size_t index, const struct enumerated_step *chosen)
{
    if (walk->placed++ == PLACED_MAX) {
        return false;
    }
    struct arena_mark mark = arena_mark(&walk->arena);
    struct trace_step *step = &walk->candidate.steps.items[index];
    step->rule = chosen->step->rule;
    step->choices = choices_copy(&walk->arena, &chosen->step->choices);
    walk->chosen[index] = *chosen;
    walk->gives[index] = chosen->gives;
    walk->made += chosen->makes;
    bool more = choose_references(walk, index, 0);
    walk->made -= chosen->makes;
    arena_rewind(&walk->arena, mark);
    return more;
}

/* True if the step makes a value without others, and an earlier step made that already. */
static bool made_already(const struct walk *walk, size_t index,
                         const struct enumerated_step *chosen)
{
    for (size_t i = walk->all->first; i < index && chosen->gives && !chosen->makes; i++) {
        if (walk->chosen[i].step == chosen->step) {
            return true;
        }
    }
    return false;
}

static bool choose_step(struct walk *walk, size_t index)
{
    const struct enumeration *all = walk->all;
    if (index == walk->end) {
        const struct trace *trace = all->trace;
        return place_step(
            walk, index,
            &(struct enumerated_step){.step = &trace->steps.items[trace->steps.count - 1]});
    }
    for (size_t i = 0; i < all->steps.count; i++) {
        const struct enumerated_step *chosen = &all->steps.items[i];
        bool enough = chosen->makes ? walk->made == MADE_MAX : made_already(walk, index, chosen);
        if (!enough && !place_step(walk, index, chosen)) {
            return false;
        }
    }
    return true;
}

bool enumerate(const struct enumeration *all, size_t steps, size_t tail, enumerate_visit *visited,
               void *context)
{
    assert(tail >= 1);
    struct walk walk = {
        .all = all, .end = all->first + steps, .tail = tail, .visit = visited, .context = context};
    size_t count = walk.end + tail;
    uint32_t id = 0;
    walk.chosen = ARENA_ARRAY(&walk.arena, struct enumerated_step, count);
    walk.gives = ARENA_ARRAY(&walk.arena, bool, count);
    for (size_t i = 0; i < count; i++) {
        struct trace_step *step = VEC_PUSH(&walk.arena, &walk.candidate.steps);
        if (i < all->first) {
            *step = all->trace->steps.items[i];
            walk.gives[i] = all->gives[i];
        } else {
            *step = (struct trace_step){.id = id};
        }
        id = step->id >= id ? step->id + 1 : id;
    }
    bool more = choose_step(&walk, all->first);
    arena_free(&walk.arena);
    return more;
}
