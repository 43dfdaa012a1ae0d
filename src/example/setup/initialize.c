
#include "example/engine.h"

static const struct trace_step *recorded(const struct example *example, size_t initialize)
{
    const struct trace *trace = example->plan.trace;
    for (size_t i = 0; trace && i < trace->steps.count; i++) {
        const struct trace_step *step = &trace->steps.items[i];
        if (step->initialize && step->rule == initialize) {
            return step;
        }
    }
    return NULL;
}

static void shuffle(struct example *example, size_t *order, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)rng_below(&example->rng, i);
        size_t item = order[i - 1];
        order[i - 1] = order[j];
        order[j] = item;
    }
}

/* The recorded order, followed by the steps that the trace lacks. */
static void replay_order(struct example *example, size_t *order, size_t count)
{
    const struct trace *trace = example->plan.trace;
    bool *placed = ARENA_ARRAY(&example->arena, bool, count);
    size_t at = 0;
    for (size_t i = 0; i < trace->steps.count; i++) {
        const struct trace_step *step = &trace->steps.items[i];
        if (step->initialize && step->rule < count && !placed[step->rule]) {
            placed[step->rule] = true;
            order[at++] = step->rule;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!placed[i]) {
            order[at++] = i;
        }
    }
}

static size_t *initialize_order(struct example *example)
{
    const struct machine *machine = example->engine->machine;
    const struct example_plan *plan = &example->plan;
    size_t count = machine->initialize.count;
    size_t *order = ARENA_ARRAY(&example->arena, size_t, count);
    for (size_t i = 0; i < count; i++) {
        order[i] = i;
    }
    if (machine->initialize_shuffled && plan->trace) {
        replay_order(example, order, count);
    } else if (machine->initialize_shuffled && plan->way && !plan->way->simplest) {
        shuffle(example, order, count);
    }
    return order;
}

bool example_run_model(struct example *example, struct error *err)
{
    const struct machine *machine = example->engine->machine;
    const struct lang_code *model = machine->model;
    migration_begin(machine, &example->state);
    example_keep(example, &example->engine->keeping);
    bool ok = !model || lang_exec(&example->state, model, NULL, err);
    example_keep(example, NULL);
    return ok;
}

/* The id of an initialize step is its index, in any order and any trace. */
bool example_initialize(struct example *example, struct error *err)
{
    const struct machine *machine = example->engine->machine;
    const size_t *order = initialize_order(example);
    if (!example_run_model(example, err)) {
        return false;
    }
    for (size_t i = 0; i < machine->initialize.count && !example_ended(example); i++) {
        const struct rule *rule = &machine->initialize.items[order[i]];
        const struct trace_step *step = recorded(example, rule->index);
        enum step_fate fate;
        flight_recycle(example);
        const struct step_plan plan = {
            .rule = rule, .id = (uint32_t)rule->index, .replay = step ? &step->choices : NULL};
        if (!step_run(example, &plan, &fate, err)) {
            return false;
        }
    }
    return true;
}
