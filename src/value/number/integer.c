/* Ints: 64 bits where they fit, GMP beyond. */
#include "base/digits.h"
#include "value/number/bignum.h"

#include <assert.h>
#include <string.h>

static bool too_large(struct error *err)
{
    return error_set(err, ERROR_LIMIT, "the result is too large: an int has at most %d bits",
                     INTEGER_BITS_MAX);
}

bool int_fits(struct value value, int64_t *out)
{
    if (value.type != VALUE_INT || value.flags & VALUE_BIG) {
        return false;
    }
    *out = value.as.integer;
    return true;
}

uint64_t number_limbs(struct value number)
{
    int size = number.type == VALUE_INT && number.flags & VALUE_BIG ? number.as.big->size
               : number.type == VALUE_NUMERIC ? number.as.numeric->coefficient.size
                                              : 0;
    return (uint64_t)(size < 0 ? -(int64_t)size : size);
}

/* Gives a temporary as a value and clears it. */
static bool finish(struct arena *arena, mpz_ptr z, struct value *out, struct error *err)
{
    bool fits = mpz_sizeinbase(z, 2) <= INTEGER_BITS_MAX;
    if (fits) {
        *out = bignum_int(arena, z);
    }
    mpz_clear(z);
    return fits || too_large(err);
}

static bool small_arith(enum arith_op op, int64_t a, int64_t b, int64_t *out)
{
    switch (op) {
    case ARITH_ADD:
        return !__builtin_add_overflow(a, b, out);
    case ARITH_SUB:
        return !__builtin_sub_overflow(a, b, out);
    case ARITH_MUL:
        return !__builtin_mul_overflow(a, b, out);
    case ARITH_FLOORDIV:
        if (b == 0 || (a == INT64_MIN && b == -1)) {
            return false;
        }
        *out = a / b - (a % b != 0 && (a < 0) != (b < 0));
        return true;
    case ARITH_MOD:
        if (b == 0 || b == -1) {
            *out = 0;
            return b == -1;
        }
        *out = a % b;
        *out += *out != 0 && (*out < 0) != (b < 0) ? b : 0;
        return true;
    case ARITH_DIV:
    default:
        return false;
    }
}

static void big_arith(enum arith_op op, mpz_ptr z, mpz_srcptr a, mpz_srcptr b)
{
    switch (op) {
    case ARITH_ADD:
        mpz_add(z, a, b);
        break;
    case ARITH_SUB:
        mpz_sub(z, a, b);
        break;
    case ARITH_MUL:
        mpz_mul(z, a, b);
        break;
    case ARITH_FLOORDIV:
        mpz_fdiv_q(z, a, b);
        break;
    case ARITH_MOD:
        mpz_fdiv_r(z, a, b);
        break;
    case ARITH_DIV:
    default:
        break;
    }
}

bool int_arith(struct arena *arena, enum arith_op op, struct value a, struct value b,
               struct value *out, struct error *err)
{
    assert(a.type == VALUE_INT && b.type == VALUE_INT);
    assert(op != ARITH_DIV);
    int64_t x;
    int64_t y;
    int64_t result;
    if (int_fits(a, &x) && int_fits(b, &y) && small_arith(op, x, y, &result)) {
        *out = value_int(result);
        return true;
    }
    struct bignum_view left;
    struct bignum_view right;
    mpz_srcptr n = bignum_view_int(&left, a);
    mpz_srcptr m = bignum_view_int(&right, b);
    if ((op == ARITH_FLOORDIV || op == ARITH_MOD) && mpz_sgn(m) == 0) {
        return divided_by_zero(err);
    }
    if (op == ARITH_MUL && mpz_sizeinbase(n, 2) + mpz_sizeinbase(m, 2) > INTEGER_BITS_MAX + 1) {
        return too_large(err);
    }
    mpz_t z;
    mpz_init(z);
    big_arith(op, z, n, m);
    return finish(arena, z, out, err);
}

/* A shift count, and which way; what is beyond 64 bits shifts everything out, or is too large. */
static bool shift(struct arena *arena, enum bit_op op, struct value a, struct value b,
                  struct value *out, struct error *err)
{
    struct bignum_view left;
    struct bignum_view right;
    mpz_srcptr n = bignum_view_int(&left, a);
    mpz_srcptr by = bignum_view_int(&right, b);
    if (mpz_sgn(by) < 0) {
        return error_set(err, ERROR_MACHINE, "a shift count must not be negative");
    }
    if (mpz_sgn(n) == 0) {
        *out = a;
        return true;
    }
    bool huge = mpz_cmp_ui(by, INTEGER_BITS_MAX) > 0;
    mpz_t z;
    if (op == BIT_SHIFT_RIGHT) {
        mpz_init(z);
        mpz_fdiv_q_2exp(z, n, huge ? INTEGER_BITS_MAX : mpz_get_ui(by));
        return finish(arena, z, out, err);
    }
    if (huge || mpz_sizeinbase(n, 2) + mpz_get_ui(by) > INTEGER_BITS_MAX) {
        return too_large(err);
    }
    mpz_init(z);
    mpz_mul_2exp(z, n, mpz_get_ui(by));
    return finish(arena, z, out, err);
}

