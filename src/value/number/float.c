/*
 * Floats: PostgreSQL's float8, its arithmetic, its shortest text, its casts.
 *
 * No locale: snprintf is used for digits only and strtod on text without a point.
 */
#include "base/digits.h"
#include "value/number/bignum.h"

#include <assert.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MAX = 17, FIXED_MAX = 15 }; /* from 10^FIXED_MAX the exponent is written */

/* digits[0].digits[1]… times 10^exponent */
struct decimal {
    char digits[DIGITS_MAX + 1];
    int count;
    int exponent;
};

/* `real` (positive, finite) rounded to `count` significant digits. */
static struct decimal decimal_of(double real, int count)
{
    struct decimal decimal = {.count = count};
    char text[64];
    (void)snprintf(text, sizeof text, "%.*e", count - 1, real);
    const char *at = text;
    for (int i = 0; i < count; at++) { /* skips the point, which depends on the locale */
        if (is_digit(*at)) {
            decimal.digits[i++] = *at;
        }
    }
    decimal.exponent = atoi(strchr(at, 'e') + 1);
    return decimal;
}

/* True if the decimal lies strictly between the midpoints to the neighbours of `real` (positive,
 * finite). The server's algorithm (Ryu, as in its src/common/d2s.c) excludes the midpoints,
 * although the even ones would read back. */
static bool strictly_nearest(const struct decimal *decimal, double real)
{
    int exponent;
    double mantissa = frexp(real, &exponent);
    if (exponent < DBL_MIN_EXP) { /* subnormal: fewer bits */
        mantissa = ldexp(mantissa, exponent - DBL_MIN_EXP);
        exponent = DBL_MIN_EXP;
    }
    long bits = (long)ldexp(mantissa, DBL_MANT_DIG);
    bool narrow_below = bits == 1L << (DBL_MANT_DIG - 1) && exponent > DBL_MIN_EXP;
    int power2 = exponent - DBL_MANT_DIG - 2; /* exponent of the unit of the bounds */
    int power10 = decimal->exponent - decimal->count + 1;
    mpz_t low;
    mpz_t high;
    mpz_t z;
    mpz_init_set_si(low, 4 * bits - (narrow_below ? 1 : 2));
    mpz_init_set_si(high, 4 * bits + 2);
    mpz_init(z);
    (void)mpz_set_str(z, decimal->digits, 10);
    if (power10 < 0) {
        bignum_scale_up(low, (unsigned long)-power10);
        bignum_scale_up(high, (unsigned long)-power10);
    } else {
        bignum_scale_up(z, (unsigned long)power10);
    }
    if (power2 < 0) {
        mpz_mul_2exp(z, z, (mp_bitcnt_t)-power2);
    } else {
        mpz_mul_2exp(low, low, (mp_bitcnt_t)power2);
        mpz_mul_2exp(high, high, (mp_bitcnt_t)power2);
    }
    bool inside = mpz_cmp(z, low) > 0 && mpz_cmp(z, high) < 0;
    mpz_clear(low);
    mpz_clear(high);
    mpz_clear(z);
    return inside;
}

/* Steps to the next larger decimal of the same length; false if it needs another digit. */
static bool step_up(struct decimal *decimal)
{
    for (int i = decimal->count - 1; i >= 0; i--) {
        if (decimal->digits[i] != '9') {
            decimal->digits[i]++;
            return true;
        }
        decimal->digits[i] = '0';
    }
    return false;
}

/* The nearest to `real` among the shortest decimals that read back. At powers of two the gap below
 * is narrower: the nearest decimal may lie too far below, while the next one above is close enough.
 */
static struct decimal shortest_decimal(double real)
{
    /* at most one decimal of 15 digits is near enough to a normal float */
    for (int count = real < DBL_MIN ? 1 : DBL_DIG; count < DIGITS_MAX; count++) {
        struct decimal decimal = decimal_of(real, count);
        if (strictly_nearest(&decimal, real)) {
            return decimal;
        }
        if (step_up(&decimal) && strictly_nearest(&decimal, real)) {
            return decimal;
        }
    }
    return decimal_of(real, DIGITS_MAX);
}

