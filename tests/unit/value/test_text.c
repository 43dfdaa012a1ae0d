/* Texts of values, and queries about values. */
#include "check.h"

static const char *str(struct value value)
{
    struct strbuf buf = {0};
    value_str(value, &buf);
    const char *copy = strbuf_copy(&buf, &memory);
    strbuf_free(&buf);
    return copy;
}

static void scalars(void **state)
{
    (void)state;
    assert_repr(value_none(), "None");
    assert_repr(value_json_null(), "json_null");
    assert_repr(value_bool(true), "True");
    assert_repr(value_bool(false), "False");
    assert_repr(INT(INT64_MIN), "-9223372036854775808");
    assert_repr(number("1.50"), "1.50");
    assert_repr(number("NaN"), "numeric(\"NaN\")");
    assert_repr(value_float(0.1), "float(\"0.1\")");
    assert_repr(value_bytes(&memory, "a\"\n\0\xFF", 5), "b\"a\\\"\\n\\x00\\xff\"");
    assert_string_equal(str(value_float(0.1)), "0.1");
    assert_string_equal(str(number("-Infinity")), "-Infinity");
    assert_string_equal(str(text("a\"b\n")), "a\"b\n");
    assert_string_equal(str(value_none()), "None");
    assert_string_equal(str(LIST(text("a"))), "[\"a\"]");
}

static void strings(void **state)
{
    (void)state;
    assert_repr(text(""), "\"\"");
    assert_repr(text("it's"), "\"it's\"");
    assert_repr(text("a\"b\\c"), "\"a\\\"b\\\\c\"");
    assert_repr(text("\n\r\t"), "\"\\n\\r\\t\"");
    assert_repr(text("\x01\x1B\x7F"), "\"\\x01\\x1b\\x7f\"");
    assert_repr(text("h\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"),
                "\"h\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"");
    /* NEL, line separator, right-to-left override, BOM, zero width space, tag character */
    assert_repr(text("\xC2\x85\xE2\x80\xA8\xE2\x80\xAE\xEF\xBB\xBF\xE2\x80\x8B\xF3\xA0\x80\x81"),
                "\"\\u0085\\u2028\\u202e\\ufeff\\u200b\\U000e0001\"");
}

static void containers(void **state)
{
    (void)state;
    struct value list = LIST(INT(1), value_none());
    struct value dict = value_dict(&memory);
    assert_true(table_set(dict.as.table, text("k"), list, NULL));
    assert_true(table_set(dict.as.table, TUPLE(INT(1), INT(2)), value_bool(true), NULL));
    assert_repr(value_list(&memory), "[]");
    assert_repr(list, "[1, None]");
    assert_repr(value_tuple(&memory, NULL, 0), "()");
    assert_repr(TUPLE(INT(1)), "(1,)");
    assert_repr(TUPLE(INT(1), text("a")), "(1, \"a\")");
    assert_repr(dict, "{\"k\": [1, None], (1, 2): True}");
    assert_repr(value_dict(&memory), "{}");
    assert_repr(SET(INT(2), INT(1)), "set([2, 1])");
    assert_repr(value_set(&memory), "set([])");
    assert_repr(value_bag(list.as.list), "bag([1, None])");
    struct value multiple = {.type = VALUE_MULTIPLE, .as.list = list.as.list};
    assert_repr(multiple, "multiple(1, None)");
    assert_repr(value_range(&memory, 0, 3, 1), "range(0, 3)");
    assert_repr(LIST(value_range(&memory, 5, 0, -2)), "[range(5, 0, -2)]");
}

static void errors(void **state)
{
    (void)state;
    struct error_value error = {.condition = text("unique_violation")};
    assert_repr(value_error(&memory, &error), "error(\"unique_violation\")");
    error = (struct error_value){.constraint = text("c"), .message = text("m"), .table = text("t")};
    assert_repr(value_error(&memory, &error),
                "error(None, constraint=\"c\", message=\"m\", table=\"t\")");
}

static void lengths_and_truth(void **state)
{
    (void)state;
    const struct {
        struct value value;
        int length; /* -1: none */
        bool truth;
    } known[] = {
        {value_none(), -1, false},
        {value_json_null(), -1, false},
        {value_bool(true), -1, true},
        {INT(0), -1, false},
        {INT(-1), -1, true},
        {integer("99999999999999999999"), -1, true},
        {number("0.00"), -1, false},
        {number("0.01"), -1, true},
        {number("NaN"), -1, true},
        {value_float(0.0), -1, false},
        {value_float(-0.5), -1, true},
        {text(""), 0, false},
        {text("h\xC3\xA9"), 2, true},
        {value_bytes(&memory, "\0", 1), 1, true},
        {value_list(&memory), 0, false},
        {LIST(value_none()), 1, true},
        {TUPLE(INT(1), INT(2)), 2, true},
        {SET(INT(1)), 1, true},
        {value_dict(&memory), 0, false},
        {value_bag(value_list(&memory).as.list), 0, false},
        {value_range(&memory, 0, 10, 3), 4, true},
        {value_range(&memory, 0, 0, 3), 0, false},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = 0;
        struct error err;
        assert_int_equal(value_length(known[i].value, &length, &err), known[i].length >= 0);
        assert_true(known[i].length < 0 || length == (size_t)known[i].length);
        assert_int_equal(value_truth(known[i].value), known[i].truth);
    }
    struct error err;
    assert_false(value_length(INT(1), &(size_t){0}, &err));
    assert_string_equal(err.message, "a value of type int has no length");
}

static void type_names(void **state)
{
    (void)state;
    assert_string_equal(value_type_name(value_none()), "NoneType");
    assert_string_equal(value_type_name(INT(1)), "int");
    assert_string_equal(value_type_name(integer("99999999999999999999")), "int");
    assert_string_equal(value_type_name(number("1")), "numeric");
    assert_string_equal(value_type_name(value_range(&memory, 0, 1, 1)), "range");
    struct value unset = {0};
    memset(&unset.type, 0x10, 1);
    assert_string_equal(value_type_name(unset), "unset");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(scalars), TEST(strings),           TEST(containers),
        TEST(errors),  TEST(lengths_and_truth), TEST(type_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
