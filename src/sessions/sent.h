/* Statements and answers as text, to be read and not to be run. */
#ifndef SESSIONS_SENT_H
#define SESSIONS_SENT_H

#include "example/failure/failure.h"
#include "sessions/record.h"

/* The statement with its values in place of the parameters; "COMMIT" of what ends a step. */
const char *sent_text(struct arena *arena, const struct recorded_call *call);
/* "1 row: 99", "UPDATE 1", "unique_violation (23505): …"; "" if it was not sent. */
const char *answered_text(struct arena *arena, const struct recorded_call *call);

/* What was expected and what came, in a few words: if both have as many rows, the first one in
 * which they differ ("id=1, balance=98"). NULL if nothing is compared. `op`: of a check that
 * compares the value which the step gave with `expected`; else NULL. */
struct sent_sides {
    const char *expected;
    const char *actual;
    const char *op;
};
struct sent_sides sent_sides(struct arena *arena, const struct failure *failure);

#endif
