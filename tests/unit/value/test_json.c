/* JSON: known answers from RFC 8259 and PostgreSQL, and texts that try to break the reader. */
#include "check.h"

#include "value/json/json.h"

static const char *decoded(const char *json)
{
    struct value value;
    struct error err = {0};
    if (json_decode(&memory, json, strlen(json), &value, &err)) {
        return repr(value);
    }
    assert_int_equal(err.code, ERROR_MACHINE);
    return arena_strdup(&memory, err.message);
}

static const char *encoded(struct value value)
{
    struct strbuf buf = {0};
    struct error err = {0};
    bool done = json_encode(value, &buf, &err);
    const char *result = done ? strbuf_copy(&buf, &memory) : arena_strdup(&memory, err.message);
    strbuf_free(&buf);
    return result;
}

static void decoding(void **state)
{
    (void)state;
    assert_string_equal(decoded("null"), "json_null");
    assert_string_equal(decoded(" [null, true, false] "), "[None, True, False]");
    assert_string_equal(decoded("\t\r\n{}"), "{}");
    assert_string_equal(decoded("[ ]"), "[]");
    assert_string_equal(decoded("{\"b\" : 1 , \"a\":{\"c\":[]}}"),
                        "{\"b\": 1, \"a\": {\"c\": []}}");
    assert_string_equal(decoded("{\"a\": 1, \"b\": 2, \"a\": 3}"), "{\"a\": 3, \"b\": 2}");
    assert_string_equal(decoded("{\"\": 1}"), "{\"\": 1}");
    assert_string_equal(decoded("\"\""), "\"\"");
}

static void numbers(void **state)
{
    (void)state;
    assert_string_equal(decoded("0"), "0");
    assert_string_equal(decoded("-0"), "0");
    assert_string_equal(decoded("-12"), "-12");
    assert_string_equal(decoded("123456789012345678901234567890"),
                        "123456789012345678901234567890");
    assert_string_equal(decoded("1.50"), "1.50");
    assert_string_equal(decoded("-0.0"), "0.0");
    assert_string_equal(decoded("1e2"), "100");
    assert_string_equal(decoded("1.5E-3"), "0.0015");
    assert_string_equal(decoded("0.1e1"), "1");
    assert_string_equal(decoded("12e+1"), "120");
    assert_non_null(strstr(decoded("1e999999"), "overflows"));
}

static void strings(void **state)
{
    (void)state;
    assert_string_equal(decoded("\"a\\\"\\\\\\/\\b\\f\\n\\r\\tz\""),
                        "\"a\\\"\\\\/\\x08\\x0c\\n\\r\\tz\"");
    assert_string_equal(decoded("\"\\u0041\\u00e9\\u20AC\""), "\"A\xC3\xA9\xE2\x82\xAC\"");
    assert_string_equal(decoded("\"\\ud83d\\uDE00\""), "\"\xF0\x9F\x98\x80\"");
    assert_string_equal(decoded("\"h\xC3\xA9\""), "\"h\xC3\xA9\"");
    assert_string_equal(decoded("\"\x7F\""), "\"\\x7f\""); /* allowed, says RFC 8259 */
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        const char *message;
    } bad[] = {
        {"", "bad JSON at character 1: expected a value"},
        {"  ", "bad JSON at character 3: expected a value"},
        {"nul", "bad JSON at character 1: expected a value"},
        {"NULL", "bad JSON at character 1: expected a value"},
        {"nullx", "bad JSON at character 5: unexpected text after the value"},
        {"1 2", "bad JSON at character 3: unexpected text after the value"},
        {"[1,]", "bad JSON at character 4: expected a value"},
        {"[1 2]", "bad JSON at character 4: expected ',' or ']'"},
        {"[1", "bad JSON at character 3: expected ',' or ']'"},
        {"[", "bad JSON at character 2: expected a value"},
        {"]", "bad JSON at character 1: expected a value"},
        {"{\"a\"}", "bad JSON at character 5: expected ':'"},
        {"{\"a\":}", "bad JSON at character 6: expected a value"},
        {"{\"a\":1,}", "bad JSON at character 8: expected a key in double quotes"},
        {"{a:1}", "bad JSON at character 2: expected a key in double quotes"},
        {"{\"a\":1", "bad JSON at character 7: expected ',' or '}'"},
        {"'a'", "bad JSON at character 1: expected a value"},
        {"\"a", "bad JSON at character 3: a string without its closing quote"},
        {"\"a\\\"", "bad JSON at character 5: a string without its closing quote"},
        {"\"a\nb\"", "bad JSON at character 3: a control character in a string must be escaped"},
        {"\"\\x41\"", "bad JSON at character 3: unknown escape in a string"},
        {"\"\\", "bad JSON at character 3: unknown escape in a string"},
        {"\"\\u00g0\"", "bad JSON at character 6: expected four hexadecimal digits after \\u"},
        {"\"\\u0000\"", "bad JSON at character 8: \\u0000 is not allowed in a string"},
        {"\"\\ud83d\"", "bad JSON at character 8: half of a surrogate pair"},
        {"\"\\ud83d\\u0041\"", "bad JSON at character 14: half of a surrogate pair"},
        {"\"\\ude00\"", "bad JSON at character 8: half of a surrogate pair"},
        {"01", "bad JSON at character 2: unexpected text after the value"},
        {"-", "bad JSON at character 2: expected a value"},
        {"+1", "bad JSON at character 1: expected a value"},
        {".5", "bad JSON at character 1: expected a value"},
        {"1.", "bad JSON at character 3: expected digits after the point"},
        {"1e", "bad JSON at character 3: expected digits of an exponent"},
        {"1e+", "bad JSON at character 4: expected digits of an exponent"},
        {"NaN", "bad JSON at character 1: expected a value"},
        {"\"\xC3\xA9\xFF\"", "bad JSON at character 3: not valid UTF-8"},
        {"\xEF\xBB\xBF"
         "1",
         "bad JSON at character 1: expected a value"},
        {"[1] // x", "bad JSON at character 5: unexpected text after the value"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_string_equal(decoded(bad[i].json), bad[i].message);
    }
    struct value value;
    assert_false(json_decode(&memory, "1\0", 2, &value, NULL));
    assert_false(json_decode(&memory, "\"a\0\"", 4, &value, NULL));
}

