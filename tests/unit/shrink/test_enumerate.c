/* Enumerated traces, and several traces in one. */
#include "shrink/batch.h"
#include "shrink/edit.h"
#include "shrink/enumerate.h"
#include "shrink/order.h"
#include "shrink/shrink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { NEW, PUSH, POP, MERGE, RULES };

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

/* The same with a number behind the references of each. */
static void add_number(struct arena *arena, struct trace_step *step, int64_t value)
{
    struct choice *choice = VEC_PUSH(arena, &step->choices.items);
    choice->kind = CHOICE_INTEGER;
    choice->as.integer.value = value;
    choice->as.integer.min = INT64_MIN;
    choice->as.integer.max = INT64_MAX;
}

/* The visited traces. */
struct seen {
    struct arena arena;
    struct {
        VEC(struct trace) items;
    } traces;
    size_t most; /* to be visited */
};

static bool see(void *context, const struct trace *candidate)
{
    struct seen *seen = context;
    *VEC_PUSH(&seen->arena, &seen->traces.items) = trace_copy(&seen->arena, candidate);
    return seen->traces.items.count < seen->most;
}

static struct seen see_all(const struct trace *trace, size_t steps, size_t tail)
{
    struct arena arena = {0};
    struct seen seen = {.most = SIZE_MAX};
    struct enumeration all = enumeration_of(trace, collections, &arena);
    assert_true(enumerate(&all, steps, tail, see, &seen));
    arena_free(&arena);
    return seen;
}

static size_t times_seen(const struct seen *seen, const struct trace *wanted)
{
    size_t times = 0;
    for (size_t i = 0; i < seen->traces.items.count; i++) {
        times += trace_fingerprint(&seen->traces.items.items[i]) == trace_fingerprint(wanted);
    }
    return times;
}

/* a and b, each with something done to it, go into one. */
static struct trace two_into_one(struct arena *arena)
{
    return TRACE(arena, {NEW, {0}}, {NEW, {0}}, {PUSH, {1}}, {PUSH, {1}}, {PUSH, {2}},
                 {MERGE, {2, 1}}, {POP, {6}});
}

/* Each count is the size of the list in the comment. */
static void test_there_are_all_of_them(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace trace = two_into_one(&arena);
    /* new a; and nothing, push a, or b = merge(a, a) */
    static const size_t of_one_or_two[] = {0, 1, 2};
    for (size_t steps = 1; steps <= 2; steps++) {
        struct seen seen = see_all(&trace, steps, 1);
        assert_int_equal(seen.traces.items.count, of_one_or_two[steps]);
        arena_free(&seen.arena);
    }
    /* new a; push a, push a; push a, b = merge(a, a); b = merge(a, a), push b;
     * b = merge(a, a), and c = merge(a, b), (b, a) or (b, b) */
    struct seen seen = see_all(&trace, 3, 1);
    assert_int_equal(seen.traces.items.count, 6);
    struct trace wanted = TRACE(&arena, {NEW, {0}}, {MERGE, {1, 1}}, {MERGE, {2, 1}}, {POP, {3}});
    assert_int_equal(times_seen(&seen, &wanted), 1);
    /* c = merge(a, a) has no use for b, and the second a none for the first */
    wanted = TRACE(&arena, {NEW, {0}}, {MERGE, {1, 1}}, {MERGE, {1, 1}}, {POP, {3}});
    assert_int_equal(times_seen(&seen, &wanted), 0);
    wanted = TRACE(&arena, {NEW, {0}}, {NEW, {0}}, {PUSH, {2}}, {POP, {2}});
    assert_int_equal(times_seen(&seen, &wanted), 0);
    arena_free(&seen.arena);
    arena_free(&arena);
}

static void test_one_of_several_orders(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace trace = two_into_one(&arena);
    struct seen seen = see_all(&trace, 5, 1);
    struct trace one = TRACE(&arena, {NEW, {0}}, {MERGE, {1, 1}}, {PUSH, {1}}, {PUSH, {2}},
                             {MERGE, {1, 2}}, {POP, {5}});
    struct trace other = TRACE(&arena, {NEW, {0}}, {MERGE, {1, 1}}, {PUSH, {2}}, {PUSH, {1}},
                               {MERGE, {1, 2}}, {POP, {5}});
    assert_int_equal(times_seen(&seen, &one) + times_seen(&seen, &other), 1);
    /* that is another thing: what is pushed first goes into both */
    other = TRACE(&arena, {NEW, {0}}, {PUSH, {1}}, {MERGE, {1, 1}}, {PUSH, {3}}, {MERGE, {1, 3}},
                  {POP, {5}});
    assert_int_equal(times_seen(&seen, &other), 1);
    for (size_t i = 0; i < seen.traces.items.count; i++) {
        assert_int_equal(times_seen(&seen, &seen.traces.items.items[i]), 1);
    }
    arena_free(&seen.arena);
    arena_free(&arena);
}

