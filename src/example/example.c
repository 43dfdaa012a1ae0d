#include "example/example.h"

#include "example/divergence.h"
#include "example/failure/fail.h"
#include "example/observer.h"
#include "example/setup/setup.h"
#include "example/step/crash.h"
#include "example/step/echo.h"
#include "example/step/invariant.h"
#include "example/tables.h"

enum {
    STALE_TRIES = 1000, /* more than a machine has statements */
    LOOKING = 10,       /* the state is compared after one in so many steps */
    WAITING = 6,        /* steps, at most, until the migration looks for rows again */
};

/* The attempt before this one has checked the invariants here. */
static bool was_checked(const struct example *example)
{
    size_t depth = example->engine->prefix.depth;
    return depth > 0 && example->steps.count <= depth;
}

/* Before a step of an example that is generated: whether there is time for it. */
static bool has_time(struct example *example)
{
    struct engine *engine = example->engine;
    if (clock_is_up(&engine->options.clock)) {
        engine->cut = true;
        return false;
    }
    if (engine->options.step) {
        engine->options.step(engine->options.step_host, example->number);
    }
    return true;
}

/* A generated example runs no rule whose weight is 0 here, in what it replays either. */
static bool has_weight(struct example *example, const struct rule *rule, bool *has,
                       struct error *err)
{
    *has = true;
    if (!example->plan.way) {
        return true;
    }
    double weight;
    if (!rule_weight(example, rule, &weight, err)) {
        return false;
    }
    *has = weight > 0;
    if (!*has) {
        example_note_why(example, rule, BLOCKED_WEIGHT);
    }
    return true;
}

static const struct step *step_with_id(const struct example *example, uint32_t id)
{
    for (size_t i = 0; i < example->steps.count; i++) {
        const struct step *step = example->steps.items[i];
        if (!step->rule->initialize && step->id == id) {
            return step;
        }
    }
    return NULL;
}

static bool replay_step(struct example *example, const struct trace_step *step, struct error *err)
{
    const struct rule *rule = &example->engine->machine->rules.items[step->rule];
    enum step_fate fate;
    bool has;
    if (rule == example->engine->options.migration && example->used[step->rule]) {
        return true; /* it runs once */
    }
    const struct step *again = step->again ? step_with_id(example, step->again - 1) : NULL;
    if (step->again && !again && example->plan.dead) {
        again = example->plan.dead(example->plan.host, step->again - 1);
    }
    if (step->again && (!again || again->rule != rule || !again->death)) {
        return true; /* what it repeats did not run, or did not die */
    }
    example->session = step->session;
    flight_recycle(example);
    if (clock_interrupted(&example->engine->options.clock, err) ||
        !has_weight(example, rule, &has, err)) {
        return false;
    }
    if (!has) {
        return true;
    }
    if (!step_run(example,
                  &(struct step_plan){.rule = rule,
                                      .id = step->id,
                                      .replay = &step->choices,
                                      .death = step->death,
                                      .gate = step->gate,
                                      .again = again},
                  &fate, err)) {
        return false;
    }
    if (fate != STEP_RAN || example_ended(example) || was_checked(example)) {
        return true;
    }
    OBSERVE(example->plan.observer, model, example);
    return invariants_check(example, WHEN_STEP, err);
}

static bool replay_steps(struct example *example, struct error *err)
{
    const struct machine *machine = example->engine->machine;
    const struct trace *trace = example->plan.trace;
    for (size_t i = 0; trace && i < trace->steps.count && !example_ended(example); i++) {
        const struct trace_step *step = &trace->steps.items[i];
        if (step->initialize || step->rule >= machine->rules.count) {
            continue;
        }
        if (step->id >= example->next_id) {
            example->next_id = step->id + 1;
        }
        if (example->plan.way && !has_time(example)) {
            return true;
        }
        if (!replay_step(example, step, err)) {
            return false;
        }
    }
    return true;
}

/* Once the example is ready for its first step. */
static bool check_start(struct example *example, struct error *err)
{
    if (example_ended(example) || was_checked(example)) {
        return true;
    }
    OBSERVE(example->plan.observer, model, example);
    return tables_tell(example, err) && invariants_check(example, WHEN_STEP, err);
}

