/*
 * Limits for walking through a nested value.
 *
 * A model can build a list nested a million times, one that holds itself, or one whose parts are
 * shared so often that its tree has 2^100 leaves, all within the language's limits. A walk
 * therefore counts its depth and its visits, and stops at a limit for either.
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
    enum { WALK_FINE, WALK_TOO_DEEP, WALK_TOO_MUCH } limit; /* stays once it is set */
};

/* Goes one level down, into a list, tuple, dict, … Anything else has no parts and can always be
 * entered. Returns false at a limit; then do not call walk_leave. */
bool walk_enter(struct walk *walk, struct value value);
void walk_leave(struct walk *walk);
/* Sets err to the limit and the operation (`verb`: "compare") that failed. Always false. */
bool walk_error(const struct walk *walk, const char *verb, struct error *err);

/* Like value_hash, but lists, dicts and sets have hashes, too. Do not use it for keys of tables.
 * Equal values have equal hashes, and so do all objects without a hash. If the walk reaches a
 * limit, the rest is ignored. */
uint64_t value_hash_deep(struct walk *walk, struct value value);

#endif
