/*
 * map and filter, any number of them behind a strategy, bundle or collection (the base).
 *
 * They are drawn as a whole: the base is drawn and runs through all of them, a few times over if a
 * filter refuses it; so ten filters one behind another make no more tries than one.
 */
#ifndef GEN_MAP_FILTER_H
#define GEN_MAP_FILTER_H

#include "gen/kind.h"

/* The strategy that they begin with: itself where it is no map or filter, NULL where they begin
 * with a collection. `*base` becomes what they begin with, where there are any; `*filtered` tells
 * whether there is a filter. */
const struct strategy *map_filter_base(const struct strategy *strategy, struct value *base,
                                       bool *filtered);
/* Runs a value of the base through them; DRAW_REJECTED where a filter refuses it. `links` may be no
 * map or filter, or NULL: then the item is all. */
enum draw_result map_filter_run(struct caller *caller, const struct strategy *links,
                                struct value item, struct value *out, struct error *err);

#endif
