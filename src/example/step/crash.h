/*
 * Clients that die: a step's client goes away before it sends the COMMIT, or after it, without
 * having read the answer. A step that died before its COMMIT did nothing, and its answers tell
 * nobody anything. One that died after it is a step like any other, whose session is over. A step
 * outside of a transaction may also be ended by the server at one of its gates: some of its
 * transactions are committed then.
 *
 * Then the same step may be sent again, as a step of its own with the same arguments: the client
 * does not know what became of the first.
 */
#ifndef EXAMPLE_CRASH_H
#define EXAMPLE_CRASH_H

#include "example/step/step.h"

/* What a client does that died in a step of the rule; CRASH_NEVER if it can't die here. */
enum crash_then crash_of(const struct example *example, const struct rule *rule);
/* Draws how the client of the next step dies, if it can: mostly it doesn't. `*gate` is where it
 * does if the step is one that can die in the middle, or 0. */
enum trace_death crash_draw(struct example *example, uint32_t *gate);
/* As the step dies: what crash_draw gave, or a trace has, if that is possible. */
enum trace_death crash_death(const struct example *example, const struct rule *rule,
                             enum trace_death death, uint32_t gate);
/* The step that is to be sent again now, as the next one of the session; otherwise NULL. It is the
 * last one, or what an earlier session left to this one. */
const struct step *crash_repeats(struct example *example);

/* Gives the step the arguments of `dead`, whose client died. STEP_BLOCKED: the model says nothing
 * of such a step, and the rule does not say that it is sent all the same. */
bool crash_draw_again(struct example *example, struct step *step, const struct step *dead,
                      enum step_fate *fate, struct error *err);
/* Sends the statements of a step that dies before its COMMIT, and takes their answers. */
bool crash_send(struct example *example, struct step *step, struct error *err);
/* The same of a step that dies in the middle; then it has died, and the model has changed by what
 * was committed. */
bool crash_within(struct example *example, struct step *step, struct error *err);
/* The step's client dies. */
bool crash_die(struct example *example, const struct step *step, struct error *err);

#endif
