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

static char folder_name[32];

static int enter(void **state)
{
    (void)state;
    strcpy(folder_name, "/tmp/pgfsm-file.XXXXXX");
    return mkdtemp(folder_name) && chdir(folder_name) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    char command[100];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder_name);
    int status = system(command); /* NOLINT(cert-env33-c): a path of mkdtemp's */
    return chdir("/") == 0 ? status : -1;
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
    assert_true(put("a", "two", &err));
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
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(mkfifo("pipe", 0666), 0);
    assert_null(file_open("pipe", &err));
    assert_string_equal(err.message, "can't read pipe: it is a pipe or a device");
    assert_null(file_open("/dev/null", &err));
    assert_null(file_open("folder", &err));
    assert_string_equal(err.message, "can't read folder: it is a folder");
    assert_null(file_open("nowhere", &err));
    assert_string_equal(err.message, "can't open nowhere: No such file or directory");
}

static void test_loads(void **state)
{
    (void)state;
    enum { SIZE = 100000, LESS = 40000 };
    struct error err = {0};
    struct strbuf text = {0};
    struct strbuf loaded = {0};
    for (size_t i = 0; i < SIZE; i++) {
        strbuf_addc(&text, (char)(i % 251)); /* NUL too */
    }
    assert_true(file_replace("a", &text, &err));
    assert_true(file_load("a", SIZE, &loaded, &err));
    assert_int_equal(loaded.size, SIZE);
    assert_memory_equal(loaded.data, text.data, SIZE);
    strbuf_clear(&loaded);
    assert_true(file_load("a", LESS, &loaded, &err));
    assert_in_range(loaded.size, LESS + 1, SIZE - 1);
    strbuf_free(&text);
    strbuf_free(&loaded);
}

static void test_where_there_is_nothing_to_load(void **state)
{
    (void)state;
    struct error err = {0};
    struct strbuf loaded = {0};
    assert_true(file_load("/dev/null", SIZE_MAX, &loaded, &err));
    assert_int_equal(loaded.size, 0);
    assert_false(file_load("nowhere", SIZE_MAX, &loaded, &err));
    assert_int_equal(err.code, ERROR_SYSTEM);
    assert_string_equal(err.message, "can't open nowhere: No such file or directory");
    assert_false(file_load("/", SIZE_MAX, &loaded, &err));
    assert_string_equal(err.message, "can't read /: Is a directory");
    strbuf_free(&loaded);
}

static void test_makes_folders(void **state)
{
    (void)state;
    struct error err = {0};
    struct stat status;
    assert_true(folder_make("b/c//d/", 0700, &err));
    assert_true(folder_make("b/c/d", 0700, &err));
    assert_int_equal(stat("b/c/d", &status), 0);
    assert_int_equal(status.st_mode & 0777U, 0700);
    assert_true(put("a", "", &err));
    assert_false(folder_make("a/b", 0700, &err));
    assert_int_equal(err.code, ERROR_SYSTEM);
    assert_string_equal(err.message, "can't make the folder a: Not a directory");
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    assert_false(folder_make("dangling", 0700, &err));
    assert_string_equal(err.message, "can't make the folder dangling: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_replaces, enter, leave),
        cmocka_unit_test_setup_teardown(test_where_it_fails, enter, leave),
        cmocka_unit_test_setup_teardown(test_opens_files_alone, enter, leave),
        cmocka_unit_test_setup_teardown(test_loads, enter, leave),
        cmocka_unit_test_setup_teardown(test_makes_folders, enter, leave),
        cmocka_unit_test_setup_teardown(test_where_there_is_nothing_to_load, enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
