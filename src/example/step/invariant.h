/* Invariants: what the model says, sent along with the queries; compared when the answers are in.
 */
#ifndef EXAMPLE_INVARIANT_H
#define EXAMPLE_INVARIANT_H

#include "example/step/statement.h"

struct again_answer;
struct example;
struct target;

/* An invariant for one combination of its `for` values, in the flight's arena. */
struct invariant_check {
    const struct invariant *invariant;
    size_t number; /* after that many steps */
    size_t trace;  /* steps in the trace then */
    struct value *locals;
    struct value *fors;                  /* as they were then */
    const struct target *const *targets; /* where they had arrived; NULL: nowhere that is known */
    struct value expected;
    /* What may hold for later ones; its `expected` lives as long as the example. NULL: nothing. */
    const struct again_answer *kept;
    bool late; /* it was counted when it was left out (again.h) */
    struct sending sending;
};

/* Predicts those that are due, after `example->number` steps. */
bool invariants_check(struct example *example, enum invariant_when when, struct error *err);
/* Behind the last step: asks those that were left out after it. */
bool invariants_check_rest(struct example *example, struct error *err);

#endif
