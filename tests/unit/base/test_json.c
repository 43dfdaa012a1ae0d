#include "base/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void members_and_items(void **state)
{
    (void)state;
    struct strbuf out = {0};
    struct json json = {&out, false};
    json_open(&json, NULL, '{');
    json_text(&json, "a\"b", "x");
    json_optional(&json, "none", NULL);
    json_open(&json, "list", '[');
    json_count(&json, NULL, 0);
    json_count(&json, NULL, UINT64_MAX);
    json_open(&json, NULL, '{');
    json_close(&json, '}');
    json_close(&json, ']');
    json_raw(&json, "made", "[1]");
    json_flag(&json, "yes", true);
    json_flag(&json, "no", false);
    json_close(&json, '}');
    assert_string_equal(strbuf_text(&out), "{\"a\\\"b\":\"x\",\"list\":[0,18446744073709551615,{}],"
                                           "\"made\":[1],\"yes\":true,\"no\":false}");
    strbuf_free(&out);
}

static void text_of_any_bytes(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "\"\""},
        {"a\\b\n\t", "\"a\\\\b\\n\\u0009\""},
        {"\x1b\x7f\xc2\x9b", "\"\\u001b\\u007f\\u009b\""},
        {"</script><!--", "\"\\u003c/script>\\u003c!--\""},
        {"\xe2\x80\xae \xe2\x80\xa8", "\"\\u202e \\u2028\""},
        {"gr\xc3\xb6\xc3\x9f \xf0\x9f\x90\x98", "\"gr\xc3\xb6\xc3\x9f \xf0\x9f\x90\x98\""},
        {"a\xff\xc3", "\"a\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, /* half of a pair */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strbuf out = {0};
        struct json json = {&out, false};
        json_text(&json, NULL, cases[i][0]);
        assert_string_equal(strbuf_text(&out), cases[i][1]);
        strbuf_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(members_and_items),
                                       cmocka_unit_test(text_of_any_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
