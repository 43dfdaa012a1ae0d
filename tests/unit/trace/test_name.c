/* Names of failures. */
#include "trace/name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void check_name(const char *identity, const char *expected)
{
    struct strbuf out = {0};
    trace_name("bank", identity, &out);
    assert_string_equal(strbuf_text(&out), expected);
    strbuf_free(&out);
}

static void names(void **state)
{
    (void)state;
    check_name("invariant editors", "bank-editors");
    check_name("rule pay: 23514 accounts_check", "bank-pay-23514-accounts_check");
    check_name("rule pay: expect", "bank-pay-expect");
    check_name("rule a: 23505 ../../x\n", "bank-a-23505-x");
}

static void long_names_are_cut(void **state)
{
    (void)state;
    char identity[400] = "invariant ";
    memset(identity + 10, 'x', 300);
    struct strbuf out = {0};
    trace_name("bank", identity, &out);
    assert_in_range(out.size, 50, 200);
    strbuf_truncate(&out, 0);
    char words[400];
    (void)snprintf(words, sizeof words, "rule order_a_thing: %.80s foreign_key_violation%.180s",
                   identity + 10, identity + 10);
    trace_name("bank", words, &out);
    assert_string_equal(out.data + out.size - 12, "-foreign_key");
    strbuf_free(&out);
}

static void what_is_a_name(void **state)
{
    (void)state;
    assert_true(trace_is_name("bank-pay-23514-accounts_check-2"));
    assert_false(trace_is_name(""));
    assert_false(trace_is_name("../x"));
    assert_false(trace_is_name("a.b"));
    char longest[200];
    memset(longest, 'x', sizeof longest);
    longest[199] = '\0';
    assert_false(trace_is_name(longest));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(what_is_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
