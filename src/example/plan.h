/* A plan: which example is to be executed, and in which mode. Nothing else decides that. */
#ifndef EXAMPLE_PLAN_H
#define EXAMPLE_PLAN_H

#include "example/step/way.h"
#include "machine/machine.h"
#include "trace/trace.h"

enum invariant_scope {
    SCOPE_ALL,  /* when the machine says */
    SCOPE_ONE,  /* `only`, after every step (or at the end, where it is checked there) */
    SCOPE_LAST, /* `only`, after the trace's last step alone */
    /* all, after every step, also those that the machine asks less often; one that does not hold is
     * told (observer `parted`), and the example goes on */
    SCOPE_EACH,
    SCOPE_FINAL, /* all, at the end alone */
    SCOPE_NONE,  /* the rules' own predictions alone */
};

struct observer;

/* How the fresh steps are spread over sessions: so many before them, so many in each. */
struct branching {
    size_t before;
    size_t each[TRACE_SESSIONS_MAX]; /* 0 behind the last */
    bool echo;  /* later sessions take rules and arguments of the earlier ones, mostly */
    bool meets; /* and steps whose answers the earlier ones change */
};

struct example_plan {
    const struct trace *trace; /* replayed first; NULL: nothing */
    /* Then the first `pinned_steps` calls of this example; NULL: nothing. */
    const struct pinned_example *pinned;
    size_t pinned_steps;
    const struct way
        *way; /* then fresh steps, made in this way, up to settings.steps; NULL: none */
    const struct branching *branching; /* NULL: they have no sessions */
    bool near;       /* most examples choose from a neighbourhood (example/step/near.h) */
    uint64_t number; /* of the fresh example, from 1: its random stream */
    bool stepwise;   /* each answer is taken before the next step, also where it need not be */
    bool quiet;      /* what the model prints is not passed on */
    bool lenient;    /* answers are taken as they come, and compared with nothing; `stepwise` */
    bool stays;      /* it is not undone at its end: whoever has it run sees to that */
    struct observer *observer; /* NULL: none */
    enum invariant_scope scope;
    const struct invariant *only;
};

#endif
