/*
 * Proposals for fresh choices. Boundary and nasty values, literals of the schema and earlier draws
 * are likely, because they find bugs; the rest is spread out.
 *
 * All of them need a drawer with a random source.
 */
#ifndef GEN_PROPOSE_H
#define GEN_PROPOSE_H

#include "gen/kind.h"

/* The earlier numbers of strategies of the kind `alike` (recorded as one integer) and their
 * neighbours may be repeated; NULL: no repetition. */
int64_t propose_integer(struct drawer *drawer, struct int_range range,
                        const struct strategy_kind *alike);
/* A number of any size between two ints that do not both fit 64 bits; min ≤ max. */
bool propose_big_integer(struct drawer *drawer, struct value min, struct value max,
                         struct value *out, struct error *err);
double propose_float(struct drawer *drawer, struct float_range range);
/* Digits after the point, as a fraction of `unit` (10, 100, …); often 0. */
int64_t propose_fraction(struct drawer *drawer, int64_t unit);
/* A size: often around `usual`, sometimes the smallest or the largest. */
size_t propose_size(struct drawer *drawer, size_t min, size_t max, size_t usual);
/* In the drawer's arena. May violate the alphabet and the sizes slightly. Earlier texts of the kind
 * `alike` may be repeated with variations. */
const struct string *propose_text(struct drawer *drawer, const struct text_bounds *bounds,
                                  const struct strategy_kind *alike);
const struct bytes *propose_bytes(struct drawer *drawer, size_t min_size, size_t max_size);
/* How a kind of time reaches a moment: the number to propose is (moment - from) / unit, rounded
 * down. It must be in the range. */
struct moment_range {
    int64_t min, max; /* of the number */
    int64_t unit;     /* microseconds */
    bool from_now;    /* it is an interval, counted from the present time */
};
/* A moment of the model, or a boundary of the calendar (a minute, an hour, a day, a week, a month,
 * a quarter, a year, a leap day, a change of the clocks): the moment itself, or a microsecond or a
 * second before or after it. With a favourite, often the next boundary of that kind, or the longest
 * wait if it is farther away. False if the machine has no clock, if it is not the turn of a moment,
 * or if none was found in the range. */
bool propose_moment(struct drawer *drawer, struct moment_range range, int64_t *out);
/* A string of the pool, or NULL. */
const struct string *propose_pooled(struct drawer *drawer);

#endif
