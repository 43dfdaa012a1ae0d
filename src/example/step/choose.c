#include "example/step/choose.h"

#include "example/engine.h"
#include "value/number/numeric.h"

#include <assert.h>
#include <float.h>

enum {
    RUN_ONE_IN = 12,     /* one step in so many begins a run of its rule */
    RUN_MAX = 15,        /* steps of a run, at least 2 */
    NEW_WEIGHT = 8,      /* factor for a rule of the neighbourhood that has not succeeded yet */
    MIGRATES_WEIGHT = 8, /* factor for the migration in the session that runs it */
    NEW_RUNS = 4,        /* runs without success after which the factor no longer applies */
};

static size_t rule_count(const struct example *example)
{
    return example->engine->machine->rules.count;
}

void choosing_begin_example(struct example *example)
{
    size_t count = rule_count(example);
    example->choosing.tried = ARENA_ARRAY(&example->arena, bool, count);
    example->choosing.why = ARENA_ARRAY(&example->arena, unsigned, count);
    example->choosing.weights = ARENA_ARRAY(&example->arena, double, count);
    example->choosing.runs = ARENA_ARRAY(&example->arena, unsigned, count);
    example->choosing.near = NULL;
    example->choosing.favour = NULL;
    example->novelty.ignored = ARENA_NEW(&example->arena, struct error);
    example->salt = example->way->few ? rng_next(&example->rng) : 0;
    if (example->engine->machine->clock && !rng_one_in(&example->rng, 4)) {
        example->favourite = rng_next(&example->rng);
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

/* True if the caller excluded the rule from the whole run. */
static bool is_off(const struct example *example, size_t rule)
{
    assert(rule < rule_count(example));
    const bool *off = example->engine->options.rules_off;
    const struct rule *migration = example->engine->options.migration;
    return (off && off[rule]) || (migration && migration->index == rule);
}

/* In a neighbourhood, rare rules would need many examples to get a turn, so each rule is preferred
 * until it has succeeded. */
static bool goes_first(const struct choosing *choosing, size_t rule)
{
    return choosing->near && choosing->near[rule] && choosing->runs[rule] < NEW_RUNS;
}

/* The migration's transaction that is next; NULL if there is none. */
static const struct rule *next_transaction(const struct example *example)
{
    const struct machine *machine = example->engine->machine;
    if (!machine->migration) {
        return NULL;
    }
    int64_t next = example->state.globals[machine->migration->at].as.integer;
    for (size_t i = 0; i < machine->rules.count; i++) {
        const struct rule *rule = &machine->rules.items[i];
        if (rule->migrates && rule->limit < 0 && next-- == 0) {
            return is_off(example, i) ? NULL : rule;
        }
    }
    return NULL;
}

/* In an example of several sessions, a part of the migration comes before them, at any steps, and
 * the first session runs what is next. By weight alone, the whole of it would mostly come before
 * them, and little would race with it. */
static enum choosing_turn choose_turn(struct example *example)
{
    const struct branching *branching = example->plan.branching;
    const struct rule *next = branching ? next_transaction(example) : NULL;
    if (!next || example->session > 1) {
        return TURN_ANY;
    }
    if (example->session == 1) {
        return TURN_MIGRATION;
    }
    const struct machine_migration *migration = example->engine->machine->migration;
    size_t done = (size_t)example->state.globals[migration->at].as.integer;
    size_t steps = example->number - example->extra;
    if (done >= branching->migrated || steps >= branching->before) {
        return TURN_OTHERS;
    }
    return rng_below(&example->rng, branching->before - steps) < branching->migrated - done
               ? TURN_MIGRATION
               : TURN_OTHERS;
}

static bool is_its_turn(const struct choosing *choosing, const struct rule *rule)
{
    return choosing->turn == TURN_MIGRATION ? rule->migrates
           : choosing->turn == TURN_OTHERS  ? !rule->migrates || rule->limit >= 0
                                            : true;
}

/* Decides if the rule may be chosen, and sets its weight. */
static bool weigh_rule(struct example *example, size_t index, struct error *err)
{
    struct choosing *choosing = &example->choosing;
    const struct rule *rule = &example->engine->machine->rules.items[index];
    if (!is_its_turn(choosing, rule)) {
        choosing->tried[index] = true;
        return true;
    }
    if (!rule_weight(example, rule, &choosing->weights[index], err)) {
        return false;
    }
    choosing->weights[index] *= goes_first(choosing, index) ? NEW_WEIGHT : 1;
    choosing->weights[index] *= choosing->favour ? choosing->favour[index] : 1;
    bool off = is_off(example, index);
    if (rule->migrates && example->session == 1) {
        choosing->weights[index] *= MIGRATES_WEIGHT;
    }
    choosing->tried[index] = off || !(choosing->weights[index] > 0);
    if (choosing->tried[index] && !off) {
        example_note_why(example, rule, BLOCKED_WEIGHT);
    }
    return true;
}

bool choosing_begin(struct example *example, struct error *err)
{
    struct choosing *choosing = &example->choosing;
    choosing->beyond = false;
    choosing->turn = choose_turn(example);
    if (example->number % NEAR_STEPS == 0) {
        near_choose(example);
    }
    for (size_t i = 0; i < rule_count(example); i++) {
        choosing->tried[i] = true;
        choosing->why[i] = DEAD_END_REASONS;
        bool near = !choosing->near || choosing->near[i] ||
                    example->engine->machine->rules.items[i].migrates;
        if (near && !weigh_rule(example, i, err)) {
            return false;
        }
    }
    return true;
}

/* Allows all rules, because no rule of the neighbourhood can run. */
static void go_beyond(struct example *example)
{
    struct choosing *choosing = &example->choosing;
    choosing->beyond = true;
    for (size_t i = 0; choosing->near && i < rule_count(example); i++) {
        if (!choosing->near[i] && !weigh_rule(example, i, example->novelty.ignored)) {
            choosing->tried[i] = true;
        }
    }
}

void choosing_exclude(struct example *example, const struct rule *rule)
{
    assert(!rule->initialize && rule->index < rule_count(example));
    example->choosing.tried[rule->index] = true;
}

void choosing_note(struct example *example, const struct rule *rule)
{
    struct choosing *choosing = &example->choosing;
    choosing->runs[rule->index]++;
    if (choosing->run > 0) {
        choosing->run--;
    } else if (example->way->runs && rng_one_in(&example->rng, RUN_ONE_IN)) {
        choosing->running = rule->index;
        choosing->run = 1 + (size_t)rng_below(&example->rng, RUN_MAX - 1);
    }
}

void choosing_succeeded(struct example *example, const struct rule *rule)
{
    if (!rule->initialize) {
        example->choosing.runs[rule->index] = NEW_RUNS;
    }
}

/* The next rule after the last one that ran, cyclically. */
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

static size_t pick_by_weight(struct example *example)
{
    const struct choosing *choosing = &example->choosing;
    double total = 0;
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < rule_count(example); i++) {
        total += choosing->tried[i] ? 0 : choosing->weights[i];
    }
    if (!(total > 0)) {
        return SIZE_MAX;
    }
    double at = rng_unit(&example->rng) * total;
    for (size_t i = 0; i < rule_count(example); i++) {
        if (!choosing->tried[i]) {
            last = i;
            at -= choosing->weights[i];
            if (at < 0) {
                break;
            }
        }
    }
    return last;
}

/* Picks a rule; before the sessions, one with a run is preferred if it can run. */
static size_t pick_rule(struct example *example)
{
    const struct choosing *choosing = &example->choosing;
    bool runs = choosing->run > 0 && example->session == 0 && !choosing->tried[choosing->running];
    return runs ? choosing->running : pick_by_weight(example);
}

/* Lets the migration go on before its turn, because no other rule can run: they may wait for it. */
static void go_on_migrating(struct example *example)
{
    struct choosing *choosing = &example->choosing;
    choosing->turn = TURN_MIGRATION;
    for (size_t i = 0; i < rule_count(example); i++) {
        if (example->engine->machine->rules.items[i].migrates &&
            !weigh_rule(example, i, example->novelty.ignored)) {
            choosing->tried[i] = true;
        }
    }
}

const struct rule *choose_rule(struct example *example)
{
    size_t rule = example->way->simplest ? next_in_order(example) : pick_rule(example);
    if (rule == SIZE_MAX && example->choosing.near && !example->choosing.beyond) {
        go_beyond(example);
        rule = pick_rule(example);
    }
    if (rule == SIZE_MAX && example->choosing.turn == TURN_OTHERS) {
        go_on_migrating(example);
        rule = pick_rule(example);
    }
    return rule == SIZE_MAX ? NULL : &example->engine->machine->rules.items[rule];
}
