#include "report/text/grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void columns_are_as_wide_as_they_need(void **state)
{
    (void)state;
    static const struct grid_column columns[] = {
        {"name", GRID_LEFT}, {"n", GRID_RIGHT}, {"empty", GRID_LEFT}, {"note", GRID_LEFT}};
    static const char *const cells[] = {"a", "1,000", "", "x", "größer", "2", "", ""};
    struct arena arena = {0};
    struct grid grid = {&arena, columns, 4, {0}};
    struct strbuf out = {0};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        grid_add(&grid, cells[i]);
    }
    grid_write(&grid, 2, &out);
    assert_string_equal(strbuf_text(&out), "  name        n  note\n"
                                           "  a       1,000  x\n"
                                           "  größer      2\n");
    strbuf_free(&out);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(columns_are_as_wide_as_they_need)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
