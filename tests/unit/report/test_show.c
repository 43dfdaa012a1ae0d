#include "account/show.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void numbers_have_commas(void **state)
{
    (void)state;
    static const struct {
        uint64_t count;
        const char *text;
    } cases[] = {
        {0, "0"},          {999, "999"},           {1000, "1,000"},
        {12345, "12,345"}, {1234567, "1,234,567"}, {UINT64_MAX, "18,446,744,073,709,551,615"}};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(show_count(&arena, cases[i].count), cases[i].text);
    }
    arena_free(&arena);
}

static void one_is_no_plural(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_string_equal(show_counted(&arena, 1, "step"), "1 step");
    assert_string_equal(show_counted(&arena, 0, "step"), "0 steps");
    arena_free(&arena);
}

static void durations_have_three_digits(void **state)
{
    (void)state;
    static const struct {
        uint64_t time_us;
        const char *text;
    } cases[] = {{0, "0.00 s"},
                 {612345, "0.61 s"},
                 {9994000, "9.99 s"},
                 {9996000, "10.0 s"},
                 {99400000, "99.4 s"},
                 {99600000, "1 min 40 s"},
                 {125000000, "2 min 5 s"},
                 {3600000000, "1 h 0 min"},
                 {7380000000, "2 h 3 min"}};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(show_duration(&arena, cases[i].time_us), cases[i].text);
    }
    arena_free(&arena);
}

static void text_is_cut_between_characters(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_string_equal(show_text(&arena, NULL, "ääääääää", 8), "ääääääää");
    assert_string_equal(show_text(&arena, NULL, "äääääääää", 8), "ääääää… (9 characters)");
    arena_free(&arena);
}

static void sql_loses_its_indentation(void **state)
{
    (void)state;
    static const struct {
        const char *sql;
        size_t max_lines;
        const char *text;
    } cases[] = {
        {"SELECT 1", SHOW_ALL, "  SELECT 1"},
        {"   SELECT 1", SHOW_ALL, "  SELECT 1"},
        {"SELECT 1\n      FROM t\n        WHERE x\n", SHOW_ALL,
         "  SELECT 1\n  FROM t\n    WHERE x"},
        {"SELECT 1\n    FROM t\n\n   WHERE x", SHOW_ALL, "  SELECT 1\n   FROM t\n\n  WHERE x"},
        {"a\n  b\r\n  c", SHOW_ALL, "  a\n  b\n  c"},
        {"a\nb\nc\nd", 2, "  a\n  b\n  … 2 more lines"},
        {"\n\n  a\n  b", SHOW_ALL, "  a\n  b"},
        {"", SHOW_ALL, ""},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = show_sql(&arena, cases[i].sql, 2, cases[i].max_lines);
        assert_string_equal(text, cases[i].text);
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_commas),
        cmocka_unit_test(one_is_no_plural),
        cmocka_unit_test(durations_have_three_digits),
        cmocka_unit_test(text_is_cut_between_characters),
        cmocka_unit_test(sql_loses_its_indentation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
