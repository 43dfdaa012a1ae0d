/* Time zones: their rules, and damaged files. tests/pg/zones.sh compares them with a server. */
#include "value/time/calendar.h"
#include "value/time/zone.h"

#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

static int64_t seconds(const char *timestamp)
{
    int64_t us;
    assert_true(calendar_read_timestamp(timestamp, strlen(timestamp), &us));
    return us / CALENDAR_SECOND;
}

/* The changes in 2024, a leap year, in UTC; NULL: the text is refused. */
static const struct {
    const char *text;
    int32_t standard, daylight;
    const char *first, *second;
} rules[] = {
    {"CET-1CEST,M3.5.0,M10.5.0/3", 3600, 7200, "2024-03-31 01:00:00", "2024-10-27 01:00:00"},
    {"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 37800, 39600, "2024-04-06 15:00:00",
     "2024-10-05 15:30:00"},
    {"IST-1GMT0,M10.5.0,M3.5.0/1", 3600, 0, "2024-03-31 01:00:00", "2024-10-27 01:00:00"},
    {"EET-2EEST,M3.4.4/50,M10.4.4/50", 7200, 10800, "2024-03-30 00:00:00", "2024-10-25 23:00:00"},
    {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", -7200, -3600, "2024-03-31 01:00:00", "2024-10-27 01:00:00"},
    {"A0B,J60/0,J365/0", 0, 3600, "2024-03-01 00:00:00", "2024-12-30 23:00:00"},
    {"A0B,59/0,365/0", 0, 3600, "2024-02-29 00:00:00", "2024-12-30 23:00:00"},
    {"A5:30:15B,M2.5.4/0,M11.1.0", -19815, -16215, "2024-02-29 05:30:15", "2024-11-03 06:30:15"},
    {"CET", 0, 0, NULL, NULL},
    {"CET-1CEST", 0, 0, NULL, NULL},
    {"CET-1CEST,M3.5.0", 0, 0, NULL, NULL},
    {"CET-1CEST,M13.5.0,M10.5.0", 0, 0, NULL, NULL},
    {"CET-1CEST,M3.6.0,M10.5.0", 0, 0, NULL, NULL},
    {"CET-1CEST,J0,J1", 0, 0, NULL, NULL},
    {"CET-1CEST,366,1", 0, 0, NULL, NULL},
    {"<CET-1", 0, 0, NULL, NULL},
    {"CET-1CEST,M3.5.0,M10.5.0 ", 0, 0, NULL, NULL},
};

static void rules_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct zone_rule rule;
        struct zone_change changes[2];
        bool read = zone_rule_read(rules[i].text, strlen(rules[i].text), &rule);
        assert_int_equal(read, rules[i].first != NULL);
        if (read) {
            zone_rule_changes(&rule, 2024, changes);
            assert_true(rule.yearly);
            assert_int_equal(rule.standard, rules[i].standard);
            assert_int_equal(rule.daylight, rules[i].daylight);
            assert_int_equal(changes[0].time, seconds(rules[i].first));
            assert_int_equal(changes[1].time, seconds(rules[i].second));
            assert_int_equal(changes[0].offset + changes[1].offset, rule.standard + rule.daylight);
        }
    }
}

static void add_number(struct strbuf *out, int64_t number, unsigned size)
{
    while (size--) {
        strbuf_addc(out, (char)((uint64_t)number >> (8 * size)));
    }
}

static void add_header(struct strbuf *out, char version, int64_t changes, int64_t types)
{
    const int64_t counts[] = {0, 0, 0, changes, types, 4};
    strbuf_adds(out, "TZif");
    strbuf_addc(out, version);
    strbuf_fill(out, '\0', 15);
    for (size_t i = 0; i < 6; i++) {
        add_number(out, counts[i], 4);
    }
}

/* Two changes: to an hour to the east, and back. */
static void add_body(struct strbuf *out, unsigned width)
{
    add_number(out, 1000000000, width);
    add_number(out, 1010000000, width);
    strbuf_add(out, "\1\0", 2);
    for (int32_t i = 0; i < 2; i++) {
        add_number(out, i * 3600LL, 4);
        strbuf_add(out, "\0\0", 2);
    }
    strbuf_add(out, "ABC", 4);
}

static void make_file(struct strbuf *out, char version)
{
    add_header(out, version, 2, 2);
    add_body(out, 4);
    if (version) {
        add_header(out, version, 2, 2);
        add_body(out, 8);
        strbuf_adds(out, "\nABC0ABD,M3.5.0,M10.5.0\n");
    }
}

static void files_are_read(void **state)
{
    (void)state;
    const int64_t first = 1000000000 - 946684800;
    for (int version = 0; version < 2; version++) {
        struct strbuf file = {0};
        struct zone zone;
        make_file(&file, version ? '2' : '\0');
        assert_true(zone_decode(&arena, file.data, file.size, &zone));
        assert_int_equal(zone.count, 2);
        assert_int_equal(zone.rule.yearly, version);
        assert_int_equal(zone_offset(&zone, first - 1), 0);
        assert_int_equal(zone_offset(&zone, first), 3600);
        assert_int_equal(zone_offset(&zone, first + 10000000), 0);
        assert_int_equal(zone_offset(&zone, seconds("2024-07-01")), version ? 3600 : 0);
        struct zone_change change;
        assert_true(zone_next_change(&zone, first - 1, &change));
        assert_int_equal(change.time, first);
        assert_int_equal(change.offset, 3600);
        assert_true(zone_next_change(&zone, first, &change));
        assert_int_equal(change.time, first + 10000000);
        /* skipped: by the offset before; twice: the later one */
        assert_int_equal(zone_offset_local(&zone, first + 1800), 0);
        assert_int_equal(zone_offset_local(&zone, first + 3600), 3600);
        assert_int_equal(zone_offset_local(&zone, first + 10000000 - 1), 3600);
        assert_int_equal(zone_offset_local(&zone, first + 10000000), 0);
        strbuf_free(&file);
    }
}

/* Truncated files, and files with a changed byte, are refused or read, but never beyond their end.
 */
static void damaged_files(void **state)
{
    (void)state;
    for (int version = 0; version < 2; version++) {
        struct strbuf file = {0};
        struct zone zone;
        make_file(&file, version ? '2' : '\0');
        for (size_t size = 0; size < file.size; size++) {
            char *cut = memory_alloc(size + 1);
            memcpy(cut, file.data, size);
            assert_false(zone_decode(&arena, cut, size, &zone));
            free(cut);
        }
        for (size_t at = 0; at < file.size; at++) {
            static const char bytes[] = {0, 1, 127, (char)128, (char)255, '\n'};
            for (size_t i = 0; i < sizeof bytes; i++) {
                char was = file.data[at];
                file.data[at] = bytes[i];
                if (zone_decode(&arena, file.data, file.size, &zone)) {
                    (void)zone_offset(&zone, seconds("2024-07-01"));
                    (void)zone_offset_local(&zone, seconds("0001-01-01"));
                    (void)zone_offset_local(&zone, seconds("9999-12-31 23:59:59"));
                }
                file.data[at] = was;
            }
            arena_reset(&arena);
        }
        strbuf_free(&file);
    }
}

static int teardown(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_are_read),
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(damaged_files),
    };
    return cmocka_run_group_tests(tests, NULL, teardown);
}
