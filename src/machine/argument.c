/* Studies an argument before anything runs: its bundle, and if it has values and choices. */
#include "base/words.h"
#include "gen/strategy.h"
#include "machine/loader.h"

#include <string.h>

static void refuse_consumes(struct loader *loader, const struct node *node, const char *name)
{
    const struct lang_module *module = loader->machine->module;
    size_t slot;
    struct error *err =
        report(loader, node, "consumes() takes the name of a bundle, not '%s'", name);
    if (lang_module_find_global(module, name, &slot) &&
        lang_module_global_kind(module, slot) == LANG_VARIABLE) {
        error_hint(err,
                   "'%s' belongs to the model: write `%s` to draw one of its items, and remove the "
                   "item under `model`, as in %s.pop(…) or %s.remove(…)",
                   name, name, name, name);
    } else {
        error_hint(err, "a bundle is the `target` of a rule or of a step of initialize");
    }
}

/* Finds the bundle that an argument's expression draws from: `users`, `consumes(users)`. */
static void find_bundle(struct loader *loader, const struct lang_locals *locals,
                        const struct node *node, struct rule_arg *arg)
{
    size_t index;
    const char *consumed = lang_sole_call(arg->code, "consumes");
    const char *name = consumed ? consumed : lang_sole_name(arg->code);
    bool argument = name && lang_locals_find(locals, name, &index);
    if (name && !argument && map_get_text(&loader->bundle_names, name, strlen(name), &index)) {
        arg->bundle = (int)index;
        arg->consumes = consumed != NULL;
    }
    if (consumed && arg->bundle < 0) {
        refuse_consumes(loader, node, consumed);
    }
}

/* True for strategies whose every draw makes a choice, whatever their arguments are. */
static bool always_chooses(const struct lang_code *code)
{
    const char *called = lang_called(code);
    return called && word_is_in(called, "integers|booleans|floats|decimals|text|binary|uuids|dates|"
                                        "times|datetimes|sampled_from|timedeltas|json_values|"
                                        "from_regex|column|row|one_of");
}

/* True if the strategy depends on a table, which only a database knows. */
static bool needs_catalog(const struct lang_code *code)
{
    const char *text = lang_snippet(code)->text;
    return strstr(text, "column(") || strstr(text, "row(");
}

/* Draws the simplest value from a strategy that is the same in every example. A run begins with
 * that value, so a failure here would also occur there. */
static void try_strategy(struct loader *loader, struct lang_state *state, struct value strategy,
                         struct rule_arg *arg)
{
    struct choices record = {0};
    struct drawer drawer = {
        .caller = &state->caller, .arena = state->arena, .record = &record, .simplest = true};
    struct value ignored;
    struct error err = {0};
    enum draw_result possible = strategy_possible(&state->caller, strategy, &err);
    arg->empty = possible == DRAW_EMPTY;
    if (possible == DRAW_OK) {
        drawer_begin(&drawer);
        possible = strategy_draw(&drawer, strategy, 0, &ignored, &err);
        arg->drawn = arg->drawn || (possible == DRAW_OK && record.items.count > 0);
    }
    if (possible == DRAW_ERROR && err.code != ERROR_LIMIT && !needs_catalog(arg->code)) {
        if (!err.pos.source) {
            err.pos = snippet_pos(lang_snippet(arg->code), 0);
        }
        (void)report_error(loader, &err);
    }
}

/* Evaluates an expression that does not read the model. */
static void try_argument(struct loader *loader, const struct node *node, struct rule_arg *arg)
{
    struct arena arena = {0};
    struct lang_state state;
    struct value value;
    bool ok = evaluate_fixed(loader, arg->code, &state, &arena, &value);
    char buffer[NATIVE_NAME_SIZE];
    const char *name = ok ? native_name_of(value, buffer) : NULL;
    if (name) {
        error_hint(report(loader, node, "'%s' is the function itself, not its result", name),
                   "write %s()", name);
    } else if (ok && value_is_drawable(value)) {
        try_strategy(loader, &state, value, arg);
    }
    arena_free(&arena);
}

/* `role: ["a", "b"]` draws one item; in other tools it would be the list itself. */
static void warn_of_display(struct loader *loader, const struct node *node,
                            const struct rule_arg *arg)
{
    error_hint(warn_at(loader, node_pos(loader->source, node),
                       "'%s' gets one item of this value, not the whole", arg->name),
               "write sampled_from(…) around it to make that clear, or just(…) for the whole");
}

void study_argument(struct loader *loader, const struct lang_locals *locals,
                    const struct node *node, struct rule_arg *arg)
{
    find_bundle(loader, locals, node, arg);
    arg->drawn = arg->bundle >= 0 || always_chooses(arg->code);
    if (lang_is_display(arg->code)) {
        warn_of_display(loader, node, arg);
    }
    arg->fixed = lang_is_fixed(arg->code);
    if (arg->fixed) {
        try_argument(loader, node, arg);
    }
}
