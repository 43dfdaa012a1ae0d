/*
 * Choosing one of several drawn steps by what the model says of them.
 *
 * A step is *refused* if the model says that nothing comes of it: it must raise an error, changes
 * no row, or is answered by no, none or nothing. In a schema that has states or owners, most random
 * steps are refused. An example whose way is `accepted` or `runs` draws most of them again, and so
 * does every example of several sessions for the steps that run side by side. A step of a
 * later session is looked at twice: by the model as it is, and as it was before the sessions. It
 * counts as refused if both refuse it. Half of the examples prefer a step whose answers differ,
 * most of all if only the first is an error.
 *
 * One whose way is `novel` gives each rule its turns by weight, and prefers the step whose *shape*
 * it has had least. The shape is the rule, and the state of each argument: what the model's dicts
 * and sets hold under it, or else which rule had it last. So what was created is carried through
 * all that can be done with it. All refused steps of a rule have one shape.
 *
 * Some steps are taken as they come, because a wrong policy may show in what it does not refuse.
 * Choosing only looks at the model, and its cost has limits that do not depend on the clock.
 * Nothing is kept from one example for the next.
 */
#ifndef EXAMPLE_NOVEL_H
#define EXAMPLE_NOVEL_H

#include "base/map.h"
#include "example/step/step.h"

/* What the example has had; in its arena. */
struct novelty {
    struct map last; /* by an argument's hash: 1 + the rule that had it last and was not refused */
    struct map shapes;     /* by hash: how often */
    struct error *ignored; /* of looks at the model: what is wrong shows when the step is run */
};

/* Draws steps and gives the one to be run: its rule and its choices, which are NULL where it has to
 * be drawn as it is run. `out->rule` is NULL where none can run. */
void novel_choose(struct example *example, struct step_plan *out);

#endif
