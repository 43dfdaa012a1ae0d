/* The rule at the end of a TZif file, in the notation of POSIX's TZ, with RFC 8536's hours -167 to
 * 167. */
#include "value/time/calendar.h"
#include "value/time/zone.h"

#include <ctype.h>

enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };

/* "CEST", "<+03>" */
static bool skip_name(struct scan *scan)
{
    const char *start = scan->at;
    if (scan_char(scan, '<')) {
        while (scan->at < scan->end && *scan->at != '>') {
            scan->at++;
        }
        return scan_char(scan, '>');
    }
    while (scan->at < scan->end && isalpha((unsigned char)*scan->at)) {
        scan->at++;
    }
    return scan->at > start;
}

/* "2", "-1", "05:30:00", in seconds. */
static bool scan_span(struct scan *scan, int64_t *out)
{
    int64_t hours;
    int64_t minutes = 0;
    int64_t seconds = 0;
    int64_t sign = scan_char(scan, '-') ? -1 : 1;
    (void)(sign > 0 && scan_char(scan, '+'));
    if (!scan_digits(scan, 1, 3, &hours) ||
        (scan_char(scan, ':') && (!scan_digits(scan, 2, 2, &minutes) ||
                                  (scan_char(scan, ':') && !scan_digits(scan, 2, 2, &seconds))))) {
        return false;
    }
    *out = sign * (hours * HOUR + minutes * MINUTE + seconds);
    return true;
}

/* An offset is written as seconds to the west. */
static bool scan_offset(struct scan *scan, int32_t *out)
{
    int64_t west;
    bool read = scan_span(scan, &west);
    *out = read ? (int32_t)-west : 0;
    return read;
}

/* "M3.5.0/2", "J60", "59" */
static bool scan_day(struct scan *scan, struct zone_day *out)
{
    *out = (struct zone_day){.kind = ZONE_ORDINAL, .time = INT64_C(2) * HOUR};
    bool read;
    if (scan_char(scan, 'M')) {
        out->kind = ZONE_WEEKDAY;
        read = scan_digits(scan, 1, 2, &out->month) && scan_char(scan, '.') &&
               scan_digits(scan, 1, 1, &out->week) && scan_char(scan, '.') &&
               scan_digits(scan, 1, 1, &out->day) && out->month >= 1 && out->month <= 12 &&
               out->week >= 1 && out->week <= 5 && out->day <= 6;
    } else {
        out->kind = scan_char(scan, 'J') ? ZONE_JULIAN : ZONE_ORDINAL;
        read = scan_digits(scan, 1, 3, &out->day) && out->day <= 365 &&
               (out->kind == ZONE_ORDINAL || out->day >= 1);
    }
    return read && (!scan_char(scan, '/') || scan_span(scan, &out->time));
}

bool zone_rule_read(const char *text, size_t size, struct zone_rule *out)
{
    struct scan scan = {text, text + size};
    *out = (struct zone_rule){0};
    if (!skip_name(&scan) || !scan_offset(&scan, &out->standard)) {
        return false;
    }
    if (scan.at == scan.end) {
        return true;
    }
    out->yearly = true;
    out->daylight = out->standard + HOUR;
    return skip_name(&scan) &&
           ((scan.at < scan.end && *scan.at == ',') || scan_offset(&scan, &out->daylight)) &&
           scan_char(&scan, ',') && scan_day(&scan, &out->start) && scan_char(&scan, ',') &&
           scan_day(&scan, &out->end) && scan.at == scan.end;
}

/* Day 0, 2000-01-01, was a Saturday. */
static int64_t weekday(int64_t day) { return floor_mod(day + 6, 7); }

static int64_t day_of(const struct zone_day *day, int64_t year)
{
    int64_t first = calendar_days(year, 1, 1);
    if (day->kind == ZONE_ORDINAL) {
        return first + day->day;
    }
    if (day->kind == ZONE_JULIAN) {
        bool leap = calendar_days_in_month(year, 2) == 29;
        return first + day->day - 1 + (leap && day->day >= 60);
    }
    first = calendar_days(year, day->month, 1);
    int64_t found = first + floor_mod(day->day - weekday(first), 7) + (day->week - 1) * 7;
    return found - (found >= first + calendar_days_in_month(year, day->month) ? 7 : 0);
}

/* Each is written in the local time before it. */
void zone_rule_changes(const struct zone_rule *rule, int64_t year, struct zone_change out[2])
{
    const struct zone_change start = {
        day_of(&rule->start, year) * DAY + rule->start.time - rule->standard, rule->daylight};
    const struct zone_change end = {
        day_of(&rule->end, year) * DAY + rule->end.time - rule->daylight, rule->standard};
    bool turned = end.time < start.time;
    out[turned] = start;
    out[!turned] = end;
}
