/*
 * Other values for the arguments of a trace, to find out which of them matter. The functions copy a
 * trace and change the choices of some arguments; the caller runs the copy.
 */
#ifndef SHRINK_VARY_H
#define SHRINK_VARY_H

#include "gen/rng.h"
#include "trace/trace.h"

/* An argument of a step that makes choices; both are indexes. */
struct vary_place {
    size_t step;
    size_t argument;
};
struct vary_places {
    VEC(struct vary_place) items;
};

/* All arguments of the steps after initialize. */
struct vary_places vary_places(const struct trace *trace, struct arena *arena);

enum { VARY_FEW = 8 }; /* up to this many values are tried one by one */

/* Returns true if the argument is a single choice among consecutive values; *index is the current
 * one. */
bool vary_index(const struct trace *trace, struct vary_place place, uint64_t *index);
/* The trace with the value of that index, or with the last one if the index is larger. */
struct trace vary_pick(const struct trace *trace, struct vary_place place, uint64_t index,
                       struct arena *arena);
/* The trace with other choices for these arguments. Their number stays the same, so a list keeps
 * its length. */
struct trace vary_draw(const struct trace *trace, const struct vary_places *places, struct rng *rng,
                       struct arena *arena);

#endif
