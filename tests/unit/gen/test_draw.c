#include "gen/draw.h"

#include "support/drawing.h"

#include <math.h>
#include <string.h>

/* The first `count` simplest values, as the nudge passes over them. */
static void assert_integers(struct int_range range, size_t count, const int64_t *expected)
{
    struct drawer *drawer = replay_drawer(NULL);
    for (size_t i = 0; i < count; i++) {
        drawer->own.nudge = i;
        assert_int_equal(draw_integer(drawer, range, 99), expected[i]);
    }
}

static void simplest_integers_come_in_order(void **state)
{
    (void)state;
    assert_integers((struct int_range){-2, 5, 0}, 9,
                    (const int64_t[]){0, 1, -1, 2, -2, 3, 4, 5, 0});
    assert_integers((struct int_range){3, 5, 3}, 4, (const int64_t[]){3, 4, 5, 3});
    assert_integers((struct int_range){-5, -4, -4}, 3, (const int64_t[]){-4, -5, -4});
    assert_integers((struct int_range){7, 7, 7}, 2, (const int64_t[]){7, 7});
    assert_integers((struct int_range){INT64_MIN, INT64_MAX, 0}, 3, (const int64_t[]){0, 1, -1});
    assert_integers((struct int_range){INT64_MIN, INT64_MAX, INT64_MIN}, 2,
                    (const int64_t[]){INT64_MIN, INT64_MIN + 1});
}

static void the_nudge_carries_over(void **state)
{
    (void)state;
    struct drawer *drawer = replay_drawer(NULL);
    drawer->own.nudge = 7; /* of 3 times …: 7 = 2 * 3 + 1 */
    assert_int_equal(draw_integer(drawer, (struct int_range){0, 2, 0}, 0), 1);
    assert_int_equal(draw_integer(drawer, (struct int_range){0, 9, 0}, 0), 2);
    assert_int_equal(draw_integer(drawer, (struct int_range){0, 9, 0}, 0), 0);
}

static void simplest_texts_come_in_order(void **state)
{
    (void)state;
    struct drawer *drawer = replay_drawer(NULL);
    static const char *const expected[] = {"", "x", "y", "xx", "xy", "yx", "yy", "xx"};
    struct value alphabet = text("xy");
    struct text_bounds bounds = {alphabet.as.string, 0, 2};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        drawer->own.nudge = i;
        assert_string_equal(draw_text(drawer, &bounds, NULL)->data, expected[i]);
        assert_int_equal(drawer->own.nudge, i == 7); /* 7 = 1 + 2 + 4 */
    }
    struct text_bounds plain = {NULL, 2, 5};
    static const char *const letters[] = {"00", "01"};
    for (size_t i = 0; i < 2; i++) {
        drawer->own.nudge = i;
        assert_string_equal(draw_text(drawer, &plain, NULL)->data, letters[i]);
    }
    drawer->own.nudge = 10;
    assert_string_equal(draw_text(drawer, &plain, NULL)->data, "0a");
}

static void a_text_of_one_letter_only_grows(void **state)
{
    (void)state;
    struct drawer *drawer = replay_drawer(NULL);
    struct value alphabet = text("z");
    struct text_bounds bounds = {alphabet.as.string, 1, 3};
    static const char *const expected[] = {"z", "zz", "zzz", "zzz"};
    for (size_t i = 0; i < 4; i++) {
        drawer->own.nudge = i;
        assert_string_equal(draw_text(drawer, &bounds, NULL)->data, expected[i]);
    }
}

static void simplest_bytes_and_floats_come_in_order(void **state)
{
    (void)state;
    struct drawer *drawer = replay_drawer(NULL);
    assert_int_equal(draw_bytes(drawer, 0, 4, NULL)->size, 0);
    drawer->own.nudge = 2;
    const struct bytes *bytes = draw_bytes(drawer, 0, 4, NULL);
    assert_int_equal(bytes->size, 1);
    assert_int_equal(bytes->data[0], 1);
    struct float_range range = {-INFINITY, INFINITY, .nan = true};
    static const double wholes[] = {0, 1, -1, 2};
    for (size_t i = 0; i < 4; i++) {
        drawer->own.nudge = i;
        assert_true(draw_float(drawer, range, 9) == wholes[i]);
    }
    struct float_range parts = {.min = 0.25, .max = 0.75};
    double seen[3];
    for (size_t i = 0; i < 3; i++) {
        drawer->own.nudge = i;
        seen[i] = draw_float(drawer, parts, 9);
        assert_true(seen[i] >= 0.25 && seen[i] <= 0.75);
    }
    assert_true(seen[0] != seen[1] && seen[1] != seen[2] && seen[0] != seen[2]);
}

static struct choices *integers(size_t count, const int64_t *values)
{
    struct choices *choices = ARENA_NEW(&test_arena, struct choices);
    for (size_t i = 0; i < count; i++) {
        *VEC_PUSH(&test_arena, &choices->items) = (struct choice){
            .kind = CHOICE_INTEGER, .as.integer = {values[i], INT64_MIN, INT64_MAX, 0}};
    }
    return choices;
}

