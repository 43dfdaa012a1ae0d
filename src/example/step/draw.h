/* Whether a rule can run here, and what its arguments are. */
#ifndef EXAMPLE_DRAW_H
#define EXAMPLE_DRAW_H

#include "gen/strategy.h"
#include "machine/machine.h"

struct example;
struct step;

/* An argument that a step was given. */
struct drawn {
    struct value value;    /* as it was then: a copy where it can change */
    const char *reference; /* its name, where it came out of a collection; or NULL */
    bool shown;            /* drawn: a constant or what has one value only is not */
};

/* Gives arguments instead of drawing them: DRAW_OK, or DRAW_ERROR where it can't. */
struct giver {
    enum draw_result (*give)(struct giver *giver, struct drawer *drawer, size_t arg,
                             struct value strategy, struct inverted *out, struct error *err);
};

enum step_fate {
    STEP_RAN,      /* predicted and queued; it may have failed */
    STEP_BLOCKED,  /* can't run here */
    STEP_GIVEN_UP, /* draws came to nothing */
};

bool step_gate(struct example *example, const struct rule *rule, bool *open, struct error *err);
/* `replay`: choices to take, or NULL; `giver`: or NULL. */
bool step_draw(struct example *example, struct step *step, const struct choices *replay,
               struct giver *giver, enum step_fate *fate, struct error *err);
/* Puts back what the step took out of bundles. */
void step_put_back(struct step *step);

#endif
