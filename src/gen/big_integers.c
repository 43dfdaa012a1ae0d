#include "gen/big_integers.h"

#include "value/number/numeric.h"

#include <assert.h>

enum { LIMBS_MAX = BIG_INTEGER_BITS_MAX / 59 + 2 };
#define LIMB_BASE 1000000000000000000LL /* the second largest power of ten in 64 bits */

/* An operation on ints that can only fail by its size. */
static bool limb_arith(struct drawer *drawer, enum arith_op op, struct value a, struct value b,
                       struct value *out, struct error *err)
{
    return number_arith(drawer->caller->arena, op, a, b, out, err);
}

bool big_integer_fits(struct value bound, const char *what, struct error *err)
{
    return number_limbs(bound) <= BIG_INTEGER_BITS_MAX / 64 ||
           error_set(err, ERROR_LIMIT, "%s is too large: it has at most %d bits", what,
                     BIG_INTEGER_BITS_MAX);
}

/* Splits a number ≥ 0 into limbs, the least significant first; false with err if there are too
 * many. */
static bool split_limbs(struct drawer *drawer, struct value number, int64_t *limbs, size_t *count,
                        struct error *err)
{
    struct value base = value_int(LIMB_BASE);
    for (*count = 0; *count < LIMBS_MAX; ++*count) {
        struct value limb;
        if (number_compare(number, value_int(0)) == 0) {
            return true;
        }
        if (!limb_arith(drawer, ARITH_MOD, number, base, &limb, err) ||
            !limb_arith(drawer, ARITH_FLOORDIV, number, base, &number, err)) {
            return false;
        }
        limbs[*count] = limb.as.integer;
    }
    return error_set(err, ERROR_LIMIT, "a strategy's bounds are too large");
}

/* Draws 0 to `most` limb by limb. As long as all limbs equal those of `most`, the next one is
 * bounded by it. */
static bool draw_distance(struct drawer *drawer, struct value most, struct value proposal,
                          struct value *out, struct error *err)
{
    int64_t bounds[LIMBS_MAX];
    int64_t proposed[LIMBS_MAX] = {0};
    size_t count;
    size_t proposed_count;
    if (!split_limbs(drawer, most, bounds, &count, err) ||
        !split_limbs(drawer, proposal, proposed, &proposed_count, err)) {
        return false;
    }
    bool bounded = true;
    *out = value_int(0);
    for (size_t i = count; i-- > 0;) {
        int64_t max = bounded ? bounds[i] : LIMB_BASE - 1;
        int64_t limb = draw_integer(drawer, (struct int_range){0, max, 0}, proposed[i]);
        bounded = bounded && limb == max;
        if (!limb_arith(drawer, ARITH_MUL, *out, value_int(LIMB_BASE), out, err) ||
            !limb_arith(drawer, ARITH_ADD, *out, value_int(limb), out, err)) {
            return false;
        }
    }
    return true;
}

static bool draw_limbs(struct drawer *drawer, struct value min, struct value max,
                       struct value proposal, struct value *out, struct error *err)
{
    struct value zero = value_int(0);
    struct value toward = number_compare(min, zero) > 0   ? min
                          : number_compare(max, zero) < 0 ? max
                                                          : zero;
    struct value up;
    struct value down;
    if (!big_integer_fits(min, "a lower bound", err) ||
        !big_integer_fits(max, "an upper bound", err) ||
        !limb_arith(drawer, ARITH_SUB, max, toward, &up, err) ||
        !limb_arith(drawer, ARITH_SUB, toward, min, &down, err)) {
        return false;
    }
    bool both = number_compare(up, zero) > 0 && number_compare(down, zero) > 0;
    int64_t below = number_compare(up, zero) == 0;
    if (both) {
        below =
            draw_integer(drawer, (struct int_range){0, 1, 0}, number_compare(proposal, toward) < 0);
    }
    struct value distance;
    if (!limb_arith(drawer, ARITH_SUB, proposal, toward, &distance, err) ||
        !number_abs(drawer->caller->arena, distance, &distance, err) ||
        !draw_distance(drawer, below ? down : up, distance, &distance, err)) {
        return false;
    }
    return limb_arith(drawer, below ? ARITH_SUB : ARITH_ADD, toward, distance, out, err);
}

enum draw_result draw_big_integer(struct drawer *drawer, struct value min, struct value max,
                                  struct value proposal, struct value *out, struct error *err)
{
    assert(min.type == VALUE_INT && max.type == VALUE_INT && number_compare(min, max) <= 0);
    int64_t low;
    int64_t high;
    if (int_fits(min, &low) && int_fits(max, &high)) {
        int64_t proposed = 0;
        int_fits(proposal, &proposed);
        *out = value_int(draw_integer(drawer, int_range(low, high), proposed));
        return DRAW_OK;
    }
    return draw_limbs(drawer, min, max, proposal, out, err) ? DRAW_OK : DRAW_ERROR;
}
