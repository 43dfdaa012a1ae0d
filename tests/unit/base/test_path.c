#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
        {"/a/b", "/a/b/c.sql", "c.sql"},
        {"/a/b", "/a/c.sql", "../c.sql"},
        {"/a/b", "/a/bc/d.sql", "../bc/d.sql"},
        {"/a/bc", "/a/b/d.sql", "../b/d.sql"},
        {"/a/b/c", "/d.sql", "../../../d.sql"},
        {"/", "/a/d.sql", "a/d.sql"},
        {"/a/b", "/a/b", "."},
        {"/", "/", "."},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(path_relative(&arena, cases[i].from, cases[i].to), cases[i].path);
    }
    arena_free(&arena);
}

static void test_folder(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_string_equal(path_folder(&arena, "a/b/c.sql"), "a/b");
    assert_string_equal(path_folder(&arena, "/a/b"), "/a");
    assert_string_equal(path_folder(&arena, "/a"), "/");
    assert_string_equal(path_folder(&arena, "a"), ".");
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

static void test_order(void **state)
{
    (void)state;
    static const char *const ordered[] = {
        "",
        "1.sql",
        "1_a.sql",
        "01_b.sql",
        "2.sql",
        "10.sql",
        "0010_a.sql",
        "a/1.sql",
        "a/10.sql",
        "a-b/1.sql",
        "a.sql",
        "b2c3",
        "b2c10",
        "b10c1",
        "b18446744073709551617",
        "b18446744073709551618",
    };
    for (size_t i = 0; i < sizeof ordered / sizeof *ordered; i++) {
        for (size_t j = 0; j < sizeof ordered / sizeof *ordered; j++) {
            int order = path_order(&ordered[i], &ordered[j]);
            if ((i < j) != (order < 0) || (i == j) != (order == 0)) {
                fail_msg("%s and %s: %d", ordered[i], ordered[j], order);
            }
        }
    }
}

static void test_order_as_text(void **state)
{
    (void)state;
    static const char *const ordered[] = {
        "",
        "01.sql",
        "10.sql",
        "1_a.sql",
        "2.sql",
        "20230601120000_b/migration.sql",
        "20240101/migration.sql",
        "20240101-a/migration.sql",
        "20240101_a/migration.sql",
        "a/1.sql",
        "a-b/1.sql",
        "a.sql",
        "é",
    };
    for (size_t i = 0; i < sizeof ordered / sizeof *ordered; i++) {
        for (size_t j = 0; j < sizeof ordered / sizeof *ordered; j++) {
            int order = path_order_as_text(&ordered[i], &ordered[j]);
            if ((i < j) != (order < 0) || (i == j) != (order == 0)) {
                fail_msg("%s and %s: %d", ordered[i], ordered[j], order);
            }
        }
    }
}

static void test_order_without_hyphens(void **state)
{
    (void)state;
    static const char *const ordered[] = {
        "",
        "20161231_a/up.sql",
        "2017-01-01-100000_a/up.sql",
        "20170101100001_b/up.sql",
        "2017-01-01-100002_a-c/up.sql",
        "2017-01-01-100002_ac/up.sql",
        "2017-01-02_a/up.sql",
    };
    for (size_t i = 0; i < sizeof ordered / sizeof *ordered; i++) {
        for (size_t j = 0; j < sizeof ordered / sizeof *ordered; j++) {
            int order = path_order_without_hyphens(&ordered[i], &ordered[j]);
            if ((i < j) != (order < 0) || (i == j) != (order == 0)) {
                fail_msg("%s and %s: %d", ordered[i], ordered[j], order);
            }
        }
    }
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
    assert_string_equal(path_from_here(&arena, "/usr/nowhere/a"), "nowhere/a");
    assert_string_equal(path_from_here(&arena, "/usrs/a"), "/usrs/a");
    arena_free(&arena);
}

/* Behind a link, `..` is the folder that the link leads into. */
static void test_plain(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        const char *plain;
    } cases[] = {
        {"a/b/../c.sql", "a/c.sql"},
        {"a/b/../../c.sql", "c.sql"},
        {"../a/c.sql", "../a/c.sql"},
        {"a/../../c.sql", "../c.sql"},
        {"a/../../../c.sql", "../../c.sql"},
        {"./a/./c.sql", "a/c.sql"},
        {"gone/../c.sql", "gone/../c.sql"},
        {"link/../c.sql", "link/../c.sql"},
        {"/./c.sql", "/c.sql"},
        {"a/b/..", "a/b/.."},
        {"/tmp/../c.sql", "/c.sql"},
        {"a/b/../b/../c.sql", "a/c.sql"},
        {"a//b/../c.sql", "a//c.sql"},
        {"", ""},
        {"./", "./"},
        {"a/../", "a/../"},
    };
    struct arena arena = {0};
    char folder[] = "/tmp/pgfsm.path.XXXXXX";
    const char *before = path_absolute(&arena, ".");
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(mkdir("a", 0700) | mkdir("a/b", 0700) | symlink("a/b", "link"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(path_plain(&arena, cases[i].path), cases[i].plain);
    }
    assert_int_equal(unlink("link") | rmdir("a/b") | rmdir("a"), 0);
    assert_int_equal(chdir(before) | rmdir(folder), 0);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relative),
        cmocka_unit_test(test_folder),
        cmocka_unit_test(test_beside),
        cmocka_unit_test(test_absolute),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_order_as_text),
        cmocka_unit_test(test_order_without_hyphens),
        cmocka_unit_test(test_shown),
        cmocka_unit_test(test_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
