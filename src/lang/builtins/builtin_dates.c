/* Arithmetic of dates, times, timestamps and intervals, which are texts. */
#include "lang/builtins/native.h"

#include "lang/lang.h"
#include "value/number/numeric.h"
#include "value/time/moment.h"
#include "value/time/zone.h"

#include <string.h>

/* Puts the function's name before the error of the value module. */
static bool in_function(const struct native_call *call, bool ok, struct error *err)
{
    return ok || error_context(err, "%s()", call->function->name);
}

static bool out_of_range(const struct native_call *call, struct error *err)
{
    return error_set(err, ERROR_MACHINE, "%s() is out of range", call->function->name);
}

static bool refuse_argument(const struct native_call *call, size_t index, const char *wanted,
                            struct error *err)
{
    struct strbuf shown = {0};
    value_repr(call->args[index], &shown);
    (void)error_set(err, ERROR_MACHINE, "%s() expects %s, not %s", call->function->name, wanted,
                    strbuf_text(&shown));
    strbuf_free(&shown);
    return false;
}

static bool read_moment(const struct native_call *call, size_t index, struct moment *out,
                        struct error *err)
{
    if (moment_read(call->args[index].as.string, out)) {
        return true;
    }
    (void)refuse_argument(call, index, "a date, time, timestamp or interval", err);
    return error_hint(err, "such as \"2020-01-31\", \"12:30:00\", \"2020-01-31 12:30:00\", "
                           "\"1 mon 2 days 03:00:00\"");
}

static bool read_interval(const struct native_call *call, size_t index, struct interval *out,
                          struct error *err)
{
    const struct string *text = call->args[index].as.string;
    return interval_read(text->data, text->size, out) ||
           refuse_argument(call, index, "an interval such as \"1 day 02:00:00\"", err);
}

static struct value interval_text(const struct native_call *call, struct interval interval)
{
    struct moment moment = {.kind = MOMENT_INTERVAL, .interval = interval};
    return moment_value(call->caller->arena, moment);
}

/* date_add, date_subtract: x + variant * y */
static bool date_add(const struct native_call *call, struct value *out, struct error *err)
{
    int sign = call->function->variant;
    struct moment x;
    struct moment sum;
    struct interval interval;
    if (!read_moment(call, 0, &x, err)) {
        return false;
    }
    bool ok;
    if (call->args[1].type == VALUE_INT) {
        int64_t days = call->args[1].as.integer;
        ok = days != INT64_MIN ? moment_add_days(x, sign * days, &sum, err)
                               : error_set(err, ERROR_MACHINE, "out of range");
    } else {
        if (!read_interval(call, 1, &interval, err)) {
            return false;
        }
        ok = interval_multiply(interval, sign, &interval)
                 ? moment_add(x, interval, &sum, err)
                 : error_set(err, ERROR_MACHINE, "the interval is out of range");
    }
    if (ok) {
        *out = moment_value(call->caller->arena, sum);
    }
    return in_function(call, ok, err);
}

enum { DATE_DIFF, AGE };

static bool date_diff(const struct native_call *call, struct value *out, struct error *err)
{
    bool age = call->function->variant == AGE;
    struct moment a;
    struct moment b;
    struct moment difference;
    if (!read_moment(call, 0, &a, err) || !read_moment(call, 1, &b, err) ||
        !in_function(call, (age ? moment_age : moment_difference)(a, b, &difference, err), err)) {
        return false;
    }
    *out = moment_value(call->caller->arena, difference);
    return true;
}

static bool extract(const struct native_call *call, struct value *out, struct error *err)
{
    const char *field = value_cstr(call->args[0]);
    struct moment x;
    return read_moment(call, 1, &x, err) &&
           in_function(call, moment_extract(call->caller->arena, field, x, out, err), err);
}

static bool date_trunc(const struct native_call *call, struct value *out, struct error *err)
{
    struct moment x;
    if (!read_moment(call, 1, &x, err) ||
        !in_function(call, moment_truncate(value_cstr(call->args[0]), x, &x, err), err)) {
        return false;
    }
    *out = moment_value(call->caller->arena, x);
    return true;
}

/* A zone that the example has read. */
struct lang_zone {
    const char *name;
    struct zone zone;
    struct lang_zone *next;
};

/* Each zone is read once in an example. */
static const struct zone *find_zone(const struct native_call *call, struct error *err)
{
    struct lang_state *state = native_state(call);
    const char *name = value_cstr(call->args[1]);
    struct lang_zone *known = *state->zones;
    while (known && strcmp(known->name, name) != 0) {
        known = known->next;
    }
    if (known) {
        return &known->zone;
    }
    known = ARENA_NEW(state->arena, struct lang_zone);
    if (!zone_find(state->arena, name, &known->zone, err)) {
        (void)error_context(err, "%s()", call->function->name);
        return NULL;
    }
    known->name = arena_strdup(state->arena, name);
    known->next = *state->zones;
    *state->zones = known;
    return &known->zone;
}

