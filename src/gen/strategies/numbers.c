/* integers, booleans, floats */
#include "gen/args.h"
#include "gen/big_integers.h"
#include "gen/invert.h"
#include "gen/propose/propose.h"
#include "gen/strategies/strategies.h"
#include "value/number/numeric.h"

#include <float.h>
#include <math.h>

/* integers(min_value=None, max_value=None) */

struct integers {
    struct value min, max; /* ints */
};

/* The default of a bound: int4's, or int8's if the other bound exceeds int4's, or else twice the
 * other bound. */
static bool missing_bound(struct arena *arena, struct value other, bool upper, struct value *out,
                          struct error *err)
{
    static const int64_t lower_bounds[] = {STRATEGY_INT_MIN, INT64_MIN};
    static const int64_t upper_bounds[] = {STRATEGY_INT_MAX, INT64_MAX};
    for (size_t i = 0; i < 2; i++) {
        *out = value_int(upper ? upper_bounds[i] : lower_bounds[i]);
        int order = number_compare(*out, other);
        if (upper ? order > 0 : order < 0) {
            return true;
        }
    }
    return number_arith(arena, ARITH_MUL, other, value_int(2), out, err);
}

static bool make_integers(struct arena *arena, struct strategy *strategy, struct error *err)
{
    struct integers *spec = ARENA_NEW(arena, struct integers);
    bool given[2];
    for (size_t i = 0; i < 2; i++) {
        given[i] = strategy->args[i].type != VALUE_NONE;
        if (given[i] && strategy->args[i].type != VALUE_INT) {
            arg_wrong(strategy, i, "an int", err);
            if (value_is_number(strategy->args[i])) {
                error_hint(err, "int(x) drops the digits after the point");
            }
            return false;
        }
        static const char *const names[] = {"integers() min_value", "integers() max_value"};
        if (given[i] && !big_integer_fits(strategy->args[i], names[i], err)) {
            return false;
        }
    }
    spec->min = given[0] ? strategy->args[0] : value_int(STRATEGY_INT_MIN);
    spec->max = given[1] ? strategy->args[1] : value_int(STRATEGY_INT_MAX);
    if ((given[0] && !given[1] && !missing_bound(arena, spec->min, true, &spec->max, err)) ||
        (given[1] && !given[0] && !missing_bound(arena, spec->max, false, &spec->min, err))) {
        return false;
    }
    strategy->empty = number_compare(spec->min, spec->max) > 0;
    strategy->spec = spec;
    return true;
}

static bool propose(const struct draw *draw, const struct integers *spec, struct value *out)
{
    int64_t min;
    int64_t max;
    if (!int_fits(spec->min, &min) || !int_fits(spec->max, &max)) {
        return propose_big_integer(draw->drawer, spec->min, spec->max, out, draw->err);
    }
    *out = value_int(propose_integer(draw->drawer, int_range(min, max), draw->strategy->kind));
    return true;
}

static enum draw_result draw_integers(const struct draw *draw)
{
    const struct integers *spec = draw->strategy->spec;
    struct value proposal = draw->wanted ? *draw->wanted : value_int(0);
    if (draw->wanted && (proposal.type != VALUE_INT || number_compare(proposal, spec->min) < 0 ||
                         number_compare(proposal, spec->max) > 0)) {
        return DRAW_REJECTED;
    }
    if (!draw->wanted && draw_is_fresh(draw->drawer) && !propose(draw, spec, &proposal)) {
        return DRAW_ERROR;
    }
    return draw_big_integer(draw->drawer, spec->min, spec->max, proposal, draw->out, draw->err);
}

const struct strategy_kind kind_integers = {
    .name = "integers",
    .params = {{"min_value", PARAM_OPTIONAL, false}, {"max_value", PARAM_OPTIONAL, false}},
    .repeats = REPEATS_KIND,
    .make = make_integers,
    .draw = draw_integers,
};

/* booleans() */

static enum draw_result draw_booleans(const struct draw *draw)
{
    if (draw->wanted && draw->wanted->type != VALUE_BOOL) {
        return DRAW_REJECTED;
    }
    int64_t proposal = draw->wanted                  ? draw->wanted->as.boolean
                       : draw_is_fresh(draw->drawer) ? rng_one_in(draw->drawer->rng, 2)
                                                     : 0;
    *draw->out = value_bool(draw_integer(draw->drawer, int_range(0, 1), proposal) == 1);
    return DRAW_OK;
}

