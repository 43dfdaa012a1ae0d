#include "gen/hot.h"
#include "gen/memory.h"
#include "gen/propose/propose.h"
#include "value/number/numeric.h"

#include <assert.h>
#include <float.h>
#include <math.h>

static bool within(struct int_range range, int64_t value)
{
    return value >= range.min && value <= range.max;
}

/* `value` plus -1, 0 or 1, clamped to 64 bits. */
static int64_t neighbour(struct rng *rng, int64_t value)
{
    int64_t by = (int64_t)rng_below(rng, 3) - 1;
    return (by < 0 && value == INT64_MIN) || (by > 0 && value == INT64_MAX) ? value : value + by;
}

static int64_t uniform(struct rng *rng, struct int_range range)
{
    uint64_t count = (uint64_t)range.max - (uint64_t)range.min + 1; /* 0: all 2^64 */
    return (int64_t)((uint64_t)range.min + rng_below(rng, count));
}

/* `toward` plus or minus a distance, preferably on a side that has room for it. */
static int64_t at_distance(struct rng *rng, struct int_range range, uint64_t distance)
{
    uint64_t up = (uint64_t)range.max - (uint64_t)range.toward;
    uint64_t down = (uint64_t)range.toward - (uint64_t)range.min;
    bool goes_up = rng_one_in(rng, 2);
    if (goes_up ? distance > up : distance > down) {
        goes_up = !goes_up;
    }
    if (goes_up) {
        return (int64_t)((uint64_t)range.toward + (distance < up ? distance : up));
    }
    return (int64_t)((uint64_t)range.toward - (distance < down ? distance : down));
}

static int64_t propose_near(struct rng *rng, struct int_range range)
{
    enum { NEAR = 11 };
    return at_distance(rng, range, rng_below(rng, NEAR));
}

static int64_t propose_end(struct rng *rng, struct int_range range)
{
    int64_t inward = rng_one_in(rng, 3) && range.min < range.max;
    return rng_one_in(rng, 2) ? range.min + inward : range.max - inward;
}

