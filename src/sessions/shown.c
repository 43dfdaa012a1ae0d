#include "example/failure/failure.h"
#include "example/step/step.h"
#include "sessions/orders.h"
#include "sessions/sent.h"
#include "sessions/state.h"

#include <string.h>

const char *sessions_answer(struct arena *arena, const struct recorded_step *step)
{
    const struct recorded_call *last = NULL;
    for (size_t i = 0; i < step->calls.count; i++) {
        const struct recorded_call *call = &step->calls.items[i];
        if (call->answer.status == ANSWER_ERROR) {
            return answered_text(arena, call);
        }
        last = call->sql ? call : last;
    }
    return last ? answered_text(arena, last) : "";
}

/* The steps of the sessions as their engines ran them. */
static void add_race_steps(struct sessions_state *state, struct race *race)
{
    struct arena *arena = &state->arena;
    for (unsigned i = 0; i < state->count; i++) {
        const struct example *example = &state->branches[i].engine.example;
        for (size_t k = 0; k < example->steps.count; k++) {
            const struct step *step = example->steps.items[k];
            const struct recorded_step *recorded = record_find(&state->records[i], step->id);
            if (recorded) {
                *VEC_PUSH(arena, &race->steps) = (struct race_step){
                    .session = i + 1,
                    .id = step->id,
                    .shown = shown_step(arena, step),
                    .undone = recorded->undone,
                    .retries = recorded->retries,
                    .answer = sessions_answer(arena, recorded),
                };
            }
        }
    }
}

static size_t race_index(const struct race *race, uint32_t id)
{
    size_t index = 0;
    while (index < race->steps.count && race->steps.items[index].id != id) {
        index++;
    }
    return index;
}

/* Whether the event is of the last time that the call was sent, whose answer is in the record. */
static bool is_last(const struct steer *steer, size_t index)
{
    const struct steer_event *event = &steer->events.items[index];
    for (size_t i = index + 1; i < steer->events.count; i++) {
        const struct steer_event *later = &steer->events.items[i];
        if (later->kind == STEER_SENT && later->step == event->step && later->call == event->call) {
            return false;
        }
    }
    return true;
}

static void add_events(struct sessions_state *state, struct race *race)
{
    static const enum race_event_kind kinds[] = {
        [STEER_SENT] = RACE_SENT,           [STEER_STOPPED] = RACE_STOPPED,
        [STEER_TIMES_OUT] = RACE_TIMES_OUT, [STEER_RELEASED] = RACE_RELEASED,
        [STEER_BLOCKED] = RACE_BLOCKED,     [STEER_FREED] = RACE_FREED,
        [STEER_ANSWERED] = RACE_ANSWERED,   [STEER_DIED] = RACE_DIED,
        [STEER_AGAIN] = RACE_AGAIN};
    struct arena *arena = &state->arena;
    for (size_t i = 0; i < state->steer.events.count; i++) {
        const struct steer_event *event = &state->steer.events.items[i];
        const struct recorded_step *step =
            record_find(&state->records[event->session - 1], event->step);
        size_t index = race_index(race, event->step);
        if (step && index < race->steps.count && event->kind == STEER_DIED) {
            *VEC_PUSH(arena, &race->events) =
                (struct race_event){.kind = RACE_DIED, .step = index, .call = event->call};
            continue;
        }
        if (!step || index == race->steps.count || event->call >= step->calls.count) {
            continue;
        }
        const struct recorded_call *call = &step->calls.items[event->call];
        if (!call->sql && step->calls.items[0].outside) {
            continue; /* there is nothing to commit */
        }
        struct race_event *out = VEC_PUSH(arena, &race->events);
        *out = (struct race_event){.kind = kinds[event->kind],
                                   .step = index,
                                   .call = event->call,
                                   .crossing = event->crossing,
                                   .nth = event->nth,
                                   .gate = event->gate,
                                   .limited = event->limited,
                                   .deadlock = event->deadlock,
                                   .by = event->by};
        if (event->kind == STEER_SENT) {
            out->text = sent_text(arena, call);
        } else {
            out->failed = event->failed;
            out->text = event->kind == STEER_ANSWERED && is_last(&state->steer, i)
                            ? answered_text(arena, call)
                            : event->text;
        }
    }
}

