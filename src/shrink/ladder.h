/* Simpler values to try in place of one choice, in the order in which they are worth trying. */
#ifndef SHRINK_LADDER_H
#define SHRINK_LADDER_H

#include "gen/choice.h"

/* Gives replacement `rung` (from 0) for the choice; false where there are no more. Values are made
 * in `arena`. The rungs depend on the choice alone, so a search restarts from 0 after each success.
 */
bool ladder_rung(struct arena *arena, const struct choice *choice, size_t rung, struct choice *out);

#endif
