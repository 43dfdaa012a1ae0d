/* Moments at which programs that compare times go wrong. */
#include "gen/propose/propose.h"
#include "value/time/calendar.h"
#include "value/time/moment.h"
#include "value/time/zone.h"

enum { TRIES = 4, WAITS = 8 };

/* Reservoir sampling: each moment in the range is equally likely. */
struct chosen {
    const struct draw_moments *moments;
    struct moment_range range;
    struct rng *rng;
    int64_t beside; /* what is added to each moment */
    bool far;       /* the longest wait may be a step towards a moment that is out of range */
    uint64_t seen;
    int64_t number;
};

static bool number_of(const struct chosen *chosen, int64_t moment_us, int64_t *out)
{
    int64_t from = chosen->range.from_now ? chosen->moments->now_us : 0;
    *out = floor_div(moment_us - from, chosen->range.unit);
    if (chosen->far && *out > chosen->range.max && *out / WAITS <= chosen->range.max) {
        *out = chosen->range.max;
    }
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

static void choose_after(struct chosen *chosen, int64_t moment_us, struct interval span)
{
    const struct moment moment = {.kind = MOMENT_TIMESTAMPTZ, .number = moment_us};
    struct moment sum;
    struct error ignored = {0};
    if (moment_add(moment, span, &sum, &ignored)) {
        choose(chosen, sum.number);
    }
}

static void choose_before(struct chosen *chosen, int64_t moment_us, struct interval span)
{
    struct interval back;
    if (interval_multiply(span, -1, &back)) {
        choose_after(chosen, moment_us, back);
    }
}

/* The moments themselves are as likely as all that are a span apart. */
static bool choose_of_model(struct chosen *chosen)
{
    const struct draw_moments *moments = chosen->moments;
    bool apart = moments->span_count > 0 && rng_one_in(chosen->rng, 2);
    chosen->far = chosen->range.from_now;
    for (size_t i = 0; i < moments->count && !apart; i++) {
        choose(chosen, moments->us[i]);
    }
    chosen->far = false;
    apart = chosen->seen == 0;
    for (size_t i = 0; i < moments->count && apart; i++) {
        for (size_t j = 0; j < moments->span_count; j++) {
            choose_after(chosen, moments->us[i], moments->spans[j]);
            if (!chosen->range.from_now) {
                choose_before(chosen, moments->us[i], moments->spans[j]);
            }
        }
    }
    return chosen->seen > 0;
}

static bool is_leap(int64_t year) { return calendar_days_in_month(year, 2) == 29; }

/* The first day of the next group of so many months, counted from January. */
static int64_t next_months(struct date date, int64_t group)
{
    int64_t months = ((date.year * 12 + date.month - 1) / group + 1) * group;
    return calendar_days(months / 12, months % 12 + 1, 1);
}

/* The beginning of a day near which calendars differ. */
static int64_t special_day(struct rng *rng, int64_t day)
{
    enum { TOMORROW, MONDAY, LAST, MONTH, QUARTER, FEBRUARY, LEAP_DAY, YEAR };
    struct date date = calendar_date(day);
    int64_t year = date.year + (date.month > 2); /* of the next February */
    switch (rng_below(rng, YEAR + 1)) {
    case MONDAY: /* day 0 was a Saturday */
        return day + 7 - floor_mod(day - 2, 7);
    case LAST:
        return next_months(date, 1) - 1;
    case MONTH:
        return next_months(date, 1);
    case QUARTER:
        return next_months(date, 3);
    case FEBRUARY:
        return calendar_days(year, 2, 28) + (int64_t)rng_below(rng, 2);
    case LEAP_DAY:
        while (!is_leap(year)) {
            year++;
        }
        return calendar_days(year, 2, 29);
    case YEAR:
        return next_months(date, 12);
    default:
        return day + 1;
    }
}

/* A minute, an hour or a special day as the clock on the wall of some zone shows it, or a change of
 * that clock. */
static int64_t boundary(const struct draw_moments *moments, struct rng *rng, int64_t us)
{
    enum { MINUTE, HOUR, DAYS = 6 };
    int64_t base = floor_div(us, CALENDAR_SECOND);
    const struct zone *zone = NULL;
    if (moments->zone_count && !rng_one_in(rng, 4)) {
        zone = &moments->zones[rng_below(rng, moments->zone_count)];
    }
    struct zone_change change;
    if (zone && rng_one_in(rng, 2) && zone_next_change(zone, base, &change)) {
        return change.time * CALENDAR_SECOND;
    }
    int64_t local = base + (zone ? zone_offset(zone, base) : 0);
    switch (rng_below(rng, DAYS)) {
    case MINUTE:
        local += 60 - floor_mod(local, 60);
        break;
    case HOUR:
        local += 3600 - floor_mod(local, 3600);
        break;
    default:
        local = special_day(rng, floor_div(local, 86400)) * 86400;
    }
    return (local - (zone ? zone_offset_local(zone, local) : 0)) * CALENDAR_SECOND;
}

static void choose_of_calendar(struct chosen *chosen)
{
    const struct draw_moments *moments = chosen->moments;
    struct rng *rng = chosen->rng;
    int64_t base_us = moments->now_us;
    if (moments->count && rng_one_in(rng, 4)) {
        base_us = moments->us[rng_below(rng, moments->count)];
    }
    choose(chosen, boundary(moments, rng, base_us));
}

/* The next boundary of the kind that the example favours. If it is some waits away, the longest
 * wait is a step towards it. Most defects need something that begins before the boundary and ends
 * after it. So a wait of days ends a microsecond or a span before the boundary, and the example
 * stays near it for a while. */
static void choose_favourite(struct chosen *chosen, uint64_t favourite)
{
    const struct draw_moments *moments = chosen->moments;
    struct rng *rng = chosen->rng;
    struct rng kind;
    rng_seed(&kind, favourite, 0);
    struct rng kind_again = kind;
    int64_t next_us = boundary(moments, &kind, moments->now_us);
    int64_t wait = next_us - moments->now_us;
    bool ahead = wait <= CALENDAR_DAY;
    bool behind = boundary(moments, &kind_again, moments->now_us - CALENDAR_DAY) <= moments->now_us;
    if ((ahead || behind) && !rng_one_in(rng, 4)) {
        return;
    }
    if (wait > chosen->range.max && wait / WAITS <= chosen->range.max) {
        chosen->seen = 1;
        chosen->number = chosen->range.max;
    } else if (!ahead && moments->span_count && rng_one_in(rng, 2)) {
        choose_before(chosen, next_us, moments->spans[rng_below(rng, moments->span_count)]);
    } else {
        chosen->beside = ahead ? chosen->beside : -1;
        choose(chosen, next_us);
    }
}

bool propose_moment(struct drawer *drawer, struct moment_range range, int64_t *out)
{
    static const int64_t besides[] = {-1, 1, -CALENDAR_SECOND, CALENDAR_SECOND};
    struct rng *rng = drawer->rng;
    bool favours = drawer->advancing && drawer->favourite && range.from_now;
    if (!drawer->moments || rng_below(rng, 8) >= (favours ? 7 : drawer->advancing ? 4 : 1)) {
        return false;
    }
    struct chosen chosen = {.moments = drawer->moments(drawer), .range = range, .rng = rng};
    bool first_of_model = !rng_one_in(rng, 3);
    if (rng_one_in(rng, 2)) {
        chosen.beside = besides[rng_below(rng, sizeof besides / sizeof *besides)];
        chosen.beside *= range.unit == 1 ? 1 : range.unit;
    }
    if (favours) {
        choose_favourite(&chosen, drawer->favourite);
    }
    if (chosen.seen == 0 && (!first_of_model || !choose_of_model(&chosen))) {
        for (int i = 0; i < TRIES && chosen.seen == 0; i++) {
            choose_of_calendar(&chosen);
        }
    }
    *out = chosen.number;
    return chosen.seen > 0;
}
