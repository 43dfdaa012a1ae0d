#include "example/step/crash.h"

#include "example/engine.h"
#include "example/observer.h"
#include "example/step/send.h"

#include <string.h>

enum {
    DIES_ONE_IN = 12,            /* of the steps */
    DIES_IN_SESSIONS_ONE_IN = 4, /* of the few steps of each of several sessions */
    CRASH_STREAM = 0xdead,
};

enum crash_then crash_of(const struct example *example, const struct rule *rule)
{
    const struct engine *engine = example->engine;
    bool able = engine->backend->ops->die && !engine->options.differs && !rule->initialize &&
                rule->statements.count > 0;
    if (!able) {
        return CRASH_NEVER;
    }
    return rule->crash == CRASH_NEVER && engine->options.settings->crash ? CRASH_AGAIN
                                                                         : rule->crash;
}

/* How many there are shows only when the step runs. Small numbers are as likely as large ones. */
static uint32_t draw_gate(struct rng *rng)
{
    enum { DOUBLINGS = 5 };
    uint32_t size = 1U << rng_below(rng, DOUBLINGS);
    return size + (uint32_t)rng_below(rng, size);
}

/* With a stream of its own, so that the examples are otherwise the same as without deaths. */
enum trace_death crash_draw(struct example *example, uint32_t *gate)
{
    const struct engine *engine = example->engine;
    bool any = engine->options.settings->crash || engine->machine->crashes;
    *gate = 0;
    if (!any) {
        return DEATH_NONE;
    }
    if (!example->dying.seeded) {
        rng_seed(&example->dying.rng, engine->options.settings->seed ^ CRASH_STREAM,
                 example->plan.number);
        example->dying.seeded = true;
    }
    bool dies = rng_one_in(&example->dying.rng,
                           example->session > 0 ? DIES_IN_SESSIONS_ONE_IN : DIES_ONE_IN);
    bool after = rng_one_in(&example->dying.rng, 2);
    if (dies && engine->machine->breaks) {
        *gate = draw_gate(&example->dying.rng);
    }
    return !dies ? DEATH_NONE : after ? DEATH_AFTER : DEATH_BEFORE;
}

/* What was not drawn for a rule of this kind becomes what it is nearest to. Outside of a
 * transaction nothing is undone: only the answer is lost. */
enum trace_death crash_death(const struct example *example, const struct rule *rule,
                             enum trace_death death, uint32_t gate)
{
    bool dies = death && crash_of(example, rule) != CRASH_NEVER;
    bool within = gate > 0 && rule->breaks && example->engine->backend->ops->die_at;
    return !dies                   ? DEATH_NONE
           : within                ? DEATH_WITHIN
           : rule->outside         ? DEATH_AFTER
           : death == DEATH_WITHIN ? DEATH_BEFORE
                                   : death;
}

/* Whether another session is still to come that may send what this one leaves. */
static bool is_left(const struct example *example, const struct step *dead)
{
    const struct branching *branching = example->plan.branching;
    return branching && example->session > 0 && example->session < TRACE_SESSIONS_MAX &&
           branching->each[example->session] > 0 && !dead->again &&
           crash_of(example, dead->rule) == CRASH_ANOTHER;
}

const struct step *crash_repeats(struct example *example)
{
    const struct step *last =
        example->steps.count ? example->steps.items[example->steps.count - 1] : NULL;
    const struct step *left = example->dying.left;
    bool dead = last && last->death && crash_of(example, last->rule) != CRASH_NOTHING;
    if (dead && !is_left(example, last)) {
        return last;
    }
    if (dead) {
        example->dying.left = last;
        example->dying.left_by = example->session;
    } else if (left && example->session > example->dying.left_by) {
        example->dying.left = NULL;
        return left;
    }
    return NULL;
}

/* --- the same step again --- */

struct repeated_source {
    struct argument_source argument_source; /* must be first */
    const struct step *dead;
};

static enum draw_result give_again(struct argument_source *host, struct drawer *drawer, size_t arg,
                                   struct value strategy, struct inverted *out, struct error *err)
{
    const struct step *dead = ((const struct repeated_source *)host)->dead;
    *out = (struct inverted){.value = dead->drawn[arg].value};
    return value_is_drawable(strategy)
               ? strategy_invert(drawer, strategy, 0, dead->drawn[arg].value, out, err)
               : DRAW_OK;
}

