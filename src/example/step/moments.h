/* The moments of a machine with a clock that are worth reaching (struct draw_moments). */
#ifndef EXAMPLE_MOMENTS_H
#define EXAMPLE_MOMENTS_H

#include "gen/strategy.h"

struct engine;
struct example;

/* Finds the intervals and the names of time zones in the texts of the machine's file and among the
 * engine's pool. Does nothing if the machine has no clock. */
void moments_learn(struct engine *engine);
/* Adds the moments and the intervals that the model's variables hold now; of a large model, only a
 * part. The result is in the arena. */
const struct draw_moments *moments_find(const struct example *example, struct arena *arena);

#endif
