/*
 * Proposals: what a fresh choice is to be. Boundary and nasty values, literals of the schema and
 * what was drawn before have real weight, since bugs live there; the rest is spread out.
 *
 * All of them need a drawer with a random source.
 */
#ifndef GEN_PROPOSE_H
#define GEN_PROPOSE_H

#include "gen/kind.h"

/* `alike` is the kind of strategy whose earlier numbers (recorded as one integer) and their
 * neighbours may come again; NULL: none. */
int64_t propose_integer(struct drawer *drawer, struct int_range range,
                        const struct strategy_kind *alike);
/* A number of any size between two ints that do not both fit 64 bits; min ≤ max. */
bool propose_big_integer(struct drawer *drawer, struct value min, struct value max,
                         struct value *out, struct error *err);
double propose_float(struct drawer *drawer, struct float_range range);
/* How many digits behind the point, as a fraction of `unit` (10, 100, …): often none. */
int64_t propose_fraction(struct drawer *drawer, int64_t unit);
/* A size: often around `usual`, at times the smallest or the largest. */
size_t propose_size(struct drawer *drawer, size_t min, size_t max, size_t usual);
/* In the drawer's arena; may break the alphabet and the sizes a little. What was drawn by `alike`
 * may come again, varied. */
const struct string *propose_text(struct drawer *drawer, const struct text_bounds *bounds,
                                  const struct strategy_kind *alike);
const struct bytes *propose_bytes(struct drawer *drawer, size_t min_size, size_t max_size);
/* A string of the pool, or NULL. */
const struct string *propose_pooled(struct drawer *drawer);

#endif
