#include "cli/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void what_a_runner_would_obey_is_escaped(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *safe;
    } cases[] = {
        {"plain ::a:: text\n", "plain ::a:: text\n"},
        {"::stop-commands::x", "\\u003a:stop-commands::x"},
        {"a\n  ::add-mask::x\nb", "a\n  \\u003a:add-mask::x\nb"},
        {"a\r::add-mask::x", "a\r\\u003a:add-mask::x"},
        {"\xc2\xa0\xe3\x80\x80\t::error::x", "\xc2\xa0\xe3\x80\x80\t\\u003a:error::x"},
        {"SELECT 1\n  ::text", "SELECT 1\n  ::text"}, /* a cast */
        {":::", ":::"},
        {"::::", "\\u003a:::"},
        {"a ##[error]b", "a \\u0023#[error]b"},
        {"####[error]", "##\\u0023#[error]"},
        {"##vso[task.x]y", "\\u0023#vso[task.x]y"},
        {"##teamcity[x]", "\\u0023#teamcity[x]"},
        {"## heading [1]", "## heading [1]"},
        {"##", "##"},
        {"", ""},
    };
    struct strbuf out = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        strbuf_clear(&out);
        log_add(&out, cases[i].text, strlen(cases[i].text));
        assert_string_equal(strbuf_text(&out), cases[i].safe);
    }
    strbuf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_runner_would_obey_is_escaped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
