/*
 * Several traces in one, to be run in one attempt: the steps of one behind those of the other, with
 * ids of their own. Where steps touch nothing but the values that they refer to, the whole fails
 * if one of them does, and it ends in that one (group testing).
 */
#ifndef SHRINK_BATCH_H
#define SHRINK_BATCH_H

#include "trace/trace.h"

struct batch_member {
    struct trace trace; /* as it was added */
    uint32_t last;      /* id of its last step in the whole; the members' ids ascend */
};

struct batch {
    struct trace whole;
    size_t first;     /* index of the first step that is no initialize step, in all of them */
    uint32_t next_id; /* above those of the initialize steps */
    VEC(struct batch_member) members;
};

/* Adds a trace with the same initialize steps as those before it; its choices are shared where they
 * can be. */
void batch_add(struct batch *batch, struct arena *arena, const struct trace *trace);
/* The member in which the execution of the whole ended; NULL: none. */
const struct batch_member *batch_ended_in(const struct batch *batch, const struct trace *executed);

/* How many members, from the first on, the execution of the whole came to: behind the last one of
 * which a step was run. A rule that runs only so often leaves out those behind. */
size_t batch_begun(const struct batch *batch, const struct trace *executed);

#endif
