/*
 * Exploring: walks through the states near the start, to find a shorter way to a failure.
 *
 * A walk is an example whose steps are chosen as it goes: in each state a move that nobody tried
 * there, nearest first, as long as it could be part of a way that is shorter than the known one.
 * It pays where the states are few and come back, which their graph tells.
 */
#ifndef EXAMINE_EXPLORE_H
#define EXAMINE_EXPLORE_H

#include "examine/nearby/states.h"
#include "examine/rerun.h"

/* Whether the states seen so far promise anything. */
bool explore_pays(const struct states *states);

/* One walk, of as many steps as an example of the run has at most, for a way of less than `length`
 * steps; all that it saw is in `states`. Step by step, for the next step depends on the answers.
 * *anything is false, and no walk is made, where nothing is left to try. False: the run can't go
 * on. */
bool explore_walk(struct examiner *examiner, struct states *states, const struct failure *wanted,
                  size_t length, bool *anything, struct error *err);

#endif
