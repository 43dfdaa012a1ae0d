/* Ints of any size: known answers (by hand and from Starlark's specification), bounds. */
#include "check.h"

static const char *const max64 = "9223372036854775807";
static const char *const min64 = "-9223372036854775808";

static const char *arith(const char *a, enum arith_op op, const char *b)
{
    struct value out;
    struct error err;
    bool done = number_arith(&memory, op, integer(a), integer(b), &out, &err);
    return done ? repr(out) : arena_strdup(&memory, err.message);
}

static void small_and_big(void **state)
{
    (void)state;
    assert_string_equal(arith("2", ARITH_ADD, "3"), "5");
    assert_string_equal(arith(max64, ARITH_ADD, "1"), "9223372036854775808");
    assert_string_equal(arith(min64, ARITH_SUB, "1"), "-9223372036854775809");
    assert_string_equal(arith("9223372036854775808", ARITH_SUB, "1"), max64);
    assert_string_equal(arith("-9223372036854775809", ARITH_ADD, "1"), min64);
    assert_string_equal(arith("4294967296", ARITH_MUL, "-4294967296"), "-18446744073709551616");
    assert_string_equal(arith(min64, ARITH_MUL, "-1"), "9223372036854775808");
    assert_string_equal(arith("100000000000000000000", ARITH_MUL, "0"), "0");
    assert_string_equal(arith("12345678901234567890", ARITH_SUB, "12345678901234567890"), "0");
}

static void floors(void **state)
{
    (void)state;
    assert_string_equal(arith("7", ARITH_FLOORDIV, "2"), "3");
    assert_string_equal(arith("-7", ARITH_FLOORDIV, "2"), "-4");
    assert_string_equal(arith("7", ARITH_FLOORDIV, "-2"), "-4");
    assert_string_equal(arith("-7", ARITH_FLOORDIV, "-2"), "3");
    assert_string_equal(arith("-8", ARITH_FLOORDIV, "2"), "-4");
    assert_string_equal(arith("7", ARITH_MOD, "-2"), "-1");
    assert_string_equal(arith("-7", ARITH_MOD, "2"), "1");
    assert_string_equal(arith("-7", ARITH_MOD, "-2"), "-1");
    assert_string_equal(arith("-8", ARITH_MOD, "2"), "0");
    assert_string_equal(arith(min64, ARITH_FLOORDIV, "-1"), "9223372036854775808");
    assert_string_equal(arith(min64, ARITH_MOD, "-1"), "0");
    assert_string_equal(arith("-10000000000000000000", ARITH_FLOORDIV, "3"),
                        "-3333333333333333334");
    assert_string_equal(arith("-10000000000000000000", ARITH_MOD, "3"), "2");
}

static void by_zero(void **state)
{
    (void)state;
    static const enum arith_op ops[] = {ARITH_DIV, ARITH_FLOORDIV, ARITH_MOD};
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(arith("1", ops[i], "0"), "division by zero");
        assert_string_equal(arith("100000000000000000000", ops[i], "0"), "division by zero");
    }
}

/* PostgreSQL: SELECT 1::numeric / 3 and so on. */
static void quotients_are_numeric(void **state)
{
    (void)state;
    assert_string_equal(arith("1", ARITH_DIV, "3"), "0.33333333333333333333");
    assert_string_equal(arith("10", ARITH_DIV, "2"), "5.0000000000000000");
    assert_string_equal(arith("0", ARITH_DIV, "2"), "0.00000000000000000000");
}

/* a == (a // b) * b + a % b, and a % b has b's sign and is the smaller. */
static void division_holds_together(void **state)
{
    (void)state;
    unsigned short random[3] = {5, 6, 7};
    for (int i = 0; i < 2000; i++) {
        struct value a = INT(jrand48(random));
        struct value b = INT(jrand48(random) >> (nrand48(random) % 30));
        struct value quotient;
        struct value rest;
        struct value product;
        if (i % 2) { /* big ones */
            assert_true(
                number_arith(&memory, ARITH_MUL, a, integer("1000000000000000007"), &a, NULL));
        }
        if (!value_truth(b)) {
            continue;
        }
        assert_true(number_arith(&memory, ARITH_FLOORDIV, a, b, &quotient, NULL));
        assert_true(number_arith(&memory, ARITH_MOD, a, b, &rest, NULL));
        assert_true(number_arith(&memory, ARITH_MUL, quotient, b, &product, NULL));
        assert_true(number_arith(&memory, ARITH_ADD, product, rest, &product, NULL));
        assert_true(value_equal(product, a));
        int sign = number_compare(rest, INT(0));
        assert_true(sign == 0 || (sign < 0) == (number_compare(b, INT(0)) < 0));
        assert_true(sign <= 0 || number_compare(rest, b) < 0);
        assert_true(sign >= 0 || number_compare(rest, b) > 0);
    }
}

