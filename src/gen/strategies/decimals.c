#include "gen/args.h"
#include "gen/big_integers.h"
#include "gen/invert.h"
#include "gen/propose/propose.h"
#include "gen/strategies/strategies.h"
#include "value/number/numeric.h"

#include <stdio.h>

/*
 * decimals(min_value=None, max_value=None, places=None, allow_nan=False, allow_infinity=False)
 *
 * Drawn as a whole number of units of the last place, with the fraction first, so that 1.00 is
 * simpler than 0.01. Numbers that do not fit 64 bits are drawn as one big integer.
 */

enum { PLACES_USUAL = 6, PLACES_SPLIT = 18, PLACES_MAX = 1000 };
/* 10^12, which fits 64 bits with PLACES_USUAL */
static const int64_t decimals_without_bounds = 1000000000000;

struct decimals {
    struct value min, max;      /* ints and numerics, finite */
    int64_t places, places_max; /* with at least `places`, a value lies between the bounds */
    bool nan, infinity_above, infinity_below;
};

static bool decimal_bound(struct arena *arena, const struct strategy *strategy, size_t index,
                          struct value *out, struct error *err)
{
    struct value arg = strategy->args[index];
    if (!arg_number(strategy, index, "write 0.1 without quotes: it is exact here", err)) {
        return false;
    }
    if (arg.type == VALUE_NONE) {
        return true;
    }
    if (arg.type == VALUE_FLOAT && !numeric_from_number(arena, arg, &arg, err)) {
        return false;
    }
    if (numeric_kind_of(arg) != NUMERIC_FINITE) {
        return arg_wrong(strategy, index, "finite", err);
    }
    *out = arg;
    return true;
}

/* 10^places, which must fit. */
static int64_t split_unit(int64_t places)
{
    int64_t unit = 1;
    for (; places > 0; places--) {
        unit *= 10;
    }
    return unit;
}

static bool times_power(struct arena *arena, struct value number, int64_t exponent,
                        struct value *out, struct error *err)
{
    char text[24];
    int size = snprintf(text, sizeof text, "1e%lld", (long long)exponent);
    struct value power;
    return numeric_from_text(arena, text, (size_t)size, &power, err) &&
           number_arith(arena, ARITH_MUL, number, power, out, err);
}

/* floor(number * 10^places), or the same of -number, negated: the ceiling. */
static bool to_units(struct arena *arena, struct value number, int64_t places, bool up,
                     struct value *out, struct error *err)
{
    if (!times_power(arena, number, places, out, err) ||
        (up && !number_negate(arena, *out, out, err)) ||
        !number_arith(arena, ARITH_FLOORDIV, *out, value_int(1), out, err) ||
        !int_from_number(arena, *out, out, err)) {
        return false;
    }
    return !up || number_negate(arena, *out, out, err);
}

static bool units_between(struct arena *arena, const struct decimals *spec, int64_t places,
                          struct value bounds[2], struct error *err)
{
    return to_units(arena, spec->min, places, true, &bounds[0], err) &&
           to_units(arena, spec->max, places, false, &bounds[1], err);
}

/* Finds the smallest number of places with a value between the bounds, and the largest to use. */
static bool find_places(struct arena *arena, struct strategy *strategy, struct decimals *spec,
                        struct error *err)
{
    strategy->empty = number_compare(spec->min, spec->max) > 0;
    int64_t needed = 0;
    for (size_t i = 0; i < 2; i++) {
        struct value bound = i ? spec->max : spec->min;
        if (bound.type == VALUE_NUMERIC && bound.as.numeric->scale > needed) {
            needed = bound.as.numeric->scale;
        }
    }
    if (needed > PLACES_MAX) {
        return error_set(err, ERROR_MACHINE, "decimals() takes bounds of at most %d places",
                         PLACES_MAX);
    }
    int64_t most = spec->places_max >= 0   ? spec->places_max
                   : needed > PLACES_USUAL ? needed
                                           : PLACES_USUAL;
    if (spec->places_max < 0) {
        spec->places = 0;
    }
    spec->places_max = most;
    for (; !strategy->empty; spec->places++) {
        struct value bounds[2];
        if (!units_between(arena, spec, spec->places, bounds, err)) {
            return false;
        }
        if (number_compare(bounds[0], bounds[1]) <= 0) {
            return true;
        }
        strategy->empty = spec->places == most;
    }
    return true;
}

