#include "engine/narrate.h"
#include "engine/pinned.h"
#include "engine/record.h"

enum { STALE_TRIES = 1000 }; /* more than a machine has statements */

void example_begin(struct engine *engine, const struct example_plan *plan)
{
    struct example *example = &engine->example;
    arena_reset(&example->arena);
    arena_reset(&example->flying);
    *example = (struct example){
        .engine = engine, .plan = plan, .arena = example->arena, .flying = example->flying};
    rng_seed(&example->rng, engine->options->settings.seed, plan->number);
    bundles_begin(&example->bundles, engine->machine, &example->arena);
    stats_begin(&example->stats, engine->machine, engine->options, &example->arena);
    choosing_begin_example(example);
    example->memory = draw_memory_new(&example->arena);
    example->contexts =
        ARENA_ARRAY(&example->arena, struct kept_context, engine->machine->contexts.count);
    example->next_id = (uint32_t)engine->machine->initialize.count;
    lang_state_begin(&example->state, engine->machine->module, &example->arena, example);
    if (!plan->quiet) {
        example->state.print = engine->print;
        example->state.print_host = engine->print_host;
    }
    for (size_t i = 0; i < engine->machine->bundles.count; i++) {
        lang_set_global(&example->state, engine->machine->bundles.items[i].global,
                        bundle_value(&example->bundles, i));
    }
}

static bool ended(const struct example *example) { return example->failure || example->stale; }

/* A mistake in the model that is met while answers are out comes after what they may show. */
static bool after_flight(struct example *example, bool ok, struct error *err)
{
    if (ok || example->flight.broken || (err->code != ERROR_MACHINE && err->code != ERROR_LIMIT)) {
        return ok;
    }
    struct error later = *err;
    if (!flight_settle(example, err)) {
        return false;
    }
    if (!ended(example)) {
        *err = later;
    }
    return ended(example);
}

/* Initialize. */

