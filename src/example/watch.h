/*
 * Watching an example: a fingerprint of the state after each of its steps.
 *
 * A state is what the model's variables and the bundles hold, and what the invariants' queries
 * answered. Two states that look alike may differ in what nobody looks at: whoever draws
 * conclusions from them has to try them out. Only what is being shortened is watched.
 */
#ifndef EXAMPLE_WATCH_H
#define EXAMPLE_WATCH_H

#include "base/vec.h"
#include "value/walk.h"

#include <stdbool.h>
#include <stdint.h>

struct example;
struct invariant_check;
struct received;

struct watch {
    bool on; /* for the examples that begin from now on */
    struct arena arena;
    /* Of the example that was watched last: [n] is the state after step n, [0] after initialize.
     * Steps that ran ahead of a failure are there, too. Empty where the model is too large. */
    VEC(uint64_t) states;
    struct walk walk; /* through all values of the example */
    bool too_large;
};

/* A new example begins. */
void watch_begin(struct watch *watch);
/* The model has moved on to where it is after step `example->number`. */
void watch_model(struct example *example);
/* An invariant's query was answered. */
void watch_answer(struct example *example, const struct invariant_check *check,
                  const struct received *received);
void watch_free(struct watch *watch);

#endif
