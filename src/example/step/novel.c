#include "example/step/novel.h"

#include "base/hash.h"
#include "example/engine.h"
#include "example/step/crosswise.h"
#include "example/step/echo.h"
#include "example/step/foresee.h"
#include "value/number/numeric.h"

#include <math.h>

/* The number of candidates, and the share of steps taken without choosing: of echoes, and of
 * others (0: none). In a session, refused steps rarely race. */
struct selectivity {
    unsigned candidates;
    unsigned echo_one_in;
    unsigned any_one_in;
};
static const struct selectivity accepted = {8, 3, 3};
static const struct selectivity novel = {32, 4, 4};
static const struct selectivity in_session = {8, 3, 4};
static const struct selectivity meeting = {32, 0, 0};

enum {
    EVAL_BUDGET = 5000, /* evaluation steps per candidate, about 0.2 ms */
};

struct shape {
    uint64_t hash;
    bool refused;
    bool depends; /* the earlier sessions' steps change its answer */
    bool raises;  /* one of these answers is an error */
    bool mute;    /* or the model predicts none */
    struct crosswise crosswise;
};

static uint64_t mix_hash(uint64_t hash, uint64_t value) { return hash_mix(hash ^ hash_mix(value)); }

/* Distinguishes cases by words, by yes and no, by counts up to "many", and by parts. All other
 * values of a type are alike. */
static uint64_t add_case(uint64_t hash, struct value value, unsigned depth)
{
    enum { MANY = 4, LETTERS = 24, FIELDS = 16, DEEP = 2 };
    uint64_t content = value_truth(value);
    int64_t number;
    size_t count = 0;
    bool sized = value_length(value, &count, NULL);
    bool record = value.type == VALUE_TUPLE || value.type == VALUE_DICT;
    if (value.type == VALUE_INT && int_fits(value, &number) && number >= 0) {
        content = number < MANY ? (uint64_t)number : MANY;
    } else if (value.type == VALUE_STRING && count <= LETTERS) {
        (void)value_hash(value, &content, NULL);
    } else if (record && count <= FIELDS && depth < DEEP) {
        struct value_parts parts = {.of = value};
        struct value part;
        while (value_parts_next(&parts, &part)) {
            hash = add_case(hash, part, depth + 1);
        }
    } else if (sized) {
        content = count < 2 ? count : 2;
    }
    return mix_hash(mix_hash(hash, (uint64_t)value.type), content);
}

/* Adds what the model's dicts and sets hold under the argument, whose hash is `key`; false if they
 * hold nothing. */
static bool add_records(const struct example *example, struct value argument, uint64_t key,
                        uint64_t *hash)
{
    bool any = false;
    size_t count = lang_module_global_count(example->state.module);
    for (size_t i = 0; i < count; i++) {
        struct value global;
        if (!lang_get_global(&example->state, i, &global) || !value_is_table(global)) {
            continue;
        }
        const struct table_entry *entry = table_find_hashed(global.as.table, key, argument);
        if (entry) {
            *hash = add_case(mix_hash(*hash, i), entry->value, 0);
            any = true;
        }
    }
    return any;
}

/* Gets an argument to track. Bools recur all the time, and mutable values have no hash. */
static bool argument_at(const struct step *step, size_t index, struct value *out, uint64_t *hash)
{
    *out = step->locals[step->rule->args.items[index].slot];
    return out->type != VALUE_BOOL && out->type != VALUE_NONE && value_hash(*out, hash, NULL);
}

static void add_arguments(const struct example *example, const struct step *step, uint64_t *hash)
{
    for (size_t i = 0; i < step->rule->args.count; i++) {
        struct value argument;
        uint64_t key;
        *hash = mix_hash(*hash, i);
        if (argument_at(step, i, &argument, &key) && !add_records(example, argument, key, hash)) {
            const struct map_entry *last = map_find(&example->novelty.last, key);
            *hash = mix_hash(*hash, last ? last->to.number : 0);
        }
    }
}

static bool is_same(const struct foreseen *now, const struct foreseen *alone)
{
    return now->raises == alone->raises && now->refused == alone->refused &&
           now->answer == alone->answer;
}

static bool is_mute(const struct rule *rule)
{
    return rule->model && !rule->expect && !rule->affects && !rule->raises;
}

static struct shape shape_of(struct example *example, struct step *step)
{
    struct foreseen now = foresee_step(example, step);
    struct shape shape = {.hash = mix_hash(0, step->rule->index), .refused = now.refused};
    if (example->session > 1) {
        struct foreseen alone = foresee_before_sessions(example, step);
        shape.refused = now.refused && alone.refused;
        shape.depends = !is_same(&now, &alone);
        shape.raises = now.raises || alone.raises;
        shape.mute = is_mute(step->rule);
    }
    if (crosswise_wanted(example) && !shape.refused) {
        shape.crosswise = crosswise_look(example, step);
    }
    if (shape.refused) {
        shape.hash = mix_hash(shape.hash, 1);
    } else if (example->way->novel) {
        add_arguments(example, step, &shape.hash);
    }
    return shape;
}

static enum meeting meeting_of(const struct example *example)
{
    return example->plan.branching && !example->by_chance ? example->plan.branching->meets
                                                          : MEET_BY_CHANCE;
}

/* The cost of choosing the step for a session, 0 for the best. Sessions race for writes, and a rule
 * without `model` usually only reads. */
