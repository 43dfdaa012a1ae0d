#include "examine/examine.h"

enum { DOUBTS_MAX = 50 /* more than an example has places that differ by nature */ };

/* What is learned is compared more loosely, so that the failure may not show any more. */
bool failure_doubt(struct examiner *examiner, struct failure *failure, struct error *err)
{
    enum nature_verdict verdict = NATURE_LEARNED;
    struct rerun again = {.outcome = OUTCOME_FAIL};
    if (failure->kind != FAILURE_DIFFERS) {
        return true;
    }
    for (unsigned i = 0;
         i < DOUBTS_MAX && verdict == NATURE_LEARNED && again.outcome == OUTCOME_FAIL; i++) {
        if (!example_doubt(examiner->engine, &failure->trace, failure->example, &verdict, err) ||
            (verdict == NATURE_LEARNED && !rerun_trace(examiner, &failure->trace, failure,
                                                       (struct rerun_way){0}, &again, err))) {
            return rerun_passes_over(examiner, err);
        }
    }
    failure->by_nature = verdict != NATURE_NO;
    return true;
}