static bool make_decimals(struct arena *arena, struct strategy *strategy, struct error *err)
{
    struct decimals *spec = ARENA_NEW(arena, struct decimals);
    strategy->spec = spec;
    spec->min = value_int(-decimals_without_bounds);
    spec->max = value_int(decimals_without_bounds);
    spec->places_max = -1;
    bool infinity = false;
    if (!decimal_bound(arena, strategy, 0, &spec->min, err) ||
        !decimal_bound(arena, strategy, 1, &spec->max, err) ||
        !arg_int64(strategy, 2, &spec->places_max, err) ||
        !arg_bool(strategy, 3, &spec->nan, err) || !arg_bool(strategy, 4, &infinity, err)) {
        return false;
    }
    bool given = strategy->args[2].type != VALUE_NONE;
    if (given && (spec->places_max < 0 || spec->places_max > PLACES_MAX)) {
        return error_set(err, ERROR_MACHINE, "decimals() places must be 0 to %d, not %lld",
                         PLACES_MAX, (long long)spec->places_max);
    }
    spec->places = spec->places_max;
    struct value two = value_int(2);
    bool open_below = strategy->args[0].type == VALUE_NONE;
    bool open_above = strategy->args[1].type == VALUE_NONE;
    if (open_above && number_compare(spec->min, spec->max) >= 0 &&
        !number_arith(arena, ARITH_MUL, spec->min, two, &spec->max, err)) {
        return false;
    }
    if (open_below && number_compare(spec->min, spec->max) >= 0 &&
        !number_arith(arena, ARITH_MUL, spec->max, two, &spec->min, err)) {
        return false;
    }
    spec->infinity_below = infinity && open_below;
    spec->infinity_above = infinity && open_above;
    return find_places(arena, strategy, spec, err);
}

/* The possible kinds of number: usual ones first, then NaN and the infinities if they are allowed.
 */
struct special {
    enum numeric_kind kinds[4];
    int64_t count;
};

static struct special special_of(const struct decimals *spec)
{
    struct special special = {.kinds = {NUMERIC_FINITE}, .count = 1};
    if (spec->infinity_above) {
        special.kinds[special.count++] = NUMERIC_INFINITY;
    }
    if (spec->infinity_below) {
        special.kinds[special.count++] = NUMERIC_MINUS_INFINITY;
    }
    if (spec->nan) {
        special.kinds[special.count++] = NUMERIC_NAN;
    }
    return special;
}

/* Draws NaN or an infinity if they are allowed, by a choice that is 0 for a usual number. `wanted`
 * is the choice to make, or DRAW_ANY. */
static bool draw_special(struct drawer *drawer, const struct special *special, int64_t wanted,
                         struct value *out)
{
    if (special->count == 1) {
        return false;
    }
    int64_t proposal = wanted;
    if (wanted == DRAW_ANY) {
        proposal = draw_is_fresh(drawer) && rng_one_in(drawer->rng, 8)
                       ? 1 + (int64_t)rng_below(drawer->rng, (uint64_t)special->count - 1)
                       : 0;
    }
    int64_t drawn = draw_integer(drawer, int_range(0, special->count - 1), proposal);
    *out = numeric_special(special->kinds[drawn]);
    return drawn != 0;
}

static int64_t propose_split_units(struct drawer *drawer, struct int_range range, int64_t places)
{
    int64_t unit = split_unit(places);
    int64_t proposal = propose_integer(drawer, range, NULL);
    if (places > 0 && !rng_one_in(drawer->rng, 4)) {
        struct int_range wholes = int_range(range.min / unit, range.max / unit);
        proposal = propose_integer(drawer, wholes, NULL) * unit;
        int64_t fraction = propose_fraction(drawer, unit);
        bool fits = !__builtin_add_overflow(proposal, fraction, &proposal);
        proposal = fits && proposal <= range.max ? proposal : range.max;
    }
    return proposal;
}

/* Draws the number of places, or takes those of the wanted number, within the bounds. */
static int64_t draw_places(const struct draw *draw, const struct decimals *spec)
{
    int64_t most = spec->places_max - spec->places;
    int64_t proposal = 0;
    if (most == 0) {
        return spec->places;
    }
    if (draw->wanted) {
        bool has_scale = draw->wanted->type == VALUE_NUMERIC;
        proposal = (has_scale ? draw->wanted->as.numeric->scale : 0) - spec->places;
    } else if (draw_is_fresh(draw->drawer)) {
        proposal = (int64_t)propose_size(draw->drawer, 0, (size_t)most, 2);
    }
    return spec->places + draw_integer(draw->drawer, int_range(0, most), proposal);
}

