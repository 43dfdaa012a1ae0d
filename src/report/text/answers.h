/* What the steps of a failure were answered, for the line of each. */
#ifndef REPORT_TEXT_ANSWERS_H
#define REPORT_TEXT_ANSWERS_H

#include "account/account.h"

struct answers {
    struct arena *arena; /* for the texts */
    const struct account *account;
    const struct show_names *names; /* of ids, also of those that a step has just made */
    const char *now;                /* the variable that holds the time; NULL: there is no clock */
};

/* What the step at this index (from 0) was answered: "-> 1", "INSERT 0 1", "raises
 * unique_violation"; of one that moves the clock, the time after it. NULL: it is not known, or it
 * is an id without a name, which would be another one in each run. */
const char *step_answer(const struct answers *answers, size_t index);
/* The answers of `count` steps from this one on: some of them, if they differ. */
const char *step_answers(const struct answers *answers, size_t index, size_t count);

/* True for a text in quotes that has the form of an id: without a name, it differs in each run. */
bool answer_is_id(struct arena *arena, const char *answer);

#endif
