/* What a client computed from the answers of its step, as an expression of SQL. */
#ifndef REPLAY_RECORD_COMPUTED_H
#define REPLAY_RECORD_COMPUTED_H

#include "replay/recording/recording.h"

struct example;
struct step;

/* Sets out->computed if the local `slot` of the step is a number that a statement's `let` computes
 * from answers by + - *. The answers' values have origins. */
void record_computed(struct example *example, const struct step *step, size_t slot,
                     struct arena *arena, struct recorded_value *out);

#endif
