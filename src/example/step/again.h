/*
 * Which invariants have to be asked again: not those whose answer can't be another one. That is so
 * where a query was asked before in the example, with the same parameters, as the same role with
 * the same settings, nothing that it reads was written since, and the model expects the same. If
 * all examples begin in the same state, what the first one asked there is not asked by the others.
 *
 * The verdicts are those of asking them all: an invariant that is left out would pass as it did,
 * and counts as checked. Nothing is left out where a failure is examined or a trace is replayed. At
 * the end of an example those that were left out after its last step are asked, in case a query
 * reads what nobody can see.
 */
#ifndef EXAMPLE_AGAIN_H
#define EXAMPLE_AGAIN_H

#include "base/map.h"
#include "base/strbuf.h"
#include "example/backend.h"

struct again_answer;
struct engine;
struct example;
struct example_plan;
struct invariant_check;
struct step;

/* Of an engine, until the next set-up. */
struct again_facts {
    bool known;
    struct backend_reads reads; /* no invariants: all are asked */
    struct strbuf key;          /* that is being made */
    struct map start; /* what held when an example began, if all begin in the same state */
};

/* Why invariants are asked after every step, whatever it wrote. */
struct again_reasons {
    const char *all;   /* for all of them; NULL: some can be left out, or nothing is known */
    const char **each; /* by invariant; NULL: it can be left out. NULL instead: nothing is known */
};

/* A step that may have written, whose counts are out. */
struct again_count {
    backend_ticket ticket;
    const struct step *step; /* NULL: initialize; nothing was asked before it */
};

/* Of an example. */
struct again {
    bool on;
    bool all;       /* a query may mean something else from here on: all are asked */
    bool last;      /* the last step was checked: those that were left out then are asked */
    bool disturbed; /* an invariant that may write was asked since the counts were taken */
    bool based;     /* the first counts were taken */
    VEC(struct again_count) counts;
    size_t round;       /* steps that were learned of */
    size_t *written;    /* by table: the round in which it last was */
    struct map answers; /* what was asked, by hash */
};

enum again_need {
    AGAIN_ASK,
    AGAIN_LEFT_OUT, /* it holds as before, and counts as checked */
    AGAIN_DONE,     /* it was asked after the last step */
    AGAIN_LATE,     /* it was left out then: it is asked, and was counted */
};

/* Finds these reasons for a machine of many invariants, between examples. */
bool again_explain(struct engine *engine, struct arena *arena, struct again_reasons *out,
                   struct error *err);

/* Before an example: finds out what invariants read, where something can be left out of it. */
bool again_enter(struct engine *engine, const struct example_plan *plan, struct error *err);
/* Where counting begins. */
bool again_begin(struct example *example, struct error *err);
/* A step (NULL: initialize) is queued, with all that it may write. */
bool again_step(struct example *example, const struct step *step, struct error *err);
/* Before invariants are checked: learns what was written, unless all was rolled back. */
bool again_learn(struct example *example, struct error *err);
/* The last step was checked: whether those that were left out then are asked now. Where an
 * invariant may have written since, their answers may be other ones. */
bool again_last(struct example *example);
/* A check whose answer was kept passed. */
void again_passed(struct example *example, const struct again_answer *answer);
/* Of a check whose `expected` is known. Where the server is to be asked, `expected` is copied to
 * where it lives as long as the example. */
bool again_need(struct example *example, struct invariant_check *check, enum again_need *need,
                struct error *err);

#endif
