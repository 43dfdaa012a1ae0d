/* What the steps of a failure were answered, for the line of each. */
#ifndef REPORT_TEXT_ANSWERS_H
#define REPORT_TEXT_ANSWERS_H

#include "account/account.h"

/* What the step at this index (from 0) of the account's example was answered, in the arena: "-> 1",
 * "INSERT 0 1", "raises unique_violation"; of one that moves the clock, the time after it. NULL: it
 * is not known. `now`: the variable that holds the time; or NULL. */
const char *step_answer(struct arena *arena, const struct account *account, size_t index,
                        const char *now);
/* The answers of `count` steps from this one on: some of them, if they differ. */
const char *step_answers(struct arena *arena, const struct account *account, size_t index,
                         size_t count, const char *now);

#endif
