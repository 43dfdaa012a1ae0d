#include "example/step/way.h"

#include "base/hash.h"

#include <assert.h>
#include <string.h>

const struct way example_ways[WAY_COUNT] = {
    [WAY_UNIFORM] = {.name = "uniform"},
    [WAY_NOVEL] = {.name = "novel", .few = true, .novel = true},
    [WAY_RUNS] = {.name = "runs", .accepted = true, .runs = true},
    [WAY_ACCEPTED] = {.name = "accepted", .accepted = true, .echoes = true},
    [WAY_SIMPLEST] = {.name = "simplest", .simplest = true},
};

static const unsigned char turns[] = {
    WAY_NOVEL,    WAY_ACCEPTED, WAY_RUNS,     WAY_UNIFORM,
    WAY_ACCEPTED, WAY_RUNS,     WAY_ACCEPTED, WAY_UNIFORM,
};

enum { EIGHT = sizeof turns };

/* Each group of eight starts elsewhere, so that a run of every second example has all ways, too. */
static size_t turn_of(uint64_t number)
{
    return (size_t)((number - 2 + hash_mix((number - 2) / EIGHT)) % EIGHT);
}

const struct way *way_of(uint64_t number)
{
    assert(number >= 1);
    return &example_ways[number == 1 ? WAY_SIMPLEST : turns[turn_of(number)]];
}

bool way_near(uint64_t number, size_t *turn)
{
    if (number < 2 || turn_of(number) == EIGHT - 1) {
        return false;
    }
    uint64_t eight = (number - 2) / EIGHT;
    size_t place = (size_t)((number - 2) % EIGHT);
    size_t whole = (size_t)((2 * EIGHT - 1 - turn_of(eight * EIGHT + 2)) % EIGHT);
    *turn = (size_t)eight * (EIGHT - 1) + place - (place > whole);
    return true;
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
