#include "trace/mutation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { INITIALIZE = 2, RUNS = 300 };

/* Steps are told apart by their rule; the argument of a reference is the second one. */
static struct trace_step *add_step(struct arena *arena, struct trace *trace, uint32_t id,
                                   size_t rule, uint32_t refers_to)
{
    struct trace_step *step = VEC_PUSH(arena, &trace->steps);
    *step = (struct trace_step){.id = id, .initialize = id < INITIALIZE, .rule = rule};
    struct choices *choices = &step->choices;
    *VEC_PUSH(arena, &choices->items) =
        (struct choice){.kind = CHOICE_INTEGER, .as.integer = {(int64_t)rule, 0, 100, 0}};
    *VEC_PUSH(arena, &choices->spans) = (struct choice_span){SPAN_ARGUMENT, 0, 1};
    *VEC_PUSH(arena, &choices->items) = (struct choice){
        .kind = CHOICE_REFERENCE, .as.reference = {.step = refers_to, .position = 1}};
    *VEC_PUSH(arena, &choices->spans) = (struct choice_span){SPAN_ARGUMENT, 1, 2};
    return step;
}

/* Two steps of initialize, then `count` others of which each refers to the one before it. Ids have
 * gaps, and the steps of two such traces have the same. */
static struct trace make_trace(struct arena *arena, size_t first_rule, size_t count)
{
    struct trace trace = {0};
    for (uint32_t i = 0; i < INITIALIZE; i++) {
        add_step(arena, &trace, i, i, REFERENCE_BY_POSITION);
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t id = INITIALIZE + 3 * (uint32_t)i;
        add_step(arena, &trace, id, first_rule + i, i ? id - 3 : 0);
    }
    return trace;
}

struct pair {
    struct arena arena;
    struct trace trace; /* rules 10, 11, … */
    struct trace other; /* rules 50, 51, … */
    struct rng rng;
    struct mutating mutating;
};

static void open_pair(struct pair *pair, size_t count, size_t other_count, uint64_t seed)
{
    *pair = (struct pair){0};
    pair->trace = make_trace(&pair->arena, 10, count);
    pair->other = make_trace(&pair->arena, 50, other_count);
    rng_seed(&pair->rng, seed, 0);
    pair->mutating = (struct mutating){.arena = &pair->arena,
                                       .rng = &pair->rng,
                                       .other = &pair->other,
                                       .next_id = mutation_next_id(&pair->trace, &pair->other)};
}

static const struct trace_operator *operator_named(const char *name)
{
    const struct trace_operator *operator= trace_operators;
    while (operator->name && strcmp(operator->name, name) != 0) {
        operator++;
    }
    assert_non_null(operator->name);
    return operator;
}

static struct trace apply(struct pair *pair, const char *name)
{
    return operator_named(name)->apply(&pair->mutating, &pair->trace);
}

static bool has_id(const struct trace *trace, size_t count, uint32_t id)
{
    for (size_t i = 0; i < count; i++) {
        if (trace->steps.items[i].id == id) {
            return true;
        }
    }
    return false;
}

static void assert_initialize_leads(const struct trace *trace)
{
    for (size_t i = 0; i < trace->steps.count; i++) {
        assert_int_equal(trace->steps.items[i].initialize, i < INITIALIZE);
    }
}

static void assert_ids_unique(const struct trace *trace)
{
    for (size_t i = 0; i < trace->steps.count; i++) {
        assert_false(has_id(trace, i, trace->steps.items[i].id));
    }
}

static void assert_references_look_back(const struct trace *trace)
{
    for (size_t i = 0; i < trace->steps.count; i++) {
        const struct choices *choices = &trace->steps.items[i].choices;
        for (size_t j = 0; j < choices->items.count; j++) {
            const struct choice *choice = &choices->items.items[j];
            assert_true(choice->kind != CHOICE_REFERENCE ||
                        choice->as.reference.step == REFERENCE_BY_POSITION ||
                        has_id(trace, i, choice->as.reference.step));
        }
    }
}

