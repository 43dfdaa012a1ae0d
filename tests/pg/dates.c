/*
 * Writes an SQL script for psql that compares our arithmetic of dates with the server's.
 *
 * Each case is an expression in SQL and our answer as text, or "refused". If we refuse because a
 * year lies outside 1 to 9999, the server must return such a year or refuse, too. The cases are
 * made from a fixed seed. The script prints the cases whose answers differ, then how many cases
 * there were.
 */
#include "value/number/numeric.h"
#include "value/time/calendar.h"
#include "value/time/moment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct arena arena;
static uint64_t seed = 20240607;

/* splitmix64 */
static uint64_t next_random(void)
{
    uint64_t z = seed += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30U) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27U) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31U;
}

/* 0 to bound - 1 */
static int64_t below(int64_t bound) { return (int64_t)(next_random() % (uint64_t)bound); }

/* -bound to bound, small ones more often */
static int64_t around(int64_t bound)
{
    int64_t most = below(3) ? below(40) : bound;
    return below(2 * most + 1) - most;
}

static int64_t random_day(void)
{
    if (below(3) == 0) { /* the end or the beginning of a month, in a tricky year */
        static const int64_t years[] = {1, 4, 100, 400, 1900, 1999, 2000, 2001, 2024, 2100, 9999};
        int64_t year = years[below(sizeof years / sizeof *years)];
        int64_t month = 1 + below(12);
        return calendar_days(year, month, 1) +
               (below(2) ? calendar_days_in_month(year, month) - 1 - below(3) : below(3));
    }
    if (below(2)) {
        return around(20000);
    }
    return calendar_first_day() + below(calendar_last_day() - calendar_first_day() + 1);
}

static int64_t random_time(void)
{
    static const int64_t nasty[] = {0, 1, CALENDAR_DAY - 1, CALENDAR_DAY / 2, 999999, 59999999};
    return below(4)   ? below(CALENDAR_DAY)
           : below(2) ? below(86400) * CALENDAR_SECOND
                      : nasty[below(sizeof nasty / sizeof *nasty)];
}

static struct moment random_interval(void)
{
    struct moment out = {.kind = MOMENT_INTERVAL};
    out.interval.months = below(2) ? (int32_t)around(14400) : 0;
    out.interval.days = below(2) ? (int32_t)around(400000) : 0;
    out.interval.us = below(3) == 0 ? 0
                      : below(2)    ? around(90000) * CALENDAR_SECOND
                                    : (below(2) ? -1 : 1) * below(CALENDAR_DAY * 40);
    return out;
}

static struct moment random_moment(enum moment_kind kind)
{
    struct moment out = {.kind = kind};
    switch (kind) {
    case MOMENT_DATE:
        out.number = random_day();
        break;
    case MOMENT_TIME:
        out.number = random_time();
        break;
    case MOMENT_TIMESTAMP:
    case MOMENT_TIMESTAMPTZ:
        out.number = random_day() * CALENDAR_DAY + random_time();
        break;
    case MOMENT_INTERVAL:
        return random_interval();
    case MOMENT_DAYS:
        break;
    }
    return out;
}

static const char *sql_type(enum moment_kind kind)
{
    static const char *const types[] = {"date", "time", "timestamp", "timestamptz", "interval"};
    return types[kind];
}

/* 'text'::type, read back from its text, as the language has it. */
static void add_literal(struct strbuf *sql, struct moment *moment)
{
    enum moment_kind kind = moment->kind;
    struct value text = moment_value(&arena, *moment);
    if (!moment_read(text.as.string, moment)) {
        (void)fprintf(stderr, "dates: can't read %s\n", text.as.string->data);
        exit(1);
    }
    if (moment->kind != kind) { /* an interval that looks like a time */
        struct interval interval = {0, 0, moment->number};
        *moment = (struct moment){.kind = kind, .interval = interval};
    }
    strbuf_addf(sql, "'%s'::%s", text.as.string->data, sql_type(kind));
}

