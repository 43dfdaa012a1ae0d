/* Simpler values for a choice, the most promising first. */
#ifndef SHRINK_LADDER_H
#define SHRINK_LADDER_H

#include "gen/choice.h"

/* Gives replacement `rung` (from 0) for the choice; false if there are no more. Values are made in
 * `arena`. The rungs depend only on the choice, so a search restarts from 0 after each success. */
bool ladder_rung(struct arena *arena, const struct choice *choice, size_t rung, struct choice *out);

#endif
