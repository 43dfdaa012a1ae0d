/* What is known of a machine's rules and invariants before a run, worked out once. */
#ifndef EXAMPLE_ANALYSIS_H
#define EXAMPLE_ANALYSIS_H

#include "machine/machine.h"

/* An argument that is fixed, once it has been evaluated. */
struct kept_argument {
    bool evaluated;
    bool frozen;        /* the value can't change, so it is not evaluated again */
    struct value value; /* in the engine's arena */
    uint64_t steps;     /* that it took */
};

struct rule_analysis {
    struct kept_argument *args; /* of rule->args */
    /* What the rule returns can reach the model or a bundle: only then is it worth knowing where a
     * value came from, which costs a wrong guess where another value is equal to it. */
    bool returns_used;
    bool answers_alike; /* it has an `affects` or an `expect`, which gives the same in every step */
};

struct invariant_analysis {
    bool *late; /* of invariant->checks: those that read `result` */
    bool late_any;
    /* A late check reads the model, too, or what may be a part of it: it must be made before the
     * model moves on. */
    bool waits;
    /* Its parameters and contexts depend on more than its `for` values. */
    bool sends_model;
    /* It has the `for` and the context of the one before it: they are asked together, value by
     * value, so that the context changes with the value and not with each query. */
    bool joins;
};

struct analysis {
    struct rule_analysis *initialize; /* of machine->initialize */
    struct rule_analysis *rules;      /* of machine->rules */
    struct invariant_analysis *invariants;
};

void analyse(const struct machine *machine, struct arena *arena, struct analysis *out);

#endif
