/*
 * numeric and float: known answers by hand and from the PostgreSQL manual (8.1.2 and 9.3). The
 * comparison with a server's own answers is tests/pg/numbers.sh.
 */
#include "check.h"

#include <float.h>
#include <math.h>

static const char *arith(struct value a, enum arith_op op, struct value b)
{
    struct value out;
    struct error err;
    bool done = number_arith(&memory, op, a, b, &out, &err);
    return done ? repr(out) : arena_strdup(&memory, err.message);
}

static const char *numerics(const char *a, enum arith_op op, const char *b)
{
    return arith(number(a), op, number(b));
}

static void scales(void **state)
{
    (void)state;
    assert_string_equal(numerics("1.50", ARITH_ADD, "1"), "2.50");
    assert_string_equal(numerics("1.5", ARITH_SUB, "1.50"), "0.00");
    assert_string_equal(numerics("1.5", ARITH_MUL, "-2.50"), "-3.750");
    assert_string_equal(numerics("0.1", ARITH_ADD, "0.2"), "0.3");
    assert_string_equal(arith(INT(3), ARITH_MUL, number("0.10")), "0.30");
    assert_string_equal(arith(number("0.10"), ARITH_SUB, INT(1)), "-0.90");
    assert_string_equal(numerics("99999999999999999999.99", ARITH_ADD, "0.01"),
                        "100000000000000000000.00");
}

static void quotients(void **state)
{
    (void)state;
    assert_string_equal(numerics("10", ARITH_DIV, "3"), "3.3333333333333333");
    assert_string_equal(numerics("1.0", ARITH_DIV, "3"), "0.33333333333333333333");
    assert_string_equal(numerics("-2", ARITH_DIV, "3"), "-0.66666666666666666667");
    assert_string_equal(numerics("100000000", ARITH_DIV, "3"), "33333333.333333333333");
    assert_string_equal(numerics("1", ARITH_DIV, "10000"), "0.000100000000000000000000");
    assert_string_equal(numerics("1.50", ARITH_DIV, "0.000"), "division by zero");
    assert_string_equal(numerics("0", ARITH_DIV, "0"), "division by zero");
}

static void floors(void **state)
{
    (void)state;
    assert_string_equal(numerics("7.5", ARITH_FLOORDIV, "2"), "3");
    assert_string_equal(numerics("-7.5", ARITH_FLOORDIV, "2"), "-4");
    assert_string_equal(numerics("-7.5", ARITH_MOD, "2"), "0.5");
    assert_string_equal(numerics("7.5", ARITH_MOD, "-2.00"), "-0.50");
    assert_string_equal(numerics("7.5", ARITH_MOD, "2.5"), "0.0");
    assert_string_equal(arith(INT(7), ARITH_MOD, number("2.5")), "2.0");
    assert_string_equal(numerics("1", ARITH_MOD, "0.0"), "division by zero");
    assert_string_equal(numerics("1", ARITH_FLOORDIV, "0.0"), "division by zero");
}

