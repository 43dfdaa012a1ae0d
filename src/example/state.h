/*
 * The state of a running example.
 *
 * A step runs in two halves. *Predicting* draws its arguments, computes from the model what the
 * database must do, queues its statements and, unless it needs the database's answer, advances the
 * model. *Settling* takes the answers, in order, and compares them. In between, the step is in
 * flight (flight.h).
 *
 * An example's data is in two arenas: the example's, emptied by the next example, and the flight's,
 * emptied whenever the flight is empty.
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
    bool guarded;        /* as of the plan; also what is replayed, where databases are compared */
    bool surprised;      /* an error that no step predicted ended it: run it again, guarded */
    bool parted;         /* two databases no longer agree, which is no failure; it counts */
    size_t migrates_at;  /* the number of steps before the migration; SIZE_MAX: none */
    struct arena arena;  /* the example's */
    struct arena flying; /* the flight's */
    struct arena trying; /* for steps that are drawn to choose from */
    struct lang_state state;
    struct bundles bundles;
    struct rng rng;
    struct draw_memory *memory;
    const struct way *way; /* how it is generated; or NULL */
    uint64_t salt;         /* of its hot values */
    uint64_t favourite;    /* the kind of boundary of time that its waits go to; 0: any */
    int64_t *used;         /* runs of each rule */
    bool *worked;          /* each rule: without an error, before the migration began */
    struct choosing choosing;
    struct novelty novelty; /* for the way `novel` */
    VEC(struct step *) steps;
    struct trace trace;         /* as executed, with the same length as `steps` */
    const struct step *working; /* being drawn or computed; or NULL */
    uint32_t next_id;
    unsigned char session;  /* of the next step */
    struct value *fork;     /* the model's globals when the sessions began; NULL before that */
    size_t fork_bytes;      /* of it */
    size_t put_off;         /* steps before the sessions, beyond the plan's */
    struct step_plan other; /* that changes the first session's step; rule NULL: none is known */
    bool by_chance;         /* its sessions can't meet as planned */
    bool changes;           /* a step of the current session does what earlier sessions need */
    bool meets;             /* steps of the sessions may depend on each other */
    size_t number;          /* steps so far, without initialize */
    size_t extra;           /* of these, that were sent again because their client died */
    int64_t now_us;         /* of the simulated clock, if there is one */
    bool on_trust;          /* a pinned argument was taken on trust, so the trace lacks it */
    struct {
        bool seeded;
        struct rng rng;
        const struct step *left; /* whose client died, for a later session to send again; or NULL */
        unsigned char left_by;   /* the session */
    } dying;                     /* draws which clients die */
    struct flight flight;
    struct again again;
    uint64_t slowest_us;     /* of its statements */
    struct run_stats stats;  /* of this example; in its arena */
    struct stats_log log;    /* for the next pending item */
    struct failure *failure; /* or NULL */
    bool dead_end;           /* it ended because no rule could run */
    bool stale;              /* ANSWER_STALE: run it again */
};

/* Clears the state of the last example, before initialize. */
void example_begin(struct engine *engine, const struct example_plan *plan);
/* Lets caller_keep keep values in `keeping` until the next call; the code that runs must do the
 * same in every example. NULL: values are not kept. */
void example_keep(struct example *example, struct keeping *keeping);
/* Records a count, which takes effect when all earlier items in flight have passed. */
void example_note(struct example *example, uint64_t *counter, uint64_t count);
/* Records why a rule did not run: an enum blocked_by, or DEAD_END_GIVEN_UP. */
void example_note_why(struct example *example, const struct rule *rule, unsigned why);
/* Evaluates code that only reads the model; the value is in the flight's arena, or shared with the
 * model. */
bool example_look(struct example *example, const struct lang_code *code, struct value *locals,
                  struct value *out, struct error *err);

/* setup/initialize.c: runs the model's code; then the steps of initialize, too. */
bool example_run_model(struct example *example, struct error *err);
bool example_initialize(struct example *example, struct error *err);
/* pinned.c: runs the plan's number of calls of its pinned example. A step that can't run is an
 * error at its call. */
bool pinned_steps(struct example *example, struct error *err);

/* The number of planned steps before the sessions. */
static inline size_t example_beginning(const struct example *example)
{
    return example->plan.branching->before + example->put_off;
}

/* Returns true if the example is over. */
static inline bool example_ended(const struct example *example)
{
    return example->failure || example->stale || example->surprised || example->parted;
}

/* Adds the position to an error that arose outside of the language. */
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
