#include "value/time/zone.h"

#include "value/time/calendar.h"

enum { DAY = 86400 };

/* Days of the model have years 1 to 9999, but callers also ask for the day before and after. */
static int64_t year_of(int64_t time)
{
    int64_t day = floor_div(time, DAY);
    int64_t first = calendar_first_day();
    int64_t last = calendar_last_day();
    return calendar_date(day < first ? first : day > last ? last : day).year;
}

/* The number of changes in the file up to a time. */
static size_t changes_until(const struct zone *zone, int64_t time)
{
    size_t low = 0;
    size_t high = zone->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (zone->changes[middle].time <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* True if a change by the rule comes after those in the file. */
static bool follows(const struct zone *zone, const struct zone_change *change)
{
    return zone->count == 0 || change->time > zone->changes[zone->count - 1].time;
}

int32_t zone_offset(const struct zone *zone, int64_t utc)
{
    size_t before = changes_until(zone, utc);
    int32_t offset = before ? zone->changes[before - 1].offset : zone->first;
    if (before < zone->count || !zone->rule.yearly) {
        return offset;
    }
    int64_t year = year_of(utc);
    for (int64_t y = year - 1; y <= year + 1; y++) {
        struct zone_change changes[2];
        zone_rule_changes(&zone->rule, y, changes);
        for (size_t i = 0; i < 2; i++) {
            if (changes[i].time <= utc && follows(zone, &changes[i])) {
                offset = changes[i].offset;
            }
        }
    }
    return offset;
}

bool zone_next_change(const struct zone *zone, int64_t utc, struct zone_change *out)
{
    size_t next = changes_until(zone, utc);
    if (next < zone->count) {
        *out = zone->changes[next];
        return true;
    }
    int64_t year = year_of(utc);
    for (int64_t y = year - 1; zone->rule.yearly && y <= year + 1; y++) {
        struct zone_change changes[2];
        zone_rule_changes(&zone->rule, y, changes);
        for (size_t i = 0; i < 2; i++) {
            if (changes[i].time > utc && follows(zone, &changes[i])) {
                *out = changes[i];
                return true;
            }
        }
    }
    return false;
}

/* Like DetermineTimeZoneOffset in PostgreSQL's datetime.c, which takes the first change from a day
 * earlier on. */
int32_t zone_offset_local(const struct zone *zone, int64_t local)
{
    struct zone_change change;
    int32_t before = zone_offset(zone, local - DAY);
    if (!zone_next_change(zone, local - DAY, &change)) {
        return before;
    }
    int64_t by_before = local - before;
    int64_t by_after = local - change.offset;
    if (by_before < change.time && by_after < change.time) {
        return before;
    }
    if (by_before > change.time && by_after >= change.time) {
        return change.offset;
    }
    return by_before > by_after ? before : change.offset;
}
