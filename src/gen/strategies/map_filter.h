/*
 * Chains: a strategy, bundle or collection (the base) behind any number of map and filter.
 *
 * A chain is drawn as a whole: the base is drawn and runs through all of it, a few times over if a
 * filter refuses it; so ten filters one behind another make no more tries than one.
 */
#ifndef GEN_MAP_FILTER_H
#define GEN_MAP_FILTER_H

#include "gen/kind.h"

/* What the chain begins with: the value itself where it is no map or filter. *filtered tells
 * whether there is a filter in it. */
struct value map_filter_base(struct value strategy, bool *filtered);
/* Runs a value of the base through the chain; DRAW_REJECTED where a filter refuses it. `chain` may
 * be no map or filter, or NULL: then the item is all. */
enum draw_result map_filter_run(struct caller *caller, const struct strategy *chain,
                                struct value item, struct value *out, struct error *err);

#endif
