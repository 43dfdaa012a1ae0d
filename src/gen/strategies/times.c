/* dates, times, datetimes, timedeltas: numbers that are written as text (calendar.h, interval.h).
 * The four differ only in their range, their text, and the units for drawing. */
#include "gen/args.h"
#include "gen/invert.h"
#include "gen/propose/propose.h"
#include "gen/strategies/strategies.h"
#include "value/time/calendar.h"

_Static_assert((int)TIME_TEXT_MAX >= (int)CALENDAR_TEXT_MAX, "the longest text of all");

struct times {
    const struct time_form *form;
    int64_t min, max; /* max < min if no value fits */
};

static const int64_t date_units[] = {0};
static const int64_t time_units[] = {CALENDAR_SECOND, 0};
static const int64_t datetime_units[] = {CALENDAR_SECOND, 86400, 0};

static const struct time_form date_form = {calendar_read_date, calendar_write_date,
                                           "a date such as \"2020-01-31\"", date_units};
static const struct time_form time_form = {calendar_read_time, calendar_write_time,
                                           "a time such as \"12:30:00\"", time_units};
static const struct time_form datetime_form = {calendar_read_timestamp, calendar_write_timestamp,
                                               "a timestamp such as \"2020-01-31 12:30:00\"",
                                               datetime_units};

/* Whole days of 24 hours and the rest, of one sign. Months are refused, because their length
 * varies. */
static bool read_timedelta(const char *text, size_t size, int64_t *out)
{
    struct interval interval;
    return interval_read(text, size, &interval) && interval.months == 0 &&
           !__builtin_mul_overflow((int64_t)interval.days, CALENDAR_DAY, out) &&
           !__builtin_add_overflow(*out, interval.us, out);
}

static size_t write_timedelta(int64_t number, char *out)
{
    return interval_write(
        (struct interval){0, (int32_t)(number / CALENDAR_DAY), number % CALENDAR_DAY}, out);
}

static const struct time_form timedelta_form = {
    read_timedelta, write_timedelta, "an interval without months, such as \"1 day 02:00:00\"",
    datetime_units};

const struct time_form *time_form_of(const struct strategy_kind *kind)
{
    return kind == &kind_dates       ? &date_form
           : kind == &kind_times     ? &time_form
           : kind == &kind_datetimes ? &datetime_form
                                     : &timedelta_form;
}

static bool time_bound(const struct strategy *strategy, size_t index, int64_t *out,
                       struct error *err)
{
    const struct times *spec = strategy->spec;
    struct value arg = strategy->args[index];
    if (arg.type == VALUE_NONE) {
        return true;
    }
    if (arg.type != VALUE_STRING) {
        return arg_wrong(strategy, index, spec->form->wanted, err);
    }
    if (!spec->form->read(arg.as.string->data, arg.as.string->size, out)) {
        struct strbuf text = {0};
        value_repr(arg, &text);
        error_set(err, ERROR_MACHINE, "%s() %s must be %s, not %s", strategy->kind->name,
                  strategy->kind->params[index].name, spec->form->wanted, strbuf_text(&text));
        strbuf_free(&text);
        return false;
    }
    return true;
}

/* The range of values that can be written; for timedeltas, at most the distance of two dates. */
static struct times all_times(const struct time_form *form)
{
    int64_t first = calendar_first_day();
    int64_t last = calendar_last_day();
    if (form == &date_form) {
        return (struct times){form, first, last};
    }
    if (form == &time_form) {
        return (struct times){form, 0, CALENDAR_DAY - 1};
    }
    if (form == &datetime_form) {
        return (struct times){form, first * CALENDAR_DAY, (last + 1) * CALENDAR_DAY - 1};
    }
    return (struct times){form, -(last - first) * CALENDAR_DAY, (last - first) * CALENDAR_DAY};
}

bool time_fits(const struct strategy_kind *kind, int64_t number)
{
    struct times all = all_times(time_form_of(kind));
    return all.form == &timedelta_form || (number >= all.min && number <= all.max);
}

