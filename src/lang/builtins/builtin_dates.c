/* Arithmetic of dates, times, timestamps and intervals, which are texts. */
#include "lang/builtins/native.h"

#include "value/number/numeric.h"
#include "value/time/moment.h"

const struct native_param date_add_params[] = {
    {"x", PARAM_REQUIRED, true}, {"y", PARAM_REQUIRED, true}, {0}};
const struct native_param age_params[] = {
    {"a", PARAM_REQUIRED, true}, {"b", PARAM_REQUIRED, true}, {0}};
const struct native_param extract_params[] = {
    {"field", PARAM_REQUIRED, true}, {"x", PARAM_REQUIRED, true}, {0}};
const struct native_param interval_params[] = {{"text", PARAM_OPTIONAL, true},
                                               {"years", PARAM_OPTIONAL, false},
                                               {"months", PARAM_OPTIONAL, false},
                                               {"weeks", PARAM_OPTIONAL, false},
                                               {"days", PARAM_OPTIONAL, false},
                                               {"hours", PARAM_OPTIONAL, false},
                                               {"mins", PARAM_OPTIONAL, false},
                                               {"secs", PARAM_OPTIONAL, false},
                                               {0}};
const struct native_param interval_multiply_params[] = {
    {"x", PARAM_REQUIRED, true}, {"n", PARAM_REQUIRED, true}, {0}};

static bool in_function(const char *name, bool ok, struct error *err)
{
    return ok || error_context(err, "%s()", name);
}

static bool want_moment(const char *name, struct value arg, struct moment *out, struct error *err)
{
    const struct string *text;
    if (!native_string(name, arg, &text, err)) {
        return false;
    }
    if (moment_read(text, out)) {
        return true;
    }
    struct strbuf shown = {0};
    value_repr(arg, &shown);
    error_set(err, ERROR_MACHINE, "%s() wants a date, time, timestamp or interval, not %s", name,
              strbuf_text(&shown));
    error_hint(err, "such as \"2020-01-31\", \"12:30:00\", \"2020-01-31 12:30:00\", \"1 mon 2 "
                    "days 03:00:00\"");
    strbuf_free(&shown);
    return false;
}

static bool want_interval(const char *name, struct value arg, struct interval *out,
                          struct error *err)
{
    const struct string *text;
    if (!native_string(name, arg, &text, err)) {
        return false;
    }
    if (interval_read(text->data, text->size, out)) {
        return true;
    }
    struct strbuf shown = {0};
    value_repr(arg, &shown);
    error_set(err, ERROR_MACHINE, "%s() wants an interval such as \"1 day 02:00:00\", not %s", name,
              strbuf_text(&shown));
    strbuf_free(&shown);
    return false;
}

static struct value interval_text(const struct native_call *call, struct interval interval)
{
    struct moment moment = {.kind = MOMENT_INTERVAL, .interval = interval};
    return moment_text(call->caller->arena, moment);
}

/* x + sign * y */
static bool add(const struct native_call *call, const char *name, int sign, struct value *out,
                struct error *err)
{
    struct value args[2];
    struct moment x;
    struct moment sum;
    struct interval interval;
    if (!native_bind(name, date_add_params, call, args, err) ||
        !want_moment(name, args[0], &x, err)) {
        return false;
    }
    int64_t days;
    bool ok;
    if (args[1].type == VALUE_INT) {
        ok = int_fits(args[1], &days) && days != INT64_MIN
                 ? moment_add_days(x, sign * days, &sum, err)
                 : error_set(err, ERROR_MACHINE, "out of range");
    } else {
        if (!want_interval(name, args[1], &interval, err)) {
            return false;
        }
        ok = interval_multiply(interval, sign, &interval)
                 ? moment_add(x, interval, &sum, err)
                 : error_set(err, ERROR_MACHINE, "the interval is out of range");
    }
    if (ok) {
        *out = moment_text(call->caller->arena, sum);
    }
    return in_function(name, ok, err);
}

bool builtin_date_add(const struct native_call *call, struct value *out, struct error *err)
{
    return add(call, "date_add", 1, out, err);
}

bool builtin_date_subtract(const struct native_call *call, struct value *out, struct error *err)
{
    return add(call, "date_subtract", -1, out, err);
}

static bool two_moments(const struct native_call *call, const char *name, struct moment *a,
                        struct moment *b, struct error *err)
{
    struct value args[2];
    return native_bind(name, age_params, call, args, err) && want_moment(name, args[0], a, err) &&
           want_moment(name, args[1], b, err);
}

