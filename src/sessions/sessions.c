#include "sessions/sessions.h"

#include "example/example.h"
#include "example/failure/failure.h"
#include "example/setup/setup.h"
#include "example/step/result.h"
#include "example/step/step.h"
#include "sessions/anomaly.h"
#include "sessions/draw.h"
#include "sessions/orders.h"
#include "sessions/state.h"
#include "sessions/tell.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- what an engine keeps --- */

static struct engine_options quiet_options(const struct engine *main)
{
    struct engine_options options = main->options;
    options.sessions = NULL;
    options.observer = NULL;
    options.print = NULL;
    options.step = NULL;
    options.plant = NULL;
    options.ahead = options.measure = false;
    return options;
}

static struct sessions_state *state_new(struct engine *main)
{
    const struct engine_options options = quiet_options(main);
    struct sessions_state *state = memory_alloc(sizeof *state);
    *state = (struct sessions_state){.main = main};
    engine_init(&state->stage, main->machine, main->backend, &options);
    state->stage.options.ahead = main->options.ahead;
    for (unsigned i = 0; i < LANES_MAX; i++) {
        struct branch *branch = &state->branches[i];
        branch->state = state;
        branch->player = (struct player){.main = main->backend,
                                         .before = &state->before,
                                         .arena = &branch->arena,
                                         .lane = &state->steer.lanes[i],
                                         .record = &state->records[i]};
        player_init(&branch->player);
        engine_init(&branch->engine, main->machine, &branch->player.backend, &options);
        state->steer.lanes[i] = (struct lane){.steer = &state->steer, .session = i + 1};
        steer_idle(&state->steer.lanes[i]);
    }
    state->judging = (struct player){.main = main->backend,
                                     .before = &state->before,
                                     .sessions = state->records,
                                     .arena = &state->arena};
    player_init(&state->judging);
    engine_init(&state->judge, main->machine, &state->judging.backend, &options);
    state->steer.clock = &main->options.clock;
    state->steer.host = main;
    state->steer.arena = &state->arena;
    state->steer.ops = main->backend->ops->lanes;
    return state;
}

static void state_free(struct sessions_state *state)
{
    engine_free(&state->stage);
    engine_free(&state->judge);
    for (unsigned i = 0; i < LANES_MAX; i++) {
        engine_free(&state->branches[i].engine);
        arena_free(&state->branches[i].arena);
    }
    arena_free(&state->arena);
    arena_free(&state->drawn);
    free(state);
}

/* --- running --- */

static bool run_before(struct sessions_state *state, const struct example_plan *given,
                       const struct trace *trace, bool *held, struct error *err)
{
    const struct trace before = trace_part(&state->arena, trace, 0);
    struct tell tell;
    const struct example_plan plan = {.trace = &before,
                                      .stepwise = given->stepwise,
                                      .quiet = true,
                                      .stays = true,
                                      .observer = &tell.observer,
                                      .scope = SCOPE_NONE};
    struct example_result result;
    state->before = (struct record){0};
    recorder_begin(&state->recorder, &state->before, &state->arena);
    tell_begin(&tell, &state->recorder.observer, given->observer, NULL);
    engine_share(&state->stage, state->main);
    bool ok = example_run_alone(&state->stage, &plan, &result, err);
    *held = ok && !result.failure;
    return ok;
}

/* Only one session runs at a time. */
static const struct step *find_dead(void *host, uint32_t id)
{
    const struct sessions_state *state = host;
    for (unsigned i = 0; i < state->count; i++) {
        const struct example *example = &state->branches[i].engine.example;
        const struct recorded_step *recorded = record_find(&state->records[i], id);
        for (size_t k = 0; recorded && recorded->gone && k < example->steps.count; k++) {
            if (example->steps.items[k]->id == id) {
                return example->steps.items[k];
            }
        }
    }
    return NULL;
}

/* The model lacks what a step needs, or its client can't compute what to send. */
static bool lacks_something(const struct error *err)
{
    return err->code == ERROR_MACHINE || err->code == ERROR_LIMIT;
}

