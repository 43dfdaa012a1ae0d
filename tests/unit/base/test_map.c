#include "base/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void test_few(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct map names = {.arena = &arena};
    size_t number = 9;
    assert_false(map_get_text(&names, "a", 1, &number));
    assert_true(map_set_text(&names, "a", 1, 5, NULL));
    assert_true(map_set_text(&names, "", 0, 6, NULL));
    assert_false(map_set_text(&names, "a", 1, 7, &number));
    assert_int_equal(number, 5);
    assert_true(map_get_text(&names, "ab", 1, &number)); /* one byte of it */
    assert_int_equal(number, 7);
    assert_true(map_get_text(&names, "", 0, &number));
    assert_int_equal(number, 6);
    assert_false(map_get_text(&names, "b", 1, &number));
    arena_free(&arena);
}

static void test_many(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct map names = {.arena = &arena};
    for (size_t i = 0; i < 5000; i++) {
        const char *name = arena_printf(&arena, "name%zu", i);
        assert_true(map_set_text(&names, name, strlen(name), i, NULL));
    }
    for (size_t i = 0; i < 5000; i++) {
        char name[16];
        size_t number;
        (void)snprintf(name, sizeof name, "name%zu", i);
        assert_true(map_get_text(&names, name, strlen(name), &number));
        assert_int_equal(number, i);
    }
    assert_int_equal(names.count, 5000);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
