/*
 * Passing examples that the report shows, so that people see what is tested.
 *
 * Of the fresh examples that passed, those with the most different rules are chosen; of equal ones
 * those with more steps, then the first. They run once more at the end of the run, to be told. Not
 * those of several sessions.
 */
#ifndef RUN_PASSING_H
#define RUN_PASSING_H

#include "run/findings.h"

/* Considers a fresh example that passed. Examples must come in the order of their numbers. */
void passing_offer(const struct findings *findings, uint64_t number,
                   const struct run_stats *example);
/* Runs the chosen ones again and adds their accounts to the result, in the order of their numbers.
 * Returns false if the run can't continue. */
bool passing_tell(const struct findings *findings, struct error *err);

#endif
