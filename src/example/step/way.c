#include "example/step/way.h"

#include <assert.h>
#include <string.h>

const struct way example_ways[WAY_COUNT] = {
    [WAY_UNIFORM] = {.name = "uniform"},
    [WAY_HOT] = {.name = "hot", .hot = true, .local = true},
    [WAY_NOVEL] = {.name = "novel", .hot = true, .local = true, .novel = true},
    [WAY_LATE] = {.name = "late", .late = true},
    [WAY_SKEW] = {.name = "skew", .hot = true, .late = true, .skew = true},
    [WAY_SIMPLEST] = {.name = "simplest", .simplest = true},
};

static const unsigned char turns[] = {WAY_NOVEL, WAY_UNIFORM, WAY_HOT,   WAY_UNIFORM,
                                      WAY_LATE,  WAY_UNIFORM, WAY_NOVEL, WAY_SKEW};

const struct way *way_of(uint64_t number)
{
    assert(number >= 1);
    return &example_ways[number == 1 ? WAY_SIMPLEST : turns[(number - 2) % sizeof turns]];
}

const struct way *way_named(const char *name)
{
    for (unsigned i = 0; i < WAY_COUNT; i++) {
        if (strcmp(example_ways[i].name, name) == 0) {
            return &example_ways[i];
        }
    }
    return NULL;
}
