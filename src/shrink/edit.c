#include "shrink/edit.h"

#include <assert.h>
#include <string.h>

/* A trace without steps, with room for those of `trace`. */
static struct trace with_room(struct arena *arena, const struct trace *trace)
{
    size_t count = trace->steps.count;
    struct trace copy = {.schedule = trace->schedule};
    copy.steps.items = ARENA_ARRAY(arena, struct trace_step, count ? count : 1);
    copy.steps.capacity = count ? count : 1;
    return copy;
}

static void add_steps(struct trace *copy, const struct trace *trace, size_t from, size_t to)
{
    if (to > from) {
        memcpy(copy->steps.items + copy->steps.count, trace->steps.items + from,
               (to - from) * sizeof *copy->steps.items);
        copy->steps.count += to - from;
    }
}

struct trace edit_copy(struct arena *arena, const struct trace *trace)
{
    return edit_remove(arena, trace, 0, 0);
}

struct trace edit_remove(struct arena *arena, const struct trace *trace, size_t from, size_t to)
{
    assert(from <= to && to <= trace->steps.count);
    struct trace copy = with_room(arena, trace);
    add_steps(&copy, trace, 0, from);
    add_steps(&copy, trace, to, trace->steps.count);
    return copy;
}

struct trace edit_keep(struct arena *arena, const struct trace *trace, const bool *kept)
{
    struct trace copy = with_room(arena, trace);
    for (size_t i = 0; i < trace->steps.count; i++) {
        add_steps(&copy, trace, i, i + kept[i]);
    }
    return copy;
}

static bool has_step(const struct trace *trace, uint32_t id)
{
    for (size_t i = 0; i < trace->steps.count; i++) {
        if (trace->steps.items[i].id == id) {
            return true;
        }
    }
    return false;
}

/* True if the step refers to one of `original` that is not in `kept`. Steps that every example
 * begins with are unknown here. */
static bool step_dangles(const struct trace_step *step, const struct trace *kept,
                         const struct trace *original)
{
    for (size_t i = 0; i < step->choices.items.count; i++) {
        const struct choice *choice = &step->choices.items.items[i];
        if (choice->kind == CHOICE_REFERENCE && !has_step(kept, choice->as.reference.step) &&
            has_step(original, choice->as.reference.step)) {
            return true;
        }
    }
    return false;
}

struct trace edit_close(struct arena *arena, const struct trace *trace,
                        const struct trace *original)
{
    struct trace kept = with_room(arena, trace);
    for (size_t i = 0; i < trace->steps.count; i++) {
        if (!step_dangles(&trace->steps.items[i], &kept, original)) {
            add_steps(&kept, trace, i, i + 1);
        }
    }
    return kept;
}

/* Copies the step's choices; the spans are only read, and stay shared. */
static struct choices *own_choices(struct arena *arena, struct trace *trace, size_t step)
{
    assert(step < trace->steps.count);
    struct choices *choices = &trace->steps.items[step].choices;
    choices->items.items = arena_memdup(arena, choices->items.items,
                                        choices->items.count * sizeof *choices->items.items);
    choices->items.capacity = choices->items.count;
    return choices;
}

struct choice *edit_choice(struct arena *arena, struct trace *trace, size_t step, size_t choice)
{
    assert(choice < trace->steps.items[step].choices.items.count);
    return &own_choices(arena, trace, step)->items.items[choice];
}

struct trace edit_bypass(struct arena *arena, const struct trace *trace, size_t index,
                         const struct reference *to)
{
    assert(index < trace->steps.count);
    uint32_t id = trace->steps.items[index].id;
    struct trace candidate = edit_remove(arena, trace, index, index + 1);
    for (size_t i = 0; i < candidate.steps.count; i++) {
        for (size_t k = 0; k < candidate.steps.items[i].choices.items.count; k++) {
            if (choice_refers_to(&candidate.steps.items[i].choices.items.items[k], id)) {
                struct reference *moved = &edit_choice(arena, &candidate, i, k)->as.reference;
                struct reference equal = *moved;
                equal.step = REFERENCE_BY_POSITION;
                *moved = to ? *to : equal;
            }
        }
    }
    return candidate;
}

