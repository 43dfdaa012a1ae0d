#include "example/step/crosswise.h"

#include "base/hash.h"
#include "example/engine.h"
#include "example/step/foresee.h"
#include "value/change.h"

enum {
    PUT_OFF_MAX = 6, /* steps more before the sessions */
    OTHERS = 8,      /* steps that are tried beside one of the first session */
    STEPS_MAX = 8,
    MODEL_BYTES_MAX = 64 * 1024, /* it is copied twice for each of them */
};

struct conflict {
    struct example *example;
    struct value *globals; /* of the example */
    size_t bytes_before;   /* of its state */
    struct arena_mark mark;
    const struct step *steps[STEPS_MAX]; /* of the sessions, one after the other; `next` */
    unsigned session[STEPS_MAX];
    size_t count;
    bool unknown;
};

static uint64_t change_of(struct example *example, const struct value *before)
{
    struct walk walk = {0};
    uint64_t change = 0;
    for (size_t i = 0; i < lang_module_global_count(example->state.module); i++) {
        struct value global;
        if (lang_get_global(&example->state, i, &global)) {
            change += hash_mix(i ^ value_change_hash(&walk, &example->trying, before[i], global));
        }
    }
    return change;
}

static bool is_same_state(const struct example *example, const struct value *a,
                          const struct value *b)
{
    bool same = true;
    for (size_t i = 0; i < lang_module_global_count(example->state.module) && same; i++) {
        same = lang_is_unset(a[i]) ? lang_is_unset(b[i]) : value_equal(a[i], b[i]);
    }
    return same;
}

static bool holds(struct example *example, const struct lang_code *code, struct value *locals)
{
    struct value value;
    return !code || (lang_eval(&example->state, code, locals, &value, example->novelty.ignored) &&
                     value_truth(value));
}

/* Runs the step's model on globals that may be changed. What it answers and changes, as a hash. */
static uint64_t act(struct conflict *conflict, const struct step *step)
{
    struct example *example = conflict->example;
    const struct rule *rule = step->rule;
    struct step acting = *step;
    acting.locals = arena_memdup(&example->trying, step->locals,
                                 rule->locals.names.count * sizeof *step->locals);
    const struct value *before = lang_copy_globals(&example->state);
    if (!holds(example, rule->precondition, NULL) || !holds(example, rule->where, acting.locals)) {
        conflict->unknown = true; /* an order in which it can't run says nothing */
        return 0;
    }
    struct foreseen seen = foresee_step(example, &acting);
    if (seen.raises) {
        return 1;
    }
    if (rule->model &&
        !lang_exec(&example->state, rule->model, acting.locals, example->novelty.ignored)) {
        conflict->unknown = true;
        return 0;
    }
    return hash_mix(seen.answer ^ hash_mix(change_of(example, before)));
}

/* What the model makes of the step follows from its arguments. */
static bool is_foreseeable(const struct step *step)
{
    const struct rule *rule = step->rule;
    bool fills = false;
    for (size_t i = 0; i < rule->targets.count; i++) {
        fills = fills || rule->targets.items[i].kind == TARGET_COLLECTION;
    }
    return !fills && !rule->needs_answer && !rule->outside && !step->death && !step->again;
}

static void add_step(struct conflict *conflict, const struct step *step, unsigned session)
{
    if (conflict->count == STEPS_MAX || !is_foreseeable(step)) {
        conflict->unknown = true;
        return;
    }
    conflict->session[conflict->count] = session;
    conflict->steps[conflict->count++] = step;
}

static void begin_at(struct conflict *conflict, struct value *globals)
{
    conflict->example->state.globals = globals;
    conflict->example->state.globals = lang_copy_globals(&conflict->example->state);
}

/* Runs the steps of one session among the first `count`. */
static uint64_t act_session(struct conflict *conflict, unsigned session, size_t count)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < count && !conflict->unknown; i++) {
        if (conflict->session[i] == session) {
            hash = hash_mix(hash ^ act(conflict, conflict->steps[i]));
        }
    }
    return hash;
}

/* What earlier sessions do after the current one's steps among the first `count`. */
static uint64_t act_others(struct conflict *conflict, size_t count)
{
    struct example *example = conflict->example;
    uint64_t hash = 0;
    for (unsigned session = 1; session < example->session; session++) {
        begin_at(conflict, example->fork);
        (void)act_session(conflict, example->session, count);
        hash = hash_mix(hash ^ act_session(conflict, session, conflict->count));
    }
    return hash;
}

static bool can_foresee(const struct example *example)
{
    return example->fork_bytes <= MODEL_BYTES_MAX && !example->engine->machine->migration;
}

static struct conflict conflict_begin(struct example *example)
{
    return (struct conflict){.example = example,
                             .globals = example->state.globals,
                             .bytes_before = example->state.bytes_before,
                             .mark = arena_mark(&example->trying),
                             .unknown = !can_foresee(example)};
}

static void conflict_end(const struct conflict *conflict)
{
    struct example *example = conflict->example;
    example->state.globals = conflict->globals;
    example->state.bytes_before = conflict->bytes_before;
    arena_rewind(&example->trying, conflict->mark);
}

/* Whether the step does something else if only `other` runs before it, and what it does before that
 * is not lost by it. */
