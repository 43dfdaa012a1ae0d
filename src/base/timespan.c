#include "base/timespan.h"

#include "base/names.h"

#include <string.h>

#define DURATION_MAX_MS ((int64_t)1000 * 60 * 60 * 24 * 365 * 100)

static const struct {
    const char *name;
    int64_t ms;
} units[] = {{"ms", 1}, {"s", 1000}, {"m", 60000}, {"min", 60000}, {"h", 3600000}};

static const char digits[] = "0123456789";

static int64_t unit_ms(const char *name)
{
    size_t unit = name_index(name, ROWS_IN(units, name));
    return unit < sizeof units / sizeof *units ? units[unit].ms : 0;
}

/* Converts the digits from `text` to `end` to milliseconds; false if there are too many. */
static bool whole_part(const char *text, const char *end, int64_t unit, int64_t *out)
{
    int64_t number = 0;
    for (; text < end; text++) {
        number = number * 10 + (*text - '0');
        if (number > DURATION_MAX_MS / unit) {
            return false;
        }
    }
    *out = number * unit;
    return true;
}

static int64_t fraction_part(const char *text, const char *end, int64_t unit)
{
    int64_t sum = 0;
    for (int64_t scale = unit / 10; text < end && scale; text++, scale /= 10) {
        sum += (*text - '0') * scale;
    }
    return sum;
}

bool timespan_parse(const char *text, int64_t *out_ms, struct error *err)
{
    if (strcmp(text, "none") == 0 || strcmp(text, "0") == 0) {
        *out_ms = 0;
        return true;
    }
    const char *point = text + strspn(text, digits);
    const char *fraction = point + (*point == '.');
    const char *end = fraction + strspn(fraction, digits);
    bool number = point > text && (fraction == point || end > fraction);
    int64_t unit = unit_ms(end + (*end == ' '));
    int64_t whole;
    if (number && !*end) {
        (void)error_set(err, ERROR_USAGE, "'%s' has no unit", text);
        return error_hint(err, "write %ss for seconds; units are ms, s, min and h", text);
    }
    if (!number || !unit) {
        (void)error_set(err, ERROR_USAGE, "'%s' is not a duration", text);
        return error_hint(err, "write a number and ms, s, min or h, such as 5s or 500ms, or none");
    }
    if (!whole_part(text, point, unit, &whole)) {
        (void)error_set(err, ERROR_USAGE, "'%s' is too long", text);
        return error_hint(err, "write none for no limit");
    }
    *out_ms = whole + fraction_part(fraction, end, unit);
    return true;
}