/* All sizes in bits are equally likely, so all orders of magnitude are. */
static int64_t propose_magnitude(struct rng *rng, struct int_range range)
{
    uint64_t bits = rng_below(rng, 64);
    return at_distance(rng, range, rng_next(rng) >> (63 - bits));
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* A power of two or ten, one less or one more, or its negative. */
static int64_t propose_power(struct rng *rng, struct int_range range)
{
    enum { TRIES = 8 };
    uint64_t low = magnitude(range.min);
    uint64_t high = magnitude(range.max);
    uint64_t most = low > high ? low : high;
    for (int i = 0; i < TRIES; i++) {
        uint64_t base = rng_one_in(rng, 2) ? 2 : 10;
        uint64_t exponents = 1;
        for (uint64_t left = most; left >= base; left /= base) {
            exponents++;
        }
        uint64_t power = 1;
        for (uint64_t exponent = rng_below(rng, exponents); exponent > 0; exponent--) {
            power *= base;
        }
        bool negative = rng_one_in(rng, 2);
        power = power > INT64_MAX ? INT64_MAX : power;
        int64_t value = neighbour(rng, negative ? -(int64_t)power : (int64_t)power);
        if (within(range, value)) {
            return value;
        }
    }
    return propose_end(rng, range);
}

static bool propose_from_pool(struct drawer *drawer, struct int_range range, int64_t *out)
{
    const struct draw_pool *pool = drawer->pool;
    if (!pool || pool->int_count == 0) {
        return false;
    }
    struct value value = pool->ints[rng_below(drawer->rng, pool->int_count)];
    if (!int_fits(value, out)) {
        return false;
    }
    *out = neighbour(drawer->rng, *out);
    return within(range, *out);
}

static bool propose_earlier(struct drawer *drawer, struct int_range range,
                            const struct strategy_kind *alike, int64_t *out)
{
    if (!drawer->memory || !alike) {
        return false;
    }
    const struct choices *earlier =
        memory_pick(drawer->memory, kind_memory_key(alike), drawer->rng);
    if (!earlier || earlier->items.items[0].kind != CHOICE_INTEGER) {
        return false;
    }
    *out = neighbour(drawer->rng, earlier->items.items[0].as.integer.value);
    return within(range, *out);
}

/* Proposes one of few values. */
static int64_t propose_of_few(struct drawer *drawer, struct int_range range)
{
    uint64_t hashes[HOT_VALUES_MAX];
    size_t count = (size_t)(range.max - range.min) + 1;
    size_t hot;
    for (size_t i = 0; i < count; i++) {
        hashes[i] = (uint64_t)range.min + i;
    }
    if (drawer->salt && hot_pick(drawer->rng, drawer->salt, hashes, count, &hot)) {
        return range.min + (int64_t)hot;
    }
    return rng_one_in(drawer->rng, 8) ? propose_end(drawer->rng, range)
                                      : uniform(drawer->rng, range);
}

/* The ways to propose an integer, with their weights out of ROLL. */
int64_t propose_integer(struct drawer *drawer, struct int_range range,
                        const struct strategy_kind *alike)
{
    assert(drawer->rng != NULL);
    assert(range.min <= range.toward && range.toward <= range.max);
    enum { ROLL = 32, SMALL_RANGE = 16 };
    enum {
        NEAR = 10,
        END = NEAR + 5,
        POWER = END + 3,
        POOL = POWER + 3,
        EARLIER = POOL + 2,
        MAGNITUDE = EARLIER + 4
    };
    struct rng *rng = drawer->rng;
    if ((uint64_t)range.max - (uint64_t)range.min < SMALL_RANGE) {
        return propose_of_few(drawer, range);
    }
    int64_t value;
    uint64_t roll = rng_below(rng, ROLL);
    if (roll < NEAR) {
        return propose_near(rng, range);
    }
    if (roll < END) {
        return propose_end(rng, range);
    }
    if (roll < POWER) {
        return propose_power(rng, range);
    }
    if (roll < POOL && propose_from_pool(drawer, range, &value)) {
        return value;
    }
    if (roll < EARLIER && propose_earlier(drawer, range, alike, &value)) {
        return value;
    }
    return roll < MAGNITUDE ? propose_magnitude(rng, range) : uniform(rng, range);
}

static struct value big_end(struct rng *rng, struct value min, struct value max)
{
    return rng_one_in(rng, 2) ? min : max;
}

/* A number with the bound's sign and at most as many digits: random digits or a power of ten. It
 * may be out of range. */
static bool big_digits(struct drawer *drawer, struct value bound, struct value *out,
                       struct error *err)
{
    struct arena *arena = drawer->caller->arena;
    struct strbuf text = {0};
    number_text(bound, &text);
    size_t count = 1 + rng_below(drawer->rng, text.size);
    bool power = rng_one_in(drawer->rng, 3);
    strbuf_clear(&text);
    for (size_t i = 0; i < count; i++) {
        uint64_t digit = power ? i == 0 : rng_below(drawer->rng, 10);
        strbuf_addc(&text, (char)('0' + digit));
    }
    bool ok = int_from_text(arena, strbuf_text(&text), text.size, 10, out, err);
    strbuf_free(&text);
    int64_t by = (int64_t)rng_below(drawer->rng, 3) - 1;
    return ok && number_arith(arena, ARITH_ADD, *out, value_int(by), out, err) &&
           (number_compare(bound, value_int(0)) >= 0 || number_negate(arena, *out, out, err));
}

bool propose_big_integer(struct drawer *drawer, struct value min, struct value max,
                         struct value *out, struct error *err)
{
    assert(drawer->rng != NULL);
    assert(number_compare(min, max) <= 0);
    enum { TRIES = 6 };
    static const int64_t marks[] = {0,         1,         -1,        INT32_MAX,
                                    INT32_MIN, INT64_MAX, INT64_MIN, UINT32_MAX};
    struct rng *rng = drawer->rng;
    for (int i = 0; i < TRIES; i++) {
        uint64_t roll = rng_below(rng, 8);
        struct value largest = big_end(rng, min, max);
        if (roll == 0) {
            *out = big_end(rng, min, max);
        } else if (roll == 1) {
            *out = value_int(marks[rng_below(rng, sizeof marks / sizeof *marks)]);
        } else if (!big_digits(drawer, largest, out, err)) {
            return false;
        }
        if (number_compare(*out, min) >= 0 && number_compare(*out, max) <= 0) {
            return true;
        }
    }
    *out = big_end(rng, min, max);
    return true;
}

int64_t propose_fraction(struct drawer *drawer, int64_t unit)
{
    assert(drawer->rng != NULL);
    assert(unit >= 10);
    switch (rng_below(drawer->rng, 8)) {
    case 0:
    case 1:
    case 2:
        return 0;
    case 3:
        return 1;
    case 4:
        return unit - 1;
    case 5:
        return unit / 2;
    default:
        return (int64_t)rng_below(drawer->rng, (uint64_t)unit);
    }
}

static double propose_nasty_float(struct rng *rng, struct float_range range)
{
    static const double nasty[] = {
        0.0,     -0.0,        0.1,         0.5,        1.0 / 3,    1.5,
        2.5,     0.3,         1e-5,        1e15,       1e16,       1e17,
        1e21,    1e100,       1e300,       1e-300,     DBL_MIN,    DBL_TRUE_MIN,
        DBL_MAX, DBL_EPSILON, 0x1p53,      0x1p53 + 2, 0x1p63,     1 + DBL_EPSILON,
        FLT_MAX, FLT_MIN,     FLT_EPSILON, 16777217,   2147483648, INFINITY,
    };
    if (range.nan && rng_one_in(rng, 8)) {
        return NAN;
    }
    double value = nasty[rng_below(rng, sizeof nasty / sizeof *nasty)];
    return rng_one_in(rng, 2) ? value : -value;
}

/* A random number of any magnitude: its bits are random. */
static double propose_bits(struct rng *rng)
{
    double mantissa = 1 + rng_unit(rng);
    int exponent = (int)rng_below(rng, 2046) - 1022;
    double value = ldexp(mantissa, exponent);
    return rng_one_in(rng, 2) ? value : -value;
}

double propose_float(struct drawer *drawer, struct float_range range)
{
    assert(drawer->rng != NULL);
    assert(range.min <= range.max);
    enum { WHOLE_MAX = 1 << 30, TRIES = 4 };
    struct rng *rng = drawer->rng;
    double low = fmax(range.min, -WHOLE_MAX);
    double high = fmin(range.max, WHOLE_MAX);
    if (low > high) { /* outside: both ends are far on one side */
        low = isinf(range.min) ? -DBL_MAX : range.min;
        high = isinf(range.max) ? DBL_MAX : range.max;
    }
    bool has_wholes = fabs(low) <= WHOLE_MAX && fabs(high) <= WHOLE_MAX && ceil(low) <= floor(high);
    for (int i = 0; i < TRIES; i++) {
        double value;
        uint64_t roll = rng_below(rng, 16);
        if (roll < 4 && has_wholes) {
            value = (double)propose_integer(
                drawer, int_range((int64_t)ceil(low), (int64_t)floor(high)), NULL);
        } else if (roll < 6) {
            value = rng_one_in(rng, 2) ? range.min : range.max;
        } else if (roll < 10) {
            value = propose_nasty_float(rng, range);
        } else if (roll < 12) {
            value = propose_bits(rng);
        } else {
            value = low / 2 + high / 2 + (high / 2 - low / 2) * (2 * rng_unit(rng) - 1);
        }
        if (isnan(value) || (value >= range.min && value <= range.max)) {
            return value;
        }
    }
    return low / 2 + high / 2 + (high / 2 - low / 2) * (2 * rng_unit(rng) - 1);
}

size_t propose_size(struct drawer *drawer, size_t min, size_t max, size_t usual)
{
    assert(drawer->rng != NULL);
    assert(min <= max);
    enum { ROLL = 16, NARROW = 64, WIDE = 1024, CROWDED = 512, DEEP = 3 };
    struct rng *rng = drawer->rng;
    size_t room = max - min;
    /* Large or deeply nested values stay small from here on, so that lists of lists end. */
    if (drawer->own.spent > CROWDED) {
        return min;
    }
    size_t spread = drawer->own.depth > DEEP ? 2 : usual;
    uint64_t roll = rng_below(rng, ROLL);
    if (roll == 0) {
        return min;
    }
    if (roll == 1 && (room <= NARROW || (room <= WIDE && rng_one_in(rng, 4)))) {
        return max;
    }
    size_t most = roll < 6 ? (spread < 3 ? spread : 3) : roll < 15 ? spread : 3 * spread;
    return min + rng_below(rng, (most < room ? most : room) + 1);
}
