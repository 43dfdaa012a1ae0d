/* Hot values: which of a few are drawn in an example. */
#include "gen/hot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SALTS = 2000, DRAWS = 200 };

/* The values drawn, as bits; 0: none is left out. */
static uint64_t drawn(uint64_t salt, const uint64_t *hashes, size_t count)
{
    struct rng rng;
    uint64_t seen = 0;
    rng_seed(&rng, salt, 1);
    for (int i = 0; i < DRAWS; i++) {
        size_t place;
        if (!hot_pick(&rng, salt, hashes, count, &place)) {
            assert_int_equal(i, 0); /* always or never */
            return 0;
        }
        assert_true(place < count);
        seen |= UINT64_C(1) << place;
    }
    return seen;
}

static void number(uint64_t *hashes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hashes[i] = i;
    }
}

static void test_how_often_values_are_left_out(void **state)
{
    (void)state;
    static const struct {
        size_t count;
        unsigned eighths;
    } cases[] = {{1, 0}, {2, 1}, {3, 2}, {4, 3}, {16, 3}, {HOT_VALUES_MAX, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t hashes[HOT_VALUES_MAX];
        size_t restricted = 0;
        number(hashes, cases[i].count);
        for (uint64_t salt = 1; salt <= SALTS; salt++) {
            uint64_t seen = drawn(salt, hashes, cases[i].count);
            assert_true(seen < (UINT64_C(1) << cases[i].count) - 1);
            restricted += seen != 0;
        }
        size_t expected = SALTS * cases[i].eighths / 8;
        assert_in_range(restricted, expected * 8 / 10, expected * 12 / 10);
    }
}

/* One alone is as likely as two or three, or four to seven; and each value has its turn. */
static void test_any_number_and_any_value(void **state)
{
    (void)state;
    uint64_t hashes[16];
    size_t octaves[4] = {0};
    size_t values[16] = {0};
    number(hashes, 16);
    for (uint64_t salt = 1; salt <= SALTS; salt++) {
        uint64_t seen = drawn(salt, hashes, 16);
        unsigned count = (unsigned)__builtin_popcountll(seen);
        if (seen) {
            octaves[count >= 8 ? 3 : count >= 4 ? 2 : count >= 2 ? 1 : 0]++;
        }
        for (size_t i = 0; i < 16; i++) {
            values[i] += seen >> i & 1;
        }
    }
    for (size_t i = 0; i < 4; i++) {
        assert_in_range(octaves[i], SALTS * 3 / 8 / 4 * 8 / 10, SALTS * 3 / 8 / 4 * 12 / 10);
    }
    for (size_t i = 0; i < 16; i++) {
        assert_in_range(values[i], values[0] * 8 / 10, values[0] * 12 / 10);
    }
}

/* The same values in another order, as a list made anew has them: the same ones are hot. */
static void test_order_does_not_matter(void **state)
{
    (void)state;
    uint64_t forth[10];
    uint64_t back[10];
    for (uint64_t i = 0; i < 10; i++) {
        forth[i] = 1000 + i;
        back[9 - i] = 1000 + i;
    }
    for (uint64_t salt = 1; salt <= 200; salt++) {
        uint64_t seen = drawn(salt, forth, 10);
        uint64_t mirrored = drawn(salt, back, 10);
        for (size_t i = 0; i < 10; i++) {
            assert_int_equal(seen >> i & 1, mirrored >> (9 - i) & 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_how_often_values_are_left_out),
        cmocka_unit_test(test_any_number_and_any_value),
        cmocka_unit_test(test_order_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
