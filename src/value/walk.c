#include "value/walk.h"

#include <assert.h>

bool walk_enter(struct walk *walk, struct value value)
{
    assert(walk->depth <= WALK_DEPTH_MAX && walk->visits <= WALK_VISITS_MAX);
    size_t parts = 0;
    (void)value_length(value, &parts, NULL);
    if (walk->depth >= WALK_DEPTH_MAX) {
        walk->limit = WALK_TOO_DEEP;
    } else if (parts >= WALK_VISITS_MAX - walk->visits) {
        walk->limit = WALK_TOO_MUCH;
    }
    if (walk->limit != WALK_FINE) {
        return false;
    }
    walk->depth++;
    walk->visits += parts + 1;
    return true;
}

void walk_leave(struct walk *walk)
{
    assert(walk->depth > 0);
    walk->depth--;
}

bool walk_error(const struct walk *walk, const char *verb, struct error *err)
{
    assert(walk->limit != WALK_FINE);
    if (walk->limit == WALK_TOO_MUCH) {
        return error_set(err, ERROR_LIMIT, "cannot %s a value of more than %d parts", verb,
                         WALK_VISITS_MAX);
    }
    return error_set(err, ERROR_LIMIT, "cannot %s a value nested deeper than %d", verb,
                     WALK_DEPTH_MAX);
}
