/*
 * Choosing one of several drawn steps by what the model says of them.
 *
 * A step is *refused* if the model says that nothing comes of it: it must raise an error, changes
 * no row, or is answered by no, none or nothing. Most steps of a random sequence are, in a schema
 * that has states or owners. An example whose way is `accepted` draws again what is refused.
 *
 * One whose way is `novel` prefers, among the rules that ran least, the step whose *shape* it has
 * had least: its rule, and what the model holds of its arguments: the state of the order, the seats
 * that are left. An argument that the model knows nothing of has the rule that last had it. So what
 * was created is carried through all that can be done with it. All refused steps of a rule have one
 * shape.
 *
 * Some steps are taken as they come, as a wrong policy may show in what it does not refuse. All of
 * it is asked of the model, in microseconds and within limits that do not depend on the clock;
 * nothing is kept from one example for the next.
 */
#ifndef EXAMPLE_NOVEL_H
#define EXAMPLE_NOVEL_H

#include "base/map.h"
#include "example/step/step.h"

/* What the example has had; in its arena. */
struct novelty {
    struct map last; /* by an argument's hash: 1 + the rule that had it last and was not refused */
    struct map shapes; /* by hash: how often */
};

/* Draws steps and gives the one to be run: its rule and its choices, which are NULL where it has to
 * be drawn as it is run. `out->rule` is NULL where none can run. */
void novel_choose(struct example *example, struct step_plan *out);

#endif
