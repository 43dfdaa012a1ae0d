/*
 * PostgreSQL's numeric. The rules for the scale of a result and for NaN and the infinities are
 * those of the server (PostgreSQL 15; manual, section 8.1.2, and the behaviour of numeric.c).
 */
#include "value/number/bignum.h"

#include <assert.h>
#include <math.h>

enum {
    DIGITS_BEFORE_POINT_MAX = 131072,
    QUOTIENT_SIGNIFICANT = 16, /* the minimum of significant digits in a quotient */
    QUOTIENT_SCALE_MAX = 1000,
    GROUP = 4, /* the server keeps decimal digits in groups of four, aligned at the point */
};

struct value numeric_special(enum numeric_kind kind)
{
    assert(kind <= NUMERIC_MINUS_INFINITY);
    static const struct numeric specials[] = {
        [NUMERIC_FINITE] = {.kind = NUMERIC_FINITE},
        [NUMERIC_NAN] = {.kind = NUMERIC_NAN},
        [NUMERIC_INFINITY] = {.kind = NUMERIC_INFINITY},
        [NUMERIC_MINUS_INFINITY] = {.kind = NUMERIC_MINUS_INFINITY},
    };
    return (struct value){.type = VALUE_NUMERIC, .as.numeric = &specials[kind]};
}

enum numeric_kind numeric_kind_of(struct value number)
{
    assert(value_is_number(number));
    if (number.type == VALUE_NUMERIC) {
        return number.as.numeric->kind;
    }
    if (number.type == VALUE_FLOAT && !isfinite(number.as.real)) {
        return isnan(number.as.real)  ? NUMERIC_NAN
               : number.as.real < 0.0 ? NUMERIC_MINUS_INFINITY
                                      : NUMERIC_INFINITY;
    }
    return NUMERIC_FINITE;
}

static struct value numeric_store(struct arena *arena, mpz_srcptr coefficient, int scale)
{
    assert(scale >= 0 && scale <= NUMERIC_SCALE_MAX);
    struct numeric *numeric =
        arena_alloc(arena, sizeof *numeric + mpz_size(coefficient) * sizeof(uint64_t));
    *numeric = (struct numeric){.scale = scale};
    numeric->coefficient = bignum_store((uint64_t *)(void *)(numeric + 1), coefficient);
    return (struct value){.type = VALUE_NUMERIC, .as.numeric = numeric};
}

static bool overflows(struct error *err)
{
    return error_set(err, ERROR_MACHINE,
                     "value overflows numeric format (%d digits before the point, %d after it)",
                     DIGITS_BEFORE_POINT_MAX, NUMERIC_SCALE_MAX);
}

bool numeric_make(struct arena *arena, mpz_srcptr coefficient, long scale, struct value *out,
                  struct error *err)
{
    if (scale < 0 || scale > NUMERIC_SCALE_MAX) {
        return overflows(err);
    }
    /* computes the power only if the coefficient could be as large */
    if (mpz_sizeinbase(coefficient, 2) > 3UL * DIGITS_BEFORE_POINT_MAX) {
        mpz_t limit;
        mpz_init(limit);
        mpz_ui_pow_ui(limit, 10, DIGITS_BEFORE_POINT_MAX + (unsigned long)scale);
        bool fits = mpz_cmpabs(coefficient, limit) < 0;
        mpz_clear(limit);
        if (!fits) {
            return overflows(err);
        }
    }
    *out = numeric_store(arena, coefficient, (int)scale);
    return true;
}

mpz_srcptr numeric_parts(struct bignum_view *view, struct value number, long *scale)
{
    assert(number.type == VALUE_INT || number.type == VALUE_NUMERIC);
    assert(numeric_kind_of(number) == NUMERIC_FINITE);
    if (number.type == VALUE_INT) {
        *scale = 0;
        return bignum_view_int(view, number);
    }
    *scale = number.as.numeric->scale;
    return bignum_view(view, &number.as.numeric->coefficient);
}

/* The group of the first digit that is not 0: its index (0: the group before the point) and its
 * value. Both are 0 for zero. */
struct leading {
    long weight;
    unsigned long group;
};

static struct leading leading_group(mpz_srcptr coefficient, long scale)
{
    struct leading leading = {0};
    struct strbuf text = {0};
    bignum_text(coefficient, 10, &text);
    size_t sign = mpz_sgn(coefficient) < 0;
    if (mpz_sgn(coefficient) != 0) {
        long first = (long)(text.size - sign) - scale - 1; /* power of ten of the first digit */
        leading.weight = first >= 0 ? first / GROUP : -((-first - 1) / GROUP + 1);
        size_t end = sign + (size_t)(first - leading.weight * GROUP) + 1;
        for (size_t i = sign; i < end; i++) {
            unsigned digit = i < text.size ? (unsigned)(text.data[i] - '0') : 0;
            leading.group = leading.group * 10 + digit;
        }
    }
    strbuf_free(&text);
    return leading;
}

