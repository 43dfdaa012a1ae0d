/* Pairs: what becomes one, what it stands for inside of others, and how pairs are taken back. */
#include "diff/pairs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static struct arena arena;

static int set_up(void **state)
{
    *state = pairs_new(&arena);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static struct value text(const char *data) { return value_text(&arena, data); }

static struct value uuid(size_t number)
{
    return text(arena_printf(&arena, "5d1e0000-0000-4000-8000-%012zx", number));
}

static struct value list(struct value first, struct value second)
{
    struct value out = value_list(&arena);
    list_append(out.as.list, first);
    list_append(out.as.list, second);
    return out;
}

static struct value dict(struct value key, struct value value)
{
    struct value out = value_dict(&arena);
    assert_true(table_set(out.as.table, key, value, NULL));
    return out;
}

static void a_pair_is_one_to_one(void **state)
{
    struct pairs *pairs = *state;
    assert_int_equal(pairs_compare(pairs, uuid(1), uuid(2)), PAIR_NEW);
    pairs_join(pairs, uuid(1), uuid(2));
    assert_int_equal(pairs_compare(pairs, uuid(1), uuid(2)), PAIR_SAME);
    assert_int_equal(pairs_compare(pairs, uuid(1), uuid(3)), PAIR_CONFLICT);
    assert_int_equal(pairs_compare(pairs, uuid(3), uuid(2)), PAIR_CONFLICT);
    assert_int_equal(pairs_compare(pairs, uuid(1), uuid(1)), PAIR_CONFLICT);
    assert_int_equal(pairs_compare(pairs, uuid(2), uuid(2)), PAIR_CONFLICT);
    assert_int_equal(pairs_compare(pairs, uuid(2), uuid(1)), PAIR_NEW);
    assert_int_equal(pairs_compare(pairs, uuid(3), uuid(3)), PAIR_SAME);
}

static void equal_values_are_the_same_whatever_their_partners(void **state)
{
    struct pairs *pairs = *state;
    pairs_join(pairs, value_int(1234567), value_int(7654321));
    assert_int_equal(pairs_compare(pairs, value_int(7654321), value_int(7654321)), PAIR_SAME);
    assert_int_equal(pairs_compare(pairs, value_int(1234567), value_int(1234567)), PAIR_SAME);
    assert_int_equal(pairs_compare(pairs, value_int(1234567), value_int(2)), PAIR_CONFLICT);
}

static void what_was_sent_is_its_own_partner(void **state)
{
    struct pairs *pairs = *state;
    struct value inside = text(arena_printf(&arena, "for %s.", value_cstr(uuid(4))));
    pairs_sent(pairs, list(uuid(1), dict(uuid(2), list(uuid(3), inside))));
    for (size_t i = 1; i <= 4; i++) {
        assert_int_equal(pairs_compare(pairs, uuid(i), uuid(9)), PAIR_CONFLICT);
        assert_int_equal(pairs_compare(pairs, uuid(9), uuid(i)), PAIR_CONFLICT);
    }
    assert_false(pairs_any(pairs));
    pairs_join(pairs, uuid(7), uuid(8));
    pairs_sent(pairs, list(uuid(7), uuid(8)));
    assert_int_equal(pairs_compare(pairs, uuid(7), uuid(8)), PAIR_SAME);
    assert_true(pairs_any(pairs));
}

static void only_what_tells_becomes_a_pair(void **state)
{
    struct pairs *pairs = *state;
    pairs_sent(pairs, list(value_int(5), text("abc")));
    assert_int_equal(pairs_count(pairs), 0);
    assert_int_equal(pairs_compare(pairs, value_int(5), value_int(6)), PAIR_NEW);
    assert_true(pairs_telling(value_int(-1234567)));
    assert_true(pairs_telling(text("4f2a9c")));
    assert_true(pairs_telling(value_float(0.123456)));
    assert_false(pairs_telling(value_float(0.5)));
    assert_false(pairs_telling(value_bool(true)));
    assert_false(pairs_telling(value_none()));
}

static void replaces_what_has_a_partner(void **state)
{
    struct pairs *pairs = *state;
    struct value same = list(uuid(1), text("token-of-ann"));
    assert_true(value_same(pairs_after(pairs, &arena, same), same));
    pairs_join(pairs, uuid(1), uuid(11));
    pairs_join(pairs, text("token-of"), text("x"));
    pairs_join(pairs, text("token-of-ann"), text("other"));
    struct value before =
        list(dict(uuid(1),
                  text(arena_printf(&arena, "(token-of-ann,token-of,%s)", value_cstr(uuid(1))))),
             list(value_int(3), value_with_origin(text("token-of-ann"), 7)));
    struct value after =
        list(dict(uuid(11), text(arena_printf(&arena, "(other,x,%s)", value_cstr(uuid(11))))),
             list(value_int(3), text("other")));
    struct value found = pairs_after(pairs, &arena, before);
    assert_string_equal(value_repr_text(&arena, found), value_repr_text(&arena, after));
    assert_int_equal(value_origin(value_items(value_items(found).items[1]).items[1]), 7);
    struct value bag = value_bag(list(uuid(1), uuid(2)).as.list);
    assert_int_equal(pairs_after(pairs, &arena, bag).type, VALUE_BAG);
    struct value other = list(uuid(2), text("nothing in it"));
    assert_true(value_same(pairs_after(pairs, &arena, other), other));
}

static void replaces_times(void **state)
{
    struct pairs *pairs = *state;
    pairs_join(pairs, text("2020-01-01 10:00:00"), text("2021-01-01 10:00:00.5"));
    static const char *const texts[][2] = {
        {"2020-01-01 10:00:00+00", "2021-01-01 10:00:00.5+00"},
        {"[\"2020-01-01T10:00:00+00:00\"]", "[\"2021-01-01T10:00:00.5+00:00\"]"},
        {"2020-01-01 10:00:00.25", "2020-01-01 10:00:00.25"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct value found = pairs_after(pairs, &arena, text(texts[i][0]));
        assert_string_equal(value_cstr(found), texts[i][1]);
    }
}

/* As many as make the indexes grow, and some of each kind. */
static void join_many(struct pairs *pairs, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        pairs_join(pairs, uuid(i), uuid(i % 2 == 0 ? i : i + 100000));
        pairs_join(pairs, text(arena_printf(&arena, "same beginning %zu", i)),
                   text(arena_printf(&arena, "%zu of the other", i)));
    }
}

static void goes_back_to_the_mark(void **state)
{
    struct pairs *pairs = *state;
    join_many(pairs, 0, 50);
    pairs_mark(pairs);
    for (size_t round = 0; round < 3; round++) {
        join_many(pairs, 50, 500 * (round + 1));
        const struct value *partner = pairs_partner(pairs, PAIR_BEFORE, uuid(451));
        assert_non_null(partner);
        assert_true(value_equal(*partner, uuid(100451)));
        pairs_back(pairs);
        assert_int_equal(pairs_count(pairs), 100);
        for (size_t i = 0; i < 100; i++) {
            size_t other = i % 2 == 0 ? i : i + 100000;
            assert_int_equal(pairs_compare(pairs, uuid(i), uuid(other)),
                             i < 50 || i == other ? PAIR_SAME : PAIR_NEW);
            assert_int_equal(pairs_partner(pairs, PAIR_AFTER, uuid(other)) != NULL, i < 50);
        }
        struct value found = pairs_after(pairs, &arena, text("a same beginning 49, not 50"));
        assert_string_equal(value_cstr(found), "a 49 of the other, not 50");
        found = pairs_after(pairs, &arena, text("a same beginning 60"));
        assert_string_equal(value_cstr(found), "a same beginning 60");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_pair_is_one_to_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(equal_values_are_the_same_whatever_their_partners, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_was_sent_is_its_own_partner, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_what_tells_becomes_a_pair, set_up, tear_down),
        cmocka_unit_test_setup_teardown(replaces_what_has_a_partner, set_up, tear_down),
        cmocka_unit_test_setup_teardown(replaces_times, set_up, tear_down),
        cmocka_unit_test_setup_teardown(goes_back_to_the_mark, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
