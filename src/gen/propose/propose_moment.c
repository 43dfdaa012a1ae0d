/* Moments at which programs that compare times go wrong. */
#include "gen/propose/propose.h"
#include "value/time/calendar.h"
#include "value/time/moment.h"
#include "value/time/zone.h"

enum { TRIES = 4 };

/* Reservoir sampling: each moment in the range is equally likely. */
struct chosen {
    const struct draw_moments *moments;
    struct moment_range range;
    struct rng *rng;
    int64_t beside; /* what is added to each moment */
    uint64_t seen;
    int64_t number;
};

static bool number_of(const struct chosen *chosen, int64_t moment_us, int64_t *out)
{
    int64_t from = chosen->range.from_now ? chosen->moments->now_us : 0;
    *out = floor_div(moment_us - from, chosen->range.unit);
    return *out >= chosen->range.min && *out <= chosen->range.max;
}

static void choose(struct chosen *chosen, int64_t moment_us)
{
    int64_t number;
    if (number_of(chosen, moment_us + chosen->beside, &number)) {
        chosen->seen++;
        chosen->number = rng_one_in(chosen->rng, chosen->seen) ? number : chosen->number;
    }
}

/* A moment after or before the given one by a span. */
static void choose_apart(struct chosen *chosen, int64_t moment_us, struct interval span)
{
    const struct moment moment = {.kind = MOMENT_TIMESTAMPTZ, .number = moment_us};
    struct interval back;
    struct moment sum;
    struct error ignored = {0};
    if (moment_add(moment, span, &sum, &ignored)) {
        choose(chosen, sum.number);
    }
    if (!chosen->range.from_now && interval_multiply(span, -1, &back) &&
        moment_add(moment, back, &sum, &ignored)) {
        choose(chosen, sum.number);
    }
}

/* The moments themselves are as likely as all that are a span apart. */
static bool choose_of_model(struct chosen *chosen)
{
    const struct draw_moments *moments = chosen->moments;
    bool apart = moments->span_count > 0 && rng_one_in(chosen->rng, 2);
    for (size_t i = 0; i < moments->count && !apart; i++) {
        choose(chosen, moments->us[i]);
    }
    apart = chosen->seen == 0;
    for (size_t i = 0; i < moments->count && apart; i++) {
        for (size_t j = 0; j < moments->span_count; j++) {
            choose_apart(chosen, moments->us[i], moments->spans[j]);
        }
    }
    return chosen->seen > 0;
}

static bool is_leap(int64_t year) { return calendar_days_in_month(year, 2) == 29; }

/* The beginning of a day near which calendars differ. */
static int64_t special_day(struct rng *rng, int64_t day)
{
    enum { TOMORROW, LAST_OF_MONTH, LAST_OF_NEXT, NEXT_MONTH, FEBRUARY, LEAP_DAY, YEAR, KINDS };
    struct date date = calendar_date(day);
    int64_t year = date.year;
    int64_t next = year + date.month / 12;
    int64_t month = date.month % 12 + 1;
    switch (rng_below(rng, KINDS)) {
    case LAST_OF_MONTH:
        return calendar_days(next, month, 1) - 1;
    case LAST_OF_NEXT:
        return calendar_days(next, month, calendar_days_in_month(next, month));
    case NEXT_MONTH:
        return calendar_days(next, month, 1);
    case FEBRUARY:
        year += date.month > 2;
        return calendar_days(year, 2, 28) + (int64_t)rng_below(rng, 2);
    case LEAP_DAY:
        year += date.month > 2;
        while (!is_leap(year)) {
            year++;
        }
        return calendar_days(year, 2, 29);
    case YEAR:
        return calendar_days(year + 1, 1, 1);
    default:
        return day + 1;
    }
}

/* A special day as the clock on the wall of some zone shows it, or a change of that clock. */
static void choose_of_calendar(struct chosen *chosen)
{
    const struct draw_moments *moments = chosen->moments;
    struct rng *rng = chosen->rng;
    int64_t base_us = moments->now_us;
    if (moments->count && rng_one_in(rng, 4)) {
        base_us = moments->us[rng_below(rng, moments->count)];
    }
    size_t place = rng_below(rng, moments->zone_count + 1);
    const struct zone *zone = place < moments->zone_count ? &moments->zones[place] : NULL;
    int64_t base = floor_div(base_us, CALENDAR_SECOND);
    struct zone_change change;
    if (zone && rng_one_in(rng, 2) && zone_next_change(zone, base, &change)) {
        choose(chosen, change.time * CALENDAR_SECOND);
        return;
    }
    int64_t local = base + (zone ? zone_offset(zone, base) : 0);
    int64_t midnight = special_day(rng, floor_div(local, 86400)) * 86400;
    midnight -= zone ? zone_offset_local(zone, midnight) : 0;
    choose(chosen, midnight * CALENDAR_SECOND);
}

bool propose_moment(struct drawer *drawer, struct moment_range range, int64_t *out)
{
    static const int64_t besides[] = {-1, 1, -CALENDAR_SECOND, CALENDAR_SECOND};
    struct rng *rng = drawer->rng;
    if (!drawer->moments || !rng_one_in(rng, drawer->advancing ? 2 : 8)) {
        return false;
    }
    struct chosen chosen = {.moments = drawer->moments(drawer), .range = range, .rng = rng};
    bool first_of_model = !rng_one_in(rng, 3);
    if (rng_one_in(rng, 2)) {
        chosen.beside = besides[rng_below(rng, sizeof besides / sizeof *besides)];
        chosen.beside *= range.unit == 1 ? 1 : range.unit;
    }
    if (!first_of_model || !choose_of_model(&chosen)) {
        for (int i = 0; i < TRIES && chosen.seen == 0; i++) {
            choose_of_calendar(&chosen);
        }
    }
    *out = chosen.number;
    return chosen.seen > 0;
}
