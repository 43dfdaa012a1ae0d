/*
 * Chooses one of several drawn steps by the model's predictions.
 *
 * A step is *refused* if the model predicts that it has no effect: an error, no changed row, or the
 * answer no, none or nothing. In a schema with states or owners, most random steps are refused. The
 * ways `accepted` and `runs` draw most of them again, and so do examples of several sessions for
 * concurrent steps. A step of a later session is predicted twice: by the current model, and by the
 * model before the sessions. It counts as refused if both refuse it. Half of the examples prefer a
 * step whose two predictions differ, most of all if only the first is an error. Some choose by
 * `crosswise` instead.
 *
 * The way `novel` chooses rules by weight, and prefers the step with the rarest *shape* so far. The
 * shape is the rule and the state of each argument: what the model's dicts and sets hold under it,
 * or otherwise the rule that used it last. Created things thus pass through all possible
 * operations. All refused steps of a rule have one shape.
 *
 * Some steps are taken without this choice, because a wrong policy may show in what it fails to
 * refuse. Choosing only reads the model, with limits that do not depend on the clock. Examples
 * share no state.
 */
#ifndef EXAMPLE_NOVEL_H
#define EXAMPLE_NOVEL_H

#include "base/map.h"
#include "example/step/step.h"

/* The example's history; in its arena. */
struct novelty {
    struct map last; /* by an argument's hash: 1 + the last rule that used it and was not refused */
    struct map shapes;     /* counts by hash */
    struct error *ignored; /* errors while predicting; they show when the step runs */
};

/* Draws steps and chooses the one to run: its rule and its choices, which are NULL if it must be
 * drawn when it runs. `out->rule` is NULL if no rule can run. */
void novel_choose(struct example *example, struct step_plan *out);

#endif
