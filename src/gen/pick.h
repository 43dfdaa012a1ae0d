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

/* map and filter, any number of them behind a strategy, bundle or collection (the base). They are
 * drawn as a whole: the base is drawn and runs through all of them, a few times over if a filter
 * refuses it; so ten filters one behind another make no more tries than one. */

/* The strategy that they begin with: itself where it is no map or filter, NULL where they begin
 * with a collection. `*base` becomes what they begin with, where there are any; `*filtered` tells
 * whether there is a filter. */
const struct strategy *map_filter_base(const struct strategy *strategy, struct value *base,
                                       bool *filtered);
/* Runs a value of the base through them; DRAW_REJECTED where a filter refuses it. `links` may be no
 * map or filter, or NULL: then the item is all. */
enum draw_result map_filter_run(struct caller *caller, const struct strategy *links,
                                struct value item, struct value *out, struct error *err);

/* Whether the strategy is such a pick. */
bool pick_is(const struct strategy *strategy);
/* draw->strategy must be one. DRAW_EMPTY if no item passes. For a wanted value it takes the first
 * item that gives it, written in the same way if there is one. */
enum draw_result pick_draw(const struct draw *draw, struct value from);
enum draw_result pick_possible(struct caller *caller, const struct strategy *strategy,
                               struct value from, struct error *err);

#endif
