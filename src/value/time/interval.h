/*
 * PostgreSQL's interval: months, days and microseconds are separate, because months and days vary
 * in length (manual, section 8.5.4). Texts are those of IntervalStyle postgres.
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

/* Reads PostgreSQL's output, "1 year 2 mons -3 days +04:05:06.7", and common input: numbers with a
 * unit ("2 weeks", "90 min", "1.5 hours"; fractions only for hours and smaller units), and a time
 * as hours:minutes[:seconds]. False for anything else and out of range. */
bool interval_read(const char *text, size_t size, struct interval *out);
/* Writes the text and a NUL, and returns its size. */
size_t interval_write(struct interval interval, char out[INTERVAL_TEXT_MAX]);

/* Adds field by field; false if one is out of range. */
bool interval_add(struct interval a, struct interval b, struct interval *out);
bool interval_multiply(struct interval a, int64_t by, struct interval *out);
/* < 0, 0, > 0, like the server: a month counts as 30 days, a day as 24 hours. */
int interval_compare(struct interval a, struct interval b);

#endif