static void write_case(const struct strbuf *sql, bool answered, struct value answer)
{
    struct strbuf text = {0};
    if (!answered) {
        strbuf_adds(&text, "refused");
    } else if (answer.type == VALUE_STRING) {
        strbuf_add(&text, answer.as.string->data, answer.as.string->size);
    } else {
        number_text(answer, &text);
    }
    (void)printf("SELECT (%s)::text\t%s\n", strbuf_text(sql), strbuf_text(&text));
    strbuf_free(&text);
    arena_reset(&arena);
}

static void write_moment(struct strbuf *sql, bool answered, struct moment answer)
{
    write_case(sql, answered, answered ? moment_value(&arena, answer) : value_none());
    strbuf_free(sql);
}

static void add_case(void)
{
    static const char operators[] = "+-";
    struct strbuf sql = {0};
    int sign = below(2) ? 1 : -1;
    struct moment out = {0};
    struct moment x = random_moment((enum moment_kind)below(5));
    add_literal(&sql, &x);
    strbuf_addf(&sql, " %c ", operators[sign < 0]);
    if (x.kind == MOMENT_DATE && below(2)) {
        int64_t days = around(1000000);
        strbuf_addf(&sql, "(%lld)::int", (long long)days);
        write_moment(&sql, moment_add_days(x, sign * days, &out, NULL), out);
        return;
    }
    struct moment y = random_interval();
    add_literal(&sql, &y);
    bool ok =
        interval_multiply(y.interval, sign, &y.interval) && moment_add(x, y.interval, &out, NULL);
    write_moment(&sql, ok, out);
}

static void difference_case(void)
{
    struct strbuf sql = {0};
    enum moment_kind kind = (enum moment_kind)below(5);
    bool mixed = kind != MOMENT_TIME && kind != MOMENT_INTERVAL && below(3) == 0;
    struct moment a = random_moment(kind);
    struct moment b = random_moment(mixed ? MOMENT_TIMESTAMP : kind);
    struct moment out = {0};
    add_literal(&sql, &a);
    strbuf_adds(&sql, " - ");
    add_literal(&sql, &b);
    bool ok = moment_difference(a, b, &out, NULL);
    write_moment(&sql, ok, out);
}

static void age_case(void)
{
    struct strbuf sql = {0};
    struct moment a = random_moment(below(2) ? MOMENT_DATE : MOMENT_TIMESTAMP);
    struct moment b = random_moment(a.kind);
    struct moment out = {0};
    if (below(3) == 0) { /* close together */
        b = a;
        int64_t unit = a.kind == MOMENT_DATE ? 1 : CALENDAR_DAY;
        b.number += around(60 * unit);
        bool fits =
            b.number >= calendar_first_day() * unit && b.number <= calendar_last_day() * unit;
        b.number = fits ? b.number : a.number;
    }
    strbuf_adds(&sql, "age(");
    add_literal(&sql, &a);
    strbuf_adds(&sql, ", ");
    add_literal(&sql, &b);
    strbuf_addc(&sql, ')');
    write_moment(&sql, moment_age(a, b, &out, NULL), out);
}

static const char *const fields[] = {
    "microseconds", "milliseconds", "second",  "minute", "hour",    "day",
    "week",         "month",        "quarter", "year",   "decade",  "century",
    "millennium",   "dow",          "doy",     "isodow", "isoyear", "epoch"};
enum { FIELDS = sizeof fields / sizeof *fields, TRUNC_FIELDS = 13 };

static void extract_case(void)
{
    struct strbuf sql = {0};
    const char *field = fields[below(FIELDS)];
    struct moment x = random_moment((enum moment_kind)below(5));
    struct value out = value_none();
    strbuf_addf(&sql, "extract(%s FROM ", field);
    if (x.kind == MOMENT_TIME) { /* its fields are those of the interval with the same text */
        struct interval interval = {0, 0, x.number};
        x = (struct moment){.kind = MOMENT_INTERVAL, .interval = interval};
    }
    add_literal(&sql, &x);
    strbuf_addc(&sql, ')');
    bool ok = moment_extract(&arena, field, x, &out, NULL);
    write_case(&sql, ok, out);
    strbuf_free(&sql);
}

