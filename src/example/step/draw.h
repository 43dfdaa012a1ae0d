/* Decides if a rule can run, and draws its arguments. */
#ifndef EXAMPLE_DRAW_H
#define EXAMPLE_DRAW_H

#include "gen/strategy.h"
#include "machine/machine.h"

struct example;
struct step;

/* An argument of a step. */
struct drawn {
    struct value value;    /* a copy if it is mutable */
    const char *reference; /* its name, if it came from a collection; or NULL */
    bool shown; /* false for a constant, and for an argument with only one possible value */
    /* How many items of its bundle, or of the variable of the model, are newer. -1 if it is not
     * such an item, or if values are not counted. */
    int64_t newer;
};

/* Supplies arguments instead of drawing them: DRAW_OK, or DRAW_ERROR if it can't. */
struct argument_source {
    enum draw_result (*give)(struct argument_source *argument_source, struct drawer *drawer,
                             size_t arg, struct value strategy, struct inverted *out,
                             struct error *err);
};

enum step_fate {
    STEP_RAN,      /* it was predicted and queued, and may have failed */
    STEP_BLOCKED,  /* it can't run here */
    STEP_GIVEN_UP, /* no arguments passed */
};

bool step_gate(struct example *example, const struct rule *rule, bool *open, struct error *err);
/* `replay`, the choices to use, and `argument_source` may be NULL. */
bool step_draw(struct example *example, struct step *step, const struct choices *replay,
               struct argument_source *argument_source, enum step_fate *fate, struct error *err);
/* Puts back the items that the step removed from bundles. */
void step_put_back(struct step *step);

#endif
