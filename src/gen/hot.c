#include "gen/hot.h"

#include "base/hash.h"

#include <assert.h>
#include <math.h>

/* The number of hot values: from 1 to `count`, small numbers as likely as large ones. */
static size_t hot_count(uint64_t salt, const uint64_t *hashes, size_t count)
{
    uint64_t content = count;
    for (size_t i = 0; i < count; i++) {
        content += hash_mix(hashes[i]); /* a sum ignores their order */
    }
    struct rng rng;
    rng_seed(&rng, salt, content);
    uint64_t eighths = count >= 4 ? 3 : count - 1;
    if (rng_below(&rng, 8) >= eighths) {
        return count;
    }
    return (size_t)pow((double)count, rng_unit(&rng));
}

bool hot_pick(struct rng *rng, uint64_t salt, const uint64_t *hashes, size_t count, size_t *out)
{
    assert(count >= 1 && count <= HOT_VALUES_MAX);
    size_t hot = hot_count(salt, hashes, count);
    if (hot >= count) {
        return false;
    }
    uint64_t ranks[HOT_VALUES_MAX];
    for (size_t i = 0; i < count; i++) {
        ranks[i] = hash_mix(salt ^ hash_mix(hashes[i]));
    }
    for (uint64_t left = rng_below(rng, hot) + 1; left > 0; left--) {
        *out = 0;
        for (size_t i = 1; i < count; i++) {
            *out = ranks[i] < ranks[*out] ? i : *out;
        }
        if (left > 1) {
            ranks[*out] = UINT64_MAX;
        }
    }
    return true;
}
