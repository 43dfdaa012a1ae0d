/*
 * Variations of a trace: shorter ones, made by several random edits at once, for where no edit by
 * itself leads on. What they are about is values that steps make out of other values: one is made
 * another way, from a value that is there anyway, instead of step by step from nothing.
 *
 * A variation holds no step that can have no part in the failure (pass_values), it ends with the
 * step that the trace ends with, and it is the same for the same random stream.
 */
#ifndef SHRINK_VARIATION_H
#define SHRINK_VARIATION_H

#include "gen/rng.h"
#include "trace/trace.h"

/* What is known of the steps of a trace. */
struct variation {
    const struct trace *trace;
    size_t first;       /* index of the first step that is no initialize step */
    const bool *gives;  /* by step: another one refers to it */
    const size_t *kind; /* by step: equal where one may stand for the other in a reference */
    struct rng rng;
};

/* In `arena`, as long as the trace is there. `collections` as in struct shrink_target. */
struct variation variation_of(const struct trace *trace, const size_t *collections,
                              struct arena *arena);
/* Whether there is anything to vary: a step that makes a value out of others, and none that a
 * failure of the last step can do without. */
bool variation_pays(const struct variation *variation, struct arena *arena);
/* One variation of fewer steps. False: the edits came to nothing this time. */
bool variation_next(struct variation *variation, struct arena *arena, struct trace *out);

#endif
