#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"

#include "base/utf8.h"

#include <string.h>

static void setting(void **state)
{
    (void)state;
    struct error err;
    memset(&err, 'x', sizeof err);
    assert_false(error_set(&err, ERROR_USAGE, "no %s", "way"));
    assert_int_equal(err.code, ERROR_USAGE);
    assert_string_equal(err.message, "no way");
    assert_string_equal(err.sqlstate, "");
    assert_string_equal(err.detail, "");
    assert_string_equal(err.hint, "");
    assert_null(err.pos.source);
    assert_false(error_set(NULL, ERROR_USAGE, "x"));
    assert_false(error_at(NULL, ERROR_USAGE, (struct source_pos){0}, "x"));
    assert_false(error_context(NULL, "x"));
    error_hint(NULL, "x");
    error_detail(NULL, "x");
}

static void context_and_detail(void **state)
{
    (void)state;
    struct error err;
    (void)error_set(&err, ERROR_SYSTEM, "cannot open");
    error_hint(&err, "hint %d", 1);
    error_detail(&err, "one");
    error_detail(&err, "two");
    assert_false(error_context(&err, "file %s", "a"));
    assert_string_equal(err.message, "file a: cannot open");
    assert_string_equal(err.detail, "one\ntwo");
    assert_string_equal(err.hint, "hint 1");
}

/* A new message may use texts of the same error. */
static void message_out_of_itself(void **state)
{
    (void)state;
    struct error err;
    (void)error_set(&err, ERROR_SYSTEM, "inner");
    error_hint(&err, "hint");
    (void)error_set(&err, ERROR_SYSTEM, "outer: %s (%s)", err.message, err.hint);
    assert_string_equal(err.message, "outer: inner (hint)");
    (void)error_at(&err, ERROR_SYSTEM, (struct source_pos){0}, "again %s", err.message);
    assert_string_equal(err.message, "again outer: inner (hint)");
    error_hint(&err, "%s", "h");
    error_hint(&err, "%s and %s", err.hint, err.message);
    assert_string_equal(err.hint, "h and again outer: inner (hint)");
    error_detail(&err, "d");
    error_detail(&err, "%s%s", err.detail, err.detail);
    assert_string_equal(err.detail, "d\ndd");
}

/* Every text that is too long is cut, at a character's boundary. */
static void long_texts(void **state)
{
    (void)state;
    char text[6001];
    struct error err;
    for (size_t i = 0; i < 6000; i += 3) {
        memcpy(text + i, "\xE2\x82\xAC", 3);
    }
    text[6000] = '\0';
    for (size_t shift = 0; shift < 3; shift++) {
        (void)error_set(&err, ERROR_SYSTEM, "%.*s%s", (int)shift, "ab", text);
        error_hint(&err, "%.*s%s", (int)shift, "ab", text);
        error_detail(&err, "%.*s%s", (int)shift, "ab", text);
        (void)error_context(&err, "%.*s", (int)shift, "ab");
        assert_int_equal(utf8_invalid_at(err.message, strlen(err.message)), strlen(err.message));
        assert_int_equal(utf8_invalid_at(err.hint, strlen(err.hint)), strlen(err.hint));
        assert_true(strlen(err.message) > sizeof err.message - 8);
        (void)error_context(&err, "%s", text);
        for (int i = 0; i < 5; i++) {
            error_detail(&err, "more");
        }
        assert_true(strlen(err.detail) < sizeof err.detail);
        assert_int_equal(utf8_invalid_at(err.message, strlen(err.message)), strlen(err.message));
        assert_int_equal(utf8_invalid_at(err.detail, strlen(err.detail)), strlen(err.detail));
    }
}

static void assert_format(const struct error *err, const char *expected)
{
    struct strbuf out = {0};
    error_format(err, &out);
    assert_string_equal(strbuf_text(&out), expected);
    strbuf_free(&out);
}

static void formatting(void **state)
{
    (void)state;
    static const struct source source = {
        .name = "a.yaml", .text = "x:\n\ty\xC3\xA9 z\n", .size = 10};
    struct error err;
    (void)error_at(&err, ERROR_MACHINE, (struct source_pos){&source, 8}, "bad %s", "z");
    assert_format(&err, "a.yaml:2:5: error: bad z\n"
                        "     y\xC3\xA9 z\n"
                        "        ^\n");
    (void)error_set(&err, ERROR_SYSTEM, "bad");
    assert_format(&err, "error: bad\n");
    error_detail(&err, "one");
    error_detail(&err, "two");
    error_hint(&err, "do that");
    assert_format(&err, "error: bad\n  one\n  two\n  hint: do that\n");
}