/* The gates between the statements of functions. */
static void add_between(struct sessions_state *state, struct race *race)
{
    struct arena *arena = &state->arena;
    const struct steer *steer = &state->steer;
    for (unsigned i = 0; i < state->count; i++) {
        for (size_t k = 0; k < state->records[i].steps.count; k++) {
            const struct recorded_step *step = state->records[i].steps.items[k];
            for (size_t call = 0; call < step->calls.count; call++) {
                for (size_t n = 0; n < step->calls.items[call].between.count; n++) {
                    *VEC_PUSH(arena, &race->between) = step->calls.items[call].between.items[n];
                }
            }
        }
    }
    for (size_t i = 0; i < steer->functions.count; i++) {
        const char *sql =
            steer->ops->body(steer->lanes[0].backend, steer->functions.items[i], arena);
        if (sql) {
            *VEC_PUSH(arena, &race->bodies) = sql;
        }
    }
}

static void add_orders(struct sessions_state *state, struct race *race)
{
    struct arena *arena = &state->arena;
    bool kept = false;
    for (size_t i = 0; i < race->events.count; i++) {
        const struct race_event *event = &race->events.items[i];
        kept = kept || (event->kind == RACE_ANSWERED && event->by);
    }
    for (size_t i = 0; i < state->tried.count; i++) {
        const struct tried_order *tried = &state->tried.items[i];
        const struct failure *failure = tried->failure;
        size_t *steps = ARENA_ARRAY(arena, size_t, tried->count);
        for (size_t k = 0; k < tried->count; k++) {
            steps[k] = race_index(race, tried->steps[k]->id);
        }
        const struct sent_sides sides = sent_sides(arena, failure);
        bool unexpected = failure->kind == FAILURE_UNEXPECTED_ERROR ||
                          failure->kind == FAILURE_DIFFERENT_ERROR ||
                          (failure->kind == FAILURE_TIMEOUT && failure->error.sqlstate[0]);
        *VEC_PUSH(arena, &race->orders) = (struct race_order){
            .steps = steps,
            .count = tried->count,
            .at = tried->explained == ORDER_AT_END ? tried->count : tried->explained,
            .raises = unexpected || failure->kind == FAILURE_MISSING_ERROR,
            .sqlstate = unexpected ? failure->error.sqlstate : NULL,
            .who = failure->id.who,
            .check = failure->check,
            .op = sides.op,
            .expected = sides.expected,
            .actual = sides.actual,
        };
        const char *sqlstate = unexpected ? failure->error.sqlstate : "";
        race->deadlock = race->deadlock || strcmp(sqlstate, DEADLOCK_DETECTED) == 0;
        race->kept = race->kept || (kept && failure->kind == FAILURE_TIMEOUT);
    }
}

void sessions_fail(struct sessions_state *state, const struct example_plan *plan,
                   const struct tried_order *best)
{
    struct example *example = &state->main->example;
    struct race *race = ARENA_NEW(&state->arena, struct race);
    race->sessions = state->count;
    add_race_steps(state, race);
    add_events(state, race);
    add_between(state, race);
    add_orders(state, race);
    struct failure failure = *best->failure;
    failure.kind = FAILURE_RACE;
    failure.id = (struct failure_id){.kind = FAILURE_RACE,
                                     .who = "sessions",
                                     .sqlstate = race->deadlock ? DEADLOCK_DETECTED
                                                 : race->kept   ? QUERY_CANCELED
                                                                : NULL};
    failure.identity = failure_id_text(&state->arena, &failure.id);
    failure.race = race;
    failure.invariant = NULL;
    failure.trace = state->executed;
    failure.steps.items = NULL;
    failure.steps.count = failure.steps.capacity = 0;
    for (size_t i = 0; i < state->stage.example.steps.count; i++) {
        const struct step *step = state->stage.example.steps.items[i];
        if (!step->rule->initialize) {
            *VEC_PUSH(&state->arena, &failure.steps) = shown_step(&state->arena, step);
        }
    }
    for (size_t i = 0; i < race->steps.count; i++) {
        *VEC_PUSH(&state->arena, &failure.steps) = race->steps.items[i].shown;
    }
    failure.step = failure.steps.count;
    failure.example_steps = failure.step;
    failure.example = plan->number;
    failure.pinned = NULL;
    failure.pinnable = false;
    example->failure = failure_copy(&example->arena, &failure);
}
