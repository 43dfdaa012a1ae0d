/*
 * Enumerates short traces that may fail like a longer one: a few of its steps, with other values
 * and in another order, and then its last step. The shortest come first. This finds traces that no
 * sequence of single edits reaches.
 *
 * Their number is limited because the steps derive values from others: every step must contribute
 * to the last one (pass_values); independent steps occur in one order only; a value is made without
 * others once, and from others at most twice; and a rule uses only the simplest two argument lists
 * of the trace.
 */
#ifndef SHRINK_ENUMERATE_H
#define SHRINK_ENUMERATE_H

#include "trace/trace.h"

/* A step to choose from, without its references. */
struct enumerated_step {
    const struct trace_step *step; /* of the trace */
    bool gives;                    /* steps of its rule produce values that others refer to */
    bool makes;                    /* and refer to values themselves */
    size_t kind;                   /* of the values it produces */
};

struct enumeration {
    const struct trace *trace;
    size_t first;       /* index of the first step after initialize */
    const bool *gives;  /* by step: true if another one refers to it */
    const size_t *kind; /* by step: equal if references to them are interchangeable */
    size_t tail;        /* how often the last step is repeated at the end */
    VEC(struct enumerated_step) steps; /* simpler rules first */
};

/* In `arena`, and valid as long as the trace. `collections` is as in struct shrink_target. */
struct enumeration enumeration_of(const struct trace *trace, const size_t *collections,
                                  struct arena *arena);
/* Returns true if some step builds a value from other steps' values and no step is removable. */
bool enumeration_pays(const struct enumeration *all, struct arena *arena);
/* Visits all traces of `steps` steps, followed by `tail` times the last one. A trace is valid until
 * `visit` returns. Stops if `visit` returns false. Returns false in that case, or if there are too
 * many. */
typedef bool enumerate_visit(void *context, const struct trace *candidate);
bool enumerate(const struct enumeration *all, size_t steps, size_t tail, enumerate_visit *visit,
               void *context);

#endif
