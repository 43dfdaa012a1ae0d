/* Ints: in 64 bits if they fit, otherwise in GMP. */
#include "base/digits.h"
#include "value/number/bignum.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
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

static size_t int_bits(struct value integer)
{
    struct bignum_view view;
    return mpz_sizeinbase(bignum_view_int(&view, integer), 2);
}

/* Turns a temporary into a value, and clears it. */
static bool finish_int(struct arena *arena, mpz_ptr z, struct value *out, struct error *err)
{
    bool fits = mpz_sizeinbase(z, 2) <= INTEGER_BITS_MAX;
    if (fits) {
        *out = bignum_int(arena, z);
    }
    mpz_clear(z);
    return fits || too_large(err);
}

/* Rounds toward minus infinity. False if the division raises, or if the result may not fit. */
static bool small_division(enum arith_op op, int64_t a, int64_t b, int64_t *out)
{
    if (b == 0 || b == -1) {
        return false;
    }
    int64_t rest = a % b;
    bool below = rest != 0 && (rest < 0) != (b < 0);
    *out = op == ARITH_MOD ? rest + (below ? b : 0) : a / b - below;
    return true;
}

static bool small_arith(enum arith_op op, int64_t a, int64_t b, int64_t *out)
{
    return op == ARITH_ADD   ? !__builtin_add_overflow(a, b, out)
           : op == ARITH_SUB ? !__builtin_sub_overflow(a, b, out)
           : op == ARITH_MUL ? !__builtin_mul_overflow(a, b, out)
                             : small_division(op, a, b, out);
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
    if (op == ARITH_MUL && int_bits(a) + int_bits(b) > INTEGER_BITS_MAX + 1) {
        return too_large(err);
    }
    mpz_t z;
    long scale;
    mpz_init(z);
    if (!exact_arith(op, a, b, z, &scale, err)) {
        mpz_clear(z);
        return false;
    }
    return finish_int(arena, z, out, err);
}

/* Shifts by a count in either direction. A count beyond 64 bits shifts everything out or is too
 * large. */
static bool shift_int(struct arena *arena, enum bit_op op, struct value a, struct value b,
                      struct value *out, struct error *err)
{
    struct bignum_view left;
    struct bignum_view right;
    mpz_srcptr n = bignum_view_int(&left, a);
    mpz_srcptr by = bignum_view_int(&right, b);
    if (mpz_sgn(by) < 0) {
        return error_set(err, ERROR_MACHINE, "a shift count must not be negative");
    }
    bool huge = mpz_cmp_ui(by, INTEGER_BITS_MAX) > 0;
    unsigned long count = huge ? INTEGER_BITS_MAX : mpz_get_ui(by);
    if (op == BIT_SHIFT_LEFT && mpz_sgn(n) != 0 &&
        (huge || mpz_sizeinbase(n, 2) + count > INTEGER_BITS_MAX)) {
        return too_large(err);
    }
    mpz_t z;
    mpz_init(z);
    if (op == BIT_SHIFT_RIGHT) {
        mpz_fdiv_q_2exp(z, n, count);
    } else {
        mpz_mul_2exp(z, n, count);
    }
    return finish_int(arena, z, out, err);
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
        return shift_int(arena, op, a, b, out, err);
    }
    struct bignum_view left;
    struct bignum_view right;
    mpz_t z;
    mpz_init(z);
    functions[op](z, bignum_view_int(&left, a), bignum_view_int(&right, b));
    return finish_int(arena, z, out, err);
}

bool number_invert(struct arena *arena, struct value a, struct value *out, struct error *err)
{
    return need_ints(a, a, err) && int_arith(arena, ARITH_SUB, value_int(-1), a, out, err);
}

/* The base that a prefix such as 0x names, or 0. */
static int prefix_base(const char *text, size_t size)
{
    static const char letters[] = "xXoObB";
    static const int bases[] = {16, 16, 8, 8, 2, 2};
    const char *letter = size >= 2 && text[0] == '0' && text[1] ? strchr(letters, text[1]) : NULL;
    return letter ? bases[letter - letters] : 0;
}

static bool bad_literal(const char *text, size_t size, int base, struct error *err)
{
    char type[32];
    (void)snprintf(type, sizeof type, base ? "an int in base %d" : "an int", base);
    return not_a_number(type, text, size, err);
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

static void from_digits(mpz_ptr z, const char *digits, size_t size, int base)
{
    char *text = memory_alloc(size + 1);
    memcpy(text, digits, size);
    text[size] = '\0';
    (void)mpz_set_str(z, text, base);
    free(text);
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
    from_digits(z, text, size, base);
    if (sign == MINUS) {
        mpz_neg(z, z);
    }
    return finish_int(arena, z, out, err);
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
