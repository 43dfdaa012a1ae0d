/* CHECKs as pg_get_expr of PostgreSQL 15 writes them, and what is read out of them. */
#include "pg/check_facts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *text, *facts; /* kind:values */
} cases[] = {
    {"(c > 0)", "above:0"},
    {"((c)::numeric >= '-1.5'::numeric)", "least:-1.5"},
    {"(c < (10)::numeric)", "below:10"},
    {"((c >= 1) AND (c <= 5))", "least:1 most:5"},
    {"(10 >= c)", "most:10"},
    {"((VALUE >= 0) AND (VALUE <= 100) AND (VALUE <> 7))", "least:0 most:100 not:7"},
    {"(c = ANY (ARRAY['a'::text, 'it''s, (b)'::text]))", "in:a|it's, (b)"},
    {"((c)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[]))",
     "in:a|b"},
    {"(c <> ALL (ARRAY[1, 2]))", "not:1|2"},
    {"(c = 'x'::text)", "in:x"},
    {"(c ~ '^\\d+$'::text)", "matches:^\\d+$"},
    {"((c)::text ~* 'a|b'::text)", "matches:(?i)a|b"},
    {"(length(c) > 2)", "length-least:3"},
    {"((char_length((c)::text) >= 1) AND (char_length((c)::text) <= 9))",
     "length-least:1 length-most:9"},
    {"((c IS NULL) OR (c > 3))", "above:3"},
    {"((c >= '1900-01-01'::date) AND (c < '2020-01-01'::date))",
     "least:1900-01-01 below:2020-01-01"},
    {"(c = true)", "in:true"},
    /* nothing is said of these */
    {"((c > 0) OR (c < -5))", ""},
    {"(c > d)", ""},
    {"(d > 0)", ""},
    {"(lower(c) = 'a'::text)", ""},
    {"((c % 2) = 0)", ""},
    {"(NOT (c > 0))", ""},
    {"c", ""},
    {"(c IS NOT NULL)", ""},
    {"(c ~~ 'a%'::text)", ""},
    {"(c !~ 'a'::text)", ""},
    {"(c > now())", ""},
    {"((d > 0) AND (c > 1))", "above:1"},
};

static void describe(const struct column_facts *column, struct strbuf *out)
{
    static const char *const names[] = {
        [CHECK_IN] = "in",
        [CHECK_NOT_IN] = "not",
        [CHECK_AT_LEAST] = "least",
        [CHECK_ABOVE] = "above",
        [CHECK_AT_MOST] = "most",
        [CHECK_BELOW] = "below",
        [CHECK_MATCHES] = "matches",
        [CHECK_LENGTH_AT_LEAST] = "length-least",
        [CHECK_LENGTH_AT_MOST] = "length-most",
    };
    for (size_t i = 0; i < column->checks.count; i++) {
        const struct check_facts *check = &column->checks.items[i];
        strbuf_addf(out, "%s%s:", i ? " " : "", names[check->kind]);
        for (size_t j = 0; j < check->values.count; j++) {
            strbuf_addf(out, "%s%s", j ? "|" : "", check->values.items[j]);
        }
    }
}

static void checks_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct strbuf facts = {0};
        struct column_facts column = {.name = "c"};
        check_facts_read(&arena, cases[i].text, &column);
        describe(&column, &facts);
        if (strcmp(strbuf_text(&facts), cases[i].facts) != 0) {
            fail_msg("%s: %s", cases[i].text, strbuf_text(&facts));
        }
        strbuf_free(&facts);
        arena_free(&arena);
    }
}

static void quoted_names_are_columns(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct column_facts column = {.name = "Full Name"};
    check_facts_read(&arena, "((\"Full Name\" IS NULL) OR (length(\"Full Name\") > 2))", &column);
    assert_int_equal(column.checks.count, 1);
    assert_int_equal(column.checks.items[0].kind, CHECK_LENGTH_AT_LEAST);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checks_are_read),
        cmocka_unit_test(quoted_names_are_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
