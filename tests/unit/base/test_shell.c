#include "base/shell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *word;
    const char *quoted;
} cases[] = {
    {"pgfsm", "pgfsm"},
    {"./build/pgfsm-1.0", "./build/pgfsm-1.0"},
    {"", "''"},
    {"my pgfsm", "'my pgfsm'"},
    {"it's", "'it'\\''s'"},
    {"a$(b)`c`\"d", "'a$(b)`c`\"d'"},
    {"grün", "'grün'"},
    {"a\nb", "$'a\\012b'"},
    {"\x1b[31m'\\", "$'\\033[31m\\'\\\\'"},
    {"\xe2\x80\xae", "$'\\342\\200\\256'"}, /* right-to-left override */
    {"\xc2\x9b", "$'\\302\\233'"},          /* CSI, a C1 control character */
    {"\xff", "$'\\377'"},                   /* no UTF-8 */
};

static void test_quotes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strbuf out = {0};
        shell_quote(&out, cases[i].word);
        assert_string_equal(strbuf_text(&out), cases[i].quoted);
        strbuf_free(&out);
    }
}

/* A shell reads it back as the word. */
static void test_a_shell_takes_it_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strbuf command = {0};
        char read[64] = "";
        strbuf_adds(&command, "exec bash -c \"$(cat <<'END'\nprintf %s ");
        shell_quote(&command, cases[i].word);
        strbuf_adds(&command, "\nEND\n)\"");
        FILE *shell = popen(strbuf_text(&command), "r"); /* NOLINT(cert-env33-c) */
        size_t size = fread(read, 1, sizeof read - 1, shell);
        assert_int_equal(pclose(shell), 0);
        assert_int_equal(size, strlen(cases[i].word));
        assert_string_equal(read, cases[i].word);
        strbuf_free(&command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_a_shell_takes_it_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
