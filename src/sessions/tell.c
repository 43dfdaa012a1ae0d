#include "sessions/tell.h"

#include "example/step/step.h"

static struct tell *tell_of(struct observer *observer) { return (struct tell *)(void *)observer; }

/* Whoever is told what happens now. */
static struct observer *told(const struct tell *tell) { return tell->on ? tell->to : NULL; }

static void on_begin(struct observer *observer, const struct example *example)
{
    struct tell *tell = tell_of(observer);
    if (!tell->only) {
        OBSERVE(tell->to, begin, example);
    }
}

static void on_step(struct observer *observer, const struct step *step)
{
    struct tell *tell = tell_of(observer);
    tell->on = !tell->only || record_find(tell->only, step->id);
    OBSERVE(tell->own, step, step);
    OBSERVE(told(tell), step, step);
}

static void on_check(struct observer *observer, const struct invariant_check *check)
{
    struct tell *tell = tell_of(observer);
    tell->on = true;
    OBSERVE(told(tell), check, check);
}

static bool on_call(struct observer *observer, struct example *example,
                    const struct backend_call *call, struct error *err)
{
    struct tell *tell = tell_of(observer);
    return OBSERVE_OK(tell->own, call, example, call, err) &&
           OBSERVE_OK(told(tell), call, example, call, err);
}

static bool on_deferred_call(struct observer *observer, const struct backend_context *context,
                             struct error *err)
{
    struct tell *tell = tell_of(observer);
    return OBSERVE_OK(tell->own, deferred_call, context, err) &&
           OBSERVE_OK(told(tell), deferred_call, context, err);
}

/* It may replace the rows, and what replaces them is recorded. */
static void on_answer(struct observer *observer, struct example *example, size_t index,
                      struct arena *arena, struct answer *answer)
{
    struct tell *tell = tell_of(observer);
    OBSERVE(told(tell), answer, example, index, arena, answer);
    OBSERVE(tell->own, answer, example, index, arena, answer);
}

static void on_deferred_answer(struct observer *observer, struct example *example,
                               const struct answer *answer)
{
    struct tell *tell = tell_of(observer);
    OBSERVE(told(tell), deferred_answer, example, answer);
    OBSERVE(tell->own, deferred_answer, example, answer);
}

static void on_step_done(struct observer *observer, struct example *example,
                         const struct step *step)
{
    struct tell *tell = tell_of(observer);
    OBSERVE(told(tell), step_done, example, step);
    OBSERVE(tell->own, step_done, example, step);
    tell->on = false;
}

void tell_begin(struct tell *tell, struct observer *own, struct observer *to,
                const struct record *only)
{
    static const struct observer_ops telling = {.begin = on_begin,
                                                .step = on_step,
                                                .check = on_check,
                                                .call = on_call,
                                                .deferred_call = on_deferred_call,
                                                .answer = on_answer,
                                                .deferred_answer = on_deferred_answer,
                                                .step_done = on_step_done};
    *tell = (struct tell){
        .observer = {&telling}, .own = own, .to = to && to->ops->session ? to : NULL, .only = only};
}

void tell_session(struct tell *tell, unsigned session) { OBSERVE(tell->to, session, session); }
