#include "value/time/calendar.h"

#include "base/digits.h"

#include <assert.h>
#include <stdio.h>

enum {
    YEAR_FIRST = 1,
    YEAR_LAST = 9999,
    DAYS_400_YEARS = 146097,
    /* 0000-03-01 to 2000-01-01 */
    EPOCH_DAYS = 730425,
};

/* Days of the year before the month, in years that begin in March: 0, 31, 61, 92, … */
static int64_t days_before_month(int64_t month_from_march)
{
    return (153 * month_from_march + 2) / 5;
}

/* Years are counted from March 0000, so that a leap day is a year's last day. */
int64_t calendar_days(int64_t year, int64_t month, int64_t day)
{
    assert(month >= 1 && month <= 12);
    assert(day >= 1 && day <= 31);
    int64_t years = month > 2 ? year : year - 1;
    int64_t from_march = (month + 9) % 12;
    int64_t leap_days = floor_div(years, 4) - floor_div(years, 100) + floor_div(years, 400);
    return years * 365 + leap_days + days_before_month(from_march) + day - 1 - EPOCH_DAYS;
}

int64_t calendar_first_day(void) { return calendar_days(YEAR_FIRST, 1, 1); }
int64_t calendar_last_day(void) { return calendar_days(YEAR_LAST, 12, 31); }

static bool is_leap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int64_t calendar_days_in_month(int64_t year, int64_t month)
{
    assert(month >= 1 && month <= 12);
    static const int64_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && is_leap(year));
}

struct date calendar_date(int64_t days)
{
    assert(days >= calendar_first_day() && days <= calendar_last_day());
    int64_t left = days + EPOCH_DAYS;
    int64_t years = left / DAYS_400_YEARS * 400;
    left %= DAYS_400_YEARS;
    /* after subtracting the leap days, each year has 365 days */
    int64_t year_of_400 = (left - left / 1460 + left / 36524 - left / 146096) / 365;
    left -= year_of_400 * 365 + year_of_400 / 4 - year_of_400 / 100;
    years += year_of_400;
    int64_t from_march = (5 * left + 2) / 153;
    int64_t month = (from_march + 2) % 12 + 1;
    return (struct date){.year = month > 2 ? years : years + 1,
                         .month = month,
                         .day = left - days_before_month(from_march) + 1};
}

bool scan_char(struct scan *scan, char c)
{
    bool there = scan->at < scan->end && *scan->at == c;
    scan->at += there;
    return there;
}

bool scan_digits(struct scan *scan, size_t least, size_t most, int64_t *out)
{
    size_t count = 0;
    *out = 0;
    for (; count < most && scan->at < scan->end && is_digit(*scan->at); count++) {
        if (__builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, *scan->at++ - '0', out)) {
            return false;
        }
    }
    return count >= least;
}

bool scan_fraction(struct scan *scan, int64_t *millionths)
{
    *millionths = 0;
    if (!scan_char(scan, '.')) {
        return true;
    }
    const char *start = scan->at;
    if (!scan_digits(scan, 1, 6, millionths)) {
        return false;
    }
    for (ptrdiff_t digits = scan->at - start; digits < 6; digits++) {
        *millionths *= 10;
    }
    return scan->at == scan->end || !is_digit(*scan->at);
}

static bool scan_date(struct scan *scan, int64_t *days)
{
    struct date date;
    if (!scan_digits(scan, 4, 4, &date.year) || !scan_char(scan, '-') ||
        !scan_digits(scan, 2, 2, &date.month) || !scan_char(scan, '-') ||
        !scan_digits(scan, 2, 2, &date.day)) {
        return false;
    }
    if (date.year < YEAR_FIRST || date.month < 1 || date.month > 12 || date.day < 1 ||
        date.day > calendar_days_in_month(date.year, date.month)) {
        return false;
    }
    *days = calendar_days(date.year, date.month, date.day);
    return true;
}

static bool scan_time(struct scan *scan, int64_t *time_us)
{
    int64_t hour;
    int64_t minute;
    int64_t second = 0;
    int64_t fraction_us = 0;
    if (!scan_digits(scan, 2, 2, &hour) || !scan_char(scan, ':') ||
        !scan_digits(scan, 2, 2, &minute)) {
        return false;
    }
    if (scan_char(scan, ':') &&
        (!scan_digits(scan, 2, 2, &second) || !scan_fraction(scan, &fraction_us))) {
        return false;
    }
    *time_us = ((hour * 60 + minute) * 60 + second) * CALENDAR_SECOND + fraction_us;
    return hour <= 23 && minute <= 59 && second <= 59;
}

bool calendar_read_date(const char *text, size_t size, int64_t *days)
{
    struct scan scan = {text, text + size};
    return scan_date(&scan, days) && scan.at == scan.end;
}

bool calendar_read_time(const char *text, size_t size, int64_t *time_us)
{
    struct scan scan = {text, text + size};
    return scan_time(&scan, time_us) && scan.at == scan.end;
}

bool calendar_read_timestamp(const char *text, size_t size, int64_t *timestamp_us)
{
    struct scan scan = {text, text + size};
    int64_t days;
    int64_t time_us = 0;
    if (!scan_date(&scan, &days)) {
        return false;
    }
    if (scan.at < scan.end &&
        !((scan_char(&scan, ' ') || scan_char(&scan, 'T')) && scan_time(&scan, &time_us))) {
        return false;
    }
    *timestamp_us = days * CALENDAR_DAY + time_us;
    return scan.at == scan.end;
}

size_t calendar_write_date(int64_t days, char out[CALENDAR_TEXT_MAX])
{
    struct date date = calendar_date(days);
    return (size_t)snprintf(out, CALENDAR_TEXT_MAX, "%04d-%02d-%02d", (int)date.year,
                            (int)date.month, (int)date.day);
}

size_t calendar_write_clock(uint64_t us, char out[CALENDAR_TEXT_MAX])
{
    uint64_t seconds = us / CALENDAR_SECOND;
    unsigned fraction = (unsigned)(us % CALENDAR_SECOND);
    int size =
        snprintf(out, CALENDAR_TEXT_MAX, "%02llu:%02u:%02u", (unsigned long long)(seconds / 3600),
                 (unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60));
    if (fraction == 0) {
        return (size_t)size;
    }
    size += snprintf(out + size, (size_t)(CALENDAR_TEXT_MAX - size), ".%06u", fraction);
    while (out[size - 1] == '0') { /* PostgreSQL omits trailing zeros */
        out[--size] = '\0';
    }
    return (size_t)size;
}

size_t calendar_write_time(int64_t time_us, char out[CALENDAR_TEXT_MAX])
{
    assert(time_us >= 0 && time_us < CALENDAR_DAY);
    return calendar_write_clock((uint64_t)time_us, out);
}

size_t calendar_write_timestamp(int64_t timestamp_us, char out[CALENDAR_TEXT_MAX])
{
    char date[CALENDAR_TEXT_MAX];
    char time[CALENDAR_TEXT_MAX];
    (void)calendar_write_date(floor_div(timestamp_us, CALENDAR_DAY), date);
    (void)calendar_write_time(floor_mod(timestamp_us, CALENDAR_DAY), time);
    return (size_t)snprintf(out, CALENDAR_TEXT_MAX, "%.10s %.15s", date, time);
}
