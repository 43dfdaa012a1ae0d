/*
 * Replaces two steps by one of another rule that takes their values: delete a, upload b becomes
 * rename a to b; create a folder, move it becomes create it there.
 *
 * The original trace shows the choices of a rule. A rule is tried only if each of its choices gets
 * a value of the two steps, and each step with values gives one. Most pairs therefore need no
 * attempt.
 */
#include "shrink/passes/passes.h"

enum {
    STEPS_MIN = 4,
    STEPS_MAX = 12,
    PLACES_MAX = 4, /* choices in the new step */
    VALUES_MAX = 6, /* of the two steps */
};

/* A choice of one of the two steps, which may be a value of the new one. */
struct value_at {
    const struct choice *choice;
    bool second; /* true for the second step */
};

/* Two steps to merge. */
struct pair {
    struct shrinker *shrinker;
    size_t first, second;              /* indices */
    uint32_t id;                       /* of the new step */
    size_t place;                      /* the step that it goes before */
    const struct trace_step *template; /* a step of the rule in the original trace */
    struct value_at values[VALUES_MAX];
    size_t value_count;        /* the number of values */
    size_t chosen[PLACES_MAX]; /* of `values` */
};

static const struct trace_step *step_at(const struct shrinker *shrinker, size_t index)
{
    return &shrinker->current.steps.items[index];
}

/* The first step after `from` that refers to it, except step `but`; the number of steps if there is
 * none. */
static size_t first_user(const struct shrinker *shrinker, size_t from, size_t but)
{
    size_t i = from + 1;
    while (i < shrinker_steps(shrinker) &&
           (i == but || !step_refers_to(step_at(shrinker, i), step_at(shrinker, from)->id))) {
        i++;
    }
    return i;
}

static void add_values(struct pair *pair, size_t index, bool second)
{
    const struct choices *choices = &step_at(pair->shrinker, index)->choices;
    uint32_t own = step_at(pair->shrinker, pair->first)->id;
    for (size_t i = 0; i < choices->items.count; i++) {
        const struct choice *choice = &choices->items.items[i];
        if (choice->kind != CHOICE_REFERENCE || choice->as.reference.step != own) {
            if (pair->value_count < VALUES_MAX) {
                pair->values[pair->value_count] = (struct value_at){choice, second};
            }
            pair->value_count++;
        }
    }
}

/* True if the pair can be merged: other steps refer to values of at most one of them. */
static bool is_pair(struct pair *pair)
{
    const struct shrinker *shrinker = pair->shrinker;
    size_t count = shrinker_steps(shrinker);
    size_t of_first = first_user(shrinker, pair->first, pair->second);
    size_t of_second = first_user(shrinker, pair->second, count);
    pair->id = step_at(shrinker, of_second < count ? pair->second : pair->first)->id;
    pair->place = of_first < pair->second ? of_first : pair->second;
    return of_first == count || of_second == count;
}

/* True if a step of the rule can replace the one whose id it takes. */
static bool rule_fits(const struct pair *pair, size_t rule)
{
    const struct shrink_target *target = pair->shrinker->target;
    const struct trace_step *first = step_at(pair->shrinker, pair->first);
    const struct trace_step *second = step_at(pair->shrinker, pair->second);
    const struct trace_step *kept = pair->id == first->id ? first : second;
    size_t count = shrinker_steps(pair->shrinker);
    size_t kept_at = kept == first ? pair->first : pair->second;
    bool used = first_user(pair->shrinker, kept_at, pair->second) < count;
    return rule != first->rule && rule != second->rule &&
           !(target->rules_off && target->rules_off[rule]) &&
           (!used || !target->collections ||
            target->collections[rule] == target->collections[kept->rule]);
}

static const struct trace_step *find_template(const struct trace *failing, size_t rule)
{
    for (size_t i = 0; i < failing->steps.count; i++) {
        if (!failing->steps.items[i].initialize && failing->steps.items[i].rule == rule) {
            return &failing->steps.items[i];
        }
    }
    return NULL;
}

