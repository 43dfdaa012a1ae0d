#include "sessions/recorder.h"

#include "example/failure/failure.h"
#include "example/setup/prefix.h"
#include "example/step/step.h"

#include <assert.h>

static struct recorder *recorder_of(struct observer *observer)
{
    return (struct recorder *)(void *)observer;
}

/* An example that is run again, as a plan was stale, begins again. */
static void on_begin(struct observer *observer, const struct example *example)
{
    struct recorder *recorder = recorder_of(observer);
    (void)example;
    recorder->step = NULL;
    recorder->answered = 0;
    recorder->calls.items = NULL;
    recorder->calls.count = recorder->calls.capacity = 0;
    *recorder->record = (struct record){0};
}

static void on_step(struct observer *observer, const struct step *step)
{
    struct recorder *recorder = recorder_of(observer);
    recorder->step = record_step(recorder->record, recorder->arena, step->id);
}

static void add_call(struct recorder *recorder, const struct backend_call *call,
                     const struct backend_context *context)
{
    struct recorded_step *step = recorder->step;
    if (step) {
        (void)record_call(step, recorder->arena, call, context);
    }
    *VEC_PUSH(recorder->arena, &recorder->calls) =
        (struct awaited_call){step, step ? step->calls.count - 1 : 0};
}

static bool on_call(struct observer *observer, struct example *example,
                    const struct backend_call *call, struct error *err)
{
    (void)example;
    (void)err;
    add_call(recorder_of(observer), call, call->context);
    return true;
}

static bool on_deferred_call(struct observer *observer, const struct backend_context *context,
                             struct error *err)
{
    (void)err;
    add_call(recorder_of(observer), NULL, context);
    return true;
}

/* Answers come in the order of the calls. */
static void note_answer(struct recorder *recorder, const struct answer *answer)
{
    assert(recorder->answered < recorder->calls.count);
    const struct awaited_call *awaited = &recorder->calls.items[recorder->answered++];
    if (awaited->step) {
        struct recorded_call *call = &awaited->step->calls.items[awaited->index];
        call->answer = answer_copy(recorder->arena, answer);
        if (answer->status == ANSWER_ERROR) {
            call->answer.error = server_error_copy(recorder->arena, &answer->error);
        }
    }
}

static void on_answer(struct observer *observer, struct example *example, size_t index,
                      struct arena *arena, struct answer *answer)
{
    (void)example;
    (void)index;
    (void)arena;
    note_answer(recorder_of(observer), answer);
}

static void on_deferred_answer(struct observer *observer, struct example *example,
                               const struct answer *answer)
{
    (void)example;
    note_answer(recorder_of(observer), answer);
}

static void on_step_done(struct observer *observer, struct example *example,
                         const struct step *step)
{
    struct recorder *recorder = recorder_of(observer);
    (void)example;
    if (recorder->step) {
        recorder->step->death = step->ended;
    }
    recorder->step = NULL;
}

void recorder_begin(struct recorder *recorder, struct record *record, struct arena *arena)
{
    static const struct observer_ops watching = {.begin = on_begin,
                                                 .step = on_step,
                                                 .call = on_call,
                                                 .deferred_call = on_deferred_call,
                                                 .answer = on_answer,
                                                 .deferred_answer = on_deferred_answer,
                                                 .step_done = on_step_done};
    *recorder = (struct recorder){.observer = {&watching}, .record = record, .arena = arena};
}
