/* Warns about code that is allowed but probably a mistake. If in doubt, it does not warn, because a
 * false alarm costs more than a miss. */
#include "machine/loader.h"
#include "machine/sql/sql_study.h"

#include <string.h>

struct error *warn_at(struct loader *loader, struct source_pos pos, const char *format, ...)
{
    size_t count = loader->machine->warnings.count;
    struct error *warning = count > DIAGNOSTICS_MAX
                                ? &loader->ignored
                                : VEC_PUSH(loader->arena, &loader->machine->warnings);
    if (count == DIAGNOSTICS_MAX) {
        (void)error_at(warning, ERROR_MACHINE, pos, "and more warnings from here on");
        return &loader->ignored;
    }
    va_list args;
    va_start(args, format);
    (void)error_vat(warning, ERROR_MACHINE, pos, format, args);
    va_end(args);
    return warning;
}

/* The facts about a variable of the model from the start of each example. */
struct beginning {
    bool is_list;
    bool is_empty;
};

/* A dict that an object keeps is filled by the object's methods. */
static struct beginning beginning_of(const struct loader *loader, size_t slot)
{
    struct value value;
    struct error ignored;
    size_t length;
    struct beginning beginning = {0};
    if (loader->beginning && lang_get_global(loader->beginning, slot, &value)) {
        const struct container *container = value_container(value);
        beginning.is_list = value.type == VALUE_LIST;
        beginning.is_empty =
            container && !container->kept && value_length(value, &length, &ignored) && !length;
    }
    return beginning;
}

/* True if the code is the name of a variable that the top-level `model` assigns. */
static bool is_variable(const struct machine *machine, const struct lang_locals *locals,
                        const struct lang_code *code, size_t *slot)
{
    const char *name = lang_sole_name(code);
    size_t local;
    return name && machine->model && !lang_locals_find(locals, name, &local) &&
           lang_module_find_global(machine->module, name, slot) &&
           lang_module_global_kind(machine->module, *slot) == LANG_VARIABLE;
}

static bool expects_list(const struct loader *loader, const struct lang_locals *locals,
                         const struct lang_code *expect)
{
    size_t slot;
    return lang_gives_list(expect) || (is_variable(loader->machine, locals, expect, &slot) &&
                                       beginning_of(loader, slot).is_list);
}

static void warn_of_order(struct loader *loader, const struct statement_list *statements,
                          const struct lang_locals *locals, const struct lang_code *expect)
{
    if (!expect || !statements->count) {
        return;
    }
    const struct snippet *query = &statements->items[statements->count - 1].sql->snippet;
    if (sql_has_no_order(query) && expects_list(loader, locals, expect)) {
        error_hint(warn_at(loader, snippet_pos(query, 0),
                           "`expect` is a list, which is compared in order, but nothing orders the "
                           "rows"),
                   "add ORDER BY, or expect a set, or bag([…]) if rows may be equal");
    }
}

static void warn_of_volatile(struct loader *loader, const struct invariant *invariant)
{
    for (size_t i = 0; i < invariant->statements.count; i++) {
        const struct snippet *query = &invariant->statements.items[i].sql->snippet;
        size_t start;
        size_t end;
        if (sql_finds_volatile(query, loader->machine->clock != NULL, &start, &end)) {
            error_hint(warn_at(loader, snippet_pos(query, start),
                               "invariant '%s' calls %.*s(), which gives another value each time",
                               invariant->name, (int)(end - start), query->text + start),
                       "a failure may not happen again, and can't be shrunk then; compare what the "
                       "schema stores");
        }
    }
}

/* Warns about a check whose value can't change; a false one fails anyway. */
static void warn_of_fixed(struct loader *loader, const struct code_list *checks)
{
    for (size_t i = 0; i < checks->count; i++) {
        if (lang_is_fixed(checks->items[i])) {
            error_hint(warn_at(loader, snippet_pos(lang_snippet(checks->items[i]), 0),
                               "this check reads neither the result nor the model"),
                       "it gives the same in every step; compare `result` with what the model "
                       "holds");
        }
    }
}

static bool only_reads(const struct rule *rule)
{
    bool reads = rule->statements.count > 0;
    for (size_t i = 0; i < rule->statements.count && reads; i++) {
        reads = sql_only_reads(&rule->statements.items[i].sql->snippet);
    }
    return reads;
}

