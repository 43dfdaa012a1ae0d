#include "example/step/choose.h"

#include "example/engine.h"
#include "value/number/numeric.h"

#include <assert.h>
#include <float.h>

enum {
    SKEWS = 4,  /* by 1, 2, 4, 8 */
    RECENT = 3, /* steps that count as recent */
    LATE_STEPS = 20,
};

static size_t rule_count(const struct example *example)
{
    return example->engine->machine->rules.count;
}

/* Swarm testing (Groce and others, 2012): each example leaves out rules of its own. */
static void switch_off(struct example *example)
{
    size_t count = rule_count(example);
    uint64_t chance = 1 + rng_below(&example->rng, 3); /* of 4 */
    for (size_t i = 0; i < count; i++) {
        example->choosing.off[i] = rng_below(&example->rng, 4) < chance;
    }
    example->choosing.off[rng_below(&example->rng, count)] = false;
}

/* What is rare then is common elsewhere, and runs of few rules get further. */
static void skew(struct example *example)
{
    for (size_t i = 0; i < rule_count(example); i++) {
        example->choosing.skew[i] = 1.0 / (double)(1U << rng_below(&example->rng, SKEWS));
    }
}

bool choosing_is_late(const struct example *example)
{
    return example->way->late && example->number >= LATE_STEPS;
}

void choosing_begin_example(struct example *example)
{
    size_t count = rule_count(example);
    example->choosing.skew = ARENA_ARRAY(&example->arena, double, count);
    for (size_t i = 0; i < count; i++) {
        example->choosing.skew[i] = 1;
    }
    example->choosing.off = ARENA_ARRAY(&example->arena, bool, count);
    example->choosing.tried = ARENA_ARRAY(&example->arena, bool, count);
    example->choosing.why = ARENA_ARRAY(&example->arena, unsigned, count);
    example->choosing.weights = ARENA_ARRAY(&example->arena, double, count);
    if (!example->plan.way || example->way->simplest || count == 0) {
        return;
    }
    example->salt = rng_next(&example->rng);
    if (example->way->late) {
        switch_off(example);
    }
    if (example->way->skew) {
        skew(example);
    }
}

bool rule_weight(struct example *example, const struct rule *rule, double *out, struct error *err)
{
    struct value value;
    *out = rule->weight;
    if (!rule->weight_code) {
        return true;
    }
    if (!example_look(example, rule->weight_code, NULL, &value, err)) {
        return false;
    }
    *out = value_is_number(value) ? number_to_double(value) : -1;
    if (!(*out >= 0 && *out <= DBL_MAX)) {
        (void)error_at(err, ERROR_MACHINE, code_pos(rule->weight_code),
                       "the weight of %s must be a number from 0 up", rule->name);
        return false;
    }
    return true;
}

/* Left out by the caller, of the whole run. */
static bool is_off(const struct example *example, size_t rule)
{
    assert(rule < rule_count(example));
    const bool *off = example->engine->options.rules_off;
    return off && off[rule];
}

bool choosing_begin(struct example *example, struct error *err)
{
    struct choosing *choosing = &example->choosing;
    for (size_t i = 0; i < rule_count(example); i++) {
        const struct rule *rule = &example->engine->machine->rules.items[i];
        if (!rule_weight(example, rule, &choosing->weights[i], err)) {
            return false;
        }
        bool off = is_off(example, i);
        choosing->tried[i] = off || !(choosing->weights[i] > 0);
        choosing->why[i] = DEAD_END_REASONS;
        if (choosing->tried[i] && !off) {
            example_note_why(example, rule, BLOCKED_WEIGHT);
        }
        choosing->weights[i] *= choosing_is_late(example) ? choosing->skew[i] : 1;
    }
    return true;
}

void choosing_exclude(struct example *example, const struct rule *rule)
{
    assert(!rule->initialize && rule->index < rule_count(example));
    example->choosing.tried[rule->index] = true;
}

static bool is_candidate(const struct example *example, size_t rule, bool off)
{
    assert(rule < rule_count(example));
    bool is_off = example->choosing.off[rule] && choosing_is_late(example);
    return !example->choosing.tried[rule] && is_off == off;
}

/* From the one behind the last that ran, round and round. */
static size_t next_in_order(const struct example *example)
{
    size_t count = rule_count(example);
    size_t first = 0;
    if (example->number) {
        first = example->steps.items[example->steps.count - 1]->rule->index + 1;
    }
    for (size_t i = 0; i < count; i++) {
        size_t rule = (first + i) % count;
        if (!example->choosing.tried[rule]) {
            return rule;
        }
    }
    return SIZE_MAX;
}

static size_t pick_recent(struct example *example, bool off)
{
    if (!choosing_is_late(example) || rng_one_in(&example->rng, 2)) {
        return SIZE_MAX;
    }
    size_t recent = example->number < RECENT ? example->number : RECENT;
    size_t back = (size_t)rng_below(&example->rng, recent);
    size_t rule = example->steps.items[example->steps.count - 1 - back]->rule->index;
    return is_candidate(example, rule, off) ? rule : SIZE_MAX;
}

static size_t pick_by_weight(struct example *example, bool off)
{
    double total = 0;
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < rule_count(example); i++) {
        total += is_candidate(example, i, off) ? example->choosing.weights[i] : 0;
    }
    if (!(total > 0)) {
        return SIZE_MAX;
    }
    double at = rng_unit(&example->rng) * total;
    for (size_t i = 0; i < rule_count(example); i++) {
        if (is_candidate(example, i, off)) {
            last = i;
            at -= example->choosing.weights[i];
            if (at < 0) {
                break;
            }
        }
    }
    return last;
}

static size_t pick(struct example *example, bool off)
{
    size_t rule = pick_recent(example, off);
    return rule != SIZE_MAX ? rule : pick_by_weight(example, off);
}

/* Where no rule that is switched on can run, the others may: an example does not end for that. */
const struct rule *choose_rule(struct example *example)
{
    size_t rule = example->way->simplest ? next_in_order(example) : pick(example, false);
    if (rule == SIZE_MAX && !example->way->simplest) {
        rule = pick(example, true);
    }
    return rule == SIZE_MAX ? NULL : &example->engine->machine->rules.items[rule];
}
