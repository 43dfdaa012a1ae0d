#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/timespan.h"

static const struct {
    const char *text;
    int64_t ms;          /* -1: refused */
    const char *message; /* where it is refused */
} cases[] = {
    {"0", 0, ""},
    {"none", 0, ""},
    {"5s", 5000, ""},
    {"100ms", 100, ""},
    {"5m", 300000, ""},
    {"2min", 120000, ""},
    {"1h", 3600000, ""},
    {"1.5s", 1500, ""},
    {"1.5m", 90000, ""},
    {"0.25h", 900000, ""},
    {"0.333ms", 0, ""},
    {"5 s", 5000, ""},
    {"0ms", 0, ""},
    {"1.0005s", 1000, ""},
    {"876000h", 3153600000000, ""},
    {"876001h", -1, "'876001h' is too long"},
    {"5", -1, "'5' has no unit"},
    {"1.5", -1, "'1.5' has no unit"},
    {"", -1, "'' is not a duration"},
    {"s", -1, "'s' is not a duration"},
    {"-5s", -1, "'-5s' is not a duration"},
    {"+5s", -1, "'+5s' is not a duration"},
    {" 5s", -1, "' 5s' is not a duration"},
    {"5S", -1, "'5S' is not a duration"},
    {"5  s", -1, "'5  s' is not a duration"},
    {"5s ", -1, "'5s ' is not a duration"},
    {"5 ", -1, "'5 ' is not a duration"},
    {"1e3s", -1, "'1e3s' is not a duration"},
    {"5.s", -1, "'5.s' is not a duration"},
    {".5s", -1, "'.5s' is not a duration"},
    {"5.5.5s", -1, "'5.5.5s' is not a duration"},
    {"99999999999999999999s", -1, "'99999999999999999999s' is too long"},
    {"None", -1, "'None' is not a duration"},
    {"5\xc2\xb5s", -1, "'5\xc2\xb5s' is not a duration"},
};

static void test_durations(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t ms = -1;
        struct error err = {0};
        bool ok = timespan_parse(cases[i].text, &ms, &err);
        if (ok != (cases[i].ms >= 0) || ms != cases[i].ms) {
            fail_msg("'%s' gives %lld", cases[i].text, (long long)ms);
        }
        assert_string_equal(err.message, cases[i].message);
        assert_int_equal(ok, err.hint[0] == '\0');
    }
}

static void a_bare_number_is_told_its_unit(void **state)
{
    (void)state;
    int64_t ms;
    struct error err = {0};
    assert_false(timespan_parse("30", &ms, &err));
    assert_string_equal(err.hint, "write 30s for seconds; units are ms, s, min and h");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_durations),
                                       cmocka_unit_test(a_bare_number_is_told_its_unit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
