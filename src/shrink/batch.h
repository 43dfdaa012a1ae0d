/*
 * Several traces joined into one, to run them in one attempt (group testing). Their steps follow
 * each other, with new ids. If steps only touch the values that they refer to, the whole fails if a
 * member does, and it ends in that member.
 */
#ifndef SHRINK_BATCH_H
#define SHRINK_BATCH_H

#include "trace/trace.h"

struct batch_member {
    struct trace trace; /* unchanged */
    uint32_t last;      /* id of its last step in the whole; the members' ids ascend */
};

struct batch {
    struct trace whole;
    size_t first;     /* index of the first step after initialize, the same in all members */
    uint32_t next_id; /* above those of the initialize steps */
    VEC(struct batch_member) members;
};

/* Adds a trace with the same initialize steps as the others; choices are shared if possible. */
void batch_add(struct batch *batch, struct arena *arena, const struct trace *trace);
/* The member in which the execution of the whole ended; NULL if there is none. */
const struct batch_member *batch_ended_in(const struct batch *batch, const struct trace *executed);

/* The number of members, from the first on, up to the last one of which a step ran. If a rule's
 * limit is reached, later members do not run. */
size_t batch_begun(const struct batch *batch, const struct trace *executed);

#endif
