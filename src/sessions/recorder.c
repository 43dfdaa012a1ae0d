#include "sessions/recorder.h"

#include "example/failure/failure.h"
#include "example/setup/prefix.h"
#include "example/step/step.h"

static struct recorder *recorder_of(struct observer *observer)
{
    return (struct recorder *)(void *)observer;
}

static void on_step(struct observer *observer, const struct step *step)
{
    struct recorder *recorder = recorder_of(observer);
    recorder->step = record_step(recorder->record, recorder->arena, step->id);
}

static bool on_call(struct observer *observer, struct example *example,
                    const struct backend_call *call, struct error *err)
{
    struct recorder *recorder = recorder_of(observer);
    (void)example;
    (void)err;
    if (recorder->step) {
        (void)record_call(recorder->step, recorder->arena, call, call->context);
    }
    return true;
}

static bool on_deferred_call(struct observer *observer, const struct backend_context *context,
                             struct error *err)
{
    struct recorder *recorder = recorder_of(observer);
    (void)err;
    if (recorder->step) {
        (void)record_call(recorder->step, recorder->arena, NULL, context);
    }
    return true;
}

static void note_answer(struct recorder *recorder, size_t index, const struct answer *answer)
{
    struct recorded_step *step = recorder->step;
    if (step && index < step->calls.count) {
        step->calls.items[index].answer = answer_copy(recorder->arena, answer);
        if (answer->status == ANSWER_ERROR) {
            step->calls.items[index].answer.error =
                server_error_copy(recorder->arena, &answer->error);
        }
    }
}

static void on_answer(struct observer *observer, struct example *example, size_t index,
                      struct arena *arena, struct answer *answer)
{
    (void)example;
    (void)arena;
    note_answer(recorder_of(observer), index, answer);
}

static void on_deferred_answer(struct observer *observer, struct example *example,
                               const struct answer *answer)
{
    struct recorder *recorder = recorder_of(observer);
    (void)example;
    if (recorder->step) {
        note_answer(recorder, recorder->step->calls.count - 1, answer);
    }
}

static void on_step_done(struct observer *observer, struct example *example,
                         const struct step *step)
{
    (void)example;
    (void)step;
    recorder_of(observer)->step = NULL;
}

void recorder_begin(struct recorder *recorder, struct record *record, struct arena *arena)
{
    static const struct observer_ops watching = {.step = on_step,
                                                 .call = on_call,
                                                 .deferred_call = on_deferred_call,
                                                 .answer = on_answer,
                                                 .deferred_answer = on_deferred_answer,
                                                 .step_done = on_step_done};
    *recorder = (struct recorder){.observer = {&watching}, .record = record, .arena = arena};
}