static bool is_item(const struct choice *choice)
{
    return choice_refers_to(choice, REFERENCE_BY_POSITION);
}

/* Gets the value of the choice, if it is an item or may be one. */
static bool item_of(const struct choice *choice, struct value *out)
{
    switch (choice->kind) {
    case CHOICE_INTEGER:
        *out = value_int(choice->as.integer.value);
        return true;
    case CHOICE_FLOAT:
        *out = value_float(choice->as.real.value);
        return true;
    case CHOICE_TEXT:
        *out = (struct value){.type = VALUE_STRING, .as.string = choice->as.text.value};
        return true;
    case CHOICE_BYTES:
        *out = (struct value){.type = VALUE_BYTES, .as.bytes = choice->as.bytes.value};
        return true;
    case CHOICE_REFERENCE:
        break;
    }
    bool kept = is_item(choice) && choice->as.reference.item;
    *out = kept ? *choice->as.reference.item : value_none();
    return kept;
}

/* Sets the choice to the value, if its kind allows that. */
static bool set_value(struct choice *to, struct value value)
{
    if (to->kind == CHOICE_INTEGER && value.type == VALUE_INT && !(value.flags & VALUE_BIG)) {
        to->as.integer.value = value.as.integer;
    } else if (to->kind == CHOICE_FLOAT && value.type == VALUE_FLOAT) {
        to->as.real.value = value.as.real;
    } else if (to->kind == CHOICE_TEXT && value.type == VALUE_STRING) {
        to->as.text.value = value.as.string;
    } else if (to->kind == CHOICE_BYTES && value.type == VALUE_BYTES) {
        to->as.bytes.value = value.as.bytes;
    } else {
        return false;
    }
    return true;
}

bool edit_assign(struct arena *arena, struct choice *to, const struct choice *from)
{
    struct value value;
    if (is_item(to) && is_item(from)) {
        to->as.reference = from->as.reference;
        return true;
    }
    if (!item_of(from, &value)) {
        return false;
    }
    if (is_item(to)) {
        struct value *item = ARENA_NEW(arena, struct value);
        *item = value;
        to->as.reference.item = item;
        return true;
    }
    bool assigned = set_value(to, value);
    if (assigned) {
        choice_clamp(to, arena);
    }
    return assigned;
}

bool edit_same(const struct choice *a, const struct choice *b)
{
    struct value x;
    struct value y;
    if (!is_item(a) && !is_item(b)) {
        return a->kind == CHOICE_REFERENCE && b->kind == CHOICE_REFERENCE
                   ? a->as.reference.step == b->as.reference.step &&
                         a->as.reference.output == b->as.reference.output
                   : choice_equal(a, b);
    }
    return item_of(a, &x) && item_of(b, &y) && value_equal(x, y);
}

void edit_drop_items(struct arena *arena, struct trace *trace)
{
    for (size_t step = 0; step < trace->steps.count; step++) {
        size_t count = trace->steps.items[step].choices.items.count;
        for (size_t i = 0; i < count; i++) {
            const struct choice *choice = &trace->steps.items[step].choices.items.items[i];
            if (choice->kind == CHOICE_REFERENCE && choice->as.reference.item) {
                edit_choice(arena, trace, step, i)->as.reference.item = NULL;
            }
        }
    }
}

void edit_cut(struct arena *arena, struct trace *trace, size_t step, size_t from, size_t to)
{
    assert(step < trace->steps.count);
    assert(from <= to && to <= trace->steps.items[step].choices.items.count);
    struct choices *choices = &trace->steps.items[step].choices;
    *choices = choices_copy(arena, choices); /* also the spans, because they shift */
    choices_remove(choices, from, to - from);
}

