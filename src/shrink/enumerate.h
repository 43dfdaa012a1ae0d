/*
 * Enumerates the traces that may show the same as a longer one: a few of its steps, done to other
 * values and in another order, and behind them its last step. The shortest come first. So it
 * reaches what no row of single edits leads to.
 *
 * They are few enough because they are about values that steps make out of others: every step must
 * have a part in what the last one is done to (pass_values); of two orders of steps that have
 * nothing to do with each other there is one; a value is made from nothing once, and out of others
 * twice at the most; of the arguments of a rule the simplest two that the trace has are used.
 */
#ifndef SHRINK_ENUMERATE_H
#define SHRINK_ENUMERATE_H

#include "trace/trace.h"

/* A step to choose from, whatever it refers to. */
struct enumerated_step {
    const struct trace_step *step; /* of the trace */
    bool gives;                    /* steps of its rule give values that others refer to */
    bool makes;                    /* and refer to some themselves */
    size_t kind;                   /* of what it gives */
};

struct enumeration {
    const struct trace *trace;
    size_t first;       /* index of the first step that is no initialize step */
    const bool *gives;  /* by step: another one refers to it */
    const size_t *kind; /* by step: equal where one may stand for the other in a reference */
    size_t tail;        /* how often the last step stands at the end, one behind the other */
    VEC(struct enumerated_step) steps; /* simpler rules first */
};

/* In `arena`, as long as the trace is there. `collections` as in struct shrink_target. */
struct enumeration enumeration_of(const struct trace *trace, const size_t *collections,
                                  struct arena *arena);
/* Whether there are any: a step makes a value out of others, and there is none that a failure of
 * the last step could do without. */
bool enumeration_pays(const struct enumeration *all, struct arena *arena);
/* All of `steps` steps before the last one, which stands `tail` times behind them. They are there
 * until `visit` returns; false from it: no more. False: it said so, or there are too many. */
typedef bool enumerate_visit(void *context, const struct trace *candidate);
bool enumerate(const struct enumeration *all, size_t steps, size_t tail, enumerate_visit *visit,
               void *context);

#endif