static bool at_time_zone(const struct native_call *call, struct value *out, struct error *err)
{
    struct moment x;
    if (!read_moment(call, 0, &x, err)) {
        return false;
    }
    const struct zone *zone = find_zone(call, err);
    if (!zone || !in_function(call, moment_at_zone(x, zone, &x, err), err)) {
        return false;
    }
    *out = moment_value(call->caller->arena, x);
    return true;
}

/* interval(text=None, years=0, …, secs=0) */
static bool interval(const struct native_call *call, struct value *out, struct error *err)
{
    static const struct interval units[] = {
        {0},         {.months = 12},     {.months = 1},    {.days = 7},
        {.days = 1}, {.us = 3600000000}, {.us = 60000000}, {.us = 1000000},
    };
    struct interval sum = {0};
    if (call->args[0].type != VALUE_NONE && !read_interval(call, 0, &sum, err)) {
        return false;
    }
    for (size_t i = 1; i < call->arg_count; i++) {
        struct interval many;
        if (call->args[i].type != VALUE_NONE &&
            (!interval_multiply(units[i], call->args[i].as.integer, &many) ||
             !interval_add(sum, many, &sum))) {
            return out_of_range(call, err);
        }
    }
    *out = interval_text(call, sum);
    return true;
}

static bool add_dates(const struct native_call *call, struct value *out, struct error *err)
{
    struct interval a;
    struct interval b;
    if (!read_interval(call, 0, &a, err) || !read_interval(call, 1, &b, err)) {
        return false;
    }
    if (!interval_add(a, b, &a)) {
        return out_of_range(call, err);
    }
    *out = interval_text(call, a);
    return true;
}

static bool multiply_interval(const struct native_call *call, struct value *out, struct error *err)
{
    struct interval x;
    if (!read_interval(call, 0, &x, err)) {
        return false;
    }
    if (!interval_multiply(x, call->args[1].as.integer, &x)) {
        return out_of_range(call, err);
    }
    *out = interval_text(call, x);
    return true;
}

static bool compare_dates(const struct native_call *call, struct value *out, struct error *err)
{
    struct interval a;
    struct interval b;
    if (!read_interval(call, 0, &a, err) || !read_interval(call, 1, &b, err)) {
        return false;
    }
    *out = value_int(interval_compare(a, b));
    return true;
}

enum { TEXT = PARAM_POSITIONAL | PARAM_STRING };

static const struct native_param two_texts[] = {
    {"a", PARAM_REQUIRED, TEXT}, {"b", PARAM_REQUIRED, TEXT}, {0}};
static const struct native_param add_params[] = {
    {"x", PARAM_REQUIRED, TEXT}, {"y", PARAM_REQUIRED, TEXT | PARAM_INT}, {0}};
static const struct native_param zone_params[] = {
    {"x", PARAM_REQUIRED, TEXT}, {"zone", PARAM_REQUIRED, TEXT}, {0}};
static const struct native_param extract_params[] = {
    {"field", PARAM_REQUIRED, TEXT}, {"x", PARAM_REQUIRED, TEXT}, {0}};
static const struct native_param multiply_params[] = {
    {"x", PARAM_REQUIRED, TEXT}, {"n", PARAM_REQUIRED, PARAM_POSITIONAL | PARAM_INT}, {0}};
static const struct native_param interval_params[] = {{"text", PARAM_OPTIONAL, TEXT},
                                                      {"years", PARAM_OPTIONAL, PARAM_INT},
                                                      {"months", PARAM_OPTIONAL, PARAM_INT},
                                                      {"weeks", PARAM_OPTIONAL, PARAM_INT},
                                                      {"days", PARAM_OPTIONAL, PARAM_INT},
                                                      {"hours", PARAM_OPTIONAL, PARAM_INT},
                                                      {"mins", PARAM_OPTIONAL, PARAM_INT},
                                                      {"secs", PARAM_OPTIONAL, PARAM_INT},
                                                      {0}};

const struct native_function builtins_dates[] = {
    {"age", date_diff, two_texts, AGE},
    {"at_time_zone", at_time_zone, zone_params, 0},
    {"date_add", date_add, add_params, 1},
    {"date_diff", date_diff, two_texts, DATE_DIFF},
    {"date_subtract", date_add, add_params, -1},
    {"date_trunc", date_trunc, extract_params, 0},
    {"extract", extract, extract_params, 0},
    {"interval", interval, interval_params, 0},
    {"interval_add", add_dates, two_texts, 0},
    {"interval_cmp", compare_dates, two_texts, 0},
    {"interval_multiply", multiply_interval, multiply_params, 0},
    {0},
};