static bool make_time(struct arena *arena, struct strategy *strategy, struct error *err)
{
    struct times *spec = ARENA_NEW(arena, struct times);
    *spec = all_times(time_form_of(strategy->kind));
    strategy->spec = spec;
    if (!time_bound(strategy, 0, &spec->min, err) || !time_bound(strategy, 1, &spec->max, err)) {
        return false;
    }
    strategy->empty = spec->max < spec->min;
    return true;
}

/* Days that break programs: ends of months, years and centuries, leap days and similar days,
 * changes to and from summer time, the first and last days of other systems. */
static const struct {
    int16_t year, month, day;
} nasty_days[] = {
    {2000, 2, 29},  {2000, 3, 1},  {1999, 12, 31}, {2000, 1, 1},  {2004, 2, 29},  {1900, 2, 28},
    {1900, 3, 1},   {2100, 2, 28}, {2100, 3, 1},   {2001, 1, 31}, {2001, 2, 28},  {2001, 4, 30},
    {2020, 12, 31}, {2020, 2, 29}, {2021, 1, 3},   {2021, 1, 4},  {2024, 2, 29},  {2024, 3, 31},
    {2024, 3, 10},  {2024, 11, 3}, {2024, 10, 27}, {1970, 1, 1},  {1969, 12, 31}, {2038, 1, 19},
    {2038, 1, 20},  {1582, 10, 4}, {1582, 10, 15}, {1, 1, 1},     {9999, 12, 31}, {1000, 1, 1},
};

static int64_t propose_day(struct drawer *drawer, struct int_range range,
                           const struct strategy_kind *kind)
{
    enum { TRIES = 4, NEAR_DAYS = 36525 };
    struct rng *rng = drawer->rng;
    uint64_t roll = rng_below(rng, 16);
    for (int i = 0; i < TRIES && roll < 4; i++) {
        size_t index = rng_below(rng, sizeof nasty_days / sizeof *nasty_days);
        int64_t day =
            calendar_days(nasty_days[index].year, nasty_days[index].month, nasty_days[index].day);
        if (day >= range.min && day <= range.max) {
            return day;
        }
    }
    /* a lifetime around the day nearest to 2000 is likelier than the year 5000 */
    if (roll < 11) {
        range.min = range.min < range.toward - NEAR_DAYS ? range.toward - NEAR_DAYS : range.min;
        range.max = range.max > range.toward + NEAR_DAYS ? range.toward + NEAR_DAYS : range.max;
    }
    return propose_integer(drawer, range, kind);
}

static int64_t propose_time_of_day(struct drawer *drawer)
{
    static const int64_t nasty[] = {0, 1, 43200, 86399, 3600, 7200, 7199, 82800};
    struct rng *rng = drawer->rng;
    int64_t seconds = rng_one_in(rng, 2) ? nasty[rng_below(rng, sizeof nasty / sizeof *nasty)]
                                         : (int64_t)rng_below(rng, 86400);
    return seconds * CALENDAR_SECOND + propose_fraction(drawer, CALENDAR_SECOND);
}

static int64_t propose_timedelta(struct drawer *drawer, struct int_range range)
{
    static const int64_t clock_seconds[] = {0, 1, 59, 60, 3599, 3600, 43200, 86399};
    static const int64_t month_days[] = {0, 1, 6, 7, 28, 29, 30, 31, 364, 365, 366};
    enum { NEAR_DAYS = 400 };
    struct rng *rng = drawer->rng;
    if (rng_one_in(rng, 4)) {
        int64_t seconds = clock_seconds[rng_below(rng, sizeof clock_seconds / sizeof(int64_t))];
        int64_t days = month_days[rng_below(rng, sizeof month_days / sizeof(int64_t))];
        int64_t us = seconds * CALENDAR_SECOND + (rng_one_in(rng, 4) ? 1 : 0);
        us += rng_one_in(rng, 2) ? days * CALENDAR_DAY : 0;
        us = rng_one_in(rng, 3) ? -us : us;
        if (us >= range.min && us <= range.max) {
            return us;
        }
    }
    int64_t near = NEAR_DAYS * CALENDAR_DAY;
    if (!rng_one_in(rng, 8)) {
        range.min = range.min < range.toward - near ? range.toward - near : range.min;
        range.max = range.max > range.toward + near ? range.toward + near : range.max;
    }
    int64_t us = propose_integer(drawer, range, NULL);
    return us - us % CALENDAR_SECOND + propose_fraction(drawer, CALENDAR_SECOND);
}

