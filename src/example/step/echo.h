/*
 * Steps that echo an earlier one of the example.
 *
 * Arguments with the same strategy usually mean things of one kind: an account to charge and one to
 * refund, a first and a last hour. If all are drawn independently, they rarely match. A step that
 * *echoes* an earlier one repeats its values for arguments with the same strategy. If it is of the
 * same rule, all arguments but one are repeated.
 */
#ifndef EXAMPLE_ECHO_H
#define EXAMPLE_ECHO_H

#include "example/step/step.h"

/* Sets the rule and the repeated arguments, in the arena of example->state's caller; the other
 * arguments are left out, so that they are drawn. False if there is no step to echo. */
bool echo_choose(struct example *example, struct step_plan *out);

#endif