/* Appends the digits without trailing zeros. */
static void add_decimal(const struct decimal *decimal, struct strbuf *out)
{
    int exponent = decimal->exponent;
    size_t count = (size_t)decimal->count;
    while (count > 1 && decimal->digits[count - 1] == '0') {
        count--;
    }
    if (exponent < -4 || exponent >= FIXED_MAX) {
        strbuf_addc(out, decimal->digits[0]);
        if (count > 1) {
            strbuf_addc(out, '.');
            strbuf_add(out, decimal->digits + 1, count - 1);
        }
        strbuf_addf(out, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
    } else if (exponent < 0) {
        strbuf_adds(out, "0.");
        strbuf_fill(out, '0', (size_t)(-exponent - 1));
        strbuf_add(out, decimal->digits, count);
    } else {
        size_t whole = (size_t)exponent + 1;
        strbuf_add(out, decimal->digits, count < whole ? count : whole);
        if (count > whole) {
            strbuf_addc(out, '.');
            strbuf_add(out, decimal->digits + whole, count - whole);
        } else {
            strbuf_fill(out, '0', whole - count);
        }
    }
}

void float_text(double real, struct strbuf *out)
{
    if (isnan(real)) {
        strbuf_adds(out, "NaN");
        return;
    }
    if (signbit(real)) {
        strbuf_addc(out, '-');
    }
    double size = fabs(real);
    if (isinf(real)) {
        strbuf_adds(out, "Infinity");
    } else {
        struct decimal decimal = shortest_decimal(size);
        add_decimal(&decimal, out);
    }
}

void float_text_15(double real, struct strbuf *out)
{
    assert(isfinite(real));
    if (real < 0) {
        strbuf_addc(out, '-');
    }
    if (!(real < 0) && !(real > 0)) {
        strbuf_addc(out, '0');
        return;
    }
    struct decimal decimal = decimal_of(fabs(real), DBL_DIG);
    add_decimal(&decimal, out);
}

bool float_out_of_range(struct error *err)
{
    return error_set(err, ERROR_MACHINE, "out of range for a float (double precision)");
}

static bool is_zero(double real) { return !(real < 0) && !(real > 0) && !isnan(real); }

/* a - b * floor(a / b), with b's sign, exact where fmod is; *quotient is the floor. */
static double float_mod(double a, double b, double *quotient)
{
    double rest = fmod(a, b);
    double times = (a - rest) / b;
    if (!is_zero(rest)) {
        if ((b < 0) != (rest < 0)) {
            rest += b;
            times -= 1.0;
        }
    } else {
        rest = copysign(0.0, b);
    }
    *quotient = floor(times);
    if (times - *quotient > 0.5) {
        *quotient += 1.0;
    }
    return rest;
}

/* The server refuses results that overflow or underflow; PostgreSQL manual, section 8.1.3. */
static bool in_range(enum arith_op op, double a, double b, double result)
{
    bool overflow = isinf(result) && !isinf(a) && (op == ARITH_DIV || !isinf(b));
    bool underflow = is_zero(result) && !is_zero(a) &&
                     ((op == ARITH_MUL && !is_zero(b)) || (op == ARITH_DIV && !isinf(b)));
    return !overflow && !underflow;
}

bool float_arith(enum arith_op op, double a, double b, struct value *out, struct error *err)
{
    bool divides = op == ARITH_DIV || op == ARITH_FLOORDIV || op == ARITH_MOD;
    double quotient = 0;
    if (divides && is_zero(b) && !isnan(a)) {
        return divided_by_zero(err);
    }
    double result = op == ARITH_ADD   ? a + b
                    : op == ARITH_SUB ? a - b
                    : op == ARITH_MUL ? a * b
                    : op == ARITH_DIV ? a / b
                                      : float_mod(a, b, &quotient);
    result = op == ARITH_FLOORDIV ? quotient : result;
    if (op != ARITH_MOD && !in_range(op, a, b, result)) {
        return float_out_of_range(err);
    }
    *out = value_float(result);
    return true;
}