static long at_least(long a, long b) { return a > b ? a : b; }

/* The number of digits that the server shows after the point of a quotient: enough for 16
 * significant digits, estimated from the leading groups, and at least as many as either operand
 * has. */
static long quotient_scale(mpz_srcptr a, long a_scale, mpz_srcptr b, long b_scale)
{
    struct leading n = leading_group(a, a_scale);
    struct leading d = leading_group(b, b_scale);
    long weight = n.weight - d.weight - (n.group <= d.group);
    long scale = QUOTIENT_SIGNIFICANT - weight * GROUP;
    scale = at_least(at_least(scale, 0), at_least(a_scale, b_scale));
    return scale < QUOTIENT_SCALE_MAX ? scale : QUOTIENT_SCALE_MAX;
}

/* Both operands as coefficients, `a` and `b` being temporaries that may be changed. */
struct operands {
    mpz_t a;
    mpz_t b;
    long a_scale;
    long b_scale;
};

static void align_scales(struct operands *x)
{
    if (x->a_scale < x->b_scale) {
        bignum_scale_up(x->a, (unsigned long)(x->b_scale - x->a_scale));
        x->a_scale = x->b_scale;
    } else if (x->a_scale > x->b_scale) {
        bignum_scale_up(x->b, (unsigned long)(x->a_scale - x->b_scale));
        x->b_scale = x->a_scale;
    }
}

/* These functions leave the result in x->a, and its scale in x->a_scale. */

static void add_operands(struct operands *x)
{
    align_scales(x);
    mpz_add(x->a, x->a, x->b);
}

static void subtract_operands(struct operands *x)
{
    align_scales(x);
    mpz_sub(x->a, x->a, x->b);
}

/* Rounds to fewer digits behind the point; a negative scale rounds before it. */
static void round_to(mpz_ptr z, long from, long to)
{
    assert(to <= from);
    mpz_t power;
    mpz_init(power);
    mpz_ui_pow_ui(power, 10, (unsigned long)(from - to));
    bignum_divide_rounded(z, z, power);
    mpz_clear(power);
}

static void multiply_operands(struct operands *x)
{
    mpz_mul(x->a, x->a, x->b);
    x->a_scale += x->b_scale;
    if (x->a_scale > NUMERIC_SCALE_MAX) {
        round_to(x->a, x->a_scale, NUMERIC_SCALE_MAX);
        x->a_scale = NUMERIC_SCALE_MAX;
    }
}

static void divide(struct operands *x)
{
    long scale = quotient_scale(x->a, x->a_scale, x->b, x->b_scale);
    long shift = scale + x->b_scale - x->a_scale;
    bignum_scale_up(shift < 0 ? x->b : x->a, (unsigned long)(shift < 0 ? -shift : shift));
    bignum_divide_rounded(x->a, x->a, x->b);
    x->a_scale = scale;
}

static void floor_divide(struct operands *x)
{
    align_scales(x);
    mpz_fdiv_q(x->a, x->a, x->b);
    x->a_scale = 0;
}

static void modulo_operands(struct operands *x)
{
    align_scales(x);
    mpz_fdiv_r(x->a, x->a, x->b);
}

bool exact_arith(enum arith_op op, struct value a, struct value b, mpz_ptr z, long *scale,
                 struct error *err)
{
    static void (*const functions[])(struct operands *) = {
        [ARITH_ADD] = add_operands,      [ARITH_SUB] = subtract_operands,
        [ARITH_MUL] = multiply_operands, [ARITH_DIV] = divide,
        [ARITH_FLOORDIV] = floor_divide, [ARITH_MOD] = modulo_operands,
    };
    struct bignum_view view;
    struct operands x;
    mpz_init_set(x.a, numeric_parts(&view, a, &x.a_scale));
    mpz_init_set(x.b, numeric_parts(&view, b, &x.b_scale));
    bool done = op < ARITH_DIV || mpz_sgn(x.b) != 0 || divided_by_zero(err);
    if (done) {
        functions[op](&x);
        mpz_set(z, x.a);
        *scale = x.a_scale;
    }
    mpz_clear(x.a);
    mpz_clear(x.b);
    return done;
}

static bool finite_arith(struct arena *arena, enum arith_op op, struct value a, struct value b,
                         struct value *out, struct error *err)
{
    mpz_t z;
    long scale;
    mpz_init(z);
    bool done = exact_arith(op, a, b, z, &scale, err) && numeric_make(arena, z, scale, out, err);
    mpz_clear(z);
    return done;
}

