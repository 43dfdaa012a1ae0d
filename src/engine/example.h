/*
 * One example: a trace that is executed, generated as it goes or replayed.
 *
 * A step is run in two halves. *Predicting* draws its arguments, works out from the model what the
 * database must do, queues its statements, and, where nothing of that needs the database's answer,
 * moves the model on. *Settling* takes the answers, in order, and compares. Between the halves a
 * step is in flight; how many are is only a question of how long one waits: a run step by step
 * settles after each, one that runs ahead where a rule needs the answer, or at the end. The first
 * mismatch in the order of steps is the failure, and nothing behind it counts.
 *
 * An error in model code may be met while steps are in flight: it is reported only after they have
 * been settled, and not at all where one of them fails.
 *
 * Everything an example needs is in two arenas: the example's, emptied with the next one, and the
 * flight's, emptied whenever nothing is in flight.
 */
#ifndef ENGINE_EXAMPLE_H
#define ENGINE_EXAMPLE_H

#include "engine/bundle.h"
#include "engine/raises.h"
#include "engine/run.h"
#include "engine/stats.h"

/* What became of a trace. */
enum outcome {
    OUTCOME_PASS,
    OUTCOME_FAIL,
    OUTCOME_DISCARD, /* it has steps, and none of them could run */
    OUTCOME_FLAKY,   /* failed before, and not or otherwise this time */
    OUTCOME_MISTAKE, /* failed before, and met a mistake in the model this time */
};

enum invariant_scope {
    SCOPE_ALL,  /* when the machine says */
    SCOPE_ONE,  /* `only`, after every step (or at the end, where it is checked there) */
    SCOPE_LAST, /* `only`, after the trace's last step alone */
    SCOPE_NONE, /* the rules' own predictions alone */
};

struct example;

/* Chooses the steps of an example as it runs. */
struct guide {
    /* Gives the next one (rule and choices, which live until it is asked again); false: none. The
     * one before could not run where `example->number` has not moved. */
    bool (*next)(struct guide *guide, const struct example *example, struct trace_step *out);
};

/* What is to be executed. */
struct example_plan {
    const struct trace *trace; /* replayed first; NULL: nothing */
    struct guide *guide;       /* then the steps that it gives; NULL: none */
    /* Then the first `pinned_steps` calls of this example; NULL: nothing. */
    const struct pinned_example *pinned;
    size_t pinned_steps;
    bool generate;   /* then fresh steps up to settings.steps */
    uint64_t number; /* of the fresh example, from 1: its random stream */
    bool simplest;   /* the simplest choices throughout, rules in file order */
    bool quiet;      /* what the model prints is not passed on */
    enum invariant_scope scope;
    const struct invariant *only;
};

struct comparison;
struct engine;
struct pinned_call;

/* A statement on its way. */
struct sent {
    const struct machine_statement *statement;
    backend_ticket ticket;
    struct backend_context context; /* that it runs in; until the flight's arena is emptied */
    const char *told;               /* narrate_call */
};

struct sending {
    struct sent *items;
    size_t count;
    bool has_deferred;
    backend_ticket deferred;
};

struct drawn {
    struct value value;    /* as it was then: a copy where it can change */
    const char *reference; /* its name, where it came out of a collection; or NULL */
    bool shown;            /* drawn: a constant or what has one value only is not */
};

/* A step, in the example's arena until the example ends. */
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
    struct prediction raises;
    struct value expected;
    int64_t affected;
    const char *label; /* NULL: none */
    bool waits;        /* its answer is needed before anything else can be predicted */
    struct sending sending;
    bool raised;          /* once settled: an error came */
    char sqlstate[6];     /* of it */
    struct answer answer; /* of the last statement, where it `waits` and nothing was raised */
};

/* An invariant for one combination of its `for` values, in the flight's arena. */
struct invariant_check {
    const struct invariant *invariant;
    size_t number; /* after that many steps */
    size_t trace;  /* steps in the trace then */
    struct value *locals;
    struct value *fors;                /* as they were then */
    const struct place *const *places; /* where they had arrived; NULL: nowhere that is known */
    struct value expected;
    struct sending sending;
};