static const char *bits(const char *a, enum bit_op op, const char *b)
{
    struct value out;
    struct error err;
    bool done = number_bits(&memory, op, integer(a), integer(b), &out, &err);
    return done ? repr(out) : arena_strdup(&memory, err.message);
}

static void bit_operations(void **state)
{
    (void)state;
    assert_string_equal(bits("12", BIT_AND, "10"), "8");
    assert_string_equal(bits("12", BIT_OR, "10"), "14");
    assert_string_equal(bits("12", BIT_XOR, "10"), "6");
    assert_string_equal(bits("-1", BIT_AND, "0xFFFFFFFFFFFFFFFFFF"), "4722366482869645213695");
    assert_string_equal(bits("-4", BIT_OR, "1"), "-3");
    assert_string_equal(bits("1", BIT_SHIFT_LEFT, "64"), "18446744073709551616");
    assert_string_equal(bits("-3", BIT_SHIFT_LEFT, "2"), "-12");
    assert_string_equal(bits("-3", BIT_SHIFT_RIGHT, "1"), "-2");
    assert_string_equal(bits("18446744073709551616", BIT_SHIFT_RIGHT, "63"), "2");
    assert_string_equal(bits("5", BIT_SHIFT_RIGHT, "99999999999999999999"), "0");
    assert_string_equal(bits("-5", BIT_SHIFT_RIGHT, "99999999999999999999"), "-1");
    assert_string_equal(bits("0", BIT_SHIFT_LEFT, "99999999999999999999"), "0");
    struct value out;
    assert_true(number_invert(&memory, INT(5), &out, NULL));
    assert_repr(out, "-6");
    assert_true(number_invert(&memory, integer("18446744073709551615"), &out, NULL));
    assert_repr(out, "-18446744073709551616");
}

/* Results that are too large are refused before GMP computes them, which would end the process. */
static void sizes_are_bounded(void **state)
{
    (void)state;
    struct error err = {0};
    struct value out;
    struct value one = INT(1);
    assert_false(number_bits(&memory, BIT_SHIFT_LEFT, one, INT(INT64_C(1) << 62), &out, &err));
    assert_int_equal(err.code, ERROR_LIMIT);
    assert_non_null(strstr(err.message, "too large"));
    assert_false(number_bits(&memory, BIT_SHIFT_LEFT, one, INT(INTEGER_BITS_MAX), &out, &err));
    assert_true(number_bits(&memory, BIT_SHIFT_LEFT, one, INT(INTEGER_BITS_MAX - 1), &out, &err));
    struct value largest = out;
    assert_false(number_arith(&memory, ARITH_MUL, largest, largest, &out, &err));
    assert_int_equal(err.code, ERROR_LIMIT);
    assert_false(number_arith(&memory, ARITH_ADD, largest, largest, &out, &err));
    assert_int_equal(err.code, ERROR_LIMIT);
    assert_false(number_arith(&memory, ARITH_MUL, largest, number("1.5"), &out, &err));
    assert_false(number_arith(&memory, ARITH_MUL, largest, value_float(1), &out, &err));
    assert_string_equal(bits("1", BIT_SHIFT_LEFT, "-1"), "a shift count must not be negative");
}

static void signs(void **state)
{
    (void)state;
    struct value out;
    assert_true(number_negate(&memory, integer(min64), &out, NULL));
    assert_repr(out, "9223372036854775808");
    assert_true(number_negate(&memory, out, &out, NULL));
    assert_repr(out, min64);
    assert_true(int_fits(out, &(int64_t){0}));
    assert_true(number_abs(&memory, integer(min64), &out, NULL));
    assert_repr(out, "9223372036854775808");
    assert_true(number_abs(&memory, INT(-5), &out, NULL));
    assert_repr(out, "5");
    assert_true(number_round(&memory, INT(155), -1, &out, NULL));
    assert_repr(out, "160"); /* half away from zero, PostgreSQL */
    assert_int_equal(out.type, VALUE_INT);
    assert_true(number_round(&memory, INT(-155), -1, &out, NULL));
    assert_repr(out, "-160");
    assert_true(number_round(&memory, INT(5), 2, &out, NULL));
    assert_repr(out, "5.00");
    assert_true(number_round(&memory, integer("99999999999999999999999"), 0, &out, NULL));
    assert_repr(out, "99999999999999999999999");
}