static bool is_changed_by(struct example *example, const struct step *step,
                          const struct step *other)
{
    struct conflict conflict = conflict_begin(example);
    bool changed = false;
    add_step(&conflict, step, 1);
    add_step(&conflict, other, 2);
    if (!conflict.unknown) {
        begin_at(&conflict, example->fork);
        uint64_t alone = act(&conflict, step);
        (void)act(&conflict, other);
        const struct value *both = example->state.globals;
        begin_at(&conflict, example->fork);
        (void)act(&conflict, other);
        bool stays = !step->rule->model || !is_same_state(example, both, example->state.globals);
        changed = stays && act(&conflict, step) != alone && !conflict.unknown;
    }
    conflict_end(&conflict);
    return changed;
}

/* Finds another step that changes what the step does; NULL: there is none among a few. */
static const struct step *find_other(struct example *example, const struct step *step)
{
    for (unsigned i = 0; i < OTHERS; i++) {
        struct arena_mark mark = arena_mark(&example->trying);
        const struct step_plan plan = {.rule = choose_rule(example)};
        struct step *other;
        enum step_fate fate;
        if (plan.rule && step_try(example, &plan, &other, &fate) && fate == STEP_RAN &&
            is_changed_by(example, step, other)) {
            return other;
        }
        arena_rewind(&example->trying, mark);
    }
    return NULL;
}

/* All statements of its transaction read the same state. */
static bool sees_one_state(const struct example *example, const struct rule *rule)
{
    enum isolation level = rule->isolation == ISOLATION_DEFAULT
                               ? example->engine->options.settings->isolation
                               : rule->isolation;
    return level == ISOLATION_REPEATABLE_READ || level == ISOLATION_SERIALIZABLE;
}

/* Only a step that reads twice, or writes, can contradict others. */
static struct crosswise look_first(struct example *example, const struct step *step)
{
    struct crosswise out = {.known = is_foreseeable(step) && can_foresee(example)};
    bool may_race = step->rule->model || !sees_one_state(example, step->rule);
    out.other = out.known && may_race ? find_other(example, step) : NULL;
    out.cost = (step->rule->model ? 0 : 0.125) + (out.other ? 0 : CROSSWISE_POOR);
    return out;
}

static bool is_last_of_session(const struct example *example)
{
    size_t end = example_beginning(example);
    for (unsigned i = 0; i < example->session; i++) {
        end += example->plan.branching->each[i];
    }
    return example->number - example->extra + 1 == end;
}

static double cost_of(const struct example *example, bool needs, bool changes)
{
    double cost = example->changes || changes ? 0 : 0.5;
    if (needs || !is_last_of_session(example)) {
        return cost;
    }
    /* a step that reads twice may see one change without the other */
    return cost + (example->changes && changes ? 0.125 : CROSSWISE_POOR);
}

/* Whether the steps of earlier sessions probably only read. */
static bool writes_nothing(const struct conflict *conflict)
{
    bool writes = false;
    for (size_t i = 0; i < conflict->count; i++) {
        writes = writes || (conflict->session[i] < conflict->example->session &&
                            conflict->steps[i]->rule->model);
    }
    return !writes;
}

static struct crosswise look_later(struct example *example, const struct step *step)
{
    struct conflict conflict = conflict_begin(example);
    struct crosswise out = {0};
    for (size_t i = 0; i < example->steps.count; i++) {
        if (example->trace.steps.items[i].session > 0) {
            add_step(&conflict, example->steps.items[i], example->trace.steps.items[i].session);
        }
    }
    size_t before = conflict.count;
    add_step(&conflict, step, example->session);
    if (!conflict.unknown) {
        begin_at(&conflict, conflict.globals);
        uint64_t last = act(&conflict, step);
        const struct value *all = example->state.globals;
        begin_at(&conflict, example->fork);
        (void)act_session(&conflict, example->session, before);
        bool needs = act(&conflict, step) != last;
        bool stays =
            writes_nothing(&conflict) || !is_same_state(example, all, example->state.globals);
        out.changes =
            stays && act_others(&conflict, before) != act_others(&conflict, conflict.count);
        out.known = !conflict.unknown;
        out.cost = cost_of(example, needs, out.changes);
    }
    conflict_end(&conflict);
    return out;
}

bool crosswise_other(struct example *example, struct step_plan *out)
{
    bool is_next = example->session > 1 && example->other.rule;
    if (is_next) {
        *out = example->other;
        example->other.rule = NULL;
    }
    return is_next;
}

bool crosswise_wanted(const struct example *example)
{
    return example->session > 0 && example->plan.branching && !example->by_chance &&
           example->plan.branching->meets == MEET_CROSSWISE;
}

struct crosswise crosswise_look(struct example *example, const struct step *step)
{
    return example->session == 1 ? look_first(example, step) : look_later(example, step);
}

void crosswise_note(struct example *example, const struct crosswise *crosswise)
{
    bool fits = crosswise->cost < CROSSWISE_POOR;
    if (example->session > 1) {
        example->meets = example->meets || fits;
        example->changes = example->changes || crosswise->changes;
    } else if (!fits && example->put_off < PUT_OFF_MAX &&
               example_beginning(example) < (size_t)example->engine->options.settings->steps) {
        example->put_off++;
        example->session = 0;
        example->fork = NULL;
    } else if (fits) {
        struct choices *choices = ARENA_NEW(&example->arena, struct choices);
        *choices = choices_copy(&example->arena, &crosswise->other->choices);
        example->other = (struct step_plan){.rule = crosswise->other->rule, .replay = choices};
    } else {
        example->by_chance = true;
    }
}
