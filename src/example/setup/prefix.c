#include "example/setup/prefix.h"

#include "example/engine.h"
#include "example/failure/failure.h"
#include "example/flight.h"

enum {
    OPEN_MAX =
        50, /* savepoints; more than 64 would overflow the server's cache of subtransactions */
};

void prefix_begin(struct engine *engine)
{
    struct prefix *prefix = &engine->prefix;
    prefix_forget(engine);
    prefix->renew = prefix->on = engine->backend->ops->checkpoint != NULL;
}

bool prefix_end(struct engine *engine, struct error *err)
{
    bool dirty = engine->prefix.dirty;
    prefix_forget(engine);
    engine->prefix.on = engine->prefix.renew = false;
    return !dirty || engine->backend->ops->reset(engine->backend, err);
}

void prefix_free(struct prefix *prefix)
{
    arena_free(&prefix->arenas[0]);
    arena_free(&prefix->arenas[1]);
}

void prefix_lose(struct engine *engine)
{
    struct prefix *prefix = &engine->prefix;
    prefix->dirty = false;
    prefix->depth = prefix->next = 0;
}

void prefix_forget(struct engine *engine)
{
    prefix_lose(engine);
    engine->prefix.steps.count = 0;
}

/* The number of steps that the plan's trace has in common with the last attempt. */
static size_t shared(const struct prefix *prefix, const struct trace *trace)
{
    size_t count = 0;
    while (trace && count < prefix->steps.count && count < trace->steps.count &&
           trace_step_equal(&prefix->steps.items[count].step, &trace->steps.items[count])) {
        count++;
    }
    return count;
}

bool prefix_enter(struct engine *engine, const struct example_plan *plan, struct error *err)
{
    const struct backend_ops *ops = engine->backend->ops;
    struct prefix *prefix = &engine->prefix;
    const struct rule *migration = engine->options.migration;
    bool migrates = plan->trace && migration && trace_runs(plan->trace, migration->index);
    /* with another second database, nothing has run there */
    size_t alike = migrates == prefix->migrates ? shared(prefix, plan->trace) : 0;
    prefix->migrates = migrates;
    prefix->depth = prefix->next = 0;
    if (prefix->dirty) {
        size_t index = alike;
        prefix->dirty = false;
        if (!ops->rewind(engine->backend, &index, err)) {
            return false;
        }
        prefix->depth = index;
        prefix->next = index + 1;
    }
    prefix->anew = 0;
    for (size_t i = prefix->depth; i < alike; i++) {
        prefix->anew += !prefix->steps.items[i].step.initialize;
    }
    return true;
}

bool prefix_step(struct example *example, size_t index, struct error *err)
{
    struct engine *engine = example->engine;
    struct prefix *prefix = &engine->prefix;
    const struct trace *trace = example->plan.trace;
    if (!prefix->on || !trace || index == 0 || index < prefix->next) {
        return true;
    }
    prefix->next = index + trace->steps.count / OPEN_MAX + 1;
    /* what the answers of two databases say of each other belongs to the state */
    if (engine->options.differs && !flight_settle(example, err)) {
        return false;
    }
    return engine->backend->ops->checkpoint(engine->backend, index, err);
}

const struct saved_answer *prefix_saved(const struct engine *engine)
{
    const struct prefix *prefix = &engine->prefix;
    size_t index = engine->example.steps.count;
    return index < prefix->depth ? &prefix->steps.items[index].saved : NULL;
}

bool prefix_leave(struct engine *engine)
{
    struct prefix *prefix = &engine->prefix;
    const struct example *example = &engine->example;
    const struct trace *trace = example->failure ? &example->failure->trace : &example->trace;
    if (!prefix->on || example->stale) {
        prefix_forget(engine);
        return false;
    }
    prefix->arena = 1 - prefix->arena;
    struct arena *arena = &prefix->arenas[prefix->arena];
    arena_reset(arena);
    prefix->steps.items = NULL;
    prefix->steps.count = prefix->steps.capacity = 0;
    const struct trace copy = trace_copy(arena, trace);
    for (size_t i = 0; i < copy.steps.count && i < example->steps.count; i++) {
        *VEC_PUSH(arena, &prefix->steps) = (struct prefix_step){
            .step = copy.steps.items[i],
            .saved = saved_answer_of(arena, example->steps.items[i]),
        };
    }
    /* there is no savepoint after the step that failed or ran last */
    prefix->steps.count -= prefix->steps.count > 0;
    return prefix->dirty = true;
}