static void test_the_last_step_is_repeated(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace trace = TRACE(&arena, {NEW, {0}}, {PUSH, {1}}, {POP, {1}}, {MERGE, {1, 1}},
                               {PUSH, {4}}, {POP, {4}}, {POP, {4}});
    struct enumeration all = enumeration_of(&trace, collections, &arena);
    assert_int_equal(all.tail, 3);
    struct seen seen = see_all(&trace, 2, 3);
    struct trace wanted =
        TRACE(&arena, {NEW, {0}}, {MERGE, {1, 1}}, {POP, {2}}, {POP, {2}}, {POP, {2}});
    assert_int_equal(times_seen(&seen, &wanted), 1);
    assert_int_equal(seen.traces.items.count, 2); /* and the one with a push: pops come last */
    arena_free(&seen.arena);
    arena_free(&arena);
}

static void test_the_simplest_two_of_a_rule(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace trace = TRACE(&arena, {NEW, {0}}, {PUSH, {1}}, {PUSH, {1}}, {PUSH, {1}},
                               {PUSH, {1}}, {MERGE, {1, 1}}, {POP, {6}});
    static const int64_t numbers[] = {7, -2, 0, 7};
    for (size_t i = 0; i < 4; i++) {
        add_number(&arena, &trace.steps.items[1 + i], numbers[i]);
    }
    struct enumeration all = enumeration_of(&trace, collections, &arena);
    assert_int_equal(all.steps.count, 4);
    for (size_t i = 0; i < 2; i++) { /* behind NEW */
        const struct trace_step *step = all.steps.items[1 + i].step;
        assert_int_equal(step->rule, PUSH);
        assert_int_equal(step->choices.items.items[1].as.integer.value, i == 0 ? 0 : -2);
    }
    arena_free(&arena);
}

static void test_ends_where_it_is_told_to(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace trace = two_into_one(&arena);
    struct enumeration all = enumeration_of(&trace, collections, &arena);
    struct seen seen = {.most = 3};
    assert_false(enumerate(&all, 4, 1, see, &seen));
    assert_int_equal(seen.traces.items.count, 3);
    arena_free(&seen.arena);
    arena_free(&arena);
}

static bool count(void *context, const struct trace *candidate)
{
    (void)candidate;
    ++*(size_t *)context;
    return true;
}

/* Too many traces to wait for. */
static void test_ends_where_there_are_too_many(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace trace = two_into_one(&arena);
    struct enumeration all = enumeration_of(&trace, collections, &arena);
    size_t seen = 0;
    assert_true(enumerate(&all, 8, 1, count, &seen));
    assert_false(enumerate(&all, 40, 1, count, &seen));
    arena_free(&arena);
}

/* Initialize steps stay, and what they give can be taken. */
static void test_initialize_stays(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace trace =
        TRACE(&arena, {NEW, {0}}, {PUSH, {1}}, {MERGE, {1, 1}}, {MERGE, {1, 3}}, {POP, {4}});
    trace.steps.items[0].initialize = true;
    struct seen seen = see_all(&trace, 1, 1);
    assert_int_equal(seen.traces.items.count, 2); /* a push, a merge */
    struct trace wanted = TRACE(&arena, {NEW, {0}}, {MERGE, {1, 1}}, {POP, {2}});
    wanted.steps.items[0].initialize = true;
    assert_int_equal(times_seen(&seen, &wanted), 1);
    arena_free(&seen.arena);
    arena_free(&arena);
}

static void test_what_does_not_pay(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct trace trace = two_into_one(&arena);
    struct enumeration all = enumeration_of(&trace, collections, &arena);
    assert_true(enumeration_pays(&all, &arena));
    /* nothing is made out of another */
    trace = TRACE(&arena, {NEW, {0}}, {PUSH, {1}}, {PUSH, {1}}, {POP, {1}});
    all = enumeration_of(&trace, collections, &arena);
    assert_false(enumeration_pays(&all, &arena));
    /* a step that has nothing to do with the last one is needed: steps touch more than they refer
     * to */
    trace = TRACE(&arena, {NEW, {0}}, {NEW, {0}}, {PUSH, {2}}, {MERGE, {1, 1}}, {POP, {4}});
    all = enumeration_of(&trace, collections, &arena);
    assert_false(enumeration_pays(&all, &arena));
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
    /* and how far it came */
    assert_int_equal(batch_begun(&batch, &executed), 0);
    executed = edit_remove(&arena, &batch.whole, 3, 6);
    assert_int_equal(batch_begun(&batch, &executed), 1);
    executed = edit_remove(&arena, &batch.whole, 1, 3); /* nothing of the first could be run */
    assert_int_equal(batch_begun(&batch, &executed), 2);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_are_all_of_them),
        cmocka_unit_test(test_one_of_several_orders),
        cmocka_unit_test(test_the_last_step_is_repeated),
        cmocka_unit_test(test_the_simplest_two_of_a_rule),
        cmocka_unit_test(test_ends_where_it_is_told_to),
        cmocka_unit_test(test_ends_where_there_are_too_many),
        cmocka_unit_test(test_initialize_stays),
        cmocka_unit_test(test_what_does_not_pay),
        cmocka_unit_test(test_batch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
