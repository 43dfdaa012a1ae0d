/* What executes examples of one machine on one backend, and lasts from one to the next. */
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

/* Who runs examples of several sessions (src/sessions), and what it keeps for an engine. */
struct sessions_state;
struct sessions_driver {
    /* As example_run. */
    bool (*run)(struct engine *engine, const struct example_plan *plan,
                struct example_result *result, struct error *err);
    void (*free)(struct sessions_state *state);
};

struct engine_options {
    const struct settings *settings; /* as resolved; has_seed is true */
    const bool *rules_off;           /* by rule: not to be chosen; NULL: all are */
    /* What is sent need not wait for answers: then no time is a step's own, as several answers
     * arrive together. */
    bool ahead;
    bool measure;        /* time steps and checks; not where `ahead` */
    const char *plant;   /* SQL of a fault that the schema is to have; NULL: none */
    bool all_invariants; /* are asked again after each step */
    bool strict;         /* what is marked `xfail` fails as anything else does */
    const struct sessions_driver *sessions; /* NULL: steps run one after the other */
    struct clock clock;
    void (*print)(void *host, const char *line, size_t size); /* of the model; may be NULL */
    void *print_host;
    struct observer *observer; /* of examples that count; NULL: none */
    /* Called before each step of an example that is generated, and while it waits for answers, with
     * how many came before; may be NULL. */
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
    uint64_t slowest_us; /* of the statements of examples that did not fail; 0: none */
    struct analysis analysis;
    struct near near;
    struct again_facts again;
    struct draw_pool pool;
    struct draw_catalog catalog;     /* find NULL: the backend has none */
    struct example example;          /* its arenas are used again by the next */
    struct strbuf text;              /* of a setting that is being written */
    bool cut;                        /* an example ended because the time was up */
    bool refused;                    /* the server refused `plant` */
    struct sessions_state *sessions; /* of the driver; NULL: not yet */
    unsigned origins;                /* given to values of answers */
    bool failed;                     /* the last fresh example did: so may the next, and soon */
};

/* Readies an engine; its arguments are borrowed. It must not move. The backend has to be open. */
void engine_init(struct engine *engine, const struct machine *machine, struct backend *backend,
                 const struct engine_options *options);
void engine_free(struct engine *engine);
/* Lets an engine of the same machine run its examples over what `from` has set up; until `from` is
 * set up anew. */
void engine_share(struct engine *engine, const struct engine *from);

#endif
