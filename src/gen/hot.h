/*
 * Hot values: of a small range or a short collection an example draws some values only, as swarm
 * testing (Groce and others, 2012) does with rules. A sequence that needs one key throughout is
 * likely then.
 *
 * Which values those are follows from the example's salt and the values alone, so that equal
 * collections have the same hot values in every rule, and one that is computed anew keeps them. It
 * decides what is proposed, so a replay does not depend on it.
 */
#ifndef GEN_HOT_H
#define GEN_HOT_H

#include "gen/rng.h"

#include <stddef.h>

enum { HOT_VALUES_MAX = 32 };

/* Picks one of `count` values (1 to HOT_VALUES_MAX), told apart by their hashes, each hot one as
 * likely as another. False where none is left out: most often of two, in five of eight examples of
 * four or more. */
bool hot_pick(struct rng *rng, uint64_t salt, const uint64_t *hashes, size_t count, size_t *out);

#endif
