#include "shrink/references.h"

bool step_refers_to(const struct trace_step *step, uint32_t id)
{
    for (size_t i = 0; i < step->choices.items.count; i++) {
        const struct choice *choice = &step->choices.items.items[i];
        if (choice->kind == CHOICE_REFERENCE && choice->as.reference.step == id) {
            return true;
        }
    }
    return false;
}

size_t reference_giver(const struct trace *trace, const struct choice *choice)
{
    for (size_t i = 0; i < trace->steps.count && choice->kind == CHOICE_REFERENCE; i++) {
        if (trace->steps.items[i].id == choice->as.reference.step) {
            return i;
        }
    }
    return NO_STEP;
}

const bool *reference_givers(const struct trace *trace, struct arena *arena)
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
