/*
 * Dates and times as numbers and as text, ISO 8601 in the form PostgreSQL prints under DateStyle
 * ISO. The proleptic Gregorian calendar, years 1 to 9999, no time zone, no 24:00, no leap second.
 * Day 0 is 2000-01-01, as in PostgreSQL.
 */
#ifndef VALUE_CALENDAR_H
#define VALUE_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CALENDAR_SECOND 1000000LL /* microseconds */
#define CALENDAR_DAY (86400 * CALENDAR_SECOND)

enum { CALENDAR_TEXT_MAX = 32 };

/* Division by a positive number, rounded down, and its rest. */
static inline int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }
static inline int64_t floor_mod(int64_t a, int64_t b) { return a % b + (a % b < 0 ? b : 0); }

/* Any year may be given, also one before year 1. */
int64_t calendar_days(int64_t year, int64_t month, int64_t day);
struct date {
    int64_t year, month, day;
};
/* The inverse, for years 1 to 9999. */
struct date calendar_date(int64_t days);
int64_t calendar_days_in_month(int64_t year, int64_t month);
int64_t calendar_first_day(void); /* 0001-01-01 */
int64_t calendar_last_day(void);  /* 9999-12-31 */

/* "2020-02-29"; "12:34:56.5" (seconds and their fraction may be absent); "2020-02-29 12:34:56.5"
 * (or with T; the time may be absent). False for anything else, and for days and times that don't
 * exist. Times are microseconds of the day; timestamps microseconds since day 0. */
bool calendar_read_date(const char *text, size_t size, int64_t *days);
bool calendar_read_time(const char *text, size_t size, int64_t *time_us);
bool calendar_read_timestamp(const char *text, size_t size, int64_t *timestamp_us);

/* Writes the text and a NUL, and returns its size. */
size_t calendar_write_date(int64_t days, char out[CALENDAR_TEXT_MAX]);
size_t calendar_write_time(int64_t time_us, char out[CALENDAR_TEXT_MAX]);
/* The same for any number of hours. */
size_t calendar_write_clock(uint64_t us, char out[CALENDAR_TEXT_MAX]);
size_t calendar_write_timestamp(int64_t timestamp_us, char out[CALENDAR_TEXT_MAX]);

/* A text being read. Each function moves behind what it reads, or returns false. */
struct scan {
    const char *at, *end;
};
bool scan_char(struct scan *scan, char c);
/* At least `least` digits, at most `most`. */
bool scan_digits(struct scan *scan, size_t least, size_t most, int64_t *out);
/* A point and up to six digits, in millionths; 0 if there is no point. */
bool scan_fraction(struct scan *scan, int64_t *millionths);

#endif
