/* Ways: each takes its turn, by number alone. */
#include "example/step/way.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_the_first_example_is_the_simplest(void **state)
{
    (void)state;
    assert_ptr_equal(way_of(1), &example_ways[WAY_SIMPLEST]);
    for (uint64_t i = 2; i < 1000; i++) {
        assert_false(way_of(i)->simplest);
    }
}

/* In eight in a row, so that a short run has them, too. */
static void test_shares(void **state)
{
    (void)state;
    static const size_t shares[WAY_COUNT] = {
        [WAY_UNIFORM] = 2, [WAY_NOVEL] = 1, [WAY_RUNS] = 2, [WAY_ACCEPTED] = 3};
    for (uint64_t first = 2; first < 1000; first += 8) {
        size_t seen[WAY_COUNT] = {0};
        for (uint64_t i = first; i < first + 8; i++) {
            seen[way_of(i) - example_ways]++;
        }
        assert_memory_equal(seen, shares, sizeof seen);
    }
}

/* Of a run that is split, each part has its share of every way. */
static void test_shards(void **state)
{
    (void)state;
    for (uint64_t count = 1; count <= 16; count++) {
        for (uint64_t first = 1; first <= count; first++) {
            size_t seen[WAY_COUNT] = {0};
            for (uint64_t i = first; i <= 100 * count; i += count) {
                seen[way_of(i) - example_ways]++;
            }
            assert_in_range(seen[WAY_UNIFORM], 13, 37);
            assert_in_range(seen[WAY_NOVEL], 5, 25);
            assert_in_range(seen[WAY_RUNS], 13, 37);
            assert_in_range(seen[WAY_ACCEPTED], 22, 53);
        }
    }
}

static void test_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < WAY_COUNT; i++) {
        assert_ptr_equal(way_named(example_ways[i].name), &example_ways[i]);
    }
    assert_null(way_named("all"));
    assert_null(way_named(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_example_is_the_simplest),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_shards),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