static void *run_branch(void *owner)
{
    struct branch *branch = owner;
    const struct example_plan plan = {.trace = &branch->trace,
                                      .stepwise = true,
                                      .quiet = true,
                                      .lenient = true,
                                      .observer = &branch->player.observer,
                                      .dead = find_dead,
                                      .host = branch->state,
                                      .scope = SCOPE_NONE};
    struct example_result result;
    branch->err = (struct error){0};
    branch->ok = steer_begin(branch->player.lane, &branch->err) &&
                 example_run_alone(&branch->engine, &plan, &result, &branch->err);
    if (!branch->ok && lacks_something(&branch->err)) { /* others may wait for its locks */
        struct backend *lane = branch->player.lane->backend;
        struct error ignored;
        (void)lane->ops->reset(lane, &ignored);
    }
    steer_end(branch->player.lane);
    return NULL;
}

static bool open_lanes(struct sessions_state *state, struct error *err)
{
    struct lane_host *hosts[LANES_MAX];
    struct backend *lanes[LANES_MAX];
    for (unsigned i = 0; i < state->count; i++) {
        hosts[i] = &state->steer.lanes[i].host;
    }
    if (!state->steer.ops->open(state->main->backend, state->count, hosts, lanes, err)) {
        return false;
    }
    for (unsigned i = 0; i < state->count; i++) {
        state->steer.lanes[i].backend = lanes[i];
    }
    return true;
}

static bool set_row_gates(struct sessions_state *state, bool there, struct error *err)
{
    const struct lane_ops *ops = state->steer.ops;
    return !ops->row_gates || ops->row_gates(state->main->backend, there, err);
}

/* Drops a step that was not sent, or not to its end, because something lacked that it needs. We
 * can't know which steps would have followed. True if what it did may have stayed. */
static bool drop_unsent(struct record *record)
{
    size_t count = record->steps.count;
    const struct recorded_step *last = count > 0 ? record->steps.items[count - 1] : NULL;
    if (!last || last->ended > 0) {
        return false;
    }
    record->steps.count--;
    return last->calls.count > 0 && last->calls.items[0].outside;
}

/* The sessions side by side. False: it is over with the run. */
static bool run_branches(struct sessions_state *state, const struct trace *trace, struct error *err)
{
    struct steer *steer = &state->steer;
    steer->count = state->count;
    steer->schedule = &trace->schedule;
    steer->limit_ms = state->main->options.settings->statement_timeout_ms;
    steer->tick = 1;
    steer->events.items = NULL;
    steer->events.count = steer->events.capacity = 0;
    steer->functions.items = NULL;
    steer->functions.count = steer->functions.capacity = 0;
    steer->quit = false;
    for (unsigned i = 0; i < state->count; i++) {
        struct branch *branch = &state->branches[i];
        arena_reset(&branch->arena);
        state->records[i] = (struct record){0};
        player_begin(&branch->player);
        branch->player.retries = (unsigned)state->main->options.settings->retry;
        branch->trace = trace_part(&state->arena, trace, i + 1);
        engine_share(&branch->engine, state->main);
        steer->lanes[i].run = run_branch;
        steer->lanes[i].owner = branch;
    }
    if (!open_lanes(state, err) ||
        !set_row_gates(state, trace_schedule_uses(&trace->schedule, TRACE_GATE_ROW), err) ||
        !steer_run(steer, err)) {
        return false;
    }
    for (unsigned i = 0; i < state->count; i++) {
        struct branch *branch = &state->branches[i];
        if (!branch->ok && !lacks_something(&branch->err)) {
            *err = branch->err;
            return false;
        }
        branch->player.strayed |= drop_unsent(&state->records[i]);
    }
    return true;
}

