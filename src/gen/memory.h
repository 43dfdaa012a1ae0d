/*
 * What an example drew before, so that it can be drawn again on purpose: collisions are where
 * databases fail.
 *
 * Choices are kept, not values: they are replayed, so that a repeated value is recorded like any
 * other. They are kept under a key: what says that two draws are alike (the same strategy with the
 * same arguments, or the same kind of strategy). The latest few under each key, and the items last
 * drawn from bundles and collections.
 */
#ifndef GEN_MEMORY_H
#define GEN_MEMORY_H

#include "gen/strategy.h"

enum { MEMORY_KEYS_MAX = 256, MEMORY_KEPT = 12, MEMORY_CHOICES_MAX = 64, MEMORY_ITEMS = 16 };

/* Keeps `count` choices under the key; more than MEMORY_CHOICES_MAX are not kept. */
void memory_add(struct draw_memory *memory, uint64_t key, const struct choice *choices,
                size_t count);
/* Some choices kept under the key, the latest as likely as the others together; NULL: none. */
const struct choices *memory_pick(const struct draw_memory *memory, uint64_t key, struct rng *rng);

void memory_add_item(struct draw_memory *memory, struct value item);
/* The item drawn `back` items before the last one; false: it is not kept, nor any before it. */
bool memory_item(const struct draw_memory *memory, size_t back, struct value *out);

#endif