static void note_dead_end(struct example *example)
{
    for (size_t i = 0; i < example->engine->machine->rules.count; i++) {
        unsigned why = example->choosing.why[i];
        if (why < DEAD_END_REASONS) {
            example_note(example, &example->stats.rules[i].dead_ends[why], 1);
        }
    }
}

static bool has_migration(const struct example *example)
{
    const struct rule *migration = example->engine->options.migration;
    return migration && example->plan.trace && trace_runs(example->plan.trace, migration->index);
}

/* Of two databases: where the migration runs. In half of the examples it is there from the start.
 */
static void plan_diff(struct example *example)
{
    const struct engine *engine = example->engine;
    size_t steps = (size_t)engine->options.settings->steps;
    if (engine->options.migration && example->plan.way && rng_below(&example->rng, 2)) {
        example->migrates_at = (size_t)rng_below(&example->rng, steps);
    }
    if (engine->options.differs) {
        engine->backend->ops->begin(engine->backend,
                                    example->migrates_at != SIZE_MAX || has_migration(example));
    }
}

/* Which tables have had rows; a state that is compared again has the same ones in the same order.
 */
static void note_relations(struct example *example, const struct backend_compared *compared)
{
    struct table_list *relations = &example->stats.relations;
    for (size_t i = 0; i < compared->relation_count; i++) {
        const struct backend_filled *relation = &compared->relations[i];
        if (i == relations->count) {
            *VEC_PUSH(&example->arena, relations) =
                (struct table_stats){.name = arena_strdup(&example->arena, relation->relation)};
        }
        relations->items[i].filled = relation->filled;
    }
}

/* Of two databases: what the example has left behind on both. */
static bool compare_state(struct example *example, enum backend_readers readers, struct error *err)
{
    const struct engine *engine = example->engine;
    struct backend_compared compared;
    if (!engine->options.differs) {
        return true;
    }
    if (!flight_settle(example, err)) {
        return false;
    }
    if (example_ended(example)) {
        return true;
    }
    if (!engine->backend->ops->compare(engine->backend, readers, &example->flying, &compared,
                                       err)) {
        return false;
    }
    note_relations(example, &compared);
    example->stale = compared.stale;
    if (compared.divergence) {
        fail_divergence(example, NULL, NULL, NULL, compared.divergence);
    }
    return true;
}

/* Whether the state is compared now, too: a later step may hide a difference. */
static bool looks_now(struct example *example)
{
    return example->engine->options.differs && rng_one_in(&example->rng, LOOKING);
}

/* Runs the migration, but puts it off while the tables that it changes have no rows, or perhaps not
 * all of them. After the last step it can't wait. */
static bool migrate_on_rows(struct example *example, bool last, struct error *err)
{
    struct engine *engine = example->engine;
    size_t filled;
    size_t of;
    if (!flight_settle(example, err)) {
        return false;
    }
    if (example_ended(example)) {
        return true;
    }
    if (!engine->backend->ops->changed_rows(engine->backend, &filled, &of, err)) {
        return false;
    }
    bool lacks = of > 0 && (filled == 0 || (filled < of && rng_below(&example->rng, 2)));
    if (lacks && !last) {
        example->migrates_at = example->number + 1 + (size_t)rng_below(&example->rng, WAITING);
        return true;
    }
    example->migrates_at = SIZE_MAX;
    example->stats.migrated = 1;
    example->stats.migrated_on_rows = filled > 0;
    const struct step_plan plan = {.rule = engine->options.migration, .id = example->next_id++};
    enum step_fate fate;
    return step_run(example, &plan, &fate, err);
}

/* The migration, if it is its turn. */
static bool migrate_now(struct example *example, bool last, struct error *err)
{
    bool turn =
        example->migrates_at != SIZE_MAX && (last || example->number >= example->migrates_at);
    return !turn || migrate_on_rows(example, last, err);
}

