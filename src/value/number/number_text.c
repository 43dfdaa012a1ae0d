/* Numbers from text and to text, and from one kind to another. */
#include "base/digits.h"
#include "value/number/bignum.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Of the digits from `start` on the last `scale` stand behind the point, and one before it. */
static void add_point(struct strbuf *out, size_t start, size_t scale)
{
    size_t count = out->size - start;
    size_t zeros = count <= scale ? scale + 1 - count : 0;
    strbuf_fill(out, '0', zeros + 1); /* and one place for the point */
    char *digits = out->data + start;
    memmove(digits + zeros, digits, count);
    memset(digits, '0', zeros);
    char *point = digits + zeros + count - scale;
    memmove(point + 1, point, scale);
    *point = '.';
}

static void numeric_text(struct value value, struct strbuf *out)
{
    static const char *const specials[] = {[NUMERIC_FINITE] = "",
                                           [NUMERIC_NAN] = "NaN",
                                           [NUMERIC_INFINITY] = "Infinity",
                                           [NUMERIC_MINUS_INFINITY] = "-Infinity"};
    const struct numeric *numeric = value.as.numeric;
    if (numeric->kind != NUMERIC_FINITE) {
        strbuf_adds(out, specials[numeric->kind]);
        return;
    }
    struct bignum_view view;
    mpz_srcptr z = bignum_view(&view, &numeric->coefficient);
    size_t scale = (size_t)numeric->scale;
    size_t start = out->size + (mpz_sgn(z) < 0);
    bignum_text(z, out);
    if (scale) {
        add_point(out, start, scale);
    }
}

void number_text(struct value number, struct strbuf *out)
{
    assert(value_is_number(number));
    int64_t small;
    struct bignum_view view;
    if (number.type == VALUE_FLOAT) {
        float_text(number.as.real, out);
    } else if (number.type == VALUE_NUMERIC) {
        numeric_text(number, out);
    } else if (int_fits(number, &small)) {
        strbuf_addi(out, small);
    } else {
        bignum_text(bignum_view_int(&view, number), out);
    }
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* A decimal as it is written: 00[digits][.digits][e exponent]. */
struct scanned {
    enum numeric_kind kind;
    bool negative;
    bool signed_nan;
    const char *whole;
    size_t whole_size;
    const char *fraction;
    size_t fraction_size;
    long exponent; /* clamped to ±EXPONENT_MAX */
};

enum { EXPONENT_MAX = 1 << 30 };

static bool scan_special(const char *text, size_t size, struct scanned *out)
{
    static const struct {
        const char *name;
        enum numeric_kind kind;
    } names[] = {{"nan", NUMERIC_NAN}, {"inf", NUMERIC_INFINITY}, {"infinity", NUMERIC_INFINITY}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i].name) == size && strncasecmp(names[i].name, text, size) == 0) {
            out->kind = names[i].kind;
            return true;
        }
    }
    return false;
}

static size_t count_digits(const char *text, size_t size)
{
    size_t count = 0;
    while (count < size && is_digit(text[count])) {
        count++;
    }
    return count;
}

static bool scan_exponent(const char *text, size_t size, long *out)
{
    size_t at = size && (text[0] == '-' || text[0] == '+');
    if (at == size || count_digits(text + at, size - at) != size - at) {
        return false;
    }
    long exponent = 0;
    for (; at < size; at++) {
        if (exponent < EXPONENT_MAX) {
            exponent = exponent * 10 + (text[at] - '0');
        }
    }
    exponent = exponent > EXPONENT_MAX ? EXPONENT_MAX : exponent;
    *out = text[0] == '-' ? -exponent : exponent;
    return true;
}

static bool scan_digits(const char *text, size_t size, struct scanned *out)
{
    out->whole = text;
    out->whole_size = count_digits(text, size);
    size_t at = out->whole_size;
    if (at < size && text[at] == '.') {
        at++;
        out->fraction = text + at;
        out->fraction_size = count_digits(text + at, size - at);
        at += out->fraction_size;
    }
    if (out->whole_size + out->fraction_size == 0) {
        return false;
    }
    if (at < size && (text[at] == 'e' || text[at] == 'E')) {
        return scan_exponent(text + at + 1, size - at - 1, &out->exponent);
    }
    return at == size;
}

/* Accepts white space around. A sign before NaN means nothing; numeric refuses it, float8 does not.
 */