static void assert_int_text(const char *literal, int base, const char *expected)
{
    struct value out;
    struct error err;
    bool done = int_from_text(&memory, literal, strlen(literal), base, &out, &err);
    if (expected) {
        assert_true(done);
        assert_repr(out, expected);
    } else {
        assert_false(done);
        assert_int_equal(err.code, ERROR_MACHINE);
    }
}

/* Starlark: int("ff", 16), int("0xff", 0), … */
static void from_text(void **state)
{
    (void)state;
    assert_int_text("12", 10, "12");
    assert_int_text("-12", 10, "-12");
    assert_int_text("+12", 10, "12");
    assert_int_text("0012", 10, "12");
    assert_int_text("ff", 16, "255");
    assert_int_text("0xFF", 16, "255");
    assert_int_text("-0xff", 0, "-255");
    assert_int_text("0o17", 0, "15");
    assert_int_text("0b101", 0, "5");
    assert_int_text("0b1", 16, "177");
    assert_int_text("zz", 36, "1295");
    assert_int_text("0", 0, "0");
    assert_int_text("00", 0, "0");
    assert_int_text(max64, 10, max64);
    assert_int_text(min64, 10, min64);
    assert_int_text("9223372036854775808", 10, "9223372036854775808");
    assert_int_text("ffffffffffffffffffff", 16, "1208925819614629174706175");
    static const char *const bad[] = {"",    "-",  "+",   "--1", " 1",  "1 ",       "1.5",
                                      "1e5", "0x", "-0x", "1_0", "abc", "\xC3\xA9", "0x1g"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_text(bad[i], 10, NULL);
        assert_int_text(bad[i], 0, NULL);
    }
    assert_int_text("012", 0, NULL); /* C's octal: refused, as in Starlark */
    assert_int_text("12", 1, NULL);
    assert_int_text("12", 37, NULL);
    assert_int_text("12", -5, NULL);
    assert_int_text("2", 2, NULL);
}

static void from_huge_text(void **state)
{
    (void)state;
    size_t size = 5000000;
    char *digits = arena_alloc(&memory, size);
    struct value out;
    struct error err = {0};
    memset(digits, '7', size);
    assert_false(int_from_text(&memory, digits, size, 10, &out, &err));
    assert_int_equal(err.code, ERROR_LIMIT);
    assert_true(int_from_text(&memory, digits, 100000, 10, &out, &err));
    assert_true(int_from_text(&memory, digits, 4000000, 16, &out, &err) == false);
    memset(digits, '0', size);
    digits[size - 1] = '5';
    assert_true(int_from_text(&memory, digits, size, 10, &out, &err));
    assert_repr(out, "5");
}

static void from_other_numbers(void **state)
{
    (void)state;
    struct value out;
    struct error err = {0};
    assert_true(int_from_number(&memory, number("-1.99"), &out, NULL));
    assert_repr(out, "-1");
    assert_true(int_from_number(&memory, number("1e20"), &out, NULL));
    assert_repr(out, "100000000000000000000");
    assert_true(int_from_number(&memory, value_float(-2.9), &out, NULL));
    assert_repr(out, "-2");
    assert_true(int_from_number(&memory, value_float(1e20), &out, NULL));
    assert_repr(out, "100000000000000000000");
    assert_true(int_from_number(&memory, number("0.99"), &out, NULL));
    assert_repr(out, "0");
    assert_false(int_from_number(&memory, number("NaN"), &out, &err));
    assert_string_equal(err.message, "NaN can't be converted to int");
    assert_false(int_from_number(&memory, value_float(-1.0 / 0.0), &out, &err));
    assert_string_equal(err.message, "-Infinity can't be converted to int");
}

static void other_types(void **state)
{
    (void)state;
    struct value out;
    struct error err = {0};
    assert_false(number_arith(&memory, ARITH_ADD, INT(1), text("1"), &out, &err));
    assert_non_null(strstr(err.message, "string"));
    assert_false(number_arith(&memory, ARITH_ADD, value_bool(true), INT(1), &out, &err));
    assert_false(number_bits(&memory, BIT_AND, INT(1), number("1"), &out, &err));
    assert_false(number_bits(&memory, BIT_SHIFT_LEFT, INT(1), value_float(1), &out, &err));
    assert_false(number_invert(&memory, number("1"), &out, &err));
    assert_false(number_negate(&memory, text("1"), &out, &err));
    assert_false(number_abs(&memory, value_none(), &out, &err));
    assert_false(number_round(&memory, text("1"), 0, &out, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(small_and_big),
        TEST(floors),
        TEST(by_zero),
        TEST(quotients_are_numeric),
        TEST(division_holds_together),
        TEST(bit_operations),
        TEST(sizes_are_bounded),
        TEST(signs),
        TEST(from_text),
        TEST(from_huge_text),
        TEST(from_other_numbers),
        TEST(other_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