/* Manual, 8.1.2: infinities and NaN. */
static void specials(void **state)
{
    (void)state;
    static const char *const inf = "numeric(\"Infinity\")";
    static const char *const nan = "numeric(\"NaN\")";
    assert_string_equal(numerics("Infinity", ARITH_ADD, "1"), inf);
    assert_string_equal(numerics("1", ARITH_SUB, "-Infinity"), inf);
    assert_string_equal(numerics("Infinity", ARITH_SUB, "Infinity"), nan);
    assert_string_equal(numerics("Infinity", ARITH_ADD, "Infinity"), inf);
    assert_string_equal(numerics("-Infinity", ARITH_MUL, "-2"), inf);
    assert_string_equal(numerics("Infinity", ARITH_MUL, "0"), nan);
    assert_string_equal(numerics("-3", ARITH_DIV, "Infinity"), "0");
    assert_string_equal(numerics("Infinity", ARITH_DIV, "-3"), "numeric(\"-Infinity\")");
    assert_string_equal(numerics("Infinity", ARITH_DIV, "Infinity"), nan);
    assert_string_equal(numerics("Infinity", ARITH_DIV, "0"), "division by zero");
    assert_string_equal(numerics("NaN", ARITH_DIV, "0"), nan);
    assert_string_equal(numerics("NaN", ARITH_MOD, "0"), nan);
    assert_string_equal(numerics("Infinity", ARITH_MOD, "0"), "division by zero");
    assert_string_equal(numerics("Infinity", ARITH_MOD, "2"), nan);
    assert_string_equal(numerics("-5", ARITH_MOD, "Infinity"), inf);
    assert_string_equal(numerics("5.5", ARITH_MOD, "Infinity"), "5.5");
    assert_string_equal(numerics("-5", ARITH_FLOORDIV, "Infinity"), "-1");
    assert_string_equal(numerics("0", ARITH_FLOORDIV, "-Infinity"), "0");
    struct value out;
    assert_true(number_negate(&memory, number("Infinity"), &out, NULL));
    assert_repr(out, "numeric(\"-Infinity\")");
    assert_true(number_abs(&memory, out, &out, NULL));
    assert_repr(out, inf);
    assert_true(number_abs(&memory, number("NaN"), &out, NULL));
    assert_repr(out, nan);
    assert_true(number_negate(&memory, number("1.50"), &out, NULL));
    assert_repr(out, "-1.50");
    assert_true(number_abs(&memory, out, &out, NULL));
    assert_repr(out, "1.50");
}

static const char *rounded(const char *a, int64_t digits)
{
    struct value out;
    struct error err;
    bool done = number_round(&memory, number(a), digits, &out, &err);
    return done ? repr(out) : arena_strdup(&memory, err.message);
}

static void rounding(void **state)
{
    (void)state;
    assert_string_equal(rounded("42.4382", 2), "42.44"); /* manual, 9.3 */
    assert_string_equal(rounded("1234.56", -1), "1230");
    assert_string_equal(rounded("2.5", 0), "3");
    assert_string_equal(rounded("-2.5", 0), "-3");
    assert_string_equal(rounded("2.4999", 0), "2");
    assert_string_equal(rounded("0.5", 0), "1");
    assert_string_equal(rounded("-0.4", 0), "0");
    assert_string_equal(rounded("9.99", 1), "10.0");
    assert_string_equal(rounded("1.5", 4), "1.5000");
    assert_string_equal(rounded("555", -3), "1000");
    assert_string_equal(rounded("455", -3), "0");
    assert_string_equal(rounded("NaN", 1), "numeric(\"NaN\")");
    assert_string_equal(rounded("1.5", INT64_MIN), "0");
    struct value out;
    assert_true(number_round(&memory, number("1.5"), INT64_MAX, &out, NULL));
    assert_int_equal(out.as.numeric->scale, NUMERIC_SCALE_MAX);
}

/* Manual, 8.1.2: "up to 131072 digits before the decimal point; up to 16383 digits after". */
static void bounds(void **state)
{
    (void)state;
    assert_non_null(strstr(numerics("1e131071", ARITH_MUL, "10"), "overflows numeric format"));
    assert_non_null(strstr(numerics("9e131071", ARITH_ADD, "1e131071"), "overflows"));
    assert_null(strstr(numerics("8e131071", ARITH_ADD, "1e131071"), "overflows"));
    assert_int_equal(strlen(numerics("1e131071", ARITH_MUL, "1e-16383")), 114689 + 1 + 16383);
}

static void products_lose_what_does_not_fit(void **state)
{
    (void)state;
    struct value out;
    assert_true(
        number_arith(&memory, ARITH_MUL, number("1e-10000"), number("6e-6384"), &out, NULL));
    assert_int_equal(out.as.numeric->scale, NUMERIC_SCALE_MAX);
    assert_true(value_equal(out, number("1e-16383"))); /* 0.6e-16383, rounded */
}

static void assert_numeric_text(const char *literal, const char *expected)
{
    struct value out;
    struct error err;
    bool done = numeric_from_text(&memory, literal, strlen(literal), &out, &err);
    if (expected) {
        assert_true(done);
        assert_repr(out, expected);
    } else {
        assert_false(done);
        assert_int_equal(err.code, ERROR_MACHINE);
    }
}

