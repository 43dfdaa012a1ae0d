/* CHECKs in the form of PostgreSQL 15's pg_get_expr, and the facts read from them. */
#include "pg/catalog/check_facts.h"

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
    {"((c = 'a'::text) OR (c IS NULL) OR (c = ANY (ARRAY['b'::text, 'c'::text])))", "in:a|b|c"},
    {"(c = ANY ('{a,\"b c\",NULL}'::text[]))", "in:a|b c"},
    {"(c <> ALL ('{1,2}'::integer[]))", "not:1|2"},
    {"((c IS NOT NULL) AND (c > 1))", "not-null above:1"},
    {"(((c > 0) OR (c IS NULL)) AND (c < 5))", "above:0 below:5"},
    {"(c ~~ 'https://_%.a\\%b'::text)", "matches:^https://..*\\.a%b$"},
    {"((c)::text ~~* 'a%'::text)", "matches:(?i)^a.*$"},
    {"(c ~ similar_to_escape('(a|b)_[0-9]+.%'::text))", "matches:^(?:(a|b).[0-9]+\\..*)$"},
    {"(POSITION(('@'::text) IN (c)) > 1)", "matches:^[^@]{1,}@"},
    {"((POSITION(('.-'::text) IN ((c)::text)) <> 0))", "matches:^[^\\.]{0,}\\.-"},
    {"(strpos(c, 'é'::text) >= 1)", "matches:^[^é]{0,}é"},
    /* no facts for these */
    {"((c = 'a'::text) OR (d = 'b'::text))", ""},
    {"((c = 'a'::text) OR ((c = 'b'::text) AND (d > 0)))", ""},
    {"(c = ANY ('{{'::text[]))", ""},
    {"(NOT c)", ""},
    {"(cardinality(c) > 0)", ""},
    {"((c > 0) OR (c < -5))", ""},
    {"(c > d)", ""},
    {"(d > 0)", ""},
    {"(lower(c) = 'a'::text)", ""},
    {"((c % 2) = 0)", ""},
    {"(NOT (c > 0))", ""},
    {"c", ""},
    {"(c IS NOT NULL)", "not-null "},
    {"(c !~~ 'a%'::text)", ""},
    {"(c ~~ d)", ""},
    {"(POSITION((d) IN (c)) > 0)", ""},
    {"(POSITION(('@'::text) IN (d)) > 0)", ""},
    {"(POSITION(('@'::text) IN (c)) < 4)", ""},
    {"(POSITION(('@'::text) IN (c)) = 0)", ""},
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
    strbuf_adds(out, column->not_null ? "not-null " : "");
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

static void some_depends_on_the_type(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        enum type_shape shape;
        const char *text, *facts;
    } typed[] = {
        {"bool", SHAPE_SCALAR, "c", "in:true"},
        {"bool", SHAPE_SCALAR, "(NOT c)", "in:false"},
        {"bool", SHAPE_SCALAR, "(c OR d)", ""},
        {"bytea", SHAPE_SCALAR, "(octet_length(c) = 4)", "length-least:4 length-most:4"},
        {"text", SHAPE_SCALAR, "(octet_length(c) = 4)", ""},
        {"_text", SHAPE_ARRAY, "(cardinality(c) >= 1)", "length-least:1"},
        {"_text", SHAPE_ARRAY, "(array_length(c, 1) <= 3)", "length-most:3"},
        {"_text", SHAPE_ARRAY, "(array_length(c, 2) <= 3)", ""},
        {"_text", SHAPE_ARRAY, "(length(c) >= 1)", ""},
    };
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
        struct arena arena = {0};
        struct strbuf facts = {0};
        struct column_facts column = {.name = "c", .type = typed[i].type, .shape = typed[i].shape};
        check_facts_read(&arena, typed[i].text, &column);
        describe(&column, &facts);
        assert_string_equal(strbuf_text(&facts), typed[i].facts);
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
    column = (struct column_facts){.name = "say \"hi\""};
    check_facts_read(&arena, "(\"say \"\"hi\"\"\" > 2)", &column);
    assert_int_equal(column.checks.count, 1);
    column = (struct column_facts){.name = "say"};
    check_facts_read(&arena, "(\"say \"\"hi\"\"\" > 2)", &column);
    assert_int_equal(column.checks.count, 0);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checks_are_read),
        cmocka_unit_test(some_depends_on_the_type),
        cmocka_unit_test(quoted_names_are_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