/* Tries rules until one runs; `*ran` is false where none can. */
static bool generate_step(struct example *example, bool *ran, struct error *err)
{
    uint32_t gate;
    const enum trace_death death = crash_draw(example, &gate);
    struct step_plan plan = {.id = example->next_id, .death = death, .gate = gate};
    const struct rule *rule;
    enum step_fate fate = STEP_BLOCKED;
    if (!choosing_begin(example, err)) {
        return false;
    }
    if (example->way->novel || example->way->accepted || example->session > 0) {
        novel_choose(example, &plan);
        if ((plan.rule && !step_run(example, &plan, &fate, err)) ||
            (fate != STEP_RAN && !choosing_begin(example, err))) {
            return false;
        }
    }
    while (fate != STEP_RAN && (rule = choose_rule(example))) {
        plan =
            (struct step_plan){.rule = rule, .id = example->next_id, .death = death, .gate = gate};
        if (!step_run(example, &plan, &fate, err)) {
            return false;
        }
        choosing_exclude(example, rule);
    }
    example->next_id++;
    *ran = fate == STEP_RAN;
    if (*ran) {
        choosing_note(example, plan.rule);
    } else {
        note_dead_end(example);
    }
    return true;
}

/* Sends the last step again, if its client died. It is one step more than planned. */
static bool repeat_step(struct example *example, bool *ran, struct error *err)
{
    const struct step *dead = crash_repeats(example);
    enum step_fate fate;
    *ran = false;
    if (!dead || dead->again) {
        return true;
    }
    const struct step_plan plan = {.rule = dead->rule, .id = example->next_id++, .again = dead};
    if (!step_run(example, &plan, &fate, err)) {
        return false;
    }
    *ran = fate == STEP_RAN;
    example->extra += *ran;
    example->stats.repeated += *ran;
    example->stats.unrepeatable += !*ran;
    return true;
}

/* Which session runs the step that is next; false: there is none any more. */
static bool next_session(struct example *example)
{
    const struct branching *branching = example->plan.branching;
    if (!branching) {
        return example->number < (size_t)example->engine->options.settings->steps;
    }
    size_t last = example_beginning(example);
    unsigned session = 0;
    while (example->number - example->extra >= last && session < TRACE_SESSIONS_MAX) {
        last += branching->each[session++];
    }
    example->changes = example->changes && session == example->session;
    example->session = (unsigned char)session;
    if (session > 0 && !example->fork) {
        size_t used = arena_used(&example->arena);
        example->fork = lang_copy_globals(&example->state);
        example->fork_bytes = arena_used(&example->arena) - used;
    }
    return example->number - example->extra < last;
}

