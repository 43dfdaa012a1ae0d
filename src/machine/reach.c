/* Finds rules that can never be chosen, and bundles that always stay empty. */
#include "machine/loader.h"

#include <string.h>

static bool says(const struct lang_code *code, const char *text)
{
    const struct snippet *snippet = code ? lang_snippet(code) : NULL;
    return snippet && snippet->size == strlen(text) && !memcmp(snippet->text, text, snippet->size);
}

/* Why a rule can never run by itself; NULL if it can. */
static const char *never_because(const struct rule *rule)
{
    if (!rule->weight_code && rule->weight <= 0) {
        return "its weight is 0";
    }
    if (rule->limit == 0) {
        return "its limit is 0";
    }
    return says(rule->precondition, "False") ? "its precondition is False" : NULL;
}

/* The first argument that draws from a bundle that is not filled; NULL if there is none. */
static const struct rule_arg *waits_for(const struct rule *rule, const bool *filled)
{
    for (size_t i = 0; i < rule->args.count; i++) {
        const struct rule_arg *arg = &rule->args.items[i];
        if (arg->bundle >= 0 && !filled[arg->bundle]) {
            return arg;
        }
    }
    return NULL;
}

static void report_empty(struct loader *loader, const char *what, const struct rule *rule)
{
    const struct rule_arg *arg = rule->args.items;
    const struct rule_arg *end = arg + rule->args.count;
    while (arg < end && !arg->empty) {
        arg++;
    }
    if (arg < end) {
        error_hint(
            diagnostics_at(loader->diagnostics, arg->pos,
                           "%s '%s' can never run: no value is possible for its argument '%s'",
                           what, rule->name, arg->name),
            "its bounds exclude every value, or the collection that it is drawn from is always "
            "empty");
    }
}

static void fill_targets(const struct rule *rule, bool *filled)
{
    for (size_t i = 0; i < rule->targets.count; i++) {
        int bundle = rule->targets.items[i].bundle;
        if (bundle >= 0) {
            filled[bundle] = true;
        }
    }
}

/* Linked lists of rules: `next` is the index of the following rule, plus one. */
struct waiting {
    size_t *next;
    size_t *first; /* by bundle: the rules that wait for it, plus one */
    size_t ready;  /* the rules to examine, plus one */
};

static void wake(struct waiting *waiting, int bundle)
{
    while (waiting->first[bundle]) {
        size_t rule = waiting->first[bundle] - 1;
        waiting->first[bundle] = waiting->next[rule];
        waiting->next[rule] = waiting->ready;
        waiting->ready = rule + 1;
    }
}

/* Fills the targets of all rules that can run with the filled bundles. A rule that waits for a
 * bundle is examined again when that is filled, so the time is not quadratic in the number of
 * rules. */
static void fill_all(struct loader *loader, const struct rule *rules, size_t count, bool *filled)
{
    struct waiting waiting = {
        .next = ARENA_ARRAY(loader->arena, size_t, count),
        .first = ARENA_ARRAY(loader->arena, size_t, loader->machine->bundles.count),
        .ready = count};
    for (size_t i = 0; i < count; i++) {
        waiting.next[i] = i;
    }
    while (waiting.ready) {
        size_t index = waiting.ready - 1;
        const struct rule *rule = &rules[index];
        const struct rule_arg *arg = waits_for(rule, filled);
        waiting.ready = waiting.next[index];
        if (never_because(rule)) {
            continue;
        }
        if (arg) {
            waiting.next[index] = waiting.first[arg->bundle];
            waiting.first[arg->bundle] = index + 1;
            continue;
        }
        fill_targets(rule, filled);
        for (size_t i = 0; i < rule->targets.count; i++) {
            if (rule->targets.items[i].bundle >= 0) {
                wake(&waiting, rule->targets.items[i].bundle);
            }
        }
    }
}

static struct error *report_wait(struct loader *loader, const struct rule_arg *arg,
                                 const char *what, const char *name)
{
    return diagnostics_at(loader->diagnostics, arg->pos,
                          "%s '%s' can never run: nothing fills the bundle '%s' before it", what,
                          name, loader->machine->bundles.items[arg->bundle].name);
}

/* Steps of a list run once, in order; those of a mapping in any order. */
static void check_initialize(struct loader *loader, bool *filled)
{
    struct machine *machine = loader->machine;
    if (machine->initialize_shuffled) {
        fill_all(loader, machine->initialize.items, machine->initialize.count, filled);
    }
    for (size_t i = 0; i < machine->initialize.count; i++) {
        const struct rule *step = &machine->initialize.items[i];
        const struct rule_arg *arg = waits_for(step, filled);
        if (arg) {
            error_hint(report_wait(loader, arg, "step", step->name),
                       machine->initialize_shuffled
                           ? "make it the `target` of a step that needs no such value"
                           : "make it the `target` of an earlier step");
        }
        fill_targets(step, filled);
        report_empty(loader, "step", step);
    }
}

void check_reach(struct loader *loader)
{
    struct machine *machine = loader->machine;
    bool *filled = ARENA_ARRAY(loader->arena, bool, machine->bundles.count);
    check_initialize(loader, filled);
    fill_all(loader, machine->rules.items, machine->rules.count, filled);
    for (size_t i = 0; i < machine->rules.count; i++) {
        const struct rule *rule = &machine->rules.items[i];
        const char *why = never_because(rule);
        const struct rule_arg *arg = waits_for(rule, filled);
        report_empty(loader, "rule", rule);
        if (why) {
            error_hint(diagnostics_at(loader->diagnostics, rule->pos, "rule '%s' can never run: %s",
                                      rule->name, why),
                       "remove the rule, or comment it out");
        } else if (arg) {
            error_hint(report_wait(loader, arg, "rule", rule->name),
                       "make it the `target` of a step of initialize, or of a rule that needs no "
                       "such value");
        }
    }
}
