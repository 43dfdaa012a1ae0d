#include "example/step/echo.h"

#include "example/engine.h"

#include <string.h>

/* An argument's choices; NULL if the trace has none. */
static const struct choice_span *span_of(const struct step *step, size_t arg)
{
    const struct choices *choices = &step->choices;
    for (size_t i = 0; i < choices->spans.count; i++) {
        if (choices->spans.items[i].kind == SPAN_ARGUMENT && arg-- == 0) {
            return &choices->spans.items[i];
        }
    }
    return NULL;
}

static bool was_drawn(const struct step *step, size_t arg)
{
    const struct choice_span *span = span_of(step, arg);
    return span && span->end > span->start;
}

static size_t drawn_args(const struct step *step)
{
    size_t count = 0;
    for (size_t i = 0; i < step->rule->args.count; i++) {
        count += was_drawn(step, i);
    }
    return count;
}

/* The steps to choose from: all, or in a session those of the earlier sessions. */
static void earlier(const struct example *example, size_t *first, size_t *end)
{
    const struct trace *trace = &example->trace;
    *first = 0;
    *end = example->steps.count;
    if (example->session > 1) {
        while (*first < *end && trace->steps.items[*first].session == 0) {
            ++*first;
        }
        while (*end > *first && trace->steps.items[*end - 1].session == example->session) {
            --*end;
        }
    }
}

/* Picks an earlier step with arguments, preferably one that was not refused. */
static const struct step *pick_earlier(struct example *example)
{
    enum { TRIES = 6 };
    const struct step *found = NULL;
    size_t first;
    size_t end;
    earlier(example, &first, &end);
    for (unsigned i = 0; i < TRIES && end > first; i++) {
        const struct step *step =
            example->steps.items[first + (size_t)rng_below(&example->rng, end - first)];
        if (step->rule->initialize || drawn_args(step) == 0) {
            continue;
        }
        found = step;
        if (!step->refused && step->raises.may_succeed) {
            break;
        }
    }
    return found;
}

static bool are_alike(const struct rule_arg *a, const struct rule_arg *b)
{
    const struct snippet *x = lang_snippet(a->code);
    const struct snippet *y = lang_snippet(b->code);
    return x->size == y->size && memcmp(x->text, y->text, x->size) == 0;
}

/* Picks an argument with the same strategy, preferably of the same name; SIZE_MAX if there is none.
 */
static size_t pick_alike(struct example *example, const struct rule_arg *arg,
                         const struct rule *rule)
{
    size_t found = SIZE_MAX;
    uint64_t count = 0;
    for (size_t i = 0; i < rule->args.count; i++) {
        const struct rule_arg *other = &rule->args.items[i];
        if (other->consumes || !are_alike(arg, other)) {
            continue;
        }
        if (strcmp(arg->name, other->name) == 0) {
            return i;
        }
        if (rng_one_in(&example->rng, ++count)) {
            found = i;
        }
    }
    return found;
}

/* Picks another argument of the rule with the same strategy; `arg` if there is none. */
static size_t pick_partner(const struct rule *rule, size_t arg)
{
    size_t count = rule->args.count;
    for (size_t i = 1; i < count; i++) {
        size_t other = (arg + i) % count;
        if (!rule->args.items[other].consumes &&
            are_alike(&rule->args.items[arg], &rule->args.items[other])) {
            return other;
        }
    }
    return arg;
}

/* Appends an argument with the choices of the span, which may be NULL. */
static void add_argument(struct arena *arena, const struct choices *from,
                         const struct choice_span *span, struct choices *to)
{
    size_t at = to->items.count;
    struct choice_span *argument = VEC_PUSH(arena, &to->spans);
    *argument = (struct choice_span){SPAN_ARGUMENT, at, at};
    if (!span) {
        return;
    }
    argument->end = at + span->end - span->start;
    for (size_t i = span->start; i < span->end; i++) {
        *VEC_PUSH(arena, &to->items) = from->items.items[i];
    }
    const struct choice_span *end = from->spans.items + from->spans.count;
    for (const struct choice_span *part = span + 1; part < end && part->kind != SPAN_ARGUMENT;
         part++) {
        *VEC_PUSH(arena, &to->spans) = (struct choice_span){
            part->kind, part->start - span->start + at, part->end - span->start + at};
    }
}

/* Sessions conflict most when they run the same rule. */
static const struct rule *pick_rule(struct example *example, const struct step *from)
{
    bool same = example->session > 1 && !example->choosing.tried[from->rule->index] &&
                rng_one_in(&example->rng, 2);
    return same ? from->rule : choose_rule(example);
}

bool echo_choose(struct example *example, struct step_plan *out)
{
    const struct step *from = pick_earlier(example);
    const struct rule *rule = from ? pick_rule(example, from) : NULL;
    if (!rule) {
        return false;
    }
    struct arena *arena = example->state.caller.arena;
    struct choices *choices = ARENA_NEW(arena, struct choices);
    bool same = rule == from->rule;
    /* another session may repeat all arguments */
    uint64_t anew = same ? rng_below(&example->rng, drawn_args(from) + (example->session > 1)) : 0;
    /* one session acts from a to b, the other from b to a */
    bool crosswise = same && example->session > 1 && rng_one_in(&example->rng, 3);
    for (size_t i = 0; i < rule->args.count; i++) {
        size_t arg = crosswise ? pick_partner(rule, i)
                     : same    ? i
                               : pick_alike(example, &rule->args.items[i], from->rule);
        bool drawn = arg != SIZE_MAX && was_drawn(from, arg);
        bool skipped = same && drawn && (anew-- == 0 || rule->args.items[i].consumes);
        add_argument(arena, &from->choices, drawn && !skipped ? span_of(from, arg) : NULL, choices);
    }
    out->rule = rule;
    out->replay = choices;
    return true;
}
