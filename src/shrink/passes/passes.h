/* The passes: each tries candidates made from the current trace until none helps. */
#ifndef SHRINK_PASSES_H
#define SHRINK_PASSES_H

#include "shrink/shrinker.h"

/* What follows a pass that made the trace shorter. After a pass that only removes steps, it is the
 * next pass; after others the first one, because other steps may have become removable. */
enum shrink_pass_then { GOES_ON, BEGINS_AGAIN };

/*
 * The passes in order, cheap ones first. Rounds of all passes follow until one changes nothing.
 * That round has tried to remove every single step, so the result is 1-minimal. AGAIN repeats a
 * pass.
 */
#define SHRINK_PASSES(PASS, AGAIN)                                                                 \
    PASS(costly_steps, GOES_ON)                                                                    \
    PASS(slice, GOES_ON)                                                                           \
    PASS(values, GOES_ON)                                                                          \
    PASS(chunks, GOES_ON)                                                                          \
    AGAIN(costly_steps, GOES_ON)                                                                   \
    PASS(single_steps, GOES_ON)                                                                    \
    PASS(deaths, BEGINS_AGAIN)                                                                     \
    PASS(schedule, GOES_ON)                                                                        \
    PASS(everything_simplest, BEGINS_AGAIN)                                                        \
    PASS(columns, BEGINS_AGAIN)                                                                    \
    PASS(swap_steps, BEGINS_AGAIN)                                                                 \
    PASS(ranks, BEGINS_AGAIN)                                                                      \
    PASS(enumerate, BEGINS_AGAIN)                                                                  \
    PASS(rank_references, BEGINS_AGAIN)                                                            \
    PASS(merge_references, BEGINS_AGAIN)                                                           \
    PASS(redirect_and_remove, BEGINS_AGAIN)                                                        \
    PASS(arguments, BEGINS_AGAIN)                                                                  \
    PASS(absorb, BEGINS_AGAIN)                                                                     \
    PASS(items, BEGINS_AGAIN)                                                                      \
    PASS(descend, BEGINS_AGAIN)                                                                    \
    PASS(hand_up, BEGINS_AGAIN)                                                                    \
    PASS(oldest_references, BEGINS_AGAIN)                                                          \
    PASS(swap_values, BEGINS_AGAIN)                                                                \
    AGAIN(swap_steps, BEGINS_AGAIN)                                                                \
    PASS(equal_values, BEGINS_AGAIN)                                                               \
    PASS(pairs_of_numbers, BEGINS_AGAIN)                                                           \
    PASS(pairs_of_steps, BEGINS_AGAIN)                                                             \
    PASS(simpler_rules, BEGINS_AGAIN)                                                              \
    PASS(remove_and_change, BEGINS_AGAIN)                                                          \
    PASS(two_by_one, BEGINS_AGAIN)                                                                 \
    PASS(remove_and_wait, BEGINS_AGAIN)                                                            \
    PASS(remove_and_raise, BEGINS_AGAIN)                                                           \
    PASS(replace_and_remove, BEGINS_AGAIN)                                                         \
    PASS(triples_of_steps, BEGINS_AGAIN)                                                           \
    PASS(twice, BEGINS_AGAIN)                                                                      \
    PASS(reschedule, BEGINS_AGAIN)                                                                 \
    PASS(last_step, BEGINS_AGAIN)

typedef void shrink_pass(struct shrinker *shrinker);

#define DECLARE(name, then) shrink_pass pass_##name;
#define DECLARED(name, then)
SHRINK_PASSES(DECLARE, DECLARED)
#undef DECLARE
#undef DECLARED

#endif