/* Past the end of the text, in an empty text, and control characters that would move the cursor. */
static void formatting_odd_places(void **state)
{
    (void)state;
    static const struct source empty = {.name = "e", .text = "", .size = 0};
    static const struct source odd = {.name = "o", .text = "a\x1B[1m\x7F", .size = 6};
    struct error err;
    (void)error_at(&err, ERROR_MACHINE, (struct source_pos){&empty, 5}, "m");
    assert_format(&err, "e:1:1: error: m\n    \n    ^\n");
    (void)error_at(&err, ERROR_MACHINE, (struct source_pos){&odd, 99}, "m");
    assert_format(&err, "o:1:7: error: m\n    a [1m \n          ^\n");
}

/* A long line is cut around the place, and the caret still stands under it. */
static void formatting_bytes_that_are_no_text(void **state)
{
    (void)state;
    struct source source = {.name = "b", .text = "a\xff\xc3\xa9\xc3z", .size = 6};
    struct error err = {.code = ERROR_MACHINE, .pos = {&source, 4}, .message = "m"};
    struct strbuf out = {0};
    error_format(&err, &out);
    const char *line = strchr(strbuf_text(&out), '\n');
    assert_string_equal(line, "\n    a\xef\xbf\xbd\xc3\xa9\xef\xbf\xbdz\n       ^\n");
    strbuf_free(&out);
}

static void formatting_long_lines(void **state)
{
    (void)state;
    char text[1001];
    for (size_t i = 0; i < 1000; i += 2) {
        memcpy(text + i, "\xC3\xA9", 2);
    }
    text[1000] = '\0';
    const struct source source = {.name = "l", .text = text, .size = 1000};
    for (size_t at = 0; at <= 1000; at += 100) {
        struct error err;
        struct strbuf out = {0};
        (void)error_at(&err, ERROR_MACHINE, (struct source_pos){&source, at}, "m");
        error_format(&err, &out);
        assert_int_equal(utf8_invalid_at(out.data, out.size), out.size);
        const char *line = strchr(out.data, '\n') + 1;
        const char *caret = strchr(line, '\n') + 1;
        size_t caret_column = strspn(caret, " ");
        size_t shown = utf8_length(line, (size_t)(caret - line - 1));
        assert_true(shown < 140);
        assert_true(caret_column <= shown);
        assert_int_equal(caret[caret_column], '^');
        strbuf_free(&out);
    }
}

static void many_diagnostics(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct diagnostics diagnostics = {.arena = &arena};
    for (int i = 0; i < 150; i++) {
        struct error *err = diagnostics_at(&diagnostics, (struct source_pos){0}, "number %d", i);
        error_hint(err, "hint %d", i);
    }
    assert_int_equal(diagnostics.errors.count, 101);
    assert_string_equal(diagnostics.errors.items[99].message, "number 99");
    assert_string_equal(diagnostics.errors.items[99].hint, "hint 99");
    assert_non_null(strstr(diagnostics.errors.items[100].message, "and more"));
    assert_string_equal(diagnostics.errors.items[100].hint, ""); /* nobody else's */
    arena_free(&arena);
}

static void close_names(void **state)
{
    (void)state;
    static const char *const names[] = {"min_value", "max_value", "min_size", "places", "id", "a"};
    size_t count = sizeof names / sizeof *names;
    assert_string_equal(closest_name("min_valu", names, count), "min_value");
    assert_string_equal(closest_name("max_vlaue", names, count), "max_value"); /* swapped */
    assert_string_equal(closest_name("palces", names, count), "places");
    assert_string_equal(closest_name("min_size", names, count), "min_size");
    assert_string_equal(closest_name("di", names, count), "id");
    assert_null(closest_name("something", names, count));
    assert_null(closest_name("", names, count));
    assert_null(closest_name("x", names, count));
    assert_null(closest_name("min", NULL, 0));
    static const char *const builtins[] = {"bool", "min", "sets", "round", "int", "args"};
    count = sizeof builtins / sizeof *builtins;
    assert_null(closest_name("foo", builtins, count)); /* two of three letters */
    assert_null(closest_name("join", builtins, count));
    assert_null(closest_name("keys", builtins, count));
    assert_null(closest_name("count", builtins, count));
    assert_string_equal(closest_name("itn", builtins, count), "int");
    assert_string_equal(closest_name("argz", builtins, count), "args");
    char huge[5000];
    memset(huge, 'a', sizeof huge - 1);
    huge[sizeof huge - 1] = '\0';
    assert_null(closest_name(huge, names, count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setting),
        cmocka_unit_test(context_and_detail),
        cmocka_unit_test(message_out_of_itself),
        cmocka_unit_test(long_texts),
        cmocka_unit_test(formatting),
        cmocka_unit_test(formatting_odd_places),
        cmocka_unit_test(formatting_bytes_that_are_no_text),
        cmocka_unit_test(formatting_long_lines),
        cmocka_unit_test(many_diagnostics),
        cmocka_unit_test(close_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