static const struct trace_step *recorded(const struct example *example, size_t initialize)
{
    const struct trace *trace = example->plan->trace;
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

/* As recorded, what the trace does not know behind it. */
static void replay_order(struct example *example, size_t *order, size_t count)
{
    const struct trace *trace = example->plan->trace;
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
    const struct example_plan *plan = example->plan;
    size_t count = machine->initialize.count;
    size_t *order = ARENA_ARRAY(&example->arena, size_t, count);
    for (size_t i = 0; i < count; i++) {
        order[i] = i;
    }
    if (machine->initialize_shuffled && plan->trace) {
        replay_order(example, order, count);
    } else if (machine->initialize_shuffled && plan->generate && !plan->simplest) {
        shuffle(example, order, count);
    }
    return order;
}

/* Steps of initialize have their index as id, in any order and any trace. */
static bool initialize(struct example *example, struct error *err)
{
    const struct machine *machine = example->engine->machine;
    const size_t *order = initialize_order(example);
    for (size_t i = 0; i < machine->initialize.count && !ended(example); i++) {
        const struct rule *rule = &machine->initialize.items[order[i]];
        const struct trace_step *step = recorded(example, rule->index);
        enum step_fate fate;
        flight_recycle(example);
        if (!step_run(example, rule, (uint32_t)rule->index, step ? &step->choices : NULL, &fate,
                      err)) {
            return false;
        }
    }
    return true;
}

bool example_initialize(struct example *example, struct error *err)
{
    const struct lang_code *model = example->engine->machine->model;
    bool ok = (!model || lang_exec(&example->state, model, NULL, err)) && initialize(example, err);
    return after_flight(example, ok, err) && flight_settle(example, err);
}

/* Steps. */

/* The attempt before this one has checked the invariants here. */
static bool was_checked(const struct example *example)
{
    size_t depth = example->engine->prefix.depth;
    return depth > 0 && example->steps.count <= depth;
}

/* Before a step of an example that is generated: whether there is time for it. */
static bool has_time(struct example *example)
{
    if (engine_time_is_up(example->engine)) {
        example->engine->cut = true;
        return false;
    }
    engine_tell_progress(example->engine, example->number);
    return true;
}

/* A generated example runs no rule whose weight is 0 here, in what it replays either. */
static bool has_weight(struct example *example, const struct rule *rule, bool *has,
                       struct error *err)
{
    *has = true;
    if (!example->plan->generate) {
        return true;
    }
    double weight;
    if (!rule_weight(example, rule, &weight, err)) {
        return false;
    }
    *has = weight > 0;
    if (!*has) {
        stats_note(example, &(struct stats_event){.kind = STATS_BLOCKED,
                                                  .index = rule->index,
                                                  .why = BLOCKED_WEIGHT});
    }
    return true;
}

static bool replay_step(struct example *example, const struct trace_step *step, uint32_t id,
                        struct error *err)
{
    const struct rule *rule = &example->engine->machine->rules.items[step->rule];
    enum step_fate fate;
    bool has;
    flight_recycle(example);
    if (engine_interrupted(example->engine, err) || !has_weight(example, rule, &has, err)) {
        return false;
    }
    if (!has) {
        return true;
    }
    if (!step_run(example, rule, id, &step->choices, &fate, err)) {
        return false;
    }
    if (fate != STEP_RAN || ended(example) || was_checked(example)) {
        return true;
    }
    watch_model(example);
    return invariants_check(example, WHEN_STEP, err);
}

static bool replay_steps(struct example *example, struct error *err)
{
    const struct machine *machine = example->engine->machine;
    const struct trace *trace = example->plan->trace;
    for (size_t i = 0; trace && i < trace->steps.count && !ended(example); i++) {
        const struct trace_step *step = &trace->steps.items[i];
        if (step->initialize || step->rule >= machine->rules.count) {
            continue;
        }
        if (step->id >= example->next_id) {
            example->next_id = step->id + 1;
        }
        if (example->plan->generate && !has_time(example)) {
            return true;
        }
        if (!replay_step(example, step, step->id, err)) {
            return false;
        }
    }
    return true;
}

static bool guided_steps(struct example *example, struct error *err)
{
    struct guide *guide = example->plan->guide;
    struct trace_step step;
    while (guide && !ended(example) && guide->next(guide, example, &step)) {
        if (!replay_step(example, &step, example->next_id++, err)) {
            return false;
        }
    }
    return true;
}

/* Once the example is ready for its first step. */
static bool check_start(struct example *example, struct error *err)
{
    if (ended(example) || was_checked(example)) {
        return true;
    }
    watch_model(example);
    return invariants_check(example, WHEN_STEP, err);
}

/* What kept each rule back is in the log from `first` on: nothing was sent since. */
static void note_dead_end(struct example *example, size_t first)
{
    size_t end = example->log.events.count;
    for (size_t i = first; i < end; i++) {
        const struct stats_event *event = &example->log.events.items[i];
        bool blocked = event->kind == STATS_BLOCKED;
        if (blocked || event->kind == STATS_GIVEN_UP) {
            struct stats_event why = {.kind = STATS_DEAD_END,
                                      .index = event->index,
                                      .why = blocked ? event->why : DEAD_END_GIVEN_UP};
            stats_note(example, &why);
        }
    }
}

/* Tries rules until one runs; `*ran` is false where none can. */
static bool generate_step(struct example *example, bool *ran, struct error *err)
{
    const struct rule *rule;
    enum step_fate fate = STEP_BLOCKED;
    size_t first = example->log.events.count;
    if (!choosing_begin(example, err)) {
        return false;
    }
    while (fate != STEP_RAN && (rule = choose_rule(example))) {
        if (!step_run(example, rule, example->next_id, NULL, &fate, err)) {
            return false;
        }
        choosing_exclude(example, rule);
    }
    example->next_id++;
    *ran = fate == STEP_RAN;
    if (!*ran) {
        note_dead_end(example, first);
    }
    return true;
}

static bool generate_steps(struct example *example, struct error *err)
{
    size_t steps = (size_t)example->engine->options->settings.steps;
    bool ran = true;
    while (ran && example->number < steps && !ended(example)) {
        flight_recycle(example);
        if (!has_time(example)) {
            return true;
        }
        if (engine_interrupted(example->engine, err) || !generate_step(example, &ran, err)) {
            return false;
        }
        if (ran && !ended(example) && !invariants_check(example, WHEN_STEP, err)) {
            return false;
        }
    }
    example->dead_end = !ran;
    return true;
}

static const struct step *last_with_sql(const struct example *example)
{
    for (size_t i = example->steps.count; i-- > 0;) {
        if (example->steps.items[i]->rule->statements.count) {
            return example->steps.items[i];
        }
    }
    return NULL;
}

/* Deferred constraints, where they are checked at the end alone: in the last step's context. */
static bool check_deferred(struct example *example, struct error *err)
{
    const struct step *step = last_with_sql(example);
    if (example->engine->options->settings.check_deferred != CHECK_DEFERRED_END || !step) {
        return true;
    }
    struct sending sending = {0};
    record_deferred(example->engine->recorder);
    return deferred_send(example, step->rule->statements.items, step->rule->statements.count,
                         step->locals, &sending, err) &&
           flight_push(example,
                       &(struct pending){.kind = PENDING_DEFERRED, .as.deferred = sending.deferred},
                       err);
}

static bool predict_all(struct example *example, struct error *err)
{
    const struct lang_code *model = example->engine->machine->model;
    return (!model || lang_exec(&example->state, model, NULL, err)) && initialize(example, err) &&
           check_start(example, err) && replay_steps(example, err) && guided_steps(example, err) &&
           pinned_steps(example, err) &&
           (!example->plan->generate || generate_steps(example, err)) &&
           (ended(example) || check_deferred(example, err)) &&
           (ended(example) || invariants_check(example, WHEN_END, err));
}

static void count_bundles(struct example *example)
{
    for (size_t i = 0; i < example->bundles.count; i++) {
        size_t count = example->bundles.items[i].list.count;
        example->stats.bundles[i] = (struct bundle_stats){1, count, count};
    }
}

static bool run_once(struct engine *engine, const struct example_plan *plan, struct error *err)
{
    struct example *example = &engine->example;
    if (!prefix_enter(engine, plan, err)) {
        return false;
    }
    example_begin(engine, plan);
    recorder_rewind(engine->recorder);
    watch_begin(&engine->watch);
    narrate_begin(example);
    bool ok = after_flight(example, predict_all(example, err), err) && flight_settle(example, err);
    if (!ok) {
        if (err->code == ERROR_CONNECTION) {
            fail_connection(example);
        } else if (err->code == ERROR_MACHINE || err->code == ERROR_LIMIT) {
            explain_mistake(example, err);
        }
        narrate_end(example);
        return false;
    }
    narrate_end(example);
    if (!ended(example)) {
        stats_commit(&example->stats, &example->log);
        example->stats.dead_ends = example->dead_end;
        if (example->slowest_us > engine->slowest_us) {
            engine->slowest_us = example->slowest_us;
        }
        count_bundles(example);
    }
    if (plan->generate && !example->stale) {
        engine->failed = example->failure != NULL;
    }
    return prefix_leave(engine) || engine->backend->ops->reset(engine->backend, err);
}

static bool has_steps(const struct trace *trace)
{
    for (size_t i = 0; trace && i < trace->steps.count; i++) {
        if (!trace->steps.items[i].initialize) {
            return true;
        }
    }
    return false;
}

static enum outcome outcome_of(const struct example *example)
{
    if (example->failure) {
        return OUTCOME_FAIL;
    }
    bool nothing = example->number == 0 && has_steps(example->plan->trace);
    return nothing ? OUTCOME_DISCARD : OUTCOME_PASS;
}

/* A plan that got stale is made anew for each execution from then on, so this ends. */
static bool run_until_fresh(struct engine *engine, const struct example_plan *plan,
                            struct error *err)
{
    for (unsigned i = 0; i < STALE_TRIES; i++) {
        if (!run_once(engine, plan, err)) {
            return false;
        }
        if (!engine->example.stale) {
            return true;
        }
    }
    return error_set(err, ERROR_SERVER, "a statement's plan is stale however often it is made");
}

bool example_run(struct engine *engine, const struct example_plan *plan,
                 struct example_result *result, struct error *err)
{
    struct example *example = &engine->example;
    const struct failure *failure = NULL;
    bool ok = engine_refresh(engine, &failure, err);
    if (ok && !failure) {
        ok = run_until_fresh(engine, plan, err);
    } else if (!ok) {
        example_begin(engine, plan); /* what the last example showed is not this one's */
    } else {
        example->plan = plan;
    }
    /* of one that max_time cut what was settled counts, as if it had ended there */
    bool cut = !ok && plan->generate && example->stats.steps && engine_stopped_by_time(engine, err);
    example->stats.examples = ok || cut;
    *result = (struct example_result){
        .outcome = outcome_of(example),
        .failure = example->failure,
        .trace = example->failure ? example->failure->trace : example->trace,
        .stats = &example->stats,
        .steps = (size_t)example->stats.steps,
    };
    return ok;
}