/* Sets the template's choice `place` to the value. */
static bool assign_value(struct pair *pair, struct choice *place, const struct choice *value)
{
    struct shrinker *shrinker = pair->shrinker;
    if (place->kind == CHOICE_REFERENCE && value->kind == CHOICE_REFERENCE &&
        place->as.reference.step != REFERENCE_BY_POSITION &&
        value->as.reference.step != REFERENCE_BY_POSITION) {
        bool alike = reference_maker(shrinker->failing, &place->as.reference) ==
                     reference_maker(&shrinker->current, &value->as.reference);
        place->as.reference = value->as.reference;
        return alike;
    }
    return edit_assign(&shrinker->scratch, place, value);
}

/* The trace with the new step in place of the two. */
static struct trace united_trace(struct pair *pair, const struct choices *choices)
{
    struct shrinker *shrinker = pair->shrinker;
    struct trace candidate = shrinker_copy(shrinker);
    candidate.steps.count = 0;
    for (size_t i = 0; i < shrinker_steps(shrinker); i++) {
        if (i == pair->place) {
            candidate.steps.items[candidate.steps.count++] = (struct trace_step){
                .id = pair->id, .rule = pair->template->rule, .choices = *choices};
        }
        if (i != pair->first && i != pair->second) {
            candidate.steps.items[candidate.steps.count++] = *step_at(shrinker, i);
        }
    }
    return candidate;
}

/* True if each step with values gives one. */
static bool both_give(const struct pair *pair)
{
    bool gives[2] = {false, false};
    bool has[2] = {false, false};
    for (size_t i = 0; i < pair->template->choices.items.count; i++) {
        gives[pair->values[pair->chosen[i]].second] = true;
    }
    for (size_t i = 0; i < pair->value_count; i++) {
        has[pair->values[i].second] = true;
    }
    return gives[0] == has[0] && gives[1] == has[1];
}

static bool try_chosen(struct pair *pair)
{
    struct shrinker *shrinker = pair->shrinker;
    if (!both_give(pair)) {
        return false;
    }
    struct choices choices = choices_copy(&shrinker->scratch, &pair->template->choices);
    bool given = true;
    for (size_t i = 0; i < choices.items.count && given; i++) {
        const struct value_at *value = &pair->values[pair->chosen[i]];
        given = assign_value(pair, &choices.items.items[i], value->choice);
    }
    struct trace candidate = united_trace(pair, &choices);
    return given && shrinker_try(shrinker, &candidate);
}

/* Tries every assignment of distinct values to the rule's choices from `place` on. */
static bool choose_values(struct pair *pair, size_t place)
{
    if (place == pair->template->choices.items.count) {
        return try_chosen(pair);
    }
    for (size_t i = 0; i < pair->value_count && !pair->shrinker->stopped; i++) {
        bool used = false;
        for (size_t k = 0; k < place; k++) {
            used = used || pair->chosen[k] == i;
        }
        pair->chosen[place] = i;
        if (!used && choose_values(pair, place + 1)) {
            return true;
        }
    }
    return false;
}

static bool unite_pair(struct pair *pair)
{
    if (!is_pair(pair)) {
        return false;
    }
    add_values(pair, pair->first, false);
    add_values(pair, pair->second, true);
    size_t rules = pair->value_count <= VALUES_MAX ? pair->shrinker->target->rule_count : 0;
    for (size_t rule = 0; rule < rules; rule++) {
        pair->template = find_template(pair->shrinker->failing, rule);
        size_t places = pair->template ? pair->template->choices.items.count : 0;
        if (places > 0 && places <= PLACES_MAX && rule_fits(pair, rule) && choose_values(pair, 0)) {
            return true;
        }
    }
    return false;
}

static bool unite_with(struct shrinker *shrinker, size_t second)
{
    for (size_t first = second; first > shrinker_first(shrinker) && !shrinker->stopped; first--) {
        struct pair pair = {.shrinker = shrinker, .first = first - 1, .second = second};
        bool united = unite_pair(&pair);
        if (united) {
            return true;
        }
    }
    return false;
}

void pass_two_by_one(struct shrinker *shrinker)
{
    size_t steps = shrinker_steps(shrinker) - shrinker_first(shrinker);
    size_t kept = shrinker->target->at_end ? 0 : 1; /* the failing step */
    if (steps < STEPS_MIN || steps > STEPS_MAX) {
        return;
    }
    for (size_t second = shrinker_steps(shrinker) - kept; second > shrinker_first(shrinker);
         second--) {
        if (unite_with(shrinker, second - 1)) {
            return; /* after the cheap passes */
        }
    }
}
