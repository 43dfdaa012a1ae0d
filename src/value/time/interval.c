#include "value/time/interval.h"

#include "value/time/calendar.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Reading. */

struct unit {
    const char *names; /* separated by spaces, without the plural's s */
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
    struct scan scan;
    struct interval sum;
    unsigned seen; /* a bit for each unit */
};

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static void skip_spaces(struct scan *scan)
{
    while (scan_char(scan, ' ') || scan_char(scan, '\t')) {
    }
}

static const struct unit *find_unit(const char *name, size_t size)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        for (const char *at = units[i].names; *at; at += strspn(at, " ")) {
            size_t length = strcspn(at, " ");
            bool plural = size == length + 1 && size > 2 && (name[length] | 0x20) == 's';
            if ((size == length || plural) && strncasecmp(at, name, length) == 0) {
                return &units[i];
            }
            at += length;
        }
    }
    return NULL;
}

/* Reads a unit; a number without one means seconds. */
static const struct unit *take_unit(struct scan *scan)
{
    skip_spaces(scan);
    const char *start = scan->at;
    while (scan->at < scan->end && is_letter(*scan->at)) {
        scan->at++;
    }
    size_t size = (size_t)(scan->at - start);
    return size ? find_unit(start, size) : scan->at == scan->end ? find_unit("s", 1) : NULL;
}

/* Marks the units as seen; false if one was seen before. */
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

/* Reads what follows the hours and a colon. */
static bool add_clock(struct reading *reading, int64_t sign, int64_t hours)
{
    int64_t minutes;
    int64_t seconds = 0;
    int64_t millionths = 0;
    if (!scan_digits(&reading->scan, 1, SIZE_MAX, &minutes) || minutes > 59) {
        return false;
    }
    if (scan_char(&reading->scan, ':') &&
        (!scan_digits(&reading->scan, 1, SIZE_MAX, &seconds) || seconds > 59 ||
         !scan_fraction(&reading->scan, &millionths))) {
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
    struct scan *scan = &reading->scan;
    int64_t sign = scan_char(scan, '-') ? -1 : 1;
    int64_t number;
    int64_t millionths;
    if (sign > 0) {
        (void)scan_char(scan, '+');
    }
    if (!scan_digits(scan, 1, SIZE_MAX, &number)) {
        return false;
    }
    if (scan_char(scan, ':')) {
        return mark_seen(reading, 1U << SECOND | 1U << MINUTE | 1U << HOUR) &&
               add_clock(reading, sign, number);
    }
    if (!scan_fraction(scan, &millionths)) {
        return false;
    }
    const struct unit *unit = take_unit(scan);
    return unit && mark_seen(reading, 1U << (unit - units)) &&
           add_units(&reading->sum, unit, sign * number, sign * millionths);
}

bool interval_read(const char *text, size_t size, struct interval *out)
{
    struct reading reading = {.scan = {text, text + size}};
    skip_spaces(&reading.scan);
    bool read = reading.scan.at < reading.scan.end;
    while (read && reading.scan.at < reading.scan.end) {
        read = take_part(&reading);
        skip_spaces(&reading.scan);
    }
    *out = reading.sum;
    return read;
}

/* Writing: parts that are zero are left out, and a positive part after a negative one has a plus.
 */

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
    char clock[CALENDAR_TEXT_MAX];
    (void)calendar_write_clock(interval.us < 0 ? -(uint64_t)interval.us : (uint64_t)interval.us,
                               clock);
    const char *sign = interval.us < 0 ? "-" : writing.negative ? "+" : "";
    return writing.size + (size_t)snprintf(out + writing.size, INTERVAL_TEXT_MAX - writing.size,
                                           "%s%s%s", writing.size ? " " : "", sign, clock);
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

int interval_compare(struct interval a, struct interval b)
{
    int64_t a_days = (int64_t)a.months * 30 + a.days + floor_div(a.us, CALENDAR_DAY);
    int64_t b_days = (int64_t)b.months * 30 + b.days + floor_div(b.us, CALENDAR_DAY);
    int64_t a_us = floor_mod(a.us, CALENDAR_DAY);
    int64_t b_us = floor_mod(b.us, CALENDAR_DAY);
    return a_days != b_days ? (a_days > b_days) - (a_days < b_days) : (a_us > b_us) - (a_us < b_us);
}
