/* What the model predicts for a step that was drawn to choose from (novel.h), without running it.
 */
#ifndef EXAMPLE_FORESEE_H
#define EXAMPLE_FORESEE_H

#include "example/step/step.h"

struct foreseen {
    bool raises;
    bool refused;    /* it has no effect: an error, no changed row, or the answer no or nothing */
    uint64_t answer; /* a hash; 0: none is predicted */
};

/* Where the example's state only looks (lang_looking). Mistakes in the model are ignored here; they
 * show when the step runs. */
struct foreseen foresee_step(struct example *example, struct step *step);
/* The same if only the steps before the sessions had run. */
struct foreseen foresee_before_sessions(struct example *example, struct step *step);

#endif
