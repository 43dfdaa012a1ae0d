/*
 * Novel steps: of several drawn steps the example takes the one whose *shape* it has had least.
 *
 * A shape is a rule, and what the model holds of the step's arguments before it runs: the state of
 * the order, the seats that are left. An argument that the model knows nothing of has the rule that
 * last had it. Steps that must raise an error are one shape, and are wanted less. So what was
 * created is carried through all that can be done with it; refused steps, however likely they are,
 * do not crowd out the others, and of two steps the one of the rarer rule is taken.
 *
 * All of it is asked of the model, in microseconds, and nothing is kept from one example for the
 * next.
 */
#ifndef EXAMPLE_NOVEL_H
#define EXAMPLE_NOVEL_H

#include "base/map.h"
#include "example/step/step.h"

/* What the example has had; in its arena. */
struct novelty {
    struct map last;   /* by an argument's hash: 1 + the rule that had it last and raised nothing */
    struct map shapes; /* by hash: how often */
};

/* Draws steps and gives the one to be run. `out->rule` is NULL where none can run. */
bool novel_choose(struct example *example, struct step_plan *out, struct error *err);

#endif