bool builtin_date_diff(const struct native_call *call, struct value *out, struct error *err)
{
    struct moment a;
    struct moment b;
    struct moment difference;
    bool are_days;
    int64_t days;
    if (!two_moments(call, "date_diff", &a, &b, err) ||
        !in_function("date_diff", moment_difference(a, b, &are_days, &days, &difference, err),
                     err)) {
        return false;
    }
    *out = are_days ? value_int(days) : moment_text(call->caller->arena, difference);
    return true;
}

bool builtin_age(const struct native_call *call, struct value *out, struct error *err)
{
    struct moment a;
    struct moment b;
    struct moment age;
    if (!two_moments(call, "age", &a, &b, err) ||
        !in_function("age", moment_age(a, b, &age, err), err)) {
        return false;
    }
    *out = moment_text(call->caller->arena, age);
    return true;
}

/* A field's name and what it is asked of. */
static bool field_arguments(const struct native_call *call, const char *name,
                            const struct string **field, struct moment *x, struct error *err)
{
    struct value args[2];
    return native_bind(name, extract_params, call, args, err) &&
           native_string(name, args[0], field, err) && want_moment(name, args[1], x, err);
}

bool builtin_extract(const struct native_call *call, struct value *out, struct error *err)
{
    const struct string *field;
    struct moment x;
    return field_arguments(call, "extract", &field, &x, err) &&
           in_function("extract", moment_extract(call->caller->arena, field->data, x, out, err),
                       err);
}

bool builtin_date_trunc(const struct native_call *call, struct value *out, struct error *err)
{
    const struct string *field;
    struct moment x;
    struct moment truncated;
    if (!field_arguments(call, "date_trunc", &field, &x, err) ||
        !in_function("date_trunc", moment_truncate(field->data, x, &truncated, err), err)) {
        return false;
    }
    *out = moment_text(call->caller->arena, truncated);
    return true;
}

/* interval(text=None, years=0, …, secs=0) */

static bool add_named(struct value arg, struct interval unit, struct interval *sum,
                      struct error *err)
{
    int64_t number;
    struct interval many;
    if (arg.type == VALUE_NONE) {
        return true;
    }
    if (!native_int("interval", arg, &number, err)) {
        return false;
    }
    return (interval_multiply(unit, number, &many) && interval_add(*sum, many, sum)) ||
           error_set(err, ERROR_MACHINE, "interval() is out of range");
}

bool builtin_interval(const struct native_call *call, struct value *out, struct error *err)
{
    enum { TEXT, YEARS, ARGUMENTS = 8 };
    static const struct interval units[ARGUMENTS] = {
        {0},         {.months = 12},     {.months = 1},    {.days = 7},
        {.days = 1}, {.us = 3600000000}, {.us = 60000000}, {.us = 1000000},
    };
    struct value args[ARGUMENTS] = {0};
    struct interval sum = {0};
    if (!native_bind("interval", interval_params, call, args, err) ||
        (args[TEXT].type != VALUE_NONE && !want_interval("interval", args[TEXT], &sum, err))) {
        return false;
    }
    for (size_t i = YEARS; i < ARGUMENTS; i++) {
        if (!add_named(args[i], units[i], &sum, err)) {
            return false;
        }
    }
    *out = interval_text(call, sum);
    return true;
}

static bool two_intervals(const struct native_call *call, const char *name, struct interval *a,
                          struct interval *b, struct error *err)
{
    struct value args[2];
    return native_bind(name, age_params, call, args, err) && want_interval(name, args[0], a, err) &&
           want_interval(name, args[1], b, err);
}

bool builtin_interval_add(const struct native_call *call, struct value *out, struct error *err)
{
    struct interval a;
    struct interval b;
    if (!two_intervals(call, "interval_add", &a, &b, err)) {
        return false;
    }
    if (!interval_add(a, b, &a)) {
        return error_set(err, ERROR_MACHINE, "interval_add() is out of range");
    }
    *out = interval_text(call, a);
    return true;
}

bool builtin_interval_multiply(const struct native_call *call, struct value *out, struct error *err)
{
    struct value args[2];
    struct interval x;
    int64_t by;
    if (!native_bind("interval_multiply", interval_multiply_params, call, args, err) ||
        !want_interval("interval_multiply", args[0], &x, err) ||
        !native_int("interval_multiply", args[1], &by, err)) {
        return false;
    }
    if (!interval_multiply(x, by, &x)) {
        return error_set(err, ERROR_MACHINE, "interval_multiply() is out of range");
    }
    *out = interval_text(call, x);
    return true;
}

bool builtin_interval_cmp(const struct native_call *call, struct value *out, struct error *err)
{
    struct interval a;
    struct interval b;
    if (!two_intervals(call, "interval_cmp", &a, &b, err)) {
        return false;
    }
    *out = value_int(interval_compare(a, b));
    return true;
}
