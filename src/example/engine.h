/* An engine executes examples of one machine on one backend, and keeps state between them. */
#ifndef EXAMPLE_ENGINE_H
#define EXAMPLE_ENGINE_H

#include "base/strbuf.h"
#include "example/clock.h"
#include "example/setup/analysis.h"
#include "example/setup/prefix.h"
#include "example/state.h"
#include "example/step/near.h"

struct engine;
struct example_plan;
struct example_result;

/* The driver that runs examples of several sessions (src/sessions), and its state for an engine. */
struct sessions_state;
struct sessions_driver {
    /* As example_run. */
    bool (*run)(struct engine *engine, const struct example_plan *plan,
                struct example_result *result, struct error *err);
    void (*free)(struct sessions_state *state);
};

struct engine_options {
    const struct settings *settings; /* resolved; has_seed is true */
    const bool *rules_off;           /* by rule: never choose it; NULL: choose from all */
    const bool *invariants_off;      /* by invariant: never check it; NULL: check all */
    /* Send statements without waiting for answers. Answers then arrive in groups, so steps have no
     * time of their own. */
    bool ahead;
    bool measure;        /* time steps and checks; not with `ahead` */
    bool tally;          /* note the values of arguments */
    const char *plant;   /* SQL that plants a fault in the schema; NULL: no fault */
    bool all_invariants; /* check all invariants after each step */
    bool strict;         /* ignore the mark `xfail` */
    /* The backend compares two databases (src/diff): that is the verdict, and no prediction is. */
    bool differs;
    const struct rule *migration; /* runs between two steps of half of the examples; or NULL */
    const struct sessions_driver *sessions; /* NULL if steps run one after the other */
    struct clock clock;
    void (*print)(void *host, const char *line, size_t size); /* of the model; may be NULL */
    void *print_host;
    struct observer *observer; /* of examples that count; or NULL */
    /* Called before each step of a generated example, and while it waits for answers, with the
     * number of steps so far; may be NULL. */
    void (*step)(void *host, uint64_t steps);
    void *step_host;
};

struct engine {
    const struct machine *machine;
    struct backend *backend;
    struct engine_options options;
    struct arena arena;         /* pool and analysis */
    struct arena saving;        /* `saved`; until the next set-up */
    struct saved_answer *saved; /* of machine->initialize_constant steps */
    size_t saved_count;         /* of those that have run */
    struct keeping keeping;     /* of the model's code; in `saving` */
    struct prefix prefix;
    uint64_t slowest_us; /* of the statements of examples that passed; 0 if there are none */
    struct analysis analysis;
    struct near near;
    struct again_facts again;
    struct draw_pool pool;
    struct draw_moments moments;     /* the spans and zones; none without a clock */
    struct draw_catalog catalog;     /* `find` is NULL if the backend has no catalog */
    struct example example;          /* the next example reuses its arenas */
    struct strbuf text;              /* for the setting being written */
    bool cut;                        /* an example ended because the time ran out */
    bool refused;                    /* the server refused `plant` */
    struct sessions_state *sessions; /* the driver's; NULL before its first use */
    unsigned origins;                /* the last origin given to a value of an answer */
    bool failed;                     /* the last fresh example failed, so the next may fail early */
};

/* Prepares an engine, which must not move; the arguments are borrowed. The backend must be open. */
void engine_init(struct engine *engine, const struct machine *machine, struct backend *backend,
                 const struct engine_options *options);
void engine_free(struct engine *engine);
/* Lets an engine of the same machine use the set-up of `from`, until `from` is set up again. */
void engine_share(struct engine *engine, const struct engine *from);

#endif
