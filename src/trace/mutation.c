#include "trace/mutation.h"

#include <assert.h>

enum {
    REPEATED_MAX = 8, /* steps of a slice that is repeated */
    TIMES_MAX = 4,    /* that it is repeated */
    MOVED_MAX = 16,   /* steps of two slices that change places */
    OPERATORS_MAX = 4,
};

/* Steps [from, to) of a trace. */
struct slice {
    const struct trace *trace;
    size_t from, to;
};

static uint32_t id_behind(const struct trace *trace)
{
    uint32_t next = 0;
    for (size_t i = 0; i < trace->steps.count; i++) {
        uint32_t id = trace->steps.items[i].id;
        next = id >= next ? id + 1 : next;
    }
    return next;
}

uint32_t mutation_next_id(const struct trace *a, const struct trace *b)
{
    uint32_t behind_a = id_behind(a);
    uint32_t behind_b = id_behind(b);
    return behind_a > behind_b ? behind_a : behind_b;
}

static size_t between(struct rng *rng, size_t low, size_t high) /* both included */
{
    assert(low <= high);
    return low + (size_t)rng_below(rng, high - low + 1);
}

/* A slice of one step at least, of `most` at the most, not in initialize. */
static struct slice any_slice(struct rng *rng, const struct trace *trace, size_t most)
{
    assert(trace_first(trace) < trace->steps.count && most >= 1);
    size_t first = trace_first(trace);
    size_t count = trace->steps.count - first;
    size_t size = between(rng, 1, count < most ? count : most);
    size_t from = first + (size_t)rng_below(rng, count - size + 1);
    return (struct slice){trace, from, from + size};
}

static void append(struct arena *arena, struct trace *out, struct slice slice)
{
    assert(slice.from <= slice.to && slice.to <= slice.trace->steps.count);
    for (size_t i = slice.from; i < slice.to; i++) {
        *VEC_PUSH(arena, &out->steps) = slice.trace->steps.items[i];
    }
}

/* The index of a step in a slice, or slice.to. */
static size_t find_id(struct slice slice, uint32_t id)
{
    size_t i = slice.from;
    while (i < slice.to && slice.trace->steps.items[i].id != id) {
        i++;
    }
    return i;
}

static bool is_initialize(const struct trace *trace, uint32_t id)
{
    size_t first = trace_first(trace);
    return find_id((struct slice){trace, 0, first}, id) < first;
}

enum outside {
    OUTSIDE_STAYS, /* a reference to a step that is not in the slice */
    OUTSIDE_BY_POSITION,
};

/* Appends copies of steps, with ids of their own, that refer to one another as the originals do. */
static void append_renamed(struct mutating *mutating, struct trace *out, struct slice slice,
                           enum outside outside)
{
    uint32_t base = mutating->next_id;
    for (size_t i = slice.from; i < slice.to; i++) {
        struct trace_step *step = VEC_PUSH(mutating->arena, &out->steps);
        *step = slice.trace->steps.items[i];
        step->id = mutating->next_id++;
        step->choices = choices_copy(mutating->arena, &step->choices);
        for (size_t j = 0; j < step->choices.items.count; j++) {
            struct choice *choice = &step->choices.items.items[j];
            struct reference *reference = &choice->as.reference;
            if (choice->kind != CHOICE_REFERENCE) {
                continue;
            }
            size_t found = find_id(slice, reference->step);
            if (found < i) {
                reference->step = base + (uint32_t)(found - slice.from);
            } else if (outside == OUTSIDE_BY_POSITION &&
                       !is_initialize(slice.trace, reference->step)) {
                reference->step = REFERENCE_BY_POSITION;
                reference->item = NULL;
            }
        }
    }
}

/* The beginning of one and the end of the other. */
static struct trace splice(struct mutating *mutating, const struct trace *trace)
{
    struct trace out = {0};
    const struct trace *other = mutating->other;
    size_t to = between(mutating->rng, trace_first(trace), trace->steps.count);
    size_t from = between(mutating->rng, trace_first(other), other->steps.count);
    append(mutating->arena, &out, (struct slice){trace, 0, to});
    append_renamed(mutating, &out, (struct slice){other, from, other->steps.count},
                   OUTSIDE_BY_POSITION);
    return out;
}

/* A slice several times. Copies refer to the same values from before the slice; half of the time
 * also to those that the slice itself made first. */
static struct trace repeat(struct mutating *mutating, const struct trace *trace)
{
    struct trace out = {0};
    struct slice slice = any_slice(mutating->rng, trace, REPEATED_MAX);
    size_t times = between(mutating->rng, 1, TIMES_MAX);
    bool anew = rng_one_in(mutating->rng, 2);
    append(mutating->arena, &out, (struct slice){trace, 0, slice.to});
    for (size_t i = 0; i < times; i++) {
        if (anew) {
            append_renamed(mutating, &out, slice, OUTSIDE_STAYS);
            continue;
        }
        for (size_t j = slice.from; j < slice.to; j++) {
            append_renamed(mutating, &out, (struct slice){trace, j, j + 1}, OUTSIDE_STAYS);
        }
    }
    append(mutating->arena, &out, (struct slice){trace, slice.to, trace->steps.count});
    return out;
}