const struct strategy_kind kind_booleans = {
    .name = "booleans",
    .draw = draw_booleans,
};

/* floats(min_value=None, max_value=None, allow_nan=None, allow_infinity=None, width=64) */

static bool float_bound(const struct strategy *strategy, size_t index, double *out,
                        struct error *err)
{
    struct value arg = strategy->args[index];
    if (!arg_number(strategy, index, "float(\"1.5\") makes a float of a text", err)) {
        return false;
    }
    if (arg.type == VALUE_NONE) {
        return true;
    }
    *out = number_to_double(arg);
    if (isnan(*out)) {
        return error_set(err, ERROR_MACHINE, "floats() %s must not be NaN",
                         strategy->kind->params[index].name);
    }
    return true;
}

static double to_single(double value)
{
    if (isinf(value)) {
        return value;
    }
    return value > (double)FLT_MAX    ? (double)FLT_MAX
           : value < (double)-FLT_MAX ? (double)-FLT_MAX
                                      : (double)(float)value;
}

/* Rounds both bounds inward to floats of 32 bits. */
static void narrow_floats(struct float_range *range)
{
    double min = to_single(range->min);
    double max = to_single(range->max);
    range->min = min < range->min ? (double)nextafterf((float)min, INFINITY) : min;
    range->max = max > range->max ? (double)nextafterf((float)max, -INFINITY) : max;
    range->single = true;
}

static bool make_floats(struct arena *arena, struct strategy *strategy, struct error *err)
{
    struct float_range *range = ARENA_NEW(arena, struct float_range);
    strategy->spec = range;
    bool open_below = strategy->args[0].type == VALUE_NONE;
    bool open_above = strategy->args[1].type == VALUE_NONE;
    bool infinity = open_below || open_above;
    int64_t width = 64;
    range->nan = open_below && open_above;
    if (!arg_bool(strategy, 2, &range->nan, err) || !arg_bool(strategy, 3, &infinity, err) ||
        !arg_int64(strategy, 4, &width, err)) {
        return false;
    }
    if (width != 64 && width != 32) {
        return error_set(err, ERROR_MACHINE, "floats() width must be 64 or 32, not %lld",
                         (long long)width);
    }
    range->min = infinity ? -INFINITY : -DBL_MAX;
    range->max = infinity ? INFINITY : DBL_MAX;
    if (!float_bound(strategy, 0, &range->min, err) ||
        !float_bound(strategy, 1, &range->max, err)) {
        return false;
    }
    if (width == 32) {
        narrow_floats(range);
    }
    strategy->empty = range->min > range->max;
    return true;
}

/* A wanted number stands for the nearest float, because 0.1 is exact in the language. */
static enum draw_result draw_floats(const struct draw *draw)
{
    const struct float_range *range = draw->strategy->spec;
    double proposal = 0;
    if (draw->wanted && !value_is_number(*draw->wanted)) {
        return DRAW_REJECTED;
    }
    if (draw->wanted) {
        proposal = number_to_double(*draw->wanted);
        bool rounded = range->single && draw->wanted->type != VALUE_FLOAT;
        proposal = rounded ? to_single(proposal) : proposal;
    } else if (draw_is_fresh(draw->drawer)) {
        proposal = propose_float(draw->drawer, *range);
    }
    *draw->out = value_float(draw_float(draw->drawer, *range, proposal));
    return !draw->wanted || value_matches_exactly(*draw->out, value_float(proposal))
               ? DRAW_OK
               : DRAW_REJECTED;
}

const struct strategy_kind kind_floats = {
    .name = "floats",
    .params = {{"min_value", PARAM_OPTIONAL, false},
               {"max_value", PARAM_OPTIONAL, false},
               {"allow_nan", PARAM_OPTIONAL, false},
               {"allow_infinity", PARAM_OPTIONAL, false},
               {"width", PARAM_OPTIONAL, false}},
    .repeats = REPEATS_KIND,
    .make = make_floats,
    .draw = draw_floats,
};