/* Notes what the sessions ran, as a trace. The records get its steps. */
static void note_executed(struct sessions_state *state, const struct trace *trace)
{
    struct arena *arena = &state->arena;
    state->executed = trace_copy(arena, &(struct trace){.schedule = trace->schedule});
    const struct trace before = trace_copy(arena, &state->stage.example.trace);
    for (size_t i = 0; i < before.steps.count; i++) {
        *VEC_PUSH(arena, &state->executed.steps) = before.steps.items[i];
    }
    for (unsigned i = 0; i < state->count; i++) {
        const struct trace ran = trace_copy(arena, &state->branches[i].engine.example.trace);
        for (size_t k = 0; k < ran.steps.count; k++) {
            struct recorded_step *step = record_find(&state->records[i], ran.steps.items[k].id);
            if (step) {
                step->step = &ran.steps.items[k];
                *VEC_PUSH(arena, &state->executed.steps) = ran.steps.items[k];
            }
        }
    }
}

/* --- the verdict --- */

static struct trace trace_of(struct sessions_state *state, struct recorded_step *const *order,
                             size_t count)
{
    struct trace trace = trace_part(&state->arena, &state->executed, 0);
    for (size_t i = 0; i < count; i++) {
        if (order[i]->step) {
            *VEC_PUSH(&state->arena, &trace.steps) = *order[i]->step;
        }
    }
    return trace;
}

/* How many steps of the order the judge ran, as they stand in it. */
static size_t ran_of(const struct example *example, size_t before,
                     struct recorded_step *const *order, size_t count)
{
    const struct trace *trace = &example->trace;
    size_t ran = 0;
    while (ran < count && before + ran < trace->steps.count &&
           trace->steps.items[before + ran].id == order[ran]->id) {
        ran++;
    }
    return ran;
}

static bool judge_order(void *host, struct recorded_step *const *order, size_t count,
                        size_t *explained, struct error *err)
{
    struct sessions_state *state = host;
    const struct trace trace = trace_of(state, order, count);
    const struct example_plan plan = {.trace = &trace,
                                      .stepwise = true,
                                      .quiet = true,
                                      .lenient = state->main->options.settings->accept ==
                                                 ACCEPT_INVARIANTS,
                                      .observer = &state->judging.observer,
                                      .scope = SCOPE_FINAL};
    struct example_result result;
    struct tried_order *tried = VEC_PUSH(&state->arena, &state->tried);
    tried->steps = arena_memdup(&state->arena, order, count * sizeof(struct recorded_step *));
    tried->count = count;
    player_begin(&state->judging);
    engine_share(&state->judge, state->main);
    bool ok = example_run_alone(&state->judge, &plan, &result, err);
    const struct example *example = &state->judge.example;
    size_t before = trace.steps.count - count;
    size_t ran = ran_of(example, before, order, count);
    bool at_end = ok && result.failure && result.failure->invariant;
    if (!ok && err->code != ERROR_MACHINE && err->code != ERROR_LIMIT) {
        return false;
    }
    *err = (struct error){0};
    *explained = ran;
    if (ok && !result.failure && ran == count) {
        tried->explained = count;
        return true;
    }
    bool in_order = example->trace.steps.count == before + ran; /* it ran all of them */
    if (ok && result.failure && in_order && (at_end ? ran == count : ran > 0) &&
        !state->judging.strayed) {
        tried->failure = failure_copy(&state->arena, result.failure);
        *explained = at_end ? ORDER_AT_END : ran - 1;
    }
    tried->explained = *explained;
    return true;
}

/* The order that explains most before something contradicts it. NULL if some order says nothing, as
 * that one might explain everything. */
static const struct tried_order *closest(const struct sessions_state *state)
{
    const struct tried_order *best = NULL;
    for (size_t i = 0; i < state->tried.count; i++) {
        const struct tried_order *tried = &state->tried.items[i];
        if (!tried->failure) {
            return NULL;
        }
        best = !best || tried->explained > best->explained ? tried : best;
    }
    return best;
}

/* --- what the plan's observer is told --- */

/* The trace on what was recorded. What an order contradicts does not end it before its end. */
static bool play_again(struct sessions_state *state, const struct trace *trace, struct tell *tell,
                       enum invariant_scope scope, struct error *err)
{
    const struct example_plan plan = {.trace = trace,
                                      .stepwise = true,
                                      .quiet = true,
                                      .lenient = true,
                                      .observer = &tell->observer,
                                      .scope = scope};
    struct example_result result;
    player_begin(&state->judging);
    return example_run_alone(&state->judge, &plan, &result, err) || err->code == ERROR_MACHINE ||
           err->code == ERROR_LIMIT;
}

