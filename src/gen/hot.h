/*
 * Hot values: from a small range or a short collection, an example draws only some values, as swarm
 * testing (Groce and others, 2012) does with rules. This makes sequences likely that use one key
 * throughout.
 *
 * The hot values depend only on the example's salt and the values. Equal collections therefore have
 * the same hot values in every rule, also when they are recomputed. Hot values affect proposals, so
 * a replay does not depend on them.
 */
#ifndef GEN_HOT_H
#define GEN_HOT_H

#include "gen/rng.h"

#include <stddef.h>

enum { HOT_VALUES_MAX = 32 };

/* Picks one of the equally likely hot values among `count` (1 to HOT_VALUES_MAX), which are told
 * apart by their hashes. False if all are hot: usually of two, and in five of eight examples of
 * four or more. */
bool hot_pick(struct rng *rng, uint64_t salt, const uint64_t *hashes, size_t count, size_t *out);

#endif
