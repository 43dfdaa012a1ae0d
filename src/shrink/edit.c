#include "shrink/edit.h"

#include "base/utf8.h"

#include <string.h>

static struct trace with_room(struct arena *arena, size_t count)
{
    struct trace copy = {0};
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
    struct trace copy = with_room(arena, trace->steps.count);
    add_steps(&copy, trace, 0, from);
    add_steps(&copy, trace, to, trace->steps.count);
    return copy;
}

/* Gives the step an array of choices of its own; the spans stay shared: they are only read. */
static struct choices *own_choices(struct arena *arena, struct trace *trace, size_t step)
{
    struct choices *choices = &trace->steps.items[step].choices;
    choices->items.items = arena_memdup(arena, choices->items.items,
                                        choices->items.count * sizeof *choices->items.items);
    choices->items.capacity = choices->items.count;
    return choices;
}

struct choice *edit_choice(struct arena *arena, struct trace *trace, size_t step, size_t choice)
{
    return &own_choices(arena, trace, step)->items.items[choice];
}

void edit_cut(struct arena *arena, struct trace *trace, size_t step, size_t from, size_t to)
{
    struct choices *choices = own_choices(arena, trace, step);
    struct choice *items = choices->items.items;
    memmove(items + from, items + to, (choices->items.count - to) * sizeof *items);
    choices->items.count -= to - from;
    choices->spans.count = 0; /* they no longer fit; the replay records new ones */
}

static const struct string *simplest_text(struct arena *arena, const struct choice *choice)
{
    char first[UTF8_MAX] = "0";
    size_t size = 1;
    const struct string *alphabet = choice->as.text.alphabet;
    uint32_t code = 0;
    if (alphabet && alphabet->size) {
        size = utf8_decode(alphabet->data, alphabet->size, &code);
        memcpy(first, alphabet->data, size);
    }
    size_t length = choice->as.text.min_size;
    struct string *text = arena_alloc(arena, sizeof *text + length * size + 1);
    text->length = length;
    text->size = length * size;
    for (size_t i = 0; i < length; i++) {
        memcpy(text->data + i * size, first, size);
    }
    text->data[text->size] = '\0';
    return text;
}

static double simplest_float(const struct choice *choice)
{
    double min = choice->as.real.min;
    double max = choice->as.real.max;
    return min > 0 ? min : max < 0 ? max : 0.0;
}

struct choice choice_simplest(struct arena *arena, const struct choice *choice)
{
    struct choice simplest = *choice;
    switch (choice->kind) {
    case CHOICE_INTEGER:
        simplest.as.integer.value = choice->as.integer.toward;
        break;
    case CHOICE_FLOAT:
        simplest.as.real.value = simplest_float(choice);
        break;
    case CHOICE_TEXT:
        simplest.as.text.value = simplest_text(arena, choice);
        break;
    case CHOICE_BYTES: {
        size_t size = choice->as.bytes.min_size;
        struct bytes *bytes = arena_zalloc(arena, sizeof *bytes + size);
        bytes->size = size;
        simplest.as.bytes.value = bytes;
        break;
    }
    case CHOICE_REFERENCE:
        simplest.as.reference = (struct reference){.step = REFERENCE_BY_POSITION};
        break;
    }
    return simplest;
}

void edit_simplify_step(struct arena *arena, struct trace *trace, size_t step)
{
    struct choices *choices = own_choices(arena, trace, step);
    for (size_t i = 0; i < choices->items.count; i++) {
        choices->items.items[i] = choice_simplest(arena, &choices->items.items[i]);
    }
}

void edit_swap(struct trace *trace, size_t a, size_t b)
{
    struct trace_step step = trace->steps.items[a];
    trace->steps.items[a] = trace->steps.items[b];
    trace->steps.items[b] = step;
}