static bool propose_pooled_time(struct drawer *drawer, const struct times *spec, int64_t *out)
{
    const struct string *text = propose_pooled(drawer);
    return text && spec->form->read(text->data, text->size, out) && *out >= spec->min &&
           *out <= spec->max;
}

static bool propose_time_of_moment(struct drawer *drawer, const struct times *spec, int64_t *out)
{
    struct moment_range range = {spec->min, spec->max, 1, spec->form == &timedelta_form};
    if (spec->form == &date_form) {
        range.unit = CALENDAR_DAY;
    }
    return spec->form != &time_form && propose_moment(drawer, range, out);
}

static int64_t propose_time(struct drawer *drawer, const struct strategy *strategy)
{
    const struct times *spec = strategy->spec;
    struct rng *rng = drawer->rng;
    struct int_range range = int_range(spec->min, spec->max);
    int64_t proposal;
    if (propose_time_of_moment(drawer, spec, &proposal)) {
        return proposal;
    }
    if (rng_one_in(rng, 8) && propose_pooled_time(drawer, spec, &proposal)) {
        return proposal + (int64_t)rng_below(rng, 3) - 1;
    }
    if (spec->form == &date_form) {
        return propose_day(drawer, range, strategy->kind);
    }
    if (rng_one_in(rng, 8)) {
        return rng_one_in(rng, 2) ? spec->min : spec->max;
    }
    if (spec->form == &time_form) {
        return propose_time_of_day(drawer);
    }
    if (spec->form == &timedelta_form) {
        return propose_timedelta(drawer, range);
    }
    struct int_range days =
        int_range(floor_div(spec->min, CALENDAR_DAY), floor_div(spec->max, CALENDAR_DAY));
    return propose_day(drawer, days, NULL) * CALENDAR_DAY + propose_time_of_day(drawer);
}

/* A wanted time may be written in any form: "12:30" for "12:30:00". */
static enum draw_result draw_time(const struct draw *draw)
{
    const struct times *spec = draw->strategy->spec;
    struct drawer *drawer = draw->drawer;
    int64_t proposal = 0;
    if (draw->wanted) {
        if (draw->wanted->type != VALUE_STRING ||
            !spec->form->read(draw->wanted->as.string->data, draw->wanted->as.string->size,
                              &proposal) ||
            proposal < spec->min || proposal > spec->max) {
            return DRAW_REJECTED;
        }
    } else if (draw_is_fresh(drawer)) {
        proposal = propose_time(drawer, draw->strategy);
    }
    char text[TIME_TEXT_MAX];
    int64_t number =
        draw_digits(drawer, int_range(spec->min, spec->max), spec->form->units, proposal);
    *draw->out = value_string(drawer->caller->arena, text, spec->form->write(number, text));
    return DRAW_OK;
}

#define TIMES(kind)                                                                                \
    {                                                                                              \
        .name = #kind,                                                                             \
        .params = {{"min_value", PARAM_OPTIONAL, false}, {"max_value", PARAM_OPTIONAL, false}},    \
        .repeats = REPEATS_KIND, .make = make_time, .draw = draw_time                              \
    }
const struct strategy_kind kind_dates = TIMES(dates);
const struct strategy_kind kind_times = TIMES(times);
const struct strategy_kind kind_datetimes = TIMES(datetimes);
const struct strategy_kind kind_timedeltas = TIMES(timedeltas);
