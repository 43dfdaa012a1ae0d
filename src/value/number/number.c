/* Operations on numbers of any kind: each finds the kind of the result. */
#include "base/hash.h"
#include "value/number/bignum.h"
#include "value/walk.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static bool need_number(struct value a, struct error *err)
{
    return value_is_number(a) ||
           error_set(err, ERROR_MACHINE, "a number is needed, not a value of type %s",
                     value_type_name(a));
}

/* Like PostgreSQL's casts to float8: an error if a finite number overflows, or if a number other
 * than 0 becomes 0. */
static bool float_from_number(struct value number, double *out, struct error *err)
{
    *out = number_to_double(number);
    bool was_finite = numeric_kind_of(number) == NUMERIC_FINITE;
    bool lost = was_finite && (isinf(*out) || (fpclassify(*out) == FP_ZERO && value_truth(number)));
    return !lost || float_out_of_range(err);
}

bool number_arith(struct arena *arena, enum arith_op op, struct value a, struct value b,
                  struct value *out, struct error *err)
{
    if (!need_number(a, err) || !need_number(b, err)) {
        return false;
    }
    if (a.type == VALUE_FLOAT || b.type == VALUE_FLOAT) {
        double x;
        double y;
        return float_from_number(a, &x, err) && float_from_number(b, &y, err) &&
               float_arith(op, x, y, out, err);
    }
    if (a.type == VALUE_INT && b.type == VALUE_INT && op != ARITH_DIV) {
        return int_arith(arena, op, a, b, out, err);
    }
    return numeric_arith(arena, op, a, b, out, err);
}

bool number_negate(struct arena *arena, struct value a, struct value *out, struct error *err)
{
    return number_arith(arena, ARITH_MUL, a, value_int(-1), out, err);
}

bool number_abs(struct arena *arena, struct value a, struct value *out, struct error *err)
{
    if (a.type == VALUE_FLOAT) {
        *out = value_float(fabs(a.as.real));
        return true;
    }
    if (!need_number(a, err)) {
        return false;
    }
    if (number_compare(a, value_int(0)) < 0) {
        return number_negate(arena, a, out, err);
    }
    *out = a;
    return true;
}

bool number_round(struct arena *arena, struct value a, int64_t digits, struct value *out,
                  struct error *err)
{
    if (a.type == VALUE_FLOAT) {
        if (digits != 0) {
            (void)error_set(err, ERROR_MACHINE, "round() of a float takes no digits");
            return error_hint(err, "write round(numeric(x), %lld)", (long long)digits);
        }
        *out = value_float(nearbyint(a.as.real));
        return true;
    }
    if (!need_number(a, err)) {
        return false;
    }
    if (a.type == VALUE_INT && digits <= 0) {
        struct value rounded;
        if (digits == 0) {
            *out = a;
            return true;
        }
        return numeric_round(arena, a, digits, &rounded, err) &&
               int_from_number(arena, rounded, out, err);
    }
    return numeric_round(arena, a, digits, out, err);
}

/* A finite number as a fraction, not reduced. */
static void set_fraction(mpq_ptr fraction, struct value number)
{
    struct bignum_view view;
    long scale;
    if (number.type == VALUE_FLOAT) {
        mpq_set_d(fraction, number.as.real);
        return;
    }
    mpz_set(mpq_numref(fraction), numeric_parts(&view, number, &scale));
    mpz_ui_pow_ui(mpq_denref(fraction), 10, (unsigned long)scale);
}

static int compare_finite(struct value a, struct value b)
{
    if (a.type == VALUE_FLOAT && b.type == VALUE_FLOAT) {
        return (a.as.real > b.as.real) - (a.as.real < b.as.real);
    }
    mpq_t x;
    mpq_t y;
    mpq_inits(x, y, NULL);
    set_fraction(x, a);
    set_fraction(y, b);
    mpz_mul(mpq_numref(x), mpq_numref(x), mpq_denref(y));
    mpz_mul(mpq_numref(y), mpq_numref(y), mpq_denref(x));
    int order = mpz_cmp(mpq_numref(x), mpq_numref(y));
    mpq_clears(x, y, NULL);
    return order;
}

int number_compare(struct value a, struct value b)
{
    assert(value_is_number(a) && value_is_number(b));
    /* the place of a kind in the order of all numbers */
    static const int rank[] = {[NUMERIC_MINUS_INFINITY] = 0,
                               [NUMERIC_FINITE] = 1,
                               [NUMERIC_INFINITY] = 2,
                               [NUMERIC_NAN] = 3};
    int64_t x;
    int64_t y;
    if (int_fits(a, &x) && int_fits(b, &y)) {
        return (x > y) - (x < y);
    }
    enum numeric_kind a_kind = numeric_kind_of(a);
    enum numeric_kind b_kind = numeric_kind_of(b);
    if (a_kind == NUMERIC_FINITE && b_kind == NUMERIC_FINITE) {
        return compare_finite(a, b);
    }
    return rank[a_kind] - rank[b_kind];
}

/*
 * Hashing. Equal numbers of different kinds need equal hashes, so a number p/q is hashed as
 * p * q^-1 modulo the prime 2^61 - 1: powers of 2 and 10 have inverses there (the idea is
 * Python's; its library reference, "Hashing of numeric types").
 */
#define HASH_PRIME ((UINT64_C(1) << 61U) - 1)
#define HASH_INVERSE_10 UINT64_C(0x1CCCCCCCCCCCCCCC) /* times 10 is 1 modulo HASH_PRIME */

__extension__ typedef unsigned __int128 wide;

static uint64_t mod_multiply(uint64_t a, uint64_t b)
{
    return (uint64_t)((wide)a * b % HASH_PRIME);
}

static uint64_t mod_power(uint64_t base, unsigned long exponent)
{
    uint64_t result = 1;
    for (; exponent; exponent >>= 1U) {
        if (exponent & 1U) {
            result = mod_multiply(result, base);
        }
        base = mod_multiply(base, base);
    }
    return result;
}

static uint64_t finish_hash(uint64_t remainder, int sign)
{
    return hash_mix(sign < 0 && remainder ? HASH_PRIME - remainder : remainder);
}

static uint64_t hash_float(double real)
{
    int exponent;
    uint64_t bits = (uint64_t)ldexp(frexp(fabs(real), &exponent), 53);
    int rotation = (exponent - 53) % 61; /* 2^61 is 1 */
    uint64_t power = UINT64_C(1) << (unsigned)(rotation < 0 ? rotation + 61 : rotation);
    return finish_hash(mod_multiply(bits, power), real < 0 ? -1 : 1);
}

uint64_t number_hash(struct value a)
{
    assert(value_is_number(a));
    int64_t small;
    enum numeric_kind kind = numeric_kind_of(a);
    if (kind != NUMERIC_FINITE) {
        return hash_mix(HASH_PRIME + (uint64_t)kind);
    }
    if (int_fits(a, &small)) {
        uint64_t magnitude = small < 0 ? 0 - (uint64_t)small : (uint64_t)small;
        return finish_hash(magnitude % HASH_PRIME, small < 0 ? -1 : 1);
    }
    if (a.type == VALUE_FLOAT) {
        return hash_float(a.as.real);
    }
    struct bignum_view view;
    long scale;
    mpz_srcptr n = numeric_parts(&view, a, &scale);
    uint64_t remainder = mpz_tdiv_ui(n, HASH_PRIME);
    if (scale) {
        remainder = mod_multiply(remainder, mod_power(HASH_INVERSE_10, (unsigned long)scale));
    }
    return finish_hash(remainder, mpz_sgn(n));
}