static void from_text(void **state)
{
    (void)state;
    assert_numeric_text("1.50", "1.50");
    assert_numeric_text(" \t-1.50\n", "-1.50");
    assert_numeric_text("+.5", "0.5");
    assert_numeric_text("5.", "5");
    assert_numeric_text("-0.00", "0.00");
    assert_numeric_text("000123", "123");
    assert_numeric_text("1e3", "1000");
    assert_numeric_text("1.50e1", "15.0");
    assert_numeric_text("15E-3", "0.015");
    assert_numeric_text("0e-5", "0.00000");
    assert_numeric_text("0e999999", "0");
    assert_numeric_text("nan", "numeric(\"NaN\")");
    assert_numeric_text("-inf", "numeric(\"-Infinity\")");
    static const char *const bad[] = {"",
                                      " ",
                                      ".",
                                      "-",
                                      "e5",
                                      "1e",
                                      "1e+",
                                      "1..2",
                                      "1.2.3",
                                      "1 2",
                                      "1,5",
                                      "0x10",
                                      "--1",
                                      "-nan",
                                      "+NaN",
                                      "infin",
                                      "1e131072",
                                      "1e-16384",
                                      "0e-16384",
                                      "1e999999999999999999",
                                      "1e-999999999999999999",
                                      "\xC2\xB2",
                                      "\xD9\xA1",
                                      "1\xC2\xA0"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_numeric_text(bad[i], NULL);
    }
    struct value out;
    assert_false(numeric_from_text(&memory, "1\0", 2, &out, NULL));
}

static void from_huge_text(void **state)
{
    (void)state;
    size_t size = 2000000;
    char *digits = arena_alloc(&memory, size);
    struct value out;
    memset(digits, '9', size);
    assert_false(numeric_from_text(&memory, digits, size, &out, NULL));
    assert_true(numeric_from_text(&memory, digits, 131072, &out, NULL));
    assert_false(numeric_from_text(&memory, digits, 131073, &out, NULL));
    digits[131072] = '.';
    assert_true(numeric_from_text(&memory, digits, 131073 + 16383, &out, NULL));
    assert_int_equal(strlen(repr(out)), 131073 + 16383);
    assert_false(numeric_from_text(&memory, digits, 131073 + 16384, &out, NULL));
    memset(digits, '0', size);
    digits[size - 1] = '7';
    assert_true(numeric_from_text(&memory, digits, size, &out, NULL));
    assert_repr(out, "7");
    digits[0] = '.'; /* 7e-1999999 */
    assert_false(numeric_from_text(&memory, digits, size, &out, NULL));
}

/* Every text over a small alphabet: refused, or read and written so that it reads back. */
static void hostile_text(void **state)
{
    (void)state;
    static const char alphabet[] = "0179.eE+- NaifIty\xC3\0x";
    unsigned short random[3] = {9, 8, 7};
    size_t accepted = 0;
    for (int i = 0; i < 200000; i++) {
        char literal[12];
        struct value out;
        struct value back;
        size_t size = (size_t)nrand48(random) % sizeof literal;
        for (size_t k = 0; k < size; k++) {
            int choices = nrand48(random) % 2 ? 9 : (int)sizeof alphabet - 1;
            literal[k] = alphabet[nrand48(random) % choices];
        }
        if (numeric_from_text(&memory, literal, size, &out, NULL)) {
            struct strbuf buf = {0};
            number_text(out, &buf);
            assert_true(numeric_from_text(&memory, buf.data, buf.size, &back, NULL));
            assert_int_equal(number_compare(out, back), 0);
            strbuf_free(&buf);
            accepted++;
        }
        if (float_from_text(literal, size, &out, NULL)) {
            accepted++;
        }
        (void)int_from_text(&memory, literal, size, (int)(nrand48(random) % 40), &out, NULL);
        arena_reset(&memory);
    }
    assert_true(accepted > 1000);
}

