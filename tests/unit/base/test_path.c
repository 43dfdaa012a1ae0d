#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/path.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Known answers from realpath --relative-to. */
static void test_relative(void **state)
{
    (void)state;
    static const struct {
        const char *from;
        const char *to;
        const char *path;
    } cases[] = {
        {"/a/b", "/a/b/c.sql", "c.sql"},        {"/a/b", "/a/c.sql", "../c.sql"},
        {"/a/b", "/a/bc/d.sql", "../bc/d.sql"}, {"/a/bc", "/a/b/d.sql", "../b/d.sql"},
        {"/a/b/c", "/d.sql", "../../../d.sql"}, {"/", "/a/d.sql", "a/d.sql"},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(path_relative(&arena, cases[i].from, cases[i].to), cases[i].path);
    }
    arena_free(&arena);
}

static void test_beside(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_string_equal(path_beside(&arena, "a/b.yaml", "c.sql"), "a/c.sql");
    assert_string_equal(path_beside(&arena, "a/b.yaml", "../c.sql"), "a/../c.sql");
    assert_string_equal(path_beside(&arena, "/b.yaml", "c.sql"), "/c.sql");
    assert_string_equal(path_beside(&arena, "b.yaml", "c.sql"), "c.sql");
    assert_string_equal(path_beside(&arena, "a/b.yaml", "/c.sql"), "/c.sql");
    arena_free(&arena);
}

static void test_absolute(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_string_equal(path_absolute(&arena, "/dev/../dev/null"), "/dev/null");
    assert_null(path_absolute(&arena, "/dev/nowhere"));
    assert_int_equal(errno, ENOENT);
    arena_free(&arena);
}

static void test_shown(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_int_equal(chdir("/dev"), 0);
    assert_string_equal(path_shown(&arena, "../dev/null"), "null");
    assert_int_equal(chdir("/usr"), 0);
    assert_string_equal(path_shown(&arena, "../dev/null"), "/dev/null");
    assert_string_equal(path_shown(&arena, "../dev/nowhere"), "../dev/nowhere");
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relative),
        cmocka_unit_test(test_beside),
        cmocka_unit_test(test_absolute),
        cmocka_unit_test(test_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