/* Two neighbouring slices change places. */
static struct trace swap(struct mutating *mutating, const struct trace *trace)
{
    struct trace out = {0};
    struct slice both = any_slice(mutating->rng, trace, MOVED_MAX);
    size_t middle = between(mutating->rng, both.from, both.to);
    append(mutating->arena, &out, (struct slice){trace, 0, both.from});
    append(mutating->arena, &out, (struct slice){trace, middle, both.to});
    append(mutating->arena, &out, (struct slice){trace, both.from, middle});
    append(mutating->arena, &out, (struct slice){trace, both.to, trace->steps.count});
    return out;
}

/* An argument that drew something. */
struct drawn_argument {
    size_t step;
    size_t start, end; /* its choices */
};

struct drawn_arguments {
    VEC(struct drawn_argument) items;
};

static void add_arguments(struct arena *arena, struct drawn_arguments *out, size_t step,
                          const struct choices *choices)
{
    for (size_t i = 0; i < choices->spans.count; i++) {
        const struct choice_span *span = &choices->spans.items[i];
        if (span->kind == SPAN_ARGUMENT && span->end > span->start) {
            *VEC_PUSH(arena, &out->items) = (struct drawn_argument){step, span->start, span->end};
        }
    }
}

/* One argument of one step is drawn anew. */
static struct trace alter(struct mutating *mutating, const struct trace *trace)
{
    struct trace out = {0};
    struct drawn_arguments arguments = {0};
    append(mutating->arena, &out, (struct slice){trace, 0, trace->steps.count});
    for (size_t i = 0; i < trace->steps.count; i++) {
        add_arguments(mutating->arena, &arguments, i, &trace->steps.items[i].choices);
    }
    if (arguments.items.count) {
        uint64_t place = rng_below(mutating->rng, arguments.items.count);
        struct drawn_argument argument = arguments.items.items[place];
        struct choices *choices = &out.steps.items[argument.step].choices;
        *choices = choices_copy(mutating->arena, choices);
        choices_remove(choices, argument.start, argument.end - argument.start);
    }
    return out;
}

/* Some steps are left out. */
static struct trace drop(struct mutating *mutating, const struct trace *trace)
{
    struct trace out = {0};
    struct slice slice = any_slice(mutating->rng, trace, trace->steps.count);
    append(mutating->arena, &out, (struct slice){trace, 0, slice.from});
    append(mutating->arena, &out, (struct slice){trace, slice.to, trace->steps.count});
    return out;
}

const struct trace_operator trace_operators[] = {
    {"splice", 2, splice}, {"repeat", 4, repeat}, {"swap", 2, swap},
    {"alter", 2, alter},   {"drop", 2, drop},     {0},
};

static const struct trace_operator *any_operator(struct rng *rng)
{
    uint64_t total = 0;
    for (const struct trace_operator *each = trace_operators; each->name; each++) {
        total += each->weight;
    }
    uint64_t at = rng_below(rng, total);
    const struct trace_operator *chosen = trace_operators;
    while (at >= chosen->weight) {
        at -= chosen->weight;
        chosen++;
    }
    return chosen;
}

/* References to what does not stand before them any more. */
static void settle_references(struct trace *trace)
{
    for (size_t i = 0; i < trace->steps.count; i++) {
        struct choices *choices = &trace->steps.items[i].choices;
        for (size_t j = 0; j < choices->items.count; j++) {
            struct choice *choice = &choices->items.items[j];
            if (choice->kind == CHOICE_REFERENCE &&
                find_id((struct slice){trace, 0, i}, choice->as.reference.step) == i) {
                choice->as.reference.step = REFERENCE_BY_POSITION;
                choice->as.reference.item = NULL;
            }
        }
    }
}

struct trace trace_mutate(struct mutating *mutating, const struct trace *trace, size_t steps_max)
{
    assert(mutating->rng != NULL && mutating->other != NULL);
    struct trace out = *trace;
    bool more = true;
    for (int i = 0; more && i < OPERATORS_MAX && trace_first(&out) < out.steps.count; i++) {
        out = any_operator(mutating->rng)->apply(mutating, &out);
        more = rng_one_in(mutating->rng, 2);
    }
    size_t most = trace_first(&out) + steps_max;
    if (out.steps.count > most) {
        out.steps.count = most;
    }
    out = trace_copy(mutating->arena, &out);
    settle_references(&out);
    return out;
}
