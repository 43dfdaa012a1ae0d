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
    bool empty;
};

/* A bound that is not given: int4's, or where that is no bound of the other one, int8's, or twice
 * the other one. */
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
                error_hint(err, "int(x) drops what is behind the point");
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
    spec->empty = number_compare(spec->min, spec->max) > 0;
    strategy->spec = spec;
    return true;
}

static enum draw_result draw_integers(struct drawer *drawer, const struct strategy *strategy,
                                      uint64_t site, struct value *out, struct error *err)
{
    (void)site;
    const struct integers *spec = strategy->spec;
    if (spec->empty) {
        return DRAW_EMPTY;
    }
    bool fresh = draw_is_fresh(drawer);
    int64_t min;
    int64_t max;
    if (int_fits(spec->min, &min) && int_fits(spec->max, &max)) {
        struct int_range range = int_range(min, max);
        int64_t proposal = fresh ? propose_integer(drawer, range, strategy->kind) : 0;
        *out = value_int(draw_integer(drawer, range, proposal));
        return DRAW_OK;
    }
    struct value proposal = value_int(0);
    if (fresh && !propose_big_integer(drawer, spec->min, spec->max, &proposal, err)) {
        return DRAW_ERROR;
    }
    return draw_big_integer(drawer, spec->min, spec->max, proposal, out, err);
}

static enum draw_result invert_integers(struct drawer *drawer, const struct strategy *strategy,
                                        uint64_t site, struct value wanted, struct value *out,
                                        struct error *err)
{
    (void)site;
    const struct integers *spec = strategy->spec;
    if (wanted.type != VALUE_INT || number_compare(wanted, spec->min) < 0 ||
        number_compare(wanted, spec->max) > 0) {
        return DRAW_REJECTED;
    }
    return draw_big_integer(drawer, spec->min, spec->max, wanted, out, err);
}

static enum draw_result integers_possible(struct caller *caller, const struct strategy *strategy,
                                          struct error *err)
{
    (void)caller, (void)err;
    const struct integers *spec = strategy->spec;
    return spec->empty ? DRAW_EMPTY : DRAW_OK;
}

const struct strategy_kind kind_integers = {
    .name = "integers",
    .params = {{"min_value", PARAM_OPTIONAL, false}, {"max_value", PARAM_OPTIONAL, false}},
    .repeats = REPEATS_KIND,
    .make = make_integers,
    .draw = draw_integers,
    .invert = invert_integers,
    .possible = integers_possible,
};

/* booleans() */

static enum draw_result draw_booleans(struct drawer *drawer, const struct strategy *strategy,
                                      uint64_t site, struct value *out, struct error *err)
{
    (void)strategy, (void)site, (void)err;
    int64_t proposal = draw_is_fresh(drawer) ? rng_one_in(drawer->rng, 2) : 0;
    *out = value_bool(draw_integer(drawer, (struct int_range){0, 1, 0}, proposal) == 1);
    return DRAW_OK;
}

static enum draw_result invert_booleans(struct drawer *drawer, const struct strategy *strategy,
                                        uint64_t site, struct value wanted, struct value *out,
                                        struct error *err)
{
    (void)strategy, (void)site, (void)err;
    if (wanted.type != VALUE_BOOL) {
        return DRAW_REJECTED;
    }
    *out = value_bool(draw_integer(drawer, (struct int_range){0, 1, 0}, wanted.as.boolean) == 1);
    return DRAW_OK;
}

const struct strategy_kind kind_booleans = {
    .name = "booleans",

    .draw = draw_booleans,
    .invert = invert_booleans,
};

/* floats(min_value=None, max_value=None, allow_nan=None, allow_infinity=None, width=64) */

struct floats {
    struct float_range range;
    bool empty;
};

static bool float_bound(const struct strategy *strategy, size_t index, double *out,
                        struct error *err)
{
    struct value arg = strategy->args[index];
    if (arg.type == VALUE_NONE) {
        return true;
    }
    if (!value_is_number(arg)) {
        arg_wrong(strategy, index, "a number", err);
        if (arg.type == VALUE_STRING) {
            error_hint(err, "float(\"1.5\") makes a float of a text");
        }
        return false;
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

/* Both bounds as floats of 32 bits, rounded inward. */
static void narrow(struct float_range *range)
{
    double min = to_single(range->min);
    double max = to_single(range->max);
    range->min = min < range->min ? (double)nextafterf((float)min, INFINITY) : min;
    range->max = max > range->max ? (double)nextafterf((float)max, -INFINITY) : max;
    range->single = true;
}

static bool make_floats(struct arena *arena, struct strategy *strategy, struct error *err)
{
    struct floats *spec = ARENA_NEW(arena, struct floats);
    strategy->spec = spec;
    bool open_below = strategy->args[0].type == VALUE_NONE;
    bool open_above = strategy->args[1].type == VALUE_NONE;
    bool infinity = open_below || open_above;
    int64_t width = 64;
    spec->range.nan = open_below && open_above;
    if (!arg_bool(strategy, 2, &spec->range.nan, err) || !arg_bool(strategy, 3, &infinity, err) ||
        !arg_int64(strategy, 4, &width, err)) {
        return false;
    }
    if (width != 64 && width != 32) {
        return error_set(err, ERROR_MACHINE, "floats() width must be 64 or 32, not %lld",
                         (long long)width);
    }
    spec->range.min = infinity ? -INFINITY : -DBL_MAX;
    spec->range.max = infinity ? INFINITY : DBL_MAX;
    if (!float_bound(strategy, 0, &spec->range.min, err) ||
        !float_bound(strategy, 1, &spec->range.max, err)) {
        return false;
    }
    if (width == 32) {
        narrow(&spec->range);
    }
    spec->empty = spec->range.min > spec->range.max;
    return true;
}

static enum draw_result draw_floats(struct drawer *drawer, const struct strategy *strategy,
                                    uint64_t site, struct value *out, struct error *err)
{
    (void)site, (void)err;
    const struct floats *spec = strategy->spec;
    if (spec->empty) {
        return DRAW_EMPTY;
    }
    double proposal = draw_is_fresh(drawer) ? propose_float(drawer, spec->range) : 0;
    *out = value_float(draw_float(drawer, spec->range, proposal));
    return DRAW_OK;
}

/* A number that is no float stands for the nearest one: 0.1 is exact in the language. */
static enum draw_result invert_floats(struct drawer *drawer, const struct strategy *strategy,
                                      uint64_t site, struct value wanted, struct value *out,
                                      struct error *err)
{
    (void)site, (void)err;
    const struct floats *spec = strategy->spec;
    if (spec->empty || !value_is_number(wanted)) {
        return DRAW_REJECTED;
    }
    double real = number_to_double(wanted);
    if (spec->range.single && wanted.type != VALUE_FLOAT) {
        real = to_single(real);
    }
    *out = value_float(draw_float(drawer, spec->range, real));
    return value_matches_exactly(*out, value_float(real)) ? DRAW_OK : DRAW_REJECTED;
}

static enum draw_result floats_possible(struct caller *caller, const struct strategy *strategy,
                                        struct error *err)
{
    (void)caller, (void)err;
    const struct floats *spec = strategy->spec;
    return spec->empty ? DRAW_EMPTY : DRAW_OK;
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
    .invert = invert_floats,
    .possible = floats_possible,
};