static void test_what_comes_out_can_be_replayed(void **state)
{
    (void)state;
    size_t changed = 0;
    size_t most = 0;
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        struct pair pair;
        open_pair(&pair, seed % 13, seed % 7, seed);
        struct trace out = trace_mutate(&pair.mutating, &pair.trace, 20);
        assert_initialize_leads(&out);
        assert_ids_unique(&out);
        assert_references_look_back(&out);
        assert_true(out.steps.count <= INITIALIZE + 20);
        most = out.steps.count > most ? out.steps.count : most;
        changed += !trace_equal(&out, &pair.trace);
        arena_free(&pair.arena);
    }
    assert_int_equal(most, INITIALIZE + 20);
    assert_true(changed > RUNS / 2);
}

static void test_same_random_source_same_trace(void **state)
{
    (void)state;
    size_t different = 0;
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        struct pair pair;
        struct pair again;
        open_pair(&pair, 9, 5, seed);
        open_pair(&again, 9, 5, seed);
        struct trace first = trace_mutate(&pair.mutating, &pair.trace, 30);
        struct trace second = trace_mutate(&again.mutating, &again.trace, 30);
        assert_true(trace_equal(&first, &second));
        rng_seed(&again.rng, seed + 1, 0);
        second = trace_mutate(&again.mutating, &again.trace, 30);
        different += !trace_equal(&first, &second);
        arena_free(&pair.arena);
        arena_free(&again.arena);
    }
    assert_true(different > RUNS / 2);
}

static void test_the_parents_stay_as_they_were(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        struct pair pair;
        struct pair untouched;
        open_pair(&pair, 9, 5, seed);
        open_pair(&untouched, 9, 5, seed);
        (void)trace_mutate(&pair.mutating, &pair.trace, 30);
        assert_true(trace_equal(&pair.trace, &untouched.trace));
        assert_true(trace_equal(&pair.other, &untouched.other));
        arena_free(&pair.arena);
        arena_free(&untouched.arena);
    }
}

/* What it is made of outlives the parents: they may be thrown away. */
static void test_the_result_is_a_copy(void **state)
{
    (void)state;
    struct pair pair;
    struct arena out_arena = {0};
    open_pair(&pair, 6, 6, 4);
    pair.mutating.arena = &out_arena;
    struct trace out = trace_mutate(&pair.mutating, &pair.trace, 30);
    arena_free(&pair.arena);
    for (size_t i = 0; i < out.steps.count; i++) {
        assert_true(out.steps.items[i].choices.spans.count == 2); /* poisoned, were it shared */
    }
    arena_free(&out_arena);
}

static size_t rule_at(const struct trace *trace, size_t i) { return trace->steps.items[i].rule; }

/* 10, 11, …, up to somewhere, then …, 54, 55 from somewhere on, which refer to one another. */
static void test_splice(void **state)
{
    (void)state;
    size_t joined = 0;
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        struct pair pair;
        open_pair(&pair, 6, 6, seed);
        struct trace out = apply(&pair, "splice");
        size_t i = INITIALIZE;
        while (i < out.steps.count && rule_at(&out, i) == 10 + i - INITIALIZE) {
            i++;
        }
        size_t seam = i;
        for (; i < out.steps.count; i++) {
            const struct trace_step *step = &out.steps.items[i];
            assert_int_equal(step->rule, 56 - (out.steps.count - i));
            uint32_t refers_to = step->choices.items.items[1].as.reference.step;
            uint32_t wanted = i > seam          ? out.steps.items[i - 1].id
                              : step->rule > 50 ? REFERENCE_BY_POSITION
                                                : 0; /* the first one refers to initialize */
            assert_int_equal(refers_to, wanted);
        }
        joined += seam > INITIALIZE && seam < out.steps.count;
        assert_ids_unique(&out);
        arena_free(&pair.arena);
    }
    assert_true(joined > RUNS / 2);
}

/* The steps without the copies are the old ones; the copies are one slice several times, and the
 * first of a copy refers to what the original referred to. */
