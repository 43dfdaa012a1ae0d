/* The simulated clock in the model: the variable `now`. */
#ifndef EXAMPLE_ADVANCE_H
#define EXAMPLE_ADVANCE_H

#include "example/step/step.h"

/* At the start of an example, sets `now` to the machine's time, if it has a clock. */
void now_begin(struct example *example);
/* Moves the model's clock by the rule's `advance`, before errors and rows are predicted;
 * step->now_us becomes the new time. */
bool now_advance(struct example *example, struct step *step, struct error *err);
/* Puts the clock back after a step was only tried. */
void now_put_back(struct example *example, int64_t now_us);
/* "2026-01-01 00:00:00+00" */
const char *now_text(struct arena *arena, int64_t now_us);

#endif