static bool scan(const char *text, size_t size, struct scanned *out)
{
    *out = (struct scanned){0};
    while (size && is_space(text[0])) {
        text++;
        size--;
    }
    while (size && is_space(text[size - 1])) {
        size--;
    }
    bool is_signed = size && (text[0] == '-' || text[0] == '+');
    out->negative = size && text[0] == '-';
    text += is_signed;
    size -= is_signed;
    if (!scan_special(text, size, out)) {
        return scan_digits(text, size, out);
    }
    if (out->kind == NUMERIC_INFINITY && out->negative) {
        out->kind = NUMERIC_MINUS_INFINITY;
    }
    out->signed_nan = is_signed && out->kind == NUMERIC_NAN;
    return true;
}

static bool bad_text(const char *type, const char *text, size_t size, struct error *err)
{
    enum { SHOWN = 60 };
    return error_set(err, ERROR_MACHINE, "not a %s: \"%.*s%s\"", type,
                     size > SHOWN ? SHOWN : (int)size, text, size > SHOWN ? "…" : "");
}

/* The digits of both parts as one number. */
static void scanned_coefficient(const struct scanned *scanned, struct arena *arena, mpz_ptr z)
{
    struct arena_mark mark = arena_mark(arena);
    char *digits = arena_alloc(arena, scanned->whole_size + scanned->fraction_size + 1);
    if (scanned->whole_size) {
        memcpy(digits, scanned->whole, scanned->whole_size);
    }
    if (scanned->fraction_size) {
        memcpy(digits + scanned->whole_size, scanned->fraction, scanned->fraction_size);
    }
    digits[scanned->whole_size + scanned->fraction_size] = '\0';
    (void)mpz_set_str(z, digits, 10);
    arena_rewind(arena, mark);
    if (scanned->negative) {
        mpz_neg(z, z);
    }
}

/* Digits from the first that is not 0. */
static size_t significant(const struct scanned *scanned)
{
    size_t zeros = 0;
    while (zeros < scanned->whole_size && scanned->whole[zeros] == '0') {
        zeros++;
    }
    size_t count = scanned->whole_size + scanned->fraction_size - zeros;
    if (zeros == scanned->whole_size) {
        for (size_t i = 0; i < scanned->fraction_size && scanned->fraction[i] == '0'; i++) {
            count--;
        }
    }
    return count;
}

bool numeric_from_text(struct arena *arena, const char *text, size_t size, struct value *out,
                       struct error *err)
{
    enum { SIGNIFICANT_MAX = 131072 + NUMERIC_SCALE_MAX }; /* in any numeric */
    struct scanned scanned;
    if (!scan(text, size, &scanned) || scanned.signed_nan) {
        return bad_text("numeric", text, size, err);
    }
    if (scanned.kind != NUMERIC_FINITE) {
        *out = numeric_special(scanned.kind);
        return true;
    }
    size_t count = significant(&scanned);
    long scale = scanned.fraction_size > INT_MAX ? INT_MAX : (long)scanned.fraction_size;
    scale -= scanned.exponent;
    mpz_t z;
    mpz_init(z);
    bool huge = count > SIGNIFICANT_MAX || (count && scale < -SIGNIFICANT_MAX);
    if (!huge && count) {
        scanned_coefficient(&scanned, arena, z);
        bignum_scale_up(z, scale < 0 ? (unsigned long)-scale : 0);
    }
    bool made = numeric_make(arena, z, huge ? -1 : scale < 0 ? 0 : scale, out, err);
    mpz_clear(z);
    return made;
}

static double exact_power_of_10(int exponent)
{
    double power = 1.0;
    while (exponent-- > 0) {
        power *= 10.0;
    }
    return power;
}

/* coefficient / 10^scale, or times where scale is negative: right to the last bit where both are
 * exact floats. */
static bool quick_float(uint64_t coefficient, long scale, double *out)
{
    if (coefficient > UINT64_C(1) << 53U || scale > 22 || scale < -22) {
        return false;
    }
    double real = (double)coefficient;
    *out = scale < 0 ? real * exact_power_of_10((int)-scale) : real / exact_power_of_10((int)scale);
    return true;
}

