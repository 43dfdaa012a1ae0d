/* dates, times, datetimes and timedeltas within a column's checks. */
#include "schema/column.h"

#include <string.h>

/* The column's precision. */
static int64_t time_unit(const struct column_facts *column, const struct strategy_kind *kind)
{
    enum { DIGITS = 6 };
    int64_t unit = 1;
    for (int64_t i = column->fraction < 0 ? DIGITS : column->fraction; i < DIGITS; i++) {
        unit *= 10;
    }
    return kind == &kind_dates ? 1 : unit;
}

/* Ignores bounds that can't be represented (infinity, a year before 1, too many days). */
static bool time_bound(struct arena *arena, const struct column_facts *column,
                       const struct strategy_kind *kind, const char *text, int64_t *out)
{
    struct value bound = check_constant(arena, column, text);
    struct interval interval;
    char whole[INTERVAL_TEXT_MAX];
    if (kind == &kind_timedeltas && interval_read(text, strlen(text), &interval)) {
        int32_t days; /* a month counts as 30 */
        if (__builtin_mul_overflow(interval.months, 30, &days) ||
            __builtin_add_overflow(interval.days, days, &interval.days)) {
            return false;
        }
        interval.months = 0;
        bound = value_string(arena, whole, interval_write(interval, whole));
    }
    return time_form_of(kind)->read(value_cstr(bound), bound.as.string->size, out);
}

static struct value time_text(struct arena *arena, const struct strategy_kind *kind, int64_t number)
{
    char text[TIME_TEXT_MAX];
    return value_string(arena, text, time_form_of(kind)->write(number, text));
}

bool times_strategy(struct arena *arena, const struct column_facts *column,
                    const struct strategy_kind *kind, struct value *out, struct error *err)
{
    struct value args[2] = {{0}};
    for (size_t i = 0; i < column->checks.count; i++) {
        const struct check_facts *check = &column->checks.items[i];
        bool is_min = check->kind == CHECK_AT_LEAST || check->kind == CHECK_ABOVE;
        bool is_max = check->kind == CHECK_AT_MOST || check->kind == CHECK_BELOW;
        int64_t bound;
        if ((is_min || is_max) && time_bound(arena, column, kind, check->values.items[0], &bound)) {
            int64_t unit = time_unit(column, kind);
            int64_t by = check->kind == CHECK_ABOVE ? unit : check->kind == CHECK_BELOW ? -unit : 0;
            int64_t next;
            if (!__builtin_add_overflow(bound, by, &next) && time_fits(kind, next)) {
                bound = next;
            } else { /* there is no value beyond it, so the bounds exclude each other */
                args[is_min] = time_text(arena, kind, bound - by);
            }
            args[is_max] = time_text(arena, kind, bound);
        }
    }
    return strategy_of_kind(arena, kind, args, out, err);
}
