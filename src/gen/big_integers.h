/* Integers of any size. They are drawn as their distance from the number nearest to 0, in limbs of
 * 18 digits, the most significant first. If both bounds fit 64 bits, one choice is enough. */
#ifndef GEN_BIG_INTEGERS_H
#define GEN_BIG_INTEGERS_H

#include "gen/kind.h"

/* The maximum size of a bound. The time of a draw grows with the square of the bits. */
enum { BIG_INTEGER_BITS_MAX = 1 << 15 };
/* False with ERROR_LIMIT, which names the limit, if the bound is larger. `what` names the bound. */
bool big_integer_fits(struct value bound, const char *what, struct error *err);

/* All are ints, with min ≤ max; `proposal` is used as by draw_integer. */
enum draw_result draw_big_integer(struct drawer *drawer, struct value min, struct value max,
                                  struct value proposal, struct value *out, struct error *err);

#endif
