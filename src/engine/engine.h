/* What lasts for a run: behind run.h, for the engine's own files. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "engine/example.h"
#include "engine/facts.h"
#include "engine/prefix.h"
#include "engine/watch.h"

struct engine {
    const struct machine *machine;
    struct backend *backend;
    const struct run_options *options;
    bool ahead; /* may run ahead of answers */
    uint64_t started_us;
    void (*print)(void *host, const char *line, size_t size); /* of the model; may be NULL */
    void (*tell)(void *host, const char *text, size_t size);  /* of the narrator; may be NULL */
    void *print_host;                                         /* of both */
    struct strbuf telling;      /* statements of the step or invariant under way (narrate.c) */
    struct arena *results;      /* the caller's: what struct run_result points to */
    struct arena arena;         /* pool and facts; for the run */
    struct arena saving;        /* `saved`; until the next set-up */
    struct saved_answer *saved; /* machine->initialize_constant of them; NULL while they are made */
    struct strbuf text;         /* of a setting being evaluated (context.c) */
    struct prefix prefix;
    uint64_t slowest_us;  /* of the statements of examples that did not fail; 0: none */
    uint64_t attempted;   /* steps that attempts had to run on the database (engine/attempt.h) */
    uint64_t mistakes;    /* attempts at the failure that met a mistake in the model */
    struct error mistake; /* the first of them */
    struct facts facts;
    struct draw_pool pool;
    struct draw_catalog catalog;   /* find NULL: the backend has none */
    struct example example;        /* its arenas are used again by the next */
    struct watch watch;            /* off, but while a failure is looked into */
    struct ancestry *ancestry;     /* traces to mutate (engine/mutate.h) */
    struct recorder *recorder;     /* NULL: nothing is recorded (engine/record.h) */
    const struct run_stats *total; /* of the examples before this one; NULL: nobody counts */
    uint64_t told_us;              /* when progress was told last */
    bool cut;                      /* an example ended because the time was up */
    bool failed;                   /* the last fresh example did: so may the next, and early */
};

/* run.c: readies an engine; its arguments are borrowed, `results` is the arena of what outlives it.
 * It must not move. The backend has to be open. */
void engine_init(struct engine *engine, const struct machine *machine, struct backend *backend,
                 const struct run_options *options, struct arena *results);
void engine_free(struct engine *engine);
/* Whether what is sent need not wait for answers: then no time is a step's own, as several answers
 * arrive together. */
bool engine_runs_ahead(const struct run_options *options);
/* setup.c: dataset and the constant part of initialize, then the mark. `failure` is set where one
 * of them failed (in the example's arena). */
bool engine_setup(struct engine *engine, const struct failure **failure, struct error *err);
/* After it, once: what could not be prepared before initialize has run; `mistakes` get what can't
 * be then either. */
bool engine_prepare(struct engine *engine, struct diagnostics *mistakes, struct error *err);
/* Begins a new outer transaction and sets it up where the backend wants that; as engine_setup. */
bool engine_refresh(struct engine *engine, const struct failure **failure, struct error *err);
/* example.c: initialize, and its answers, of an example that has begun. */
bool example_initialize(struct example *example, struct error *err);
/* Empties what the last example left, ready for initialize. */
void example_begin(struct engine *engine, const struct example_plan *plan);
/* pool.c: values worth drawing. */
void engine_pool(struct engine *engine);
uint64_t engine_spent_us(const struct engine *engine);
/* Whether settings.max_time is over. */
bool engine_time_is_up(const struct engine *engine);
/* Whether that, and not the user, is why the backend was interrupted. */
bool engine_stopped_by_time(const struct engine *engine, const struct error *err);
/* Tells how far the run is: `steps` of the example that runs come on top of the total. */
void engine_tell_progress(struct engine *engine, uint64_t steps);
/* Tells how far the shortening of a failure is: traces run, steps of the shortest one that fails.
 */
void engine_tell_shortening(struct engine *engine, uint64_t executions, size_t steps);
/* Asks the host whether to stop; true with ERROR_INTERRUPTED. */
bool engine_interrupted(const struct engine *engine, struct error *err);

#endif
