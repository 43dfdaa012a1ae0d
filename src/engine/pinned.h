/* Pinned examples: sequences that stand in the machine, run as they are written. */
#ifndef ENGINE_PINNED_H
#define ENGINE_PINNED_H

#include "engine/engine.h"

/* The call that a pinned step makes: what its arguments were evaluated to. */
struct pinned_call {
    const struct pinned_step *step;
    const struct value *values; /* of step->args */
};

/* Runs the calls of plan->pinned, as many as plan->pinned_steps. A step that can't run is an error
 * with the place of its call. */
bool pinned_steps(struct example *example, struct error *err);
/* Argument `index` of the step under way. DRAW_OK; or DRAW_ERROR: it is missing, a constant, or a
 * value that its strategy does not give. */
enum draw_result pinned_draw(struct drawer *drawer, struct example *example, size_t index,
                             struct value strategy, struct given *out, struct error *err);

#endif
