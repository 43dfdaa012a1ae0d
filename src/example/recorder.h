/*
 * Making a recording: the engine's files tell the recorder what they do. With a NULL recorder
 * nothing is recorded; with one everything runs step by step.
 */
#ifndef EXAMPLE_RECORDER_H
#define EXAMPLE_RECORDER_H

#include "example/example.h"
#include "example/recording.h"

struct recorder;

/* `arena` takes the recording; the recorder is freed by recorder_free. */
struct recorder *recorder_new(struct arena *arena, struct backend *backend);
void recorder_free(struct recorder *recorder);
struct recording *recorder_recording(struct recorder *recorder);

/* What is recorded so far stays; recorder_rewind comes back to here. */
void recorder_mark(struct recorder *recorder);
void recorder_rewind(struct recorder *recorder);

void record_dataset(struct recorder *recorder, const struct dataset_row *row);
void record_step(struct recorder *recorder, const struct step *step);
void record_check(struct recorder *recorder, const struct invariant_check *check);
void record_deferred(struct recorder *recorder);

/* After the call of the next statement of the step, check or row was queued, with its types. */
bool record_call(struct recorder *recorder, const struct backend_call *call, struct error *err);
/* After the deferred check was queued; `context` may be NULL. */
bool record_deferred_call(struct recorder *recorder, const struct backend_context *context,
                          struct error *err);
/* The answer of statement `index`; its scalars get their origins (new rows in `arena`). */
void record_answer(struct recorder *recorder, size_t index, struct arena *arena,
                   struct answer *answer);
void record_deferred_answer(struct recorder *recorder, const struct answer *answer);
/* What the rows of `answer` should have been. */
bool record_expected(struct recorder *recorder, struct value expected, const struct answer *answer,
                     struct error *err);
/* How many rows it should have had or changed. */
void record_affected(struct recorder *recorder, int64_t count);
/* An expression of the current step's or check's is not true. `locals` (`count` of them): those
 * that it was evaluated with; `result`: the slot of the answer among them, or SLOT_NONE. */
void record_failed_check(struct recorder *recorder, struct example *example,
                         const struct lang_code *code, const struct value *locals, size_t count,
                         int result);
/* At the end: the names of cells. */
void record_names(struct recorder *recorder, const struct example *example);

#endif
