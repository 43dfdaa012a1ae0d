/* Makes a recording by observing an example that runs step by step. */
#ifndef REPLAY_RECORDER_H
#define REPLAY_RECORDER_H

#include "replay/recording/recording.h"

struct example;
struct observer;
struct recorder;

/* `arena` takes the recording; the recorder is freed by recorder_free. */
struct recorder *recorder_new(struct arena *arena, struct backend *backend);
void recorder_free(struct recorder *recorder);
struct observer *recorder_observer(struct recorder *recorder);
struct recording *recorder_recording(struct recorder *recorder);
/* At the end of the example: records the names of cells. */
void recorder_name(struct recorder *recorder, const struct example *example);

#endif
