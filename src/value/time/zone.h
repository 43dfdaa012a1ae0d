/*
 * Time zones: the offset from UTC at a time, as PostgreSQL applies the tz database.
 *
 * A zone is read from a file in TZif (RFC 8536), of the folder in $TZDIR, else
 * /usr/share/zoneinfo. Nothing of the process is changed or asked, as libc's TZ would be. Times are
 * seconds since 2000-01-01; offsets are seconds to the east.
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
/* What holds after the last transition of a file. */
struct zone_rule {
    bool yearly; /* else `standard` always */
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
    struct zone_rule rule; /* for what comes behind them */
};

/* Decodes a file; false if it is none, is damaged, or counts leap seconds. */
bool zone_decode(struct arena *arena, const char *data, size_t size, struct zone *out);
/* Reads the zone of that name, into the arena: "Europe/Berlin", spelled as in the database. Names
 * that the server takes for an abbreviation ("CET") have one offset all the year, as there. Errors:
 * no such zone, a file that can't be read. */
bool zone_find(struct arena *arena, const char *name, struct zone *out, struct error *err);

/* The offset at a time in UTC. */
int32_t zone_offset(const struct zone *zone, int64_t utc);
/* The offset at a local time. One that never was, when clocks went forward, is read by the offset
 * before; of two that were, when they went back, the later one is meant. */
int32_t zone_offset_local(const struct zone *zone, int64_t local);

#endif
