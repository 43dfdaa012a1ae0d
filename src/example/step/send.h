/* The statements of a step, in the order in which its client sends them. It computes what a
 * statement needs from the answers of those before it, so it waits for these. */
#ifndef EXAMPLE_STEP_SEND_H
#define EXAMPLE_STEP_SEND_H

#include "example/step/step.h"

/* Sends the statements into step->sending. It stops behind one that raises an error, if it waits
 * for it. `predicts`: evaluates what the model expects of each. */
bool step_send(struct example *example, struct step *step, bool predicts, struct error *err);
/* After all answers were received: gives the answers their names. */
void step_name_answers(struct example *example, struct step *step);
/* After an error: the names that it left without a value stand for None. */
void step_name_nothing(struct step *step);
/* The same for a step that runs over its saved answers, and computes again what it computed from
 * them. */
bool step_name_saved(struct example *example, struct step *step, struct error *err);
/* Gives each value of an answer that the model reads a unique origin, unless a recorder did. */
void step_give_origins(struct example *example, struct answer *answer);
/* Evaluates an `affects`. */
bool affects_look(struct example *example, const struct lang_code *code, struct value *locals,
                  int64_t *out, struct error *err);

#endif
