#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static char folder_name[32];

static off_t size_said = -1; /* what fstat says of the next file; -1: the truth */

/* The linker puts it in the place of fstat (see CMakeLists.txt). */
int __real_fstat(int file, struct stat *status); /* NOLINT(bugprone-reserved-identifier) */
int __wrap_fstat(int file, struct stat *status); /* NOLINT(bugprone-reserved-identifier) */

int __wrap_fstat(int file, struct stat *status)
{
    int result = __real_fstat(file, status);
    status->st_size = size_said < 0 ? status->st_size : size_said;
    return result;
}

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

/* The name that it is written under first can be guessed. */
static void test_follows_no_link(void **state)
{
    (void)state;
    struct error err = {0};
    char aside[64];
    assert_true(put("victim", "precious", &err));
    (void)snprintf(aside, sizeof aside, "target.pgfsm-%ld.new", (long)getpid());
    assert_int_equal(symlink("victim", aside), 0);
    assert_true(put("target", "new", &err));
    holds("victim", "precious");
    holds("target", "new");
    assert_int_equal(mkfifo(aside, 0600), 0);
    assert_true(put("target", "newer", &err));
    holds("target", "newer");
    struct stat info;
    assert_true(lstat(aside, &info) != 0);
    assert_int_equal(lstat("target", &info), 0);
    assert_true(S_ISREG(info.st_mode));
}

/* A process that has ended. */
static long dead_process(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        _exit(0);
    }
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    return (long)pid;
}

/* Only leftovers of killed processes for the same file are removed. */
static void test_sweeps(void **state)
{
    (void)state;
    struct error err = {0};
    char dead[64];
    char locked[64];
    char link[64];
    char kept[5][64];
    (void)snprintf(dead, sizeof dead, "swept.pgfsm-%ld.new", dead_process());
    (void)snprintf(locked, sizeof locked, "swept.pgfsm-%ld.new", dead_process());
    (void)snprintf(link, sizeof link, "swept.pgfsm-%ld.new", dead_process());
    (void)snprintf(kept[0], sizeof kept[0], "swept.pgfsm-%ld.new", (long)getppid());
    (void)snprintf(kept[1], sizeof kept[1], "swept.pgfsm-%ld.new2", dead_process());
    (void)snprintf(kept[2], sizeof kept[2], "swept.%ld.new", dead_process());
    (void)snprintf(kept[3], sizeof kept[3], "other.pgfsm-%ld.new", dead_process());
    (void)snprintf(kept[4], sizeof kept[4], "swept.pgfsm-.new");
    assert_true(put(dead, "half of", &err));
    assert_true(put(locked, "being written", &err));
    for (size_t i = 0; i < 5; i++) {
        assert_true(put(kept[i], "mine", &err));
    }
    assert_int_equal(symlink(kept[1], link), 0);
    int lock = open(locked, O_RDONLY | O_CLOEXEC);
    assert_int_equal(flock(lock, LOCK_EX), 0);
    assert_true(put("swept", "whole", &err));
    holds("swept", "whole");
    assert_int_equal(access(dead, F_OK), -1);
    holds(locked, "being written");
    holds(link, "mine");
    for (size_t i = 0; i < 5; i++) {
        holds(kept[i], "mine");
    }
    (void)close(lock);
}

/* No temporary file is left. */
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

static void make_socket(const char *path)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    (void)snprintf(name.sun_path, sizeof name.sun_path, "%s", path);
    int file = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(file, (struct sockaddr *)&name, sizeof name), 0);
    (void)close(file);
}

static void test_opens_files_alone(void **state)
{
    (void)state;
    struct error err = {0};
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(mkfifo("pipe", 0666), 0);
    assert_null(file_open("pipe", &err));
    assert_string_equal(err.message, "can't read pipe: it is a pipe");
    assert_null(file_open("/dev/null", &err));
    assert_string_equal(err.message, "can't read /dev/null: it is a device");
    make_socket("socket");
    assert_null(file_open("socket", &err));
    assert_string_equal(err.message, "can't read socket: it is a socket");
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
    assert_false(file_load("a", LESS, &loaded, &err));
    assert_string_equal(err.message, "can't read a: it is larger than 0 MiB");
    strbuf_clear(&loaded);
    assert_true(file_head("a", LESS, &loaded, &err));
    assert_in_range(loaded.size, LESS + 1, SIZE - 1);
    strbuf_free(&text);
    strbuf_free(&loaded);
}

/* Reads the file, lets another process change it, and then writes a new text. */
static bool rewrite(const char *path, void (*change)(const char *path), struct error *err)
{
    struct strbuf was = {0};
    struct strbuf text = {0};
    FILE *file = file_open_locked(path, err);
    assert_non_null(file);
    assert_true(file_read(file, path, 10, &was, err));
    if (change) {
        change(path);
    }
    strbuf_adds(&text, "new");
    bool done = file_rewrite(path, file, &was, &text, err);
    (void)fclose(file);
    strbuf_free(&was);
    strbuf_free(&text);
    return done;
}

