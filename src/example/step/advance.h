/* The simulated clock, as the model sees it: the variable `now`. */
#ifndef EXAMPLE_ADVANCE_H
#define EXAMPLE_ADVANCE_H

#include "example/step/step.h"

/* The example begins: `now` is the time that the machine says. Nothing where it has no clock. */
void now_begin(struct example *example);
/* Moves the clock of the model as the step's rule says, before its errors and rows are predicted;
 * step->now_us is the time then. */
bool now_advance(struct example *example, struct step *step, struct error *err);
/* Puts it back where a step was only tried. */
void now_put_back(struct example *example, int64_t now_us);
/* "2026-01-01 00:00:00+00" */
const char *now_text(struct arena *arena, int64_t now_us);

#endif
