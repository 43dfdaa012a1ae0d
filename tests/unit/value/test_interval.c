/* Intervals as text. tests/pg/dates.sh compares them, and arithmetic with them, with a server. */
#include "value/time/interval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Output of PostgreSQL 15. */
static const struct {
    struct interval interval;
    const char *text;
} printed[] = {
    {{0, 0, 0}, "00:00:00"},
    {{1, 0, 0}, "1 mon"},
    {{-1, 0, 0}, "-1 mons"},
    {{14, 3, 14706700000}, "1 year 2 mons 3 days 04:05:06.7"},
    {{-14, 3, -1}, "-1 years -2 mons +3 days -00:00:00.000001"},
    {{0, -1, 7384000000}, "-1 days +02:03:04"},
    {{0, 0, 360000000000}, "100:00:00"},
    {{0, 0, INT64_MIN}, "-2562047788:00:54.775808"},
    {{INT32_MIN, INT32_MIN, INT64_MIN},
     "-178956970 years -8 mons -2147483648 days -2562047788:00:54.775808"},
};

static void intervals_are_written_as_the_server_writes_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
        char text[INTERVAL_TEXT_MAX];
        assert_int_equal(interval_write(printed[i].interval, text), strlen(printed[i].text));
        assert_string_equal(text, printed[i].text);
    }
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof printed / sizeof *printed - 2; i++) {
        struct interval read = {0};
        assert_true(interval_read(printed[i].text, strlen(printed[i].text), &read));
        assert_memory_equal(&read, &printed[i].interval, sizeof read);
    }
}

static void a_month_counts_as_30_days_in_comparing(void **state)
{
    (void)state;
    assert_int_equal(interval_compare((struct interval){1, 0, 0}, (struct interval){0, 30, 0}), 0);
    assert_true(interval_compare((struct interval){1, 0, -1}, (struct interval){0, 30, 0}) < 0);
    assert_true(interval_compare((struct interval){INT32_MAX, INT32_MAX, INT64_MAX},
                                 (struct interval){INT32_MIN, INT32_MIN, INT64_MIN}) > 0);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    struct interval out;
    assert_false(
        interval_add((struct interval){INT32_MAX, 0, 0}, (struct interval){1, 0, 0}, &out));
    assert_false(interval_multiply((struct interval){0, 0, INT64_MAX}, 2, &out));
    assert_false(interval_read("3000000000 days", 15, &out));
    assert_false(interval_read("99999999999999999999 us", 23, &out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_are_written_as_the_server_writes_them),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(a_month_counts_as_30_days_in_comparing),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
