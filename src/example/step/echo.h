/*
 * Steps that echo an earlier one of the example.
 *
 * Arguments that are written alike mostly stand for things of one kind: an account to charge and
 * one to refund, an hour that begins and one that ends. Drawn one by one, many of them hardly ever
 * fit each other. A step that *echoes* an earlier one takes its values for the arguments that are
 * written alike. Another step of the same rule differs from it in one argument.
 */
#ifndef EXAMPLE_ECHO_H
#define EXAMPLE_ECHO_H

#include "example/step/step.h"

/* Sets the rule and what its arguments take over, in the arena of example->state's caller; what
 * they do not take over is left out, so that it is drawn. False where there is nothing to echo. */
bool echo_choose(struct example *example, struct step_plan *out);

#endif