/* What is in flight, in the order of the queue. */
struct pending {
    enum { PENDING_STEP, PENDING_CHECK, PENDING_DEFERRED } kind;
    union {
        struct step *step;
        struct invariant_check *check;
        backend_ticket deferred; /* at the end, where deferred constraints are checked there */
    } as;
    struct stats_log log;
};

struct flight {
    VEC(struct pending) items;
    size_t settled;
    bool broken; /* settling one of them was an error: the rest can't be told */
};

/* A context as it was evaluated last, in the example's arena (context.c). */
struct kept_context {
    struct value *seen; /* the globals that it reads as they were then; NULL: it is not kept */
    struct backend_context context;
};

/* What every choice of a rule needs to know. */
struct choosing {
    bool *tried;     /* given up or blocked in this step; by rule */
    double *weights; /* by rule, skewed */
};

struct example {
    struct engine *engine;
    const struct example_plan *plan;
    struct arena arena;  /* the example's */
    struct arena flying; /* the flight's */
    struct lang_state state;
    struct bundles bundles;
    struct rng rng;
    struct draw_memory *memory;
    struct kept_context *contexts; /* of machine->contexts */
    bool local;                    /* recent rules and values again */
    double *skew;                  /* times the rules' weights in this example; above 0 */
    bool *off;                     /* rules switched off by swarm testing */
    int64_t *used;                 /* how often each rule ran */
    struct choosing choosing;
    VEC(struct step *) steps;
    struct trace trace;         /* as executed: of the same length as `steps` */
    const struct step *working; /* that is being drawn or worked out; NULL: none */
    uint32_t next_id;
    size_t number;                  /* steps so far, initialize left out */
    const struct pinned_call *call; /* the pinned step under way; or NULL */
    bool on_trust; /* a pinned argument was taken as it is: the trace does not hold it */
    struct flight flight;
    uint64_t slowest_us;     /* of its statements */
    struct run_stats stats;  /* of this example; in its arena */
    struct stats_log log;    /* what goes with the next pending */
    struct failure *failure; /* NULL: none so far */
    bool dead_end;           /* no rule could run: it ended there */
    bool stale;              /* ANSWER_STALE: to be run again */
};

struct example_result {
    enum outcome outcome;
    const struct failure *failure; /* OUTCOME_FAIL; in the example's arena, as is `trace` */
    struct trace trace;            /* as executed, up to the failing step */
    const struct run_stats *stats;
    size_t steps; /* that were settled */
};

/* Runs a plan and resets the backend. false: it could not be told (connection lost, interrupted, a
 * mistake in the model): then `result->failure` may be a FAILURE_CONNECTION. What `result` points
 * to is valid until the next example. */
bool example_run(struct engine *engine, const struct example_plan *plan,
                 struct example_result *result, struct error *err);

/* step.c */
enum step_fate {
    STEP_RAN,      /* predicted and queued; it may have failed */
    STEP_BLOCKED,  /* can't run here */
    STEP_GIVEN_UP, /* draws came to nothing */
};
/* Runs a rule as the next step; `replay` are the choices to take, or NULL. */
bool step_run(struct example *example, const struct rule *rule, uint32_t id,
              const struct choices *replay, enum step_fate *fate, struct error *err);
bool step_settle(struct example *example, struct step *step, struct error *err);

/* draw.c: gates and draws. */
bool step_gate(struct example *example, const struct rule *rule, bool *open, struct error *err);
bool step_draw(struct example *example, struct step *step, const struct choices *replay,
               enum step_fate *fate, struct error *err);
/* Puts back what the step took out of bundles. */
void step_put_back(struct step *step);

/* finish.c: the model moves on, over the answer where the step waited for it. */
bool step_finish(struct example *example, struct step *step, struct error *err);

/* context.c */
/* The context as the backend takes it; valid until the flight's arena is emptied. */
bool example_context(struct example *example, const struct context *context, struct value *locals,
                     struct backend_context *out, struct error *err);

/* statement.c */
bool statements_send(struct example *example, const struct machine_statement *statements,
                     size_t count, struct value *locals, struct sending *out, struct error *err);