/* A file of the user's keeps its mode, its attributes and links to it. */
static void test_rewrites(void **state)
{
    static const char name[] = "user.pgfsm";
    (void)state;
    struct error err = {0};
    struct stat status;
    char value[8] = "";
    assert_true(put("user", "old", &err));
    assert_int_equal(chmod("user", 0640), 0);
    assert_int_equal(symlink("user", "link"), 0);
    bool has_attributes = setxattr("user", name, "kept", 5, 0) == 0;
    assert_true(rewrite("link", NULL, &err));
    holds("user", "new");
    assert_int_equal(lstat("link", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(stat("user", &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640);
    assert_true(!has_attributes || getxattr("user", name, value, sizeof value) == 5);
    assert_string_equal(value, has_attributes ? "kept" : "");
    assert_null(file_open_locked("nobody", &err));
    assert_string_equal(err.message, "can't open nobody: No such file or directory");
}

/* A file that had no access list does not get the one that new files of the folder get. */
static void test_rewrites_in_a_folder_with_a_list(void **state)
{
    /* linux/posix_acl_xattr.h: version 2, then tag, permissions and id of each entry */
    static const struct {
        uint32_t version;
        struct {
            uint16_t tag, permissions;
            uint32_t id;
        } entries[5];
    } list = {2,
              {{0x01, 7, UINT32_MAX},   /* the owner */
               {0x02, 6, 1234},         /* a user */
               {0x04, 5, UINT32_MAX},   /* the group */
               {0x10, 7, UINT32_MAX},   /* the mask */
               {0x20, 0, UINT32_MAX}}}; /* others */
    (void)state;
    struct error err = {0};
    assert_true(put("user", "old", &err));
    if (setxattr(".", "system.posix_acl_default", &list, sizeof list, 0) != 0) {
        skip(); /* the file system has no lists */
    }
    assert_true(rewrite("user", NULL, &err));
    holds("user", "new");
    assert_true(getxattr("user", "system.posix_acl_access", NULL, 0) < 0);
}

static void put_another(const char *path)
{
    struct error err;
    assert_true(put(path, "more", &err));
}

static void write_into(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs("more", file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* What others wrote in the meantime is not lost. */
static void test_rewrites_nothing_new(void **state)
{
    static void (*const changes[])(const char *path) = {put_another, write_into};
    (void)state;
    struct error err = {0};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        assert_true(put("user", "old", &err));
        assert_false(rewrite("user", changes[i], &err));
        assert_string_equal(err.message, "user has changed since it was read");
        holds("user", "more");
    }
}

static void test_where_there_is_nothing_to_load(void **state)
{
    (void)state;
    struct error err = {0};
    struct strbuf loaded = {0};
    assert_false(file_load("/dev/zero", SIZE_MAX, &loaded, &err));
    assert_string_equal(err.message, "can't read /dev/zero: it is a device");
    assert_int_equal(mkfifo("pipe", 0666), 0);
    assert_false(file_load("pipe", SIZE_MAX, &loaded, &err));
    assert_string_equal(err.message, "can't read pipe: it is a pipe");
    assert_false(file_head("pipe", SIZE_MAX, &loaded, &err));
    assert_int_equal(loaded.size, 0);
    assert_false(file_load("nowhere", SIZE_MAX, &loaded, &err));
    assert_int_equal(err.code, ERROR_SYSTEM);
    assert_string_equal(err.message, "can't open nowhere: No such file or directory");
    assert_false(file_load("/", SIZE_MAX, &loaded, &err));
    assert_string_equal(err.message, "can't read /: it is a folder");
    strbuf_free(&loaded);
}

static void loads(const char *written, const char *text)
{
    struct error err = {0};
    struct strbuf loaded = {0};
    assert_true(put("a", written, &err));
    assert_true(file_load("a", SIZE_MAX, &loaded, &err));
    assert_string_equal(strbuf_text(&loaded), text);
    strbuf_clear(&loaded);
    assert_true(file_head("a", SIZE_MAX, &loaded, &err));
    assert_string_equal(strbuf_text(&loaded), text);
    strbuf_free(&loaded);
}

static void test_byte_order_mark(void **state)
{
    (void)state;
    loads("\xef\xbb\xbfone", "one");
    loads("\xef\xbb\xbf", "");
    loads("\xef\xbb", "\xef\xbb");
    loads("\xef\xbb\xbf\xef\xbb\xbfone", "\xef\xbb\xbfone"); /* the second one is text */
    loads("one\xef\xbb\xbf", "one\xef\xbb\xbf");
}

/* Grown since fstat: it said less than there is. */
static void test_a_file_that_grows(void **state)
{
    (void)state;
    struct error err = {0};
    struct strbuf loaded = {0};
    assert_true(file_load("/proc/self/status", 1 << 20, &loaded, &err)); /* of size 0, it says */
    assert_true(loaded.size > 0);
    strbuf_clear(&loaded);
    assert_true(put("a", "0123456789", &err));
    size_said = 9;
    assert_false(file_load("a", SIZE_MAX, &loaded, &err));
    size_said = -1;
    assert_string_equal(err.message, "can't read a: it grows while it is read");
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
    assert_string_equal(err.message, "can't create the folder a: Not a directory");
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    assert_false(folder_make("dangling", 0700, &err));
    assert_string_equal(err.message, "can't create the folder dangling: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_replaces, enter, leave),
        cmocka_unit_test_setup_teardown(test_follows_no_link, enter, leave),
        cmocka_unit_test_setup_teardown(test_sweeps, enter, leave),
        cmocka_unit_test_setup_teardown(test_where_it_fails, enter, leave),
        cmocka_unit_test_setup_teardown(test_opens_files_alone, enter, leave),
        cmocka_unit_test_setup_teardown(test_loads, enter, leave),
        cmocka_unit_test_setup_teardown(test_rewrites, enter, leave),
        cmocka_unit_test_setup_teardown(test_rewrites_in_a_folder_with_a_list, enter, leave),
        cmocka_unit_test_setup_teardown(test_rewrites_nothing_new, enter, leave),
        cmocka_unit_test_setup_teardown(test_makes_folders, enter, leave),
        cmocka_unit_test_setup_teardown(test_where_there_is_nothing_to_load, enter, leave),
        cmocka_unit_test_setup_teardown(test_byte_order_mark, enter, leave),
        cmocka_unit_test_setup_teardown(test_a_file_that_grows, enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