/* The steps of each session, then the invariants that contradict an order. */
static bool tell_sessions(struct sessions_state *state, struct observer *to, struct error *err)
{
    static const struct record nothing;
    struct tell tell;
    tell_begin(&tell, &state->judging.observer, to, &nothing);
    for (unsigned i = 0; tell.to && i < state->count; i++) {
        const struct trace trace = trace_part(&state->arena, &state->executed, i + 1);
        tell.only = &state->records[i];
        tell_session(&tell, i + 1);
        if (!play_again(state, &trace, &tell, SCOPE_NONE, err)) {
            return false;
        }
    }
    tell.only = &nothing;
    tell_session(&tell, 0);
    for (size_t i = 0; tell.to && i < state->tried.count; i++) {
        const struct tried_order *tried = &state->tried.items[i];
        const struct trace trace = trace_of(state, tried->steps, tried->count);
        if (tried->explained == ORDER_AT_END &&
            !play_again(state, &trace, &tell, SCOPE_FINAL, err)) {
            return false;
        }
    }
    *err = (struct error){0};
    return true;
}

/* --- one run of the sessions --- */

/* Whether a step of another session ran while this one did. */
static bool runs_beside(const struct sessions_state *state, unsigned session,
                        const struct recorded_step *step)
{
    for (unsigned i = 0; i < state->count; i++) {
        for (size_t k = 0; i + 1 != session && k < state->records[i].steps.count; k++) {
            const struct recorded_step *other = state->records[i].steps.items[k];
            if (other->began < step->ended && step->began < other->ended) {
                return true;
            }
        }
    }
    return false;
}

/* Whether a client died before its COMMIT beside others. They may have seen its locks (SKIP LOCKED,
 * NOWAIT), although the step did nothing: no order explains that, and it is no defect. */
static bool died_beside(const struct sessions_state *state)
{
    for (unsigned i = 0; i < state->count; i++) {
        for (size_t k = 0; k < state->records[i].steps.count; k++) {
            const struct recorded_step *step = state->records[i].steps.items[k];
            if (step->died && step->step && step->step->death != DEATH_AFTER &&
                (step->step->death != DEATH_WITHIN || step->death.within) &&
                runs_beside(state, i + 1, step)) {
                return true;
            }
        }
    }
    return false;
}

static bool judge_run(struct sessions_state *state, const struct example_plan *plan,
                      struct error *err)
{
    const struct order_judge judge = {state, judge_order};
    struct session_stats *stats = &state->main->example.stats.sessions;
    bool strayed = false;
    bool found = false;
    for (unsigned i = 0; i < state->count; i++) {
        strayed = strayed || state->branches[i].player.strayed;
        for (size_t k = 0; k < state->records[i].steps.count; k++) {
            stats->undone += state->records[i].steps.items[k]->undone;
        }
    }
    stats->runs++;
    if (!strayed &&
        !orders_search(state->records, state->count, &judge, &state->arena, &found, err)) {
        return false;
    }
    const struct tried_order *best = strayed || found || died_beside(state) ? NULL : closest(state);
    stats->unclear += strayed || (!found && !best);
    if (best) {
        sessions_fail(state, plan, best);
    }
    return !best || tell_sessions(state, plan->observer, err);
}

static bool put_in_order(struct sessions_state *state, struct error *err)
{
    const struct lane_ops *ops = state->steer.ops;
    bool done = true;
    for (unsigned i = 0; i < state->count && done; i++) {
        struct backend *lane = state->steer.lanes[i].backend;
        done = !lane || ops->tidy(lane, err);
    }
    for (unsigned i = 0; i < state->count && done; i++) {
        struct backend *lane = state->steer.lanes[i].backend;
        done = !lane || lane->ops->reset(lane, err);
    }
    return done && set_row_gates(state, false, err) &&
           state->main->backend->ops->reset(state->main->backend, err);
}

/* As engine_refresh, whose set-up is an example of the main engine. The one that is run by several
 * schedules stays beside it: its trace and its counts are still to be read. */