/* As a step that the model can speak of: its precondition holds, and its strategies may give these
 * arguments. */
static bool draw_as_allowed(struct example *example, struct step *step, const struct step *dead,
                            enum step_fate *fate, struct error *err)
{
    struct repeated_source source = {{give_again}, dead};
    bool open = false;
    *fate = STEP_BLOCKED;
    return step_gate(example, step->rule, &open, err) &&
           (!open || step_draw(example, step, NULL, &source.argument_source, fate, err));
}

bool crash_draw_again(struct example *example, struct step *step, const struct step *dead,
                      enum step_fate *fate, struct error *err)
{
    const struct rule *rule = step->rule;
    if (!draw_as_allowed(example, step, dead, fate, err)) {
        return false;
    }
    if (*fate != STEP_RAN && rule->crash != CRASH_NEVER) {
        for (size_t i = 0; i < rule->args.count; i++) {
            step->drawn[i] = dead->drawn[i];
            step->locals[rule->args.items[i].slot] = dead->drawn[i].value;
        }
        step->choices = dead->choices;
        *fate = STEP_RAN;
    }
    for (size_t i = 0; *fate == STEP_RAN && i < rule->args.count; i++) {
        step->drawn[i].shown = dead->drawn[i].shown;
        step->drawn[i].reference = dead->drawn[i].reference;
    }
    return true;
}

/* --- dying --- */

/* Nothing is committed, so what it consumed goes back. */
bool crash_send(struct example *example, struct step *step, struct error *err)
{
    struct backend *backend = example->engine->backend;
    struct received received;
    bool again = false;
    OBSERVE(example->plan.observer, step, step);
    if ((step->advanced && backend->ops->clock &&
         !backend->ops->clock(backend, step->now_us, err)) ||
        !backend->ops->guard_begin(backend, GUARD_MAY_FAIL, err)) {
        return false;
    }
    do {
        if (!step_send(example, step, false, err) ||
            !statements_receive(example, &step->sending, &example->arena, &received, err) ||
            (backend->ops->again && !backend->ops->again(backend, &again, err))) {
            return false;
        }
    } while (again);
    step->raised = received.raised;
    memcpy(step->sqlstate, received.error.sqlstate, sizeof step->sqlstate);
    step_put_back(step);
    return true;
}

/* Neither what ends the step is sent, nor are its answers judged. */
static bool send_within(struct example *example, struct step *step, struct received *received,
                        struct error *err)
{
    struct backend *backend = example->engine->backend;
    step->waits = true;
    return (!step->advanced || !backend->ops->clock ||
            backend->ops->clock(backend, step->now_us, err)) &&
           backend->ops->guard_begin(backend, GUARD_MAY_FAIL, err) &&
           backend->ops->die_at(backend, step->gate, err) && step_send(example, step, false, err) &&
           statements_receive(example, &step->sending, &example->arena, received, err);
}

bool crash_within(struct example *example, struct step *step, struct error *err)
{
    const struct rule *rule = step->rule;
    struct backend *backend = example->engine->backend;
    struct received received;
    OBSERVE(example->plan.observer, step, step);
    if (!send_within(example, step, &received, err)) {
        return false;
    }
    step->raised = received.raised;
    step->answer = received.answer;
    memcpy(step->sqlstate, received.error.sqlstate, sizeof step->sqlstate);
    stats_step(&example->stats, &example->arena, rule);
    if (example->stale) {
        return true;
    }
    if (!crash_die(example, step, err) || !backend->ops->died_at(backend, &step->ended, err)) {
        return false;
    }
    if (!step->ended.within) {
        example->stats.deaths[DEATH_WITHIN]--;
        example->stats.deaths[DEATH_AFTER]++;
        if (!step->raised) {
            step_name_answers(example, step);
        }
        return step->raised ? step_after_error(example, step, err)
                            : step_finish(example, step, err);
    }
    step_put_back(step);
    if (!rule->crash_model) {
        return true;
    }
    step->locals[rule->commits_slot] = value_int(step->ended.commits);
    return lang_exec(&example->state, rule->crash_model, step->locals, err);
}

bool crash_die(struct example *example, const struct step *step, struct error *err)
{
    struct backend *backend = example->engine->backend;
    example->stats.deaths[step->death]++;
    return backend->ops->die(backend, err) || error_context(err, "after a client died");
}
