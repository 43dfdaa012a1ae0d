/* A step: predicted and queued, then settled. */
#ifndef EXAMPLE_STEP_H
#define EXAMPLE_STEP_H

#include "example/bundle.h"
#include "example/step/draw.h"
#include "example/step/raises.h"
#include "example/step/statement.h"

/* In the example's arena until the example ends. */
struct step {
    const struct rule *rule;
    uint32_t id;
    size_t number; /* from 1; 0: initialize */
    size_t index;  /* in example.steps and in the trace */
    struct choices choices;
    struct value *locals;
    struct drawn *drawn; /* of rule->args */
    VEC(struct taken) taken;
    VEC(const char *) outputs; /* names of what it put into bundles */
    bool advanced;             /* it moved the simulated clock */
    int64_t now_us;            /* to that time */
    struct prediction raises;
    struct value expected;
    int64_t affected;
    bool refused;      /* the model expects no row, or the answer no, none or nothing */
    const char *label; /* NULL: none */
    bool waits;        /* its answer is needed before anything else can be predicted */
    struct sending sending;
    bool raised;          /* once settled: an error came */
    char sqlstate[6];     /* of it */
    struct answer answer; /* of the last statement, where it `waits` and nothing was raised */
};

/* What is to be run as the next step. */
struct step_plan {
    const struct rule *rule;
    uint32_t id;
    const struct choices *replay; /* to be taken; or NULL */
    struct giver *giver;          /* or NULL */
};
bool step_run(struct example *example, const struct step_plan *plan, enum step_fate *fate,
              struct error *err);
/* Draws the step of a plan, which is not run, in the arena of example->state's caller, which has to
 * be one that only looks. False where that does not tell: its arguments change the model, or there
 * is a mistake. */
bool step_try(struct example *example, const struct step_plan *plan, struct step **out,
              enum step_fate *fate);
/* finish.c: the model moves on, over the step's answer where it waited for it: check, model,
 * returns, targets. */
bool step_finish(struct example *example, struct step *step, struct error *err);
/* The same where it raised an error, as predicted: nothing of it stays, unless it ran outside of a
 * transaction. */
bool step_after_error(struct example *example, struct step *step, struct error *err);

#endif
