/*
 * Remembers an example's earlier draws, to repeat them on purpose: databases often fail on
 * collisions.
 *
 * It keeps choices instead of values. Replaying them records a repeated value like any other. Draws
 * that are alike have the same key (the same strategy with the same arguments, or the same kind of
 * strategy). It keeps the latest few under each key, and the items last drawn from bundles and
 * collections.
 */
#ifndef GEN_MEMORY_H
#define GEN_MEMORY_H

#include "gen/strategy.h"

enum { MEMORY_KEYS_MAX = 256, MEMORY_KEPT = 12, MEMORY_CHOICES_MAX = 64, MEMORY_ITEMS = 16 };

/* Keeps `count` choices under the key; more than MEMORY_CHOICES_MAX are not kept. */
void memory_add(struct draw_memory *memory, uint64_t key, const struct choice *choices,
                size_t count);
/* Some choices kept under the key, the latest as likely as all others together; NULL if there are
 * none. */
const struct choices *memory_pick(const struct draw_memory *memory, uint64_t key, struct rng *rng);

void memory_add_item(struct draw_memory *memory, struct value item);
/* The item drawn `back` items before the last one; false if it and earlier ones are no longer kept.
 */
bool memory_item(const struct draw_memory *memory, size_t back, struct value *out);

#endif
