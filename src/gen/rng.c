#include "gen/rng.h"

#include <assert.h>

static uint64_t rotate_left(uint64_t x, int by)
{
    assert(by > 0 && by < 64);
    return (x << by) | (x >> (64 - by));
}

/* SplitMix64's output function: a bijection in which every bit of x moves every bit of the result.
 */
static uint64_t mix_bits(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
}

static uint64_t splitmix_next(uint64_t *state)
{
    *state += 0x9E3779B97F4A7C15U;
    return mix_bits(*state);
}

void rng_seed(struct rng *rng, uint64_t seed, uint64_t stream)
{
    /* Streams of one seed differ in `start`, because mix_bits() is a bijection. It is mixed again,
     * so that neighbouring streams do not use the same part of SplitMix64's sequence. */
    uint64_t start = mix_bits(splitmix_next(&seed) ^ stream);
    for (int i = 0; i < 4; i++) {
        rng->state[i] = splitmix_next(&start);
    }
}

uint64_t rng_next(struct rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t rng_below(struct rng *rng, uint64_t bound)
{
    if (bound == 0) {
        return rng_next(rng);
    }
    /* Discards the lowest 2^64 mod bound results; the number of the others is a multiple of bound.
     */
    uint64_t skip = (0 - bound) % bound;
    for (;;) {
        uint64_t x = rng_next(rng);
        if (x >= skip) {
            return x % bound;
        }
    }
}

bool rng_one_in(struct rng *rng, uint64_t in)
{
    assert(in >= 1);
    return rng_below(rng, in) == 0;
}

double rng_unit(struct rng *rng) { return (double)(rng_next(rng) >> 11) * 0x1.0p-53; }
