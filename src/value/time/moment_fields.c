/* The fields of dates, times and intervals: extract and date_trunc. */
#include "value/time/moment.h"

#include "value/number/numeric.h"
#include "value/time/calendar.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* In order of size: date_trunc keeps a field and all larger ones. */
enum field {
    FIELD_MICROSECOND,
    FIELD_MILLISECOND,
    FIELD_SECOND,
    FIELD_MINUTE,
    FIELD_HOUR,
    FIELD_DAY,
    FIELD_WEEK,
    FIELD_MONTH,
    FIELD_QUARTER,
    FIELD_YEAR,
    FIELD_DECADE,
    FIELD_CENTURY,
    FIELD_MILLENNIUM,
    /* from here on only for extract */
    FIELD_DOW,
    FIELD_DOY,
    FIELD_ISODOW,
    FIELD_ISOYEAR,
    FIELD_EPOCH,
    FIELDS
};

static const char *const field_names[FIELDS][2] = {
    [FIELD_MICROSECOND] = {"microsecond", "microseconds"},
    [FIELD_MILLISECOND] = {"millisecond", "milliseconds"},
    [FIELD_SECOND] = {"second", "seconds"},
    [FIELD_MINUTE] = {"minute", "minutes"},
    [FIELD_HOUR] = {"hour", "hours"},
    [FIELD_DAY] = {"day", "days"},
    [FIELD_WEEK] = {"week", "weeks"},
    [FIELD_MONTH] = {"month", "months"},
    [FIELD_QUARTER] = {"quarter", "quarter"},
    [FIELD_YEAR] = {"year", "years"},
    [FIELD_DECADE] = {"decade", "decades"},
    [FIELD_CENTURY] = {"century", "centuries"},
    [FIELD_MILLENNIUM] = {"millennium", "millennia"},
    [FIELD_DOW] = {"dow", "dow"},
    [FIELD_DOY] = {"doy", "doy"},
    [FIELD_ISODOW] = {"isodow", "isodow"},
    [FIELD_ISOYEAR] = {"isoyear", "isoyear"},
    [FIELD_EPOCH] = {"epoch", "epoch"},
};

static bool find_field(const char *name, enum field *out, struct error *err)
{
    for (int field = 0; field < FIELDS; field++) {
        if (strcasecmp(name, field_names[field][0]) == 0 ||
            strcasecmp(name, field_names[field][1]) == 0) {
            *out = (enum field)field;
            return true;
        }
    }
    error_set(err, ERROR_MACHINE, "there is no field \"%s\"", name);
    return error_hint(
        err, "fields are microseconds, milliseconds, second, minute, hour, day, week, month, "
             "quarter, year, decade, century, millennium; for extract also dow, doy, "
             "isodow, isoyear, epoch");
}

static bool not_of(enum field field, enum moment_kind kind, struct error *err)
{
    return error_set(err, ERROR_MACHINE, "%s has no %s", moment_kind_name(kind),
                     field_names[field][0]);
}

/* number + fraction / 10^digits, shown with this many digits. Both have the same sign. */
struct extracted {
    int64_t number;
    int64_t fraction;
    int digits; /* 0: an int */
};

static bool extracted_value(struct arena *arena, const struct extracted *from, struct value *out,
                            struct error *err)
{
    char text[64];
    if (from->digits == 0) {
        *out = value_int(from->number);
        return true;
    }
    const char *sign = from->number < 0 || from->fraction < 0 ? "-" : "";
    int size = snprintf(text, sizeof text, "%s%lld.%0*lld", sign, (long long)llabs(from->number),
                        from->digits, (long long)llabs(from->fraction));
    return numeric_from_text(arena, text, (size_t)size, out, err);
}