bool deferred_send(struct example *example, const struct machine_statement *statements,
                   size_t count, struct value *locals, struct sending *out, struct error *err);
/* Queues a call, and notes it where a recording is made. */
bool send_call(struct engine *engine, struct backend_call *call, backend_ticket *ticket,
               struct error *err);
/* What came back: the answer of the last statement, or the first error. */
struct received {
    struct answer answer;
    bool raised;
    struct server_error error;
    const struct machine_statement *statement; /* that raised it; NULL: the deferred check */
    uint64_t statements;                       /* executed */
    uint64_t time_us;
};
bool statements_receive(struct example *example, const struct sending *sending, struct arena *arena,
                        struct received *out, struct error *err);
/* Where in the file an error arose: in the statement, as far as the server said. */
struct source_pos statement_error_pos(const struct machine_statement *statement,
                                      const struct server_error *error);
/* Whether it is what statement_timeout raises. */
bool error_is_timeout(const struct server_error *error);

/* invariant.c: predicts those that are due, after `example->number` steps. */
bool invariants_check(struct example *example, enum invariant_when when, struct error *err);
bool invariant_settle(struct example *example, struct invariant_check *check, struct error *err);

/* flight.c */
/* Evaluates what only looks at the model; the value is in the flight's arena, or shared with the
 * model. */
bool example_look(struct example *example, const struct lang_code *code, struct value *locals,
                  struct value *out, struct error *err);
/* The value, made independent of what the model shares with it and may change. */
struct value flight_keep(struct example *example, struct value value);
bool flight_push(struct example *example, const struct pending *pending, struct error *err);
/* Takes all answers that are out, up to the first failure. */
bool flight_settle(struct example *example, struct error *err);
/* Empties the flight's arena if nothing is in flight: between steps, where nobody points into it.
 */
void flight_recycle(struct example *example);

/* choose.c */
void choosing_begin_example(struct example *example);
bool choosing_begin(struct example *example, struct error *err);
/* The next rule to try, by weight, or NULL: none is left. */
const struct rule *choose_rule(struct example *example);
/* How likely the rule is to be chosen here, against others: from 0 up. */
bool rule_weight(struct example *example, const struct rule *rule, double *out, struct error *err);
/* The rule can't run in this step. */
void choosing_exclude(struct example *example, const struct rule *rule);
void stats_note(struct example *example, const struct stats_event *event);

/* failure.c */
struct failing {
    enum failure_kind kind;
    const struct step *step;             /* NULL: none */
    const struct invariant_check *check; /* NULL: none */
    const struct machine_statement *statement;
    struct source_pos pos;
    const char *expected;
    const char *actual;
    const char *source;                  /* of a check that does not hold; or NULL */
    const char *returned;                /* what it saw; or NULL */
    const struct comparison *comparison; /* of rows; expected and actual come from it */
    const struct server_error *error;
};
/* The step as it is shown, in the arena. */
struct shown_step shown_step(struct arena *arena, const struct step *step);
/* Makes the example's failure, in its arena; one that is there already stays. */
void example_fail(struct example *example, const struct failing *failing);
/* An expression of `check` of a step or of an invariant gave `value`, which is not true. */
/* known.c: whether the check's invariant is marked `xfail`; that it does not hold is counted then,
 * and the example goes on. */
bool fails_as_known(struct example *example, const struct invariant_check *check);
void fail_check(struct example *example, const struct step *step,
                const struct invariant_check *check, const struct lang_code *code,
                struct value value);
/* Deferred constraints did not hold at the end of the example. */
void fail_deferred(struct example *example, const struct server_error *error);
/* The server went away while the oldest of what is in flight ran. */
void fail_connection(struct example *example);
/* Adds to an error in the machine's code which steps led there. */
void explain_mistake(struct example *example, struct error *err);
/* A copy that outlives the example. */
struct failure *failure_copy(struct arena *arena, const struct failure *failure);

static inline struct source_pos code_pos(const struct lang_code *code)
{
    return snippet_pos(lang_snippet(code), 0);
}

#endif
