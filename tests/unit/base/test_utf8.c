#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"

#include <string.h>

/* Known answers from RFC 3629 and the Unicode standard, table 3-7. */
static const struct {
    const char *text;
    size_t size; /* of the first character; 0: invalid */
    uint32_t code;
} known[] = {
    {"A", 1, 0x41},
    {"\x7F", 1, 0x7F},
    {"\xC2\x80", 2, 0x80},
    {"\xC3\xA9", 2, 0xE9},
    {"\xDF\xBF", 2, 0x7FF},
    {"\xE0\xA0\x80", 3, 0x800},
    {"\xE2\x82\xAC", 3, 0x20AC},
    {"\xED\x9F\xBF", 3, 0xD7FF},
    {"\xEE\x80\x80", 3, 0xE000},
    {"\xEF\xBF\xBF", 3, 0xFFFF},
    {"\xF0\x90\x80\x80", 4, 0x10000},
    {"\xF0\x9F\x98\x80", 4, 0x1F600},
    {"\xF4\x8F\xBF\xBF", 4, 0x10FFFF},
    {"\x80", 0, 0},             /* continuation alone */
    {"\xC3", 0, 0},             /* cut off */
    {"\xC3\x28", 0, 0},         /* no continuation */
    {"\xC0\x80", 0, 0},         /* overlong NUL */
    {"\xC1\xBF", 0, 0},         /* overlong */
    {"\xE0\x9F\xBF", 0, 0},     /* overlong */
    {"\xF0\x8F\xBF\xBF", 0, 0}, /* overlong */
    {"\xED\xA0\x80", 0, 0},     /* surrogate */
    {"\xED\xBF\xBF", 0, 0},     /* surrogate */
    {"\xF4\x90\x80\x80", 0, 0}, /* past U+10FFFF */
    {"\xF5\x80\x80\x80", 0, 0},
    {"\xFF", 0, 0},
    {"\xE2\x82", 0, 0},
    {"\xF0\x9F\x98", 0, 0},
};

static void decode_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t code = 0;
        char bytes[UTF8_MAX];
        assert_int_equal(utf8_decode(known[i].text, strlen(known[i].text), &code), known[i].size);
        if (known[i].size) {
            assert_int_equal(code, known[i].code);
            assert_int_equal(utf8_encode(code, bytes), known[i].size);
            assert_memory_equal(bytes, known[i].text, known[i].size);
        }
    }
    uint32_t code;
    assert_int_equal(utf8_decode("", 0, &code), 0);
    assert_int_equal(utf8_decode("\xE2\x82\xAC", 2, &code), 0); /* the size counts */
}

static void all_code_points(void **state)
{
    (void)state;
    for (uint32_t code = 0; code <= 0x110010U; code++) {
        char bytes[UTF8_MAX];
        uint32_t back = 0;
        size_t size = utf8_encode(code, bytes);
        if (code > 0x10FFFFU || (code >= 0xD800U && code <= 0xDFFFU)) {
            assert_int_equal(size, 0);
        } else {
            assert_int_equal(utf8_decode(bytes, size, &back), size);
            assert_int_equal(back, code);
        }
    }
}

static void validity(void **state)
{
    (void)state;
    assert_int_equal(utf8_invalid_at("", 0), 0);
    assert_int_equal(utf8_invalid_at("a\xC3\xA9z", 4), 4);
    assert_int_equal(utf8_invalid_at("a\xC3\xA9\xC3", 4), 3);
    assert_int_equal(utf8_invalid_at("\xFF", 1), 0);
    assert_int_equal(utf8_invalid_at("a\0b", 3), 3); /* NUL is a character */
}

static void counting(void **state)
{
    (void)state;
    static const char text[] = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z"; /* aé€😀z */
    size_t size = sizeof text - 1;
    assert_int_equal(utf8_length(text, size), 5);
    static const size_t offsets[] = {0, 1, 3, 6, 10, 11, 11};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        assert_int_equal(utf8_offset(text, size, i), offsets[i]);
    }
    assert_int_equal(utf8_length("", 0), 0);
    assert_int_equal(utf8_offset("", 0, 3), 0);
}

static void cutting(void **state)
{
    (void)state;
    static const char text[] = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
    static const size_t cut[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10};
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        assert_int_equal(utf8_cut(text, i), cut[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decode_known), cmocka_unit_test(all_code_points),
        cmocka_unit_test(validity),     cmocka_unit_test(counting),
        cmocka_unit_test(cutting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
