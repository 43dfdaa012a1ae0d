/* Records what an example sends, step by step, and what it is answered. */
#ifndef SESSIONS_RECORDER_H
#define SESSIONS_RECORDER_H

#include "example/observer.h"
#include "sessions/record.h"

struct recorder {
    struct observer observer;
    struct record *record;
    struct arena *arena;
    struct recorded_step *step; /* under way; NULL: none */
};

/* What is observed from here on goes to the record: of an example whose plan is `stepwise`. */
void recorder_begin(struct recorder *recorder, struct record *record, struct arena *arena);

#endif