static void add_choices(struct arena *arena, struct choices *to, const struct choice *choices,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        *VEC_PUSH(arena, &to->items) = choices[i];
    }
}

void edit_replace(struct arena *arena, struct trace *trace, size_t step, struct edit_range range,
                  const struct choice *choices, size_t count)
{
    assert(step < trace->steps.count);
    assert(range.from < range.to && range.to <= trace->steps.items[step].choices.items.count);
    struct choices *edited = &trace->steps.items[step].choices;
    const struct choices old = *edited;
    *edited = (struct choices){0};
    add_choices(arena, edited, old.items.items, range.from);
    add_choices(arena, edited, choices, count);
    add_choices(arena, edited, old.items.items + range.to, old.items.count - range.to);
    for (size_t i = 0; i < old.spans.count; i++) {
        struct choice_span span = old.spans.items[i];
        if (span.kind == SPAN_ARGUMENT) {
            span.start =
                span.start < range.to ? span.start : span.start - range.to + range.from + count;
            span.end = span.end < range.to ? span.end : span.end - range.to + range.from + count;
            *VEC_PUSH(arena, &edited->spans) = span;
        }
    }
}

void edit_simplify_step(struct arena *arena, struct trace *trace, size_t step)
{
    struct choices *choices = own_choices(arena, trace, step);
    for (size_t i = 0; i < choices->items.count; i++) {
        choice_simplify(&choices->items.items[i], arena);
    }
}

void edit_swap(struct trace *trace, size_t a, size_t b)
{
    assert(a < trace->steps.count && b < trace->steps.count);
    struct trace_step step = trace->steps.items[a];
    trace->steps.items[a] = trace->steps.items[b];
    trace->steps.items[b] = step;
}

bool edit_begins_session(const struct trace *trace, size_t step)
{
    assert(step < trace->steps.count);
    unsigned session = trace->steps.items[step].session;
    return session > 0 && (step == 0 || trace->steps.items[step - 1].session != session);
}

void edit_before_sessions(struct trace *trace, size_t step)
{
    assert(edit_begins_session(trace, step));
    struct trace_step *steps = trace->steps.items;
    struct trace_step moved = steps[step];
    moved.session = 0;
    for (; step > 0 && steps[step - 1].session > 0; step--) {
        steps[step] = steps[step - 1];
    }
    steps[step] = moved;
}

bool choice_refers_to(const struct choice *choice, uint32_t id)
{
    return choice->kind == CHOICE_REFERENCE && choice->as.reference.step == id;
}

bool step_refers_to(const struct trace_step *step, uint32_t id)
{
    for (size_t i = 0; i < step->choices.items.count; i++) {
        if (choice_refers_to(&step->choices.items.items[i], id)) {
            return true;
        }
    }
    return false;
}

size_t reference_producer(const struct trace *trace, const struct choice *choice)
{
    for (size_t i = 0; i < trace->steps.count; i++) {
        if (choice_refers_to(choice, trace->steps.items[i].id)) {
            return i;
        }
    }
    return NO_STEP;
}

const bool *reference_producers(const struct trace *trace, struct arena *arena)
{
    size_t count = trace->steps.count;
    bool *gives = ARENA_ARRAY(arena, bool, count);
    for (size_t i = 0; i < count; i++) {
        gives[i] = false;
        for (size_t k = i + 1; k < count; k++) {
            gives[i] = gives[i] || step_refers_to(&trace->steps.items[k], trace->steps.items[i].id);
        }
    }
    return gives;
}

size_t reference_maker(const struct trace *trace, const struct reference *reference)
{
    for (size_t i = 0; i < trace->steps.count; i++) {
        if (trace->steps.items[i].id == reference->step) {
            return trace->steps.items[i].rule * 2 + trace->steps.items[i].initialize;
        }
    }
    return SIZE_MAX - reference->source;
}
