#include "value/time/moment.h"

#include "value/time/calendar.h"
#include "value/time/zone.h"

#include <string.h>

static bool read_timestamptz(const char *text, size_t size, int64_t *out)
{
    return size > 3 && memcmp(text + size - 3, "+00", 3) == 0 &&
           calendar_read_timestamp(text, size - 3, out);
}

static size_t write_timestamptz(int64_t number, char out[CALENDAR_TEXT_MAX])
{
    size_t size = calendar_write_timestamp(number, out);
    memcpy(out + size, "+00", sizeof "+00");
    return size + 3;
}

/* By kind. */
static const struct {
    const char *name;
    bool (*read)(const char *text, size_t size, int64_t *out);
    size_t (*write)(int64_t number, char out[CALENDAR_TEXT_MAX]);
} forms[] = {
    {"a date", calendar_read_date, calendar_write_date},
    {"a time", calendar_read_time, calendar_write_time},
    {"a timestamp", calendar_read_timestamp, calendar_write_timestamp},
    {"a timestamptz", read_timestamptz, write_timestamptz},
    {"an interval", NULL, NULL},
};

const char *moment_kind_name(enum moment_kind kind) { return forms[kind].name; }

bool moment_read(const struct string *text, struct moment *out)
{
    *out = (struct moment){.kind = MOMENT_DATE};
    while (out->kind < MOMENT_INTERVAL) {
        if (forms[out->kind].read(text->data, text->size, &out->number)) {
            return true;
        }
        out->kind++;
    }
    return interval_read(text->data, text->size, &out->interval);
}

struct value moment_value(struct arena *arena, struct moment moment)
{
    char text[INTERVAL_TEXT_MAX];
    if (moment.kind == MOMENT_DAYS) {
        return value_int(moment.number);
    }
    size_t size = moment.kind == MOMENT_INTERVAL ? interval_write(moment.interval, text)
                                                 : forms[moment.kind].write(moment.number, text);
    return value_string(arena, text, size);
}

static bool out_of_range(struct error *err)
{
    return error_set(err, ERROR_MACHINE, "out of range: dates of the model have years 1 to 9999");
}

static bool timestamp_in_range(int64_t us)
{
    return us >= calendar_first_day() * CALENDAR_DAY &&
           us < (calendar_last_day() + 1) * CALENDAR_DAY;
}

bool moment_add_days(struct moment x, int64_t days, struct moment *out, struct error *err)
{
    if (x.kind != MOMENT_DATE) {
        error_set(err, ERROR_MACHINE, "whole days can't be added to %s", moment_kind_name(x.kind));
        return error_hint(err, "an interval can: \"%lld days\"", (long long)days);
    }
    *out = x;
    if (__builtin_add_overflow(x.number, days, &out->number) ||
        out->number < calendar_first_day() || out->number > calendar_last_day()) {
        return out_of_range(err);
    }
    return true;
}

/* Months keep the day of the month, or take the last one of a shorter month. */
static int64_t add_months(int64_t days, int32_t months)
{
    struct date date = calendar_date(days);
    int64_t count = date.year * 12 + date.month - 1 + months;
    int64_t year = floor_div(count, 12);
    int64_t month = floor_mod(count, 12) + 1;
    int64_t last = calendar_days_in_month(year, month);
    return calendar_days(year, month, date.day < last ? date.day : last);
}

/* Months, then days, then the rest. Intermediate results have the server's bounds: 4713 BC to
 * 294276. */
static bool add_to_timestamp(int64_t us, struct interval interval, int64_t *out)
{
    enum { SERVER_FIRST_DAY = -2451545, SERVER_LAST_DAY = 106751983 };
    int64_t days = floor_div(us, CALENDAR_DAY);
    int64_t time = floor_mod(us, CALENDAR_DAY);
    if (interval.months != 0) {
        days = add_months(days, interval.months);
    }
    if (days < SERVER_FIRST_DAY || days > SERVER_LAST_DAY) {
        return false;
    }
    days += interval.days;
    if (days < SERVER_FIRST_DAY || days > SERVER_LAST_DAY) {
        return false;
    }
    return !__builtin_add_overflow(days * CALENDAR_DAY + time, interval.us, out) &&
           timestamp_in_range(*out);
}