static void assert_float_text(double real, const char *expected)
{
    struct strbuf buf = {0};
    number_text(value_float(real), &buf);
    assert_string_equal(strbuf_text(&buf), expected);
    strbuf_free(&buf);
}

/* As PostgreSQL 12 and later print float8 (manual, 8.1.3). */
static void float_texts(void **state)
{
    (void)state;
    assert_float_text(0.1, "0.1");
    assert_float_text(0.1 + 0.2, "0.30000000000000004");
    assert_float_text(1e20, "1e+20");
    assert_float_text(1e-5, "1e-05");
    assert_float_text(0.0001, "0.0001");
    assert_float_text(123456789012345.0, "123456789012345");
    assert_float_text(1e14, "100000000000000");
    assert_float_text(1e15, "1e+15");
    assert_float_text(-1.5e300, "-1.5e+300");
    assert_float_text(0.0, "0");
    assert_float_text(-0.0, "-0");
    assert_float_text(5e-324, "5e-324");
    assert_float_text(DBL_MAX, "1.7976931348623157e+308");
    assert_float_text(DBL_MIN, "2.2250738585072014e-308");
    assert_float_text(1e23, "9.999999999999999e+22"); /* a halfway point: Ryu without its bounds */
    assert_float_text(0x1p-44, "5.684341886080802e-14"); /* nearer decimals lie too far below */
    assert_float_text((double)NAN, "NaN");
    assert_float_text((double)INFINITY, "Infinity");
    assert_float_text(-(double)INFINITY, "-Infinity");
}

static void floats_read_back(void **state)
{
    (void)state;
    unsigned short random[3] = {3, 1, 4};
    for (int i = 0; i < 50000; i++) {
        uint64_t pattern = (uint64_t)(uint32_t)jrand48(random) << 32U | (uint32_t)jrand48(random);
        double real;
        struct value back;
        struct strbuf buf = {0};
        memcpy(&real, &pattern, sizeof real);
        number_text(value_float(real), &buf);
        assert_true(float_from_text(buf.data, buf.size, &back, NULL));
        assert_int_equal(number_compare(value_float(real), back), 0);
        assert_true(buf.size <= 24);
        strbuf_free(&buf);
    }
}

static void float_from_texts(void **state)
{
    (void)state;
    struct value out;
    struct error err = {0};
    static const struct {
        const char *literal;
        double real;
    } good[] = {{"1.5", 1.5},
                {" -1e3 ", -1000.0},
                {"inf", (double)INFINITY},
                {".5", 0.5},
                {"5e-324", 5e-324},
                {"-Infinity", -(double)INFINITY},
                {"1e-320", 1e-320},
                {"0e999999", 0.0},
                {"123456789012345678901234567890", 123456789012345678901234567890.0},
                {"0.1", 0.1},
                {"1e22", 1e22},
                {"9007199254740993", 9007199254740992.0},
                {"1e23", 1e23},
                {"1.7976931348623157e308", DBL_MAX}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(float_from_text(good[i].literal, strlen(good[i].literal), &out, NULL));
        assert_int_equal(number_compare(out, value_float(good[i].real)), 0);
    }
    static const char *const bad[] = {
        "",     "1e400", "1e-400", "1e99999999999999999999", "1,5", "x", "1e",
        "0x10", "1.5 5", "-",      "1e-99999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(float_from_text(bad[i], strlen(bad[i]), &out, &err));
        assert_int_equal(err.code, ERROR_MACHINE);
    }
}

