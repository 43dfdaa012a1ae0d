/* Records what an example sends, step by step, and what it is answered. */
#ifndef SESSIONS_RECORDER_H
#define SESSIONS_RECORDER_H

#include "example/observer.h"
#include "sessions/record.h"

/* A call in a record; `step` is NULL if the call belongs to no step and is not recorded. */
struct awaited_call {
    struct recorded_step *step;
    size_t index;
};

struct recorder {
    struct observer observer;
    struct record *record;
    struct arena *arena;
    struct recorded_step *step;     /* under way; NULL: none */
    VEC(struct awaited_call) calls; /* all that were sent */
    size_t answered;                /* of them */
};

/* From now on, the record gets what the recorder observes. */
void recorder_begin(struct recorder *recorder, struct record *record, struct arena *arena);

#endif
