/*
 * Other values for the arguments of a trace, to find out which of them matter. A trace is copied,
 * and the choices of some arguments change; whoever runs it sees what became of them.
 */
#ifndef SHRINK_VARY_H
#define SHRINK_VARY_H

#include "gen/rng.h"
#include "trace/trace.h"

/* An argument of a step that draws something; both by index. */
struct vary_place {
    size_t step;
    size_t argument;
};
struct vary_places {
    VEC(struct vary_place) items;
};

/* All arguments of steps that are not initialize's. */
struct vary_places vary_places(const struct trace *trace, struct arena *arena);

enum { VARY_FEW = 8 }; /* values that are tried one by one */

/* Whether the argument is a single choice between values in a row, which may be few: *index is that
 * of the value that it has. */
bool vary_index(const struct trace *trace, struct vary_place place, uint64_t *index);
/* The trace with the value of that index; beyond the last one, with the last one. */
struct trace vary_pick(const struct trace *trace, struct vary_place place, uint64_t index,
                       struct arena *arena);
/* The trace with other choices for these arguments. They keep their number: a list keeps its
 * length. */
struct trace vary_draw(const struct trace *trace, const struct vary_places *places, struct rng *rng,
                       struct arena *arena);

#endif