static bool refresh_beside(struct engine *engine, bool *fails, struct error *err)
{
    const struct failure *failure = NULL;
    struct example kept = engine->example;
    engine->example = (struct example){0};
    bool ok = engine_refresh(engine, &failure, err);
    *fails = failure != NULL;
    arena_free(&engine->example.arena);
    arena_free(&engine->example.flying);
    arena_free(&engine->example.trying);
    engine->example = kept;
    return ok;
}

/* The set-up, what comes before the sessions, and the sessions side by side. *held: up to them. */
static bool run_sides(struct sessions_state *state, const struct example_plan *plan,
                      const struct trace *trace, bool *fails, bool *held, struct error *err)
{
    return refresh_beside(state->main, fails, err) && !*fails &&
           run_before(state, plan, trace, held, err) && (!*held || run_branches(state, trace, err));
}

/* --- the evidence for an anomaly --- */

/* The steps of one session or both, one session after the other. */
static struct trace serial_trace(struct sessions_state *state, const unsigned char *order)
{
    struct trace trace = trace_part(&state->arena, &state->executed, 0);
    for (size_t i = 0; i < state->executed.steps.count; i++) {
        const struct trace_step *step = &state->executed.steps.items[i];
        if (step->session && (step->session == order[0] || step->session == order[1])) {
            *VEC_PUSH(&state->arena, &trace.steps) = *step;
        }
    }
    memcpy(trace.schedule.order, order, 2);
    return trace;
}

/* False: nothing is known. */
static bool gather_evidence(struct sessions_state *state, const struct race *race,
                            struct anomaly_evidence *evidence)
{
    static const struct example_plan silent = {0};
    const struct lane_ops *ops = state->steer.ops;
    const unsigned char sessions[] = {(unsigned char)race->steps.items[0].session,
                                      (unsigned char)race->steps.items[1].session};
    const unsigned char orders[][2] = {
        [RUN_NONE] = {0, 0},
        [RUN_FIRST] = {sessions[0], 0},
        [RUN_SECOND] = {sessions[1], 0},
        [RUN_FIRST_SECOND] = {sessions[0], sessions[1]},
        [RUN_SECOND_FIRST] = {sessions[1], sessions[0]},
    };
    struct backend *main = state->main->backend;
    struct error ignored = {0};
    bool known = ops->rows(main, &state->arena, &evidence->rows[RUN_RACE], &ignored);
    for (size_t run = RUN_NONE; run < RUN_RACE && known; run++) {
        const struct trace trace = serial_trace(state, orders[run]);
        bool fails = false;
        bool held = false;
        known = put_in_order(state, &ignored) &&
                run_sides(state, &silent, &trace, &fails, &held, &ignored) && held &&
                ops->rows(main, &state->arena, &evidence->rows[run], &ignored);
        for (size_t i = 0; i < 2 && known; i++) {
            const struct record *record = &state->records[sessions[i] - 1];
            const char *answer =
                record->steps.count ? sessions_answer(&state->arena, record->steps.items[0]) : NULL;
            if (run == RUN_FIRST + i) {
                evidence->answers[i] = answer;
            } else if (run == RUN_SECOND_FIRST - i) {
                evidence->after[i] = answer;
            }
        }
    }
    return known;
}

/* The plan says whether a race is named, as that takes a few more runs. */
static void name_anomaly(struct sessions_state *state, const struct example_plan *plan)
{
    struct example *example = &state->main->example;
    const struct race *race = example->failure ? example->failure->race : NULL;
    struct anomaly_evidence evidence = {0};
    if (race && plan->named && state->steer.ops->rows && anomaly_possible(race) &&
        gather_evidence(state, race, &evidence)) {
        struct race named = *race;
        named.anomaly = anomaly_of(&state->arena, race, &evidence);
        example->failure->race = race_copy(&example->arena, &named);
    }
}

/* --- examples --- */