/* A field of the time of day, `us` microseconds; the same for all kinds. */
static struct extracted clock_field(enum field field, int64_t us)
{
    int64_t minute_us = 60 * CALENDAR_SECOND;
    const struct extracted fields[] = {
        [FIELD_MICROSECOND] = {us % minute_us, 0, 0},
        [FIELD_MILLISECOND] = {us % minute_us / 1000, us % 1000, 3},
        [FIELD_SECOND] = {us % minute_us / CALENDAR_SECOND, us % CALENDAR_SECOND, 6},
        [FIELD_MINUTE] = {us / minute_us % 60, 0, 0},
        [FIELD_HOUR] = {us / (60 * minute_us), 0, 0},
    };
    return fields[field];
}

/* The day's distance from Monday: 2000-01-01 was a Saturday. */
static int64_t from_monday(int64_t days) { return floor_mod(days + 5, 7); }

/* ISO 8601: a week belongs to the year of its Thursday. */
static void iso_week(int64_t days, int64_t *year, int64_t *week)
{
    int64_t thursday = days - from_monday(days) + 3;
    *year = calendar_date(thursday).year;
    *week = (thursday - calendar_days(*year, 1, 1)) / 7 + 1;
}

/* A field of a day that is a whole number. */
static int64_t day_field(enum field field, int64_t days)
{
    struct date date = calendar_date(days);
    int64_t iso_year;
    int64_t week;
    iso_week(days, &iso_year, &week);
    const int64_t numbers[FIELDS] = {
        [FIELD_DAY] = date.day,
        [FIELD_WEEK] = week,
        [FIELD_MONTH] = date.month,
        [FIELD_QUARTER] = (date.month + 2) / 3,
        [FIELD_YEAR] = date.year,
        [FIELD_DECADE] = date.year / 10,
        [FIELD_CENTURY] = (date.year + 99) / 100,
        [FIELD_MILLENNIUM] = (date.year + 999) / 1000,
        [FIELD_DOW] = (from_monday(days) + 1) % 7,
        [FIELD_DOY] = days - calendar_days(date.year, 1, 1) + 1,
        [FIELD_ISODOW] = from_monday(days) + 1,
        [FIELD_ISOYEAR] = iso_year,
    };
    return numbers[field];
}

static bool interval_field(enum field field, struct interval interval, int64_t *out)
{
    int64_t years = interval.months / 12;
    int64_t months = interval.months % 12;
    const int64_t numbers[FIELDS] = {
        [FIELD_DAY] = interval.days,       [FIELD_MONTH] = months,
        [FIELD_QUARTER] = months / 3 + 1,  [FIELD_YEAR] = years,
        [FIELD_DECADE] = years / 10,       [FIELD_CENTURY] = years / 100,
        [FIELD_MILLENNIUM] = years / 1000,
    };
    *out = numbers[field];
    return field >= FIELD_DAY && field <= FIELD_MILLENNIUM && field != FIELD_WEEK;
}

/* Seconds since 1970, or the length of an interval, with years of 365.25 days and months of 30. */
static struct extracted epoch_seconds(struct moment x)
{
    int64_t days_1970 = calendar_days(1970, 1, 1);
    if (x.kind == MOMENT_DATE) {
        return (struct extracted){(x.number - days_1970) * 86400, 0, 0};
    }
    if (x.kind != MOMENT_INTERVAL) {
        int64_t us = x.number - days_1970 * CALENDAR_DAY;
        return (struct extracted){us / CALENDAR_SECOND, us % CALENDAR_SECOND, 6};
    }
    int64_t quarters = (int64_t)1461 * (x.interval.months / 12) +
                       (int64_t)120 * (x.interval.months % 12) + (int64_t)4 * x.interval.days;
    int64_t seconds = quarters * (86400 / 4) + x.interval.us / CALENDAR_SECOND;
    int64_t fraction = x.interval.us % CALENDAR_SECOND;
    if (seconds != 0 && fraction != 0 && (seconds < 0) != (fraction < 0)) {
        int64_t sign = seconds < 0 ? -1 : 1;
        seconds -= sign;
        fraction += sign * CALENDAR_SECOND;
    }
    return (struct extracted){seconds, fraction, 6};
}

/* A time counts as the interval that is written alike. */
static struct moment time_as_interval(struct moment x)
{
    if (x.kind == MOMENT_TIME) {
        x = (struct moment){.kind = MOMENT_INTERVAL, .interval.us = x.number};
    }
    return x;
}

