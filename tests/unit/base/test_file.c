#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int enter(void **state)
{
    (void)state;
    static char folder[] = "/tmp/pgfsm-file.XXXXXX";
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    char folder[1000];
    return getcwd(folder, sizeof folder) && unlink("a") == 0 && unlink("pipe") == 0 &&
                   rmdir("folder") == 0 && chdir("/") == 0 && rmdir(folder) == 0
               ? 0
               : -1;
}

static void holds(const char *path, const char *text)
{
    struct error err = {0};
    char read[100] = "";
    FILE *file = file_open(path, &err);
    assert_non_null(file);
    (void)fread(read, 1, sizeof read - 1, file);
    (void)fclose(file);
    assert_string_equal(read, text);
}

static bool put(const char *path, const char *text, struct error *err)
{
    struct strbuf whole = {0};
    strbuf_adds(&whole, text);
    bool done = file_replace(path, &whole, err);
    strbuf_free(&whole);
    return done;
}

static void test_replaces(void **state)
{
    (void)state;
    struct error err = {0};
    assert_true(put("a", "one", &err));
    holds("a", "one");
    assert_true(put("a", "", &err));
    holds("a", "");
    assert_true(put("a", "two", &err));
    holds("a", "two");
}

/* Nothing is left aside. */
static void test_where_it_fails(void **state)
{
    (void)state;
    struct error err = {0};
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_false(put("folder", "x", &err));
    assert_int_equal(err.code, ERROR_SYSTEM);
    assert_string_equal(err.message, "can't write folder: Is a directory");
    assert_false(put("a/b", "x", &err));
    assert_string_equal(err.message, "can't write a/b: Not a directory");
    assert_false(put("nowhere/b", "x", &err));
    assert_string_equal(err.message, "can't write nowhere/b: No such file or directory");
    DIR *here = opendir(".");
    for (struct dirent *entry = readdir(here); entry; entry = readdir(here)) {
        assert_null(strstr(entry->d_name, ".new"));
    }
    (void)closedir(here);
    holds("a", "two");
}

static void test_opens_files_alone(void **state)
{
    (void)state;
    struct error err = {0};
    assert_int_equal(mkfifo("pipe", 0666), 0);
    assert_null(file_open("pipe", &err));
    assert_string_equal(err.message, "can't read pipe: it is a pipe or a device");
    assert_null(file_open("/dev/null", &err));
    assert_null(file_open("folder", &err));
    assert_string_equal(err.message, "can't read folder: it is a folder");
    assert_null(file_open("nowhere", &err));
    assert_string_equal(err.message, "can't open nowhere: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replaces),
        cmocka_unit_test(test_where_it_fails),
        cmocka_unit_test(test_opens_files_alone),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
