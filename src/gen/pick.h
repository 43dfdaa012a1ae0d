/*
 * Picks one of finitely many existing items: of a bundle, of a list, set or dict of the model, or
 * of sampled_from, through any number of maps and filters. The filters are tried on every item
 * before the pick fails.
 *
 * A pick is a strategy or, if that is NULL, the collection `from` itself.
 */
#ifndef GEN_PICK_H
#define GEN_PICK_H

#include "gen/kind.h"

/* A chain of maps and filters after a strategy, bundle or collection (the base). They are drawn as
 * a whole: the base is drawn and runs through the chain, a few times if a filter refuses it. Ten
 * filters in a chain therefore need no more tries than one. */

/* The strategy at the base of the chain: `strategy` itself if it is neither map nor filter, NULL if
 * the base is a collection. For a chain, `*base` becomes its base. `*filtered` becomes true if
 * there is a filter. */
const struct strategy *map_filter_base(const struct strategy *strategy, struct value *base,
                                       bool *filtered);
/* Runs a value of the base through the chain; DRAW_REJECTED if a filter refuses it. If `links` is
 * NULL or neither map nor filter, the item is the result. */
enum draw_result map_filter_run(struct caller *caller, const struct strategy *links,
                                struct value item, struct value *out, struct error *err);

/* Returns true if the strategy is such a pick. */
bool pick_is(const struct strategy *strategy);
/* draw->strategy must be a pick. DRAW_EMPTY if no item passes. For a wanted value, it takes the
 * first item that gives it, preferably with the same text. */
enum draw_result pick_draw(const struct draw *draw, struct value from);
enum draw_result pick_possible(struct caller *caller, const struct strategy *strategy,
                               struct value from, struct error *err);

#endif
