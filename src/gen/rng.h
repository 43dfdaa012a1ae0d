/*
 * Randomness: xoshiro256** seeded through SplitMix64 (Blackman and Vigna,
 * https://prng.di.unimi.it). A stream depends only on the seed and its number, so that example i of
 * seed s is the same on every machine and in every worker.
 */
#ifndef GEN_RNG_H
#define GEN_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
    uint64_t state[4];
};

void rng_seed(struct rng *rng, uint64_t seed, uint64_t stream);
uint64_t rng_next(struct rng *rng);
/* Uniform in [0, bound); bound 0: any 64 bits. No modulo bias. */
uint64_t rng_below(struct rng *rng, uint64_t bound);
/* True once in `in` times on average (`in` ≥ 1). */
bool rng_one_in(struct rng *rng, uint64_t in);
double rng_unit(struct rng *rng); /* [0, 1) */

#endif
