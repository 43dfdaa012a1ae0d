#include "gen/choice.h"

#include "base/utf8.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

static int clear(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* Built by hand: this file tests choices, not the value module. */
static const struct string *string(const char *text)
{
    size_t size = strlen(text);
    struct string *result = arena_zalloc(&arena, sizeof *result + size + 1);
    result->size = size;
    result->length = utf8_length(text, size);
    memcpy(result->data, text, size);
    return result;
}

static const struct bytes *bytes(const char *data, size_t size)
{
    struct bytes *result = arena_alloc(&arena, sizeof *result + size);
    result->size = size;
    memcpy(result->data, data, size);
    return result;
}

static struct choice integer(int64_t value, int64_t min, int64_t max, int64_t toward)
{
    return (struct choice){.kind = CHOICE_INTEGER, .as.integer = {value, min, max, toward}};
}

static struct choice real(double value, double min, double max)
{
    return (struct choice){.kind = CHOICE_FLOAT, .as.real = {value, min, max, false}};
}

static struct choice text(const char *value, const char *alphabet, size_t min, size_t max)
{
    return (struct choice){
        .kind = CHOICE_TEXT,
        .as.text = {string(value), alphabet ? string(alphabet) : NULL, min, max}};
}

static struct choice binary(const char *value, size_t size, size_t min, size_t max)
{
    return (struct choice){.kind = CHOICE_BYTES, .as.bytes = {bytes(value, size), min, max}};
}

static struct choice reference(uint32_t step, uint32_t output, uint64_t position)
{
    return (struct choice){.kind = CHOICE_REFERENCE,
                           .as.reference = {.step = step, .output = output, .position = position}};
}

static void push(struct choices *choices, struct choice choice)
{
    *VEC_PUSH(&arena, &choices->items) = choice;
}

static void span(struct choices *choices, enum span_kind kind, size_t start, size_t end)
{
    *VEC_PUSH(&arena, &choices->spans) = (struct choice_span){kind, start, end};
}

static void a_copy_is_equal_and_shares_nothing(void **state)
{
    (void)state;
    static struct arena own;
    struct choices copy;
    {
        struct choices choices = {0};
        push(&choices, integer(3, 0, 10, 0));
        push(&choices, real(NAN, -1, 1));
        push(&choices, text("äb", "bä", 0, 5));
        push(&choices, text("x", NULL, 0, SIZE_MAX));
        push(&choices, binary("\0\1", 2, 0, 9));
        push(&choices, reference(7, 1, 2));
        span(&choices, SPAN_ARGUMENT, 0, 6);
        span(&choices, SPAN_ITEM, 1, 2);
        copy = choices_copy(&own, &choices);
        assert_true(choices_equal(&copy, &choices));
    }
    arena_reset(&arena); /* poisons the original: a shared pointer would be found */
    struct choices again = {0};
    push(&again, integer(3, 0, 10, 0));
    push(&again, real(NAN, -1, 1));
    push(&again, text("äb", "bä", 0, 5));
    push(&again, text("x", NULL, 0, SIZE_MAX));
    push(&again, binary("\0\1", 2, 0, 9));
    push(&again, reference(7, 1, 2));
    span(&again, SPAN_ARGUMENT, 0, 6);
    span(&again, SPAN_ITEM, 1, 2);
    assert_true(choices_equal(&copy, &again));
    arena_free(&own);
}

static void equality_sees_every_field(void **state)
{
    (void)state;
    struct choice distinct[] = {
        integer(3, 0, 10, 0),  integer(4, 0, 10, 0),  integer(3, 1, 10, 1),   integer(3, 0, 11, 0),
        integer(3, 0, 10, 3),  real(0.0, -1, 1),      real(-0.0, -1, 1),      real(0.0, -2, 1),
        real(0.0, -1, 2),      real(NAN, -1, 1),      text("a", NULL, 0, 5),  text("b", NULL, 0, 5),
        text("a", "ab", 0, 5), text("a", "ba", 0, 5), text("a", NULL, 1, 5),  text("a", NULL, 0, 6),
        binary("a", 1, 0, 5),  binary("b", 1, 0, 5),  binary("a\0", 2, 0, 5), binary("a", 1, 1, 5),
        binary("a", 1, 0, 6),  reference(1, 2, 3),    reference(0, 2, 3),     reference(1, 0, 3),
        reference(1, 2, 0),
    };
    size_t count = sizeof distinct / sizeof *distinct;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            assert_int_equal(choice_equal(&distinct[i], &distinct[j]), i == j);
        }
    }
    struct choice nan_allowed = real(0.0, -1, 1);
    nan_allowed.as.real.nan = true;
    assert_false(choice_equal(&nan_allowed, &distinct[5]));
}

