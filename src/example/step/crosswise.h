/*
 * Steps of sessions that depend on each other in both ways, by the model (MEET_CROSSWISE).
 *
 * Two sessions that both do as if the other one had not begun contradict every serial order only if
 * each of them does something else when the other one is done. Three transactions may be needed for
 * that: one that writes by what it has read; one that changes what it reads; a report that sees the
 * second one, but not the first (Fekete, O'Neil, O'Neil, "A Read-Only Transaction Anomaly Under
 * Snapshot Isolation", 2004). By chance, they hardly ever meet. So the first session gets a step
 * that others change, without undoing it. If there is none at this state, the sessions begin some
 * steps later; in the end, they meet by chance. The next session gets a step that changes it, and
 * at its end one that the first session changes.
 *
 * What a step does is what the model answers, and how it changes its state: by the same number, for
 * instance, or by the same entry.
 */
#ifndef EXAMPLE_CROSSWISE_H
#define EXAMPLE_CROSSWISE_H

#include "example/step/step.h"

struct crosswise {
    bool known;               /* the model is small, and what it does follows from the arguments */
    bool changes;             /* the step changes what earlier sessions do, and does not undo it */
    const struct step *other; /* of the first session's: one that changes it, or NULL */
    double cost;              /* of choosing it, 0 for the best; under CROSSWISE_POOR: it fits */
};
#define CROSSWISE_POOR 0.25

/* True if the example's next step is of a session, and sessions are to meet so. */
bool crosswise_wanted(const struct example *example);
/* Where the state only looks, at a step that the model does not refuse. */
struct crosswise crosswise_look(struct example *example, const struct step *step);
/* A step that is known to change the first session's; once. */
bool crosswise_other(struct example *example, struct step_plan *out);
/* The step was chosen, and runs next: in the current session, or before the sessions, if it does
 * not fit. */
void crosswise_note(struct example *example, const struct crosswise *crosswise);

#endif
