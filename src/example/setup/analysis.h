/* Facts about a machine's rules and invariants, computed once before a run. */
#ifndef EXAMPLE_ANALYSIS_H
#define EXAMPLE_ANALYSIS_H

#include "machine/machine.h"

/* A fixed argument after its first evaluation. */
struct kept_argument {
    bool evaluated;
    bool frozen;        /* the value can't change, so it is kept */
    struct value value; /* in the engine's arena */
    uint64_t steps;     /* of its evaluation */
};

struct rule_analysis {
    struct kept_argument *args; /* of rule->args */
    /* The rule's results can reach the model or a bundle. Only then are origins of values useful;
     * equal values can cause wrong guesses. */
    bool returns_used;
    bool answers_alike; /* it has an `affects` or `expect` with a constant value */
};

struct invariant_analysis {
    bool *late; /* of invariant->checks: those that read `result` */
    bool late_any;
    /* A late check also reads the model, or a value that may be a part of it, so it must run before
     * the model changes. */
    bool waits;
    /* Its parameters and contexts do not only depend on its `for` values. */
    bool sends_model;
    /* It has the same `for` and context as the one before it. They are checked together, value by
     * value, so that the context changes once per value and not for each query. */
    bool joins;
};

struct analysis {
    struct rule_analysis *initialize; /* of machine->initialize */
    struct rule_analysis *rules;      /* of machine->rules */
    struct invariant_analysis *invariants;
};

void analyse(const struct machine *machine, struct arena *arena, struct analysis *out);

#endif
