#include "value/time/calendar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The numbers are those of Python's datetime. */
static const struct {
    const char *text;
    int64_t year, month, day, days;
} dates[] = {
    {"0001-01-01", 1, 1, 1, -730119},      {"0001-03-01", 1, 3, 1, -730060},
    {"1582-10-15", 1582, 10, 15, -152384}, {"1900-02-28", 1900, 2, 28, -36466},
    {"1900-03-01", 1900, 3, 1, -36465},    {"1969-12-31", 1969, 12, 31, -10958},
    {"1999-12-31", 1999, 12, 31, -1},      {"2000-01-01", 2000, 1, 1, 0},
    {"2000-02-29", 2000, 2, 29, 59},       {"2000-03-01", 2000, 3, 1, 60},
    {"2000-12-31", 2000, 12, 31, 365},     {"2024-02-29", 2024, 2, 29, 8825},
    {"2100-03-01", 2100, 3, 1, 36584},     {"9999-12-31", 9999, 12, 31, 2921939},
};

static void days_are_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
        char out[CALENDAR_TEXT_MAX];
        int64_t days;
        assert_int_equal(calendar_days(dates[i].year, dates[i].month, dates[i].day), dates[i].days);
        assert_int_equal(calendar_write_date(dates[i].days, out), 10);
        assert_string_equal(out, dates[i].text);
        assert_true(calendar_read_date(dates[i].text, 10, &days));
        assert_int_equal(days, dates[i].days);
    }
}

/* Every day there is: the text grows from day to day, and reads back as the same day. */
static void all_days_read_back_in_order(void **state)
{
    (void)state;
    char last[CALENDAR_TEXT_MAX] = "";
    for (int64_t day = calendar_first_day(); day <= calendar_last_day(); day++) {
        char out[CALENDAR_TEXT_MAX];
        int64_t back;
        size_t size = calendar_write_date(day, out);
        assert_true(strcmp(last, out) < 0);
        assert_true(calendar_read_date(out, size, &back) && back == day);
        memcpy(last, out, sizeof last);
    }
}

static void timestamps_are_right(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t us;
    } cases[] = {
        {"1999-12-31 23:59:59.999999", -1},          {"2000-01-01 00:00:00", 0},
        {"2000-01-01 00:00:00.000001", 1},           {"2038-01-19 03:14:07.5", 1200798847500000},
        {"0001-01-01 00:00:00", -63082281600000000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[CALENDAR_TEXT_MAX];
        int64_t us;
        size_t size = calendar_write_timestamp(cases[i].us, out);
        assert_string_equal(out, cases[i].text);
        assert_int_equal(size, strlen(cases[i].text));
        assert_true(calendar_read_timestamp(out, size, &us));
        assert_int_equal(us, cases[i].us);
    }
    int64_t us;
    assert_true(calendar_read_timestamp("2000-01-02", 10, &us));
    assert_int_equal(us, CALENDAR_DAY);
    assert_true(calendar_read_timestamp("2000-01-01T00:01", 16, &us));
    assert_int_equal(us, 60 * CALENDAR_SECOND);
}

static void times_are_right(void **state)
{
    (void)state;
    char out[CALENDAR_TEXT_MAX];
    int64_t us;
    assert_int_equal(calendar_write_time(0, out), 8);
    assert_string_equal(out, "00:00:00");
    assert_int_equal(calendar_write_time(CALENDAR_DAY - 1, out), 15);
    assert_string_equal(out, "23:59:59.999999");
    assert_int_equal(calendar_write_time(45296 * CALENDAR_SECOND + 120000, out), 11);
    assert_string_equal(out, "12:34:56.12");
    assert_true(calendar_read_time("12:34:56.12", 11, &us));
    assert_int_equal(us, 45296 * CALENDAR_SECOND + 120000);
    assert_true(calendar_read_time("12:34", 5, &us));
    assert_int_equal(us, 45240 * CALENDAR_SECOND);
}

static void what_is_no_date_or_time_is_refused(void **state)
{
    (void)state;
    static const char *const no_dates[] = {
        "",           "2000",        "2000-1-1",    "2000-13-01",  "2000-00-01",
        "2000-01-00", "2000-01-32",  "2001-02-29",  "1900-02-29",  "0000-01-01",
        "2000-04-31", "2000-01-01 ", "20000-01-01", "-2000-01-01", "2000-01-01x",
        "infinity",   "x000-01-01",
    };
    static const char *const no_times[] = {
        "",         "1:00",      "24:00:00",         "23:60:00", "23:59:60", "12:00:00.",
        "12:00:0x", "12:00:00 ", "12:00:00.1234567", "12",       "12:",      "12:00:",
    };
    int64_t out;
    for (size_t i = 0; i < sizeof no_dates / sizeof *no_dates; i++) {
        assert_false(calendar_read_date(no_dates[i], strlen(no_dates[i]), &out));
    }
    for (size_t i = 0; i < sizeof no_times / sizeof *no_times; i++) {
        assert_false(calendar_read_time(no_times[i], strlen(no_times[i]), &out));
    }
    assert_false(calendar_read_timestamp("2000-01-01 ", 11, &out));
    assert_false(calendar_read_timestamp("2000-01-01 00:00:00+00", 22, &out));
    assert_false(calendar_read_timestamp("2000-01-01x00:00:00", 19, &out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_are_right),
        cmocka_unit_test(all_days_read_back_in_order),
        cmocka_unit_test(timestamps_are_right),
        cmocka_unit_test(times_are_right),
        cmocka_unit_test(what_is_no_date_or_time_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