/* The sign of a number as -1, 0 or 1, also of an infinity. */
static int sign_of(struct value number)
{
    struct bignum_view view;
    long scale;
    switch (numeric_kind_of(number)) {
    case NUMERIC_FINITE:
        return mpz_sgn(numeric_parts(&view, number, &scale));
    case NUMERIC_INFINITY:
        return 1;
    case NUMERIC_MINUS_INFINITY:
        return -1;
    case NUMERIC_NAN:
    default:
        return 0;
    }
}

static struct value infinity_of_sign(int sign)
{
    return numeric_special(sign > 0   ? NUMERIC_INFINITY
                           : sign < 0 ? NUMERIC_MINUS_INFINITY
                                      : NUMERIC_NAN);
}

static struct value small_numeric(struct arena *arena, long integer)
{
    mpz_t z;
    mpz_init_set_si(z, integer);
    struct value value = numeric_store(arena, z, 0);
    mpz_clear(z);
    return value;
}

/* Divides a finite number by an infinity, floored: 0 or -1, and the remainder. */
static struct value floored_by_infinity(struct arena *arena, enum arith_op op, struct value a,
                                        struct value b)
{
    bool apart = sign_of(a) * sign_of(b) < 0;
    if (op == ARITH_FLOORDIV) {
        return small_numeric(arena, apart ? -1 : 0);
    }
    return apart ? b : a;
}

/* At least one operand is infinite, and neither is NaN. */
static bool infinite_arith(struct arena *arena, enum arith_op op, struct value a, struct value b,
                           struct value *out, struct error *err)
{
    bool a_infinite = numeric_kind_of(a) != NUMERIC_FINITE;
    bool b_infinite = numeric_kind_of(b) != NUMERIC_FINITE;
    int a_sign = sign_of(a);
    int b_sign = op == ARITH_SUB ? -sign_of(b) : sign_of(b);
    if (op >= ARITH_DIV && b_sign == 0) {
        return divided_by_zero(err);
    }
    if (op == ARITH_ADD || op == ARITH_SUB) {
        bool opposed = a_infinite && b_infinite && a_sign != b_sign;
        *out = infinity_of_sign(opposed ? 0 : a_infinite ? a_sign : b_sign);
    } else if (op == ARITH_MUL) {
        *out = infinity_of_sign(a_sign * b_sign);
    } else if (a_infinite) {
        *out = infinity_of_sign(b_infinite || op == ARITH_MOD ? 0 : a_sign * b_sign);
    } else if (op == ARITH_DIV) {
        *out = small_numeric(arena, 0);
    } else {
        *out = floored_by_infinity(arena, op, a, b);
    }
    return true;
}

bool numeric_arith(struct arena *arena, enum arith_op op, struct value a, struct value b,
                   struct value *out, struct error *err)
{
    assert(op <= ARITH_MOD);
    assert(a.type != VALUE_FLOAT && b.type != VALUE_FLOAT);
    enum numeric_kind a_kind = numeric_kind_of(a);
    enum numeric_kind b_kind = numeric_kind_of(b);
    if (a_kind == NUMERIC_FINITE && b_kind == NUMERIC_FINITE) {
        return finite_arith(arena, op, a, b, out, err);
    }
    if (a_kind == NUMERIC_NAN || b_kind == NUMERIC_NAN) {
        *out = numeric_special(NUMERIC_NAN);
        return true;
    }
    return infinite_arith(arena, op, a, b, out, err);
}

bool numeric_round(struct arena *arena, struct value a, int64_t digits, struct value *out,
                   struct error *err)
{
    assert(a.type == VALUE_INT || a.type == VALUE_NUMERIC);
    if (numeric_kind_of(a) != NUMERIC_FINITE) {
        *out = a;
        return true;
    }
    /* digits beyond these change nothing */
    enum { LEAST = -DIGITS_BEFORE_POINT_MAX - 1, MOST = NUMERIC_SCALE_MAX };
    long to = digits < LEAST ? LEAST : digits > MOST ? MOST : (long)digits;
    struct bignum_view view;
    long scale;
    mpz_t z;
    mpz_init_set(z, numeric_parts(&view, a, &scale));
    if (to < scale) {
        round_to(z, scale, to);
    } else {
        bignum_scale_up(z, (unsigned long)(to - scale));
    }
    if (to < 0) {
        bignum_scale_up(z, (unsigned long)-to);
    }
    bool made = numeric_make(arena, z, to < 0 ? 0 : to, out, err);
    mpz_clear(z);
    return made;
}
