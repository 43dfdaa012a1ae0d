#include "example/failure/shown.h"

#include "example/step/step.h"

struct shown_step shown_step(struct arena *arena, const struct step *step)
{
    struct shown_step shown = {.rule = step->rule};
    for (size_t i = 0; i < step->rule->args.count; i++) {
        const struct drawn *drawn = &step->drawn[i];
        if (drawn->shown) {
            *VEC_PUSH(arena, &shown.args) = (struct shown_arg){
                .name = step->rule->args.items[i].name,
                .value = drawn->value,
                .reference = drawn->reference,
            };
        }
    }
    for (size_t i = 0; i < step->outputs.count; i++) {
        *VEC_PUSH(arena, &shown.outputs) = step->outputs.items[i];
    }
    return shown;
}
