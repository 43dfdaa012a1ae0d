/* A step as it is shown: its call, with names for the values that it was given. */
#ifndef EXAMPLE_SHOWN_H
#define EXAMPLE_SHOWN_H

#include "trace/trace.h"

struct step;

/* In the arena. */
struct shown_step shown_step(struct arena *arena, const struct step *step);

#endif
