#include "value/time/interval.h"

#include "base/digits.h"
#include "value/time/calendar.h"

#include <stdio.h>
#include <string.h>

/* Reading. */

struct unit {
    const char *names; /* parted by spaces; the plural's s is taken off before */
    int64_t months, days, us;
};

/* The manual's units, section 8.5.4, and their abbreviations. */
enum { SECOND = 2, MINUTE, HOUR };
static const struct unit units[] = {
    {"microsecond usec us", 0, 0, 1},
    {"millisecond msec ms", 0, 0, 1000},
    {"second sec s", 0, 0, CALENDAR_SECOND},
    {"minute min m", 0, 0, 60 * CALENDAR_SECOND},
    {"hour hr h", 0, 0, 3600 * CALENDAR_SECOND},
    {"day d", 0, 1, 0},
    {"week w", 0, 7, 0},
    {"month mon", 1, 0, 0},
    {"year yr y", 12, 0, 0},
    {"decade", 120, 0, 0},
    {"century centurie", 1200, 0, 0},
    {"millennium millennia", 12000, 0, 0},
};

struct reading {
    const char *at, *end;
    struct interval sum;
    unsigned seen; /* a bit for each unit */
};

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static void skip_spaces(struct reading *reading)
{
    while (reading->at < reading->end && (*reading->at == ' ' || *reading->at == '\t')) {
        reading->at++;
    }
}

static bool take(struct reading *reading, char wanted)
{
    bool there = reading->at < reading->end && *reading->at == wanted;
    reading->at += there;
    return there;
}

static bool take_number(struct reading *reading, int64_t *out)
{
    const char *start = reading->at;
    *out = 0;
    while (reading->at < reading->end && is_digit(*reading->at)) {
        if (__builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, *reading->at++ - '0', out)) {
            return false;
        }
    }
    return reading->at > start;
}

/* Up to six digits behind the point, in millionths. */
static bool take_millionths(struct reading *reading, int64_t *out)
{
    *out = 0;
    if (!take(reading, '.')) {
        return true;
    }
    int64_t unit = CALENDAR_SECOND;
    while (reading->at < reading->end && is_digit(*reading->at) && unit > 1) {
        unit /= 10;
        *out += (*reading->at++ - '0') * unit;
    }
    return unit < CALENDAR_SECOND && (reading->at == reading->end || !is_digit(*reading->at));
}

static bool name_matches(const char *names, const char *name, size_t size)
{
    for (const char *at = names; *at;) {
        size_t length = strcspn(at, " ");
        if (length == size) {
            size_t same = 0;
            while (same < size && at[same] == (char)(name[same] | 0x20)) {
                same++;
            }
            if (same == size) {
                return true;
            }
        }
        at += length + (at[length] == ' ');
    }
    return false;
}

static const struct unit *find_unit(const char *name, size_t size)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        bool plural = size > 2 && (name[size - 1] | 0x20) == 's';
        if (name_matches(units[i].names, name, size) ||
            (plural && name_matches(units[i].names, name, size - 1))) {
            return &units[i];
        }
    }
    return NULL;
}

/* The unit that follows; without one a number counts seconds. */
static const struct unit *take_unit(struct reading *reading)
{
    skip_spaces(reading);
    const char *start = reading->at;
    while (reading->at < reading->end && is_letter(*reading->at)) {
        reading->at++;
    }
    size_t size = (size_t)(reading->at - start);
    return size ? find_unit(start, size) : reading->at == reading->end ? find_unit("s", 1) : NULL;
}

/* Whether none of the units was there before. */
static bool mark_seen(struct reading *reading, unsigned bits)
{
    bool new = (reading->seen & bits) == 0;
    reading->seen |= bits;
    return new;
}

/* sum += unit * (number + millionths / 10^6), exactly. */
static bool add_units(struct interval *sum, const struct unit *unit, int64_t number,
                      int64_t millionths)
{
    struct interval one = {(int32_t)unit->months, (int32_t)unit->days, unit->us};
    struct interval many;
    int64_t part;
    if (__builtin_mul_overflow(unit->us, millionths, &part) || part % CALENDAR_SECOND != 0 ||
        (unit->us == 0 && millionths != 0)) {
        return false;
    }
    struct interval fraction = {0, 0, part / CALENDAR_SECOND};
    return interval_multiply(one, number, &many) && interval_add(*sum, many, sum) &&
           interval_add(*sum, fraction, sum);
}

