#include "shrink/batch.h"

#include "shrink/edit.h"

#include <assert.h>

/* Copies the initialize steps, once for all members. */
static void begin_batch(struct batch *batch, struct arena *arena, const struct trace *trace)
{
    batch->first = trace_first(trace);
    for (size_t i = 0; i < batch->first; i++) {
        const struct trace_step *step = &trace->steps.items[i];
        *VEC_PUSH(arena, &batch->whole.steps) = *step;
        batch->next_id = step->id >= batch->next_id ? step->id + 1 : batch->next_id;
    }
}

/* Shifts references to the member's steps, which begin at `base` in the whole. */
static void move_references(const struct batch *batch, struct arena *arena, struct trace *whole,
                            size_t index, const struct trace *trace, size_t base)
{
    for (size_t k = 0; k < whole->steps.items[index].choices.items.count; k++) {
        const struct choice *choice = &whole->steps.items[index].choices.items.items[k];
        for (size_t i = batch->first; i < trace->steps.count; i++) {
            if (choice_refers_to(choice, trace->steps.items[i].id)) {
                edit_choice(arena, whole, index, k)->as.reference.step =
                    whole->steps.items[base + i - batch->first].id;
                break;
            }
        }
    }
}

void batch_add(struct batch *batch, struct arena *arena, const struct trace *trace)
{
    assert(batch->members.count == 0 || trace_first(trace) == batch->first);
    if (batch->members.count == 0) {
        begin_batch(batch, arena, trace);
    }
    size_t base = batch->whole.steps.count;
    for (size_t i = batch->first; i < trace->steps.count; i++) {
        struct trace_step *step = VEC_PUSH(arena, &batch->whole.steps);
        *step = trace->steps.items[i];
        step->id = batch->next_id++;
    }
    for (size_t i = base; i < batch->whole.steps.count; i++) {
        move_references(batch, arena, &batch->whole, i, trace, base);
    }
    *VEC_PUSH(arena, &batch->members) =
        (struct batch_member){.trace = *trace, .last = batch->next_id - 1};
}

const struct batch_member *batch_ended_in(const struct batch *batch, const struct trace *executed)
{
    size_t count = executed->steps.count;
    for (size_t i = 0; i < batch->members.count && count > batch->first; i++) {
        if (executed->steps.items[count - 1].id <= batch->members.items[i].last) {
            return &batch->members.items[i];
        }
    }
    return NULL;
}

size_t batch_begun(const struct batch *batch, const struct trace *executed)
{
    size_t count = executed->steps.count;
    size_t begun = 0;
    while (begun < batch->members.count && count > batch->first &&
           (begun == 0 ||
            executed->steps.items[count - 1].id > batch->members.items[begun - 1].last)) {
        begun++;
    }
    return begun;
}
