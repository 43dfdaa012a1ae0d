/* Numbers from text and to text, and from one kind to another. */
#include "base/digits.h"
#include "value/number/bignum.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Puts a point before the last `scale` digits of those from `start` on, and at least one digit
 * before it. */
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
    bignum_text(z, 10, out);
    if (scale) {
        add_point(out, start, scale);
    }
}

void int_text(struct value integer, int base, struct strbuf *out)
{
    struct bignum_view view;
    bignum_text(bignum_view_int(&view, integer), base, out);
}

void number_text(struct value number, struct strbuf *out)
{
    assert(value_is_number(number));
    int64_t small;
    if (number.type == VALUE_FLOAT) {
        float_text(number.as.real, out);
    } else if (number.type == VALUE_NUMERIC) {
        numeric_text(number, out);
    } else if (int_fits(number, &small)) {
        strbuf_addi(out, small);
    } else {
        int_text(number, 10, out);
    }
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

enum { EXPONENT_MAX = 1 << 30, EXPONENT_SIZE = 24, DIGITS_USUAL = 64 };

/* A decimal as it is written: 00[digits][.digits][e exponent]. It must not move. */
struct scanned {
    enum numeric_kind kind;
    bool negative;
    bool signed_nan;
    char *digits; /* of both parts, without leading zeros; with room for an exponent */
    size_t count; /* of digits */
    long scale;   /* of the number that they make */
    char usual[DIGITS_USUAL + EXPONENT_SIZE]; /* the buffer for short numbers */
};

static void scanned_free(struct scanned *scanned)
{
    if (scanned->digits != scanned->usual) {
        free(scanned->digits);
    }
}

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
    size_t at = count_digits(text, size);
    size_t digits = at;
    long exponent = 0;
    if (at < size && text[at] == '.') {
        size_t fraction = count_digits(text + at + 1, size - at - 1);
        out->scale = fraction > INT_MAX ? INT_MAX : (long)fraction;
        at += 1 + fraction;
        digits += fraction;
    }
    out->digits = at <= DIGITS_USUAL ? out->usual : memory_alloc(at + EXPONENT_SIZE);
    for (size_t i = 0; i < at; i++) {
        if (text[i] != '.' && (text[i] != '0' || out->count)) {
            out->digits[out->count++] = text[i];
        }
    }
    out->digits[out->count] = '\0';
    if (digits && at < size && (text[at] == 'e' || text[at] == 'E')) {
        digits = scan_exponent(text + at + 1, size - at - 1, &exponent);
        at = size;
    }
    out->scale -= exponent;
    return digits && at == size;
}

/* Accepts white space around the number. A sign before NaN has no meaning; float8 accepts it,
 * numeric refuses it. Call scanned_free in any case. */
static bool scan_number(const char *text, size_t size, struct scanned *out)
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

static bool numeric_from_scanned(struct arena *arena, const struct scanned *scanned,
                                 struct value *out, struct error *err)
{
    enum { SIGNIFICANT_MAX = 131072 + NUMERIC_SCALE_MAX }; /* in any numeric */
    size_t count = scanned->count;
    long scale = scanned->scale;
    bool huge = count > SIGNIFICANT_MAX || (count && scale < -SIGNIFICANT_MAX);
    mpz_t z;
    mpz_init(z);
    if (!huge && count) {
        (void)mpz_set_str(z, scanned->digits, 10);
        bignum_scale_up(z, scale < 0 ? (unsigned long)-scale : 0);
    }
    if (scanned->negative) {
        mpz_neg(z, z);
    }
    bool made = numeric_make(arena, z, huge ? -1 : scale < 0 ? 0 : scale, out, err);
    mpz_clear(z);
    return made;
}

bool numeric_from_text(struct arena *arena, const char *text, size_t size, struct value *out,
                       struct error *err)
{
    struct scanned scanned;
    bool made = (scan_number(text, size, &scanned) && !scanned.signed_nan) ||
                not_a_number("a numeric", text, size, err);
    if (made && scanned.kind != NUMERIC_FINITE) {
        *out = numeric_special(scanned.kind);
    } else if (made) {
        made = numeric_from_scanned(arena, &scanned, out, err);
    }
    scanned_free(&scanned);
    return made;
}

/* The float nearest to digits / 10^scale. Without a point, strtod does the same in every locale. */
static double nearest_float(const struct scanned *scanned)
{
    (void)snprintf(scanned->digits + scanned->count, EXPONENT_SIZE, "e%ld", -scanned->scale);
    return strtod(scanned->digits, NULL);
}

static double special_float(enum numeric_kind kind)
{
    return kind == NUMERIC_NAN        ? (double)NAN
           : kind == NUMERIC_INFINITY ? (double)INFINITY
                                      : -(double)INFINITY;
}

bool float_from_text(const char *text, size_t size, struct value *out, struct error *err)
{
    struct scanned scanned;
    bool made = scan_number(text, size, &scanned) || not_a_number("a float", text, size, err);
    if (made && scanned.kind != NUMERIC_FINITE) {
        *out = value_float(special_float(scanned.kind));
    } else if (made) {
        bool zero = scanned.count == 0;
        double real = nearest_float(&scanned);
        *out = value_float(scanned.negative ? -real : real);
        made =
            (!isinf(real) && (zero || fpclassify(real) != FP_ZERO)) ||
            error_set(err, ERROR_MACHINE, "out of range for a float (double precision): \"%.*s\"",
                      size > 60 ? 60 : (int)size, text);
    }
    scanned_free(&scanned);
    return made;
}

static double exact_to_double(struct value number)
{
    enum { TENS = 22 /* 10^22 is the last power of ten that is a float */ };
    struct bignum_view view;
    long scale;
    mpz_srcptr z = numeric_parts(&view, number, &scale);
    if (mpz_sizeinbase(z, 2) <= DBL_MANT_DIG && scale <= TENS) {
        double power = 1;
        for (long i = 0; i < scale; i++) {
            power *= 10;
        }
        return mpz_get_d(z) / power; /* both are exact, so this rounds once */
    }
    struct strbuf digits = {0};
    bignum_text(z, 10, &digits);
    strbuf_addf(&digits, "e%ld", -scale);
    double real = strtod(digits.data, NULL);
    strbuf_free(&digits);
    return real;
}

double number_to_double(struct value number)
{
    assert(value_is_number(number));
    int64_t small;
    enum numeric_kind kind = numeric_kind_of(number);
    if (number.type == VALUE_FLOAT) {
        return number.as.real;
    }
    if (int_fits(number, &small)) {
        return (double)small;
    }
    return kind == NUMERIC_FINITE ? exact_to_double(number) : special_float(kind);
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
