/*
 * PostgreSQL's interval: months, days and microseconds apart from each other, since neither a month
 * nor a day is always as long (manual, section 8.5.4). Texts are those of IntervalStyle postgres.
 */
#ifndef VALUE_INTERVAL_H
#define VALUE_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct interval {
    int32_t months, days;
    int64_t us;
};

enum { INTERVAL_TEXT_MAX = 96 };

/* What PostgreSQL prints, "1 year 2 mons -3 days +04:05:06.7", and as one writes it: numbers with a
 * unit ("2 weeks", "90 min", "1.5 hours"), of which only those of hours and below have a fraction,
 * and a time as hours:minutes[:seconds]. False for anything else, and where it is out of range. */
bool interval_read(const char *text, size_t size, struct interval *out);
/* Writes the text and a NUL, gives its size. */
size_t interval_write(struct interval interval, char out[INTERVAL_TEXT_MAX]);

/* Field by field; false where one is out of range. */
bool interval_add(struct interval a, struct interval b, struct interval *out);
bool interval_multiply(struct interval a, int64_t by, struct interval *out);
/* < 0, 0, > 0, as the server: a month counts as 30 days, a day as 24 hours. */
int interval_compare(struct interval a, struct interval b);

#endif