static bool need_ints(struct value a, struct value b, struct error *err)
{
    if (a.type == VALUE_INT && b.type == VALUE_INT) {
        return true;
    }
    return error_set(err, ERROR_MACHINE, "bit operations need ints, not %s and %s",
                     value_type_name(a), value_type_name(b));
}

bool number_bits(struct arena *arena, enum bit_op op, struct value a, struct value b,
                 struct value *out, struct error *err)
{
    static void (*const functions[])(mpz_ptr, mpz_srcptr, mpz_srcptr) = {
        [BIT_AND] = mpz_and, [BIT_OR] = mpz_ior, [BIT_XOR] = mpz_xor};
    if (!need_ints(a, b, err)) {
        return false;
    }
    if (op == BIT_SHIFT_LEFT || op == BIT_SHIFT_RIGHT) {
        return shift(arena, op, a, b, out, err);
    }
    struct bignum_view left;
    struct bignum_view right;
    mpz_t z;
    mpz_init(z);
    functions[op](z, bignum_view_int(&left, a), bignum_view_int(&right, b));
    return finish(arena, z, out, err);
}

bool number_invert(struct arena *arena, struct value a, struct value *out, struct error *err)
{
    if (!need_ints(a, a, err)) {
        return false;
    }
    struct bignum_view view;
    mpz_t z;
    mpz_init(z);
    mpz_com(z, bignum_view_int(&view, a));
    return finish(arena, z, out, err);
}

/* The base that a prefix such as 0x names, or 0. */
static int prefix_base(const char *text, size_t size)
{
    if (size < 2 || text[0] != '0') {
        return 0;
    }
    switch (text[1]) {
    case 'x':
    case 'X':
        return 16;
    case 'o':
    case 'O':
        return 8;
    case 'b':
    case 'B':
        return 2;
    default:
        return 0;
    }
}

static bool bad_literal(const char *text, size_t size, int base, struct error *err)
{
    enum { SHOWN = 60 };
    if (base) {
        return error_set(err, ERROR_MACHINE, "not an int in base %d: \"%.*s%s\"", base,
                         size > SHOWN ? SHOWN : (int)size, text, size > SHOWN ? "…" : "");
    }
    return error_set(err, ERROR_MACHINE, "not an int: \"%.*s%s\"", size > SHOWN ? SHOWN : (int)size,
                     text, size > SHOWN ? "…" : "");
}

static bool all_digits(const char *text, size_t size, int base)
{
    for (size_t i = 0; i < size; i++) {
        if (digit_value(text[i]) >= (unsigned)base) {
            return false;
        }
    }
    return size > 0;
}

enum sign { PLUS, MINUS };

static bool digits_to_int(struct arena *arena, const char *text, size_t size, int base,
                          enum sign sign, struct value *out, struct error *err)
{
    if (size <= 12) { /* 36^12 < 2^63 */
        int64_t small = 0;
        for (size_t i = 0; i < size; i++) {
            small = small * base + (int64_t)digit_value(text[i]);
        }
        *out = value_int(sign == MINUS ? -small : small);
        return true;
    }
    while (size > 1 && *text == '0') {
        text++;
        size--;
    }
    if (size > INTEGER_BITS_MAX) {
        return too_large(err);
    }
    mpz_t z;
    mpz_init(z);
    bignum_from_digits(z, text, size, base);
    if (sign == MINUS) {
        mpz_neg(z, z);
    }
    return finish(arena, z, out, err);
}

bool int_from_text(struct arena *arena, const char *text, size_t size, int base, struct value *out,
                   struct error *err)
{
    size_t at = size && (text[0] == '-' || text[0] == '+');
    int prefix = prefix_base(text + at, size - at);
    if (prefix && (base == 0 || base == prefix)) {
        at += 2;
    }
    int used = base ? base : prefix ? prefix : 10;
    bool octal_trap = base == 0 && !prefix && size - at > 1 && text[at] == '0' &&
                      !all_digits(text + at, size - at, 1);
    if (used < 2 || used > 36 || octal_trap || !all_digits(text + at, size - at, used)) {
        return bad_literal(text, size, base, err);
    }
    return digits_to_int(arena, text + at, size - at, used, size && text[0] == '-' ? MINUS : PLUS,
                         out, err);
}