/* Draws between bounds, in units of the last place, that fit 64 bits. If the number of places is
 * drawn, the fraction has a choice even for 0 places: the later choices keep their meaning when
 * shrinking reduces the places, so that 1.0 becomes 1. */
static int64_t draw_split_units(const struct draw *draw, struct int_range range, int64_t places,
                                struct value wanted)
{
    const struct decimals *spec = draw->strategy->spec;
    int64_t units[] = {split_unit(places), 0};
    int64_t proposal = 0;
    if (draw->wanted) {
        (void)int_fits(wanted, &proposal);
    } else if (draw_is_fresh(draw->drawer)) {
        proposal = propose_split_units(draw->drawer, range, places);
    }
    return spec->places_max > 0 ? draw_digits(draw->drawer, range, units, proposal)
                                : draw_integer(draw->drawer, range, proposal);
}

/* On entry, `*units` is the wanted number, if there is one. */
static enum draw_result draw_units(const struct draw *draw, int64_t places, struct value *units)
{
    const struct decimals *spec = draw->strategy->spec;
    struct drawer *drawer = draw->drawer;
    struct value bounds[2];
    int64_t min;
    int64_t max;
    if (!units_between(drawer->caller->arena, spec, places, bounds, draw->err)) {
        return DRAW_ERROR;
    }
    if (draw->wanted &&
        (number_compare(*units, bounds[0]) < 0 || number_compare(*units, bounds[1]) > 0)) {
        return DRAW_REJECTED;
    }
    if (places <= PLACES_SPLIT && int_fits(bounds[0], &min) && int_fits(bounds[1], &max)) {
        *units = value_int(draw_split_units(draw, int_range(min, max), places, *units));
        return DRAW_OK;
    }
    if (!draw->wanted && draw_is_fresh(drawer) &&
        !propose_big_integer(drawer, bounds[0], bounds[1], units, draw->err)) {
        return DRAW_ERROR;
    }
    return draw_big_integer(drawer, bounds[0], bounds[1], *units, units, draw->err);
}

static enum draw_result draw_finite(const struct draw *draw)
{
    struct arena *arena = draw->drawer->caller->arena;
    int64_t places = draw_places(draw, draw->strategy->spec);
    struct value units = value_int(0);
    if (draw->wanted && !to_units(arena, *draw->wanted, places, false, &units, draw->err)) {
        return DRAW_ERROR;
    }
    enum draw_result result = draw_units(draw, places, &units);
    if (result != DRAW_OK) {
        return result;
    }
    return times_power(arena, units, -places, draw->out, draw->err) ? draw_matched(draw)
                                                                    : DRAW_ERROR;
}

/* The kind of the wanted number; false if it is never drawn. */
static bool wanted_special(const struct special *special, struct value wanted, int64_t *out)
{
    enum numeric_kind kind =
        wanted.type == VALUE_NUMERIC ? wanted.as.numeric->kind : NUMERIC_FINITE;
    for (*out = 0; *out < special->count; ++*out) {
        if (special->kinds[*out] == kind) {
            return wanted.type == VALUE_INT || wanted.type == VALUE_NUMERIC;
        }
    }
    return false;
}

static enum draw_result draw_decimals(const struct draw *draw)
{
    struct special special = special_of(draw->strategy->spec);
    int64_t wanted = DRAW_ANY;
    if (draw->wanted && !wanted_special(&special, *draw->wanted, &wanted)) {
        return DRAW_REJECTED;
    }
    return draw_special(draw->drawer, &special, wanted, draw->out) ? DRAW_OK : draw_finite(draw);
}

const struct strategy_kind kind_decimals = {
    .name = "decimals",
    .params = {{"min_value", PARAM_OPTIONAL, false},
               {"max_value", PARAM_OPTIONAL, false},
               {"places", PARAM_OPTIONAL, false},
               {"allow_nan", PARAM_OPTIONAL, false},
               {"allow_infinity", PARAM_OPTIONAL, false}},
    .repeats = REPEATS_KIND,
    .make = make_decimals,
    .draw = draw_decimals,
};
