/*
 * Picking one of finitely many items that are there already: of a bundle, of a list, set or dict of
 * the model, of sampled_from; behind any chain of map and filter, whose filters are tried out on
 * every item before the pick is given up.
 */
#ifndef GEN_PICK_H
#define GEN_PICK_H

#include "gen/kind.h"

/* Whether the strategy is such a pick. */
bool pick_is(struct value strategy);
/* `strategy` must be one. DRAW_EMPTY where no item passes. */
enum draw_result pick_draw(struct drawer *drawer, struct value strategy, struct value *out,
                           struct error *err);
/* Takes the first item that comes to `wanted`, the way it is written if there is one. */
enum draw_result pick_invert(struct drawer *drawer, struct value strategy, struct value wanted,
                             struct value *out, struct error *err);
enum draw_result pick_possible(struct caller *caller, struct value strategy, struct error *err);

#endif
