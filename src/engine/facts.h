/* What is known of a machine's rules and invariants before a run, worked out once. */
#ifndef ENGINE_FACTS_H
#define ENGINE_FACTS_H

#include "machine/machine.h"

struct rule_facts {
    /* What the rule returns can reach the model or a bundle: only then is it worth knowing where a
     * value came from, which costs a wrong guess where another value is equal to it. */
    bool hands_on;
    bool raises_alike; /* it has a `raises`, which gives the same in every step */
};

struct invariant_facts {
    bool *late; /* of invariant->checks: those that read `result` */
    bool late_any;
    /* A late check reads the model, too, or what may be a part of it: it must be made before the
     * model moves on. */
    bool waits;
    /* It has the `for` and the context of the one before it: they are asked together, value by
     * value, so that the context changes with the value and not with each query. */
    bool joins;
};

struct context_facts {
    /* It reads globals alone: as long as these are the same, so is what it gives. */
    bool steady;
    const size_t *globals; /* slots */
    size_t global_count;
};

struct facts {
    struct rule_facts *initialize; /* of machine->initialize */
    struct rule_facts *rules;      /* of machine->rules */
    struct invariant_facts *invariants;
    struct context_facts *contexts; /* of machine->contexts */
};

void facts_of(const struct machine *machine, struct arena *arena, struct facts *out);

#endif
