/* Answers that are kept, so that a step can be run again without the database. */
#ifndef EXAMPLE_SAVED_H
#define EXAMPLE_SAVED_H

#include "example/backend.h"

struct step;

struct saved_answer {
    bool raised;
    bool waits; /* its answer is needed by the model */
    bool
        can_change; /* it has lists or dicts, which the model may change: a copy for each example */
    struct answer answer;
};

/* What the step was answered; a copy that lives in the arena. */
struct saved_answer saved_answer_of(struct arena *arena, const struct step *step);

#endif