static void encoding(void **state)
{
    (void)state;
    struct value dict = value_dict(&memory);
    assert_true(table_set(dict.as.table, text("b\""), LIST(INT(1), value_none()), NULL));
    assert_true(table_set(dict.as.table, text("a"), TUPLE(number("1.50"), value_bool(true)), NULL));
    assert_string_equal(encoded(dict), "{\"b\\\"\":[1,null],\"a\":[1.50,true]}");
    assert_string_equal(encoded(value_dict(&memory)), "{}");
    assert_string_equal(encoded(value_list(&memory)), "[]");
    assert_string_equal(encoded(value_json_null()), "null");
    assert_string_equal(encoded(value_float(1e20)), "1e+20");
    assert_string_equal(encoded(integer("-99999999999999999999")), "-99999999999999999999");
    assert_string_equal(encoded(text("\b\f\n\r\t\"\\/\x01\x1F\x7F"
                                     "h\xC3\xA9")),
                        "\"\\b\\f\\n\\r\\t\\\"\\\\/\\u0001\\u001f\x7F"
                        "h\xC3\xA9\"");
}

static void without_a_form(void **state)
{
    (void)state;
    struct value dict = value_dict(&memory);
    assert_true(table_set(dict.as.table, INT(1), INT(2), NULL));
    assert_string_equal(encoded(dict), "a key of type int can't be a key in JSON");
    assert_string_equal(encoded(LIST(SET(INT(1)))), "JSON has no form for a value of type set");
    assert_string_equal(encoded(value_bytes(&memory, "a", 1)),
                        "JSON has no form for a value of type bytes");
    assert_string_equal(encoded(value_range(&memory, 0, 1, 1)),
                        "JSON has no form for a value of type range");
    static const char *const nan = "JSON has no form for NaN and infinity";
    assert_string_equal(encoded(number("NaN")), nan);
    assert_string_equal(encoded(number("-Infinity")), nan);
    assert_string_equal(encoded(value_float(1.0 / 0.0)), nan);
}

/* Random combinations of pieces of JSON, with flipped bytes, are read or refused. Those that are
 * read can be written, and read back as equal values. */
static void hostile(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "{",    "}",      "[",    "]",    ",", ":",     "\"",      "\"a\"", "\"\\u00e9\"",
        "1",    "-1.5e3", "null", "true", " ", "\\",    "\\u",     "d83d",  "\xC3",
        "\xA9", "\x01",   "0",    "e",    ".", "false", "{\"k\":", "[1,2]"};
    unsigned short random[3] = {2, 7, 1};
    size_t accepted = 0;
    for (int i = 0; i < 200000; i++) {
        struct strbuf json = {0};
        struct strbuf again = {0};
        struct value value;
        struct value back;
        for (long count = nrand48(random) % 12; count > 0; count--) {
            strbuf_adds(&json, pieces[(size_t)nrand48(random) % (sizeof pieces / sizeof *pieces)]);
        }
        if (json.size && nrand48(random) % 3 == 0) {
            json.data[(size_t)nrand48(random) % json.size] = (char)nrand48(random);
        }
        if (json_decode(&memory, strbuf_text(&json), json.size, &value, NULL)) {
            assert_true(json_encode(value, &again, NULL));
            assert_true(json_decode(&memory, again.data, again.size, &back, NULL));
            assert_true(value_equal(value, back));
            accepted++;
        }
        strbuf_free(&json);
        strbuf_free(&again);
        arena_reset(&memory);
    }
    assert_true(accepted > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(decoding), TEST(numbers),        TEST(strings), TEST(refused),
        TEST(encoding), TEST(without_a_form), TEST(hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
