/* The shrinker on the systems of systems.c: from any seed the shortest sequence, and one report. */
#include "sim.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SEEDS = 10, STEPS = 50, EXECUTIONS = 2000, RULES_MAX = 8 };

static bool attempt(void *host, const struct trace *candidate, struct arena *arena,
                    struct shrink_attempt *out, struct error *err)
{
    const struct sim_system *const *system = host;
    (void)err;
    out->same = sim_run(*system, candidate, NULL, 0, arena, &out->trace);
    return true;
}

static void shrink_from(const struct sim_system *system, uint64_t seed, struct arena *arena,
                        struct trace *out, struct shrink_stats *stats)
{
    struct trace found;
    struct error err = {0};
    assert_true(sim_find(system, seed, STEPS, arena, &found) > 0);
    size_t collections[RULES_MAX];
    assert_in_range(system->rule_count, 1, RULES_MAX);
    for (size_t i = 0; i < system->rule_count; i++) {
        int target = system->rules[i].target;
        collections[i] = target < 0 ? SHRINK_NO_COLLECTION : (size_t)target;
    }
    struct shrink_target target = {.host = &system,
                                   .attempt = attempt,
                                   .rule_count = system->rule_count,
                                   .collections = collections,
                                   .steps_max = STEPS};
    assert_true(shrink_trace(&target, &found, EXECUTIONS, arena, out, stats, &err));
    assert_false(stats->cut_short);
}

/* Checks that no single step can be removed, without the shrinker's memory of tried candidates. */
static void assert_minimal(const struct sim_system *system, const struct trace *trace)
{
    struct arena arena = {0};
    for (size_t left_out = 0; left_out < trace->steps.count; left_out++) {
        struct trace candidate = {0};
        struct trace executed;
        for (size_t i = 0; i < trace->steps.count; i++) {
            if (i != left_out) {
                *VEC_PUSH(&arena, &candidate.steps) = trace->steps.items[i];
            }
        }
        assert_false(sim_run(system, &candidate, NULL, 0, &arena, &executed));
    }
    arena_free(&arena);
}

/* How far a system may fall short, with the reason. */
static const struct {
    const char *name;
    size_t over;     /* steps above the shortest */
    size_t distinct; /* different reports */
} known[] = {
    /* several sequences of seven are equally short and can't be turned into each other step by step
     */
    {"heaps, sorted concatenation", 0, 2},
    /* 0 and 0 before -1 and -1 is simpler than 1 and 1 before 0 and 0, and comes to the same */
    {"heaps, interleaved", 0, 2},
    {"heaps, interleaved, limited", 0, 2},
    /* a second way to four litres, of eight steps, shares no step with the first one */
    {"Die Hard jugs", 2, 2},
};

static void check_system(const struct sim_system *system)
{
    size_t over = 0;
    size_t distinct_allowed = 1;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].name, system->name) == 0) {
            over = known[i].over;
            distinct_allowed = known[i].distinct;
        }
    }
    struct strbuf reports[SEEDS] = {{0}};
    size_t distinct = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct arena arena = {0};
        struct trace out;
        struct shrink_stats stats;
        shrink_from(system, seed, &arena, &out, &stats);
        assert_in_range(out.steps.count, system->shortest, system->shortest + over);
        assert_minimal(system, &out);
        sim_print(system, &out, &reports[seed - 1]);
        size_t same = 0;
        while (same < seed - 1 && strcmp(reports[same].data, reports[seed - 1].data) != 0) {
            same++;
        }
        distinct += same == seed - 1;
        arena_free(&arena);
    }
    assert_in_range(distinct, 1, distinct_allowed);
    for (size_t i = 0; i < SEEDS; i++) {
        strbuf_free(&reports[i]);
    }
}

static void test_systems(void **state)
{
    (void)state;
    for (size_t i = 0; sim_systems[i]; i++) {
        print_message("%s\n", sim_systems[i]->name);
        check_system(sim_systems[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_systems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