static void test_repeat(void **state)
{
    (void)state;
    size_t chained = 0;
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        struct pair pair;
        open_pair(&pair, 6, 0, seed);
        uint32_t first_new = pair.mutating.next_id;
        struct trace out = apply(&pair, "repeat");
        size_t begin = INITIALIZE;
        while (out.steps.items[begin].id < first_new) {
            begin++;
        }
        size_t copies = out.steps.count - pair.trace.steps.count;
        size_t size = 1;
        while (size < copies && rule_at(&out, begin + size) != rule_at(&out, begin)) {
            size++;
        }
        assert_int_equal(copies % size, 0);
        assert_in_range(copies / size, 1, 4);
        for (size_t i = 0; i < copies; i++) {
            const struct trace_step *copy = &out.steps.items[begin + i];
            const struct trace_step *original = &out.steps.items[begin - size + i % size];
            assert_int_equal(copy->rule, original->rule);
            uint32_t refers_to = copy->choices.items.items[1].as.reference.step;
            uint32_t before = original->choices.items.items[1].as.reference.step;
            if (i % size == 0) {
                assert_int_equal(refers_to, before);
            } else {
                assert_true(refers_to == before || refers_to == copy[-1].id);
                chained += refers_to == copy[-1].id;
            }
        }
        arena_free(&pair.arena);
    }
    assert_true(chained > 0);
}

static int compare_rules(const void *a, const void *b)
{
    size_t left = ((const struct trace_step *)a)->rule;
    size_t right = ((const struct trace_step *)b)->rule;
    return (left > right) - (left < right);
}

/* The same steps in another order, of which all but two are where they were next to. */
static void test_swap(void **state)
{
    (void)state;
    size_t moved = 0;
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        struct pair pair;
        open_pair(&pair, 8, 0, seed);
        struct trace out = apply(&pair, "swap");
        size_t breaks = 0;
        assert_int_equal(out.steps.count, pair.trace.steps.count);
        for (size_t i = INITIALIZE + 1; i < out.steps.count; i++) {
            breaks += rule_at(&out, i) != rule_at(&out, i - 1) + 1;
        }
        assert_true(breaks <= 3);
        moved += breaks > 0;
        qsort(out.steps.items + INITIALIZE, out.steps.count - INITIALIZE, sizeof *out.steps.items,
              compare_rules);
        assert_true(trace_equal(&out, &pair.trace));
        arena_free(&pair.arena);
    }
    assert_true(moved > RUNS / 2);
}

/* One argument is without choices, with its span still there; all else is as it was. */
static void test_alter(void **state)
{
    (void)state;
    size_t seen[2] = {0};
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        struct pair pair;
        open_pair(&pair, 4, 0, seed);
        struct trace out = apply(&pair, "alter");
        size_t altered = 0;
        assert_int_equal(out.steps.count, pair.trace.steps.count);
        for (size_t i = 0; i < out.steps.count; i++) {
            const struct choices *now = &out.steps.items[i].choices;
            const struct choices *before = &pair.trace.steps.items[i].choices;
            if (choices_equal(now, before)) {
                continue;
            }
            altered++;
            assert_int_equal(now->items.count, 1);
            assert_int_equal(now->spans.count, 2);
            size_t which = now->items.items[0].kind == CHOICE_INTEGER;
            assert_true(choice_equal(&now->items.items[0], &before->items.items[1 - which]));
            assert_int_equal(now->spans.items[which].start, now->spans.items[which].end);
            seen[which]++;
        }
        assert_int_equal(altered, 1);
        arena_free(&pair.arena);
    }
    assert_true(seen[0] > RUNS / 4 && seen[1] > RUNS / 4);
}

static void test_drop(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        struct pair pair;
        open_pair(&pair, 6, 0, seed);
        struct trace out = apply(&pair, "drop");
        size_t gaps = 0;
        assert_in_range(out.steps.count, INITIALIZE, INITIALIZE + 5);
        for (size_t i = INITIALIZE + 1; i < out.steps.count; i++) {
            assert_true(rule_at(&out, i) > rule_at(&out, i - 1));
            gaps += rule_at(&out, i) != rule_at(&out, i - 1) + 1;
        }
        assert_true(gaps <= 1);
        arena_free(&pair.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_comes_out_can_be_replayed),
        cmocka_unit_test(test_same_random_source_same_trace),
        cmocka_unit_test(test_the_parents_stay_as_they_were),
        cmocka_unit_test(test_the_result_is_a_copy),
        cmocka_unit_test(test_splice),
        cmocka_unit_test(test_repeat),
        cmocka_unit_test(test_swap),
        cmocka_unit_test(test_alter),
        cmocka_unit_test(test_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