static void float_arithmetic(void **state)
{
    (void)state;
    struct value half = value_float(0.5);
    assert_string_equal(arith(half, ARITH_ADD, INT(1)), "float(\"1.5\")");
    assert_string_equal(arith(number("0.25"), ARITH_MUL, half), "float(\"0.125\")");
    assert_string_equal(arith(INT(1), ARITH_DIV, value_float(0)), "division by zero");
    assert_string_equal(arith(value_float(-7.5), ARITH_FLOORDIV, INT(2)), "float(\"-4\")");
    assert_string_equal(arith(value_float(-7.5), ARITH_MOD, INT(2)), "float(\"0.5\")");
    assert_string_equal(arith(value_float(7.5), ARITH_MOD, INT(-2)), "float(\"-0.5\")");
    assert_string_equal(arith(value_float(6), ARITH_MOD, INT(-2)), "float(\"-0\")");
    static const char *const range = "out of range for a float (double precision)";
    assert_string_equal(arith(value_float(1e300), ARITH_MUL, value_float(1e300)), range);
    assert_string_equal(arith(value_float(1e-300), ARITH_MUL, value_float(1e-300)), range);
    assert_string_equal(arith(value_float(1), ARITH_ADD, number("1e400")), range);
    assert_string_equal(arith(value_float(1), ARITH_ADD, number("1e-400")), range);
    assert_string_equal(arith(value_float((double)INFINITY), ARITH_ADD, INT(1)),
                        "float(\"Infinity\")");
    assert_string_equal(arith(value_float((double)NAN), ARITH_DIV, INT(0)), "float(\"NaN\")");
    struct value out;
    struct error err = {0};
    assert_true(number_round(&memory, value_float(2.5), 0, &out, NULL));
    assert_repr(out, "float(\"2\")"); /* to even, as the server's round(float8) */
    assert_false(number_round(&memory, value_float(2.5), 1, &out, &err));
    assert_non_null(strstr(err.hint, "numeric"));
    assert_true(number_negate(&memory, value_float(0.0), &out, NULL));
    assert_repr(out, "float(\"-0\")");
    assert_true(number_abs(&memory, value_float(-1.5), &out, NULL));
    assert_repr(out, "float(\"1.5\")");
    assert_string_equal(arith(half, ARITH_SUB, INT(1)), "float(\"-0.5\")");
}

static void conversions(void **state)
{
    (void)state;
    struct value out;
    assert_true(numeric_from_number(&memory, value_float(0.1), &out, NULL));
    assert_repr(out, "0.1");
    assert_true(numeric_from_number(&memory, value_float(0.1 + 0.2), &out, NULL));
    assert_repr(out, "0.3"); /* 15 digits */
    assert_true(numeric_from_number(&memory, value_float(1.5e20), &out, NULL));
    assert_repr(out, "150000000000000000000");
    assert_true(numeric_from_number(&memory, value_float((double)NAN), &out, NULL));
    assert_repr(out, "numeric(\"NaN\")");
    assert_true(numeric_from_number(&memory, value_float(-0.0), &out, NULL));
    assert_repr(out, "0");
    assert_true(numeric_from_number(&memory, integer("-99999999999999999999"), &out, NULL));
    assert_repr(out, "-99999999999999999999");
    assert_int_equal(out.type, VALUE_NUMERIC);
    assert_true(numeric_from_number(&memory, value_float(-1e-7), &out, NULL));
    assert_repr(out, "-0.0000001");
    assert_true(numeric_from_number(&memory, number("1.50"), &out, NULL));
    assert_repr(out, "1.50");
    assert_true(int_from_number(&memory, INT(5), &out, NULL));
    assert_repr(out, "5");
    assert_true(isnan(number_to_double(number("NaN"))));
    assert_true(number_to_double(number("Infinity")) == (double)INFINITY);
    assert_true(number_to_double(number("-Infinity")) == -(double)INFINITY);
    assert_true(number_to_double(number("0.1")) == 0.1);
    assert_true(number_to_double(number("-123456789.123456789")) == -123456789.123456789);
    assert_true(number_to_double(integer("9007199254740993")) == 9007199254740992.0);
    assert_true(number_to_double(integer("36893488147419103233")) == 0x1p65);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(scales),
        TEST(quotients),
        TEST(floors),
        TEST(specials),
        TEST(rounding),
        TEST(bounds),
        TEST(products_lose_what_does_not_fit),
        TEST(from_text),
        TEST(from_huge_text),
        TEST(hostile_text),
        TEST(float_texts),
        TEST(floats_read_back),
        TEST(float_from_texts),
        TEST(float_arithmetic),
        TEST(conversions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
