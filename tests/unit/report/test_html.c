#include "base/utf8.h"
#include "fixture.h"
#include "report/html/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* What the page holds of a machine with that name. */
static const char *add(struct fixture *fixture, const char *name)
{
    struct report report = {.format = report_format_find("html")};
    fixture_begin(fixture);
    fixture->machine.name = name;
    fixture->run.path = fixture->machine.path;
    report_add(&report, &fixture->run, &fixture->out);
    return strbuf_text(&fixture->out);
}

/* The text report, for browsers without scripts, is cut where it is long. */
static void cut_between_characters(void **state)
{
    (void)state;
    struct fixture fixture;
    /* with either, a character ends at another byte */
    static const char *const begins[] = {"", "x"};
    for (size_t i = 0; i < 2; i++) {
        struct strbuf name = {0};
        strbuf_adds(&name, begins[i]);
        for (size_t j = 0; j < 15000; j++) {
            strbuf_adds(&name, "é");
        }
        const char *page = add(&fixture, strbuf_text(&name));
        size_t size = strlen(page);
        assert_int_equal(utf8_invalid_at(page, size), size);
        fixture_end(&fixture);
        strbuf_free(&name);
    }
}

static void names_are_no_markup(void **state)
{
    (void)state;
    struct fixture fixture;
    const char *page = add(&fixture, "</pre></script><script>x");
    assert_null(strstr(page, "<script>x"));
    assert_non_null(strstr(page, "&lt;/pre>&lt;/script>&lt;script>x"));
    fixture_end(&fixture);
}

/* The machine's file of `text`, with a failure at its byte `offset`, as the page gets it. */
static const char *source_of(struct fixture *fixture, const struct source *source, size_t offset)
{
    fixture_begin(fixture);
    fixture_fail(fixture, FAILURE_INVARIANT)->pos = (struct source_pos){source, offset};
    fixture->machine.source = source;
    strbuf_clear(&fixture->out);
    html_source(&fixture->run, &fixture->arena, &fixture->out);
    return strbuf_text(&fixture->out);
}

static void a_short_file_is_whole(void **state)
{
    (void)state;
    struct fixture fixture;
    const char text[] = "machine: m\r\n\n# </script>\x07 é\n";
    const struct source source = {.name = "m.yaml", .text = text, .size = sizeof text - 1};
    assert_string_equal(source_of(&fixture, &source, 0),
                        "\"source\":{\"file\":\"m.yaml\",\"lines\":3,\"parts\":[[1,"
                        "\"machine: m\\n\\n# \\u003c/script>\\\\x07 é\"]]}");
    fixture_end(&fixture);
}

/* Lines far from the failure are left out, and a long line ends between characters. */
static void a_long_file_is_cut(void **state)
{
    (void)state;
    struct fixture fixture;
    struct strbuf text = {0};
    for (size_t i = 1; i <= 9000; i++) {
        strbuf_addf(&text, "# line %zu\n", i);
    }
    size_t offset = text.size;
    strbuf_adds(&text, "x");
    for (size_t i = 0; i < 1000; i++) {
        strbuf_adds(&text, "é");
    }
    const struct source source = {.name = "m.yaml", .text = strbuf_text(&text), .size = text.size};
    const char *page = source_of(&fixture, &source, offset);
    assert_non_null(strstr(page, "\"lines\":9001,\"parts\":[[8995,\"# line 8995\\n"));
    assert_non_null(strstr(page, "é …\"]]}"));
    assert_int_equal(utf8_invalid_at(page, strlen(page)), strlen(page));
    fixture_end(&fixture);
    strbuf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_between_characters), cmocka_unit_test(names_are_no_markup),
        cmocka_unit_test(a_short_file_is_whole), cmocka_unit_test(a_long_file_is_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
