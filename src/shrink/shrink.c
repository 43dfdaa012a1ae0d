#include "shrink/shrink.h"

#include "shrink/shrinker.h"

#include <stdlib.h>
#include <string.h>

/*
 * The passes in order: cheap ones first. Where a later one made the trace shorter, it begins again
 * with the first. Rounds follow until one changes nothing; that one tried every single step, so
 * what comes out is 1-minimal.
 */
static shrink_pass *const passes[] = {
    pass_suggestions,
    pass_slice,
    pass_values,
    pass_chunks,
    pass_single_steps,
    pass_suggestions, /* what is long still: before all that takes many attempts */
    pass_everything_simplest,
    pass_columns,
    pass_swap_steps,
    pass_ranks,
    pass_ways,
    pass_rank_references,
    pass_merge_references,
    pass_redirect_and_remove,
    pass_arguments,
    pass_absorb,
    pass_items,
    pass_descend,
    pass_hand_up,
    pass_oldest_references,
    pass_swap_steps,
    pass_equal_values,
    pass_pairs_of_numbers,
    pass_pairs_of_steps,
    pass_simpler_rules,
    pass_remove_and_change,
    pass_triples_of_steps,
    pass_last_step,
};
enum { PASSES = sizeof passes / sizeof passes[0], PASSES_OF_STEPS = 5 };

static bool set_has(const struct fingerprint_set *set, uint64_t key)
{
    if (set->capacity == 0) {
        return false;
    }
    size_t mask = set->capacity - 1;
    for (size_t i = (size_t)key & mask; set->slots[i]; i = (i + 1) & mask) {
        if (set->slots[i] == key) {
            return true;
        }
    }
    return false;
}

static void set_put(uint64_t *slots, size_t mask, uint64_t key)
{
    size_t i = (size_t)key & mask;
    while (slots[i] && slots[i] != key) {
        i = (i + 1) & mask;
    }
    slots[i] = key;
}

static void set_add(struct fingerprint_set *set, uint64_t key)
{
    if (set_has(set, key)) {
        return;
    }
    if (set->count * 2 >= set->capacity) {
        size_t capacity = set->capacity ? set->capacity * 2 : 256;
        uint64_t *slots = memory_alloc(capacity * sizeof *slots);
        memset(slots, 0, capacity * sizeof *slots);
        for (size_t i = 0; i < set->capacity; i++) {
            if (set->slots[i]) {
                set_put(slots, capacity - 1, set->slots[i]);
            }
        }
        free(set->slots);
        set->slots = slots;
        set->capacity = capacity;
    }
    set_put(set->slots, set->capacity - 1, key);
    set->count++;
}

/* 0 marks a free slot. */
static uint64_t key_of(const struct trace *trace)
{
    uint64_t key = trace_fingerprint(trace);
    return key ? key : 1;
}

size_t shrinker_first(const struct shrinker *shrinker)
{
    size_t first = 0;
    while (first < shrinker->current.steps.count &&
           shrinker->current.steps.items[first].initialize) {
        first++;
    }
    return first;
}

static void keep(struct shrinker *shrinker, const struct trace *trace)
{
    unsigned other = 1 - shrinker->kept;
    arena_reset(&shrinker->keep[other]);
    shrinker->current = trace_copy(&shrinker->keep[other], trace);
    shrinker->kept = other;
}

/* Whether there is budget for one more attempt; else the shrinker is stopped. */
static bool may_attempt(struct shrinker *shrinker)
{
    const struct shrink_target *target = shrinker->target;
    if (shrinker->stats->attempts >= shrinker->limit ||
        (target->expired && target->expired(target->host))) {
        shrinker->stats->cut_short = true;
        shrinker->stopped = true;
    }
    return !shrinker->stopped;
}

bool shrinker_run(struct shrinker *shrinker, const struct trace *trace, struct shrink_attempt *out)
{
    const struct shrink_target *target = shrinker->target;
    *out = (struct shrink_attempt){0};
    if (!may_attempt(shrinker)) {
        return false;
    }
    shrinker->stats->attempts++;
    if (!target->attempt(target->host, trace, &shrinker->scratch, out, shrinker->err)) {
        shrinker->stopped = true;
        shrinker->failed = true;
    }
    return !shrinker->stopped;
}

bool shrinker_batch_anew(struct shrinker *shrinker, const struct trace *candidate)
{
    uint64_t key = key_of(candidate);
    bool known = set_has(&shrinker->tried, key) || set_has(&shrinker->batched, key);
    set_add(&shrinker->batched, key);
    return !known;
}

static bool attempt(struct shrinker *shrinker, const struct trace *candidate)
{
    uint64_t key = key_of(candidate);
    if (set_has(&shrinker->tried, key)) {
        shrinker->stats->cached++;
        return false;
    }
    struct shrink_attempt result;
    if (!shrinker_run(shrinker, candidate, &result)) {
        return false;
    }
    set_add(&shrinker->tried, key);
    if (result.trace.steps.count) {
        set_add(&shrinker->tried, key_of(&result.trace));
    }
    if (!result.same || shrink_compare(&result.trace, &shrinker->current) >= 0) {
        return false;
    }
    keep(shrinker, &result.trace);
    shrinker->stats->accepted++;
    return true;
}

bool shrinker_try(struct shrinker *shrinker, const struct trace *candidate)
{
    struct trace closed = edit_close(&shrinker->scratch, candidate, &shrinker->current);
    bool accepted = !shrinker->stopped && attempt(shrinker, &closed);
    arena_reset(&shrinker->scratch);
    return accepted;
}

/* One round of all passes. A pass that made the trace shorter sends back to the first one, as long
 * as it is not one of those that only remove steps: what was needed before may not be needed now.
 */
static void run_round(struct shrinker *shrinker)
{
    size_t pass = 0;
    while (pass < PASSES && !shrinker->stopped) {
        size_t steps = shrinker_steps(shrinker);
        passes[pass](shrinker);
        pass = shrinker_steps(shrinker) < steps && pass >= PASSES_OF_STEPS ? 0 : pass + 1;
    }
}

static void run_passes(struct shrinker *shrinker)
{
    uint64_t before;
    do {
        before = shrinker->stats->accepted;
        run_round(shrinker);
    } while (shrinker->stats->accepted > before && !shrinker->stopped);
}

bool shrink_trace(const struct shrink_target *target, const struct trace *failing,
                  uint64_t executions, struct arena *arena, struct trace *out,
                  struct shrink_stats *stats, struct error *err)
{
    struct shrinker shrinker = {.target = target, .stats = stats, .limit = executions, .err = err};
    *stats = (struct shrink_stats){0};
    keep(&shrinker, failing);
    set_add(&shrinker.tried, key_of(failing));
    run_passes(&shrinker);
    *out = trace_copy(arena, &shrinker.current);
    free(shrinker.tried.slots);
    free(shrinker.batched.slots);
    arena_free(&shrinker.scratch);
    arena_free(&shrinker.keep[0]);
    arena_free(&shrinker.keep[1]);
    return !shrinker.failed;
}