static void a_replay_is_followed_clamped_and_then_simplest(void **state)
{
    (void)state;
    struct drawer *drawer = replay_drawer(integers(3, (const int64_t[]){5, 50, -50}));
    struct int_range range = {1, 9, 3};
    assert_int_equal(draw_integer(drawer, range, 0), 5);
    assert_int_equal(draw_integer(drawer, range, 0), 9);
    assert_int_equal(draw_integer(drawer, range, 0), 1);
    assert_int_equal(draw_integer(drawer, range, 0), 3);
    assert_int_equal(drawer->record->items.count, 4);
    assert_int_equal(drawer->record->items.items[1].as.integer.value, 9);
    assert_int_equal(drawer->record->items.items[1].as.integer.max, 9);
}

static void a_choice_of_another_kind_is_passed_over(void **state)
{
    (void)state;
    struct drawer *drawer = replay_drawer(integers(2, (const int64_t[]){5, 6}));
    struct text_bounds bounds = {NULL, 1, 5};
    assert_string_equal(draw_text(drawer, &bounds, NULL)->data, "0");
    assert_int_equal(draw_integer(drawer, (struct int_range){0, 9, 0}, 0), 6);
}

static int64_t digits(const int64_t *low_first, size_t count, struct int_range range)
{
    static const int64_t units[] = {100, 60, 0};
    struct drawer *drawer = replay_drawer(integers(count, low_first));
    return draw_digits(drawer, range, units, 0);
}

static void digits_come_lowest_first(void **state)
{
    (void)state;
    struct int_range wide = int_range(-1000000, 1000000);
    assert_int_equal(digits((const int64_t[]){25, 7, 3}, 3, wide), 3 * 6000 + 7 * 100 + 25);
    assert_int_equal(digits((const int64_t[]){25, 0, -1}, 3, wide), -6000 + 25);
    assert_int_equal(digits(NULL, 0, wide), 0);
    /* what is above the bounds comes back into them, with the low digits as they were drawn */
    struct int_range narrow = int_range(250, 450);
    assert_int_equal(digits((const int64_t[]){60, 9, 9}, 3, narrow), 360);
    assert_int_equal(digits((const int64_t[]){40, 0, 0}, 3, narrow), 340);
    assert_int_equal(digits((const int64_t[]){50, 99, 0}, 3, narrow), 450);
    /* no whole unit fits: one choice */
    assert_int_equal(digits((const int64_t[]){70, 1, 1}, 3, int_range(20, 90)), 70);
}

/* A proposal in range is drawn unchanged, also at the ends of 64 bits. */
static void proposed_digits_come_out(void **state)
{
    (void)state;
    static const int64_t units[] = {1000000, 86400, 0};
    static const int64_t proposals[] = {
        INT64_MIN,       INT64_MIN + 1, -1,       0, 1, 999999, 1000000,
        123456789012345, INT64_MAX - 1, INT64_MAX};
    struct drawer *drawer = test_drawer(1);
    for (size_t i = 0; i < sizeof proposals / sizeof *proposals; i++) {
        drawer_begin(drawer);
        int64_t drawn = draw_digits(drawer, int_range(INT64_MIN, INT64_MAX), units, proposals[i]);
        assert_true(drawn == proposals[i]);
        assert_int_equal(drawer->record->items.count, 3);
    }
}

static void rewinding_forgets_what_was_drawn(void **state)
{
    (void)state;
    struct drawer *drawer = replay_drawer(NULL);
    draw_integer(drawer, (struct int_range){0, 9, 0}, 0);
    struct draw_mark mark = draw_mark(drawer);
    size_t span = draw_span_begin(drawer, SPAN_ITEM);
    draw_integer(drawer, (struct int_range){0, 9, 0}, 0);
    draw_span_end(drawer, span);
    assert_int_equal(drawer->record->spans.items[0].start, 1);
    assert_int_equal(drawer->record->spans.items[0].end, 2);
    draw_rewind(drawer, mark);
    assert_int_equal(drawer->record->items.count, 1);
    assert_int_equal(drawer->record->spans.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(simplest_integers_come_in_order, drawing_clear),
        cmocka_unit_test_teardown(the_nudge_carries_over, drawing_clear),
        cmocka_unit_test_teardown(simplest_texts_come_in_order, drawing_clear),
        cmocka_unit_test_teardown(a_text_of_one_letter_only_grows, drawing_clear),
        cmocka_unit_test_teardown(simplest_bytes_and_floats_come_in_order, drawing_clear),
        cmocka_unit_test_teardown(a_replay_is_followed_clamped_and_then_simplest, drawing_clear),
        cmocka_unit_test_teardown(a_choice_of_another_kind_is_passed_over, drawing_clear),
        cmocka_unit_test_teardown(digits_come_lowest_first, drawing_clear),
        cmocka_unit_test_teardown(proposed_digits_come_out, drawing_clear),
        cmocka_unit_test_teardown(rewinding_forgets_what_was_drawn, drawing_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
