/* Pinned examples: sequences that stand in the machine, run as they are written. */
#ifndef EXAMPLE_PINNED_H
#define EXAMPLE_PINNED_H

#include "base/error.h"

struct example;

/* Runs the calls of the plan's pinned example, as many as it says. A step that can't run is an
 * error with the place of its call. */
bool pinned_steps(struct example *example, struct error *err);

#endif
