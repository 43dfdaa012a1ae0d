/* dates, times, datetimes and timedeltas within a column's checks. */
#include "schema/column.h"

#include "value/time/calendar.h"
#include "value/time/interval.h"

#include <string.h>

/* The next time above or below; `by` counts days of a date, else microseconds. What can't be read
 * is left as it is. */
static struct value next_time(struct arena *arena, const struct strategy_kind *kind,
                              struct value bound, int64_t by)
{
    static const struct {
        const struct strategy_kind *kind;
        bool (*read)(const char *text, size_t size, int64_t *out);
        size_t (*write)(int64_t number, char *out);
    } forms[] = {
        {&kind_dates, calendar_read_date, calendar_write_date},
        {&kind_times, calendar_read_time, calendar_write_time},
        {&kind_datetimes, calendar_read_timestamp, calendar_write_timestamp},
    };
    char text[INTERVAL_TEXT_MAX];
    const struct string *from = bound.as.string;
    struct interval interval;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        int64_t number;
        if (forms[i].kind == kind && forms[i].read(from->data, from->size, &number)) {
            return value_string(arena, text, forms[i].write(number + by, text));
        }
    }
    if (kind == &kind_timedeltas && interval_read(from->data, from->size, &interval)) {
        interval.us += by;
        return value_string(arena, text, interval_write(interval, text));
    }
    return bound;
}

/* The smallest difference that the column keeps. */
static int64_t time_unit(const struct column_facts *column, const struct strategy_kind *kind)
{
    enum { DIGITS = 6 };
    int64_t unit = 1;
    for (int64_t i = column->fraction < 0 ? DIGITS : column->fraction; i < DIGITS; i++) {
        unit *= 10;
    }
    return kind == &kind_dates ? 1 : unit;
}

/* A bound that can't be kept (infinity, a year before 1) is none. */
static struct value time_bound(struct arena *arena, const struct column_facts *column,
                               const struct strategy_kind *kind, const char *text)
{
    struct value bound = check_constant(arena, column, text);
    struct interval interval;
    struct value ignored;
    if (kind == &kind_timedeltas && interval_read(text, strlen(text), &interval)) {
        char whole[INTERVAL_TEXT_MAX]; /* a month counts as 30 days */
        interval.days += interval.months * 30;
        interval.months = 0;
        bound = value_string(arena, whole, interval_write(interval, whole));
    }
    struct value args[2] = {bound};
    return strategy_of_kind(arena, kind, args, &ignored, NULL) ? bound : value_none();
}

bool times_strategy(struct arena *arena, const struct column_facts *column,
                    const struct strategy_kind *kind, struct value *out, struct error *err)
{
    struct value args[2] = {{0}};
    for (size_t i = 0; i < column->checks.count; i++) {
        const struct check_facts *check = &column->checks.items[i];
        bool is_min = check->kind == CHECK_AT_LEAST || check->kind == CHECK_ABOVE;
        if (is_min || check->kind == CHECK_AT_MOST || check->kind == CHECK_BELOW) {
            struct value bound = time_bound(arena, column, kind, check->values.items[0]);
            bool strict = check->kind == CHECK_ABOVE || check->kind == CHECK_BELOW;
            if (strict && bound.type == VALUE_STRING) {
                int64_t unit = time_unit(column, kind);
                bound = next_time(arena, kind, bound, is_min ? unit : -unit);
            }
            args[!is_min] = bound.type == VALUE_NONE ? args[!is_min] : bound;
        }
    }
    return strategy_of_kind(arena, kind, args, out, err);
}