static bool generate_steps(struct example *example, struct error *err)
{
    bool ran = true;
    while (ran && !example_ended(example) && next_session(example)) {
        flight_recycle(example);
        if (!has_time(example)) {
            return true;
        }
        if (clock_interrupted(&example->engine->options.clock, err) ||
            !migrate_now(example, false, err)) {
            return false;
        }
        if (!example_ended(example) && !generate_step(example, &ran, err)) {
            return false;
        }
        bool repeated = ran;
        while (repeated && !example_ended(example)) {
            OBSERVE(example->plan.observer, model, example);
            if (!invariants_check(example, WHEN_STEP, err) ||
                (looks_now(example) && !compare_state(example, READERS_OWNER, err)) ||
                (!example_ended(example) && !repeat_step(example, &repeated, err))) {
                return false;
            }
        }
    }
    example->dead_end = !ran;
    return example_ended(example) || migrate_now(example, true, err);
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

static bool settle_deferred(struct example *example, const struct pending *pending,
                            struct error *err)
{
    struct sending sending = {.has_deferred = true, .deferred = pending->deferred};
    struct received received;
    if (!statements_receive(example, &sending, &example->flying, &received, err)) {
        return false;
    }
    if (example->engine->options.differs) {
        if (received.divergence) {
            fail_divergence(example, NULL, NULL, NULL, received.divergence);
        }
        return true;
    }
    return !received.raised || fail_error(example, NULL, NULL, &received, err);
}

/* Deferred constraints, where they are checked at the end alone: in the last step's context. */
static bool check_deferred(struct example *example, struct error *err)
{
    const struct step *step = last_with_sql(example);
    if (example->engine->options.settings->check_deferred != CHECK_DEFERRED_END || !step) {
        return true;
    }
    struct sending sending = {0};
    OBSERVE(example->plan.observer, deferred, example);
    return deferred_send(example, step->rule->statements.items, step->rule->statements.count,
                         step->locals, &sending, err) &&
           flight_push(example,
                       &(struct pending){.settle = settle_deferred, .deferred = sending.deferred},
                       err);
}

static bool predict_all(struct example *example, struct error *err)
{
    plan_diff(example);
    return again_begin(example, err) && example_initialize(example, err) &&
           again_step(example, NULL, err) && check_start(example, err) &&
           replay_steps(example, err) && pinned_steps(example, err) &&
           (!example->plan.way || generate_steps(example, err)) &&
           (example_ended(example) || invariants_check_rest(example, err)) &&
           (example_ended(example) || check_deferred(example, err)) &&
           (example_ended(example) || invariants_check(example, WHEN_END, err)) &&
           (example_ended(example) || compare_state(example, READERS_ALL, err));
}

static void count_bundles(struct example *example)
{
    for (size_t i = 0; i < example->bundles.count; i++) {
        size_t count = example->bundles.items[i].list.count;
        example->stats.bundles[i] = (struct bundle_stats){1, count, count};
    }
}

static void count_tables(struct example *example)
{
    for (size_t i = 0; i < lang_module_global_count(example->state.module); i++) {
        struct value value;
        struct table_stats table;
        bool filled;
        if (!lang_get_global(&example->state, i, &value) || value.type != VALUE_OBJECT ||
            !value.as.object->type->table) {
            continue;
        }
        for (size_t j = 0; value.as.object->type->table(value.as.object, j, &table.name, &filled);
             j++) {
            table.filled = filled;
            *VEC_PUSH(&example->arena, &example->stats.tables) = table;
        }
    }
}

/* Of two databases: answers that are too large to go on end the example. The model only leads, so
 * it is no mistake of the machine. */
static bool has_outgrown(struct example *example, const struct error *err)
{
    if (!example->engine->options.differs || !err->too_large || example->number == 0) {
        return false;
    }
    const struct rule *last = example->steps.items[example->steps.count - 1]->rule;
    example->stats.rules[last->index].parted++;
    example->parted = true;
    return true;
}

static bool run_once(struct engine *engine, const struct example_plan *plan, struct error *err)
{
    struct example *example = &engine->example;
    if (!prefix_enter(engine, plan, err) || !again_enter(engine, plan, err)) {
        return false;
    }
    example_begin(engine, plan);
    choosing_begin_example(example);
    OBSERVE(plan->observer, begin, example);
    bool ok = flight_land(example, predict_all(example, err), err);
    if (!ok && !has_outgrown(example, err)) {
        if (err->code == ERROR_CONNECTION) {
            fail_connection(example);
        } else if (err->code == ERROR_MACHINE || err->code == ERROR_LIMIT ||
                   (err->code == ERROR_SYSTEM && err->sqlstate[0])) {
            explain_mistake(example, err);
        }
        OBSERVE(plan->observer, end, example);
        return false;
    }
    OBSERVE(plan->observer, end, example);
    if (!example_ended(example) || example->parted) {
        stats_commit(&example->log);
        example->stats.dead_ends = example->dead_end;
        example->stats.parted = example->parted;
        if (example->slowest_us > engine->slowest_us) {
            engine->slowest_us = example->slowest_us;
        }
        count_bundles(example);
        count_tables(example);
    }
    if (plan->way && !example->stale) {
        engine->failed = example->failure != NULL;
    }
    return plan->stays || prefix_leave(engine) || engine->backend->ops->reset(engine->backend, err);
}

static enum outcome outcome_of(const struct example *example)
{
    if (example->failure) {
        return OUTCOME_FAIL;
    }
    bool nothing =
        example->number == 0 && example->plan.trace && trace_length(example->plan.trace) > 0;
    return nothing ? OUTCOME_DISCARD : OUTCOME_PASS;
}

/* A plan that got stale is made anew for each execution from then on, so this ends. */
static bool run_until_fresh(struct engine *engine, const struct example_plan *plan,
                            const struct failure **failure, struct error *err)
{
    struct example_plan careful = *plan;
    for (unsigned i = 0; i < STALE_TRIES; i++) {
        /* an execution may have left behind what only a restart takes back, as a migration does */
        if (!engine_refresh(engine, failure, err) || *failure) {
            return *failure != NULL;
        }
        if (!run_once(engine, &careful, err)) {
            return false;
        }
        careful.guarded = careful.guarded || engine->example.surprised;
        if (!engine->example.surprised && !engine->example.stale) {
            return true;
        }
    }
    return error_set(err, ERROR_SERVER, "a statement's plan is stale however often it is made");
}

bool example_run(struct engine *engine, const struct example_plan *plan,
                 struct example_result *result, struct error *err)
{
    const struct sessions_driver *driver = engine->options.sessions;
    bool several = plan->way || (plan->trace && trace_sessions(plan->trace));
    return driver && several ? driver->run(engine, plan, result, err)
                             : example_run_alone(engine, plan, result, err);
}

/* What differs by chance, or by the time that passes, does so in some runs only. */
bool example_doubt(struct engine *engine, const struct trace *trace, uint64_t number,
                   enum nature_verdict *verdict, struct error *err)
{
    enum { TRIES = 4 };
    const struct backend_ops *ops = engine->backend->ops;
    const struct example_plan again = {.trace = trace, .number = number, .quiet = true};
    const struct failure *failure = NULL;
    bool found = false;
    bool ok = true;
    *verdict = NATURE_NO;
    if (!ops->doubt(engine->backend, true, &found)) {
        return true;
    }
    found = false;
    for (unsigned i = 0; ok && !found && i < TRIES; i++) {
        ok = run_until_fresh(engine, &again, &failure, err);
        (void)ops->doubt(engine->backend, true, &found);
        found = found || (ok && engine->example.failure);
    }
    *verdict = !ok                       ? NATURE_NO
               : engine->example.failure ? NATURE_UNCLEAR
               : found                   ? NATURE_LEARNED
                                         : NATURE_NO;
    (void)ops->doubt(engine->backend, false, &found);
    return ok;
}

/* Runs the plan. A difference that may be by nature is looked into before it counts. */
static bool run_plan(struct engine *engine, const struct example_plan *plan,
                     const struct failure **failure, struct error *err)
{
    enum { DOUBTS_MAX = 50 /* more than an example has places that differ by nature */ };
    struct example *example = &engine->example;
    struct arena arena = {0};
    enum nature_verdict verdict = NATURE_LEARNED;
    bool ok = true;
    for (unsigned i = 0; ok && i < DOUBTS_MAX && verdict == NATURE_LEARNED; i++) {
        ok = run_until_fresh(engine, plan, failure, err);
        bool doubted =
            ok && plan->way && example->failure && example->failure->kind == FAILURE_DIFFERS;
        verdict = NATURE_NO;
        if (doubted) {
            const struct trace trace = trace_copy(&arena, &example->failure->trace);
            ok = example_doubt(engine, &trace, plan->number, &verdict, err) &&
                 (verdict == NATURE_LEARNED || run_until_fresh(engine, plan, failure, err));
        }
    }
    if (verdict != NATURE_NO) {
        example->failure = NULL;
    }
    arena_free(&arena);
    return ok;
}

bool example_run_alone(struct engine *engine, const struct example_plan *plan,
                       struct example_result *result, struct error *err)
{
    struct example *example = &engine->example;
    const struct failure *failure = NULL;
    bool ok = engine_refresh(engine, &failure, err);
    if (!ok) {
        example_begin(engine, plan); /* what the last example showed is not this one's */
    }
    ok = ok && (failure || run_plan(engine, plan, &failure, err));
    if (failure) {
        example->plan = *plan;
    }
    /* of one that max_time cut what was settled counts, as if it had ended there */
    bool cut =
        !ok && plan->way && example->stats.steps && clock_stopped(&engine->options.clock, err);
    example->stats.examples = ok || cut;
    if (plan->way) {
        example->stats.ways[plan->way - example_ways] = example->stats.examples;
    }
    *result = (struct example_result){
        .outcome = outcome_of(example),
        .failure = example->failure,
        .trace = example->failure ? example->failure->trace : example->trace,
        .stats = &example->stats,
        .steps = (size_t)example->stats.steps,
    };
    return ok;
}