static double cost_in_session(const struct example *example, const struct step *step,
                              const struct shape *shape)
{
    enum meeting meets = meeting_of(example);
    if (shape->refused) {
        return 1;
    }
    if (shape->crosswise.known) {
        return shape->crosswise.cost;
    }
    if (meets && shape->depends) {
        return shape->raises && meets == MEET_BY_ANSWERS ? 0.125 : 0;
    }
    return !step->rule->model ? 0.5 : meets ? 0.25 : 0;
}

/* The cost of choosing the step, 0 for the best. Rules take turns by weight. A rule may be some
 * steps ahead of the others for a new shape, and twice as many if theirs are refused. */
static double staleness(const struct example *example, const struct step *step,
                        const struct shape *shape, double mean_weight)
{
    enum { AHEAD = 8 };
    if (!example->way->novel || example->session > 1) {
        return example->session > 0 ? cost_in_session(example, step, shape) : shape->refused;
    }
    const struct map_entry *entry = map_find(&example->novelty.shapes, shape->hash);
    double times = entry ? (double)entry->to.number : 0;
    size_t rule = step->rule->index;
    double ran = (double)example->used[rule] * mean_weight / example->choosing.weights[rule];
    return ran / AHEAD + times / (1 + times) + 2 * shape->refused;
}

static double mean_weight(const struct example *example)
{
    size_t count = example->engine->machine->rules.count;
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        total += example->choosing.weights[i] / (double)count;
    }
    return total;
}

static void note_taken(struct novelty *novelty, const struct step *step, const struct shape *shape)
{
    map_add(&novelty->shapes, shape->hash)->to.number++;
    for (size_t i = 0; !shape->refused && i < step->rule->args.count; i++) {
        struct value argument;
        uint64_t key;
        if (argument_at(step, i, &argument, &key)) {
            map_add(&novelty->last, key)->to.number = step->rule->index + 1;
        }
    }
}

static bool next_candidate(struct example *example, struct step_plan *out)
{
    *out = (struct step_plan){0};
    /* Sessions conflict when they do the same to the same things, or one what the other needs. */
    const struct branching *branching = example->plan.branching;
    bool echo = example->session > 1 && branching && branching->echo &&
                (!branching->meets || rng_one_in(&example->rng, 2));
    if (crosswise_other(example, out)) {
        return true;
    }
    if (!echo || !echo_choose(example, out)) {
        out->rule = choose_rule(example);
    }
    return out->rule != NULL;
}

/* The candidate to run. NULL if there is none, or if a step of `rule` must be drawn when it runs.
 */
static const struct step *choose_candidate(struct example *example, unsigned candidates,
                                           struct shape *shape, const struct rule **rule)
{
    const double mean = mean_weight(example);
    const uint64_t eval_budget = example->state.steps + EVAL_BUDGET;
    const struct step *best = NULL;
    double least = INFINITY;
    struct step_plan plan;
    *rule = NULL;
    while (candidates > 0 && least > 0 && example->state.steps < eval_budget &&
           next_candidate(example, &plan)) {
        struct arena_mark mark = arena_mark(&example->trying);
        struct step *step;
        enum step_fate fate;
        bool known = step_try(example, &plan, &step, &fate);
        if (!known && !best) {
            *rule = plan.rule;
            return NULL;
        }
        if (!known || fate != STEP_RAN) {
            choosing_exclude(example, plan.rule);
            arena_rewind(&example->trying, mark);
            continue;
        }
        candidates--;
        struct shape its = shape_of(example, step);
        double stale = staleness(example, step, &its, mean);
        if (best && stale >= least) {
            arena_rewind(&example->trying, mark);
            continue;
        }
        least = stale;
        best = step;
        *shape = its;
    }
    *rule = best ? best->rule : NULL;
    return best;
}

/* A step that echoes another one, taken without choosing. NULL if there is none. */
static const struct step *choose_echo(struct example *example, unsigned one_in, struct shape *shape,
                                      const struct rule **rule)
{
    struct step_plan plan = {0};
    struct step *step;
    enum step_fate fate;
    if (!example->way->echoes || one_in == 0 || !rng_one_in(&example->rng, one_in) ||
        !echo_choose(example, &plan) || !step_try(example, &plan, &step, &fate) ||
        fate != STEP_RAN) {
        return NULL;
    }
    *shape = shape_of(example, step);
    *rule = plan.rule;
    return step;
}

void novel_choose(struct example *example, struct step_plan *out)
{
    bool in_later = example->session > 1;
    const struct selectivity selectivity =
        (in_later && meeting_of(example)) || crosswise_wanted(example) ? meeting
        : example->way->novel && !in_later                             ? novel
        : example->session > 0                                         ? in_session
                                                                       : accepted;
    struct lang_state state = example->state;
    struct shape shape;
    arena_reset(&example->trying);
    example->state = lang_looking(&state, &example->trying);
    const struct step *best = choose_echo(example, selectivity.echo_one_in, &shape, &out->rule);
    if (!best) {
        bool any = selectivity.any_one_in && rng_one_in(&example->rng, selectivity.any_one_in);
        best = choose_candidate(example, any ? 1 : selectivity.candidates, &shape, &out->rule);
    }
    if (best && example->way->novel && !in_later) {
        note_taken(&example->novelty, best, &shape);
    }
    if (best && shape.crosswise.known) {
        crosswise_note(example, &shape.crosswise);
    } else if (best && in_later) {
        example->meets = example->meets || shape.depends || shape.mute;
    }
    if (best) {
        struct choices *choices = ARENA_NEW(&example->arena, struct choices);
        *choices = choices_copy(&example->arena, &best->choices);
        out->replay = choices;
    }
    example->state = state;
}
