#include "base/utf8.h"
#include "fixture.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cut_between_characters),
                                       cmocka_unit_test(names_are_no_markup)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
