/* Failures without a script, and values from handmade recordings. */
#include "replay/script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void no_script(void **state)
{
    (void)state;
    const char *why;
    struct failure failure = {.kind = FAILURE_EXPECT, .flaky = true};
    assert_false(replay_possible(&failure, &why));
    assert_string_equal(why, "it does not fail every time");
    failure = (struct failure){.kind = FAILURE_CONNECTION};
    assert_false(replay_possible(&failure, &why));
    assert_string_equal(why, "the server went away");
}

/* A value of `count` parts, written in a script with the variable `id` for cell 7. */
static void check_value(struct recorded_part *parts, size_t count, const char *type,
                        const char *expected)
{
    struct variable variable = {.cell = 7, .name = "id"};
    struct script script = {.variables = {&variable, 1, 1}};
    const struct recorded_value value = {.parts = {parts, count, count}, .type = type};
    struct strbuf out = {0};
    value_write(&script, &value, &out);
    assert_string_equal(strbuf_text(&out), expected);
    strbuf_free(&out);
}

#define TEXT(text)                                                                                 \
    {                                                                                              \
        (text), sizeof(text) - 1, 0                                                                \
    }
#define CELL(text)                                                                                 \
    {                                                                                              \
        (text), sizeof(text) - 1, 7                                                                \
    }
#define CHECK_VALUE(type, expected, ...)                                                           \
    check_value((struct recorded_part[]){__VA_ARGS__},                                             \
                sizeof((struct recorded_part[]){__VA_ARGS__}) / sizeof(struct recorded_part),      \
                (type), (expected))

static void values(void **state)
{
    (void)state;
    check_value(NULL, 0, "text", "''");
    CHECK_VALUE("integer", "42", TEXT("42"));
    CHECK_VALUE("bigint", "'42'", TEXT("42"));
    CHECK_VALUE("integer", "'-5'", TEXT("-5"));
    CHECK_VALUE("integer", "'99999999999'", TEXT("99999999999"));
    CHECK_VALUE("boolean", "true", TEXT("true"));
    CHECK_VALUE("text", "'true'", TEXT("true"));
    CHECK_VALUE(NULL, "'42'", TEXT("42"));
}

static void values_of_the_database(void **state)
{
    (void)state;
    CHECK_VALUE("uuid", ":id", CELL("f1c0"));
    CHECK_VALUE("jsonb", "pg_catalog.concat('{\"sub\":\"', :id, '\"}')::pg_catalog.jsonb",
                TEXT("{\"sub\":\""), CELL("f1c0"), TEXT("\"}"));
    CHECK_VALUE(NULL, "pg_catalog.concat('it''s ', :id)", TEXT("it's "), CELL("f1c0"));
    /* a cell that no variable holds is what it was */
    CHECK_VALUE("text", "'ab'", TEXT("a"), {"b", 1, 9});
}

static void null(void **state)
{
    (void)state;
    struct script script = {0};
    const struct recorded_value value = {.null = true, .type = "integer"};
    struct strbuf out = {0};
    value_write(&script, &value, &out);
    value_write_typed(&script, &value, "uuid", &out);
    assert_string_equal(strbuf_text(&out), "NULLNULL::pg_catalog.uuid");
    strbuf_free(&out);
}

static void comments_stay_on_their_line(void **state)
{
    (void)state;
    struct strbuf out = {0};
    comment_line(&out, "a\n\\! touch x\r\xe2\x80\xae");
    assert_string_equal(out.data, "-- a\\n\\! touch x\\r\\u202e\n");
    strbuf_free(&out);
}

static void tap_has_no_directives(void **state)
{
    (void)state;
    struct strbuf out = {0};
    tap_text(&out, "a # SKIP 'b'\nok 2");
    assert_null(strpbrk(out.data, "#\n"));
    assert_string_equal(out.data, "a   SKIP ''b''\\\\nok 2");
    strbuf_free(&out);
}

static void read_heads(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct replay_head files = {0};
    replay_read_head("-- x\n-- Load first: ../a b.sql\n--\n\nBEGIN;\n-- Load first: no\n", &arena,
                     &files);
    assert_int_equal(files.paths.count, 1);
    assert_string_equal(files.paths.items[0], "../a b.sql");
    /* from an editor that ends lines with CR LF */
    replay_read_head("-- x\r\n-- Load first: b.sql\r\n--\r\n\r\nBEGIN;\r\n", &arena, &files);
    assert_int_equal(files.paths.count, 2);
    assert_string_equal(files.paths.items[1], "b.sql");
    assert_false(files.loses);
    arena_free(&arena);
}

static void which_files_are_scripts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool script;
    } rows[] = {
        {"-- x\n--\n-- It prints TAP and rolls back all that it did. Exit status: 3\n\nBEGIN;\n",
         true},
        {"-- x\r\n-- It prints TAP and rolls back all that it did. Exit status: 3\r\n", true},
        {"-- It prints TAP and rolls back all that it did.", true},
        {"", false},
        {"-", false},
        {"--", false},
        {"\r\n", false},
        {"--\r", false},
        {"-- x\n\n-- It prints TAP and rolls back all that it did.\n", false},
        {"SELECT 1; -- It prints TAP and rolls back all that it did.\n", false},
        {"-- It prints TAP and rolls back", false},
        {"\xef\xbb\xbf-- It prints TAP and rolls back all that it did.\n", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(replay_is_script(rows[i].text), rows[i].script);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_script),
        cmocka_unit_test(values),
        cmocka_unit_test(values_of_the_database),
        cmocka_unit_test(null),
        cmocka_unit_test(comments_stay_on_their_line),
        cmocka_unit_test(tap_has_no_directives),
        cmocka_unit_test(read_heads),
        cmocka_unit_test(which_files_are_scripts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
