#include "trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A step with one integer and one text. */
static void add_step(struct arena *arena, struct trace *trace, uint32_t id, size_t rule, int64_t n,
                     const char *text)
{
    struct trace_step *step = VEC_PUSH(arena, &trace->steps);
    step->id = id;
    step->rule = rule;
    *VEC_PUSH(arena, &step->choices.items) =
        (struct choice){.kind = CHOICE_INTEGER, .as.integer = {n, 0, 10, 0}};
    *VEC_PUSH(arena, &step->choices.items) = (struct choice){
        .kind = CHOICE_TEXT, .as.text = {value_text(arena, text).as.string, NULL, 0, 10}};
}

static void test_copy_outlives_the_original(void **state)
{
    (void)state;
    struct arena first = {0};
    struct arena second = {0};
    struct trace trace = {0};
    add_step(&first, &trace, 7, 3, 5, "some text");
    add_step(&first, &trace, 9, 1, 6, "more");
    struct trace copy = trace_copy(&second, &trace);
    assert_true(trace_equal(&trace, &copy));
    arena_free(&first);
    assert_int_equal(copy.steps.count, 2);
    assert_int_equal(copy.steps.items[0].id, 7);
    assert_int_equal(copy.steps.items[1].rule, 1);
    assert_int_equal(copy.steps.items[1].choices.items.items[0].as.integer.value, 6);
    assert_string_equal(copy.steps.items[0].choices.items.items[1].as.text.value->data,
                        "some text");
    arena_free(&second);
}

static void test_equality_sees_every_part(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace empty = {0};
    struct trace base = {0};
    add_step(&arena, &base, 7, 3, 5, "a");
    assert_false(trace_equal(&base, &empty));
    static const struct {
        size_t rule;
        int64_t n;
        const char *text;
        uint32_t id;
        bool equal;
    } others[] = {
        {3, 5, "a", 7, true},  {3, 5, "a", 8, false}, {2, 5, "a", 7, false},
        {3, 4, "a", 7, false}, {3, 5, "b", 7, false},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct trace other = {0};
        add_step(&arena, &other, others[i].id, others[i].rule, others[i].n, others[i].text);
        assert_int_equal(trace_equal(&base, &other), others[i].equal);
        other.steps.items[0].initialize = true;
        assert_false(trace_equal(&base, &other));
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy_outlives_the_original),
        cmocka_unit_test(test_equality_sees_every_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
