/* The model moves on: check, model, returns, targets. */
#ifndef EXAMPLE_FINISH_H
#define EXAMPLE_FINISH_H

#include "base/error.h"

struct example;
struct step;

/* Over the step's answer, where it waited for it. */
bool step_finish(struct example *example, struct step *step, struct error *err);

#endif
