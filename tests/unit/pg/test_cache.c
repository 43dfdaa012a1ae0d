// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "os/tree.h"
#include "pg/server/cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 1000 };

static char root[] = "/tmp/pgfsm-cache.XXXXXX";
static struct arena arena;
static struct cache cache;

static struct cache entry(uint64_t number)
{
    const struct ingredients_key key = {.parts = {number}};
    return cache_of_loaded(&cache, &key, &arena);
}

/* Files of SIZE bytes; used that many seconds after the first. */
static void store(uint64_t number, time_t used)
{
    const char *data = arena_printf(&arena, "%s/data", root);
    char bytes[SIZE] = "";
    struct cache stored = entry(number);
    assert_int_equal(mkdir(data, 0700), 0);
    FILE *file = fopen(arena_printf(&arena, "%s/file", data), "w");
    assert_int_equal(fwrite(bytes, 1, SIZE, file), SIZE);
    assert_int_equal(fclose(file), 0);
    file = fopen(arena_printf(&arena, "%s/postmaster.pid", data), "w");
    assert_int_equal(fclose(file), 0);
    cache_store(&stored, data, &arena);
    const struct timespec times[] = {{.tv_sec = used}, {.tv_sec = used}};
    assert_int_equal(utimensat(AT_FDCWD, stored.entry, times, 0), 0);
    tree_remove(data);
}

/* All of these have the same size. */
static uint64_t size_of(uint64_t number)
{
    struct stat info;
    assert_int_equal(stat(entry(number).entry, &info), 0);
    return (uint64_t)info.st_size;
}

static bool is_there(uint64_t number)
{
    struct cache stored = entry(number);
    return cache_has(&stored);
}

static void test_least_recently_used(void **state)
{
    static const struct os_user ourselves = {0};
    (void)state;
    store(1, 10);
    store(2, 30);
    store(3, 20);
    struct cache first = entry(1);
    uint64_t size = size_of(1);
    const char *copy = arena_printf(&arena, "%s/copy", root);
    assert_int_equal(cache_copy(&first, copy, &ourselves), UNPACKED); /* it is used now */
    assert_int_equal(access(arena_printf(&arena, "%s/file", copy), F_OK), 0);
    assert_int_not_equal(access(arena_printf(&arena, "%s/postmaster.pid", copy), F_OK), 0);
    tree_remove(copy);
    cache_trim(&cache, 3 * size);
    assert_true(is_there(1) && is_there(2) && is_there(3));
    cache_trim(&cache, 3 * size - 1);
    assert_true(is_there(1) && is_there(2) && !is_there(3));
    cache_trim(&cache, size);
    assert_true(is_there(1) && !is_there(2));
    cache_trim(&cache, 0);
    assert_false(is_there(1));
    assert_int_equal(cache_copy(&first, copy, &ourselves), UNPACK_FAILED);
}

/* A partial entry does not count, and is removed. */
static void test_damaged(void **state)
{
    static const struct os_user ourselves = {0};
    (void)state;
    store(1, 10);
    struct cache first = entry(1);
    const char *copy = arena_printf(&arena, "%s/copy", root);
    assert_int_equal(truncate(first.entry, (off_t)size_of(1) / 2), 0);
    assert_int_equal(cache_copy(&first, copy, &ourselves), UNPACK_DAMAGED);
    assert_int_not_equal(access(copy, F_OK), 0);
    store(1, 10);
    assert_int_equal(cache_copy(&first, copy, &ourselves), UNPACKED);
    tree_remove(copy);
    cache_forget(&first);
    assert_false(is_there(1));
}

/* If the schema reads the clock, neither old entries nor entries from the future are used. */
static void test_age(void **state)
{
    const struct ingredients_key key = {.parts = {1}, .max_age_s = 100};
    struct cache first = cache_of_loaded(&cache, &key, &arena);
    time_t now = time(NULL);
    (void)state;
    store(1, now - 50);
    assert_true(cache_has(&first));
    store(1, now - 150);
    assert_false(cache_has(&first));
    store(1, now + 50);
    assert_false(cache_has(&first));
    assert_true(is_there(1));
    cache_forget(&first);
}

/* Partial files of a dead run are removed at once; those of a living one stay. */
static void test_left_over(void **state)
{
    (void)state;
    const char *dead = arena_printf(&arena, "%s/.new.dead", cache.dir);
    const char *alive = arena_printf(&arena, "%s/.new.alive", cache.dir);
    const char *folder = arena_printf(&arena, "%s/data-of-old", cache.dir);
    int locked = open(alive, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(flock(locked, LOCK_EX), 0);
    assert_int_equal(close(open(dead, O_RDWR | O_CREAT | O_CLOEXEC, 0600)), 0);
    assert_int_equal(mkdir(folder, 0700), 0);
    cache_trim(&cache, 0);
    assert_int_not_equal(access(dead, F_OK), 0);
    assert_int_not_equal(access(folder, F_OK), 0);
    assert_int_equal(access(alive, F_OK), 0);
    assert_int_equal(close(locked), 0);
    cache_trim(&cache, 0);
    assert_int_not_equal(access(alive, F_OK), 0);
}

static int begin(void **state)
{
    (void)state;
    if (!mkdtemp(root) || setenv("XDG_CACHE_HOME", root, 1) != 0) {
        return 1;
    }
    FILE *file = fopen(arena_printf(&arena, "%s/postgres", root), "w");
    cache = cache_find(root, &arena);
    return file && fclose(file) == 0 && mkdir(cache.dir, 0700) == 0 ? 0 : 1;
}

static int end(void **state)
{
    (void)state;
    tree_remove(root);
    arena_free(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least_recently_used),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_age),
        cmocka_unit_test(test_left_over),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
