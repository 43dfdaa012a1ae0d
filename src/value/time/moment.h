/*
 * Arithmetic of dates, times, timestamps and intervals, which the model language holds as text in
 * the server's form. Results equal those of the server for the same expression, with the time zone
 * UTC, which runs use; years 1 to 9999 only.
 */
#ifndef VALUE_MOMENT_H
#define VALUE_MOMENT_H

#include "base/error.h"
#include "value/time/interval.h"
#include "value/value.h"

enum moment_kind {
    MOMENT_DATE,
    MOMENT_TIME,
    MOMENT_TIMESTAMP,
    MOMENT_TIMESTAMPTZ, /* "2020-01-31 12:30:00+00" */
    MOMENT_INTERVAL,
    MOMENT_DAYS, /* the difference of two dates; no text has this kind */
};

struct moment {
    enum moment_kind kind;
    int64_t
        number; /* days for a date or days, otherwise microseconds; from 2000-01-01 or midnight */
    struct interval interval;
};

/* Reads the text as the first kind that fits, in the order of the enum: "12:30:00" is a time. */
bool moment_read(const struct string *text, struct moment *out);
/* Its text; days as an int. */
struct value moment_value(struct arena *arena, struct moment moment);
/* "a date" and so on. */
const char *moment_kind_name(enum moment_kind kind);

/* x + days, x + interval. A date with days is a date, with an interval a timestamp; a time wraps
 * around at midnight. Errors: no such sum, out of range. */
bool moment_add_days(struct moment x, int64_t days, struct moment *out, struct error *err);
bool moment_add(struct moment x, struct interval interval, struct moment *out, struct error *err);
/* a - b: days for two dates, otherwise an interval. */
bool moment_difference(struct moment a, struct moment b, struct moment *out, struct error *err);
/* age(a, b): years, months and days, as PostgreSQL counts them. */
bool moment_age(struct moment a, struct moment b, struct moment *out, struct error *err);

struct zone;
/* x AT TIME ZONE zone: a timestamptz or a date as the local timestamp there, a local timestamp as
 * the timestamptz. */
bool moment_at_zone(struct moment x, const struct zone *zone, struct moment *out,
                    struct error *err);

/* EXTRACT(field FROM x), date_trunc(field, x), by the names of the manual, section 9.9.1: an int or
 * a numeric. A time has the fields of an interval. Errors: no such field, or x does not have it. */
bool moment_extract(struct arena *arena, const char *field, struct moment x, struct value *out,
                    struct error *err);
bool moment_truncate(const char *field, struct moment x, struct moment *out, struct error *err);

#endif
