#include "example/discovery.h"

#include <string.h>

const char *const discovered_names[DISCOVERED_KINDS] = {
    [DISCOVERED_RULES] = "rules",
    [DISCOVERED_PAIRS] = "pairs of rules",
    [DISCOVERED_ERRORS] = "errors of rules",
    [DISCOVERED_BUNDLES] = "bundles filled",
    [DISCOVERED_TABLES] = "tables filled",
    [DISCOVERED_LABELS] = "labels",
};
const char *const discovered_keys[DISCOVERED_KINDS] = {
    [DISCOVERED_RULES] = "rules",   [DISCOVERED_PAIRS] = "pairs",
    [DISCOVERED_ERRORS] = "errors", [DISCOVERED_BUNDLES] = "bundles",
    [DISCOVERED_TABLES] = "tables", [DISCOVERED_LABELS] = "labels",
};

/* Whether the curve has a point there. */
static bool is_point(uint64_t example)
{
    enum { ALL = 16 };
    uint64_t distance = 1;
    while (example > ALL * distance) {
        distance *= 2;
    }
    return example % distance == 0;
}

void discovery_begin(struct discovery *discovery, struct arena *arena)
{
    *discovery = (struct discovery){0};
    discovery->points.items = ARENA_ARRAY(arena, struct discovery_point, DISCOVERY_POINTS);
}

void discovery_add(struct discovery *discovery, uint64_t example, const uint64_t *seen)
{
    for (size_t i = 0; i < DISCOVERED_KINDS; i++) {
        discovery->last[i] = seen[i] > discovery->seen[i] ? example : discovery->last[i];
        discovery->seen[i] = seen[i];
    }
    if (is_point(example) && discovery->points.count < DISCOVERY_POINTS) {
        struct discovery_point *point = &discovery->points.items[discovery->points.count++];
        point->example = example;
        memcpy(point->seen, discovery->seen, sizeof point->seen);
    }
}
