/* A step: predicted and queued, then settled. */
#ifndef EXAMPLE_STEP_H
#define EXAMPLE_STEP_H

#include "example/bundle.h"
#include "example/step/draw.h"
#include "example/step/raises.h"
#include "example/step/statement.h"
#include "trace/trace.h"

/* In the example's arena until the example ends. */
struct step {
    const struct rule *rule;
    uint32_t id;
    size_t number; /* from 1; 0: initialize */
    size_t index;  /* in example.steps and in the trace */
    enum trace_death death;
    uint32_t gate;              /* of DEATH_WITHIN */
    struct backend_death ended; /* the same */
    const struct step *again;   /* the one that it repeats, whose client died; or NULL */
    struct choices choices;
    struct value *locals;
    struct drawn *drawn; /* of rule->args */
    VEC(struct taken) taken;
    VEC(const char *) outputs; /* names of the values that it put into bundles */
    bool advanced;             /* it moved the simulated clock */
    int64_t now_us;            /* to this time */
    struct prediction raises;
    struct value expected;
    int64_t affected;
    bool migrated;     /* a part of the machine's migration ran before it */
    bool refused;      /* the model expects no row, or the answer no, none or nothing */
    const char *label; /* or NULL */
    bool waits;        /* further predictions need its answer */
    struct sending sending;
    bool stopped; /* a statement failed, so that its client sent none of those that need its answer
                   */
    struct expectation *expectations; /* by statement; NULL: the rule expects nothing of them */
    struct answer *answers; /* by statement, if it `waits` and its rule names some; or NULL */
    bool raised;            /* after settling: it raised an error, or was undone without one */
    char sqlstate[6];       /* of that error; or "" */
    struct answer answer;   /* of the last statement, if it `waits` and raised no error */
};

/* What the model expects of one statement. */
struct expectation {
    bool predicted; /* `expect` and `affects` were evaluated */
    struct value expected;
    int64_t affected;
};

/* The next step to run. */
struct step_plan {
    const struct rule *rule;
    uint32_t id;
    const struct choices *replay;            /* to use; or NULL */
    struct argument_source *argument_source; /* or NULL */
    enum trace_death death;                  /* of its client, if it can die */
    uint32_t gate;                           /* of DEATH_WITHIN */
    const struct step *again;                /* whose arguments it takes; or NULL */
};
bool step_run(struct example *example, const struct step_plan *plan, enum step_fate *fate,
              struct error *err);
/* Draws the step of a plan without running it, in the arena of example->state's caller, which must
 * only look. False if this is impossible, because its arguments change the model, or because of a
 * mistake. */
bool step_try(struct example *example, const struct step_plan *plan, struct step **out,
              enum step_fate *fate);
/* finish.c: advances the model, with the step's answer if it waited for it: check, model, returns,
 * targets. */
bool step_finish(struct example *example, struct step *step, struct error *err);
/* The same after a predicted error: the step is rolled back, unless it ran outside of a
 * transaction. */
bool step_after_error(struct example *example, struct step *step, struct error *err);

#endif
