/* Integers of any size: drawn as their distance from the number nearest to 0, in limbs of 18
 * digits, the most significant first. One choice where both bounds fit 64 bits. */
#ifndef GEN_BIG_INTEGERS_H
#define GEN_BIG_INTEGERS_H

#include "gen/kind.h"

/* No bound has more bits; each draw takes time that grows with their square. */
enum { BIG_INTEGER_BITS_MAX = 1 << 15 };
/* False with ERROR_LIMIT, which names the limit, where the bound has more; `what` it is. */
bool big_integer_fits(struct value bound, const char *what, struct error *err);

/* min ≤ max, ints; `proposal` an int, looked at as by draw_integer. */
enum draw_result draw_big_integer(struct drawer *drawer, struct value min, struct value max,
                                  struct value proposal, struct value *out, struct error *err);

#endif
