/*
 * Writes an SQL script for psql that compares our time zones with the server's: `zones ZONE...`.
 *
 * Each case is a time, in UTC or local, and what we make of it there, or "refused", where a year
 * lies outside 1 to 9999. There are cases around each change of the offset in the 100 years from
 * 1950 on, where clocks go forward or back, and cases in other years, from a fixed seed. The script
 * prints the cases whose answers differ, then how many cases there were.
 */
#include "value/time/calendar.h"
#include "value/time/moment.h"
#include "value/time/zone.h"

#include <stdio.h>
#include <stdlib.h>

static struct arena arena;
static uint64_t seed = 20260329;

/* splitmix64 */
static uint64_t next_random(void)
{
    uint64_t z = seed += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30U) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27U) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31U;
}

static void write_case(const char *name, const struct zone *zone, enum moment_kind kind, int64_t us)
{
    struct moment x = {.kind = kind, .number = us};
    struct moment there;
    bool ok = moment_at_zone(x, zone, &there, NULL);
    (void)printf("%s\t%s\t%c\t%s\n", name, moment_value(&arena, x).as.string->data,
                 kind == MOMENT_TIMESTAMP ? 't' : 'f',
                 ok ? moment_value(&arena, there).as.string->data : "refused");
    arena_reset(&arena);
}

/* A time in UTC, and the local times that may be it. */
static void write_cases(const char *name, const struct zone *zone, int64_t utc, int64_t us)
{
    write_case(name, zone, MOMENT_TIMESTAMPTZ, utc * CALENDAR_SECOND + us);
    for (int64_t around = -CALENDAR_DAY / CALENDAR_SECOND; around <= 86400; around += 86400) {
        int64_t local = utc + zone_offset(zone, utc + around);
        write_case(name, zone, MOMENT_TIMESTAMP, local * CALENDAR_SECOND + us);
    }
}

static void around_change(const char *name, const struct zone *zone, int64_t change)
{
    static const int64_t distances[] = {0, 1, 1799, 1800, 3599, 3600, 3601, 5400, 43200, 90000};
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        write_cases(name, zone, change + distances[i], 0);
        write_cases(name, zone, change - distances[i], i ? 0 : -1);
    }
}

/* The first second after `from` with another offset, where `to` has one. */
static int64_t find_change(const struct zone *zone, int64_t from, int64_t to)
{
    while (to - from > 1) {
        int64_t middle = from + (to - from) / 2;
        if (zone_offset(zone, middle) == zone_offset(zone, from)) {
            from = middle;
        } else {
            to = middle;
        }
    }
    return to;
}

static void write_zone(const char *name, const struct zone *zone)
{
    enum { STEP = 6 * 3600, RANDOM = 300, DAY = 86400 };
    int64_t first = calendar_first_day();
    int64_t days = calendar_last_day() - first + 1;
    int64_t end = calendar_days(2050, 1, 1) * DAY;
    for (int64_t at = calendar_days(1950, 1, 1) * DAY; at < end; at += STEP) {
        if (zone_offset(zone, at) != zone_offset(zone, at + STEP)) {
            around_change(name, zone, find_change(zone, at, at + STEP));
        }
    }
    for (int i = 0; i < RANDOM; i++) {
        int64_t day = i % 2 ? (int64_t)(next_random() % 60000) - 40000
                            : first + (int64_t)(next_random() % (uint64_t)days);
        int64_t us = day * CALENDAR_DAY + (int64_t)(next_random() % (uint64_t)CALENDAR_DAY);
        write_case(name, zone, MOMENT_TIMESTAMPTZ, us);
        write_case(name, zone, MOMENT_TIMESTAMP, us);
    }
    write_case(name, zone, MOMENT_TIMESTAMPTZ, first * CALENDAR_DAY);
    write_case(name, zone, MOMENT_TIMESTAMP, first * CALENDAR_DAY);
    write_case(name, zone, MOMENT_TIMESTAMPTZ, (first + days) * CALENDAR_DAY - 1);
    write_case(name, zone, MOMENT_TIMESTAMP, (first + days) * CALENDAR_DAY - 1);
}

static const char before[] =
    "\\set ON_ERROR_STOP 1\n"
    "SET TimeZone = 'UTC'; SET DateStyle = 'ISO';\n"
    "CREATE TEMP TABLE cases (zone text, at text, local boolean, ours text);\n"
    "COPY cases FROM stdin;\n";
static const char after[] =
    "\\.\n"
    "CREATE TEMP VIEW answers AS SELECT *,\n"
    "    CASE WHEN local THEN (at::timestamp AT TIME ZONE zone)::text\n"
    "                    ELSE (at::timestamptz AT TIME ZONE zone)::text END AS server FROM cases;\n"
    "SELECT * FROM answers WHERE ours <>\n"
    "    CASE WHEN server ~ '(BC|^[0-9]{5,}-.*)$' THEN 'refused' ELSE server END LIMIT 20;\n"
    "SELECT count(*) FROM cases;\n";

int main(int argc, char **argv)
{
    struct arena zones = {0};
    (void)fputs(before, stdout);
    for (int i = 1; i < argc; i++) {
        struct zone zone;
        struct error err = {0};
        if (!zone_find(&zones, argv[i], &zone, &err)) {
            (void)fprintf(stderr, "zones: %s\n", err.message);
            return 1;
        }
        write_zone(argv[i], &zone);
    }
    (void)fputs(after, stdout);
    arena_free(&zones);
    arena_free(&arena);
    return ferror(stdout) ? 1 : 0;
}