bool moment_extract(struct arena *arena, const char *name, struct moment x, struct value *out,
                    struct error *err)
{
    enum field field;
    struct extracted extracted = {0};
    if (!find_field(name, &field, err)) {
        return false;
    }
    x = time_as_interval(x);
    bool is_interval = x.kind == MOMENT_INTERVAL;
    bool is_date = x.kind == MOMENT_DATE;
    bool there = true;
    if (field == FIELD_EPOCH) {
        extracted = epoch_seconds(x);
    } else if (field <= FIELD_HOUR) {
        extracted =
            clock_field(field, is_interval ? x.interval.us : floor_mod(x.number, CALENDAR_DAY));
        there = !is_date;
    } else if (is_interval) {
        there = interval_field(field, x.interval, &extracted.number);
    } else {
        int64_t days = is_date ? x.number : floor_div(x.number, CALENDAR_DAY);
        extracted.number = day_field(field, days);
    }
    return there ? extracted_value(arena, &extracted, out, err) : not_of(field, x.kind, err);
}

/* The length of fields up to days, in microseconds. */
static int64_t field_us(enum field field)
{
    static const int64_t lengths[] = {
        1, 1000, CALENDAR_SECOND, 60 * CALENDAR_SECOND, 3600 * CALENDAR_SECOND, CALENDAR_DAY};
    return lengths[field];
}

static int64_t field_years(enum field field)
{
    return field == FIELD_YEAR      ? 1
           : field == FIELD_DECADE  ? 10
           : field == FIELD_CENTURY ? 100
                                    : 1000;
}

static struct interval truncate_interval(enum field field, struct interval interval)
{
    if (field < FIELD_DAY) {
        interval.us -= interval.us % field_us(field);
        return interval;
    }
    interval.us = 0;
    if (field == FIELD_DAY) {
        return interval;
    }
    interval.days = 0;
    if (field > FIELD_MONTH) {
        int32_t unit = field == FIELD_QUARTER ? 3 : (int32_t)field_years(field) * 12;
        interval.months -= interval.months % unit;
    }
    return interval;
}

/* The first day of the week, month, …, millennium; decades begin with a year that ends in 0,
 * centuries and millennia with one that ends in 1. */
static bool first_day(enum field field, int64_t days, int64_t *out)
{
    struct date date = calendar_date(days);
    if (field == FIELD_WEEK) {
        *out = days - from_monday(days);
        return true;
    }
    if (field <= FIELD_QUARTER) {
        int64_t months = field == FIELD_QUARTER ? 3 : 1;
        *out = calendar_days(date.year, date.month - (date.month - 1) % months, 1);
        return true;
    }
    int64_t unit = field_years(field);
    int64_t year = date.year - (unit > 10 ? (date.year - 1) % unit : date.year % unit);
    *out = calendar_days(year, 1, 1);
    return year >= 1;
}

bool moment_truncate(const char *name, struct moment x, struct moment *out, struct error *err)
{
    enum field field;
    if (!find_field(name, &field, err)) {
        return false;
    }
    *out = time_as_interval(x);
    if (field > FIELD_MILLENNIUM || (out->kind == MOMENT_INTERVAL && field == FIELD_WEEK)) {
        return not_of(field, x.kind, err);
    }
    if (out->kind == MOMENT_INTERVAL) {
        out->interval = truncate_interval(field, out->interval);
        return true;
    }
    if (x.kind == MOMENT_DATE) { /* the server casts it to timestamptz first */
        out->kind = MOMENT_TIMESTAMPTZ;
        out->number = x.number * CALENDAR_DAY;
    }
    if (field <= FIELD_DAY) {
        out->number -= floor_mod(out->number, field_us(field));
        return true;
    }
    int64_t days;
    if (!first_day(field, floor_div(out->number, CALENDAR_DAY), &days)) {
        return error_set(err, ERROR_MACHINE,
                         "out of range: dates of the model have years 1 to 9999");
    }
    out->number = days * CALENDAR_DAY;
    return true;
}