struct simple_case {
    struct choice choice;
    struct choice simplest;
};

static void every_kind_has_a_simplest(void **state)
{
    (void)state;
    struct simple_case cases[] = {
        {integer(9, -5, 10, 0), integer(0, -5, 10, 0)},
        {integer(9, 4, 10, 4), integer(4, 4, 10, 4)},
        {real(2.5, -INFINITY, INFINITY), real(0.0, -INFINITY, INFINITY)},
        {real(-0.0, -1, 1), real(0.0, -1, 1)},
        {real(7.5, 2.5, 9), real(3, 2.5, 9)},
        {real(-7.5, -9, -2.5), real(-3, -9, -2.5)},
        {real(0.4, 0.25, 0.75), real(0.25, 0.25, 0.75)},
        {text("xyz", NULL, 0, 5), text("", NULL, 0, 5)},
        {text("xyz", NULL, 2, 5), text("00", NULL, 2, 5)},
        {text("xyz", "zäxy", 2, 5), text("zz", "zäxy", 2, 5)},
        {text("xyä", "äxy", 1, 5), text("ä", "äxy", 1, 5)},
        {binary("abc", 3, 1, 5), binary("\0", 1, 1, 5)},
        {reference(3, 4, 5), reference(REFERENCE_BY_POSITION, 0, 0)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(choice_is_simplest(&cases[i].choice));
        choice_simplify(&cases[i].choice, &arena);
        assert_true(choice_equal(&cases[i].choice, &cases[i].simplest));
        assert_true(choice_is_simplest(&cases[i].choice));
    }
    struct choice oldest = reference(3, 1, 0);
    assert_true(choice_is_simplest(&oldest));
}

static void clamping_moves_to_the_nearest(void **state)
{
    (void)state;
    struct simple_case cases[] = {
        {integer(5, 0, 10, 0), integer(5, 0, 10, 0)},
        {integer(INT64_MIN, 0, 10, 0), integer(0, 0, 10, 0)},
        {integer(INT64_MAX, 0, 10, 0), integer(10, 0, 10, 0)},
        {real(INFINITY, 0, 10), real(10, 0, 10)},
        {real(-1, 0.5, 10), real(0.5, 0.5, 10)},
        {real(NAN, 0.5, 10), real(1, 0.5, 10)},
        {text("abcdef", NULL, 0, 3), text("abc", NULL, 0, 3)},
        {text("ab", NULL, 4, 9), text("ab00", NULL, 4, 9)},
        {text("aéx", "éa", 0, 9), text("aéé", "éa", 0, 9)},
        {text("abc", "", 0, 0), text("", "", 0, 0)},
        {text("\xff\xc3", NULL, 0, 9), text("00", NULL, 0, 9)},
        {binary("abc", 3, 0, 2), binary("ab", 2, 0, 2)},
        {binary("a", 1, 3, 4), binary("a\0\0", 3, 3, 4)},
        {reference(1, 2, 3), reference(1, 2, 3)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        choice_clamp(&cases[i].choice, &arena);
        assert_true(choice_equal(&cases[i].choice, &cases[i].simplest));
    }
    struct choice nan = real(NAN, 0, 1);
    nan.as.real.nan = true;
    choice_clamp(&nan, &arena);
    assert_true(isnan(nan.as.real.value));
}

static void characters_are_ranked(void **state)
{
    (void)state;
    static const char order[] = "0189abyzABYZ !\"'/:@[`{~";
    for (size_t i = 0; order[i + 1]; i++) {
        assert_true(choice_char_rank(NULL, (unsigned char)order[i]) <
                    choice_char_rank(NULL, (unsigned char)order[i + 1]));
    }
    assert_true(choice_char_rank(NULL, '~') < choice_char_rank(NULL, '\n'));
    assert_true(choice_char_rank(NULL, '\n') < choice_char_rank(NULL, 0xE9));
    assert_true(choice_char_rank(NULL, 0) == UINT32_MAX);
    assert_true(choice_char_rank(NULL, 0xD800) == UINT32_MAX);
    assert_true(choice_char_rank(NULL, 0x110000) == UINT32_MAX);
    const struct string *alphabet = string("xäa");
    assert_int_equal(choice_char_rank(alphabet, 0xE4), 1);
    assert_int_equal(choice_char_of_rank(alphabet, 1), 0xE4);
    assert_int_equal(choice_char_of_rank(alphabet, 2), 'a');
    assert_int_equal(choice_char_of_rank(alphabet, 3), 'x');
    assert_true(choice_char_rank(alphabet, 'b') == UINT32_MAX);
}

/* Every character has one rank, and every rank up to the last gives back its character. */
static void ranks_are_a_bijection(void **state)
{
    (void)state;
    uint32_t ranked = 0;
    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        uint32_t rank = choice_char_rank(NULL, code);
        if (rank != UINT32_MAX) {
            assert_true(choice_char_of_rank(NULL, rank) == code);
            ranked++;
        }
    }
    assert_int_equal(ranked, 0x110000 - 0x800 - 1);
    for (uint32_t rank = 0; rank < ranked; rank++) {
        assert_true(choice_char_rank(NULL, choice_char_of_rank(NULL, rank)) == rank);
    }
    assert_int_equal(choice_char_of_rank(NULL, ranked), '0');
}

static void removing_choices_keeps_the_spans_in_step(void **state)
{
    (void)state;
    struct choices choices = {0};
    for (int64_t i = 0; i < 10; i++) {
        push(&choices, integer(i, 0, 10, 0));
    }
    span(&choices, SPAN_ARGUMENT, 0, 2);
    span(&choices, SPAN_ARGUMENT, 2, 8);
    span(&choices, SPAN_ITEM, 2, 4);
    span(&choices, SPAN_ITEM, 4, 6);
    span(&choices, SPAN_OTHER, 4, 4); /* empty from the start: a constant */
    span(&choices, SPAN_ARGUMENT, 8, 10);
    choices_remove(&choices, 2, 2);
    choices_remove(&choices, 100, 1);
    choices_remove(&choices, 3, 0);

    struct choices expected = {0};
    for (int64_t i = 0; i < 10; i++) {
        if (i != 2 && i != 3) {
            push(&expected, integer(i, 0, 10, 0));
        }
    }
    span(&expected, SPAN_ARGUMENT, 0, 2);
    span(&expected, SPAN_ARGUMENT, 2, 6);
    span(&expected, SPAN_ITEM, 2, 4);
    span(&expected, SPAN_OTHER, 2, 2);
    span(&expected, SPAN_ARGUMENT, 6, 8);
    assert_true(choices_equal(&choices, &expected));
}

static void an_argument_without_choices_keeps_its_place(void **state)
{
    (void)state;
    struct choices choices = {0};
    push(&choices, integer(1, 0, 10, 0));
    push(&choices, integer(2, 0, 10, 0));
    span(&choices, SPAN_ARGUMENT, 0, 1);
    span(&choices, SPAN_ARGUMENT, 1, 2);
    choices_remove(&choices, 0, 1);
    assert_int_equal(choices.items.count, 1);
    assert_int_equal(choices.spans.count, 2);
    assert_int_equal(choices.spans.items[0].end, 0);
    assert_int_equal(choices.spans.items[1].start, 0);
    assert_int_equal(choices.spans.items[1].end, 1);
    choices_remove(&choices, 0, SIZE_MAX);
    assert_int_equal(choices.items.count, 0);
    assert_int_equal(choices.spans.count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_copy_is_equal_and_shares_nothing, clear),
        cmocka_unit_test_teardown(equality_sees_every_field, clear),
        cmocka_unit_test_teardown(every_kind_has_a_simplest, clear),
        cmocka_unit_test_teardown(clamping_moves_to_the_nearest, clear),
        cmocka_unit_test_teardown(characters_are_ranked, clear),
        cmocka_unit_test_teardown(ranks_are_a_bijection, clear),
        cmocka_unit_test_teardown(removing_choices_keeps_the_spans_in_step, clear),
        cmocka_unit_test_teardown(an_argument_without_choices_keeps_its_place, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