/* The nearest float; without a point, so that strtod does the same in every locale. */
static double scanned_to_double(const struct scanned *scanned)
{
    uint64_t coefficient = 0;
    size_t count = significant(scanned);
    long scale = (long)scanned->fraction_size - scanned->exponent;
    double real = 0;
    if (count <= 18) {
        for (size_t i = 0; i < scanned->whole_size; i++) {
            coefficient = coefficient * 10 + (uint64_t)(scanned->whole[i] - '0');
        }
        for (size_t i = 0; i < scanned->fraction_size; i++) {
            coefficient = coefficient * 10 + (uint64_t)(scanned->fraction[i] - '0');
        }
    }
    if (count > 18 || !quick_float(coefficient, scale, &real)) {
        struct strbuf text = {0};
        strbuf_add(&text, scanned->whole, scanned->whole_size);
        strbuf_add(&text, scanned->fraction, scanned->fraction_size);
        strbuf_addf(&text, "e%ld", -scale);
        real = strtod(text.data, NULL);
        strbuf_free(&text);
    }
    return scanned->negative ? -real : real;
}

bool float_from_text(const char *text, size_t size, struct value *out, struct error *err)
{
    struct scanned scanned;
    if (!scan(text, size, &scanned)) {
        return bad_text("float", text, size, err);
    }
    double real = scanned_to_double(&scanned);
    if (scanned.kind != NUMERIC_FINITE) {
        real = scanned.kind == NUMERIC_NAN        ? (double)NAN
               : scanned.kind == NUMERIC_INFINITY ? (double)INFINITY
                                                  : -(double)INFINITY;
    } else if (isinf(real) || (fpclassify(real) == FP_ZERO && significant(&scanned))) {
        return error_set(err, ERROR_MACHINE,
                         "out of range for a float (double precision): \"%.*s\"",
                         size > 60 ? 60 : (int)size, text);
    }
    *out = value_float(real);
    return true;
}

static double exact_to_double(struct value number)
{
    struct bignum_view view;
    struct scanned scanned;
    double real;
    long scale;
    mpz_srcptr z = numeric_parts(&view, number, &scale);
    if (mpz_cmpabs_ui(z, 1UL << 53U) <= 0 && quick_float(mpz_get_ui(z), scale, &real)) {
        return mpz_sgn(z) < 0 ? -real : real;
    }
    struct strbuf text = {0};
    number_text(number, &text);
    (void)scan(text.data, text.size, &scanned);
    real = scanned_to_double(&scanned);
    strbuf_free(&text);
    return real;
}

double number_to_double(struct value number)
{
    assert(value_is_number(number));
    int64_t small;
    if (number.type == VALUE_FLOAT) {
        return number.as.real;
    }
    if (int_fits(number, &small)) {
        return (double)small;
    }
    switch (numeric_kind_of(number)) {
    case NUMERIC_NAN:
        return (double)NAN;
    case NUMERIC_INFINITY:
        return (double)INFINITY;
    case NUMERIC_MINUS_INFINITY:
        return -(double)INFINITY;
    case NUMERIC_FINITE:
    default:
        return exact_to_double(number);
    }
}

bool numeric_from_number(struct arena *arena, struct value number, struct value *out,
                         struct error *err)
{
    enum numeric_kind kind = numeric_kind_of(number);
    if (number.type == VALUE_NUMERIC) {
        *out = number;
        return true;
    }
    if (kind != NUMERIC_FINITE) {
        *out = numeric_special(kind);
        return true;
    }
    if (number.type == VALUE_INT) {
        struct bignum_view view;
        return numeric_make(arena, bignum_view_int(&view, number), 0, out, err);
    }
    struct strbuf text = {0};
    float_text_15(number.as.real, &text);
    bool made = numeric_from_text(arena, text.data, text.size, out, err);
    strbuf_free(&text);
    return made;
}

bool int_from_number(struct arena *arena, struct value number, struct value *out, struct error *err)
{
    if (numeric_kind_of(number) != NUMERIC_FINITE) {
        struct strbuf text = {0};
        number_text(number, &text);
        (void)error_set(err, ERROR_MACHINE, "%s can't be converted to int", text.data);
        strbuf_free(&text);
        return false;
    }
    if (number.type == VALUE_INT) {
        *out = number;
        return true;
    }
    mpz_t z;
    if (number.type == VALUE_FLOAT) {
        mpz_init_set_d(z, number.as.real);
    } else {
        struct bignum_view view;
        long scale;
        mpz_init(z);
        mpz_ui_pow_ui(z, 10, (unsigned long)number.as.numeric->scale);
        mpz_tdiv_q(z, numeric_parts(&view, number, &scale), z);
    }
    *out = bignum_int(arena, z);
    mpz_clear(z);
    return true;
}
