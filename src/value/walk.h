/*
 * Limits for walking through a nested value.
 *
 * A model can build a list nested a million times, one that holds itself, or one whose parts are
 * shared so often that its tree has 2^100 leaves, all within the language's limits. A walk
 * therefore counts its depth and its visits, and stops when either reaches its limit.
 */
#ifndef VALUE_WALK_H
#define VALUE_WALK_H

#include "value/value.h"

/* A tree of values that fits the 64 MiB of an example has fewer than WALK_VISITS_MAX nodes, at 16
 * bytes each. */
enum { WALK_DEPTH_MAX = 200, WALK_VISITS_MAX = 5 * 1000 * 1000, WALK_TEXT_MAX = 64 << 20 };

struct walk {
    unsigned depth;
    size_t visits;
    enum { WALK_FINE, WALK_TOO_DEEP, WALK_TOO_MUCH } limit; /* once set it stays */
};

/* Goes one level down, into a list, tuple, dict, … (anything else has no parts, and can always be
 * entered). Returns false at a limit; then do not call walk_leave. */
bool walk_enter(struct walk *walk, struct value value);
void walk_leave(struct walk *walk);
/* Sets err to the limit and the operation (`verb`: "compare") that failed. Always false. */
bool walk_error(const struct walk *walk, const char *verb, struct error *err);

/* The hash behind value_hash, for a value that is not in a table. Lists, dicts and sets have one,
 * too; equal values have equal hashes. All objects without a hash count as equal. If the walk
 * reaches a limit, the rest does not count. */
uint64_t value_hash_deep(struct walk *walk, struct value value);

#endif