/* A machine needs a rule, so the only rule may just serve the invariants. */
static void warn_of_unread(struct loader *loader, const struct rule *rule)
{
    bool used = rule->raises || rule->expect || rule->affects || rule->checks.count ||
                rule->model || rule->targets.count || rule->xfail || rule->expects;
    bool predicts = loader->machine->settings.errors == ERRORS_PREDICTED;
    if (!used && predicts && loader->machine->rules.count > 1 && only_reads(rule)) {
        error_hint(warn_at(loader, rule->pos, "rule '%s' changes nothing and compares nothing",
                           rule->name),
                   "add `expect`, `affects` or `check`; if it only must not fail, say so with "
                   "`raises: None`");
    }
}

/* True if the code may put something into the variable. Assigning it does not count as reading. */
static bool touches(const struct lang_code *code, const char *name, size_t slot)
{
    return code && (lang_reads_global(code, slot) || strstr(lang_snippet(code)->text, name));
}

static bool step_may_fill(const struct rule *rule, const char *name, size_t slot)
{
    bool may = touches(rule->model, name, slot) || touches(rule->crash_model, name, slot) ||
               touches(rule->returns, name, slot);
    for (size_t i = 0; i < rule->lets.count; i++) {
        may = may || touches(rule->lets.items[i].code, name, slot);
    }
    for (size_t i = 0; i < rule->checks.count; i++) {
        may = may || touches(rule->checks.items[i], name, slot);
    }
    for (size_t i = 0; i < rule->targets.count; i++) {
        may = may || rule->targets.items[i].global == slot;
    }
    return may;
}

/* Steps may fill it; so may the model's functions and other names that read the variable. */
static bool may_fill(const struct machine *machine, const char *name, size_t slot)
{
    bool may = lang_reads_global(machine->model, slot);
    for (size_t i = 0; i < machine->initialize.count; i++) {
        may = may || step_may_fill(&machine->initialize.items[i], name, slot);
    }
    for (size_t i = 0; i < machine->rules.count; i++) {
        may = may || step_may_fill(&machine->rules.items[i], name, slot);
    }
    return may;
}

/* Skips bundles: only targets fill them, and one that is never filled is a mistake (reach.c). */
static void warn_of_empty(struct loader *loader, const struct rule *rule)
{
    const struct machine *machine = loader->machine;
    for (size_t i = 0; i < rule->args.count; i++) {
        const struct rule_arg *arg = &rule->args.items[i];
        size_t slot;
        const char *name = lang_sole_name(arg->code);
        if (is_variable(machine, &rule->locals, arg->code, &slot) &&
            beginning_of(loader, slot).is_empty && !may_fill(machine, name, slot)) {
            error_hint(
                warn_at(loader, arg->pos,
                        "'%s' can never run: '%s' is empty, and nothing puts a value into it",
                        rule->name, name),
                "make it the `target` of a rule, or let a rule's `model` fill it");
        }
    }
}

static void warn_of_rules(struct loader *loader, const struct rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        warn_of_empty(loader, &rules[i]);
        warn_of_order(loader, &rules[i].statements, &rules[i].locals, rules[i].expect);
        warn_of_fixed(loader, &rules[i].checks);
    }
}

static void warn_of_all(struct loader *loader)
{
    const struct machine *machine = loader->machine;
    warn_of_rules(loader, machine->initialize.items, machine->initialize.count);
    warn_of_rules(loader, machine->rules.items, machine->rules.count);
    for (size_t i = 0; i < machine->rules.count; i++) {
        warn_of_unread(loader, &machine->rules.items[i]);
    }
    for (size_t i = 0; i < machine->invariants.count; i++) {
        const struct invariant *invariant = &machine->invariants.items[i];
        warn_of_order(loader, &invariant->statements, &invariant->locals, invariant->expect);
        warn_of_volatile(loader, invariant);
        warn_of_fixed(loader, &invariant->checks);
    }
}

/* Runs the model once, to know the start of each example. */
void warn_of_doubts(struct loader *loader)
{
    enum { STEPS_MAX = 100000, BYTES_MAX = 16 << 20 };
    struct arena arena = {0};
    struct lang_state state;
    struct error ignored;
    lang_state_begin(&state, loader->machine->module, &arena, NULL);
    state.limits.steps = STEPS_MAX;
    state.limits.bytes = BYTES_MAX;
    if (loader->machine->model && lang_exec(&state, loader->machine->model, NULL, &ignored)) {
        loader->beginning = &state;
    }
    warn_of_all(loader);
    loader->beginning = NULL;
    arena_free(&arena);
}