/* The trace with its sessions side by side, from the start; a failure is the main engine's. */
static bool run_once(struct sessions_state *state, const struct example_plan *plan,
                     const struct trace *trace, struct error *err)
{
    bool fails = false;
    bool held = false;
    arena_reset(&state->arena);
    state->executed = (struct trace){0};
    for (unsigned i = 0; i < LANES_MAX; i++) {
        state->records[i] = (struct record){0};
    }
    state->count = trace_sessions(trace);
    state->tried.items = NULL;
    state->tried.count = state->tried.capacity = 0;
    state->judging.session_count = state->count;
    state->judging.asked.items = NULL;
    state->judging.asked.count = state->judging.asked.capacity = 0;
    if (!run_sides(state, plan, trace, &fails, &held, err)) {
        return fails; /* the set-up does: the next example says so */
    }
    if (!held) {
        state->main->example.stats.sessions.unclear++;
        return put_in_order(state, err);
    }
    note_executed(state, trace);
    if (!judge_run(state, plan, err)) {
        return false;
    }
    name_anomaly(state, plan);
    return put_in_order(state, err);
}

static void result_of(struct engine *engine, struct example_result *result)
{
    struct example *example = &engine->example;
    if (example->failure) {
        *result = (struct example_result){.outcome = OUTCOME_FAIL,
                                          .failure = example->failure,
                                          .trace = example->failure->trace,
                                          .stats = &example->stats,
                                          .steps = (size_t)example->stats.steps};
    }
}

static void tell_progress(void *host)
{
    const struct engine *engine = host;
    if (engine->options.step) {
        engine->options.step(engine->options.step_host, engine->example.number);
    }
}

/* The schedule that just ran, but for a wait for a lock that lock_timeout ends. */
static bool draw_time_out(const struct sessions_state *state, const struct schedules *tried,
                          struct arena *arena, struct trace_schedule *schedule)
{
    const struct steer *steer = &state->steer;
    for (size_t i = 0; i < steer->events.count; i++) {
        const struct steer_event *event = &steer->events.items[i];
        const struct trace_switch point = {.step = event->step,
                                           .call = event->call,
                                           .crossing = event->crossing,
                                           .nth = event->nth,
                                           .gate = event->gate,
                                           .act = TRACE_TIME_OUT};
        if (event->kind != STEER_BLOCKED || !event->limited || event->gate == TRACE_GATE_ROW) {
            continue;
        }
        struct trace_schedule ended = *schedule;
        VEC_OWN(arena, &ended.switches);
        *VEC_PUSH(arena, &ended.switches) = point;
        if (!schedules_have(tried, &ended)) {
            *schedule = ended;
            return true;
        }
    }
    return false;
}

/* The one after the first `count` schedules of an example that has `most`. False: there is none. */
static bool next_schedule(struct sessions_state *state, struct rng *rng, size_t most, size_t count,
                          const struct points *points, const struct schedules *tried,
                          struct trace *trace)
{
    enum { TIME_OUTS = 2 }; /* more schedules, at most, where waits have a time limit */
    struct arena *arena = &state->drawn;
    unsigned sessions = trace_sessions(trace);
    size_t ended = 0;
    bool between_rows = false;
    for (size_t i = 0; i < tried->items.count; i++) {
        ended += trace_schedule_acts(&tried->items.items[i], TRACE_TIME_OUT);
        between_rows = between_rows || trace_schedule_uses(&tried->items.items[i], TRACE_GATE_ROW);
    }
    if (ended < TIME_OUTS && draw_time_out(state, tried, arena, &trace->schedule)) {
        return true;
    }
    unsigned depth = most > SCHEDULES ? 2 : draw_depth(rng);
    if (!between_rows && count - ended < most &&
        draw_schedule(rng, sessions, points, depth, tried, arena, &trace->schedule)) {
        return true;
    }
    return !between_rows &&
           draw_between_rows(rng, sessions, points, tried, arena, &trace->schedule);
}

