/*
 * Time zones: the offset from UTC at a time, as PostgreSQL applies the tz database.
 *
 * A zone is read from a TZif file (RFC 8536) in $TZDIR or /usr/share/zoneinfo. Unlike libc's TZ,
 * this uses no state of the process. Times are seconds since 2000-01-01; offsets are seconds to the
 * east.
 */
#ifndef VALUE_ZONE_H
#define VALUE_ZONE_H

#include "base/arena.h"
#include "base/error.h"

#include <stdint.h>

/* The day and time at which the offset changes each year, in the notation of POSIX's TZ. */
struct zone_day {
    enum {
        ZONE_JULIAN,  /* Jn: day 1 to 365, 29 February never counts */
        ZONE_ORDINAL, /* n: day 0 to 365 */
        ZONE_WEEKDAY, /* Mm.w.d */
    } kind;
    int64_t month, week, day;
    int64_t time; /* seconds after midnight, may be negative */
};
/* The rule after the last transition of a file. */
struct zone_rule {
    bool yearly; /* otherwise `standard` holds all year */
    int32_t standard, daylight;
    struct zone_day start, end; /* of daylight saving time */
};
/* Reads a text such as "CET-1CEST,M3.5.0,M10.5.0/3". */
bool zone_rule_read(const char *text, size_t size, struct zone_rule *out);

struct zone_change {
    int64_t time;
    int32_t offset; /* from then on */
};
/* The two changes of a yearly rule in that year, the earlier one first. */
void zone_rule_changes(const struct zone_rule *rule, int64_t year, struct zone_change out[2]);

struct zone {
    int32_t first; /* offset before the first change */
    size_t count;
    const struct zone_change *changes;
    struct zone_rule rule; /* after the last change */
};

/* Decodes a file; false if it is not a TZif file, is damaged, or counts leap seconds. */
bool zone_decode(struct arena *arena, const char *data, size_t size, struct zone *out);
/* Reads the zone of that name into the arena: "Europe/Berlin", spelled as in the database. Names
 * that the server reads as abbreviations ("CET") have one offset all year, as in the server.
 * Errors: no such zone, a file that can't be read. */
bool zone_find(struct arena *arena, const char *name, struct zone *out, struct error *err);

/* The offset at a time in UTC. */
int32_t zone_offset(const struct zone *zone, int64_t utc);
/* The first change after a time in UTC; false if there is none. */
bool zone_next_change(const struct zone *zone, int64_t utc, struct zone_change *out);
/* The offset at a local time. A time skipped when clocks go forward takes the offset before the
 * change. A time repeated when clocks go back means the later one. */
int32_t zone_offset_local(const struct zone *zone, int64_t local);

#endif
