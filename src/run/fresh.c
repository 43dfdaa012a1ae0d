#include "run/fresh.h"

#include "run/retry.h"
#include "trace/mutation.h"

#include <assert.h>

enum {
    FIRST_MUTATED = 20,
    MUTATED_ONE_IN = 4,
    PARENTS = 32, /* examples back that may be parents */
};

/* The random stream that decides how an example is made; the numbers below are those of what is
 * drawn in the examples. */
static const uint64_t MAKING = UINT64_C(1) << 63U;

struct kept_trace {
    uint64_t number; /* 0: none */
    struct arena arena;
    struct trace trace;
};

struct ancestry {
    struct kept_trace kept[PARENTS]; /* example n at n % PARENTS */
    struct arena arena;              /* of the mutated trace */
    struct trace mutated;
};

struct ancestry *ancestry_new(struct arena *arena) { return ARENA_NEW(arena, struct ancestry); }

void ancestry_free(struct ancestry *ancestry)
{
    for (size_t i = 0; i < PARENTS; i++) {
        arena_free(&ancestry->kept[i].arena);
    }
    arena_free(&ancestry->arena);
}

static bool roll(uint64_t seed, uint64_t number, struct rng *rng)
{
    rng_seed(rng, seed, MAKING | number);
    return number >= FIRST_MUTATED && rng_one_in(rng, MUTATED_ONE_IN);
}

bool is_mutated(uint64_t seed, uint64_t number)
{
    struct rng rng;
    return roll(seed, number, &rng);
}

static struct example_plan unmutated_plan(uint64_t number)
{
    return (struct example_plan){.generate = true, .number = number, .simplest = number == 1};
}

/* One of those before `number` that are not mutated; where all of the last ones are, the one
 * before the first that can be. */
static uint64_t pick_parent(uint64_t seed, uint64_t number, struct rng *rng)
{
    uint64_t parents[PARENTS] = {FIRST_MUTATED - 1};
    size_t count = 0;
    for (uint64_t i = number > PARENTS ? number - PARENTS : 1; i < number; i++) {
        if (!is_mutated(seed, i)) {
            parents[count++] = i;
        }
    }
    return parents[count ? rng_below(rng, count) : 0];
}

static void keep(struct ancestry *ancestry, uint64_t number, const struct trace *trace)
{
    struct kept_trace *kept = &ancestry->kept[number % PARENTS];
    arena_reset(&kept->arena);
    kept->number = number;
    kept->trace = trace_copy(&kept->arena, trace);
}

/* The trace of an example that is not mutated, up to where it failed, if it did. NULL: as
 * example_run's false. */
static const struct trace *trace_of(struct ancestry *ancestry, struct engine *engine,
                                    uint64_t number, struct example_result *result,
                                    struct error *err)
{
    if (ancestry->kept[number % PARENTS].number != number) {
        struct example_plan plan = unmutated_plan(number);
        plan.quiet = true; /* it ran, here or elsewhere, and is no part of the report */
        if (!run_with_retry(engine, &plan, result, err)) {
            return NULL;
        }
        keep(ancestry, number, &result->trace);
    }
    return &ancestry->kept[number % PARENTS].trace;
}

/* Makes ancestry->mutated. */
static bool mutate(struct ancestry *ancestry, struct engine *engine, uint64_t number,
                   struct rng *rng, struct example_result *result, struct error *err)
{
    const struct settings *settings = engine->options.settings;
    struct mutating mutating = {.arena = &ancestry->arena, .rng = rng};
    uint64_t first = pick_parent(settings->seed, number, rng);
    uint64_t second = pick_parent(settings->seed, number, rng);
    const struct trace *trace = trace_of(ancestry, engine, first, result, err);
    mutating.other = trace ? trace_of(ancestry, engine, second, result, err) : NULL;
    if (!mutating.other) {
        return false;
    }
    arena_reset(&ancestry->arena);
    mutating.next_id = mutation_next_id(trace, mutating.other);
    ancestry->mutated = trace_mutate(&mutating, trace, (size_t)settings->steps);
    return true;
}

bool fresh_run(struct ancestry *ancestry, struct engine *engine, uint64_t number,
               struct example_result *result, struct error *err)
{
    assert(number >= 1);
    struct rng rng;
    bool mutated = roll(engine->options.settings->seed, number, &rng);
    if (mutated && !mutate(ancestry, engine, number, &rng, result, err)) {
        return false;
    }
    struct example_plan plan = unmutated_plan(number);
    plan.observer = engine->options.observer;
    plan.trace = mutated ? &ancestry->mutated : NULL;
    if (!run_with_retry(engine, &plan, result, err)) {
        return false;
    }
    if (!mutated) {
        keep(ancestry, number, &result->trace);
    }
    return true;
}
