
#include "base/names.h"
#include "example/engine.h"
#include "example/observer.h"
#include "example/step/invariant.h"

#include "example/compare/compare.h"

/* Names. */

/* Finds the value that arrived under the name. */
static bool find_named(const struct bundles *bundles, const char *name, struct value *out)
{
    for (size_t i = 0; i < bundles->targets.count; i++) {
        const struct target *target = bundles->targets.items[i];
        size_t j = name_index(name, ROWS_OF(target->arrivals, name));
        if (j < target->arrivals.count) {
            *out = target->arrivals.items[j].value;
            return true;
        }
    }
    return false;
}

/* The example's names that have values: assigned by a call, or arrived at a bundle. */
struct pinned_names {
    const struct pinned_example *pinned;
    struct value *locals;
    bool *set;
};

static void look_up_names(const struct example *example, struct pinned_names *names)
{
    for (size_t i = 0; i < names->pinned->locals.names.count; i++) {
        if (!names->set[i]) {
            names->set[i] = find_named(&example->bundles, names->pinned->locals.names.items[i],
                                       &names->locals[i]);
        }
    }
}

/* Assigns the value that the step put into a bundle to the name on the call's left. */
static void assign_name(const struct example *example, const struct pinned_step *call,
                        struct pinned_names *names)
{
    const struct step *step = example->steps.items[example->steps.count - 1];
    if (call->assigned == SLOT_NONE || step->rule->targets.count == 0 ||
        step->outputs.count != step->rule->targets.count) {
        return;
    }
    size_t slot = (size_t)call->assigned;
    names->set[slot] = find_named(&example->bundles, step->outputs.items[0], &names->locals[slot]);
}

/* Calls. */

static bool is_unnamed(const struct example *example, const struct pinned_arg *arg,
                       const char *name, struct error *err)
{
    (void)error_at(err, ERROR_MACHINE, arg->pos, "no value has the name '%s' here", name);
    error_hint(err, "a step that puts one value into a bundle can name it: name = rule(…); "
                    "otherwise its name is <bundle>_<number>, numbered in order of arrival");
    for (size_t i = 0; i < example->bundles.count; i++) {
        const struct target *target = &example->bundles.items[i].target;
        if (target->arrivals.count) {
            error_detail(err, "there are %s_1 to %s_%zu", target->name, target->name,
                         target->arrivals.count);
        }
    }
    return false;
}

/* Evaluates the arguments of a call. */
static bool eval_args(struct example *example, const struct pinned_step *call,
                      const struct pinned_names *names, struct value **out, struct error *err)
{
    *out = ARENA_ARRAY(&example->arena, struct value, call->args.count);
    for (size_t i = 0; i < call->args.count; i++) {
        const struct pinned_arg *arg = &call->args.items[i];
        for (size_t slot = 0; slot < names->pinned->locals.names.count; slot++) {
            if (!names->set[slot] && lang_reads_local(arg->code, slot)) {
                return is_unnamed(example, arg, names->pinned->locals.names.items[slot], err);
            }
        }
        if (!lang_eval(&example->state, arg->code, names->locals, &(*out)[i], err)) {
            return false;
        }
    }
    return true;
}

/* The rule is a step of the migration, or names some. */
static const char *not_its_time(const struct example *example, const struct rule *rule)
{
    const struct machine_migration *migration = example->engine->machine->migration;
    if (rule->migrates) {
        return "the migration is at another step here";
    }
    return example->state.globals[migration->migrated].as.integer < rule->from
               ? "the step of the migration that it waits for (`from`) has not run yet here"
               : "the step of the migration that ends it (`until`) has begun here";
}

/* Why the rule could not run. */
static const char *blocked_because(struct example *example, const struct rule *rule)
{
    switch (example->choosing.why[rule->index]) {
    case BLOCKED_PRECONDITION:
        return "its precondition is false here";
    case BLOCKED_TIME:
        return not_its_time(example, rule);
    case BLOCKED_BUNDLE:
        return "a bundle that it draws from has too few values here";
    case BLOCKED_LIMIT:
        return arena_printf(&example->arena, "its limit of %lld has been reached",
                            (long long)rule->limit);
    default:
        return "`where` is false for these arguments";
    }
}

static bool cannot_run(struct example *example, const struct pinned_step *call, struct error *err)
{
    const struct rule *rule = &example->engine->machine->rules.items[call->rule];
    (void)error_at(err, ERROR_MACHINE, call->pos,
                   "step %zu of the pinned example '%s' can't run: %s", example->number + 1,
                   example->plan.pinned->name, blocked_because(example, rule));
    return error_hint(err, "a pinned example runs exactly as written; change it, or remove it");
}

/* Arguments. */

/* Supplies the evaluated values of a call. */
struct pinned_source {
    struct argument_source argument_source; /* must be first */
    struct example *example;
    const struct pinned_step *call;
    const struct value *values; /* of call->args */
};

static const char *source_of(struct arena *arena, const struct lang_code *code)
{
    enum { SHOWN_MAX = 200 };
    const struct snippet *snippet = lang_snippet(code);
    return snippet->size <= SHOWN_MAX ? arena_strndup(arena, snippet->text, snippet->size)
                                      : "its strategy";
}

