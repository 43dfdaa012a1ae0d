/*
 * An observer that takes a fingerprint of the state after each of an example's steps.
 *
 * A state is what the model's variables and the bundles hold, and what the invariants' queries
 * answered. Two states that look alike may differ in what nobody looks at: whoever draws
 * conclusions from them has to try them out.
 */
#ifndef EXAMINE_FINGERPRINT_H
#define EXAMINE_FINGERPRINT_H

#include "base/vec.h"
#include "example/observer.h"
#include "value/walk.h"

struct fingerprints {
    struct observer observer; /* first */
    struct arena arena;
    /* Of the last example: [n] is the state after step n, [0] after initialize. Steps that ran
     * ahead of a failure are there, too. Empty where the model is too large. */
    VEC(uint64_t) states;
    struct walk walk; /* through all values of the example */
    bool too_large;
};

void fingerprints_init(struct fingerprints *prints);
void fingerprints_free(struct fingerprints *prints);

#endif