/* An example that was generated and held with its sessions one after the other. */
static bool run_schedules(struct sessions_state *state, const struct example_plan *plan,
                          const struct trace *serial, struct rng *rng, struct error *err)
{
    struct example *example = &state->main->example;
    struct points points = {0};
    struct schedules tried = {0};
    struct trace trace = trace_copy(&state->drawn, serial);
    unsigned sessions = trace_sessions(&trace);
    const struct branching *branching = example->plan.branching;
    bool crosswise =
        branching && branching->meets == MEET_CROSSWISE && !example->by_chance && example->meets;
    const unsigned most = crosswise ? SCHEDULES_CROSSWISE : draw_count(&trace, example->meets);
    draw_first_schedule(rng, state->main->machine, &trace, crosswise ? 1 : 0, &state->drawn,
                        &trace.schedule);
    for (unsigned i = 1; !example->failure; i++) {
        if (clock_is_up(&state->main->options.clock)) {
            state->main->cut = true;
            return true;
        }
        *VEC_PUSH(&state->drawn, &tried.items) = trace.schedule;
        if (!run_once(state, plan, &trace, err)) {
            return false;
        }
        if (i == 1) {
            points_of(state->records, state->count, &state->drawn, &points);
            example->stats.sessions.points += points.items.count;
            example->stats.sessions.examples++;
            example->stats.sessions.sessions += sessions;
        }
        if (!next_schedule(state, rng, most, i, &points, &tried, &trace)) {
            return true;
        }
        example->stats.sessions.single += trace.schedule.switches.count == 1;
    }
    return true;
}

/* Steps that failed one after the other: what shows it needs no sessions. */
static void leave_sessions(struct example *example, struct example_result *result)
{
    struct trace *traces[] = {&example->failure->trace, &result->trace};
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        *traces[i] = trace_copy(&example->arena, traces[i]);
        for (size_t k = 0; k < traces[i]->steps.count; k++) {
            traces[i]->steps.items[k].session = 0;
        }
    }
}

static bool run_fresh(struct sessions_state *state, const struct example_plan *plan,
                      struct example_result *result, struct error *err)
{
    enum { STREAM = 0x5e5510 };
    struct engine *engine = state->main;
    const struct settings *settings = engine->options.settings;
    struct rng rng;
    rng_seed(&rng, settings->seed ^ STREAM, plan->number);
    const struct branching branching = draw_branching(&rng, (unsigned)settings->sessions,
                                                      (size_t)settings->steps, engine->machine);
    struct example_plan serial = *plan;
    serial.branching = plan->trace ? NULL : &branching;
    if (!example_run_alone(engine, &serial, result, err)) {
        return false;
    }
    if (result->failure) {
        leave_sessions(&engine->example, result);
        return true;
    }
    if (trace_sessions(&result->trace) < 2) {
        return true;
    }
    arena_reset(&state->drawn);
    state->steer.waits = tell_progress;
    bool ok = run_schedules(state, plan, &result->trace, &rng, err);
    state->steer.waits = NULL;
    result_of(engine, result);
    return ok;
}

static bool run_again(struct sessions_state *state, const struct example_plan *plan,
                      struct example_result *result, struct error *err)
{
    struct engine *engine = state->main;
    const struct failure *failure = NULL;
    arena_reset(&state->drawn);
    const struct trace trace = trace_copy(&state->drawn, plan->trace);
    bool ready = engine_refresh(engine, &failure, err);
    example_begin(engine, plan);
    bool ok = ready && (failure || run_once(state, plan, &trace, err));
    engine->example.stats.examples = ok;
    size_t steps = trace_length(&state->executed);
    engine->example.stats.steps = steps;
    *result = (struct example_result){.outcome = OUTCOME_PASS,
                                      .trace = state->executed,
                                      .stats = &engine->example.stats,
                                      .steps = steps};
    result_of(engine, result);
    return ok;
}

static bool run_sessions(struct engine *engine, const struct example_plan *plan,
                         struct example_result *result, struct error *err)
{
    assert(engine->backend->ops->lanes != NULL);
    if (!engine->sessions) {
        engine->sessions = state_new(engine);
    }
    return plan->trace && trace_sessions(plan->trace)
               ? run_again(engine->sessions, plan, result, err)
               : run_fresh(engine->sessions, plan, result, err);
}

const struct sessions_driver sessions_driver = {run_sessions, state_free};
