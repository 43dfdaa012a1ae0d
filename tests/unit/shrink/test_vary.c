/* Other values of arguments: within their bounds, whatever these are. */
#include "shrink/vary.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A step with one argument, of one choice. */
static struct trace trace_with(struct arena *arena, struct choice choice)
{
    struct trace trace = {0};
    struct trace_step *step = VEC_PUSH(arena, &trace.steps);
    *step = (struct trace_step){.id = 0};
    *VEC_PUSH(arena, &step->choices.items) = choice;
    *VEC_PUSH(arena, &step->choices.spans) =
        (struct choice_span){.kind = SPAN_ARGUMENT, .start = 0, .end = 1};
    return trace;
}

static const struct choice *choice_of(const struct trace *trace)
{
    return &trace->steps.items[0].choices.items.items[0];
}

static void integers(void **state)
{
    (void)state;
    static const int64_t bounds[][3] = {{INT64_MIN, INT64_MAX, 0}, {0, 8, 0}, {-5, -1, -1},
                                        {INT64_MIN, 0, 0},         {7, 7, 7}, {0, INT64_MAX, 0}};
    struct arena arena = {0};
    struct rng rng;
    rng_seed(&rng, 1, 1);
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        struct choice choice = {.kind = CHOICE_INTEGER};
        choice.as.integer.min = bounds[i][0];
        choice.as.integer.max = bounds[i][1];
        choice.as.integer.value = choice.as.integer.toward = bounds[i][2];
        const struct trace trace = trace_with(&arena, choice);
        const struct vary_places places = vary_places(&trace, &arena);
        assert_int_equal(places.items.count, 1);
        for (size_t k = 0; k < 1000; k++) {
            const struct trace other = vary_draw(&trace, &places, &rng, &arena);
            int64_t value = choice_of(&other)->as.integer.value;
            assert_true(value >= bounds[i][0] && value <= bounds[i][1]);
        }
    }
    arena_free(&arena);
}

static void few(void **state)
{
    (void)state;
    struct arena arena = {0};
    uint64_t index = 99;
    const struct vary_place place = {0, 0};
    struct choice choice = {.kind = CHOICE_INTEGER, .as.integer = {-1, -2, 5, 0}};
    struct trace trace = trace_with(&arena, choice);
    assert_true(vary_index(&trace, place, &index));
    assert_int_equal(index, 1);
    const struct trace last = vary_pick(&trace, place, UINT64_MAX, &arena);
    assert_int_equal(choice_of(&last)->as.integer.value, 5);
    choice.as.integer.max = 6; /* one more */
    trace = trace_with(&arena, choice);
    assert_false(vary_index(&trace, place, &index));
    choice = (struct choice){.kind = CHOICE_REFERENCE, .as.reference = {3, 0, 2, 1, NULL}};
    trace = trace_with(&arena, choice);
    assert_true(vary_index(&trace, place, &index));
    assert_int_equal(index, 2);
    const struct trace first = vary_pick(&trace, place, 0, &arena);
    assert_int_equal(choice_of(&first)->as.reference.step, REFERENCE_BY_POSITION);
    assert_int_equal(choice_of(&first)->as.reference.position, 0);
    assert_false(vary_index(&trace, (struct vary_place){1, 0}, &index));
    assert_false(vary_index(&trace, (struct vary_place){0, 1}, &index));
    arena_free(&arena);
}

static void others(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct rng rng;
    rng_seed(&rng, 1, 2);
    struct choice text = {.kind = CHOICE_TEXT};
    text.as.text.value = value_string(&arena, "ab", 2).as.string;
    text.as.text.alphabet = value_string(&arena, "abé", 4).as.string;
    text.as.text.min_size = 1;
    text.as.text.max_size = 4;
    struct choice real = {.kind = CHOICE_FLOAT, .as.real = {0, -DBL_MAX, DBL_MAX, false}};
    const struct trace traces[] = {trace_with(&arena, text), trace_with(&arena, real)};
    for (size_t k = 0; k < 100; k++) {
        const struct vary_places places = vary_places(&traces[0], &arena);
        const struct trace other = vary_draw(&traces[0], &places, &rng, &arena);
        const struct string *value = choice_of(&other)->as.text.value;
        assert_in_range(value->length, 1, 4);
        assert_int_equal(strspn(value->data, "ab\xC3\xA9"), value->size);
        const struct trace number = vary_draw(&traces[1], &places, &rng, &arena);
        assert_true(isfinite(choice_of(&number)->as.real.value));
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),
        cmocka_unit_test(few),
        cmocka_unit_test(others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
