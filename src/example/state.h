/*
 * The state of an example as it is executed.
 *
 * A step is run in two halves. *Predicting* draws its arguments, works out from the model what the
 * database must do, queues its statements, and, where nothing of that needs the database's answer,
 * moves the model on. *Settling* takes the answers, in order, and compares. Between the halves a
 * step is in flight (flight.h).
 *
 * Everything an example needs is in two arenas: the example's, emptied with the next one, and the
 * flight's, emptied whenever nothing is in flight.
 */
#ifndef EXAMPLE_STATE_H
#define EXAMPLE_STATE_H

#include "example/flight.h"
#include "example/plan.h"
#include "example/step/again.h"
#include "example/step/choose.h"
#include "example/step/novel.h"
#include "example/step/step.h"
#include "example/step/way.h"

struct engine;
struct failure;

struct example {
    struct engine *engine;
    struct example_plan plan;
    bool ahead;          /* steps need not wait for answers */
    struct arena arena;  /* the example's */
    struct arena flying; /* the flight's */
    struct arena trying; /* of steps that are drawn to choose from */
    struct lang_state state;
    struct bundles bundles;
    struct rng rng;
    struct draw_memory *memory;
    const struct way *way; /* how it is made, where it is generated */
    uint64_t salt;         /* of its hot values */
    int64_t *used;         /* how often each rule ran */
    struct choosing choosing;
    struct novelty novelty; /* of an example whose way is `novel` */
    VEC(struct step *) steps;
    struct trace trace;         /* as executed: of the same length as `steps` */
    const struct step *working; /* that is being drawn or worked out; NULL: none */
    uint32_t next_id;
    unsigned char session; /* of the step that is next */
    struct value *fork;    /* the model's globals as the sessions began; NULL: they have not */
    size_t number;         /* steps so far, initialize left out */
    int64_t now_us;        /* of the simulated clock, where the machine has one */
    bool on_trust;         /* a pinned argument was taken as it is: the trace does not hold it */
    struct flight flight;
    struct again again;
    uint64_t slowest_us;     /* of its statements */
    struct run_stats stats;  /* of this example; in its arena */
    struct stats_log log;    /* what goes with the next pending */
    struct failure *failure; /* NULL: none so far */
    bool dead_end;           /* no rule could run: it ended there */
    bool stale;              /* ANSWER_STALE: to be run again */
};

/* Empties what the last example left, ready for initialize. */
void example_begin(struct engine *engine, const struct example_plan *plan);
/* Lets caller_keep keep values in `keeping`, until the next call: the code that runs must do the
 * same in every example. NULL: nothing is kept. */
void example_keep(struct example *example, struct keeping *keeping);
/* Notes something to be counted once what is in flight before it has passed. */
void example_note(struct example *example, uint64_t *counter, uint64_t count);
/* Notes why a rule did not run: by enum blocked_by, or DEAD_END_GIVEN_UP. */
void example_note_why(struct example *example, const struct rule *rule, unsigned why);
/* Evaluates what only looks at the model; the value is in the flight's arena, or shared with the
 * model. */
bool example_look(struct example *example, const struct lang_code *code, struct value *locals,
                  struct value *out, struct error *err);

/* setup/initialize.c: the model's code; then, with it, the steps of initialize. */
bool example_run_model(struct example *example, struct error *err);
bool example_initialize(struct example *example, struct error *err);
/* pinned.c: runs the calls of the plan's pinned example, as many as it says. A step that can't run
 * is an error with the place of its call. */
bool pinned_steps(struct example *example, struct error *err);

/* Nothing more is to be run of it. */
static inline bool example_ended(const struct example *example)
{
    return example->failure || example->stale;
}

/* Gives an error that arose outside of the language the position of what it arose over. */
static inline bool located(bool ok, struct source_pos pos, struct error *err)
{
    if (!ok && err && !err->pos.source) {
        err->pos = pos;
    }
    return ok;
}

static inline struct source_pos code_pos(const struct lang_code *code)
{
    return snippet_pos(lang_snippet(code), 0);
}

#endif
