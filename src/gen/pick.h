/*
 * Picking one of finitely many items that are there already: of a bundle, of a list, set or dict of
 * the model, of sampled_from; behind any number of map and filter, whose filters are tried out on
 * every item before the pick is given up.
 *
 * A pick is a strategy, or, where that is NULL, the collection `from` itself.
 */
#ifndef GEN_PICK_H
#define GEN_PICK_H

#include "gen/kind.h"

/* Whether the strategy is such a pick. */
bool pick_is(const struct strategy *strategy);
/* draw->strategy must be one. DRAW_EMPTY where no item passes. What is wanted is the first item
 * that comes to it, the way it is written if there is one. */
enum draw_result pick_draw(const struct draw *draw, struct value from);
enum draw_result pick_possible(struct caller *caller, const struct strategy *strategy,
                               struct value from, struct error *err);

#endif