static void truncate_case(void)
{
    struct strbuf sql = {0};
    const char *field = fields[below(TRUNC_FIELDS)];
    struct moment x = random_moment((enum moment_kind)below(5));
    struct moment out = {0};
    strbuf_addf(&sql, "date_trunc('%s', ", field);
    add_literal(&sql, &x);
    strbuf_addc(&sql, ')');
    bool ok = moment_truncate(field, x, &out, NULL);
    write_moment(&sql, ok, out);
}

static void interval_case(void)
{
    struct strbuf sql = {0};
    struct moment a = random_interval();
    struct moment b = random_interval();
    if (below(2)) {
        int64_t by = around(1000);
        add_literal(&sql, &a);
        strbuf_addf(&sql, " * (%lld)", (long long)by);
        bool ok = interval_multiply(a.interval, by, &a.interval);
        write_moment(&sql, ok, a);
        return;
    }
    if (below(2)) { /* nearly the same, in other units */
        b.interval = (struct interval){0, a.interval.months * 30 + a.interval.days, a.interval.us};
        b.interval.us += below(2) ? around(1) : 0;
    }
    strbuf_adds(&sql, "interval_cmp(");
    add_literal(&sql, &a);
    strbuf_adds(&sql, ", ");
    add_literal(&sql, &b);
    strbuf_addc(&sql, ')');
    write_case(&sql, true, value_int(interval_compare(a.interval, b.interval)));
    strbuf_free(&sql);
}

/* Valid and invalid texts of intervals. */
static void input_cases(void)
{
    static const char *const inputs[] = {
        "1 day",
        "2 weeks",
        "90 min",
        "1.5 hours",
        "-3 mons",
        "1 year 2 mons",
        "1 y 2 months",
        "04:05",
        "04:05:06.7",
        "-04:05:06",
        "100:00",
        "1 day -00:30",
        "-1 day 00:30",
        "-1 day +00:30",
        "3 centuries",
        "2 decades",
        "1 millennium",
        "5",
        "0",
        "250 ms",
        "1500 us",
        "2 secs",
        "1.000001 s",
        "+1 day",
        "1 Day 2 HOURS",
        "1day",
        "1 day 2 days",
        "25:61",
        "1 fortnight",
        "day",
        "",
        "1 day x",
        "--1 day",
        "00:60",
        "3000000000 days",
    };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        struct strbuf sql = {0};
        struct moment out = {.kind = MOMENT_INTERVAL};
        strbuf_addf(&sql, "'%s'::interval", inputs[i]);
        bool ok = interval_read(inputs[i], strlen(inputs[i]), &out.interval);
        write_moment(&sql, ok, out);
    }
}

static const char before[] =
    "\\set ON_ERROR_STOP 1\n"
    "SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres';\n"
    "CREATE TEMP TABLE cases (sql text, ours text);\n"
    "CREATE FUNCTION pg_temp.answer(sql text) RETURNS text LANGUAGE plpgsql AS $$\n"
    "DECLARE r text; BEGIN EXECUTE sql INTO r;\n"
    "IF r ~ '(BC|^[0-9]{5,}-.*)$' THEN RETURN 'refused'; END IF; RETURN r;\n"
    "EXCEPTION WHEN data_exception OR feature_not_supported OR undefined_function THEN\n"
    "RETURN 'refused'; END $$;\n"
    "COPY cases FROM stdin;\n";
static const char after[] = "\\.\n"
                            "SELECT sql, ours, pg_temp.answer(sql) AS server FROM cases\n"
                            " WHERE pg_temp.answer(sql) IS DISTINCT FROM ours LIMIT 20;\n"
                            "SELECT count(*) FROM cases;\n";

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 1000;
    if (argc > 2) {
        seed = strtoull(argv[2], NULL, 10);
    }
    (void)fputs(before, stdout);
    input_cases();
    for (int i = 0; i < count; i++) {
        add_case();
        add_case();
        difference_case();
        age_case();
        extract_case();
        extract_case();
        truncate_case();
        interval_case();
    }
    (void)fputs(after, stdout);
    arena_free(&arena);
    return ferror(stdout) ? 1 : 0;
}
