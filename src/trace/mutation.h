/*
 * Mutation: a new trace out of one or two others, to be replayed with a random source behind it.
 *
 * What comes out need not run as it stands: a replay drops the steps that can't, and fills up with
 * fresh ones. Every id is unique, and a reference names a step before it, or is by position: where
 * the step that it named is gone, or comes later now, the step takes the value that stands where
 * that one stood.
 *
 * It looks at nothing but its arguments, so the same ones give the same trace.
 */
#ifndef TRACE_MUTATION_H
#define TRACE_MUTATION_H

#include "gen/rng.h"
#include "trace/trace.h"

struct mutating {
    struct arena *arena; /* of what comes out */
    struct rng *rng;
    const struct trace *other; /* to splice with; borrowed */
    uint32_t next_id;          /* no step of either trace has it, or a greater one */
};

/* Ids to begin with for traces made of these two. */
uint32_t mutation_next_id(const struct trace *a, const struct trace *b);

/* One way to change a trace. The result shares choices with what it was made of, which must outlive
 * it. Initialize steps stay as they are, but for their arguments. A trace without other steps comes
 * back as it is. */
struct trace_operator {
    const char *name;
    unsigned weight;
    struct trace (*apply)(struct mutating *mutating, const struct trace *trace);
};
/* Ends with name NULL. */
extern const struct trace_operator trace_operators[];

/* One or several operators, one after the other, then the first `steps_max` steps at the most
 * (initialize not counted). A deep copy in mutating->arena. */
struct trace trace_mutate(struct mutating *mutating, const struct trace *trace, size_t steps_max);

#endif
