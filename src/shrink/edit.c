#include "shrink/edit.h"

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
    struct choices *choices = &trace->steps.items[step].choices;
    *choices = choices_copy(arena, choices); /* spans too: they shift */
    choices_remove(choices, from, to - from);
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
    struct trace_step step = trace->steps.items[a];
    trace->steps.items[a] = trace->steps.items[b];
    trace->steps.items[b] = step;
}
