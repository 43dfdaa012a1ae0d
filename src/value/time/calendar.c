#include "value/time/calendar.h"

#include <assert.h>
#include <stdio.h>

enum {
    YEAR_FIRST = 1,
    YEAR_LAST = 9999,
    EPOCH_YEAR = 2000,
    DAYS_4_YEARS = 1461,
    DAYS_100_YEARS = 36524,
    DAYS_400_YEARS = 146097,
    /* 0000-03-01 to 2000-01-01 */
    EPOCH_DAYS = 730425,
};

/* Days of the year before the month, in years that begin in March: 0, 31, 61, 92, … */
static int64_t days_before_month(int64_t month_from_march)
{
    return (153 * month_from_march + 2) / 5;
}

/* Years are counted from March 0000, so that a leap day is a year's last day. All numbers are
 * positive, as years are. */
int64_t calendar_days(int64_t year, int64_t month, int64_t day)
{
    assert(month >= 1 && month <= 12);
    assert(day >= 1 && day <= 31);
    int64_t years = month > 2 ? year : year - 1;
    int64_t from_march = (month + 9) % 12;
    int64_t leap_days = years / 4 - years / 100 + years / 400;
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

void calendar_civil(int64_t days, int64_t *year, int64_t *month, int64_t *day)
{
    assert(days >= calendar_first_day() && days <= calendar_last_day());
    int64_t left = days + EPOCH_DAYS;
    int64_t years = left / DAYS_400_YEARS * 400;
    left %= DAYS_400_YEARS;
    /* The last century of four, and the last year of four, are a day longer. */
    int64_t centuries = left / DAYS_100_YEARS < 3 ? left / DAYS_100_YEARS : 3;
    left -= centuries * DAYS_100_YEARS;
    int64_t fours = left / DAYS_4_YEARS;
    left -= fours * DAYS_4_YEARS;
    int64_t ones = left / 365 < 3 ? left / 365 : 3;
    left -= ones * 365;
    years += centuries * 100 + fours * 4 + ones;
    int64_t from_march = (5 * left + 2) / 153;
    *day = left - days_before_month(from_march) + 1;
    *month = (from_march + 2) % 12 + 1;
    *year = *month > 2 ? years : years + 1;
}

/* Exactly `digits` digits. */
static bool read_number(const char **text, size_t *size, size_t digits, int64_t *out)
{
    *out = 0;
    if (*size < digits) {
        return false;
    }
    for (size_t i = 0; i < digits; i++) {
        char c = (*text)[i];
        if (c < '0' || c > '9') {
            return false;
        }
        *out = *out * 10 + (c - '0');
    }
    *text += digits;
    *size -= digits;
    return true;
}

static bool read_char(const char **text, size_t *size, char wanted)
{
    if (*size == 0 || **text != wanted) {
        return false;
    }
    ++*text;
    --*size;
    return true;
}

static bool take_date(const char **text, size_t *size, int64_t *days)
{
    int64_t year;
    int64_t month;
    int64_t day;
    if (!read_number(text, size, 4, &year) || !read_char(text, size, '-') ||
        !read_number(text, size, 2, &month) || !read_char(text, size, '-') ||
        !read_number(text, size, 2, &day)) {
        return false;
    }
    if (year < YEAR_FIRST || month < 1 || month > 12 || day < 1 ||
        day > calendar_days_in_month(year, month)) {
        return false;
    }
    *days = calendar_days(year, month, day);
    return true;
}

/* Up to six digits behind the point, as microseconds. */
static bool take_fraction(const char **text, size_t *size, int64_t *fraction_us)
{
    int64_t unit = CALENDAR_SECOND;
    int64_t digit;
    *fraction_us = 0;
    while (unit > 1 && read_number(text, size, 1, &digit)) {
        unit /= 10;
        *fraction_us += digit * unit;
    }
    return unit < CALENDAR_SECOND;
}

static bool take_time(const char **text, size_t *size, int64_t *time_us)
{
    int64_t hour;
    int64_t minute;
    int64_t second = 0;
    int64_t fraction_us = 0;
    if (!read_number(text, size, 2, &hour) || !read_char(text, size, ':') ||
        !read_number(text, size, 2, &minute)) {
        return false;
    }
    if (read_char(text, size, ':')) {
        if (!read_number(text, size, 2, &second) ||
            (read_char(text, size, '.') && !take_fraction(text, size, &fraction_us))) {
            return false;
        }
    }
    if (hour > 23 || minute > 59 || second > 59) {
        return false;
    }
    *time_us = ((hour * 60 + minute) * 60 + second) * CALENDAR_SECOND + fraction_us;
    return true;
}

bool calendar_read_date(const char *text, size_t size, int64_t *days)
{
    return take_date(&text, &size, days) && size == 0;
}

bool calendar_read_time(const char *text, size_t size, int64_t *time_us)
{
    return take_time(&text, &size, time_us) && size == 0;
}

bool calendar_read_timestamp(const char *text, size_t size, int64_t *timestamp_us)
{
    int64_t days;
    int64_t time_us = 0;
    if (!take_date(&text, &size, &days)) {
        return false;
    }
    if (size > 0 && !((read_char(&text, &size, ' ') || read_char(&text, &size, 'T')) &&
                      take_time(&text, &size, &time_us))) {
        return false;
    }
    *timestamp_us = days * CALENDAR_DAY + time_us;
    return size == 0;
}

size_t calendar_write_date(int64_t days, char out[CALENDAR_TEXT_MAX])
{
    int64_t year;
    int64_t month;
    int64_t day;
    calendar_civil(days, &year, &month, &day);
    return (size_t)snprintf(out, CALENDAR_TEXT_MAX, "%04d-%02d-%02d", (int)year, (int)month,
                            (int)day);
}

size_t calendar_write_time(int64_t time_us, char out[CALENDAR_TEXT_MAX])
{
    assert(time_us >= 0 && time_us < CALENDAR_DAY);
    int64_t seconds = time_us / CALENDAR_SECOND;
    int fraction = (int)(time_us % CALENDAR_SECOND);
    int size = snprintf(out, CALENDAR_TEXT_MAX, "%02d:%02d:%02d", (int)(seconds / 3600),
                        (int)(seconds / 60 % 60), (int)(seconds % 60));
    if (fraction == 0) {
        return (size_t)size;
    }
    size += snprintf(out + size, (size_t)(CALENDAR_TEXT_MAX - size), ".%06d", fraction);
    while (out[size - 1] == '0') { /* PostgreSQL shows no zeros at the end */
        out[--size] = '\0';
    }
    return (size_t)size;
}

size_t calendar_write_timestamp(int64_t timestamp_us, char out[CALENDAR_TEXT_MAX])
{
    int64_t days = timestamp_us / CALENDAR_DAY - (timestamp_us % CALENDAR_DAY < 0);
    char time[CALENDAR_TEXT_MAX];
    size_t size = calendar_write_date(days, out);
    size_t time_size = calendar_write_time(timestamp_us - days * CALENDAR_DAY, time);
    out[size++] = ' ';
    for (size_t i = 0; i <= time_size; i++) {
        out[size + i] = time[i];
    }
    return size + time_size;
}
