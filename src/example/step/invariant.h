/* Invariants: predicts results and sends the queries, and compares them when the answers arrive. */
#ifndef EXAMPLE_INVARIANT_H
#define EXAMPLE_INVARIANT_H

#include "example/step/statement.h"

struct again_answer;
struct example;
struct target;

/* An invariant for one combination of its `for` values, in the flight's arena. */
struct invariant_check {
    const struct invariant *invariant;
    size_t number; /* the number of steps before it */
    size_t trace;  /* length of the trace at that time */
    struct value *locals;
    struct value *fors;                  /* the values at that time */
    const struct target *const *targets; /* their targets; NULL if unknown */
    struct value expected;
    /* An answer that later checks may reuse; its `expected` lives as long as the example. Or NULL.
     */
    const struct again_answer *kept;
    bool late; /* it was counted already when it was left out (again.h) */
    struct sending sending;
};

/* Predicts and sends the due invariants, after `example->number` steps. */
bool invariants_check(struct example *example, enum invariant_when when, struct error *err);
/* After the last step: checks the invariants that were left out. */
bool invariants_check_rest(struct example *example, struct error *err);

#endif
