/* A plan: the example to run, and the mode. Only the plan decides that. */
#ifndef EXAMPLE_PLAN_H
#define EXAMPLE_PLAN_H

#include "example/step/way.h"
#include "machine/machine.h"
#include "trace/trace.h"

enum invariant_scope {
    SCOPE_ALL,  /* at the times that the machine sets */
    SCOPE_ONE,  /* `only`, after every step (or at the end, if the machine checks it there) */
    SCOPE_LAST, /* `only`, after the trace's last step */
    /* all, after every step, even those that the machine checks less often; the observer is told of
     * failures (`parted`), and the example continues */
    SCOPE_EACH,
    SCOPE_FINAL, /* all, but only at the end */
    SCOPE_NONE,  /* only the rules' predictions */
};

struct observer;
struct step;

/* Which steps of later sessions are preferred: those whose predicted answers the steps of earlier
 * sessions change. */
enum meeting {
    MEET_BY_CHANCE,
    MEET,            /* in any way */
    MEET_BY_ANSWERS, /* rather from one answer to another than to or from an error */
    MEET_CROSSWISE,  /* so that each session changes what the other one does */
};

/* The distribution of the fresh steps: the number before the sessions, and in each session. */
struct branching {
    size_t before;
    size_t migrated;                 /* of those before: transactions of the migration */
    size_t each[TRACE_SESSIONS_MAX]; /* 0 after the last */
    bool echo; /* later sessions mostly repeat rules and arguments of earlier ones */
    enum meeting meets;
};

struct example_plan {
    const struct trace *trace; /* replayed first; or NULL */
    /* Then the first `pinned_steps` calls of this example; or NULL. */
    const struct pinned_example *pinned;
    size_t pinned_steps;
    const struct way *way; /* then fresh steps, made in this way, up to settings.steps; or NULL */
    const struct branching *branching; /* NULL without sessions */
    bool near;                 /* most examples choose from a neighbourhood (example/step/near.h) */
    uint64_t number;           /* of the fresh example, from 1; decides its random stream */
    bool stepwise;             /* take each answer before the next step */
    bool quiet;                /* discard the model's output */
    bool guarded;              /* any step may raise an error, which only undoes the step */
    bool lenient;              /* take answers without comparing them; implies `stepwise` */
    bool tables;               /* report changes of tables to the observer; implies `stepwise` */
    bool named;                /* name the anomaly of a race, which takes a few more runs */
    bool stays;                /* do not roll back at the end; the caller does */
    struct observer *observer; /* NULL: none */
    /* Finds a step of another session whose client has died; NULL if there is none. May be NULL. */
    const struct step *(*dead)(void *host, uint32_t id);
    void *host; /* of it */
    enum invariant_scope scope;
    const struct invariant *only;
};

#endif
