/* Variations of a trace, and several traces in one. */
#include "shrink/batch.h"
#include "shrink/edit.h"
#include "shrink/order.h"
#include "shrink/shrink.h"
#include "shrink/variation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { NEW, PUSH, POP, MERGE, RULES, DRAWS = 20000 };

static const size_t collections[RULES] = {0, SHRINK_NO_COLLECTION, SHRINK_NO_COLLECTION, 0};

/* Steps of these rules; the references are ids, which begin at 1. */
struct call {
    size_t rule;
    uint32_t references[2]; /* 0: none */
};

static struct trace trace_of(struct arena *arena, const struct call *calls, size_t count)
{
    struct trace trace = {0};
    for (size_t i = 0; i < count; i++) {
        struct trace_step *step = VEC_PUSH(arena, &trace.steps);
        *step = (struct trace_step){.id = (uint32_t)i + 1, .rule = calls[i].rule};
        for (size_t k = 0; k < 2 && calls[i].references[k]; k++) {
            struct choice *choice = VEC_PUSH(arena, &step->choices.items);
            choice->kind = CHOICE_REFERENCE;
            choice->as.reference = (struct reference){.step = calls[i].references[k]};
        }
    }
    return trace;
}
#define TRACE(arena, ...)                                                                          \
    trace_of((arena), (const struct call[]){__VA_ARGS__},                                          \
             sizeof((const struct call[]){__VA_ARGS__}) / sizeof(struct call))

/* Whether one of the variations is this trace. */
static bool is_variation(const struct trace *trace, const struct trace *wanted)
{
    struct arena arena = {0};
    struct variation variation = variation_of(trace, collections, &arena);
    bool found = false;
    for (size_t i = 0; i < DRAWS && !found; i++) {
        struct arena_mark mark = arena_mark(&arena);
        struct trace out;
        found = variation_next(&variation, &arena, &out) &&
                trace_fingerprint(&out) == trace_fingerprint(wanted);
        arena_rewind(&arena, mark);
    }
    arena_free(&arena);
    return found;
}

/* a and b, each with something done to it, go into one. */
static struct trace two_into_one(struct arena *arena)
{
    return TRACE(arena, {NEW, {0}}, {NEW, {0}}, {PUSH, {1}}, {PUSH, {1}}, {PUSH, {2}},
                 {MERGE, {2, 1}}, {POP, {6}});
}

static void test_makes_a_value_another_way(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace trace = two_into_one(&arena);
    /* b out of a, once one of two things was done to a */
    struct trace wanted = TRACE(&arena, {NEW, {0}}, {PUSH, {1}}, {MERGE, {1, 1}}, {PUSH, {1}},
                                {MERGE, {3, 1}}, {POP, {5}});
    assert_true(is_variation(&trace, &wanted));
    /* the same, and something done to b */
    wanted = TRACE(&arena, {NEW, {0}}, {PUSH, {1}}, {MERGE, {1, 1}}, {PUSH, {3}}, {MERGE, {3, 1}},
                   {POP, {5}});
    assert_true(is_variation(&trace, &wanted));
    /* one for both */
    wanted = TRACE(&arena, {NEW, {0}}, {PUSH, {1}}, {PUSH, {1}}, {MERGE, {1, 1}}, {POP, {4}});
    assert_true(is_variation(&trace, &wanted));
    arena_free(&arena);
}

static bool refers_to(const struct trace_step *step, uint32_t id)
{
    bool found = false;
    for (size_t i = 0; i < step->choices.items.count; i++) {
        found = found || step->choices.items.items[i].as.reference.step == id;
    }
    return found;
}

static void test_variations_are_shorter_and_whole(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace trace = two_into_one(&arena);
    struct variation variation = variation_of(&trace, collections, &arena);
    size_t made = 0;
    assert_true(variation_pays(&variation, &arena));
    for (size_t i = 0; i < 2000; i++) {
        struct trace out;
        if (!variation_next(&variation, &arena, &out)) {
            continue;
        }
        made++;
        assert_in_range(out.steps.count, 1, trace.steps.count - 1);
        assert_int_equal(out.steps.items[out.steps.count - 1].id, 7);
        struct trace closed = edit_close(&arena, &out, &trace);
        assert_int_equal(closed.steps.count, out.steps.count);
        for (size_t k = 0; k + 1 < out.steps.count; k++) {
            bool used = out.steps.items[k].rule == PUSH || out.steps.items[k].rule == POP;
            for (size_t l = k + 1; l < out.steps.count; l++) {
                used = used || refers_to(&out.steps.items[l], out.steps.items[k].id);
            }
            assert_true(used);
        }
    }
    assert_in_range(made, 100, 2000);
    arena_free(&arena);
}

static void test_what_does_not_pay(void **state)
{
    (void)state;
    struct arena arena = {0};
    /* nothing is made out of another */
    struct trace trace = TRACE(&arena, {NEW, {0}}, {PUSH, {1}}, {PUSH, {1}}, {POP, {1}});
    struct variation variation = variation_of(&trace, collections, &arena);
    assert_false(variation_pays(&variation, &arena));
    /* a step that has nothing to do with the last one is needed: steps touch more than they refer
     * to */
    trace = TRACE(&arena, {NEW, {0}}, {NEW, {0}}, {PUSH, {2}}, {MERGE, {1, 1}}, {POP, {4}});
    variation = variation_of(&trace, collections, &arena);
    assert_false(variation_pays(&variation, &arena));
    arena_free(&arena);
}

static void test_batch(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct batch batch = {0};
    struct trace first = TRACE(&arena, {NEW, {0}}, {PUSH, {1}}, {POP, {1}});
    struct trace second = TRACE(&arena, {NEW, {0}}, {NEW, {0}}, {PUSH, {2}}, {MERGE, {1, 2}});
    first.steps.items[0].initialize = second.steps.items[0].initialize = true;
    batch_add(&batch, &arena, &first);
    batch_add(&batch, &arena, &second);
    struct trace wanted = TRACE(&arena, {NEW, {0}}, {PUSH, {1}}, {POP, {1}}, {NEW, {0}},
                                {PUSH, {4}}, {MERGE, {1, 4}});
    wanted.steps.items[0].initialize = true;
    assert_int_equal(trace_fingerprint(&batch.whole), trace_fingerprint(&wanted));
    assert_int_equal(batch.members.count, 2);
    /* what was executed ends in the one or the other */
    struct trace executed = edit_remove(&arena, &batch.whole, 3, 6);
    assert_ptr_equal(batch_ended_in(&batch, &executed), &batch.members.items[0]);
    executed = edit_remove(&arena, &batch.whole, 5, 6);
    assert_ptr_equal(batch_ended_in(&batch, &executed), &batch.members.items[1]);
    assert_int_equal(trace_fingerprint(&batch.members.items[1].trace), trace_fingerprint(&second));
    executed = edit_remove(&arena, &batch.whole, 1, 6);
    assert_null(batch_ended_in(&batch, &executed));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_makes_a_value_another_way),
        cmocka_unit_test(test_variations_are_shorter_and_whole),
        cmocka_unit_test(test_what_does_not_pay),
        cmocka_unit_test(test_batch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