/* What stands behind the hours and a colon. */
static bool add_clock(struct reading *reading, int64_t sign, int64_t hours)
{
    int64_t minutes;
    int64_t seconds = 0;
    int64_t millionths = 0;
    if (!take_number(reading, &minutes) || minutes > 59) {
        return false;
    }
    if (take(reading, ':') && (!take_number(reading, &seconds) || seconds > 59 ||
                               !take_millionths(reading, &millionths))) {
        return false;
    }
    struct interval clock;
    struct interval hour = {0, 0, 3600 * CALENDAR_SECOND};
    struct interval rest = {0, 0, sign * ((minutes * 60 + seconds) * CALENDAR_SECOND + millionths)};
    return interval_multiply(hour, sign * hours, &clock) && interval_add(clock, rest, &clock) &&
           interval_add(reading->sum, clock, &reading->sum);
}

static bool take_part(struct reading *reading)
{
    int64_t sign = take(reading, '-') ? -1 : 1;
    int64_t number;
    int64_t millionths;
    if (sign > 0) {
        (void)take(reading, '+');
    }
    if (!take_number(reading, &number)) {
        return false;
    }
    if (take(reading, ':')) {
        return mark_seen(reading, 1U << SECOND | 1U << MINUTE | 1U << HOUR) &&
               add_clock(reading, sign, number);
    }
    if (!take_millionths(reading, &millionths)) {
        return false;
    }
    const struct unit *unit = take_unit(reading);
    return unit && mark_seen(reading, 1U << (unit - units)) &&
           add_units(&reading->sum, unit, sign * number, sign * millionths);
}

bool interval_read(const char *text, size_t size, struct interval *out)
{
    struct reading reading = {.at = text, .end = text + size};
    skip_spaces(&reading);
    if (reading.at == reading.end) {
        return false;
    }
    while (reading.at < reading.end) {
        if (!take_part(&reading)) {
            return false;
        }
        skip_spaces(&reading);
    }
    *out = reading.sum;
    return true;
}

/* Writing: a part that is zero is left out, a positive one behind a negative one has a plus. */

struct writing {
    char *out;
    size_t size;
    bool negative; /* the part before */
};

static void write_part(struct writing *writing, int64_t number, const char *unit)
{
    if (number == 0) {
        return;
    }
    writing->size += (size_t)snprintf(
        writing->out + writing->size, INTERVAL_TEXT_MAX - writing->size, "%s%s%lld %s%s",
        writing->size ? " " : "", writing->negative && number > 0 ? "+" : "", (long long)number,
        unit, number != 1 ? "s" : "");
    writing->negative = number < 0;
}

size_t interval_write(struct interval interval, char out[INTERVAL_TEXT_MAX])
{
    struct writing writing = {out, 0, false};
    write_part(&writing, interval.months / 12, "year");
    write_part(&writing, interval.months % 12, "mon");
    write_part(&writing, interval.days, "day");
    if (interval.us == 0 && writing.size > 0) {
        return writing.size;
    }
    uint64_t us = interval.us < 0 ? -(uint64_t)interval.us : (uint64_t)interval.us;
    uint64_t seconds = us / CALENDAR_SECOND;
    unsigned fraction = (unsigned)(us % CALENDAR_SECOND);
    const char *sign = interval.us < 0 ? "-" : writing.negative ? "+" : "";
    size_t size = writing.size;
    size += (size_t)snprintf(out + size, INTERVAL_TEXT_MAX - size, "%s%s%02llu:%02u:%02u",
                             size ? " " : "", sign, (unsigned long long)(seconds / 3600),
                             (unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60));
    if (fraction) {
        size += (size_t)snprintf(out + size, INTERVAL_TEXT_MAX - size, ".%06u", fraction);
        while (out[size - 1] == '0') {
            out[--size] = '\0';
        }
    }
    return size;
}

/* Arithmetic. */

bool interval_add(struct interval a, struct interval b, struct interval *out)
{
    return !__builtin_add_overflow(a.months, b.months, &out->months) &&
           !__builtin_add_overflow(a.days, b.days, &out->days) &&
           !__builtin_add_overflow(a.us, b.us, &out->us);
}

bool interval_multiply(struct interval a, int64_t by, struct interval *out)
{
    return !__builtin_mul_overflow(a.months, by, &out->months) &&
           !__builtin_mul_overflow(a.days, by, &out->days) &&
           !__builtin_mul_overflow(a.us, by, &out->us);
}

/* Whole days, and microseconds of a day, 0 or more. */
static void count_days(struct interval interval, int64_t *days, int64_t *us)
{
    int64_t rest = interval.us % CALENDAR_DAY;
    *days = (int64_t)interval.months * 30 + interval.days + interval.us / CALENDAR_DAY - (rest < 0);
    *us = rest + (rest < 0 ? CALENDAR_DAY : 0);
}

int interval_compare(struct interval a, struct interval b)
{
    int64_t a_days;
    int64_t a_us;
    int64_t b_days;
    int64_t b_us;
    count_days(a, &a_days, &a_us);
    count_days(b, &b_days, &b_us);
    return a_days != b_days ? (a_days > b_days) - (a_days < b_days) : (a_us > b_us) - (a_us < b_us);
}
