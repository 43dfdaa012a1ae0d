/*
 * Decides which invariants to check again. It leaves out those whose answer can't have changed: the
 * example has asked the same query before, with the same parameters, role and settings, its tables
 * were not written since, and the model expects the same. If all examples begin in the same state,
 * only the first one checks invariants there.
 *
 * The verdicts are the same as without it: an invariant that is left out would pass again, and
 * counts as checked. All invariants are checked while a failure is examined or a trace is replayed.
 * At the end of an example, those left out after its last step are checked, in case a query reads
 * something that can't be tracked.
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

/* Facts of an engine, until the next set-up. */
struct again_facts {
    bool known;
    struct backend_reads reads; /* without `invariants`, all are checked */
    struct strbuf key;          /* the key being made */
    struct map
        start; /* invariants that held at the start of an example, if all begin in the same state */
};

/* Why invariants are checked after every step, whatever it wrote. */
struct again_reasons {
    const char *all;   /* for all of them; NULL if some can be left out, or if unknown */
    const char **each; /* by invariant: NULL if it can be left out. NULL if unknown */
};

/* A step that may have written, whose counts are pending. */
struct again_count {
    backend_ticket ticket;
    const struct step *step; /* NULL for initialize, before which nothing was checked */
};

/* The state of an example. */
struct again {
    bool on;
    bool all;       /* queries may have changed their meaning, so all are checked */
    bool last;      /* the last step was checked; those left out after it are checked now */
    bool disturbed; /* an invariant that may write ran since the counts were taken */
    bool based;     /* the first counts were taken */
    VEC(struct again_count) counts;
    size_t round;       /* number of steps whose writes are known */
    size_t *written;    /* by table: the round of its last write */
    struct map answers; /* answered queries, by hash */
};

enum again_need {
    AGAIN_ASK,
    AGAIN_LEFT_OUT, /* it still holds, and counts as checked */
    AGAIN_DONE,     /* it was checked after the last step */
    AGAIN_LATE,     /* it was left out then, but counted; check it now */
};

/* Finds these reasons for a machine with many invariants, between examples. */
bool again_explain(struct engine *engine, struct arena *arena, struct again_reasons *out,
                   struct error *err);

/* Before an example: finds out what invariants read, if it may leave some out. */
bool again_enter(struct engine *engine, const struct example_plan *plan, struct error *err);
/* Begins counting. */
bool again_begin(struct example *example, struct error *err);
/* Records that a step (NULL: initialize) with all its writes is queued. */
bool again_step(struct example *example, const struct step *step, struct error *err);
/* Before invariants are checked: finds out what was written, unless everything was rolled back. */
bool again_learn(struct example *example, struct error *err);
/* After the last step was checked: returns true if those left out should be checked now. Not if an
 * invariant may have written in between, because their answers may have changed. */
bool again_last(struct example *example);
/* Records that a check passed whose answer is kept. */
void again_passed(struct example *example, const struct again_answer *answer);
/* Decides about a check whose `expected` is known. If the server must be asked, copies `expected`
 * to memory that lives as long as the example. */
bool again_need(struct example *example, struct invariant_check *check, enum again_need *need,
                struct error *err);

#endif