/* Draws an argument that the call lacks. That is correct if it has only one possible value, which
 * needs no choice and is not shown. */
static enum draw_result draw_missing(const struct pinned_source *argument_source,
                                     struct drawer *drawer, size_t index, struct value strategy,
                                     struct value *out, struct error *err)
{
    struct example *example = argument_source->example;
    const struct pinned_step *call = argument_source->call;
    const struct rule *rule = &example->engine->machine->rules.items[call->rule];
    size_t before = drawer->record->items.count;
    enum draw_result result = strategy_draw(drawer, strategy, 0, out, err);
    if (result == DRAW_ERROR || (result == DRAW_OK && drawer->record->items.count == before)) {
        return result;
    }
    (void)error_at(err, ERROR_MACHINE, call->pos, "rule '%s' needs the argument '%s'", rule->name,
                   rule->args.items[index].name);
    error_hint(err, "it is drawn from %s",
               source_of(&example->arena, rule->args.items[index].code));
    return DRAW_ERROR;
}

static enum draw_result refuse_argument(struct example *example, const struct pinned_arg *given,
                                        const struct rule_arg *arg, struct value value,
                                        struct error *err)
{
    const char *bundle =
        arg->bundle >= 0 ? example->engine->machine->bundles.items[arg->bundle].name : NULL;
    (void)error_at(err, ERROR_MACHINE, given->pos, "the argument '%s' can't be %s here", arg->name,
                   value_repr_text(&example->arena, value));
    if (bundle) {
        size_t count = example->bundles.items[arg->bundle].list.count;
        error_hint(err, "the bundle %s does not hold it; it holds %zu value%s", bundle, count,
                   plural(count));
    } else {
        error_hint(err, "%s does not give it", source_of(&example->arena, arg->code));
    }
    return DRAW_ERROR;
}

/* DRAW_ERROR if it is missing, a constant, or a value that its strategy never gives. */
static enum draw_result give_argument(struct argument_source *host, struct drawer *drawer,
                                      size_t index, struct value strategy, struct inverted *out,
                                      struct error *err)
{
    const struct pinned_source *argument_source = (const struct pinned_source *)host;
    struct example *example = argument_source->example;
    const struct pinned_step *call = argument_source->call;
    const struct rule_arg *arg =
        &example->engine->machine->rules.items[call->rule].args.items[index];
    size_t at = 0;
    while (at < call->args.count && call->args.items[at].arg != index) {
        at++;
    }
    *out = (struct inverted){0};
    if (at == call->args.count) {
        return draw_missing(argument_source, drawer, index, strategy, &out->value, err);
    }
    const struct pinned_arg *given = &call->args.items[at];
    struct value wanted = argument_source->values[at];
    if (!value_is_drawable(strategy)) {
        (void)error_at(err, ERROR_MACHINE, given->pos,
                       "the argument '%s' is a constant here and can't be given", arg->name);
        error_hint(err, "leave it out");
        return DRAW_ERROR;
    }
    enum draw_result result = strategy_invert(drawer, strategy, 0, wanted, out, err);
    return result == DRAW_REJECTED || result == DRAW_EMPTY
               ? refuse_argument(example, given, arg, wanted, err)
               : result;
}

/* Steps. */

static bool run_call(struct example *example, const struct pinned_step *call,
                     struct pinned_names *names, struct error *err)
{
    const struct rule *rule = &example->engine->machine->rules.items[call->rule];
    struct value *values;
    enum step_fate fate;
    look_up_names(example, names);
    if (!eval_args(example, call, names, &values, err)) {
        return false;
    }
    struct pinned_source argument_source = {{give_argument}, example, call, values};
    if (!step_run(example,
                  &(struct step_plan){.rule = rule,
                                      .id = example->next_id,
                                      .argument_source = &argument_source.argument_source},
                  &fate, err)) {
        return false;
    }
    if (fate != STEP_RAN) {
        return cannot_run(example, call, err);
    }
    example->next_id++;
    assign_name(example, call, names);
    return true;
}

bool pinned_steps(struct example *example, struct error *err)
{
    const struct pinned_example *pinned = example->plan.pinned;
    if (!pinned) {
        return true;
    }
    size_t count = pinned->locals.names.count;
    struct pinned_names names = {.pinned = pinned,
                                 .locals = ARENA_ARRAY(&example->arena, struct value, count),
                                 .set = ARENA_ARRAY(&example->arena, bool, count)};
    for (size_t i = 0; i < count; i++) {
        lang_unset(&names.locals[i]);
    }
    for (size_t i = 0; i < example->plan.pinned_steps; i++) {
        if (example_ended(example)) {
            return true;
        }
        flight_recycle(example);
        if (clock_interrupted(&example->engine->options.clock, err) ||
            !run_call(example, &pinned->steps.items[i], &names, err)) {
            return false;
        }
        if (example_ended(example)) {
            return true;
        }
        OBSERVE(example->plan.observer, model, example);
        if (!invariants_check(example, WHEN_STEP, err)) {
            return false;
        }
    }
    return true;
}