bool moment_add(struct moment x, struct interval interval, struct moment *out, struct error *err)
{
    *out = x;
    switch (x.kind) {
    case MOMENT_TIME:
        out->number = floor_mod(x.number + interval.us % CALENDAR_DAY, CALENDAR_DAY);
        return true;
    case MOMENT_INTERVAL:
        return interval_add(x.interval, interval, &out->interval) ||
               error_set(err, ERROR_MACHINE, "the interval is out of range");
    case MOMENT_DATE:
        out->kind = MOMENT_TIMESTAMP;
        out->number = x.number * CALENDAR_DAY;
        break;
    case MOMENT_TIMESTAMP:
    case MOMENT_TIMESTAMPTZ:
    case MOMENT_DAYS:
        break;
    }
    return add_to_timestamp(out->number, interval, &out->number) || out_of_range(err);
}

/* Whole days of 24 hours, and the rest with the same sign. */
static struct moment interval_of_us(int64_t us)
{
    struct moment out = {.kind = MOMENT_INTERVAL};
    out.interval.days = (int32_t)(us / CALENDAR_DAY);
    out.interval.us = us % CALENDAR_DAY;
    return out;
}

static bool as_timestamp(struct moment x, int64_t *out)
{
    *out = x.kind == MOMENT_DATE ? x.number * CALENDAR_DAY : x.number;
    return x.kind == MOMENT_DATE || x.kind == MOMENT_TIMESTAMP || x.kind == MOMENT_TIMESTAMPTZ;
}

static bool no_difference(const char *what, struct moment a, struct moment b, struct error *err)
{
    return error_set(err, ERROR_MACHINE, "%s of %s and %s", what, moment_kind_name(a.kind),
                     moment_kind_name(b.kind));
}

bool moment_difference(struct moment a, struct moment b, struct moment *out, struct error *err)
{
    int64_t from;
    int64_t to;
    if (a.kind == MOMENT_DATE && b.kind == MOMENT_DATE) {
        *out = (struct moment){.kind = MOMENT_DAYS, .number = a.number - b.number};
        return true;
    }
    if (a.kind == MOMENT_TIME && b.kind == MOMENT_TIME) {
        *out = (struct moment){.kind = MOMENT_INTERVAL, .interval.us = a.number - b.number};
        return true;
    }
    if (a.kind == MOMENT_INTERVAL && b.kind == MOMENT_INTERVAL) {
        struct interval minus;
        *out = a;
        return (interval_multiply(b.interval, -1, &minus) &&
                interval_add(a.interval, minus, &out->interval)) ||
               error_set(err, ERROR_MACHINE, "the interval is out of range");
    }
    if (!as_timestamp(a, &to) || !as_timestamp(b, &from)) {
        return no_difference("there is no difference", a, b, err);
    }
    *out = interval_of_us(to - from);
    return true;
}

/* later - earlier. A borrowed month has the days of the earlier one's month. */
static struct interval count_by_hand(int64_t later_us, int64_t earlier_us)
{
    struct date later = calendar_date(floor_div(later_us, CALENDAR_DAY));
    struct date earlier = calendar_date(floor_div(earlier_us, CALENDAR_DAY));
    int64_t months = (later.year - earlier.year) * 12 + later.month - earlier.month;
    int64_t days = later.day - earlier.day;
    int64_t us = floor_mod(later_us, CALENDAR_DAY) - floor_mod(earlier_us, CALENDAR_DAY);
    if (us < 0) {
        us += CALENDAR_DAY;
        days--;
    }
    while (days < 0) {
        days += calendar_days_in_month(earlier.year, earlier.month);
        months--;
    }
    return (struct interval){(int32_t)months, (int32_t)days, us};
}

bool moment_age(struct moment a, struct moment b, struct moment *out, struct error *err)
{
    int64_t to;
    int64_t from;
    if (!as_timestamp(a, &to) || !as_timestamp(b, &from)) {
        return no_difference("there is no age", a, b, err);
    }
    *out = (struct moment){.kind = MOMENT_INTERVAL};
    if (to >= from) {
        out->interval = count_by_hand(to, from);
        return true;
    }
    return interval_multiply(count_by_hand(from, to), -1, &out->interval);
}

bool moment_at_zone(struct moment x, const struct zone *zone, struct moment *out, struct error *err)
{
    int64_t us;
    if (!as_timestamp(x, &us)) {
        return error_set(err, ERROR_MACHINE, "there is no time zone of %s",
                         moment_kind_name(x.kind));
    }
    int64_t seconds = floor_div(us, CALENDAR_SECOND);
    bool local = x.kind == MOMENT_TIMESTAMP;
    int64_t offset = local ? -zone_offset_local(zone, seconds) : zone_offset(zone, seconds);
    *out = (struct moment){.kind = local ? MOMENT_TIMESTAMPTZ : MOMENT_TIMESTAMP,
                           .number = us + offset * CALENDAR_SECOND};
    return timestamp_in_range(out->number) || out_of_range(err);
}
