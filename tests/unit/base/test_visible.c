#include "base/visible.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void what_a_terminal_would_obey_is_escaped(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
        const char *line;
        const char *block;
    } cases[] = {
        {"plain", 5, "plain", "plain"},
        {"a\nb\tc", 5, "a\\nb\\tc", "a\nb\tc"},
        {"a\r\nb\r", 5, "a\\r\\nb\\r", "a\nb\\r"},
        {"\x1b[2J", 4, "\\x1b[2J", "\\x1b[2J"},
        {"\0\x7f", 2, "\\x00\\x7f", "\\x00\\x7f"},
        {"\xc2\x9b\xc2\x85", 4, "\\u009b\\u0085", "\\u009b\\u0085"},
        {"\xe2\x80\xae\xe2\x81\xa6", 6, "\\u202e\\u2066", "\\u202e\\u2066"},
        {"\xff\xc3", 2, "\\xff\\xc3", "\\xff\\xc3"},
        {"größe 日本 \xf0\x9f\x90\x98", 19, "größe 日本 \xf0\x9f\x90\x98",
         "größe 日本 \xf0\x9f\x90\x98"},
    };
    struct strbuf out = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        strbuf_clear(&out);
        visible_add(&out, VISIBLE_LINE, cases[i].text, cases[i].size);
        assert_string_equal(strbuf_text(&out), cases[i].line);
        strbuf_clear(&out);
        visible_add(&out, VISIBLE_BLOCK, cases[i].text, cases[i].size);
        assert_string_equal(strbuf_text(&out), cases[i].block);
    }
    strbuf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_terminal_would_obey_is_escaped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
